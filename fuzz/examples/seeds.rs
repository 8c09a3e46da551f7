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
    let corpus = here.join("corpus");
    let games = here.join("../tests/data/games");
    for file in fs::read_dir(&games)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "pgn") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let text = fs::read(&path)?;
            seed_with_file(&corpus, &name, &text)?;
        }
    }
    seed_with_index(&corpus.join("block"), &games).map_err(Error::other)
}

fn seed(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(name), bytes)
}

fn seed_with_file(corpus: &Path, file_name: &str, file: &[u8]) -> Result<()> {
    for (number, span) in split(file).enumerate() {
        let Span::Game(range) = span else { continue };
        let name = format!("{file_name}-{number}");
        let game = &file[range];
        for target in ["reader", "replay", "round_trip"] {
            seed(&corpus.join(target), &name, game)?;
        }

        let text = String::from_utf8_lossy(game);
        seed_with_moves(corpus, &name, &text)?;
    }
    Ok(())
}

/// Positions of a game as FENs, and the texts of moves with the moves before them.
fn seed_with_moves(corpus: &Path, game_name: &str, text: &str) -> Result<()> {
    let game = replay(text);
    let start = game.game.start.as_deref();
    let mut line = Mainline::new(start, &game.game.moves).map_err(Error::other)?;
    // Each move as its number among the legal moves.
    let mut before = Vec::new();
    while let Some((san, mv)) = line.step() {
        let legal = line.position().legal_moves();
        let place = legal.iter().position(|&other| other == mv);
        let choice = place.unwrap_or_default();

        if line.ply() % PLIES_A_FEN == 8 {
            let name = format!("{game_name}-{}", line.ply());
            let fen = line.position().fen();
            seed(&corpus.join("fen"), &name, fen.as_bytes())?;
            // The target plays from starts of Chess960 only.
            if game.start.is_none() {
                let seed_bytes = [&before[..], b"\n", san.as_bytes()].concat();
                seed(&corpus.join("notation"), &name, &seed_bytes)?;
            }
        }

        // A newline would end the moves. The target takes a choice modulo the number of moves.
        before.push(if choice == usize::from(b'\n') {
            b'\n' + legal.len() as u8
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
    let mut files = Vec::new();
    for file in fs::read_dir(games)? {
        files.push(file?.path());
    }
    let mut database = Database::open_or_create(&path)?;
    import(&mut database, &files, ImportOptions::default(), |_| ())?;

    let connection = Connection::open(&path)?;
    let sql = "SELECT key_bits - 1, game_bits, position_block.id, data
        FROM position_block, position_segment";
    let mut select = connection.prepare(sql)?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        // The target's parameters: flags, the bits of keys and of games, and the distance of the first key.
        let head: [u8; 4] = [0, row.get(0)?, row.get(1)?, 0];
        let id: i64 = row.get(2)?;
        let data: Vec<u8> = row.get(3)?;
        let bytes = [&head[..], &data].concat();
        seed(folder, &id.to_string(), &bytes)?;
    }
    Ok(())
}
