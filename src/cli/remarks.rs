//! Remarks on repairs, omissions and changes: counted, printed, and written in full.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use super::changes::{Change, Changes};
use super::output::OutputFile;
use super::records::write_jsonl;
use stamma::error::Result;
use stamma::export::{Remark, RemarkKind};
use stamma::import::ProblemLine;
use stamma::replay::Effect;

/// The code of a game that was left out because it equals an earlier game.
pub(super) const DUPLICATE: &str = "duplicate";

/// A collector of remarks.
pub(super) struct Remarks<'o> {
    /// The file of problems, which receives the remarks as well.
    problems: Option<&'o mut OutputFile>,
    counts: BTreeMap<RemarkKind, u64>,
    changes: Changes<'o>,
}

/// The place of a game.
#[derive(Clone, Copy)]
pub(super) struct GamePlace<'p> {
    /// The file of the game; `None` in a database.
    pub(super) source: Option<&'p str>,
    /// The number of the game.
    pub(super) game: u64,
    /// The line on which the game begins; `None` in a database and in a source without lines.
    pub(super) line: Option<u64>,
}

impl GamePlace<'_> {
    /// The place of a game in a database.
    pub(super) fn in_database(game: u64) -> GamePlace<'static> {
        GamePlace {
            source: None,
            game,
            line: None,
        }
    }
}

/// A row of the file of problems: a remark with its game.
#[derive(Serialize)]
struct Row<'r> {
    #[serde(flatten)]
    remark: &'r Remark,
    game: u64,
    message: String,
}

impl<'o> Remarks<'o> {
    /// A collector that writes a row for each remark to a file of problems, if there is one, and adds each remark to
    /// `changes`.
    pub(super) fn new(problems: Option<&'o mut OutputFile>, changes: Changes<'o>) -> Remarks<'o> {
        Remarks {
            problems,
            counts: BTreeMap::new(),
            changes,
        }
    }

    /// Adds a remark on a game.
    pub(super) fn note(&mut self, place: GamePlace<'_>, remark: &Remark) -> Result<()> {
        *self.counts.entry(remark.kind).or_default() += 1;

        self.changes.add(&Change {
            code: remark.kind.code(),
            source: place.source,
            game: place.game,
            line: place.line,
            tag: remark.tag.as_deref(),
            before: remark.before.as_deref(),
            after: remark.after.as_deref(),
            message: &remark.described(),
        })?;

        if let Some(out) = &mut self.problems {
            let row = Row {
                remark,
                game: place.game,
                message: remark.to_string(),
            };
            write_jsonl(&[row], &mut out.by_ref())?;
        }
        Ok(())
    }

    /// Adds a problem of the input, which is printed and counted elsewhere. A repaired problem is also a change, since
    /// its text is written in another form.
    pub(super) fn problem(&mut self, line: &ProblemLine<'_>) -> Result<()> {
        if line.kind().effect() == Effect::Repaired {
            self.changes.add(&Change {
                code: line.kind().code(),
                source: Some(line.source()),
                game: line.game().unwrap_or(0).cast_unsigned(),
                line: line.line(),
                tag: None,
                before: Some(line.text()),
                after: None,
                message: line.message(),
            })?;
        }

        if let Some(out) = &mut self.problems {
            write_jsonl(&[line], &mut out.by_ref())?;
        }
        Ok(())
    }

    /// Adds a game that was left out because it equals an earlier game.
    pub(super) fn duplicate(&mut self, place: GamePlace<'_>) -> Result<()> {
        self.changes.add(&Change {
            code: DUPLICATE,
            source: place.source,
            game: place.game,
            line: place.line,
            tag: None,
            before: None,
            after: None,
            message: "equals an earlier game, and is left out",
        })
    }

    /// Prints the number of remarks of each kind, and the first remarks of each kind.
    pub(super) fn report(&self) {
        // Repaired problems are changes as well, but they are reported with the problems.
        let name_of_remark = |code: &'static str| {
            let is_remark = self.counts.keys().any(|kind| kind.code() == code);
            if is_remark {
                Some(code.to_owned())
            } else {
                None
            }
        };
        self.changes.say(name_of_remark);
    }

    /// Prints the number of changes of each kind for which `named` returns a name, and the first changes of the kind.
    pub(super) fn report_as(&self, named: impl Fn(&'static str) -> Option<String>) {
        self.changes.say(named);
    }

    /// Prints the first changes of a kind.
    pub(super) fn say_examples(&self, code: &str) {
        self.changes.say_examples(code);
    }

    /// The number of tags that were repaired or added.
    pub(super) fn repairs(&self) -> u64 {
        self.count(RemarkKind::Repaired) + self.count(RemarkKind::AddedTag)
    }

    /// The number of opening tags that were written.
    pub(super) fn openings(&self) -> u64 {
        self.count(RemarkKind::OpeningTag)
    }

    /// The number of name tags that were written in their canonical form or filled in.
    pub(super) fn names(&self) -> u64 {
        self.count(RemarkKind::NameTag)
    }

    /// The number of remarks of a kind.
    fn count(&self, kind: RemarkKind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    /// `true` if the data had a fault that was not repaired.
    pub(super) fn has_faults(&self) -> bool {
        use RemarkKind::{AddedTag, NameTag, OpeningTag, Repaired};

        let is_improvement =
            |kind: &RemarkKind| matches!(kind, Repaired | AddedTag | OpeningTag | NameTag);
        !self.counts.keys().all(is_improvement)
    }
}
