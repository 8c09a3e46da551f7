//! Texts that are nearly a move, or not text at all, never mean anything but a legal move.
//!
//! Legal moves are written in every notation and language, at positions of random games of standard chess and Chess960,
//! and then misspelt. Whatever is read must be a legal move for shakmaty.

#![expect(
    clippy::print_stderr,
    reason = "the long run says how many texts were accepted"
)]

use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};
use stamma_chess::board::{Move, MoveKind, Position};
use stamma_chess::notation::{
    LANGUAGES, Notation, PieceLetters, Reading, San, Style, System, is_continuation, read,
};

use crate::support::chess960;
use crate::support::random::Random;

/// A position in both programs, with its legal moves.
struct Place {
    ours: Position,
    theirs: Chess,
    legal: Vec<Move>,
    /// shakmaty's legal moves, as [`Move::code`].
    codes: Vec<u16>,
}

impl Place {
    fn start(number: usize) -> Place {
        let fen = chess960::fen(number);
        let ours = Position::from_fen(&fen).expect("a start position");
        let their_fen: Fen = fen.parse().expect("a FEN");
        let theirs = their_fen
            .into_position(CastlingMode::Chess960)
            .expect("a start position");
        Place::new(ours, theirs)
    }

    fn new(ours: Position, theirs: Chess) -> Place {
        let mut codes = Vec::new();
        for mv in theirs.legal_moves() {
            codes.push(code(mv.to_uci(CastlingMode::Chess960)));
        }
        Place {
            legal: ours.legal_moves(),
            codes,
            ours,
            theirs,
        }
    }

    fn play(self, mv: Move) -> Place {
        let uci: UciMove = mv.to_string().parse().expect("a move");
        let their_move = uci.to_move(&self.theirs).expect("a legal move");

        let mut ours = self.ours;
        ours.play(mv);
        let theirs = self.theirs.play(their_move).expect("a legal move");
        Place::new(ours, theirs)
    }

    fn assert_legal(&self, mv: Move, text: &str) {
        let fen = self.ours.fen();
        // A null move is legal out of check.
        if mv.kind == MoveKind::Null {
            return assert!(!self.theirs.is_check(), "{text} in {fen}");
        }

        assert!(self.codes.contains(&mv.code()), "{text} as {mv} in {fen}");
        assert!(self.legal.contains(&mv), "{text} as {mv:?} in {fen}");
    }
}

fn code(uci: UciMove) -> u16 {
    match uci {
        UciMove::Normal {
            from,
            to,
            promotion,
        } => {
            let promotion = promotion.map_or(0, |role| u16::from(role) - 1);
            u16::from(from) | u16::from(to) << 6 | promotion << 12
        }
        UciMove::Put { .. } | UciMove::Null => 0,
    }
}

/// Characters that slip into move texts.
const SLIPS: &str = "abcdefgh12345678xX-=+#QRBNKPqrbnkODTFCSLAoO0lI()/:.?!×–♘♛сеКр ept9iZ";

/// A text with some characters lost, doubled, exchanged or replaced.
fn misspell(text: &str, slips: &[char], random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..random.below(3) {
        let at = random.below(chars.len() + 1);
        let slip = *random.choose(slips);
        // A place that a slip needs and the text does not have gets a character instead.
        match random.below(5) {
            0 if at < chars.len() => drop(chars.remove(at)),
            1 if at < chars.len() => chars[at] = slip,
            2 if at + 1 < chars.len() => chars.swap(at, at + 1),
            3 if at < chars.len() => {
                let other = chars[at];
                let changed = if other.is_uppercase() {
                    other.to_lowercase().next()
                } else {
                    other.to_uppercase().next()
                };
                chars[at] = changed.unwrap_or(other);
            }
            _ => chars.insert(at, slip),
        }
    }
    chars.into_iter().collect()
}

fn any_style(random: &mut Random) -> Style<'static> {
    let letters = &random.choose(LANGUAGES).letters;
    Style {
        notation: *random.choose(&Notation::ALL),
        letters,
        chess960: random.once_in(2),
    }
}

/// Reads misspelt texts, and returns how many were accepted.
fn accepted(texts: usize, seed: u64) -> usize {
    const EACH: usize = 40;
    let slips: Vec<char> = SLIPS.chars().collect();
    let mut random = Random::new(seed);
    let (mut accepted, mut read_so_far) = (0, 0);
    while read_so_far < texts {
        let number = if random.once_in(2) {
            chess960::STANDARD
        } else {
            random.below(960)
        };
        let mut place = Place::start(number);
        for _ in 0..160 {
            if place.legal.is_empty() || read_so_far >= texts {
                break;
            }

            for _ in 0..EACH {
                let style = any_style(&mut random);
                let right = style.text(&place.ours, *random.choose(&place.legal));
                let text = misspell(&right, &slips, &mut random);
                let reading = if random.once_in(8) {
                    any_style(&mut random).reading()
                } else {
                    style.reading()
                };
                if let Ok(found) = read(&text, reading, &place.ours) {
                    place.assert_legal(found.mv(), &text);
                    accepted += 1;
                }
                read_so_far += 1;
            }

            let mv = *random.choose(&place.legal);
            place = place.play(mv);
        }
    }
    accepted
}

#[test]
fn misspelt_texts_mean_legal_moves_or_none() {
    const TEXTS: usize = 200_000;

    let accepted = accepted(TEXTS, 1);

    // With none or all accepted, the test would not test much.
    assert!(accepted > TEXTS * 3 / 10, "{accepted} of {TEXTS}");
    assert!(accepted < TEXTS * 9 / 10, "{accepted} of {TEXTS}");
}

#[test]
#[ignore = "ten million texts: run with --release"]
fn ten_million_misspelt_texts() {
    const TEXTS: usize = 10_000_000;

    let accepted = accepted(TEXTS, 2);
    eprintln!("{accepted} of {TEXTS} texts accepted, all legal");
    assert!(accepted > TEXTS * 3 / 10, "{accepted} of {TEXTS}");
}

/// If both parsers of English accept a text, they agree on its meaning.
#[test]
fn both_parsers_agree() {
    const PLACES: usize = 1_500;

    let slips: Vec<char> = SLIPS.chars().collect();
    let mut random = Random::new(3);
    let (mut both, mut only_fast) = (0, 0);
    for seed in 0..PLACES {
        // Standard chess, and the starts of Chess960 in turn.
        let start = if seed % 2 == 0 {
            chess960::STANDARD
        } else {
            seed % 960
        };
        let place = place_after(start, seed % 90, seed as u64);
        for &mv in &place.legal {
            let notation = *random.choose(&[Notation::San, Notation::Lan, Notation::Uci]);
            let style = Style {
                notation,
                letters: PieceLetters::english(),
                chess960: false,
            };
            let right = style.text(&place.ours, mv);
            let text = misspell(&right, &slips, &mut random);

            // The parser of PGN, and the one of all notations.
            let san = San::parse(text.as_bytes());
            let fast = san.and_then(|san| san.resolve(&place.ours).ok());
            let general = read(&text, style.reading(), &place.ours);
            if let (Some(fast), Ok(general)) = (fast, &general) {
                assert_eq!(general.resolved, fast, "{text} in {}", place.ours.fen());
                both += 1;
            } else if fast.is_some() {
                only_fast += 1;
            }
        }
    }

    // The fast parser ignores letters and signs that mean nothing, as in `NQf3` or `d-2d3`.
    assert!(both > 10_000, "{both}, {only_fast}");
    assert!(only_fast < both / 10, "{both}, {only_fast}");
}

/// A position after random moves, in standard chess or Chess960.
fn place_after(number: usize, plies: usize, seed: u64) -> Place {
    let mut random = Random::new(seed);
    let mut place = Place::start(number);
    for _ in 0..plies {
        if place.legal.is_empty() {
            break;
        }
        let mv = *random.choose(&place.legal);
        place = place.play(mv);
    }
    place
}

proptest! {
    #[test]
    fn what_is_written_is_read(number in 0..960usize, plies in 0..120usize, seed: u32) {
        let mut random = Random::new(seed.into());
        let place = place_after(number, plies, seed.into());
        for &mv in &place.legal {
            let style = any_style(&mut random);
            let text = style.text(&place.ours, mv);

            let found = read(&text, style.reading(), &place.ours);
            let read_back = found.map(|found| found.mv());
            prop_assert_eq!(read_back, Ok(mv), "{} in {}", text, place.ours.fen());
        }
    }

    #[test]
    fn any_text_means_a_legal_move_or_none(
        text in r"\PC{0,20}|[KQRBNKtOo0PxX:a-h1-8=+#()/ .-]{1,14}|[0-9 -]{3,8}",
        number in 0..960usize, plies in 0..60usize, language in 0..LANGUAGES.len(),
    ) {
        let place = place_after(number, plies, 7);
        let letters = &LANGUAGES[language].letters;
        for system in System::ALL {
            match read(&text, Reading { letters, system }, &place.ours) {
                Ok(found) => place.assert_legal(found.mv(), &text),
                Err(error) => {
                    // Only that there is no panic.
                    error.what_was_legal(&place.ours);

                    // What is suggested instead must be legal.
                    let nearest = error.nearest(&place.ours);
                    for mv in error.candidates(&place.ours).into_iter().chain(nearest) {
                        place.assert_legal(mv, &text);
                    }
                }
            }
        }
    }

    #[test]
    fn any_text_may_be_read(text in r"\PC{0,12}", word in r"\PC{0,6}") {
        // Only that there is no panic.
        is_continuation(&text, &word);
        if let Ok(letters) = PieceLetters::parse(&text) {
            let style = Style { notation: Notation::San, letters: &letters, chess960: false };
            let start = Position::start();
            style.text(&start, start.legal_moves()[0]);
        }
    }

    /// With user-defined letters, everything written in algebraic notation reads back.
    #[test]
    fn user_defined_letters(letters in "[A-Z]{5,6}|[A-Z]{1,3}(,[A-ZА-Я]{1,2}){4,5}", seed: u32) {
        // Letters that two pieces share are refused.
        let Ok(letters) = PieceLetters::parse(&letters) else { return Ok(()) };
        let place = place_after(chess960::STANDARD, 40, seed.into());

        for notation in [Notation::San, Notation::Fide, Notation::Lan, Notation::Full] {
            let style = Style { notation, letters: &letters, chess960: false };
            for &mv in &place.legal {
                let text = style.text(&place.ours, mv);

                let found = read(&text, style.reading(), &place.ours);
                let read_back = found.map(|found| found.mv());
                prop_assert_eq!(read_back, Ok(mv), "{} in {}", text, place.ours.fen());
            }
        }
    }
}
