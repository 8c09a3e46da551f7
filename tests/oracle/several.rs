//! Several databases queried as one, compared with one database of all their games.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use stamma::import::{ImportOptions, import};
use stamma::query::{
    BoardPattern, Databases, GameOfDatabase, Hit, Material, MoveCount, NotableGames, PositionParts,
    PositionQuery, SearchPool, SortOrder, Watch,
};
use stamma::storage::GameId;
use stamma::{Database, Error, Filter, Query};
use tempfile::TempDir;

use crate::support::corpus::{self, fewer};

const FILES: [&str; 6] = [
    "early",
    "classical",
    "modern",
    "today",
    "chess960",
    "from-position",
];

/// Games that reach positions of other games by other moves, without dates or ratings, with equal values, and without
/// moves.
const MORE_GAMES: &str = "[Event \"A\"]\n[Date \"1972.07.11\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n\
    [Event \"B\"]\n[WhiteElo \"2853\"]\n[BlackElo \"2772\"]\n\n1. Nf3 Nc6 2. e4 e5 3. Bb5 *\n\n\
    [Event \"C\"]\n\n*\n\n[Event \"D\"]\n\n1. e4 c5 (1... e5 2. Nf3 Nc6) 2. Nf3 d6 0-1\n";

/// The texts of the games of the project, each game several times, so that values are equal.
static GAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/games");
    let read = |name: &str| {
        let path = folder.join(format!("{name}.pgn"));
        std::fs::read_to_string(path).expect("games")
    };
    let all = FILES.map(read).concat() + MORE_GAMES;

    // What is before the first tag is no game.
    let games = all.split("[Event ").skip(1);
    games.map(|game| format!("[Event {game}\n")).collect()
});

/// A database of some games.
fn imported(folder: &TempDir, name: &str, games: &[String]) -> PathBuf {
    let pgn = folder.path().join(format!("{name}.pgn"));
    std::fs::write(&pgn, games.concat()).expect("a file");

    let path = folder.path().join(format!("{name}.db"));
    let mut database = Database::open_or_create(&path).expect("a database");
    let options = ImportOptions::default();
    import(&mut database, [pgn], options, |_| {}).expect("an import");

    // Each text is one game, or the parts would not add up to the whole.
    let count = database.count_games().expect("a number");
    assert_eq!(count, games.len() as u64);

    path
}

/// One database of all games, and several databases that each have a part of the games.
struct Split {
    _folder: TempDir,
    whole: Databases,
    parts: Databases,
    /// The number of games before each part.
    before: Vec<i64>,
    paths: [Vec<PathBuf>; 2],
}

impl Split {
    /// Cuts the games behind these numbers.
    fn at(cuts: &[usize]) -> Split {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let whole = vec![imported(&folder, "whole", &GAMES)];
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (GAMES.len() + 1)).collect();

        ends.push(GAMES.len());
        ends.sort_unstable();

        let mut start = 0;
        let mut before = Vec::new();
        let mut parts = Vec::new();

        for (number, end) in ends.into_iter().enumerate() {
            let name = format!("part-{number}");
            before.push(start as i64);
            parts.push(imported(&folder, &name, &GAMES[start..end]));
            start = end;
        }

        let open = |paths: &[PathBuf]| Databases::open(paths).expect("databases");
        Split {
            _folder: folder,
            whole: open(&whole),
            parts: open(&parts),
            before,
            paths: [whole, parts],
        }
    }

    /// The number that a game of a part has in the whole database.
    fn number(&self, game: GameOfDatabase) -> i64 {
        self.before[game.database] + game.game.get()
    }

    fn check(&mut self, query: &Query) {
        assert_eq!(
            count(&mut self.parts, query),
            count(&mut self.whole, query),
            "{query:?}"
        );

        // Hits of parts, with the numbers that their games have in the whole.
        let mut numbered: Vec<(i64, Hit)> = Vec::new();
        for (database, hit) in hits(&mut self.parts, query) {
            let game = hit.game;
            let number = self.number(GameOfDatabase { database, game });

            let renumbered = Hit {
                game: GameId::new(number),
                ..hit
            };
            numbered.push((number, renumbered));
        }

        let expected = self.plain_hits(query);
        assert_eq!(numbered, expected, "{query:?}");

        let moves = moves(&mut self.parts, query);
        assert_eq!(moves, self.plain_moves(query), "{query:?}");

        let games = notable_games(&mut self.parts, query);
        let found = in_numbers(&games, |game| self.number(*game));
        assert_eq!(found, self.plain_notable_games(query), "{query:?}");
    }

    /// The hits of the whole database, by a query of a single database.
    fn plain_hits(&self, query: &Query) -> Vec<(i64, Hit)> {
        let database = self.whole.iter().next().expect("a database");
        let mut results = database.query(query).expect("a plan");

        let mut hits = Vec::new();
        for hit in results.hits().expect("hits") {
            let hit = hit.expect("a hit");
            hits.push((hit.game.get(), hit));
        }

        hits
    }

    fn plain_moves(&self, query: &Query) -> (Vec<MoveCount>, Vec<(Vec<String>, MoveCount)>) {
        let database = self.whole.iter().next().expect("a database");
        let mut results = database.query(query).expect("a plan");
        let moves = results.moves().expect("moves");

        let mut tree = Vec::new();
        for played in results.move_tree(3, Some(2)).expect("a tree") {
            let played = played.expect("a move");
            tree.push((played.line, played.counted));
        }

        (moves, tree)
    }

    fn plain_notable_games(&self, query: &Query) -> Vec<Option<i64>> {
        let database = self.whole.iter().next().expect("a database");
        let mut results = database.query(query).expect("a plan");

        let moves = results.moves().expect("moves");
        let games = results.notable_games(&moves).expect("games");
        in_numbers(&games, |game| game.get())
    }
}

fn count(databases: &mut Databases, query: &Query) -> u64 {
    databases
        .query(query, Watch::new(), |results| results.count())
        .expect("a count")
}

fn hits(databases: &mut Databases, query: &Query) -> Vec<(usize, Hit)> {
    let all = databases.query(query, Watch::new(), |results| {
        results
            .hits(|_, hits| Ok(hits))
            .collect::<Result<Vec<_>, Error>>()
    });
    all.expect("hits")
}

fn moves(
    databases: &mut Databases,
    query: &Query,
) -> (Vec<MoveCount>, Vec<(Vec<String>, MoveCount)>) {
    let found = databases.query(query, Watch::new(), |results| {
        let moves = results.moves()?;
        let mut tree = Vec::new();
        for played in results.move_tree(3, Some(2))? {
            let played = played?;
            tree.push((played.line, played.counted));
        }

        Ok((moves, tree))
    });
    found.expect("moves")
}

fn notable_games(databases: &mut Databases, query: &Query) -> NotableGames<GameOfDatabase> {
    let found = databases.query(query, Watch::new(), |results| {
        let moves = results.moves()?;
        results.notable_games(&moves)
    });
    found.expect("games")
}

/// The notable games in one list, by their numbers in the whole database.
fn in_numbers<G>(games: &NotableGames<G>, number: impl Fn(&G) -> i64) -> Vec<Option<i64>> {
    let mut numbers = Vec::new();
    for games in &games.moves {
        let first = games.first.as_ref();
        numbers.push(first.map(|first| number(&first.game)));
        numbers.push(games.best.as_ref().map(&number));
    }

    for game in &games.best {
        numbers.push(Some(number(game)));
    }

    numbers
}

fn pattern(material: &str) -> PositionQuery {
    let material = Some(Material::parse(material).expect("material"));
    PositionQuery::new(&PositionParts {
        material,
        ..PositionParts::default()
    })
}

fn board(pattern: &str) -> PositionQuery {
    let board = BoardPattern::parse(pattern).expect("a board");
    PositionQuery::new(&PositionParts {
        pattern: Some(board),
        ..PositionParts::default()
    })
}

fn queries() -> Vec<Query> {
    let place = |moves: &str| Query::new().position(moves).expect("moves");
    let filter = |filter: Filter| Query::new().filter(filter);
    let rated = || Filter {
        elo: Some((2500..).into()),
        ..Filter::default()
    };

    let player = || Filter {
        players: vec!["fischer".into()],
        ..Filter::default()
    };

    let tagged = || Filter {
        tags: vec!["Result=1-0".parse().expect("a tag")],
        ..Filter::default()
    };

    let condition = || Filter {
        condition: Some("white_elo % 2 = 1 OR result = '1-0'".to_owned()),
        ..Filter::default()
    };

    vec![
        Query::new(),
        place("1. e4 e5 2. Nf3 Nc6"),
        place("1. d4 Nf6 2. c4 e6"),
        place("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"),
        place("8/8/8/8/8/8/k1K5/8 w - - 0 1"),
        filter(rated()),
        filter(player()),
        filter(tagged()),
        filter(condition()),
        place("1. e4 e5").filter(rated()),
        place("1. e4").filter(condition()),
        place("1. e4 e5 2. Nf3").pattern(pattern("Q=0 q=0")),
        Query::new().pattern(pattern("Q=0 q=0 R=0 r=0")),
        Query::new()
            .pattern(board("*/*/*/*/???PP"))
            .filter(player()),
    ]
}

/// The same queries in all orders and with limits.
fn all_queries() -> Vec<Query> {
    const ORDERS: [&str; 10] = [
        "id", "-id", "date", "-date", "elo", "-elo", "plies", "-plies", "result", "-result",
    ];

    let mut ordered: Vec<Query> = Vec::new();
    for query in queries() {
        for order in ORDERS {
            let order: SortOrder = order.parse().expect("an order");
            ordered.push(query.clone().order(order));
        }
    }

    // With limits, and then without one.
    let mut all: Vec<Query> = Vec::new();
    for (number, query) in ordered.iter().enumerate() {
        all.push(query.clone().limit(number % 9));
    }

    all.extend(ordered);
    all
}

#[test]
fn parts_answer_like_the_whole() {
    let mut split = Split::at(&[7, 40, 41, 100]);
    // 3 has no factor in common with the number of orders, so that each order comes.
    for query in all_queries().into_iter().step_by(fewer(3)) {
        split.check(&query);
    }
}

#[test]
fn lists_of_positions_are_answered_alike() {
    let split = Split::at(&[20, 50]);
    let [path_of_whole, paths_of_parts] = &split.paths;
    let whole = SearchPool::open(path_of_whole).expect("a pool");
    let parts = SearchPool::open(paths_of_parts).expect("pools");

    for moves in ["1. e4", "1. e4 e5 2. Nf3", "1. d4 Nf6", "1. a3 a6 2. h3"] {
        let positions = stamma::query::read_positions(moves, None).expect("moves");

        let found = parts.count(&positions).expect("a count");
        let expected = whole.count(&positions).expect("a count");
        assert_eq!(found, expected, "{moves}");
    }
}

/// A file may be given by two names.
#[test]
#[cfg(unix)]
fn a_database_counts_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = imported(&folder, "games", &GAMES[..3]);
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).expect("a link");

    for twice in [[&path, &path], [&path, &link]] {
        let [_, second] = twice;
        let refused = Databases::open(twice).expect_err("the same games");

        // The error has the name that was given, not the name behind a link.
        let is_named = matches!(&refused, Error::DatabaseTwice(named) if named == second);
        assert!(is_named, "{refused}");

        let pool = SearchPool::open(twice);
        assert!(pool.is_err(), "{second:?} is the same file");
    }
}

#[test]
fn progress_and_cancellation_are_those_of_one() {
    let mut split = Split::at(&[30, 60]);
    let query = Query::new().pattern(pattern("Q=0 q=0"));
    let calls = std::cell::Cell::new(0);
    let is_cancelled = || {
        calls.set(calls.get() + 1);
        calls.get() > 3
    };

    let watch = Watch::new().cancel_when(&is_cancelled);
    let refused = split.parts.query(&query, watch, |results| results.count());
    assert!(matches!(refused, Err(Error::Interrupted)), "{refused:?}");

    // The databases answer the next query.
    let of_parts = count(&mut split.parts, &query);
    let of_whole = count(&mut split.whole, &query);
    assert_eq!(of_parts, of_whole);

    let last = std::cell::Cell::new((0, 0));
    let show = |replayed, all| last.set((replayed, all));
    let watch = Watch::new().progress(&show);

    split
        .parts
        .query(&query, watch, |results| results.count())
        .expect("a count");
    let (replayed, all) = last.get();

    assert!(replayed == all && all > 0, "{replayed} of {all}");
}

/// A query on a thread of the pool must not wait for that thread.
#[test]
fn the_pool_may_have_one_thread_that_asks() {
    let mut split = Split::at(&[30]);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool");

    let query = Query::new().pattern(pattern("Q=0 q=0"));
    let expected = count(&mut split.whole, &query);
    let found = pool.install(|| count(&mut split.parts, &query));
    assert_eq!(found, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8 / fewer(2) as u32, ..ProptestConfig::default() })]

    /// Any cuts of the games, also into databases without games.
    #[test]
    fn any_split_answers_like_the_whole(cuts in prop::collection::vec(0..200usize, 0..6)) {
        let mut split = Split::at(&cuts);
        for query in all_queries().into_iter().step_by(7) {
            split.check(&query);
        }
    }
}

/// Many games, whose lists of hits are passed on in many chunks.
#[test]
fn large_parts_answer_like_the_whole() {
    let Some(games) = corpus::games("archive-10k.pgn") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = imported(&folder, "whole", &games);
    let third = games.len() / 3;

    // A large part, a small one, and a large one.
    let cut = [
        &games[..third],
        &games[third..third + 11],
        &games[third + 11..],
    ];

    let mut parts = Vec::new();
    for (number, games) in cut.into_iter().enumerate() {
        parts.push(imported(&folder, &format!("part-{number}"), games));
    }

    let open = |paths: &[PathBuf]| Databases::open(paths).expect("databases");
    let whole = vec![whole];
    let mut split = Split {
        _folder: folder,
        whole: open(&whole),
        parts: open(&parts),
        before: vec![0, third as i64, third as i64 + 11],
        paths: [whole, parts],
    };

    // Every third query, as each of them looks at ten thousand games.
    for query in all_queries().into_iter().step_by(3) {
        split.check(&query);
    }
}
