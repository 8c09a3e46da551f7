//! Attack sets: knights and kings from tables, sliding pieces by subtraction.
//!
//! Sliding attacks use `o ^ (o - 2s)` on a line and on its mirror image ("hyperbola quintessence"). This needs 2 KiB of
//! masks where magic multiplication needs 800 KiB of tables, and a replay, which computes few attacks among much other
//! work, would have to fetch these tables from the second-level cache.

use super::{Bitboard, Color, File, Piece, Rank, Role, Square};

/// The lines through a square, without the square itself.
#[derive(Clone, Copy)]
struct Lines {
    file: u64,
    diagonal: u64,
    anti_diagonal: u64,
    rank: u64,
}

const KNIGHT_STEPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const KING_STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

static KNIGHT: [Bitboard; 64] = step_table(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = step_table(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [
    step_table(&[(-1, -1), (1, -1)]),
    step_table(&[(-1, 1), (1, 1)]),
];
static LINES: [Lines; 64] = lines_table();
/// Attacks along a rank, by the file of the piece and the six inner squares of the rank. A byte swap mirrors files and
/// diagonals, but not ranks.
static RANK: [[u8; 64]; 8] = rank_table();
/// Attacks on an empty board, by kind of piece; see [`origins`]. There are twelve kinds; with sixteen rows, an index of
/// four bits needs no bounds check.
static ORIGINS: [[Bitboard; 64]; 16] = origins_table();
static BETWEEN: [[Bitboard; 64]; 64] = between_table();
static THROUGH: [[Through; 64]; 64] = through_table();

/// The squares a knight attacks.
#[inline]
pub(crate) fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king attacks.
#[inline]
pub(crate) fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a pawn of this side attacks.
#[inline]
pub(crate) fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares a bishop attacks on a board with these occupied squares, including the first occupied square of each
/// diagonal.
#[inline]
pub(crate) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    let diagonal = along(square, occupied.0, lines.diagonal);
    let anti_diagonal = along(square, occupied.0, lines.anti_diagonal);

    Bitboard(diagonal | anti_diagonal)
}

/// The squares a rook attacks; see [`bishop`].
#[inline]
pub(crate) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let file = square.file().number() as usize;
    let shift = square.rank().number() * 8;

    // A piece on an outer square of the rank blocks nothing: there is no square behind it.
    let inner_squares = (occupied.0 >> (shift + 1)) as usize & 63;
    let along_rank = u64::from(RANK[file][inner_squares]) << shift;
    let along_file = along(square, occupied.0, LINES[square.index()].file);

    Bitboard(along_file | along_rank)
}

/// The squares a queen attacks; see [`bishop`].
#[inline]
pub(crate) fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares a piece of this role attacks.
#[inline]
pub(crate) fn of_role(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// The squares from which a piece would attack a square on an empty board.
#[inline]
pub(crate) const fn origins(piece: Piece, square: Square) -> Bitboard {
    ORIGINS[piece.kind() as usize & 15][square.index()]
}

/// The squares strictly between two squares of a line; empty if no line joins them.
#[inline]
pub(crate) fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, including both, by its direction; at most one field is non-empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Through {
    /// A rank or a file.
    pub straight: Bitboard,
    /// A diagonal.
    pub diagonal: Bitboard,
}

/// The line through two squares, if any.
#[inline]
pub(crate) fn through(a: Square, b: Square) -> Through {
    THROUGH[a.index()][b.index()]
}

/// The file and the rank of a square, excluding the square.
#[inline]
pub(crate) fn rook_lines(square: Square) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(lines.file | lines.rank)
}

/// The diagonals of a square, excluding the square.
#[inline]
pub(crate) fn bishop_lines(square: Square) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(lines.diagonal | lines.anti_diagonal)
}

/// Attacks along a file or diagonal: a byte swap turns the board upside down, and with it the half of the line that the
/// subtraction does not reach.
#[inline]
fn along(square: Square, occupied: u64, line: u64) -> u64 {
    let blockers = occupied & line;
    let slider = 1u64 << square.index();

    // The subtraction borrows from the first blocker above the slider, and changes all bits between the two.
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers
        .swap_bytes()
        .wrapping_sub(slider.swap_bytes() << 1)
        .swap_bytes();

    (up ^ down) & line
}

/// The squares that a piece with these steps reaches from each square. A step is a number of files and of ranks.
const fn step_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];

    let mut number = 0;
    while number < 64 {
        let from = Square::new(number);

        let mut step = 0;
        while step < steps.len() {
            let (files, ranks) = steps[step];
            if let Some(target) = from.offset(files, ranks) {
                table[from.index()] = table[from.index()].with(target);
            }
            step += 1;
        }
        number += 1;
    }

    table
}

/// The squares outwards from a square, including the first occupied one.
const fn ray(square: Square, (files, ranks): (i8, i8), occupied: u64) -> u64 {
    let mut reached = 0;
    let mut here = square;
    while let Some(next) = here.offset(files, ranks) {
        reached |= 1 << next.index();
        if occupied >> next.index() & 1 != 0 {
            break;
        }
        here = next;
    }
    reached
}

/// The file, the rank and the diagonals of each square, excluding the square.
const fn lines_table() -> [Lines; 64] {
    let mut table = [Lines {
        file: 0,
        diagonal: 0,
        anti_diagonal: 0,
        rank: 0,
    }; 64];

    let mut number = 0;
    while number < 64 {
        let square = Square::new(number);
        table[square.index()] = Lines {
            file: ray(square, (0, 1), 0) | ray(square, (0, -1), 0),
            diagonal: ray(square, (1, 1), 0) | ray(square, (-1, -1), 0),
            anti_diagonal: ray(square, (1, -1), 0) | ray(square, (-1, 1), 0),
            rank: ray(square, (1, 0), 0) | ray(square, (-1, 0), 0),
        };
        number += 1;
    }

    table
}

/// The squares from which a piece attacks a square on an empty board, by kind of piece and square.
const fn origins_table() -> [[Bitboard; 64]; 16] {
    let mut table = [[Bitboard::EMPTY; 64]; 16];

    let mut number = 0;
    while number < 64 {
        let lines = &LINES[number];
        let bishop = Bitboard(lines.diagonal | lines.anti_diagonal);
        let rook = Bitboard(lines.file | lines.rank);

        // A kind is `2 * role + color`. Pawns attack a square from where an opposing pawn on it would attack.
        let mut color = 0;
        while color < 2 {
            table[color][number] = PAWN[1 - color][number];
            table[2 + color][number] = KNIGHT[number];
            table[4 + color][number] = bishop;
            table[6 + color][number] = rook;
            table[8 + color][number] = Bitboard(bishop.0 | rook.0);
            table[10 + color][number] = KING[number];
            color += 1;
        }
        number += 1;
    }

    table
}

/// The attacks of a rook on the first rank, by file and by the occupancy of the six inner squares.
const fn rank_table() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];

    let mut file = 0;
    while file < 8 {
        let square = Square::at(File::new(file), Rank::ONE);

        let mut inner_squares = 0;
        while inner_squares < 64 {
            let occupied = (inner_squares as u64) << 1;
            let right = ray(square, (1, 0), occupied);
            let left = ray(square, (-1, 0), occupied);
            table[file as usize][inner_squares] = (right | left) as u8;
            inner_squares += 1;
        }
        file += 1;
    }

    table
}

/// The squares strictly between two squares of a line, for each pair of squares.
const fn between_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];

    let mut number = 0;
    while number < 64 {
        let from = Square::new(number);

        let mut step = 0;
        while step < 8 {
            let (files, ranks) = KING_STEPS[step];
            let mut here = from;
            let mut passed = Bitboard::EMPTY;
            while let Some(next) = here.offset(files, ranks) {
                table[from.index()][next.index()] = passed;
                passed = passed.with(next);
                here = next;
            }
            step += 1;
        }
        number += 1;
    }

    table
}

/// The line through two squares, for each pair of squares.
const fn through_table() -> [[Through; 64]; 64] {
    const NONE: Through = Through {
        straight: Bitboard::EMPTY,
        diagonal: Bitboard::EMPTY,
    };
    let mut table = [[NONE; 64]; 64];

    let mut number = 0;
    while number < 64 {
        let from = Square::new(number);

        let mut step = 0;
        while step < 8 {
            let (files, ranks) = KING_STEPS[step];
            let rays = ray(from, (files, ranks), 0) | ray(from, (-files, -ranks), 0);
            let line = Bitboard(rays).with(from);
            let through = if files == 0 || ranks == 0 {
                Through {
                    straight: line,
                    ..NONE
                }
            } else {
                Through {
                    diagonal: line,
                    ..NONE
                }
            };

            let mut here = from;
            while let Some(next) = here.offset(files, ranks) {
                table[from.index()][next.index()] = through;
                here = next;
            }
            step += 1;
        }
        number += 1;
    }

    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

    fn slow(square: Square, steps: &[(i8, i8)], occupied: Bitboard) -> Bitboard {
        let mut attacked = 0;
        for &step in steps {
            attacked |= ray(square, step, occupied.0);
        }
        Bitboard(attacked)
    }

    /// A fixed sequence of words, some with few bits set and some with many.
    fn occupancies() -> impl Iterator<Item = Bitboard> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..2000).map(move |i| match i % 3 {
            0 => Bitboard(next()),
            1 => Bitboard(next() & next()),
            _ => Bitboard(next() & next() & next()),
        })
    }

    #[test]
    fn sliding_attacks_equal_walking_the_board() {
        for occupied in occupancies() {
            for square in Square::all() {
                assert_eq!(rook(square, occupied), slow(square, &ROOK_STEPS, occupied));
                assert_eq!(
                    bishop(square, occupied),
                    slow(square, &BISHOP_STEPS, occupied)
                );
            }
        }
    }

    #[test]
    fn between_and_through_agree_with_attacks() {
        for a in Square::all() {
            for b in Square::all().filter(|&b| b != a) {
                let Through { straight, diagonal } = through(a, b);
                assert_eq!(straight.any(), rook_lines(a).contains(b), "{a} {b}");
                assert_eq!(diagonal.any(), bishop_lines(a).contains(b), "{a} {b}");
                assert_eq!(between(a, b), between(b, a), "{a} {b}");

                let line = straight | diagonal;
                if line.any() {
                    let ends = Bitboard::of(a) | Bitboard::of(b);
                    assert_eq!(line & ends, ends);

                    let walk = |f: fn(Square, Bitboard) -> Bitboard| f(a, ends) & f(b, ends);
                    let expected = if rook_lines(a).contains(b) {
                        walk(rook)
                    } else {
                        walk(bishop)
                    };
                    assert_eq!(between(a, b), expected & line & !ends, "{a} {b}");
                }
            }
        }
    }
}
