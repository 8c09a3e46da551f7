//! `Database::query`: combination of positions, patterns and filters, laziness, progress, and cancellation.

use std::cell::Cell;

use crate::support::program::games;
use stamma::game::Ply;
use stamma::import::{ImportOptions, import};
use stamma::query::{Hit, Material, PositionParts, PositionQuery, Watch};
use stamma::storage::GameId;
use stamma::{Database, Error, Filter, Query, SortKey};
use tempfile::TempDir;

const SPANISH: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5";

/// A database of the games of `tests/data`.
fn database() -> (TempDir, Database) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut database =
        Database::open_or_create(folder.path().join("games.db")).expect("a database");

    let files = [
        "early",
        "classical",
        "modern",
        "today",
        "chess960",
        "from-position",
    ];

    let files = files.map(|name| games().join(format!("{name}.pgn")));
    import(&mut database, files, ImportOptions::default(), |_| {}).expect("an import");
    (folder, database)
}

fn material(text: &str) -> PositionQuery {
    let material = Some(Material::parse(text).expect("material"));
    PositionQuery::new(&PositionParts {
        material,
        ..PositionParts::default()
    })
}

fn hits(database: &Database, query: &Query) -> Vec<Hit> {
    let mut results = database.query(query).expect("a plan");
    results
        .hits()
        .expect("hits")
        .collect::<Result<_, _>>()
        .expect("hits")
}

fn ids(range: std::ops::RangeInclusive<i64>) -> std::ops::RangeInclusive<GameId> {
    GameId::new(*range.start())..=GameId::new(*range.end())
}

fn game_ids(hits: &[Hit]) -> Vec<i64> {
    hits.iter().map(|hit| hit.game.get()).collect()
}

/// Hits, numbers, counts and sets agree under every plan.
#[test]
fn hits_numbers_counts_and_sets_agree() {
    let (_folder, database) = database();
    let spanish = || Query::new().position(SPANISH).expect("moves");
    let rated = Filter {
        elo: Some((2600..).into()),
        ..Filter::default()
    };

    let tagged = Filter {
        tags: vec!["Result=1-0".parse().expect("a tag")],
        ..Filter::default()
    };

    // All games, postings, sorted columns, filters, patterns, and nothing at all.
    let queries = [
        (Query::new(), 111),
        (spanish(), 11),
        (spanish().order(SortKey::Date), 11),
        (spanish().filter(rated), 5),
        (spanish().filter(tagged.clone()), 10),
        (spanish().pattern(material("Q=0 q=0")), 5),
        (
            Query::new()
                .filter(tagged.clone())
                .games([1..=20, 30..=40].map(ids)),
            19,
        ),
        (Query::new().pattern(material("Q=0 q=0")).filter(tagged), 18),
        (
            Query::new()
                .pattern(material("Q=0 q=0"))
                .order(SortKey::Elo.reversed()),
            32,
        ),
        (spanish().games([]), 0),
        (Query::new().positions([]), 0),
    ];

    for (query, expected) in queries {
        let found = game_ids(&hits(&database, &query));
        assert_eq!(found.len(), expected, "{query:?}");

        let mut results = database.query(&query).expect("a plan");
        let numbers: Result<Vec<GameId>, _> = results.numbers().expect("numbers").collect();
        let numbers = numbers.expect("numbers").into_iter().map(GameId::get);
        assert_eq!(numbers.collect::<Vec<i64>>(), found, "{query:?}");

        let count = results.count().expect("a count");
        assert_eq!(count, found.len() as u64, "{query:?}");

        // What has been counted still lists the same.
        let mut stored: Vec<i64> = Vec::new();
        for game in results.games().expect("games") {
            let (id, _) = game.expect("a game");
            stored.push(id.get());
        }
        assert_eq!(stored, found);

        // A set has no order but the one of the numbers.
        let mut sorted = found.clone();
        sorted.sort_unstable();

        let set = results.into_games().expect("a set");
        assert!(set.iter().map(GameId::get).eq(sorted), "{query:?}");
    }
}

#[test]
fn a_limit_takes_the_first_and_counts_all() {
    let (_folder, database) = database();
    let queries = [
        Query::new().position(SPANISH).expect("moves"),
        Query::new()
            .position(SPANISH)
            .expect("moves")
            .order(SortKey::Date.reversed()),
        Query::new().pattern(material("Q=0 q=0")),
        Query::new()
            .pattern(material("Q=0 q=0"))
            .order(SortKey::Plies),
    ];

    for query in queries {
        let all = hits(&database, &query);
        let limited = query.limit(2);
        assert_eq!(hits(&database, &limited), all[..2]);

        let mut results = database.query(&limited).expect("a plan");
        assert_eq!(results.count().expect("a count"), all.len() as u64);
        assert_eq!(results.hits().expect("hits").count(), 2);
        assert_eq!(results.into_games().expect("a set").len(), all.len() as u64);
    }
}

#[test]
fn results_have_an_order() {
    let (_folder, database) = database();
    let listed = |results: [&str; 4]| -> Vec<i64> {
        let mut listed = Vec::new();
        for result in results {
            let filter = Filter {
                tags: vec![format!("Result={result}").parse().expect("a tag")],
                ..Filter::default()
            };
            listed.extend(game_ids(&hits(&database, &Query::new().filter(filter))));
        }

        listed
    };
    let ascending = listed(["1-0", "1/2-1/2", "0-1", "*"]);
    assert_eq!(ascending.len(), 111);

    let query = Query::new().order(SortKey::Result);
    assert_eq!(game_ids(&hits(&database, &query)), ascending);

    // Games without a result are last in both directions.
    let descending = listed(["0-1", "1/2-1/2", "1-0", "*"]);
    let query = Query::new().order(SortKey::Result.reversed());
    assert_eq!(game_ids(&hits(&database, &query)), descending);
}

/// A hit has the half-move of the pattern, or without a pattern the half-move of the position.
#[test]
fn hits_have_places() {
    let (_folder, database) = database();
    let spanish = Query::new().position(SPANISH).expect("moves");
    for hit in hits(&database, &spanish) {
        assert_eq!(hit.ply, Some(Ply::new(5)));
        assert!(hit.next.is_some());
    }

    let both = spanish.clone().pattern(material("Q=0 q=0"));
    for hit in hits(&database, &both) {
        assert!(hit.ply > Some(Ply::new(5)));
    }

    let all = Query::new().limit(3);
    for hit in hits(&database, &all) {
        assert!(hit.ply.is_none());
    }
}

/// Moves are counted in the matching games only.
#[test]
fn moves_are_counted_of_the_games_of_the_query() {
    let (_folder, database) = database();
    let games_of_moves = |query: &Query| -> u64 {
        let mut results = database.query(query).expect("a plan");
        let moves = results.moves().expect("moves");
        moves.iter().map(|played| played.counts.all_games()).sum()
    };

    // A position, some of the games that reach it, and those with a pattern.
    let spanish = Query::new().position(SPANISH).expect("moves");
    assert_eq!(games_of_moves(&spanish), 11);

    let of_some = spanish.clone().games([ids(1..=60)]);
    let hits = hits(&database, &of_some);
    assert_eq!(games_of_moves(&of_some), hits.len() as u64);

    let with_pattern = spanish.pattern(material("Q=0 q=0"));
    assert_eq!(games_of_moves(&with_pattern), 5);

    // Without positions it is the start.
    let start = Query::new().position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let start = start.expect("a FEN");
    assert_eq!(games_of_moves(&Query::new()), games_of_moves(&start));
}

/// The first hit needs no replay of all games.
#[test]
fn games_are_looked_at_as_they_are_asked_for() {
    let mut games = String::new();
    for number in 0..3000 {
        games += &format!("[Round \"{number}\"]\n\n1. e4 e5 2. Nf3 *\n\n");
    }

    let folder = tempfile::tempdir().expect("a temporary folder");
    let pgn = folder.path().join("many.pgn");
    std::fs::write(&pgn, games).expect("a file");

    let path = folder.path().join("games.db");
    let mut database = Database::open_or_create(path).expect("a database");
    let options = ImportOptions::default();
    import(&mut database, [pgn], options, |_| {}).expect("an import");

    // The watch notes how many games have been looked at.
    let replayed = Cell::new((0, 0));
    let note = |games, all| replayed.set((games, all));
    let watch = Watch::new().progress(&note);
    let query = Query::new().pattern(material("P=8"));
    let mut results = database.query_watched(&query, watch).expect("a plan");
    let mut hits = results.hits().expect("hits");

    let first = hits.next().expect("a hit").expect("a hit");
    assert_eq!(first.game, GameId::new(1));

    // One batch of games has been replayed for it.
    let (games, all) = replayed.get();
    assert!((1..=1000).contains(&games), "{replayed:?}");
    assert_eq!(all, 3000);

    // The others are replayed for the rest of the hits.
    assert_eq!(hits.count(), 2999);
    assert_eq!(replayed.get(), (3000, 3000));
}

#[test]
fn a_query_is_cancelled() {
    let (_folder, database) = database();

    // Answers `true` after a number of looks.
    let left = Cell::new(0);
    let is_over = || {
        left.set(left.get() - 1);
        left.get() < 0
    };
    let watch = Watch::new().cancel_when(&is_over);
    let pattern = Query::new()
        .pattern(material("Q=0 q=0"))
        .position(SPANISH)
        .expect("moves");

    let tagged = Filter {
        tags: vec!["Result=1-0".parse().expect("a tag")],
        ..Filter::default()
    };

    for query in [Query::new(), pattern, Query::new().filter(tagged)] {
        left.set(i32::MAX);
        let count = || -> Result<u64, Error> {
            let mut results = database.query_watched(&query, watch)?;
            results.count()
        };
        let list = || -> Result<Vec<Hit>, Error> {
            let mut results = database.query_watched(&query, watch)?;
            let hits = results.hits()?;
            hits.collect()
        };

        let all = count().expect("a count");
        let looks = i32::MAX - left.get();
        assert!(looks > 1 && all > 0);

        // Cancelled at each look at the watch.
        for look in 0..looks {
            left.set(look);
            let count = count();
            assert!(
                matches!(count, Err(Error::Interrupted)),
                "{look}: {count:?}"
            );
        }

        left.set(2);
        let listed = list();
        assert!(matches!(listed, Err(Error::Interrupted)), "{listed:?}");
    }
}

/// A statement of SQLite that runs too long is interrupted by its handle.
#[test]
fn an_interrupted_statement_is_no_damage() {
    let (_folder, database) = database();
    let endless = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n) > 0";
    let filter = Filter {
        condition: Some(endless.to_owned()),
        ..Filter::default()
    };

    let handle = database.connection().get_interrupt_handle();
    let is_over = std::sync::atomic::AtomicBool::new(false);

    let counted = std::thread::scope(|threads| {
        // Again and again, as an interruption before the statement begins has no effect.
        threads.spawn(|| {
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                handle.interrupt();
                std::thread::yield_now();
            }
        });

        let query = Query::new().filter(filter);
        let counted = database.query(&query).and_then(|mut all| all.count());
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);

        counted
    });

    assert!(matches!(counted, Err(Error::Interrupted)), "{counted:?}");
}
