//! The moves and annotations of a line as the standard has them (PGN §8.2, §10).

use std::borrow::Cow;

use crate::export::draft::Line;
use crate::export::remark::{Remark, RemarkKind};
use crate::notation::San;
use crate::replay::unbroken;
use crate::storage::At;

/// The last number of the table of NAGs (PGN §10).
const LAST_NAG: u8 = 139;

/// Leaves moves and annotations of the standard. What else stands there becomes comments, NAGs that nobody
/// knows are left out.
pub(in crate::export) fn only_standard_moves(line: &mut Line<'_>, remarks: &mut Vec<Remark>) {
    if let Some(text) = line.verbatim.take() {
        let comments = lone_comments(text).unwrap_or_else(|| {
            remarks.push(Remark::new(RemarkKind::UnreadMoves, text, None));
            vec![text]
        });
        for comment in comments {
            line.annotate(0, format!("{{{}", unbroken(comment)).into());
        }
    }
    line.filter(|text| {
        let kind = match unknown_nag(&text) {
            true => RemarkKind::UnknownNag,
            false if text.starts_with('%') => RemarkKind::EscapedLine,
            false => return Some(text),
        };
        remarks.push(Remark::new(kind, &text, None));
        None
    });
    end_at_null_move(line, remarks);
    for at in &mut line.annotations {
        let texts = std::mem::take(&mut at.texts);
        let is_loose = at.ply == 0;
        at.texts = if is_loose { without_variations(texts, remarks) } else { texts };
        at.texts = without_null_moves(std::mem::take(&mut at.texts), remarks);
    }
}

/// The texts of comments, if there is nothing else in a movetext.
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

fn unknown_nag(text: &str) -> bool {
    let number = text.strip_prefix('$').map(str::parse::<u8>);
    number.is_some_and(|nag| nag.is_ok_and(|nag| nag > LAST_NAG))
}

fn is_null(text: &str) -> bool {
    San::parse(text.as_bytes()) == Some(San::Null)
}

/// Ends the mainline before its first null move; the rest becomes a comment.
fn end_at_null_move(line: &mut Line<'_>, remarks: &mut Vec<Remark>) {
    let moves: Vec<&str> = line.moves.split_ascii_whitespace().collect();
    let Some(last) = moves.iter().position(|san| is_null(san)) else { return };
    let rest = line.annotations.iter().position(|at| at.ply > last as u32);
    let rest = rest.map_or_else(Vec::new, |first| line.annotations.split_off(first));
    let mut words = Vec::new();
    let mut rest = rest.into_iter().peekable();
    for (ply, san) in (1..).zip(&moves).skip(last) {
        words.push(Cow::Borrowed(*san));
        while let Some(At { texts, .. }) = rest.next_if(|at| at.ply == ply) {
            words.extend(texts);
        }
    }
    words.extend(rest.flat_map(|at| at.texts));
    let comment = comment_of(&words);
    remarks.push(Remark::new(RemarkKind::NullMove, &comment[1..], None));
    let moves = moves[..last].join(" ");
    line.moves = Cow::Owned(moves);
    line.annotate(last as u32, Cow::Owned(comment));
}

/// Moves and annotations as one comment.
fn comment_of(words: &[Cow<'_, str>]) -> String {
    let word = |text: &Cow<'_, str>| match text.strip_prefix('{') {
        Some(comment) => format!("({comment})"),
        None => text.to_string(),
    };
    format!("{{{}", words.iter().map(word).collect::<Vec<String>>().join(" "))
}

/// Variations before the first move are alternatives to nothing.
fn without_variations<'g>(
    texts: Vec<Cow<'g, str>>,
    remarks: &mut Vec<Remark>,
) -> Vec<Cow<'g, str>> {
    let mut kept = Vec::new();
    let (mut inside, mut depth) = (Vec::new(), 0_usize);
    for text in texts {
        match text.as_ref() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ if depth == 0 => {
                kept.push(text);
                continue;
            }
            _ => {}
        }
        inside.push(text);
        if depth == 0 {
            let comment = comment_of(&inside);
            remarks.push(Remark::new(RemarkKind::VariationWithoutMove, &comment[1..], None));
            kept.push(Cow::Owned(comment));
            inside.clear();
        }
    }
    kept
}

/// Ends each variation before its first null move; the rest becomes a comment.
fn without_null_moves<'g>(
    texts: Vec<Cow<'g, str>>,
    remarks: &mut Vec<Remark>,
) -> Vec<Cow<'g, str>> {
    let mut kept = Vec::with_capacity(texts.len());
    let mut texts = texts.into_iter().peekable();
    while let Some(text) = texts.next() {
        if !is_null(&text) {
            kept.push(text);
            continue;
        }
        let mut rest = vec![text];
        let mut depth = 0;
        rest.extend(std::iter::from_fn(|| {
            let text = texts.next_if(|text| depth > 0 || text != ")")?;
            match text.as_ref() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            Some(text)
        }));
        let comment = comment_of(&rest);
        remarks.push(Remark::new(RemarkKind::NullMove, &comment[1..], None));
        kept.push(Cow::Owned(comment));
    }
    kept
}
