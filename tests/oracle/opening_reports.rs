//! Opening reports, compared with counts over plain replays of every game.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use crate::support::corpus;
use crate::support::program::{Workplace, games};
use rusqlite::Connection;
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position as _, PositionError, Role};
use stamma::import::{ImportOptions, import};
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
    starts_as_usual: bool,
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

        let fen = row.get::<_, Option<String>>(1)?;
        let moves: Vec<String> = text(0)?
            .split_ascii_whitespace()
            .map(str::to_owned)
            .collect();

        let boards = boards(&moves, fen.as_deref());
        let epd = |board: &Chess| Epd::from_position(board, EnPassantMode::Legal).to_string();
        Ok(Played {
            year: year(&text(2)?),
            elo: [elo(3)?, elo(4)?],
            result: text(5)?,
            opening: text(6)?,
            eco: text(7)?,
            starts_as_usual: fen.is_none(),
            moves,
            epds: boards.iter().map(epd).collect(),
            boards,
        })
    });

    rows.expect("rows").map(|row| row.expect("a row")).collect()
}

fn year(date: &str) -> Option<u16> {
    let year = date
        .split(['.', '-', '/'])
        .next()
        .filter(|year| year.len() == 4)?;
    year.parse().ok().filter(|&year| year > 0)
}

fn boards(moves: &[String], fen: Option<&str>) -> Vec<Chess> {
    let mut position = match fen {
        None => Chess::default(),
        Some(fen) => Fen::from_ascii(fen.as_bytes())
            .expect("a FEN")
            .into_position(CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .expect("a legal position"),
    };

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
        let at = ["1-0", "1/2-1/2", "0-1"]
            .iter()
            .position(|result| *result == game.result);
        results[at.unwrap_or(3)] += 1;
    }

    results
}

fn of(counts: &Counts) -> Results {
    [counts.white, counts.draws, counts.black, counts.unfinished]
}

/// The years from the first game of the opening on, each with the results and the number of all games.
fn years(games: &[Played], chosen: &[&Played]) -> Vec<(u16, Results, u64)> {
    let first = chosen.iter().filter_map(|game| game.year).min();
    let mut all: BTreeMap<u16, u64> = BTreeMap::new();
    games
        .iter()
        .filter_map(|game| game.year)
        .for_each(|year| *all.entry(year).or_default() += 1);

    let all = all
        .into_iter()
        .filter(|(year, _)| first.is_some_and(|first| *year >= first));
    let of_year = |year| {
        results(
            chosen
                .iter()
                .copied()
                .filter(|game: &&Played| game.year == Some(year)),
        )
    };

    all.map(|(year, all)| (year, of_year(year), all)).collect()
}

/// The lowest mean Elo of each band with games, its results and the number of all games.
fn bands(games: &[Played], chosen: &[&Played]) -> Vec<(Option<u16>, Results, u64)> {
    let edges = [1600, 1800, 2000, 2200, 2400, 2600, u16::MAX];
    let mut bands = Vec::new();
    let mut from: Option<u16> = None;

    for below in edges {
        let is_in = |game: &&Played| {
            let [white, black] = game.elo;
            let mean = f64::from(white + black) / 2.0;
            white > 0
                && black > 0
                && mean < f64::from(below)
                && from.is_none_or(|from| mean >= f64::from(from))
        };

        let all = games.iter().filter(is_in).count() as u64;
        if all > 0 {
            bands.push((from, results(chosen.iter().copied().filter(is_in)), all));
        }

        from = Some(below);
    }

    bands
}

/// The lines from a position, by the moves of the games that reach it.
fn lines(
    chosen: &[&Played],
    epd: &str,
    line: &[String],
    (depth, least): (usize, u64),
    found: &mut Vec<(Vec<String>, Results, u64)>,
) {
    let mut moves: HashMap<Option<&String>, Vec<(&Played, usize)>> = HashMap::new();
    let mut of_games = 0;

    for game in chosen {
        if let Some(at) = game.epds.iter().position(|known| known == epd) {
            moves
                .entry(game.moves.get(at))
                .or_default()
                .push((game, at));
            of_games += 1;
        }
    }

    for (played, games) in moves {
        if (games.len() as u64) < least {
            continue;
        }

        let mut longer = line.to_vec();
        longer.extend(played.cloned());

        let counted = results(games.iter().map(|(game, _)| *game));
        found.push((longer.clone(), counted, of_games));

        if played.is_some() && longer.len() < depth {
            let (game, at) = games[0];
            lines(chosen, &game.epds[at + 1], &longer, (depth, least), found);
        }
    }
}

/// Of the games of the sample that last so long, those with a piece on a square.
fn placements(sample: &[&Played], moves: usize) -> (u64, BTreeMap<String, u64>) {
    let (mut games, mut squares) = (0, BTreeMap::new());
    for game in sample.iter().filter(|game| game.starts_as_usual) {
        let Some(board) = game.boards.get(2 * moves) else {
            continue;
        };
        games += 1;

        for (square, piece) in board.board() {
            *squares
                .entry(format!("{}{square}", piece.char()))
                .or_default() += 1;
        }
    }

    (games, squares)
}

/// The numbers of games that end with each material of at most two pieces a side, without pawns.
fn endings(chosen: &[&Played]) -> BTreeMap<String, u64> {
    let mut endings: BTreeMap<String, u64> = BTreeMap::new();
    for game in chosen {
        let board = game.boards.last().expect("a position").board();
        let side = |color: Color| {
            let pieces = [
                (Role::Queen, "Q"),
                (Role::Rook, "R"),
                (Role::Bishop, "B"),
                (Role::Knight, "N"),
            ];

            let letters = pieces.map(|(role, letter)| {
                letter.repeat((board.by_color(color) & board.by_role(role)).count())
            });
            format!("K{}", letters.concat())
        };

        let (white, black) = (side(Color::White), side(Color::Black));
        if white.len() <= 3 && black.len() <= 3 {
            *endings.entry(format!("{white}-{black}")).or_default() += 1;
        }
    }

    endings
}

fn database(work: &Workplace, file: &Path) -> Database {
    let path = work.path("games.db");
    let files = stamma::input::find_files(file).expect("the games are there");
    let mut database = Database::open_or_create(&path).expect("a database");
    import(&mut database, &files, ImportOptions::default(), |_| {}).expect("an import");
    drop(database);
    Database::open(&path).expect("a database")
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
    assert_eq!(
        of(&report.counts),
        results(chosen.iter().copied()),
        "{query:?}"
    );
    assert_eq!(report.all, games.len() as u64);

    let found = report
        .years
        .iter()
        .map(|year| (year.year, of(&year.counts), year.of));
    assert_eq!(
        found.collect::<Vec<_>>(),
        years(games, &chosen),
        "{query:?}"
    );

    let found = report
        .bands
        .iter()
        .map(|band| (band.from, of(&band.counts), band.of));
    assert_eq!(
        found.collect::<Vec<_>>(),
        bands(games, &chosen),
        "{query:?}"
    );

    let root = report.root.as_ref().expect("a position");
    let played = boards(&root.line, None);
    let epd = Epd::from_position(played.last().expect("the start"), EnPassantMode::Legal);
    let mut expected = Vec::new();
    let all: Vec<&Played> = games.iter().collect();

    lines(&all, &epd.to_string(), &[], (5, 2), &mut expected);
    expected.sort();

    let found = report.lines.moves.iter();
    let found = found.map(|one| {
        let played = &one.played;
        (
            played.line.clone(),
            of(&played.counted.counts),
            played.of_games,
        )
    });

    let mut found: Vec<(Vec<String>, Results, u64)> = found.collect();
    found.sort();
    assert_eq!(found, expected, "{query:?}");

    // The same with the games of the opening alone tells how many stay in it.
    let mut expected = Vec::new();
    lines(&chosen, &epd.to_string(), &[], (5, 1), &mut expected);

    for one in &report.lines.moves {
        // The games that end behind a line are listed by the same line. A line is missing if the games of the opening
        // reach its positions by other orders of moves only.
        let same = expected
            .iter()
            .filter(|(line, ..)| *line == one.played.line);
        let mut games = same
            .map(|(_, counts, _)| counts.iter().sum::<u64>())
            .peekable();
        let is_expected = games.peek().is_none() || games.any(|games| games == one.of_opening);

        assert!(is_expected, "{query:?} {one:?}");
    }

    let step = chosen.len().div_ceil(2_000);
    let sample: Vec<&Played> = chosen.iter().copied().step_by(step).collect();

    for found in &report.placements {
        let (games, squares) = placements(&sample, found.moves as usize);
        assert_eq!(found.games, games, "{query:?}");

        let pieces = found.pieces.iter().flat_map(|one| {
            let letter = char::from(one.piece.fen_letter());
            one.squares
                .iter()
                .map(move |(square, games)| (format!("{letter}{square}"), *games))
        });

        assert_eq!(
            pieces.collect::<BTreeMap<String, u64>>(),
            squares,
            "{query:?}"
        );
    }

    let expected = endings(&chosen);
    assert_eq!(
        report.endings.games,
        expected.values().sum::<u64>(),
        "{query:?}"
    );
    assert_eq!(
        report.endings.list.len(),
        expected.len().min(12),
        "{query:?}"
    );

    for ending in &report.endings.list {
        let [white, black] = &ending.pieces;
        assert_eq!(
            ending.counts.all_games(),
            expected[&format!("{white}-{black}")],
            "{query:?}"
        );
    }
}

fn positions(moves: &str) -> OpeningSubject {
    OpeningSubject::Positions(read_positions(moves, None).expect(moves))
}

fn epd_after(moves: &str) -> String {
    let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
    let boards = boards(&moves, None);
    Epd::from_position(boards.last().expect("the start"), EnPassantMode::Legal).to_string()
}

fn compare_all(work: &Workplace, file: &Path, asked: &[&str]) {
    let database = database(work, file);
    let games = read(&Connection::open(work.path("games.db")).expect("a database"));

    for moves in asked {
        let epd = epd_after(moves);
        compare(&database, &games, positions(moves), |game| {
            game.epds.contains(&epd)
        });
    }

    let sicilian = OpeningSubject::Named("sicil def".into());
    compare(&database, &games, sicilian, |game| {
        let name = game.opening.to_lowercase();
        let has = |begin| {
            name.split([' ', ',', ':'])
                .any(|word: &str| word.starts_with(begin))
        };
        has("sicil") && has("def")
    });

    let spanish = OpeningSubject::Eco("C60-C99".parse().expect("codes"));
    compare(&database, &games, spanish, |game| {
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
    let asked = [
        "e4 c5 Nf3",
        "d4 d5 c4 e6",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    ];

    compare_all(&Workplace::new(), &path, &asked);
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
