//! Compares Stamma's replays of real games with shakmaty's. pgn-reader drives, `pair` compares.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use stamma_chess::board::Move;

use crate::support::paired_position::Pair;
use crate::support::{chess960, corpus};

/// Counts of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Replayed {
    games: usize,
    plies: usize,
    /// Games that end early, at a move that is illegal for both programs.
    broken: usize,
    /// Games of other variants, or from a FEN that neither program accepts.
    skipped: usize,
}

macro_rules! games {
    ($($name:ident: $file:literal => $games:literal games, $plies:literal plies;)*) => {$(
        #[test]
        fn $name() {
            let found = replay(include_bytes!(concat!("../data/games/", $file)), usize::MAX);
            assert_eq!(found, Replayed { games: $games, plies: $plies, broken: 0, skipped: 0 });
        }
    )*};
}

games! {
    early: "early.pgn" => 16 games, 715 plies;
    classical: "classical.pgn" => 24 games, 1_638 plies;
    modern: "modern.pgn" => 37 games, 2_671 plies;
    today: "today.pgn" => 28 games, 2_609 plies;
    from_position: "from-position.pgn" => 3 games, 58 plies;
    chess960: "chess960.pgn" => 3 games, 241 plies;
}

macro_rules! corpus_games {
    ($($(#[$attribute:meta])* $name:ident: $file:literal, $limit:expr => $replayed:expr;)*) => {$(
        #[test]
        $(#[$attribute])*
        fn $name() {
            if let Some(pgn) = corpus::read($file) {
                let [games, plies, broken, skipped] = $replayed;
                assert_eq!(replay(&pgn, $limit), Replayed { games, plies, broken, skipped });
            }
        }
    )*};
}

// Games, plies, broken games, skipped games.
corpus_games! {
    corpus_archive: "archive-10k.pgn", 1000 => [1000, 84_655, 0, 0];
    corpus_chess960: "dirty/variant-chess960.pgn", usize::MAX => [243, 17_643, 0, 0];
    corpus_fischerandom: "dirty/variant-fischerandom.pgn", 300 => [300, 32_964, 0, 0];
    corpus_positions: "dirty/fen-start.pgn", usize::MAX => [269, 32_616, 0, 0];
    corpus_polgar: "dirty/polgar.pgn", usize::MAX => [2533, 4_529, 0, 0];
    corpus_illegal_moves: "suites/annotated-classics/europe_echecs.pgn", usize::MAX
        => [305, 20_841, 3, 0];
    corpus_ambiguous: "suites/annotated-classics/ambiguous.pgn", usize::MAX => [3, 159, 1, 0];
    corpus_null_moves: "suites/annotated-classics/middleg.pgn", usize::MAX => [481, 31_560, 0, 0];
    #[ignore = "twenty seconds"]
    corpus_archive_all: "archive-10k.pgn", usize::MAX => [10_072, 882_567, 0, 1];
}

/// Replays at most `limit` games, comparing every position.
///
/// A file cut off inside a comment ends there, since pgn-reader reads no further.
fn replay(pgn: &[u8], limit: usize) -> Replayed {
    let mut reader = Reader::new(pgn);
    let mut visitor = Mainlines::default();
    while visitor.0.games < limit {
        let Ok(Some(())) = reader.read_game(&mut visitor) else {
            break;
        };
    }
    visitor.0
}

#[derive(Default)]
struct Mainlines(Replayed);

/// The tags that determine the start position.
#[derive(Default)]
struct Start {
    fen: Option<String>,
    variant: String,
}

impl Start {
    fn pair(self) -> Option<Pair> {
        const CHESS: [&str; 6] = [
            "",
            "standard",
            "normal",
            "from position",
            "chess960",
            "fischerandom",
        ];
        if !CHESS.contains(&self.variant.as_str()) {
            return None;
        }

        let fen = self
            .fen
            .unwrap_or_else(|| chess960::fen(chess960::STANDARD));
        Pair::from_fen(&fen).ok()
    }
}

impl Visitor for Mainlines {
    type Tags = Start;
    type Movetext = Pair;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Start> {
        self.0.games += 1;
        ControlFlow::Continue(Start::default())
    }

    fn tag(&mut self, tags: &mut Start, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        match name {
            b"FEN" => tags.fen = Some(value.decode_utf8_lossy().into_owned()),
            b"Variant" => tags.variant = value.decode_utf8_lossy().to_lowercase(),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Start) -> ControlFlow<(), Pair> {
        match tags.pair() {
            Some(pair) => {
                pair.assert_same();
                ControlFlow::Continue(pair)
            }
            None => {
                self.0.skipped += 1;
                ControlFlow::Break(())
            }
        }
    }

    fn san(&mut self, pair: &mut Pair, san: SanPlus) -> ControlFlow<()> {
        let Ok(mv) = pair.assert_same_verdict(&san.to_string(), san.san) else {
            self.0.broken += 1;
            return ControlFlow::Break(());
        };

        self.0.plies += 1;
        let legal = pair
            .ours
            .legal_moves()
            .into_iter()
            .find(|legal| legal.to_string() == mv);
        pair.play(legal.unwrap_or(Move::NULL));
        pair.assert_same();
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _pair: &mut Pair) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _pair: Pair) {}
}
