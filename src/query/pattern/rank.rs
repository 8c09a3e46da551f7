//! One rank of a pattern: the ways in which its eight squares may be filled.

use super::contents::Contents;

/// The number of files of a board, and so of squares of a rank.
pub(super) const FILES: usize = 8;

/// The contents allowed on each square of a rank, from the a-file on.
pub(super) type Rank = [Contents; FILES];

/// A part of a rank's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Square(Contents),
    /// `*`
    AnyNumber,
}

/// A fault, and its byte offset in the text of the rank.
pub(super) type Fault = (usize, String);

/// All different ways to fill a rank that its text allows.
///
/// Without a `*`, missing squares at the end may hold anything.
pub(super) fn read_rank(text: &str) -> Result<Vec<Rank>, Fault> {
    let parts = read_parts(text)?;
    let is_square = |part: &&Part| matches!(part, Part::Square(_));
    let squares = parts.iter().filter(is_square).count();
    if squares > FILES {
        let fault = format!("this rank has {squares} squares, more than eight");
        return Err((0, fault));
    }

    let is_exact = parts.contains(&Part::AnyNumber);
    let mut ways = Vec::new();
    fill_ways(&parts, is_exact, 0, [Contents::ANYTHING; FILES], &mut ways);

    // A star may be extended in several ways that leave equal squares.
    ways.sort_unstable();
    ways.dedup();
    Ok(ways)
}

/// Parses the parts of a rank.
fn read_parts(text: &str) -> Result<Vec<Part>, Fault> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let at = text.len() - rest.len();
        rest = &rest[letter.len_utf8()..];

        match letter {
            // A second star changes nothing, and would only multiply the ways to fill the rank.
            '*' if parts.last() == Some(&Part::AnyNumber) => {}
            '*' => parts.push(Part::AnyNumber),
            '1'..='8' => {
                let squares = letter as usize - '0' as usize;
                let empty = Part::Square(Contents::EMPTY);
                parts.extend(std::iter::repeat_n(empty, squares));
            }
            '[' => {
                let Some((inside, after)) = rest.split_once(']') else {
                    return Err(unclosed(at));
                };
                let contents = read_set(inside).map_err(|fault| nested(at + 1, fault))?;
                parts.push(Part::Square(contents));
                rest = after;
            }
            letter => {
                let Some(contents) = Contents::from_letter(letter) else {
                    return Err(unknown(at, letter));
                };
                parts.push(Part::Square(contents));
            }
        }
    }
    Ok(parts)
}

/// The fault of a bracket that is not closed.
fn unclosed(at: usize) -> Fault {
    (at, "this `[` has no `]`".to_owned())
}

/// A fault in a part of the text that begins at byte `from`, with its offset in the whole text.
fn nested(from: usize, (at, fault): Fault) -> Fault {
    (from + at, fault)
}

/// The fault of a letter with no meaning in a rank.
fn unknown(at: usize, letter: char) -> Fault {
    let expected = "a piece (KQRBNP, kqrbnp), `A`, `a`, `?`, `!`, `_`, `*`, a number of empty squares (1 to 8), \
        `[…]` or `/`";
    let fault = format!("`{letter}` means nothing here; expected {expected}");
    (at, fault)
}

/// The fault of a letter that is not allowed in brackets.
fn unknown_in_brackets(at: usize, letter: char) -> Fault {
    let expected = "a piece (KQRBNP, kqrbnp), `A`, `a`, `!` or `_`";
    let fault = format!("`{letter}` is not allowed in brackets; expected {expected}");
    (at, fault)
}

/// The contents that brackets allow: the union of their letters, or, after `^`, everything else with the empty square.
fn read_set(inside: &str) -> Result<Contents, Fault> {
    let (letters, is_inverted) = match inside.strip_prefix('^') {
        Some(letters) => (letters, true),
        None => (inside, false),
    };
    let start = inside.len() - letters.len();

    let mut listed = Contents::NOTHING;
    for (at, letter) in letters.char_indices() {
        // `?` allows anything, so the other letters in the brackets would mean nothing.
        match Contents::from_letter(letter) {
            Some(contents) if letter != '?' => listed = listed.union(contents),
            _ => return Err(unknown_in_brackets(start + at, letter)),
        }
    }

    let allowed = if is_inverted {
        listed.complement()
    } else {
        listed
    };
    if allowed == Contents::NOTHING {
        return Err((0, "no square can hold what these brackets say".to_owned()));
    }
    Ok(allowed)
}

/// Adds every way to fill the squares from a file on with the remaining parts of a rank. With `is_exact`, the parts
/// must fill the rank.
fn fill_ways(parts: &[Part], is_exact: bool, file: usize, rank: Rank, ways: &mut Vec<Rank>) {
    match parts {
        [] if file == FILES || !is_exact => ways.push(rank),
        [Part::Square(contents), rest @ ..] if file < FILES => {
            let mut filled = rank;
            filled[file] = *contents;
            fill_ways(rest, is_exact, file + 1, filled, ways);
        }
        // `rank` allows anything on squares that no part has filled, so a star only skips squares.
        [Part::AnyNumber, rest @ ..] => {
            for next in file..=FILES {
                fill_ways(rest, is_exact, next, rank, ways);
            }
        }
        // The parts do not fit: they go beyond the h-file, or an exact rank ends before the h-file.
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! ways {
        ($($name:ident: $text:expr => $ways:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(read_rank($text).map(|ways| ways.len()), Ok($ways));
            }
        )*};
    }

    ways! {
        nothing: "" => 1;
        star: "*" => 1;
        stars: "**" => 1;
        fixed: "8" => 1;
        left_out: "4p" => 1;
        anywhere: "*p*" => 8;
        at_the_end: "*p" => 1;
        beside: "*pp*" => 7;
        two: "*p*p*" => 28;
        most: "*p*p*p*p*" => 70;
        one_way_alone: "*?*" => 1;
        after_two: "??*p*" => 6;
    }

    macro_rules! faults {
        ($($name:ident: $text:expr => $at:expr, $part:expr;)*) => {$(
            #[test]
            fn $name() {
                let (at, fault) = read_rank($text).expect_err("no rank");
                assert_eq!(at, $at);
                assert!(fault.contains($part), "{fault}");
            }
        )*};
    }

    faults! {
        nine: "8p" => 0, "9 squares";
        nine_with_star: "*pppppppp?" => 0, "9 squares";
        letter: "3x" => 1, "`x`";
        zero: "0" => 0, "`0`";
        open: "p[Nn" => 1, "no `]`";
        in_brackets: "p[Nx]" => 3, "`x` is not allowed in brackets";
        after_caret: "[^Px]" => 3, "`x`";
        empty_brackets: "[]" => 1, "no square";
        excluded: "[^!_]" => 1, "no square";
    }
}
