//! Opening books, compared with a plain implementation and as python-chess reads them.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::process::Command;

use crate::support::corpus;
use crate::support::program::{Workplace, games, stderr_of};
use crate::support::start_position::start_position;
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position as _};

/// Key, move, weight.
type Entry = (u64, u16, u16);

/// The order of a book: by position, the moves of greatest weight first.
fn order((key, mv, weight): Entry) -> (u64, u16, u16) {
    (key, u16::MAX - weight, mv)
}

/// The entries of a book, which must be in order.
fn entries(work: &Workplace, name: &str) -> Vec<Entry> {
    const ENTRY_BYTES: usize = 16;

    let book = fs::read(work.path(name)).expect("a book");
    assert_eq!(book.len() % ENTRY_BYTES, 0);

    let mut entries: Vec<Entry> = Vec::new();
    for entry in book.chunks(ENTRY_BYTES) {
        let key = u64::from_be_bytes(entry[..8].try_into().expect("eight bytes"));
        let mv = u16::from_be_bytes([entry[8], entry[9]]);
        let weight = u16::from_be_bytes([entry[10], entry[11]]);
        entries.push((key, mv, weight));

        // What a program has learned about the move, which Stamma does not write.
        let learn = &entry[12..];
        assert_eq!(learn, [0; 4]);
    }

    assert!(entries.is_sorted_by_key(|&entry| order(entry)));

    entries
}

/// The expected entries, from shakmaty and a table of all moves.
#[derive(Default)]
struct Twin {
    max_ply: usize,
    /// Games and points by position and move.
    moves: BTreeMap<(u64, u16), (u64, u64)>,
}

/// A game of the plain implementation.
struct Game {
    position: Chess,
    result: String,
    ply: usize,
    seen: HashSet<u64>,
}

impl Twin {
    fn read(&mut self, pgn: &[u8]) {
        Reader::new(pgn).visit_all_games(self).expect("games");
    }

    fn entries(&self, min_games: u64) -> Vec<Entry> {
        let kept = self
            .moves
            .iter()
            .filter(|(_, (games, points))| *games >= min_games && *points > 0);
        let mut entries: Vec<Entry> = kept
            .map(|(&(key, mv), &(_, points))| (key, mv, points as u16))
            .collect();
        entries.sort_by_key(|&entry| order(entry));
        entries
    }
}

/// A move in 15 bits: the squares from and to, and the piece of a promotion.
fn code(mv: Move) -> u16 {
    // The format writes castling as king takes rook.
    let (from, to) = match mv {
        Move::Castle { king, rook } => (king, rook),
        _ => (mv.from().expect("no drops"), mv.to()),
    };

    // A knight is 1 and a queen 4; shakmaty's pawn is 1.
    let promotion = match mv.promotion() {
        Some(role) => role as u16 - 1,
        None => 0,
    };

    (promotion << 12) | ((from as u16) << 6) | to as u16
}

impl Visitor for Twin {
    type Tags = (Option<String>, String);
    type Movetext = Game;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Self::Tags> {
        ControlFlow::Continue((None, String::new()))
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            // Atomic chess is the only other variant in the archive.
            b"Variant" if value == "Atomic" => return ControlFlow::Break(()),
            b"FEN" => tags.0 = Some(value),
            b"Result" => tags.1 = value,
            _ => {}
        }

        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (fen, result): Self::Tags) -> ControlFlow<(), Game> {
        ControlFlow::Continue(Game {
            position: start_position(fen.as_deref()),
            result,
            ply: 0,
            seen: HashSet::new(),
        })
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<()> {
        let mv = san.san.to_move(&game.position).expect("a legal move");
        let Zobrist64(key) = game.position.zobrist_hash(EnPassantMode::PseudoLegal);

        if game.ply < self.max_ply && game.seen.insert(key) {
            // A win counts 2, so that a draw has a whole number.
            let points = match (game.result.as_str(), game.position.turn()) {
                ("1-0", Color::White) | ("0-1", Color::Black) => 2,
                ("1/2-1/2", _) => 1,
                _ => 0,
            };
            let (games, sum) = self.moves.entry((key, code(mv))).or_default();
            *games += 1;
            *sum += points;
        }

        game.ply += 1;
        game.position.play_unchecked(mv);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _game: &mut Game) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _game: Game) {}
}

#[test]
fn books_of_real_games_are_those_of_a_plain_twin() {
    let work = Workplace::with_historical_games();

    for (max_ply, min_games, at_least) in [(40, 3, 80), (40, 1, 1900), (7, 2, 50), (999, 1, 3000)] {
        // The twin reads the files, not the database.
        let mut twin = Twin {
            max_ply,
            ..Twin::default()
        };
        for file in fs::read_dir(games()).expect("a folder") {
            let path = file.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "pgn") {
                twin.read(&fs::read(path).expect("games"));
            }
        }

        let options = format!("--max-ply {max_ply} --min-games {min_games}");
        let run = work
            .stamma(&format!("book games.db -o book.bin {options}"))
            .success();
        let found = entries(&work, "book.bin");

        assert_eq!(found, twin.entries(min_games), "{options}");
        assert!(
            found.len() >= at_least,
            "{options}: {} entries",
            found.len()
        );

        // The entries are sorted by their keys, so that the moves of a position stand together.
        let same_key = |one: &Entry, other: &Entry| one.0 == other.0;
        let positions = with_comma(found.chunk_by(same_key).count());
        let moves = with_comma(found.len());

        assert_eq!(
            stderr_of(&run),
            format!("book.bin: {positions} positions, {moves} moves\n"),
            "{options}"
        );
    }
}

#[test]
fn books_of_an_archive_are_those_of_a_plain_twin() {
    let Some(pgn) = corpus::read("archive-10k.pgn") else {
        return;
    };
    let work = Workplace::new();
    work.import(&pgn);
    work.stamma("book games.db -o book.bin --max-ply 60 --min-games 1")
        .success();

    let mut twin = Twin {
        max_ply: 60,
        ..Twin::default()
    };
    twin.read(&pgn);
    assert!(entries(&work, "book.bin") == twin.entries(1));
}

/// A number below a million with a comma.
fn with_comma(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    }
}

/// Games with castling, a promotion, and a pinned pawn beside a double step.
const GAMES: &str = "\
[Event \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0\n\n\
[Event \"A\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 1/2-1/2\n\n\
[Event \"A\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 *\n\n\
[Event \"B\"]\n[Result \"0-1\"]\n[FEN \"8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kb3 0-1\n\n\
[Event \"C\"]\n[Result \"0-1\"]\n[FEN \"4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1\"]\n\n1... axb1=N 0-1\n";

/// Prints the moves that python-chess finds for FENs, the heaviest first.
const READER: &str = "
import sys
try:
    import chess.polyglot
except ImportError:
    sys.exit(3)
with chess.polyglot.open_reader(sys.argv[1]) as book:
    for fen in sys.argv[2:]:
        board = chess.Board(fen)
        print(*(f'{board.san(e.move)}:{e.weight}' for e in book.find_all(board)))
";

#[test]
fn python_chess_finds_the_same_moves() {
    const QUESTIONS: [(&str, &str); 5] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "e4:3",
        ),
        (
            "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
            "O-O:2 d3:1",
        ),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "Kb3:2"),
        ("4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1", "axb1=N:2"),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1", ""),
    ];

    let work = Workplace::new();
    work.import(GAMES);
    work.stamma("book games.db -o book.bin --min-games 1")
        .success();

    let mut python = Command::new("python3");
    python
        .args(["-c", READER])
        .arg(work.path("book.bin"))
        .args(QUESTIONS.map(|(fen, _)| fen));

    let Some(answer) = python
        .output()
        .ok()
        .filter(|answer| answer.status.code() != Some(3))
    else {
        let _ = writeln!(
            io::stderr(),
            "skipped: there is no python3 with the package chess"
        );
        return;
    };

    let said = String::from_utf8_lossy(&answer.stderr);
    assert!(answer.status.success(), "{said}");

    let found = String::from_utf8(answer.stdout).expect("UTF-8");
    assert_eq!(
        found.lines().collect::<Vec<&str>>(),
        QUESTIONS.map(|(_, moves)| moves)
    );
}

#[test]
fn books_of_some_games_have_their_moves_alone() {
    let work = Workplace::new();
    let game = |white: &str, moves: &str| {
        format!("[Event \"E\"]\n[White \"{white}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n")
    };
    work.import(game("Anna", "1. d4 d5") + &game("Bert", "1. e4 e5") + &game("Anna", "1. d4 Nf6"));

    let book = |options: &str| {
        let run = work.stamma(&format!(
            "book games.db -o book.bin --min-games 1 {options}"
        ));
        stderr_of(&run.success())
    };

    assert_eq!(book(""), "book.bin: 1 position, 2 moves\n");

    const NAMED: &str =
        "moves of the named players only; --both-sides includes the moves of their opponents\n";

    assert_eq!(
        book("--player anna"),
        format!("book.bin: 1 position, 1 move\n{NAMED}")
    );
    assert_eq!(
        entries(&work, "book.bin"),
        [(0x463b_9618_1691_fc9c, 0o1333, 4)]
    );
    assert_eq!(book("--moves-through d5"), "book.bin: 1 position, 1 move\n");
    assert_eq!(
        entries(&work, "book.bin"),
        [(0x463b_9618_1691_fc9c, 0o1333, 2)]
    );

    let said = format!("player \"nobody\" not found\nbook.bin: 0 positions, 0 moves\n{NAMED}");
    assert_eq!(book("--player nobody"), said);
}

#[test]
fn games_of_namesakes_are_not_counted() {
    let work = Workplace::new();
    let game = |white: &str, moves: &str| format!("[White \"{white}\"]\n\n{moves} 1-0\n\n");
    work.import(
        game("Kasparov, Garry", "1. d4 d5")
            + &game("Kasparov,G", "1. d4 e6")
            + &game("Kasparov, Sergey", "1. e4 e5"),
    );

    let book = |player: &str| {
        let mut arguments = vec!["book", "games.db", "-o", "book.bin"];
        arguments.extend(["--min-games", "1", "--player", player]);

        let run = work.run(arguments);
        stderr_of(&run.success())
    };

    assert_eq!(
        book("kasparov"),
        "book.bin: 1 position, 1 move\n\
         moves of the named players only; --both-sides includes the moves of their opponents\n\
         not counted, 1 other player: Kasparov, Sergey (1)\n"
    );
    // 1. d4 in the start position, with two points for each of two wins.
    assert_eq!(
        entries(&work, "book.bin"),
        [(0x463b_9618_1691_fc9c, 0o1333, 4)]
    );
    assert!(book("sergey kasparov").starts_with("book.bin: 1 position, 1 move\n"));
}

#[test]
fn games_by_other_rules_and_deleted_games_are_left_out() {
    let work = Workplace::new();
    work.import(
        "[Event \"A\"]\n[Variant \"Three-check\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
         [Event \"B\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n\n[Event \"C\"]\n[Result \"1-0\"]\n\n1. c4 1-0\n",
    );
    work.stamma("delete games.db --games 3 --yes").success();

    let run = work
        .stamma("book games.db -o book.bin --min-games 1")
        .success();
    assert_eq!(stderr_of(&run), "book.bin: 1 position, 1 move\n");
    assert_eq!(
        entries(&work, "book.bin"),
        [(0x463b_9618_1691_fc9c, 0o1333, 2)]
    );
}

#[test]
fn a_book_is_never_written_over_the_database() {
    let work = Workplace::new();
    work.import(GAMES);
    let run = work.stamma("book games.db -o games.db").code(2);
    let expected = "stamma: games.db: this is the database itself; choose another file\n";
    assert_eq!(stderr_of(&run), expected);
    assert_eq!(work.query("SELECT count(*) FROM game"), "5");
}

#[test]
fn changed_moves_are_followed_as_far_as_they_go() {
    let work = Workplace::new();
    work.import(GAMES);
    work.stamma("book games.db -o all.bin --min-games 1 --max-ply 1")
        .success();

    let database = rusqlite::Connection::open(work.path("games.db")).expect("a database");
    database
        .execute_batch("UPDATE movetext SET moves = moves || ' nonsense'")
        .expect("SQL");
    work.stamma("book games.db -o again.bin --min-games 1 --max-ply 1")
        .success();

    let read = |name| std::fs::read(work.path(name)).expect("a book");
    assert_eq!(read("all.bin"), read("again.bin"));
}

/// A book for playing like somebody has the moves of that player, unless both sides are asked for.
#[test]
fn the_book_of_a_player() {
    let work = Workplace::new();
    work.import(
        "[White \"Tal, M\"]\n[Black \"Berg\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
         [White \"Lund\"]\n[Black \"Tal, M\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n\
         [White \"Lund\"]\n[Black \"Berg\"]\n[Result \"1/2-1/2\"]\n\n1. c4 c5 1/2-1/2\n\n",
    );

    for (options, moves) in [
        ("--player tal", 3),
        ("--player tal --both-sides", 4),
        ("--white tal", 2),
        ("--black tal", 1),
        ("--player tal --player lund", 2),
        ("", 6),
    ] {
        work.stamma(&format!(
            "book games.db -o book.bin --min-games 1 {options}"
        ))
        .success();
        assert_eq!(entries(&work, "book.bin").len(), moves, "{options}");
    }
}
