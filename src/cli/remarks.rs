//! Remarks on repairs, omissions and changes: printed, counted, and written as JSON Lines.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use super::output::OutputFile;
use super::records::write_jsonl;
use super::say;
use stamma::error::Result;
use stamma::export::{Remark, RemarkKind};
use stamma::import::ProblemLine;
use stamma::report::{counted, grouped};

/// The number of remarks printed one by one.
const FIRST_REMARKS: usize = 10;

/// A collector of remarks.
pub(super) struct Remarks<'o> {
    out: Option<&'o mut OutputFile>,
    first: Vec<String>,
    counts: BTreeMap<RemarkKind, u64>,
}

/// A remark, with its game.
#[derive(Serialize)]
struct Row<'r> {
    #[serde(flatten)]
    remark: &'r Remark,
    game: u64,
    message: String,
}

impl<'o> Remarks<'o> {
    /// Writes a row for each remark to a file, if one is given.
    pub(super) fn new(out: Option<&'o mut OutputFile>) -> Remarks<'o> {
        Remarks { out, first: Vec::new(), counts: BTreeMap::new() }
    }

    /// Adds a remark on a game.
    pub(super) fn note(&mut self, game: u64, remark: &Remark) -> Result<()> {
        *self.counts.entry(remark.kind).or_default() += 1;
        if self.first.len() < FIRST_REMARKS {
            self.first.push(format!("game {game}: {remark}"));
        }
        match &mut self.out {
            Some(out) => {
                let row = Row { remark, game, message: remark.to_string() };
                write_jsonl(&[row], &mut out.by_ref())
            }
            None => Ok(()),
        }
    }

    /// Adds a problem of the input, which is printed and counted elsewhere.
    pub(super) fn problem(&mut self, line: &ProblemLine<'_>) -> Result<()> {
        match &mut self.out {
            Some(out) => write_jsonl(&[line], &mut out.by_ref()),
            None => Ok(()),
        }
    }

    /// Prints the first remarks, and the number of each kind.
    pub(super) fn report(&self) {
        self.first.iter().for_each(|line| say!("{line}"));
        let all = self.counts.values().sum::<u64>();
        if all == 0 {
            return;
        }
        let more = all - self.first.len() as u64;
        if more > 0 {
            say!("… and {}:", counted(more, "more change", "more changes"));
        }
        for (kind, &count) in &self.counts {
            say!("{:>9}  {kind}", grouped(count));
        }
    }

    /// The number of remarks of each kind.
    pub(super) fn counts(&self) -> impl Iterator<Item = (RemarkKind, u64)> {
        self.counts.iter().map(|(&kind, &count)| (kind, count))
    }

    /// The number of repaired tags.
    pub(super) fn repairs(&self) -> u64 {
        self.counts.get(&RemarkKind::Repaired).copied().unwrap_or(0)
    }

    /// How many tags of openings were written.
    pub(super) fn openings(&self) -> u64 {
        self.counts.get(&RemarkKind::OpeningTag).copied().unwrap_or(0)
    }

    /// How many tags of names were written in their canonical form or filled in.
    pub(super) fn names(&self) -> u64 {
        self.counts.get(&RemarkKind::NameTag).copied().unwrap_or(0)
    }

    /// `true` if the data had a fault that was not repaired.
    pub(super) fn has_faults(&self) -> bool {
        use RemarkKind::{NameTag, OpeningTag, Repaired};
        self.counts.keys().any(|kind| !matches!(kind, Repaired | OpeningTag | NameTag))
    }
}
