//! Opening reports, compared with counts over plain replays of every game.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::novelties::database;
use crate::support::corpus;
use crate::support::index_oracle::epd;
use crate::support::program::{Workplace, games};
use crate::support::start_position::start_position;
use rusqlite::Connection;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position as _, Role};
use stamma::query::{Counts, Filter, Watch, read_positions};
use stamma::storage::Database;
use stamma::study::opening::{OpeningQuery, OpeningReport, OpeningSubject};

/// A game with its moves and positions.
struct Played {
    year: Option<u16>,
    elo: [u32; 2],
    result: String,
    opening: String,
    eco: String,
    starts_from_standard: bool,
    moves: Vec<String>,
    epds: Vec<String>,
    boards: Vec<Chess>,
}

fn read(connection: &Connection) -> Vec<Played> {
    let sql =
        "SELECT moves, fen, date, white_elo, black_elo, result, opening, opening_eco FROM games
        WHERE (variant IS NULL OR variant = 'chess960') AND ply_count > 0
        AND id IN (SELECT id FROM game WHERE final_key IS NOT NULL)
        AND id NOT IN (SELECT game_id FROM duplicate_of) ORDER BY id";

    let mut select = connection.prepare(sql).expect("the view of a database");
    let rows = select.query_map([], |row| {
        let text = |column| {
            row.get::<_, Option<String>>(column)
                .map(Option::unwrap_or_default)
        };

        let elo = |column| {
            row.get::<_, Option<u32>>(column)
                .map(Option::unwrap_or_default)
        };

        let fen: Option<String> = row.get(1)?;
        let movetext = text(0)?;
        let sans = movetext.split_ascii_whitespace();
        let moves: Vec<String> = sans.map(str::to_owned).collect();

        let boards = boards(&moves, fen.as_deref());

        Ok(Played {
            year: year(&text(2)?),
            elo: [elo(3)?, elo(4)?],
            result: text(5)?,
            opening: text(6)?,
            eco: text(7)?,
            starts_from_standard: fen.is_none(),
            moves,
            epds: boards.iter().map(epd).collect(),
            boards,
        })
    });

    rows.expect("rows").map(|row| row.expect("a row")).collect()
}

fn year(date: &str) -> Option<u16> {
    let first_field = date.split(['.', '-', '/']).next()?;
    if first_field.len() != 4 {
        return None;
    }

    let year: u16 = first_field.parse().ok()?;
    (year > 0).then_some(year)
}

fn boards(moves: &[String], fen: Option<&str>) -> Vec<Chess> {
    let mut position = start_position(fen);
    let mut boards = vec![position.clone()];
    for text in moves {
        let san: SanPlus = text.parse().expect(text);
        let mv = san.san.to_move(&position).expect(text);
        position = position.play(mv).expect(text);
        boards.push(position.clone());
    }

    boards
}

/// White's wins, draws, Black's wins, and the rest.
type Results = [u64; 4];

fn results<'g>(games: impl IntoIterator<Item = &'g Played>) -> Results {
    let mut results = [0; 4];
    for game in games {
        let at = match game.result.as_str() {
            "1-0" => 0,
            "1/2-1/2" => 1,
            "0-1" => 2,
            _ => 3,
        };
        results[at] += 1;
    }

    results
}

fn results_of(counts: &Counts) -> Results {
    [counts.white, counts.draws, counts.black, counts.unfinished]
}

/// The years from the first game of the opening on, each with the results and the number of all games.
fn years(games: &[Played], chosen: &[&Played]) -> Vec<(u16, Results, u64)> {
    let Some(first) = chosen.iter().filter_map(|game| game.year).min() else {
        return Vec::new();
    };

    let mut games_by_year: BTreeMap<u16, u64> = BTreeMap::new();
    for year in games.iter().filter_map(|game| game.year) {
        *games_by_year.entry(year).or_default() += 1;
    }

    let mut years = Vec::new();
    for (year, all) in games_by_year.range(first..) {
        let of_year = chosen
            .iter()
            .copied()
            .filter(|game| game.year == Some(*year));
        years.push((*year, results(of_year), *all));
    }

    years
}

/// The lowest mean Elo of each band with games, its results and the number of all games.
fn bands(games: &[Played], chosen: &[&Played]) -> Vec<(Option<u16>, Results, u64)> {
    let edges = [1600, 1800, 2000, 2200, 2400, 2600, u16::MAX];
    let mut bands = Vec::new();
    let mut from: Option<u16> = None;

    for below in edges {
        let is_in = |game: &&Played| {
            let [white, black] = game.elo;
            let is_rated = white > 0 && black > 0;

            let mean = f64::from(white + black) / 2.0;
            let is_below = mean < f64::from(below);
            let is_from = from.is_none_or(|from| mean >= f64::from(from));

            is_rated && is_below && is_from
        };

        // A band without any game is left out.
        let all = games.iter().filter(is_in).count() as u64;
        if all > 0 {
            let in_band = chosen.iter().copied().filter(is_in);
            bands.push((from, results(in_band), all));
        }

        from = Some(below);
    }

    bands
}

/// Gathers the lines from a position, by the moves of the games that reach it.
fn lines(
    chosen: &[&Played],
    epd: &str,
    line: &[String],
    (depth, min_games): (usize, u64),
    found: &mut Vec<(Vec<String>, Results, u64)>,
) {
    let mut moves: HashMap<Option<&String>, Vec<(&Played, usize)>> = HashMap::new();
    let mut of_games = 0;

    for game in chosen {
        // The first visit counts; a game without a move here ends here.
        if let Some(at) = game.epds.iter().position(|known| known == epd) {
            let games = moves.entry(game.moves.get(at)).or_default();
            games.push((game, at));
            of_games += 1;
        }
    }

    for (played, games) in moves {
        if (games.len() as u64) < min_games {
            continue;
        }

        let mut longer = line.to_vec();
        longer.extend(played.cloned());

        let counted = results(games.iter().map(|(game, _)| *game));
        found.push((longer.clone(), counted, of_games));

        if played.is_some() && longer.len() < depth {
            let (game, at) = games[0];
            let next = &game.epds[at + 1];
            lines(chosen, next, &longer, (depth, min_games), found);
        }
    }
}

/// The number of games of the sample that last a number of moves, and the numbers of games with each piece on each
/// square.
fn placements(sample: &[&Played], moves: usize) -> (u64, BTreeMap<String, u64>) {
    let mut games = 0;
    let mut squares = BTreeMap::new();

    for game in sample.iter().filter(|game| game.starts_from_standard) {
        let Some(board) = game.boards.get(2 * moves) else {
            continue;
        };
        games += 1;

        for (square, piece) in board.board() {
            let placement = format!("{}{square}", piece.char());
            *squares.entry(placement).or_default() += 1;
        }
    }

    (games, squares)
}

/// The numbers of games that end with each material of at most two pieces a side, without pawns.
fn endings(chosen: &[&Played]) -> BTreeMap<String, u64> {
    let mut endings: BTreeMap<String, u64> = BTreeMap::new();
    for game in chosen {
        let board = game.boards.last().expect("a position").board();

        // The pieces of a side as letters, the strongest first.
        let side = |color: Color| {
            let pieces = [
                (Role::Queen, "Q"),
                (Role::Rook, "R"),
                (Role::Bishop, "B"),
                (Role::Knight, "N"),
            ];

            let mut material = "K".to_owned();
            for (role, letter) in pieces {
                let squares = board.by_color(color) & board.by_role(role);
                material += &letter.repeat(squares.count());
            }

            material
        };

        // A king and two pieces.
        let (white, black) = (side(Color::White), side(Color::Black));
        if white.len() <= 3 && black.len() <= 3 {
            let name = format!("{white}-{black}");
            *endings.entry(name).or_default() += 1;
        }
    }

    endings
}

/// Compares a report with the plain counts of the games for which a condition holds.
fn compare(
    database: &Database,
    games: &[Played],
    subject: OpeningSubject,
    is_chosen: impl Fn(&Played) -> bool,
) {
    let query = OpeningQuery {
        subject,
        filter: Filter::default(),
        depth: 5,
        min_games: Some(2),
    };

    let report = OpeningReport::read(&[database], &query, &Watch::new()).expect("a report");
    let chosen: Vec<&Played> = games.iter().filter(|game| is_chosen(game)).collect();
    assert!(!chosen.is_empty(), "{query:?}");
    let expected = results(chosen.iter().copied());
    assert_eq!(results_of(&report.counts), expected, "{query:?}");
    assert_eq!(report.all, games.len() as u64);

    let found: Vec<_> = report
        .years
        .iter()
        .map(|year| (year.year, results_of(&year.counts), year.all_games))
        .collect();
    assert_eq!(found, years(games, &chosen), "{query:?}");

    let found: Vec<_> = report
        .bands
        .iter()
        .map(|band| (band.from, results_of(&band.counts), band.all_games))
        .collect();
    assert_eq!(found, bands(games, &chosen), "{query:?}");

    compare_lines(&report, games, &chosen, &query);
    compare_placements(&report, &chosen, &query);
    compare_endings(&report, &chosen, &query);
}

/// Compares the lines from the opening's first position, and how many of their games stay in the opening.
fn compare_lines(
    report: &OpeningReport,
    games: &[Played],
    chosen: &[&Played],
    query: &OpeningQuery,
) {
    let root = report.root.as_ref().expect("a position");
    let boards = boards(&root.line, None);
    let position = boards.last().expect("the start");
    let epd = epd(position);

    // Every game that reaches the position counts, under whatever opening it ends.
    let all: Vec<&Played> = games.iter().collect();
    let mut expected = Vec::new();
    lines(&all, &epd, &[], (5, 2), &mut expected);
    expected.sort();

    let mut found: Vec<(Vec<String>, Results, u64)> = Vec::new();
    for one in &report.lines.moves {
        let played = &one.played;
        let results = results_of(&played.counted.counts);
        found.push((played.line.clone(), results, played.of_games));
    }
    found.sort();
    assert_eq!(found, expected, "{query:?}");

    // The same with the games of the opening alone tells how many stay in it.
    let mut of_opening = Vec::new();
    lines(chosen, &epd, &[], (5, 1), &mut of_opening);

    for one in &report.lines.moves {
        // The games that end behind a line are listed by the same line. A line is missing if the games of the opening
        // reach its positions by other orders of moves only.
        let counts: Vec<u64> = of_opening
            .iter()
            .filter(|(line, ..)| *line == one.played.line)
            .map(|(_, counts, _)| counts.iter().sum())
            .collect();

        let is_expected = counts.is_empty() || counts.contains(&one.of_opening);
        assert!(is_expected, "{query:?} {one:?}");
    }
}

/// Compares the placements of pieces, which are counted in at most 2,000 games at equal distances.
fn compare_placements(report: &OpeningReport, chosen: &[&Played], query: &OpeningQuery) {
    let step = chosen.len().div_ceil(2_000);
    let sample: Vec<&Played> = chosen.iter().copied().step_by(step).collect();

    for found in &report.placements {
        let (games, expected) = placements(&sample, found.moves as usize);
        assert_eq!(found.games, games, "{query:?}");

        let mut squares: BTreeMap<String, u64> = BTreeMap::new();
        for one in &found.pieces {
            let letter = char::from(one.piece.fen_letter());
            for (square, games) in &one.squares {
                squares.insert(format!("{letter}{square}"), *games);
            }
        }
        assert_eq!(squares, expected, "{query:?}");
    }
}

/// Compares the endings, of which the twelve most frequent are listed.
fn compare_endings(report: &OpeningReport, chosen: &[&Played], query: &OpeningQuery) {
    let expected = endings(chosen);
    let found = &report.endings;

    let games: u64 = expected.values().sum();
    assert_eq!(found.games, games, "{query:?}");
    assert_eq!(found.list.len(), expected.len().min(12), "{query:?}");

    for ending in &found.list {
        let [white, black] = &ending.pieces;
        let games = expected[&format!("{white}-{black}")];
        assert_eq!(ending.counts.all_games(), games, "{query:?}");
    }
}

fn positions(moves: &str) -> OpeningSubject {
    OpeningSubject::Positions(read_positions(moves, None).expect(moves))
}

fn epd_after(moves: &str) -> String {
    let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
    let boards = boards(&moves, None);
    epd(boards.last().expect("the start"))
}

fn compare_all(work: &Workplace, file: &Path, openings: &[&str]) {
    let database = database(work, file);
    let games = read(&Connection::open(work.path("games.db")).expect("a database"));

    for moves in openings {
        let epd = epd_after(moves);
        compare(&database, &games, positions(moves), |game| {
            game.epds.contains(&epd)
        });
    }

    let sicilian = OpeningSubject::Named("sicil def".into());
    compare(&database, &games, sicilian, |game| {
        // Names match by the beginnings of their words, as in queries.
        let name = game.opening.to_lowercase();
        let has = |begin: &str| {
            let mut words = name.split([' ', ',', ':']);
            words.any(|word| word.starts_with(begin))
        };
        has("sicil") && has("def")
    });

    let spanish = OpeningSubject::Eco("C60-C99".parse().expect("codes"));
    compare(&database, &games, spanish, |game| {
        // The end is exclusive: C999 is above every code that begins with C99.
        ("C60".."C999").contains(&&*game.eco)
    });
}

#[test]
fn historical_games() {
    let work = Workplace::new();
    compare_all(&work, &games(), &["e4", "e4 e5 Nf3", "d4 Nf6 c4"]);
}

#[test]
fn ten_thousand_games() {
    let Some(path) = corpus::path("archive-10k.pgn") else {
        return;
    };
    let openings = [
        "e4 c5 Nf3",
        "d4 d5 c4 e6",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    ];

    compare_all(&Workplace::new(), &path, &openings);
}

#[test]
fn a_filter_chooses_all_games() {
    let work = Workplace::new();
    let database = database(&work, &games());
    let subject = OpeningSubject::Named("sicilian".into());
    let filter = Filter {
        since: Some("1970".parse().expect("a date")),
        ..Filter::default()
    };

    let query = OpeningQuery {
        subject,
        filter,
        depth: 3,
        min_games: None,
    };

    let report = OpeningReport::read(&[&database], &query, &Watch::new()).expect("a report");
    let sql =
        "SELECT count(*) FILTER (WHERE opening LIKE 'Sicilian%') || '|' || count(*) FROM games
        WHERE date >= '1970' AND (variant IS NULL OR variant = 'chess960')";
    let counts = format!("{}|{}", report.counts.all_games(), report.all);
    assert_eq!(counts, work.query(sql));
}
