//! Repertoires, novelties and preparations end soon when they are cancelled, and tell how far they are.

use std::cell::Cell;

use stamma::board::Color;
use stamma::import::{ImportOptions, import};
use stamma::query::{NameQuery, Watch};
use stamma::study::novelty::{Novelties, NoveltyQuery};
use stamma::study::preparation::{Preparation, PreparationQuery};
use stamma::study::repertoire::{
    RepertoireHits, RepertoireQuery, RepertoireReader, RepertoireStrategy,
};
use stamma::{Database, Error, Filter, Result};
use tempfile::TempDir;

use crate::support::long_line::long_line;

const PLIES: usize = 90;
const GAMES: usize = 1200;
/// The number of Anna's games.
const CHOSEN: usize = 24;

/// Games with the same moves. The first games are Anna's, all others are Bert's.
fn database() -> (TempDir, Database) {
    let line = long_line(PLIES);
    let mut games = String::new();
    for number in 0..GAMES {
        let name = if number < CHOSEN { "Anna" } else { "Bert" };
        games += &format!("[White \"{name}\"]\n\n{line} *\n\n");
    }

    let folder = tempfile::tempdir().expect("a temporary folder");
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, games).expect("a file");

    let path = folder.path().join("games.db");
    let mut database = Database::open_or_create(path).expect("a database");
    let options = ImportOptions::default();
    import(&mut database, [pgn], options, |_| {}).expect("an import");

    (folder, database)
}

/// The number of looks at the watch, and the progress at the end. Asserts that the query is interrupted at some of the
/// looks.
fn looks<T>(query: impl Fn(&Watch<'_>) -> Result<T>) -> (usize, u64) {
    let left = Cell::new(usize::MAX);
    let is_cancelled = || {
        left.set(left.get().saturating_sub(1));
        left.get() == 0
    };

    let done = Cell::new(0);
    let progress = |replayed, all| {
        let is_advance = done.get() <= replayed && replayed <= all;
        assert!(is_advance, "{replayed} of {all}");
        done.set(replayed);
    };

    // A run to the end counts the looks.
    let watch = Watch::new().cancel_when(&is_cancelled).progress(&progress);
    query(&watch).map(drop).expect("an answer");
    let looks = usize::MAX - left.get();
    let all = done.get();

    for look in [1, 2, looks / 2, looks - 1, looks] {
        left.set(look);
        done.set(0);

        let interrupted = query(&watch).map(drop);
        assert!(
            matches!(interrupted, Err(Error::Interrupted)),
            "{look}: {interrupted:?}"
        );
    }

    (looks, all)
}

#[test]
fn repertoires_look_at_the_watch_every_few_positions_and_games() {
    let (_folder, database) = database();
    let mut reader = RepertoireReader::new();
    reader.read("mine.pgn", &format!("{} *", long_line(PLIES)));

    let repertoire = reader.finish(Some(Color::White)).expect("a repertoire");
    let positions = repertoire.positions().len();

    let query = |strategy| RepertoireQuery {
        strategy,
        whole: true,
        ..RepertoireQuery::default()
    };

    for (strategy, items) in [
        (RepertoireStrategy::Lists, positions),
        (RepertoireStrategy::Replay, GAMES),
    ] {
        let read = |watch: &Watch<'_>| {
            RepertoireHits::read(&database, &repertoire, &query(strategy), watch)
        };
        let (looks, done) = looks(read);
        assert!(
            looks >= items / 8 && done >= items as u64,
            "{strategy:?}: {looks}, {done}"
        );
    }
}

#[test]
fn novelties_look_at_the_watch_every_few_games() {
    let (_folder, database) = database();
    let of_anna = Filter {
        white: vec![NameQuery::from("Anna")],
        ..Filter::default()
    };

    for (filter, fewest) in [(of_anna, CHOSEN / 2), (Filter::default(), 3)] {
        let query = NoveltyQuery {
            filter,
            ..NoveltyQuery::default()
        };
        let (looks, done) = looks(|watch| Novelties::read(&database, &query, watch));
        assert!(looks >= fewest && done >= CHOSEN as u64, "{looks}, {done}");
    }
}

#[test]
fn preparations_look_at_the_watch() {
    let (_folder, database) = database();
    let mut reader = RepertoireReader::new();
    reader.read(
        "mine.pgn",
        &format!("{} *\n\ne4 e5 Nf3 *\n\nc4 c5 *", long_line(PLIES)),
    );

    let repertoire = reader.finish(Some(Color::Black)).expect("a repertoire");
    let query = PreparationQuery {
        repertoire: Some(repertoire),
        ..PreparationQuery::new(NameQuery::from("Anna"), Color::Black)
    };

    let (looks, done) = looks(|watch| Preparation::read(&[&database], &query, watch));
    assert!(looks > 24 && done > 0, "{looks}, {done}");
}
