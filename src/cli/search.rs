//! `stamma search`

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use super::terminal::{counted, grouped, table, terminal_width};
use super::{Outcome, args, args::SearchFormat};
use crate::board::Position;
use crate::error::{Error, Result};
use crate::notation::diagram;
use crate::query::{PositionSearch, Visited, positions_meant};
use crate::storage::{Database, GameReader, StoredGame};

/// How many games a table shows when nobody asks for more.
const TABLE_GAMES: usize = 20;

pub(super) fn run(arguments: &args::Search) -> Result<Outcome> {
    // A FEN without quotes comes as several arguments.
    let positions = positions_meant(&arguments.fen.join(" "))?;
    let database = Database::open(&arguments.database)?;
    let mut search = PositionSearch::new(&database)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let limit = match (arguments.limit, arguments.format) {
        (None, SearchFormat::Table) => TABLE_GAMES,
        (None | Some(0), _) => usize::MAX,
        (Some(limit), _) => limit,
    };
    if arguments.format == SearchFormat::Count {
        let count = search.count(&positions)?;
        writeln!(out, "{count}").map_err(Error::Output)?;
        return out.flush().map_err(Error::Output).map(|()| Outcome::Done);
    }
    let count = match arguments.format {
        SearchFormat::Table => search.count(&positions)?,
        _ => 0,
    };
    let mut reader = GameReader::new(&database)?;
    let visited = search.games(&positions, limit)?.into_iter();
    let games = visited.map(|visited| Listed::read(&mut reader, visited));
    match arguments.format {
        SearchFormat::Jsonl => write_jsonl(games, &mut out)?,
        SearchFormat::Csv => write_csv(games, &mut out)?,
        _ => {
            let games = games.collect::<Result<Vec<Listed>>>()?;
            write_table(&positions, count, &games, &mut out).map_err(Error::Output)?;
        }
    }
    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

/// A game in the list of results.
#[derive(Debug, Serialize)]
struct Listed {
    game: i64,
    ply: u32,
    #[serde(rename = "move")]
    next: Option<String>,
    white: Option<String>,
    black: Option<String>,
    result: String,
    date: Option<String>,
    event: Option<String>,
}

impl Listed {
    fn read(reader: &mut GameReader<'_>, visited: Visited) -> Result<Listed> {
        let game = reader.game(visited.game)?;
        let game = game.ok_or(Error::NoSuchGame(visited.game))?;
        Ok(Listed::new(visited, &game))
    }

    fn new(visited: Visited, game: &StoredGame) -> Listed {
        let tag = |name: &str| game.tag(name).map(str::to_owned);
        Listed {
            game: visited.game,
            ply: visited.ply,
            next: visited.next,
            white: tag("White"),
            black: tag("Black"),
            result: game.result.clone(),
            date: tag("Date"),
            event: tag("Event"),
        }
    }

    fn row(&self) -> Vec<String> {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
        vec![
            self.game.to_string(),
            text(&self.white),
            text(&self.black),
            self.result.clone(),
            text(&self.date),
            text(&self.event),
            self.ply.to_string(),
            self.next.clone().unwrap_or_else(|| "(end)".to_owned()),
        ]
    }
}

type Out<'o> = BufWriter<StdoutLock<'o>>;

fn write_table(
    positions: &[Position],
    count: u64,
    games: &[Listed],
    out: &mut Out<'_>,
) -> io::Result<()> {
    if let Some(position) = positions.first() {
        writeln!(out, "{}\n", diagram(position))?;
    }
    if let [position] = positions {
        writeln!(out, "{}", position.fen())?;
    }
    writeln!(out, "{}", counted(count, "game", "games"))?;
    if games.is_empty() {
        return Ok(());
    }
    let header = ["game", "White", "Black", "result", "date", "event", "ply", "move"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(games.iter().map(Listed::row));
    write!(out, "\n{}", table(&rows, &[0, 6], terminal_width()))?;
    let more = count.saturating_sub(games.len() as u64);
    if more > 0 {
        writeln!(out, "… and {} more; --limit 0 lists all", grouped(more))?;
    }
    Ok(())
}

fn write_jsonl(games: impl Iterator<Item = Result<Listed>>, out: &mut Out<'_>) -> Result<()> {
    for game in games {
        serde_json::to_writer(&mut *out, &game?).map_err(|error| Error::Output(error.into()))?;
        out.write_all(b"\n").map_err(Error::Output)?;
    }
    Ok(())
}

fn write_csv(games: impl Iterator<Item = Result<Listed>>, out: &mut Out<'_>) -> Result<()> {
    let fail = |error: csv::Error| Error::Output(error.into());
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    let header = ["game", "ply", "move", "white", "black", "result", "date", "event"];
    writer.write_record(header).map_err(fail)?;
    for game in games {
        writer.serialize(game?).map_err(fail)?;
    }
    writer.flush().map_err(Error::Output)
}
