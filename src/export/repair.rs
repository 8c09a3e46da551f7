//! Repairs tags whose values are certain without guessing.

use super::draft::mismatch;
use super::remark::{Remark, RemarkKind};
use super::roster::{DATES, ROSTER, missing_value};
use crate::game::{Game, Variant, standard_date};
use crate::pgn::Termination;
use crate::replay::{Mainline, result_on_board};

/// Repairs the tags of a game, and adds a remark for each repair. If the Result tag and the game termination marker are
/// different results, both are kept, since either may be right.
pub(super) fn repair(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    repair_result(draft, remarks);

    for name in DATES {
        if let Some(date) = draft.tag(name).and_then(standard_date) {
            set_tag(draft, name, &date, remarks);
        }
    }

    for (name, unknown) in ROSTER {
        if draft.tag(name).is_none() {
            let value = missing_value(draft, name, unknown);
            set_tag(draft, name, value, remarks);
        }
    }

    if draft.tag("FEN").is_some() {
        set_tag(draft, "SetUp", "1", remarks);
    }
}

/// Sets a tag, with a remark if its value changes.
fn set_tag(draft: &mut Game<'_>, name: &'static str, value: &str, remarks: &mut Vec<Remark>) {
    let before = draft.tag(name);
    if before == Some(value) {
        return;
    }

    let kind = if before.is_some() {
        RemarkKind::Repaired
    } else {
        RemarkKind::AddedTag
    };
    remarks.push(Remark::of_tag(kind, name, before, Some(value)));
    draft.set_tag(name, value.to_owned());
}

/// Fills an unknown Result tag from the game termination marker, or from the mate, stalemate or dead position on the
/// board, and normalizes other spellings.
fn repair_result(draft: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    // `None` for a value that is no result.
    let tagged = match draft.tag("Result").map(str::trim) {
        None | Some("" | "?" | "-" | "*") => Some(Termination::Unknown),
        Some(value) => Termination::from_text(value),
    };
    let marker = draft.termination;

    // A written result stays, even if the final position contradicts it.
    let is_unmarked = matches!(marker, None | Some(Termination::Unknown));
    if tagged == Some(Termination::Unknown)
        && is_unmarked
        && let Some(result) = result_of_moves(draft)
    {
        draft.termination = marker.and(Some(result));
        set_tag(draft, "Result", result.as_str(), remarks);
        draft.result = result;
        return;
    }

    let meant = if tagged == Some(Termination::Unknown) {
        marker
    } else {
        tagged
    };
    if let Some(meant) = meant {
        set_tag(draft, "Result", meant.as_str(), remarks);
        draft.result = meant;
    }

    let agrees = meant.is_some() && (marker.is_none() || marker == meant);
    if !agrees {
        remarks.extend(mismatch(draft, marker.map(Termination::as_str)));
    }
}

/// The result of a game of chess that ends on the board.
fn result_of_moves(game: &Game<'_>) -> Option<Termination> {
    let is_chess = matches!(game.variant, Variant::Standard | Variant::Chess960);
    let is_whole = !game.moves.is_empty() && game.rest.is_none();
    if !is_chess || !is_whole {
        return None;
    }

    let mut line = Mainline::of(game)?;
    while let Some((_, mv)) = line.step() {
        line.play(mv);
    }
    result_on_board(line.position())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    /// The remarks on a game with some tags and a game termination marker.
    fn remarks_on(text: &str) -> String {
        let replay = replay(text);
        let mut draft = replay.game.borrowed();
        let mut remarks = Vec::new();
        repair(&mut draft, &mut remarks);

        // Nearly every text here lacks tags of the roster.
        let mut sentences: Vec<String> = remarks.iter().map(Remark::to_string).collect();
        sentences.retain(|sentence| !sentence.contains(" is added as \"?"));
        sentences.join("; ")
    }

    macro_rules! repairs {
        ($($name:ident: $text:literal => $remarks_on:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(remarks_on($text), $remarks_on);
            }
        )*};
    }

    repairs! {
        missing_result: "[Event \"A\"]\n\n1. e4 1-0" => "added-tag: Result is added as \"1-0\"";
        unknown_result: "[Result \"*\"]\n\n1. e4 1-0" =>
            "repaired: Result \"*\" is written as \"1-0\"";
        half_a_draw: "[Result \"1/2\"]\n\n1. e4" =>
            "repaired: Result \"1/2\" is written as \"1/2-1/2\"";
        two_results: "[Result \"0-1\"]\n\n1. e4 1-0" =>
            "result-mismatch: \"1-0\" is left as it is";
        other_form: "[Result \"½ : ½\"]\n\n1. e4 1/2-1/2" =>
            "repaired: Result \"½ : ½\" is written as \"1/2-1/2\"";
        other_form_without_terminator: "[Result \"1:0\"]\n\n1. e4" =>
            "repaired: Result \"1:0\" is written as \"1-0\"";
        other_form_and_another_result: "[Result \"1:0\"]\n\n1. e4 0-1" =>
            "repaired: Result \"1:0\" is written as \"1-0\"; result-mismatch: \"0-1\" is left as it is";
        other_result: "[Result \"won\"]\n\n1. e4 1-0" => "";
        mate: "[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *" =>
            "repaired: Result \"*\" is written as \"0-1\"";
        mate_without_a_result: "[Event \"A\"]\n\n1. f3 e5 2. g4 Qh4#" => "added-tag: Result is added as \"0-1\"";
        stalemate: "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n[SetUp \"1\"]\n[Result \"*\"]\n\n1. Qf7 *" =>
            "repaired: Result \"*\" is written as \"1/2-1/2\"";
        mate_with_another_result: "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0" => "";
        mate_with_a_result_behind_it: "[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# 1-0" =>
            "repaired: Result \"*\" is written as \"1-0\"";
        mate_in_king_of_the_hill: "[Variant \"King of the Hill\"]\n[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *" => "";
        text_behind_the_mate: "[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# 3. Ke9 *" => "";
        date: "[Date \"11.07.1972\"]\n[Result \"*\"]\n\n*" =>
            "repaired: Date \"11.07.1972\" is written as \"1972.07.11\"";
        unclear_date: "[Date \"11/07/1972\"]\n[Result \"*\"]\n\n*" => "";
        set_up: "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[Result \"*\"]\n\n*" =>
            "added-tag: SetUp is added as \"1\"";
        nothing: "[Date \"1972.07.??\"]\n[Result \"1-0\"]\n\n1. e4 1-0" => "";
    }
}
