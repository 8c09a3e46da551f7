//! `stamma repertoire`

mod annotated;
mod listed;
mod marked;
mod rows;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::args::{RepertoireFormat, RepertoireList, RepertoireOrder};
use super::output::{buffered_output, output_of, refuse_any_of};
use super::suggestions::say_unknown;
use super::terminal::{counted, grouped};
use super::{Outcome, args, file_error, open_to_ask, say, say_unindexed};
use stamma::error::{Error, Result};
use stamma::input::{Encoding, decode};
use stamma::query::{
    Departure, Repertoire, RepertoireError, RepertoireHit, RepertoireHits, RepertoireReader, Watch,
};
use stamma::storage::Database;

pub(super) fn run(arguments: &args::Repertoire) -> Result<Outcome> {
    let repertoire = read(arguments)?;
    let database = open_to_ask(&arguments.database)?;
    say_unindexed(&database)?;
    let query = arguments.query();
    say_unknown([&database], &query.filter)?;
    let hits = RepertoireHits::read(&database, &repertoire, &query, &Watch::new())?;
    let answer = Answer { database: &database, repertoire: &repertoire, hits: &hits, arguments };
    let left_out = match &arguments.output {
        None => {
            let mut out = buffered_output()?;
            let left_out = answer.write(&mut out)?;
            out.flush().map_err(Error::Output)?;
            left_out
        }
        Some(path) => {
            refuse_any_of(path, arguments.files.iter().map(PathBuf::as_path))?;
            let mut out = output_of(&database, path)?;
            let left_out = answer.write(&mut out)?;
            out.finish(Outcome::Done)?;
            left_out
        }
    };
    answer.say(left_out);
    Ok(if repertoire.remarks().is_empty() { Outcome::Done } else { Outcome::DataProblems })
}

/// Reads the files of a repertoire, and says which places cannot be read.
fn read(arguments: &args::Repertoire) -> Result<Repertoire> {
    let mut reader = RepertoireReader::new();
    for path in &arguments.files {
        let bytes = bytes_of(path)?;
        let decoded = decode(&bytes, Encoding::UTF_8);
        reader.read(&path.display().to_string(), decoded.text());
    }
    for remark in reader.remarks() {
        say!("{remark}");
    }
    reader.finish(arguments.side()).map_err(|error| {
        Error::Repertoire(match error {
            RepertoireError::UnclearSide { .. } => {
                format!("{error}; give --as white or --as black")
            }
            _ => error.to_string(),
        })
    })
}

fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match path == Path::new("-") {
        true => io::stdin().read_to_end(&mut bytes).map_err(Error::Input)?,
        false => {
            let mut file = std::fs::File::open(path).map_err(file_error(path))?;
            file.read_to_end(&mut bytes).map_err(file_error(path))?
        }
    };
    Ok(bytes)
}

/// The games in a repertoire, to be written.
struct Answer<'a> {
    database: &'a Database,
    repertoire: &'a Repertoire,
    hits: &'a RepertoireHits,
    arguments: &'a args::Repertoire,
}

/// The number of rows written, and of all.
type Rows = (usize, usize);

impl<'a> Answer<'a> {
    /// Writes the answer; returns how many rows were written, and how many there are.
    fn write(&self, out: &mut impl Write) -> Result<Rows> {
        match (self.arguments.format, self.arguments.list) {
            (RepertoireFormat::Annotated, _) => annotated::write(self, out),
            (RepertoireFormat::Pgn, _) => marked::write(self, out),
            (_, RepertoireList::Games) => listed::write_games(self, out),
            (_, RepertoireList::Lines) => listed::write_lines(self, out),
            _ => listed::write_departures(self, out),
        }
    }

    /// The departures that are asked for, in the order that is asked for.
    fn departures(&self) -> Vec<&'a Departure> {
        let arguments = self.arguments;
        let is_gaps = arguments.list == RepertoireList::Gaps;
        let is_wanted = |one: &&Departure| {
            let games = if is_gaps { one.all.games() } else { one.counts.games() };
            games >= arguments.min_games.max(1)
                && 100.0 * one.share() >= arguments.min_share
                && if is_gaps { one.is_gap() } else { arguments.takes(one.kind) }
        };
        let mut departures: Vec<&Departure> =
            self.hits.departures.iter().filter(is_wanted).collect();
        // The sorts are stable, and departures come by their numbers of games.
        match arguments.sort {
            RepertoireOrder::Line => departures.sort_by_key(|one| one.position),
            RepertoireOrder::Games if is_gaps => {
                departures.sort_by_key(|one| std::cmp::Reverse(one.all.games()));
            }
            RepertoireOrder::Games => {}
        }
        departures
    }

    /// The games of these departures, by number.
    fn games(&self) -> Vec<RepertoireHit> {
        let departures = self.departures();
        let is_wanted = |hit: &RepertoireHit| departures.iter().any(|one| one.has(hit));
        if departures.len() == self.hits.departures.len() {
            return self.hits.each(self.repertoire).collect();
        }
        self.hits.each(self.repertoire).filter(is_wanted).collect()
    }

    /// Says whose repertoire it is, how many games reach it, and what is left out.
    fn say(&self, (listed, all): Rows) {
        let Answer { repertoire, hits, arguments, .. } = self;
        if listed < all {
            let what = match (arguments.format, arguments.list) {
                (RepertoireFormat::Pgn, _) | (_, RepertoireList::Games) => ("game", "games"),
                (_, RepertoireList::Departures) => ("departure", "departures"),
                (_, RepertoireList::Gaps) => ("gap", "gaps"),
                (_, RepertoireList::Lines) => ("line", "lines"),
            };
            say!("{} of {}", grouped(listed as u64), counted(all as u64, what.0, what.1));
        }
        let side = repertoire.side().name();
        let found = if repertoire.is_side_given() { "" } else { ", as its moves show" };
        let positions = counted(repertoire.positions().len() as u64, "position", "positions");
        say!("a repertoire for {side}{found}: {positions}, {}", self.ends());
        for source in &hits.sources {
            say!("games of {}, imported {}", source.path, source.imported_at);
        }
        let way = match repertoire.line_text(repertoire.first_choice()) {
            way if way.is_empty() || arguments.is_whole() => String::new(),
            way => format!(" (all lines begin with {way})"),
        };
        let of = counted(hits.games, "game", "games");
        say!("{} of {of} in it{way}", grouped(hits.hits));
        if hits.duplicates > 0 {
            let games = counted(hits.duplicates, "game is", "games are");
            say!("{games} marked as duplicates, and not counted");
        }
    }

    fn ends(&self) -> String {
        counted(self.repertoire.ends().count() as u64, "line", "lines")
    }
}
