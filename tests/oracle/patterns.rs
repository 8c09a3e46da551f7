//! Pattern queries, compared with a look at every square of every position.

use crate::support::corpus::{self, fewer};
use crate::support::pattern_oracle::{PatternQuery, PlainGame};
use crate::support::program::{Workplace, games};
use crate::support::random::Random;
use proptest::prelude::*;
use rusqlite::Connection;
use stamma::board::Position;
use stamma::game::Ply;
use stamma::query::{Candidate, PatternHit, scan};
use stamma::replay::{Mainline, MaterialSignature, Placement, TrustedLine, replay};
use stamma::storage::GameId;

/// The number of random queries with a corpus.
const QUERIES: usize = 600;

fn replay_games(connection: &Connection) -> Vec<PlainGame> {
    let sql = "SELECT id, fen, moves, final_fen FROM games ORDER BY id";
    let mut select = connection.prepare(sql).expect("the view of a database");

    let mut rows = select.query([]).expect("rows");
    let mut games = Vec::new();
    while let Some(row) = rows.next().expect("a row") {
        let id = row.get(0).expect("a number");
        let fen = row.get(1).expect("a FEN or none");
        let moves = row.get(2).expect("moves");
        let final_fen = row.get(3).expect("a FEN");
        games.push(PlainGame::replay(id, fen, moves, final_fen));
    }
    games
}

/// Some of the games, with a part of what an index knows about them.
fn candidates(random: &mut Random, games: &[PlainGame]) -> Vec<Candidate> {
    let step = 1 + random.below(12);
    let chosen = games.iter().skip(random.below(step)).step_by(step);
    chosen
        .map(|game| Candidate {
            game: GameId::new(game.id),
            starts_from_standard: game.fen.is_none() && random.once_in(2),
            is_trusted: random.once_in(2),
        })
        .collect()
}

#[test]
fn answers_are_those_of_looking_at_each_square() {
    let work = Workplace::with_historical_games();
    let connection = Connection::open(work.path("games.db")).expect("the new database");
    let games = replay_games(&connection);
    let mut random = Random::new(11);
    let (mut found, mut ruled_out) = (0, 0);
    let queries = QUERIES / fewer(6);

    for _ in 0..queries {
        let query = PatternQuery::draw(&mut random, &games);
        let position_query = query.position_query();
        let mut expected = Vec::new();

        for game in &games {
            let moves = &game.moves;
            let fen = game.fen.as_deref();
            let first = game.first(&query);

            // Checked moves, and moves that an import has checked already.
            let line = Mainline::new(fen, moves).expect("a legal start");
            let found = position_query.first_in(line);
            assert_eq!(found.map(Ply::get), first, "{query:?} {moves}");

            let start = fen.map(|fen| Position::from_fen(fen).expect("a FEN"));
            let found = position_query.first_in_trusted(start.as_ref(), moves.as_bytes());
            assert_eq!(found.map(Ply::get), first, "{query:?} {moves}");

            // The material of start and end may exclude a game, but never a match.
            let material_signature = MaterialSignature::from_texts(fen, &game.final_fen, moves);
            let may_hold = position_query.may_hold(material_signature);
            assert!(may_hold || first.is_none(), "{query:?} {moves}");

            ruled_out += usize::from(!may_hold);
            expected.extend(first.map(|ply| PatternHit {
                game: GameId::new(game.id),
                ply: Ply::new(ply),
            }));
        }

        // A scan gets some of the games only, as after other filters, and may have a limit.
        found += expected.len();
        let chosen = candidates(&mut random, &games);
        expected.retain(|found| chosen.iter().any(|candidate| candidate.game == found.game));

        let limit = if random.once_in(2) {
            usize::MAX
        } else {
            random.below(8)
        };

        expected.truncate(limit);
        let mut looked_at = 0;

        let candidates = chosen.iter().copied();
        let answer = scan(&connection, &position_query, candidates, limit, |games| {
            looked_at = games;
        });
        assert_eq!(answer.expect("an answer"), expected, "{query:?}");

        // A scan ends early only when its limit is reached.
        let is_limited = expected.len() == limit;
        assert!(is_limited || looked_at == chosen.len() as u64);
    }

    // Queries without answers, and queries that no material excludes, would compare nothing.
    assert!(found > 10 * queries, "{found}");
    assert!(ruled_out > 10 * queries, "{ruled_out}");
}

/// Asserts that a trusted mainline has the positions of the checked mainline, and the material signature of its texts;
/// returns the number of half-moves.
fn assert_same(text: &str) -> u32 {
    let game = replay(text);
    if !game.game.is_played {
        return 0;
    }

    let fen = game.game.start.as_deref();
    let mut careful = Mainline::new(fen, &game.game.moves).expect("a legal start");
    let mut trusted = TrustedLine::new(game.start.as_ref(), game.game.moves.as_bytes());

    while let Some((san, mv)) = careful.next().expect("moves of chess") {
        careful.play(mv);

        let half_move = trusted.advance();
        let trusted_mv = half_move.map(|half_move| half_move.mv);
        assert_eq!(trusted_mv, Some(mv), "{san}: {text}");

        let placement = Placement::from(careful.position());
        assert_eq!(trusted.placement(), &placement, "{san}: {text}");
    }

    assert_eq!(trusted.advance(), None);
    assert_eq!(trusted.ply(), Ply::new(game.plies()));

    let material_signature = MaterialSignature::from_texts(fen, &game.last.fen(), &game.game.moves);
    let line = Mainline::new(fen, &game.game.moves).expect("a legal start");
    let expected = MaterialSignature::of_mainline(line);
    assert_eq!(material_signature, expected, "{text}");

    game.plies()
}

fn games_in(text: &str) -> Vec<&str> {
    let mut games = Vec::new();
    for span in stamma::pgn::split(text.as_bytes()) {
        if let stamma::pgn::Span::Game(range) = span {
            games.extend(text.get(range));
        }
    }

    games
}

#[test]
fn trusted_lines_are_those_of_history() {
    let mut plies = 0;
    for file in stamma::input::find_files(&games()).expect("the games are there") {
        let text = std::fs::read_to_string(file).expect("a text file");
        for game in games_in(&text) {
            plies += assert_same(game);
        }
    }
    assert_eq!(plies, 7_932);
}

macro_rules! trusted_lines {
    ($($(#[$attribute:meta])* $name:ident: $file:literal;)*) => {$(
        #[test]
        $(#[$attribute])*
        fn $name() {
            if let Some(games) = corpus::games($file) {
                assert!(games.iter().map(|game| assert_same(game)).sum::<u32>() > 0);
            }
        }
    )*};
}

trusted_lines! {
    corpus_archive: "archive-10k.pgn";
    corpus_suites: "suites";
    corpus_dirty: "dirty";
    #[ignore = "half a minute"]
    corpus_lichess: "lichess.pgn";
    #[ignore = "half a minute"]
    corpus_engines: "engines.pgn";
    #[ignore = "a minute"]
    corpus_archive_large: "archive-100k.pgn";
}

macro_rules! same {
    ($($name:ident: $text:expr;)*) => {$(
        #[test]
        fn $name() {
            assert!(assert_same($text) > 0);
        }
    )*};
}

same! {
    pinned_knight: "1. e4 e5 2. Nf3 Nc6 3. d3 Bb4+ 4. Nc3 d6 5. Nd2 *";
    front_pawn_steps: "[FEN \"4k3/8/8/8/8/4P3/4P3/4K3 w - -\"]\n\n1. e4 Kd7 2. e3 *";
    double_step_of_black: "[FEN \"4k3/4p3/4p3/8/8/8/8/4K3 b - -\"]\n\n1... e5 2. Kd1 e6 3. Kd2 *";
    en_passant: "1. e4 a6 2. e5 d5 3. exd6 b5 4. a4 bxa4 5. b4 axb3 *";
    promotions: "[FEN \"1n2k3/P1P5/8/8/8/8/1p4Kp/8 w - -\"]\n\n1. axb8=Q+ Ke7 2. c8=N+ Kf8 3. Kxh2 b1=R *";
    null_moves: "1. e4 -- 2. d4 -- 3. Nf3 e5 *";
    blocked_rook: "[FEN \"5k2/8/8/8/8/8/8/R2NR1K1 w - -\"]\n\n1. Rb1 *";
    three_queens: "[FEN \"1k6/8/8/8/Q6Q/8/8/Q5K1 w - -\"]\n\n1. Qa1d4 *";
    castling_960: "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/1R1K1R2 w FB -\"]\n\n1. O-O-O *";
    castling_without_steps: "[Variant \"Chess960\"]\n[FEN \"2rkr3/pppppppp/8/8/8/8/PPPPPPPP/2RKR3 w ECec -\"]\n\n1. O-O O-O *";
}

proptest! {
    #[test]
    fn any_bytes_end_a_trusted_line(moves in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut line = TrustedLine::new(None, &moves);
        while line.advance().is_some() {}

        let plies = line.ply().get() as usize;
        prop_assert!(plies <= moves.len());
    }

    #[test]
    fn texts_like_moves_do_no_harm(
        moves in prop::collection::vec(
            "[KQRBNa-h]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBNK])?[+#]?|O-O(-O)?|--", 0..200
        )
    ) {
        let moves = moves.join(" ");
        let mut line = TrustedLine::new(None, moves.as_bytes());
        while line.advance().is_some() {}

        // A move has at least one byte.
        let plies = line.ply().get() as usize;
        prop_assert!(plies <= moves.len());
    }
}
