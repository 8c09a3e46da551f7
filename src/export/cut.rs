//! Cuts a game to a range of half-moves.

use std::borrow::Cow;

use super::moves::Unwritable;
use crate::board::Position;
use crate::game::{Annotation, Annotations, Game, Ply, Variant};
use crate::notation::San;

/// The half-moves of a game that are written; all by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The start of the written part.
    pub start: CutStart,
    /// The maximum number of half-moves in the written part.
    pub max_plies: Option<u32>,
}

/// The start of the written part of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CutStart {
    /// The start of the game.
    #[default]
    Game,
    /// Behind this many half-moves.
    Plies(u32),
    /// This many half-moves before the end.
    End(u32),
    /// Behind the first move of the mainline with a comment that contains this text. A game without such a comment is
    /// written from its start.
    Comment(String),
}

/// The range of half-moves to write.
struct Range {
    /// The number of half-moves before the range.
    dropped: u32,
    /// The number of half-moves in the range.
    kept: u32,
    /// `true` if the annotations of the last dropped move are kept, as comments before the first move.
    keeps_comments_before: bool,
}

/// Cuts a game to a range of half-moves; `false` if the game is unchanged.
///
/// A game whose start is cut off begins from a FEN, and retains the result of the whole game. The start of a game of
/// Three-check is never cut off.
///
/// # Errors
/// When moves to drop cannot be played.
pub(super) fn cut(game: &mut Game<'_>, cut: &Cut) -> Result<bool, Unwritable> {
    // Movetext that is kept as text has no half-moves to count.
    if !game.is_played {
        return Ok(false);
    }
    let plies = game.moves.split_ascii_whitespace().count() as u32;
    let range = range(game, cut, plies);
    if range.dropped == 0 && range.kept == plies {
        return Ok(false);
    }
    // A FEN does not have the number of checks given so far, on which a game of Three-check depends.
    if range.dropped > 0 && game.variant == Variant::ThreeCheck {
        return Ok(false);
    }

    if range.dropped > 0 {
        let fen = fen_after(game, range.dropped)?;
        game.set_tag("SetUp", "1");
        game.set_tag("FEN", fen.clone());
        game.start = Some(Cow::Owned(fen));
    }
    // A count of half-moves would be wrong.
    if game.tag("PlyCount").is_some() {
        game.set_tag("PlyCount", range.kept.to_string());
    }
    // Text that could not be read is behind the last move.
    if range.dropped + range.kept < plies {
        game.rest = None;
    }

    let kept_moves: Vec<&str> = game
        .moves
        .split_ascii_whitespace()
        .skip(range.dropped as usize)
        .take(range.kept as usize)
        .collect();
    game.moves = Cow::Owned(kept_moves.join(" "));
    game.annotations = Cow::Owned(cut_annotations(&game.annotations, &range));
    Ok(true)
}

/// The range to write of a game of `plies` half-moves. It never exceeds the game.
fn range(game: &Game<'_>, cut: &Cut, plies: u32) -> Range {
    let (start, keeps_comments_before) = match &cut.start {
        CutStart::Game => (0, true),
        CutStart::Plies(dropped) => (*dropped, *dropped == 0),
        CutStart::End(kept) => (plies.saturating_sub(*kept), *kept >= plies),
        CutStart::Comment(text) => (ply_of_comment(&game.annotations, text), true),
    };

    let dropped = start.min(plies);
    let max_kept = cut.max_plies.unwrap_or(u32::MAX);
    let kept = (plies - dropped).min(max_kept);

    Range {
        dropped,
        kept,
        keeps_comments_before,
    }
}

/// The number of half-moves before the first comment of the mainline that contains a text; 0 if there is none.
fn ply_of_comment(annotations: &Annotations, text: &str) -> u32 {
    let mut comments = annotations.mainline_comments();

    match comments.find(|(_, comment)| comment.contains(text)) {
        Some((ply, _)) => ply.get(),
        None => 0,
    }
}

/// The position after some half-moves of the mainline.
fn fen_after(game: &Game<'_>, plies: u32) -> Result<String, Unwritable> {
    let mut position = match game.start.as_deref() {
        Some(fen) => Position::from_fen(fen)?,
        None => Position::start(),
    };

    for text in game.moves.split_ascii_whitespace().take(plies as usize) {
        let san = San::parse(text.as_bytes());
        let resolved = san.and_then(|san| san.resolve(&position).ok());
        match resolved {
            Some(resolved) => position.play(resolved.mv),
            None => return Err(Unwritable::Move(text.to_owned())),
        }
    }

    Ok(position.fen())
}

/// The annotations of the moves of a range, counted from its start.
fn cut_annotations(annotations: &Annotations, range: &Range) -> Annotations {
    let mut kept = Annotations::default();
    let mut depth = 0_u32;

    for (ply, annotation) in annotations.iter() {
        let place = ply.get().checked_sub(range.dropped);
        let is_of_mainline = depth == 0 && annotation != Annotation::BeginVariation;
        match annotation {
            Annotation::BeginVariation => depth += 1,
            Annotation::EndVariation => depth = depth.saturating_sub(1),
            _ => {}
        }

        let is_kept = match place {
            // Annotations at the start belong to the last dropped move. A variation there would replace a dropped move.
            Some(0) if range.dropped > 0 => {
                let is_comment = matches!(annotation, Annotation::Comment(_));
                range.keeps_comments_before && is_comment && is_of_mainline
            }
            Some(place) => place <= range.kept,
            None => false,
        };
        if is_kept && let Some(place) = place {
            kept.push(Ply::new(place), annotation);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Style;
    use crate::replay::replay;

    fn written(text: &str, to_write: &Cut) -> String {
        let replay = replay(text);
        let mut game = replay.game.borrowed();
        cut(&mut game, to_write).expect("legal moves");

        let mut out = Vec::new();
        super::super::write_pgn(&game, &Style::pgn(), &mut out).expect("legal moves");
        let pgn = String::from_utf8(out).expect("UTF-8");

        // The movetext, and of the tags the start position.
        let is_shown = |line: &&str| !line.starts_with('[') || line.starts_with("[FEN");
        let lines: Vec<&str> = pgn.lines().filter(is_shown).collect();
        lines.join("\n").trim().to_owned()
    }

    const AFTER_TWO: &str =
        "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n";

    macro_rules! cuts {
        ($($name:ident: $text:literal, $start:expr, $max:expr => $fen:expr, $moves:literal;)*) => {$(
            #[test]
            fn $name() {
                let to_write = Cut { start: $start, max_plies: $max };
                assert_eq!(written($text, &to_write), format!("{}{}", $fen, $moves));
            }
        )*};
    }

    cuts! {
        the_first_moves: "1. e4 e5 2. Nf3 {x} Nc6 {y} 1-0", CutStart::Game, Some(3) => "", "1. e4 e5 2. Nf3 {x} 1-0";
        no_move: "{a} 1. e4 {b} e5 1-0", CutStart::Game, Some(0) => "", "{a} 1-0";
        more_than_all: "1. e4 e5 *", CutStart::Game, Some(9) => "", "1. e4 e5 *";
        behind_two: "1. e4 e5 {x} $1 (1... c5) 2. Nf3 $2 (2. f4) Nc6 *", CutStart::Plies(2), None
            => AFTER_TWO, "2. Nf3 $2 (2. f4) 2... Nc6 *";
        one_behind_two: "1. e4 e5 2. Nf3 Nc6 *", CutStart::Plies(2), Some(1) => AFTER_TWO, "2. Nf3 *";
        behind_all: "1. e4 e5 1-0", CutStart::Plies(5), None => AFTER_TWO, "1-0";
        the_last_move: "1. e4 e5 {x} 2. Nf3 *", CutStart::End(1), None => AFTER_TWO, "2. Nf3 *";
        the_last_nine: "{a} 1. e4 e5 *", CutStart::End(9), None => "", "{a} 1. e4 e5 *";
        behind_a_comment: "1. e4 e5 {it begins} $1 (1... c5) 2. Nf3 *", CutStart::Comment("begins".to_owned()), None
            => AFTER_TWO, "{it begins} 2. Nf3 *";
        a_comment_in_a_variation: "1. e4 e5 (1... c5 {begins}) 2. Nf3 *", CutStart::Comment("begins".to_owned()), None
            => "", "1. e4 e5 (1... c5 {begins}) 2. Nf3 *";
        unread_text: "1. e4 e5 2. Ke5 Nf3 *", CutStart::Game, Some(1) => "", "1. e4 *";
        unread_text_behind_all: "1. e4 e5 2. Ke5 Nf3 *", CutStart::Plies(5), None => AFTER_TWO, "{Ke5 Nf3} *";
        a_comment_in_unread_text: "1. e4 e5 2. Ke5 {begins} *", CutStart::Comment("begins".to_owned()), None
            => "", "1. e4 e5 ;Ke5 {begins}\n*";
    }
}
