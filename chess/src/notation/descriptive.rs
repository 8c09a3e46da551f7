//! Descriptive notation: English (`P-K4`, `N(3)-B3`, `PxP`), and number first, as in Spanish and old French books
//! (`P4R`, `C3AR`, `P.4FD`, `C pr PD`).
//!
//! Files are named after the pieces that start on them, and ranks count from the mover's side. `B3` may be either of
//! two squares. If a text matches several legal moves, the position and the rest of the text decide.
//!
//! ```text
//! move    = mover [place] ( "-" square | square | "x" ( taken [place] | square ) ) [promotion]
//! mover   = [wing] piece | piece wing | [file-name] pawn | pawn file-name
//! square  = file-name digit | digit file-name
//! place   = "(" digit | square ")" | "/" digit | "/" square
//! ```

use std::borrow::Cow;

use super::constraints::{BoardHalf, Constraints, MoveText, Roles, Takes};
use super::symbol::{Sign, Symbol};
use crate::board::{Bitboard, CastlingSide, Color, File, Role};

/// The maximum number of letters that name a piece: a wing, a piece and `P` for the pawn on its file, as in `KBP`.
const MAX_NAME_LETTERS: usize = 3;

/// The maximum number of letters that name a file: a wing and a piece, as in `KB`.
const MAX_FILE_LETTERS: usize = 2;

/// The parts of a text that name one piece, the moving or the captured one.
#[derive(Clone, Copy)]
struct Named {
    role: Role,
    wing: Option<BoardHalf>,
    /// The possible files of a pawn.
    files: Bitboard,
}

impl Named {
    /// Any piece of a role.
    fn any(role: Role) -> Named {
        Named {
            role,
            wing: None,
            files: Bitboard::FULL,
        }
    }
}

/// Parses `Castles`, with the side if the text names it.
pub(super) fn castles(text: &str) -> Option<MoveText> {
    let rest = text
        .strip_prefix("Castles")
        .or_else(|| text.strip_prefix("castles"))?;
    let side = rest.trim_start_matches([' ', '(', '-', '.']);

    let side = match side.as_bytes().first() {
        None => None,
        Some(b'K' | b'k') => Some(CastlingSide::King),
        Some(b'Q' | b'q') => Some(CastlingSide::Queen),
        Some(_) => return None,
    };

    Some(MoveText::Castle(side))
}

/// The text with signs in place of the words `takes`, `pr` and `to`, without dots, and in English with `N` for `Kt`.
pub(super) fn with_signs(text: &str, is_english: bool) -> Cow<'_, str> {
    // `takes`, `to`, `Kt`, `pr` and the dots: most texts have no such character.
    if !text.contains(['t', '.', 'r']) {
        return Cow::Borrowed(text);
    }

    // The dots last, since `pr.` has one.
    let signs = text
        .replace("takes", "x")
        .replace(" to ", "-")
        .replace("pr.", "x")
        .replace(" pr ", "x")
        .replace('.', "");

    if is_english {
        Cow::Owned(signs.replace("Kt", "N").replace("kt", "n"))
    } else {
        Cow::Owned(signs)
    }
}

/// All readings of the symbols.
pub(super) fn parse(symbols: &[Symbol], turn: Color) -> Vec<MoveText> {
    let (names, rest) = leading_pieces(symbols);
    let Some(mover) = named(names) else {
        return Vec::new();
    };
    let Some((place, rest)) = split_place(rest, turn) else {
        return Vec::new();
    };

    let base = Constraints {
        roles: Roles::of(mover.role),
        from: mover.files & place,
        wing: mover.wing,
        ..Constraints::to(Bitboard::FULL)
    };

    let mut found = Vec::new();
    match rest {
        [sign, target @ ..] if sign.is(Sign::Dash) => steps(base, target, turn, &mut found),
        [sign, target @ ..] if sign.is(Sign::Capture) => captures(base, target, turn, &mut found),
        // Where the number comes first, no dash precedes it: `P4R`.
        [digit, ..] if digit.rank.is_some() => steps(base, rest, turn, &mut found),
        _ => {}
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
    let step = Constraints {
        takes: Takes::Nothing,
        ..base
    };
    moves_to_squares(step, target, turn, found);
}

/// Adds a move to each square that the leading symbols may name, with the rest of the text as a promotion.
fn moves_to_squares(
    base: Constraints,
    target: &[Symbol],
    turn: Color,
    found: &mut Vec<Constraints>,
) {
    for (to, rest) in squares_at_start(target, turn) {
        if let Some(promotion) = optional_promotion(rest) {
            found.push(Constraints {
                to,
                promotion,
                ..base
            });
        }
    }
}

/// Parses the capture of a named piece, or of the piece on a square.
fn captures(base: Constraints, target: &[Symbol], turn: Color, found: &mut Vec<Constraints>) {
    let capture = Constraints {
        takes: Takes::Something { role: None },
        ..base
    };
    moves_to_squares(capture, target, turn, found);

    // `PxPD` takes the queen's pawn, or takes a pawn and promotes to a queen: the legal moves decide.
    let (pieces, _) = leading_pieces(target);
    for count in 1..=pieces.len().min(MAX_NAME_LETTERS) {
        let (names, rest) = target.split_at(count);
        let Some(taken) = named(names) else {
            continue;
        };

        captures_of(taken, base, rest, turn, found);
    }
}

/// Adds the captures of a named piece: with the rest of the text as a promotion, and with a place before it.
fn captures_of(
    taken: Named,
    base: Constraints,
    rest: &[Symbol],
    turn: Color,
    found: &mut Vec<Constraints>,
) {
    let anywhere = Some((Bitboard::FULL, rest));
    let at_place = split_place(rest, turn).filter(|(_, after)| *after != rest);

    for (place, after) in [anywhere, at_place].into_iter().flatten() {
        let Some(promotion) = optional_promotion(after) else {
            continue;
        };

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

/// Parses a piece of up to three letters: `N`, `QR`, `AR`, `KBP`.
fn named(names: &[Symbol]) -> Option<Named> {
    let mut roles = [Role::Pawn; MAX_NAME_LETTERS];
    for (role, name) in roles.iter_mut().zip(names) {
        *role = name.role?;
    }

    match *roles.get(..names.len())? {
        [role] => Some(Named::any(role)),
        // A pawn with its file: `KBP` in English, `PAR` in Spanish.
        [Role::Pawn, ref files @ ..] | [ref files @ .., Role::Pawn] => Some(Named {
            files: files_named(files)?,
            ..Named::any(Role::Pawn)
        }),
        [first, second] => {
            let (wing, role) = wing_and_piece(first, second)?;

            Some(Named {
                wing: Some(wing),
                ..Named::any(role)
            })
        }
        _ => None,
    }
}

/// Parses a piece with its wing, in either order: `QR` in English, `TD` in Spanish.
fn wing_and_piece(first: Role, second: Role) -> Option<(BoardHalf, Role)> {
    let (wing, role) = match (first, second) {
        (Role::King, role) | (role, Role::King) => (BoardHalf::King, role),
        (Role::Queen, role) | (role, Role::Queen) => (BoardHalf::Queen, role),
        _ => return None,
    };

    match role {
        Role::Rook | Role::Knight | Role::Bishop => Some((wing, role)),
        _ => None,
    }
}

/// The files named by one or two pieces: `R` is the a- and the h-file, `KR` the h-file.
fn files_named(names: &[Role]) -> Option<Bitboard> {
    let files = match *names {
        [Role::King] => Bitboard::file(File::E),
        [Role::Queen] => Bitboard::file(File::D),
        [role] => files_of_pair(role),
        [first, second] => {
            let (wing, role) = wing_and_piece(first, second)?;
            files_of_pair(role) & wing.squares()
        }
        _ => Bitboard::EMPTY,
    };

    if files.any() { Some(files) } else { None }
}

/// The two files on which the rooks, knights or bishops start; no files for other roles.
fn files_of_pair(role: Role) -> Bitboard {
    let queenside = match role {
        Role::Rook => File::A,
        Role::Knight => File::B,
        Role::Bishop => File::C,
        _ => return Bitboard::EMPTY,
    };

    Bitboard::file(queenside) | Bitboard::file(queenside.mirrored())
}

/// The readings of the leading symbols as a square, each with the remaining symbols.
fn squares_at_start(
    symbols: &[Symbol],
    turn: Color,
) -> impl Iterator<Item = (Bitboard, &[Symbol])> {
    (1..=MAX_FILE_LETTERS).filter_map(move |letters| square_at_start(symbols, letters, turn))
}

/// The leading symbols as a digit and the `letters` letters of a file, and the remaining symbols.
fn square_at_start(
    symbols: &[Symbol],
    letters: usize,
    turn: Color,
) -> Option<(Bitboard, &[Symbol])> {
    let (square, rest) = symbols.split_at_checked(letters + 1)?;
    let (digit, names) = match square {
        [digit, names @ ..] if digit.rank.is_some() => (digit, names),
        [names @ .., digit] => (digit, names),
        [] => return None,
    };

    let mut roles = [Role::Pawn; MAX_FILE_LETTERS];
    for (role, name) in roles.iter_mut().zip(names) {
        *role = name.role?;
    }

    let files = files_named(roles.get(..letters)?)?;
    let rank = rank(digit, turn)?;
    Some((files & rank, rest))
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
            let place = place_squares(&inner[..end], turn)?;
            let rest = &inner[end + 1..];

            Some((place, rest))
        }
        [slash, inner @ ..] if slash.is(Sign::Slash) => {
            let end = inner
                .iter()
                .take_while(|symbol| symbol.role.is_some() || symbol.rank.is_some())
                .count();
            let place = place_squares(&inner[..end], turn)?;
            let rest = &inner[end..];

            Some((place, rest))
        }
        _ => Some((Bitboard::FULL, symbols)),
    }
}

/// The squares of a digit alone, or of a file and a digit.
fn place_squares(place: &[Symbol], turn: Color) -> Option<Bitboard> {
    if let [digit] = place {
        return rank(digit, turn);
    }

    let (squares, _) = squares_at_start(place, turn).find(|(_, rest)| rest.is_empty())?;
    Some(squares)
}

/// Parses the rest of a text as an optional promotion: `Some(None)` for no text, `None` for anything else.
fn optional_promotion(rest: &[Symbol]) -> Option<Option<Role>> {
    let new = match rest {
        [] => return Some(None),
        [new] => new,
        [sign, new] if sign.is(Sign::Equals) || sign.is(Sign::Slash) => new,
        [open, new, close] if open.is(Sign::Open) && close.is(Sign::Close) => new,
        _ => return None,
    };

    let role = new.promotion.or(new.role)?;
    if Role::PROMOTIONS.contains(&role) {
        Some(Some(role))
    } else {
        None
    }
}
