//! Novelties, compared with a plain reader that remembers every position of every earlier game.

use std::collections::HashMap;
use std::path::Path;

use crate::support::corpus;
use crate::support::index_oracle::epd;
use crate::support::program::{Workplace, games};
use crate::support::start_position::start_position;
use rusqlite::Connection;
use shakmaty::Position as _;
use shakmaty::san::SanPlus;
use stamma::game::Ply;
use stamma::import::{ImportOptions, import};
use stamma::query::{Filter, Watch};
use stamma::storage::{Database, GameId};
use stamma::study::novelty::{Novelties, Novelty, NoveltyQuery};

/// A game with its positions, from its start on.
struct Played {
    game: i64,
    date: String,
    positions: Vec<String>,
}

/// All games of chess, the earliest first; games without a date come last.
fn read(connection: &Connection) -> Vec<Played> {
    let sql =
        "SELECT id, moves, fen, date FROM games WHERE (variant IS NULL OR variant = 'chess960')
        AND id IN (SELECT id FROM game WHERE final_key IS NOT NULL) ORDER BY id";
    let mut select = connection.prepare(sql).expect("the view of a database");

    let rows = select.query_map([], |row| {
        let moves: Option<String> = row.get(1)?;
        let fen: Option<String> = row.get(2)?;
        let date_tag: Option<String> = row.get(3)?;

        Ok(Played {
            game: row.get(0)?,
            date: date(&date_tag.unwrap_or_default()),
            positions: positions(&moves.unwrap_or_default(), fen.as_deref()),
        })
    });

    let mut games: Vec<Played> = rows.expect("rows").map(|row| row.expect("a row")).collect();
    games.retain(|game| !game.positions.is_empty());
    games.sort_by_key(|game| (game.date.clone(), game.game));

    games
}

/// A date by which texts can be sorted, with zeros for an unknown month and day; all nines without a year.
pub(super) fn date(tag: &str) -> String {
    let mut fields = tag.split(['.', '-', '/']);
    let year = fields.next().unwrap_or_default();
    let is_number = year.bytes().all(|byte| byte.is_ascii_digit());
    if year.len() != 4 || !is_number || year == "0000" {
        return "9".repeat(8);
    }

    let mut field = |max: u32| -> u32 {
        let number: Option<u32> = fields.next().and_then(|field| field.parse().ok());
        number
            .filter(|number| (1..=max).contains(number))
            .unwrap_or(0)
    };
    let month = field(12);
    let day = field(31);

    // A day without a month is no date.
    let day = if month > 0 { day } else { 0 };
    format!("{year}{month:02}{day:02}")
}

fn positions(moves: &str, fen: Option<&str>) -> Vec<String> {
    let mut position = start_position(fen);
    let mut positions = vec![epd(&position)];

    for text in moves.split_ascii_whitespace() {
        let san: SanPlus = text.parse().expect(text);
        let mv = san.san.to_move(&position).expect(text);
        position = position.play(mv).expect(text);
        positions.push(epd(&position));
    }

    positions
}

/// The novelties of all games.
fn plain(games: &[Played]) -> Vec<Novelty> {
    // The games that reach each position, the earliest first.
    let mut reached: HashMap<&str, Vec<usize>> = HashMap::new();
    for (age, game) in games.iter().enumerate() {
        for position in &game.positions {
            let games = reached.entry(position).or_default();
            if games.last() != Some(&age) {
                games.push(age);
            }
        }
    }

    let mut novelties = Vec::new();
    for (age, game) in games.iter().enumerate() {
        // The start is nobody's novelty.
        let after_moves = &game.positions[1..];
        let first_new = after_moves
            .iter()
            .position(|position| reached[position.as_str()][0] == age);
        let Some(ply) = first_new.map(|at| at + 1) else {
            continue;
        };

        // The earlier games with the position before the novelty.
        let parents = &reached[game.positions[ply - 1].as_str()];
        let mut earlier = Vec::new();
        for &other in parents {
            if other < age {
                earlier.push(other);
            }
        }
        let last = earlier.last().map(|&last| GameId::new(games[last].game));
        let with_novelty = &reached[game.positions[ply].as_str()];

        novelties.push(Novelty {
            game: GameId::new(game.game),
            ply: Ply::new(ply as u32),
            before: earlier.len() as u64,
            last,
            after: with_novelty.len() as u64 - 1,
        });
    }

    novelties
}

/// A database of the games of a file or folder, open for queries alone.
pub(super) fn database(work: &Workplace, file: &Path) -> Database {
    let path = work.path("games.db");
    let files = stamma::input::find_files(file).expect("the games are there");

    let mut writer = Database::open_or_create(&path).expect("a database");
    let options = ImportOptions::default();
    import(&mut writer, &files, options, |_| {}).expect("an import");
    drop(writer);

    Database::open(&path).expect("a database")
}

fn novelties(database: &Database, query: &NoveltyQuery) -> Vec<Novelty> {
    Novelties::read(database, query, &Watch::new())
        .expect("novelties")
        .list
}

fn numbered(games: &[i64]) -> NoveltyQuery {
    let numbers: Vec<String> = games.iter().map(i64::to_string).collect();
    let condition = Some(format!("id IN ({})", numbers.join(", ")));
    NoveltyQuery {
        filter: Filter {
            condition,
            ..Filter::default()
        },
        ..NoveltyQuery::default()
    }
}

/// Compares the novelties of all games with the plain novelties, in one part and in several, and the novelty of every
/// `step`-th game by itself.
fn compare(work: &Workplace, file: &Path, min_novelties: usize, step: usize) {
    let database = database(work, file);
    let games = read(&Connection::open(work.path("games.db")).expect("a database"));
    let expected = plain(&games);
    assert!(expected.len() >= min_novelties, "{}", expected.len());

    let all = NoveltyQuery::default();
    assert_eq!(novelties(&database, &all), expected);

    // 16 bytes for half of the positions: some five parts.
    let positions: usize = games.iter().map(|game| game.positions.len()).sum();
    let small = NoveltyQuery {
        memory: positions * 8 / 5,
        ..all
    };

    assert_eq!(novelties(&database, &small), expected);

    for expected in expected.iter().step_by(step) {
        let query = numbered(&[expected.game.get()]);
        assert_eq!(novelties(&database, &query), [*expected]);
    }

    let deep = NoveltyQuery {
        after_ply: Ply::new(12),
        min_games: 2,
        ..NoveltyQuery::default()
    };

    let expected: Vec<Novelty> = expected
        .into_iter()
        .filter(|novelty| novelty.ply > Ply::new(12) && novelty.before >= 2)
        .collect();
    assert_eq!(novelties(&database, &deep), expected);
}

#[test]
fn historical_games() {
    let work = Workplace::new();
    compare(&work, &games(), 90, 1);
}

#[test]
fn ten_thousand_games() {
    let Some(path) = corpus::path("archive-10k.pgn") else {
        return;
    };
    compare(&Workplace::new(), &path, 9_000, 40);
}

/// The novelties of the last games of a file, as of a weekly file, among all its games.
#[test]
fn a_week() {
    let Some(path) = corpus::path("archive-100k.pgn") else {
        return;
    };
    let work = Workplace::new();
    let database = database(&work, &path);
    let games = read(&Connection::open(work.path("games.db")).expect("a database"));
    let newest = games.iter().map(|game| game.game).max().expect("games");
    let last = newest - 1_500;

    let filter = Filter {
        condition: Some(format!("id > {last}")),
        ..Filter::default()
    };
    let query = NoveltyQuery {
        filter,
        ..NoveltyQuery::default()
    };
    let found = novelties(&database, &query);

    let expected: Vec<Novelty> = plain(&games)
        .into_iter()
        .filter(|novelty| novelty.game > GameId::new(last))
        .collect();
    assert_eq!(found, expected);
}
