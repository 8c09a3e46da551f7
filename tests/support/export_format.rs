//! Validates PGN's export format, based on the standard of 1994 alone: the grammar of §18 with the lexical rules of §4,
//! §7 and §8.

use std::iter::Peekable;
use std::str::{Chars, FromStr};

/// PGN §4: 255 characters, including the line break.
const MAX_LINE: usize = 254;
/// PGN §8.2.1: less than 80 characters.
const MAX_MOVETEXT_LINE: usize = 79;
/// PGN §7: the characters of a string.
const MAX_VALUE: usize = 255;
/// The last NAG of the table in PGN §10.
const MAX_NAG: u32 = 139;

const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Counts the games of a text, or returns a violation of the standard.
pub(crate) fn check(text: &str) -> Result<usize, String> {
    let mut games = 0;
    let mut sections = text.split("\n\n");
    loop {
        match (sections.next(), sections.next()) {
            (Some(tags), Some(movetext)) => {
                let tags = check_tags(tags)?;
                check_movetext(movetext, &tags).map_err(|why| format!("{why} in\n{movetext}"))?;
                games += 1;
            }
            // The blank line behind the last game leaves an empty section.
            (Some(""), None) => return Ok(games),
            (rest, _) => return Err(format!("{rest:?} is no game")),
        }
    }
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

/// PGN §4: printing characters, 255 including the line break; §8.2.1: no spaces at either end.
fn check_line(line: &str, max: usize) -> Result<(), String> {
    ensure(!line.contains(char::is_control), || {
        format!("control character in {line:?}")
    })?;
    ensure(line.chars().count() <= max, || format!("long line {line}"))?;
    ensure(line.trim_matches(' ') == line, || {
        format!("space at an end of {line:?}")
    })?;
    ensure(!line.is_empty() && !line.starts_with('%'), || {
        format!("odd line {line:?}")
    })
}

/// PGN §8.1: one tag pair per line, the roster first, the others in ASCII order, none repeated.
fn check_tags(section: &str) -> Result<Vec<(&str, String)>, String> {
    let mut tags = Vec::new();
    for line in section.split('\n') {
        check_line(line, MAX_LINE)?;
        tags.push(tag_pair(line).ok_or_else(|| format!("no tag pair: {line}"))?);
    }

    let names: Vec<&str> = tags.iter().map(|(name, _)| *name).collect();
    ensure(names.starts_with(&ROSTER), || {
        format!("no roster: {names:?}")
    })?;
    let others = &names[ROSTER.len()..];
    ensure(others.is_sorted_by(|a, b| a < b), || {
        format!("no order: {names:?}")
    })?;
    // The order of the others excludes a tag that is repeated among them.
    let is_roster_repeated = others.iter().any(|name| ROSTER.contains(name));
    ensure(!is_roster_repeated, || format!("repeated: {names:?}"))?;

    // PGN §9.7.1: SetUp is "1" if the game starts from a FEN.
    let has_fen = value(&tags, "FEN").is_some();
    let is_set_up = value(&tags, "SetUp") == Some("1");
    ensure(has_fen == is_set_up, || format!("FEN and SetUp: {tags:?}"))?;

    Ok(tags)
}

fn value<'t>(tags: &'t [(&str, String)], name: &str) -> Option<&'t str> {
    let pair = tags.iter().find(|(other, _)| *other == name);
    pair.map(|(_, value)| value.as_str())
}

/// PGN §8.1: the name, and the value, in which `"` and `\` are escaped (§7).
fn tag_pair(line: &str) -> Option<(&str, String)> {
    let pair = line.strip_prefix('[')?.strip_suffix("\"]")?;
    let (name, quoted) = pair.split_once(" \"")?;

    let begins_name = |letter: char| letter.is_ascii_alphanumeric();
    let continues_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_name = name.starts_with(begins_name) && name.chars().all(continues_name);

    let mut value = String::new();
    let mut letters = quoted.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return None,
            '\\' => {
                let escaped = letters.next()?;
                if !"\"\\".contains(escaped) {
                    return None;
                }
                value.push(escaped);
            }
            _ => value.push(letter),
        }
    }

    let is_short = value.chars().count() <= MAX_VALUE;
    (is_name && is_short).then_some((name, value))
}

/// The number and side of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    number: u32,
    is_white: bool,
}

impl Turn {
    fn next(self) -> Turn {
        Turn {
            number: self.number + u32::from(!self.is_white),
            is_white: !self.is_white,
        }
    }
}

fn first_turn(tags: &[(&str, String)]) -> Turn {
    // Without a FEN, there are no fields, and White begins with move 1.
    let fen = value(tags, "FEN").unwrap_or_default();
    let fields: Vec<&str> = fen.split(' ').collect();

    let number_field = fields.get(5);
    let number = number_field.and_then(|number| u32::from_str(number).ok());
    Turn {
        // Some programs count from 0, but the movetext counts from 1.
        number: number.unwrap_or(1).max(1),
        is_white: fields.get(1) != Some(&"b"),
    }
}

/// PGN §8.2: an element sequence and the termination marker, which equals the Result tag.
fn check_movetext(movetext: &str, tags: &[(&str, String)]) -> Result<(), String> {
    for line in movetext.split('\n') {
        check_line(line, MAX_MOVETEXT_LINE)?;
    }

    let result = value(tags, "Result").unwrap_or_default();
    ensure(["1-0", "0-1", "1/2-1/2", "*"].contains(&result), || {
        format!("result {result}")
    })?;
    let before_result = movetext.strip_suffix(result);
    let elements = before_result
        .filter(|elements| elements.is_empty() || elements.ends_with([' ', '\n']))
        .ok_or_else(|| format!("no terminator {result}"))?;

    let mut letters = elements.chars().peekable();
    sequence(&mut letters, first_turn(tags), None)?;
    ensure(letters.next().is_none(), || "a ) without its (".to_owned())
}

/// `<element-sequence>`, up to a `)` or the end. `before` is the turn of the last move, if any.
fn sequence(
    letters: &mut Peekable<Chars<'_>>,
    mut turn: Turn,
    mut before: Option<Turn>,
) -> Result<(), String> {
    let mut number = None;
    let mut is_interrupted = true;
    while let Some(&letter) = letters.peek() {
        match letter {
            ' ' | '\n' => drop(letters.next()),
            ')' => break,

            '{' => {
                letters
                    .find(|letter| *letter == '}')
                    .ok_or("a comment without its }")?;
                is_interrupted = true;
            }

            // A variation replaces the last move.
            '(' => {
                letters.next();
                let inner = before.ok_or("a variation before the first move")?;
                sequence(letters, inner, before)?;
                ensure(letters.next() == Some(')'), || {
                    "a ( without its )".to_owned()
                })?;
                is_interrupted = true;
            }

            '$' => {
                letters.next();
                let nag = u32::from_str(&word(letters, |c| c.is_ascii_digit()));
                ensure(nag.is_ok_and(|nag| nag <= MAX_NAG), || {
                    "a NAG of no table".to_owned()
                })?;
                is_interrupted = true;
            }

            _ => {
                let text = word(letters, |c| !" \n(){}$".contains(c));
                if let Some(given) = move_number(&text) {
                    ensure(number.replace(given).is_none(), || format!("second {text}"))?;
                    continue;
                }
                ensure(is_san(&text), || format!("{text} is no SAN"))?;

                // PGN §8.2.2.2: Black's move has a number only if something is between it and White's move.
                let needs_number = turn.is_white || is_interrupted;
                let expected = needs_number.then_some(turn);
                ensure(number.take() == expected, || {
                    format!("number before {text}")
                })?;
                before = Some(turn);
                turn = turn.next();
                is_interrupted = false;
            }
        }
    }
    ensure(number.is_none(), || "a number before no move".to_owned())
}

fn word(letters: &mut Peekable<Chars<'_>>, belongs: impl Fn(char) -> bool) -> String {
    std::iter::from_fn(|| letters.next_if(|letter| belongs(*letter))).collect()
}

fn move_number(text: &str) -> Option<Turn> {
    // PGN §8.2.2.2: one period before a move of White, three before a move of Black.
    let (digits, is_white) = match text.strip_suffix("...") {
        Some(digits) => (digits, false),
        None => (text.strip_suffix('.')?, true),
    };
    Some(Turn {
        number: digits.parse().ok()?,
        is_white,
    })
}

/// PGN §8.2.3: castling, or a piece, its origin, a capture, the target, a promotion, and a check mark.
fn is_san(text: &str) -> bool {
    let text = text.strip_suffix(['+', '#']).unwrap_or(text);
    if matches!(text, "O-O" | "O-O-O") {
        return true;
    }

    let (text, promotes) = match text.split_once('=') {
        Some((text, "Q" | "R" | "B" | "N")) => (text, true),
        Some(_) => return false,
        None => (text, false),
    };
    let (is_piece, squares) = match text.strip_prefix(['K', 'Q', 'R', 'B', 'N']) {
        Some(squares) => (true, squares),
        None => (false, text),
    };
    let Some((origin, [file, rank])) = squares.as_bytes().split_last_chunk() else {
        return false;
    };
    let (origin, captures) = match origin {
        [origin @ .., b'x'] => (origin, true),
        _ => (origin, false),
    };

    let is_file = |byte: &u8| (b'a'..=b'h').contains(byte);
    let is_rank = |byte: &u8| (b'1'..=b'8').contains(byte);
    let is_origin = match origin {
        // A capture by a pawn has the pawn's file (§8.2.3.3).
        [] => is_piece || !captures,
        [one] => (is_piece && is_rank(one)) || (is_file(one) && (is_piece || captures)),
        [one, two] => is_piece && is_file(one) && is_rank(two),
        _ => false,
    };
    is_file(file) && is_rank(rank) && is_origin && !(promotes && is_piece)
}
