//! Removes moves and annotations that are not in the standard from a line, or converts them to comments (PGN §8.2,
//! §10).

use std::borrow::Cow;

use crate::export::draft::retain;
use crate::export::remark::{Remark, RemarkKind};
use crate::game::{Annotation, Annotations, Game, Ply, Step, balanced, unwrapped};
use crate::notation::San;

/// The last number of the table of NAGs (PGN §10).
const LAST_NAG: u8 = 139;

/// Keeps the moves and annotations of the standard. NAGs that are not in the standard are omitted. Other moves and
/// annotations become comments.
pub(in crate::export) fn only_standard_moves(line: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    unread_to_comments(line, remarks);

    retain(line, |annotation| {
        let (kind, text) = match annotation {
            Annotation::Nag(nag) if nag > LAST_NAG => (RemarkKind::UnknownNag, format!("${nag}")),
            Annotation::EscapedLine(text) => (RemarkKind::EscapedLine, format!("%{text}")),
            _ => return true,
        };
        remarks.push(Remark::new(kind, &text, None));
        false
    });

    // The standard has no null moves (PGN §8.2.3).
    end_at_null_move(line, remarks);
    line.annotations = Cow::Owned(without_loose_variations(&line.annotations, remarks));
    line.annotations = Cow::Owned(without_null_moves(&line.annotations, remarks));
}

/// Turns movetext that could not be played into comments at the start.
fn unread_to_comments(line: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    let Some(text) = line.rest.take() else {
        return;
    };

    let comments = match lone_comments(&text) {
        Some(comments) => comments,
        None => {
            remarks.push(Remark::new(RemarkKind::UnreadMoves, &text, None));
            vec![&*text]
        }
    };
    let annotations = line.annotations.to_mut();
    for comment in comments {
        annotations.push(Ply::START, Annotation::Comment(&unwrapped(comment)));
    }
}

/// The texts of the comments of a movetext that consists of comments only; `None` for other movetext.
fn lone_comments(text: &str) -> Option<Vec<&str>> {
    let mut comments = Vec::new();
    let mut rest = text.trim();

    while !rest.is_empty() {
        let (comment, behind) = rest.strip_prefix('{')?.split_once('}')?;
        comments.push(comment);
        rest = behind.trim_start();
    }

    Some(comments)
}

fn is_null(san: &str) -> bool {
    San::parse(san.as_bytes()) == Some(San::Null)
}

/// Ends the mainline before its first null move; the rest becomes a comment.
fn end_at_null_move(line: &mut Game<'_>, remarks: &mut Vec<Remark>) {
    let moves: Vec<&str> = line.moves.split_ascii_whitespace().collect();
    let Some(kept_moves) = moves.iter().position(|san| is_null(san)) else {
        return;
    };
    let last = Ply::new(kept_moves as u32);

    let mut rest = Vec::new();
    for (ply, step) in line.steps() {
        match step {
            Step::Mainline(san) if ply >= last => rest.push(Annotation::Move(san)),
            Step::Annotation(annotation) if ply > last => rest.push(annotation),
            _ => {}
        }
    }

    let comment = comment_text(&rest);
    remarks.push(Remark::new(RemarkKind::NullMove, &comment, None));

    let kept_annotations = line.annotations.iter().filter(|&(ply, _)| ply <= last);
    let mut annotations = Annotations::default();
    annotations.extend(kept_annotations);
    annotations.push(last, Annotation::Comment(&comment));

    line.annotations = Cow::Owned(annotations);
    line.moves = Cow::Owned(moves[..kept_moves].join(" "));
}

/// Moves and annotations as the text of a comment.
fn comment_text(annotations: &[Annotation<'_>]) -> String {
    let mut words = Vec::with_capacity(annotations.len());
    for annotation in annotations {
        let word = match annotation {
            // Comments do not nest (PGN §5), so braces become parentheses.
            Annotation::Comment(text) => format!("({text})"),
            Annotation::Move(san) => (*san).to_owned(),
            Annotation::Nag(nag) => format!("${nag}"),
            Annotation::BeginVariation => "(".to_owned(),
            Annotation::EndVariation => ")".to_owned(),
            Annotation::EscapedLine(text) => format!("%{text}"),
        };
        words.push(word);
    }

    words.join(" ")
}

/// Turns variations before the first move, which are alternatives to nothing, into comments.
fn without_loose_variations(all: &Annotations, remarks: &mut Vec<Remark>) -> Annotations {
    let mut kept = Annotations::default();
    let mut variation = Vec::new();
    let mut depth = 0_usize;

    // Each end of a variation has its beginning before it, so the depth is never less than 0.
    for (ply, annotation) in balanced(all) {
        match annotation {
            Annotation::BeginVariation => depth += 1,
            Annotation::EndVariation => depth -= 1,
            _ => {}
        }

        let is_inside = depth > 0 || annotation == Annotation::EndVariation;
        if ply > Ply::START || !is_inside {
            kept.push(ply, annotation);
            continue;
        }

        variation.push(annotation);
        if depth == 0 {
            let comment = comment_text(&std::mem::take(&mut variation));
            let kind = RemarkKind::VariationWithoutMove;
            remarks.push(Remark::new(kind, &comment, None));
            kept.push(ply, Annotation::Comment(&comment));
        }
    }
    kept
}

/// Ends each variation before its first null move; the rest becomes a comment.
fn without_null_moves(all: &Annotations, remarks: &mut Vec<Remark>) -> Annotations {
    let mut kept = Annotations::default();
    let mut all = balanced(all).peekable();

    while let Some((ply, annotation)) = all.next() {
        if !matches!(annotation, Annotation::Move(san) if is_null(san)) {
            kept.push(ply, annotation);
            continue;
        }

        // The rest of the variation, nested variations included, up to the end marker of the variation.
        let mut rest = vec![annotation];
        let mut depth = 0;
        let is_of_line =
            |depth: u32, next: &Annotation<'_>| depth > 0 || *next != Annotation::EndVariation;
        while let Some((_, next)) = all.next_if(|(_, next)| is_of_line(depth, next)) {
            match next {
                Annotation::BeginVariation => depth += 1,
                Annotation::EndVariation => depth -= 1,
                _ => {}
            }
            rest.push(next);
        }

        let comment = comment_text(&rest);
        remarks.push(Remark::new(RemarkKind::NullMove, &comment, None));
        kept.push(ply, Annotation::Comment(&comment));
    }
    kept
}
