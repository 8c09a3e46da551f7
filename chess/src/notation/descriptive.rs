//! Descriptive notation: English (`P-K4`, `N(3)-B3`, `PxP`), and number first, as in Spanish and old French books
//! (`P4R`, `C3AR`, `P.4FD`, `C pr PD`).
//!
//! Files are named after the pieces that start on them, and ranks count from the mover's side. `B3` is two squares. If
//! a text matches several legal moves, the position and the rest of the text decide.
//!
//! ```text
//! move    = mover [place] ( "-" square | square | "x" ( taken [place] | square ) ) [promotion]
//! mover   = [wing] piece | piece wing | [file-name] pawn | pawn file-name
//! square  = file-name digit | digit file-name
//! place   = "(" digit | square ")" | "/" digit | "/" square
//! ```

use std::borrow::Cow;

use super::constraints::{ANYWHERE, BoardHalf, Constraints, MoveText, Roles, Takes};
use super::symbol::{Sign, Symbol};
use crate::board::{Bitboard, Color, File, Role};

/// The parts of a text that name one piece, the moving or the captured one.
#[derive(Clone, Copy)]
struct Named {
    role: Role,
    wing: Option<BoardHalf>,
    /// The possible files of a pawn.
    files: Bitboard,
}

/// Parses `Castles`, with the side if given.
pub(super) fn castles(text: &str) -> Option<MoveText> {
    let side = text
        .strip_prefix("Castles")
        .or_else(|| text.strip_prefix("castles"))?;
    let side = side.trim_start_matches([' ', '(', '-', '.']);
    let short = match side.as_bytes().first() {
        None => None,
        Some(b'K' | b'k') => Some(true),
        Some(b'Q' | b'q') => Some(false),
        Some(_) => return None,
    };
    Some(MoveText::Castle { short })
}

/// The text with words replaced by signs, and without dots: `takes`, `pr` and `to` are signs, and in English `Kt` is a
/// knight.
pub(super) fn with_signs(text: &str, is_english: bool) -> Cow<'_, str> {
    if !text.contains(['t', '.', 'r']) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("takes", "x").replace(" to ", "-");
    let text = text
        .replace("pr.", "x")
        .replace(" pr ", "x")
        .replace('.', "");
    Cow::Owned(if is_english {
        text.replace("Kt", "N").replace("kt", "n")
    } else {
        text
    })
}

/// All readings of the symbols.
pub(super) fn parse(symbols: &[Symbol], turn: Color) -> Vec<MoveText> {
    let mut found = Vec::new();
    let (names, rest) = leading_pieces(symbols);
    if let Some(mover) = named(names)
        && let Some((place, rest)) = split_place(rest, turn)
    {
        let base = Constraints {
            roles: Roles::of(mover.role),
            from: mover.files & place,
            wing: mover.wing,
            ..Constraints::to(ANYWHERE)
        };
        match rest {
            [sign, rest @ ..] if sign.is(Sign::Dash) => steps(base, rest, turn, &mut found),
            [sign, rest @ ..] if sign.is(Sign::Capture) => captures(base, rest, turn, &mut found),
            [digit, ..] if digit.rank.is_some() => steps(base, rest, turn, &mut found),
            _ => {}
        }
    }
    found.into_iter().map(MoveText::Piece).collect()
}

/// Splits off the leading pieces.
fn leading_pieces(symbols: &[Symbol]) -> (&[Symbol], &[Symbol]) {
    let count = symbols
        .iter()
        .take_while(|symbol| symbol.role.is_some())
        .count();
    symbols.split_at(count)
}

/// Parses a move to an empty square.
fn steps(base: Constraints, target: &[Symbol], turn: Color, found: &mut Vec<Constraints>) {
    for (to, rest) in squares_at_start(target, turn) {
        if let Some(promotion) = promotion(rest) {
            found.push(Constraints {
                to,
                promotion,
                takes: Takes::Nothing,
                ..base
            });
        }
    }
}

/// Parses the capture of a named piece, or of the piece on a square.
fn captures(base: Constraints, target: &[Symbol], turn: Color, found: &mut Vec<Constraints>) {
    for (to, rest) in squares_at_start(target, turn) {
        if let Some(promotion) = promotion(rest) {
            let takes = Takes::Something { role: None };
            found.push(Constraints {
                to,
                promotion,
                takes,
                ..base
            });
        }
    }
    let (pieces, _) = leading_pieces(target);
    for count in 1..=pieces.len().min(3) {
        let (names, rest) = target.split_at(count);
        let Some(taken) = named(names) else { continue };
        let places = [
            Some((ANYWHERE, rest)),
            split_place(rest, turn).filter(|found| found.1 != rest),
        ];
        for (place, rest) in places.into_iter().flatten() {
            if let Some(promotion) = promotion(rest) {
                found.push(Constraints {
                    to: taken.files & place,
                    promotion,
                    takes: Takes::Something {
                        role: Some(taken.role),
                    },
                    taken_wing: taken.wing,
                    ..base
                });
            }
        }
    }
}

/// Parses a piece of up to three letters: `N`, `QR`, `AR`, `KBP`.
fn named(names: &[Symbol]) -> Option<Named> {
    let mut roles = [Role::Pawn; 3];
    for (role, name) in roles.iter_mut().zip(names) {
        *role = name.role?;
    }
    let any = |role| {
        Some(Named {
            role,
            wing: None,
            files: ANYWHERE,
        })
    };
    match *roles.get(..names.len())? {
        [role] => any(role),
        [Role::Pawn, ref files @ ..] | [ref files @ .., Role::Pawn] => Some(Named {
            files: files_named(files)?,
            ..any(Role::Pawn)?
        }),
        [first, second] => {
            let (wing, role) = wing_and_piece(first, second)?;
            Some(Named {
                wing: Some(wing),
                ..any(role)?
            })
        }
        _ => None,
    }
}

/// Parses `QR` in English, `TD` in Spanish.
fn wing_and_piece(first: Role, second: Role) -> Option<(BoardHalf, Role)> {
    let on_wing = |role| matches!(role, Role::Rook | Role::Knight | Role::Bishop);
    match (first, second) {
        (Role::King, role) | (role, Role::King) if on_wing(role) => Some((BoardHalf::King, role)),
        (Role::Queen, role) | (role, Role::Queen) if on_wing(role) => {
            Some((BoardHalf::Queen, role))
        }
        _ => None,
    }
}

/// The files named by one or two pieces.
fn files_named(names: &[Role]) -> Option<Bitboard> {
    let both = |queenside: File| Bitboard::file(queenside) | Bitboard::file(queenside.mirrored());
    let of_piece = |role| match role {
        Role::Rook => both(File::A),
        Role::Knight => both(File::B),
        Role::Bishop => both(File::C),
        _ => Bitboard::EMPTY,
    };
    let files = match *names {
        [Role::King] => Bitboard::file(File::E),
        [Role::Queen] => Bitboard::file(File::D),
        [role] => of_piece(role),
        [first, second] => {
            let (wing, role) = wing_and_piece(first, second)?;
            of_piece(role) & wing.squares()
        }
        _ => Bitboard::EMPTY,
    };
    files.any().then_some(files)
}

/// The readings of the leading symbols as a square, each with the remaining symbols.
fn squares_at_start(
    symbols: &[Symbol],
    turn: Color,
) -> impl Iterator<Item = (Bitboard, &[Symbol])> {
    [1, 2].into_iter().filter_map(move |count| {
        let (square, rest) = symbols.split_at_checked(count + 1)?;
        let (digit, names) = match square {
            [digit, names @ ..] if digit.rank.is_some() => (digit, names),
            [names @ .., digit] => (digit, names),
            [] => return None,
        };
        let mut roles = [Role::Pawn; 2];
        for (role, name) in roles.iter_mut().zip(names) {
            *role = name.role?;
        }
        Some((files_named(&roles[..count])? & rank(digit, turn)?, rest))
    })
}

/// A rank, counted from the mover's side.
fn rank(digit: &Symbol, turn: Color) -> Option<Bitboard> {
    digit.rank.map(|rank| Bitboard::rank(rank.of_side(turn)))
}

/// Parses `(3)`, `(B3)`, `/3` or `/B3` as a set of squares, all squares if absent; `None` for anything else.
fn split_place(symbols: &[Symbol], turn: Color) -> Option<(Bitboard, &[Symbol])> {
    match symbols {
        [open, inner @ ..] if open.is(Sign::Open) => {
            let end = inner.iter().position(|symbol| symbol.is(Sign::Close))?;
            let (place, rest) = (&inner[..end], &inner[end + 1..]);
            Some((place_squares(place, turn)?, rest))
        }
        [slash, inner @ ..] if slash.is(Sign::Slash) => {
            let names = |symbol: &&Symbol| symbol.role.is_some() || symbol.rank.is_some();
            let (place, rest) = inner.split_at(inner.iter().take_while(names).count());
            Some((place_squares(place, turn)?, rest))
        }
        _ => Some((ANYWHERE, symbols)),
    }
}

fn place_squares(place: &[Symbol], turn: Color) -> Option<Bitboard> {
    match place {
        [digit] => rank(digit, turn),
        _ => squares_at_start(place, turn)
            .find(|(_, rest)| rest.is_empty())
            .map(|(squares, _)| squares),
    }
}

/// Parses the rest of a text as an optional promotion; `None` for anything else.
fn promotion(rest: &[Symbol]) -> Option<Option<Role>> {
    let new = match rest {
        [] => return Some(None),
        [new] => new,
        [sign, new] if sign.is(Sign::Equals) || sign.is(Sign::Slash) => new,
        [open, new, close] if open.is(Sign::Open) && close.is(Sign::Close) => new,
        _ => return None,
    };
    let role = new
        .promotion
        .or(new.role)
        .filter(|role| Role::PROMOTIONS.contains(role))?;
    Some(Some(role))
}
