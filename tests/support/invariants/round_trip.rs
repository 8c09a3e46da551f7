//! Games written from any bytes are read back unchanged, and writing them again changes no byte.

use std::path::Path;
use std::sync::LazyLock;

use stamma::convert::{self, OutputPart, convert};
use stamma::export::{write_pgn, write_replay};
use stamma::import::{ImportOptions, import};
use stamma::input::{Encoding, Input, decode};
use stamma::notation::Style;
use stamma::pgn::{Span, split, write_between};
use stamma::replay::{Readings, Replay};
use stamma::storage::{Database, GameId, GameReader, TextReader};

static READINGS: LazyLock<Readings> = LazyLock::new(Readings::default);

/// Checks any bytes.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold(bytes: &[u8]) {
    for span in split(bytes) {
        if let Span::Game(range) = span {
            let decoded = decode(&bytes[range], Encoding::UTF_8);
            assert_comes_back(decoded.text());
        }
    }
}

fn written(game: &Replay<'_>) -> String {
    let mut out = Vec::new();
    write_replay(game, &Style::pgn(), &mut out).expect("a replayed game");
    String::from_utf8(out).expect("UTF-8")
}

fn assert_comes_back(text: &str) {
    let first = READINGS.replay(text).replay;
    let out = written(&first);
    let spans: Vec<Span> = split(out.as_bytes()).collect();
    assert_eq!(
        spans,
        [Span::Game(0..out.len())],
        "one game is written as several:\n{out}"
    );

    let second = READINGS.replay(&out).replay;
    assert_eq!(written(&second), out);
    assert_eq!(second.game.moves, first.game.moves, "{out}");
    assert_eq!(second.moves_hash, first.moves_hash, "{out}");
    assert_eq!(second.game.result, first.game.result, "{out}");

    // Unreadable text has become a comment, and a game that is not played is mere text.
    if first.game.rest.is_none() && first.game.is_played {
        assert_eq!(second.game.annotations, first.game.annotations, "{out}");
    }
    for tag in &first.game.tags {
        assert!(second.game.tags.contains(tag), "{tag:?} is lost:\n{out}");
    }
}

/// Checks any bytes, too, in some milliseconds: an export from a database equals a conversion, and another import
/// does not change it.
///
/// # Panics
/// If the invariant is violated.
pub(crate) fn hold_through_database(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);

    let original = path("in.pgn");
    std::fs::write(&original, bytes).expect("a file");
    let first = exported(&original, &path("first.db"));
    let conversion = converted(&original);
    assert_eq!(first, conversion, "converted otherwise than exported");

    let export = path("first.pgn");
    std::fs::write(&export, &first).expect("a file");
    let second = exported(&export, &path("second.db"));
    assert_eq!(second, first);
}

fn exported(pgn: &Path, database: &Path) -> String {
    let mut database = Database::open_or_create(database).expect("a database");
    let sources = [pgn.to_owned()];
    let options = ImportOptions::default();
    import(&mut database, &sources, options, |_| ()).expect("an import");

    // Games, and the texts that stood between them in the file.
    let (first, last) = (GameId::new(1), GameId::new(i64::MAX));
    let mut out = Vec::new();
    let mut reader = GameReader::new(&database).expect("a database");
    let mut text_reader = TextReader::new(&database).expect("a database");
    let mut texts = text_reader.of_games(first, last).expect("texts");
    let mut write_texts = |before, out: &mut Vec<u8>| {
        while let Some(text) = texts.next_before(before).expect("a text") {
            write_between(&text, out);
        }
    };

    let result = reader.each(first, last, |id, game| {
        // The texts before this game.
        write_texts(id, &mut out);
        write_pgn(&game, &Style::pgn(), &mut out).expect("a stored game");
        Ok(())
    });
    result.expect("games");
    // The texts behind the last game.
    write_texts(last, &mut out);
    String::from_utf8(out).expect("UTF-8")
}

fn converted(pgn: &Path) -> String {
    let sources = [Input::file(pgn)];
    let options = convert::ConvertOptions {
        readings: READINGS.clone(),
        ..convert::ConvertOptions::default()
    };

    let mut out = Vec::new();
    let write = |part: OutputPart<'_>| {
        out.extend_from_slice(part.games());
        Ok(())
    };
    convert(&sources, &options, write, |_| Ok(()), |_| ()).expect("a conversion");
    String::from_utf8(out).expect("UTF-8")
}
