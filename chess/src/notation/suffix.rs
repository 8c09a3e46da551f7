//! Suffixes of move texts: check and mate, en passant, draw offers, evaluations.

use super::note::Note;
use super::sign::GLUED_SIGNS;
use crate::board::Position;

/// A check or mate mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// `+`, `ch`, `†`.
    Check,
    /// `++`, `‡`: double check in some books, mate in others.
    DoubleCheckOrMate,
    /// `dbl ch`.
    DoubleCheck,
    /// `#`, `mate`, `mat`.
    Mate,
}

impl Mark {
    /// Returns `true` if the position after the move agrees with the mark.
    pub(super) fn is_true(self, after: &Position) -> bool {
        match self {
            Mark::Check => after.is_check(),
            Mark::DoubleCheck => after.checkers().more_than_one(),
            Mark::Mate => after.is_checkmate(),
            Mark::DoubleCheckOrMate => after.checkers().more_than_one() || after.is_checkmate(),
        }
    }

    /// The note on a false mark, given the position after the move.
    pub(super) fn fault(self, after: &Position) -> Option<Note> {
        let note = match self {
            _ if self.is_true(after) => return None,
            Mark::Check => Note::FalseCheck,
            Mark::Mate => Note::FalseMate,
            Mark::DoubleCheck | Mark::DoubleCheckOrMate => Note::FalseDoubleCheck,
        };
        Some(note)
    }
}

/// The suffixes of a move text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Suffix {
    pub(super) mark: Option<Mark>,
    /// `true` if there is a `±`: mate if the position is mate, otherwise NAG 16.
    pub(super) mate_or_better: bool,
    pub(super) en_passant: bool,
    pub(super) draw_offer: bool,
    /// The NAGs, in order.
    pub(super) nags: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Meaning {
    Mark(Mark),
    MateOrBetter,
    EnPassant,
    DrawOffer,
    Nag(u8),
    Nothing,
}

/// Marks and words with their meanings. A longer one precedes its suffixes, since a text is compared with one after
/// another.
const ENDS: &[(&str, Meaning)] = &[
    ("++", Meaning::Mark(Mark::DoubleCheckOrMate)),
    ("‡", Meaning::Mark(Mark::DoubleCheckOrMate)),
    ("+", Meaning::Mark(Mark::Check)),
    ("†", Meaning::Mark(Mark::Check)),
    ("#", Meaning::Mark(Mark::Mate)),
    ("mate", Meaning::Mark(Mark::Mate)),
    ("matt", Meaning::Mark(Mark::Mate)),
    ("mat", Meaning::Mark(Mark::Mate)),
    ("dblch", Meaning::Mark(Mark::DoubleCheck)),
    ("dbl.ch", Meaning::Mark(Mark::DoubleCheck)),
    ("dbl", Meaning::Mark(Mark::DoubleCheck)),
    ("disch", Meaning::Mark(Mark::Check)),
    ("dis.ch", Meaning::Mark(Mark::Check)),
    ("dis", Meaning::Mark(Mark::Check)),
    ("check", Meaning::Mark(Mark::Check)),
    ("ch", Meaning::Mark(Mark::Check)),
    ("e.p", Meaning::EnPassant),
    ("e/p", Meaning::EnPassant),
    ("ep", Meaning::EnPassant),
    (",", Meaning::Nothing),
    (";", Meaning::Nothing),
    (".", Meaning::Nothing),
];

/// Splits off the suffixes of a move text.
#[inline]
pub(super) fn split_suffix(text: &str) -> (&str, Suffix) {
    match text.as_bytes() {
        // Most texts end with a digit, which no suffix does.
        [_, .., b'0'..=b'9'] => (text, Suffix::default()),
        // Most others end with a check mark.
        [core @ .., b'0'..=b'9', b'+'] => {
            let suffix = Suffix {
                mark: Some(Mark::Check),
                ..Suffix::default()
            };

            (&text[..core.len() + 1], suffix)
        }
        _ => split_rare(text),
    }
}

/// Splits any suffixes off a move text, one after the other.
fn split_rare(text: &str) -> (&str, Suffix) {
    let mut core = text.trim_end();
    let mut suffix = Suffix::default();

    while let Some((rest, meaning)) = split_last(core) {
        match meaning {
            Meaning::Mark(mark) => suffix.mark = Some(combined(suffix.mark, mark)),
            Meaning::MateOrBetter => suffix.mate_or_better = true,
            Meaning::EnPassant => suffix.en_passant = true,
            Meaning::DrawOffer => suffix.draw_offer = true,
            // The text is read from its end.
            Meaning::Nag(nag) => suffix.nags.insert(0, nag),
            Meaning::Nothing => {}
        }

        core = rest.trim_end();
    }

    (core, suffix)
}

/// Splits off the last sign or word, with its meaning, unless nothing would be left.
fn split_last(text: &str) -> Option<(&str, Meaning)> {
    if let Some(rest) = without_spaced_en_passant(text) {
        return Some((rest, Meaning::EnPassant));
    }

    // The end of `e. p.` or of a move to the e-file, where a text was split; but not the target of `E x e`.
    if let Some(rest) = text.strip_suffix(" e")
        && !rest.ends_with(['x', '-', ':'])
    {
        return Some((rest, Meaning::Nothing));
    }

    // FIDE Laws, appendix C.
    if let Some(rest) = without_end(text, "(=)") {
        return Some((rest, Meaning::DrawOffer));
    }

    for &(sign, nag) in GLUED_SIGNS {
        if let Some(rest) = without_end(text, sign) {
            return Some((rest, sign_meaning(sign, nag)));
        }
    }

    for &(end, meaning) in ENDS {
        if let Some(rest) = without_end(text, end) {
            return Some((rest, meaning));
        }
    }

    None
}

/// The text before `e.p` or `e. p`, if a space precedes it.
fn without_spaced_en_passant(text: &str) -> Option<&str> {
    let rest = text.strip_suffix('p')?.trim_end().strip_suffix("e.")?;

    if rest.ends_with(char::is_whitespace) {
        Some(rest)
    } else {
        None
    }
}

/// The text before an end, unless the end is the whole text.
fn without_end<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let rest = text.strip_suffix(end)?;
    if rest.is_empty() { None } else { Some(rest) }
}

fn sign_meaning(sign: &str, nag: u8) -> Meaning {
    if sign == "±" {
        Meaning::MateOrBetter
    } else {
        Meaning::Nag(nag)
    }
}

/// Combines `dbl` and `ch` into one mark.
fn combined(found: Option<Mark>, more: Mark) -> Mark {
    match (found, more) {
        (Some(found), Mark::Check) => found,
        _ => more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! splits {
        ($($name:ident: $text:literal => $core:literal $(, $field:ident: $value:expr)*;)*) => {$(
            #[test]
            fn $name() {
                let suffix = Suffix { $($field: $value,)* ..Suffix::default() };
                assert_eq!(split_suffix($text), ($core, suffix));
            }
        )*};
    }

    splits! {
        nothing: "Nf3" => "Nf3";
        check: "Bb5+" => "Bb5", mark: Some(Mark::Check);
        mate: "Qxf7#" => "Qxf7", mark: Some(Mark::Mate);
        mate_in_words: "Qxf7 mate" => "Qxf7", mark: Some(Mark::Mate);
        two_pluses: "Nd5++" => "Nd5", mark: Some(Mark::DoubleCheckOrMate);
        double: "N-Q5 dbl ch" => "N-Q5", mark: Some(Mark::DoubleCheck);
        discovered: "B-K3 dis ch" => "B-K3", mark: Some(Mark::Check);
        dagger: "Bb5†" => "Bb5", mark: Some(Mark::Check);
        en_passant: "exd6 e.p." => "exd6", en_passant: true;
        en_passant_apart: "exd6 e. p." => "exd6", en_passant: true;
        en_passant_glued: "bxa6ep" => "bxa6", en_passant: true;
        en_passant_with_check: "exd6 e.p.+" => "exd6", en_passant: true, mark: Some(Mark::Check);
        check_before_en_passant: "PxPep ch" => "PxP", en_passant: true, mark: Some(Mark::Check);
        draw_offer: "Nf3 (=)" => "Nf3", draw_offer: true;
        draw_offer_glued: "Nf3+(=)" => "Nf3", draw_offer: true, mark: Some(Mark::Check);
        decisive: "Rxe8+-" => "Rxe8", nags: vec![18];
        better: "Nf3+=" => "Nf3", nags: vec![14];
        printed: "Nf3±" => "Nf3", mate_or_better: true;
        good_and_equal: "Nf3!=" => "Nf3", nags: vec![1, 10];
        promotion_is_no_judgement: "e8=Q+" => "e8=Q", mark: Some(Mark::Check);
        comma: "Qg5," => "Qg5";
        broken_off: "d4 e" => "d4";
        broken_off_in_passing: "exd6 e." => "exd6";
        a_pawn_in_estonian: "E x e" => "E x e";
        never_all: "ch" => "ch";
        a_short_capture: "exd" => "exd";
        castles: "O-O+" => "O-O", mark: Some(Mark::Check);
    }
}
