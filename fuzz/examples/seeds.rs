//! Writes the seeds of the fuzz targets from the project's own games: `cargo run --example seeds`.

use std::fs;
use std::io::{Error, Result};
use std::path::Path;

use rusqlite::Connection;
use stamma::import::{ImportOptions, import};
use stamma::pgn::{Span, split};
use stamma::replay::{Mainline, replay};
use stamma::storage::Database;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The step between positions of a game that become seeds.
const PLIES_A_FEN: u32 = 20;

fn main() -> Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let games = here.join("../tests/data/games");
    for file in fs::read_dir(&games)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "pgn") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            seed_with_file(&here.join("corpus"), &name, &fs::read(&path)?)?;
        }
    }
    seed_with_index(&here.join("corpus/block"), &games).map_err(Error::other)
}

fn seed(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(name), bytes)
}

fn seed_with_file(corpus: &Path, name: &str, file: &[u8]) -> Result<()> {
    for (number, span) in split(file).enumerate() {
        let Span::Game(range) = span else { continue };
        let (name, text) = (format!("{name}-{number}"), &file[range]);
        for target in ["reader", "replay", "round_trip"] {
            seed(&corpus.join(target), &name, text)?;
        }
        seed_with_moves(corpus, &name, &String::from_utf8_lossy(text))?;
    }
    Ok(())
}

/// Positions of a game as FENs, and the texts of moves with the moves before them.
fn seed_with_moves(corpus: &Path, name: &str, text: &str) -> Result<()> {
    let game = replay(text);
    let start = game.game.start.as_deref();
    let mut line = Mainline::new(start, &game.game.moves).map_err(Error::other)?;
    let mut before = Vec::new();
    while let Some((san, mv)) = line.step() {
        let legal = line.position().legal_moves();
        let choice = legal
            .iter()
            .position(|&other| other == mv)
            .unwrap_or_default();
        if line.ply() % PLIES_A_FEN == 8 {
            let name = format!("{name}-{}", line.ply());
            seed(&corpus.join("fen"), &name, line.position().fen().as_bytes())?;
            if game.start.is_none() {
                let seed_bytes = [&before[..], b"\n", san.as_bytes()].concat();
                seed(&corpus.join("notation"), &name, &seed_bytes)?;
            }
        }
        // A newline would end the moves.
        before.push(if choice == 10 {
            10 + legal.len() as u8
        } else {
            choice as u8
        });
        line.play(mv);
    }
    Ok(())
}

/// The blocks of an index of all games.
fn seed_with_index(folder: &Path, games: &Path) -> std::result::Result<(), Failure> {
    let work = tempfile::tempdir()?;
    let path = work.path().join("games.db");
    let files: Result<Vec<_>> = fs::read_dir(games)?.map(|file| Ok(file?.path())).collect();
    import(
        &mut Database::open_or_create(&path)?,
        &files?,
        ImportOptions::default(),
        |_| (),
    )?;
    let connection = Connection::open(&path)?;
    let sql = "SELECT key_bits - 1, game_bits, position_block.id, data
        FROM position_block, position_segment";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let head: [u8; 4] = [0, row.get(0)?, row.get(1)?, 0];
        let (id, data): (i64, Vec<u8>) = (row.get(2)?, row.get(3)?);
        seed(folder, &id.to_string(), &[&head[..], &data].concat())?;
    }
    Ok(())
}
