//! Possible origins of a move, by the first character of its text and its target.

use crate::board::{Bitboard, Color, File, Piece, Rank, Role, Square, attacks};

/// The meaning of a move text's first character: a role, or the file of a pawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    /// The index in [`ORIGINS`].
    row: u8,
    /// The role of the moving piece.
    pub(super) role: Role,
}

/// Movers by first character. Characters that name no piece have a row without squares.
pub(super) static MOVERS: [Mover; 256] = movers();

/// The squares from which a piece may come on an empty board, by side to move, [`Mover`] and target.
static ORIGINS: [[[Bitboard; 64]; 16]; 2] = [origins(Color::Black), origins(Color::White)];

/// The row of characters that name no piece.
const NO_MOVER: u8 = 15;
/// The row of a-file pawns, behind the rows of the five pieces; the other files follow.
const PAWNS: u8 = 5;

impl Mover {
    /// The squares from which this piece of a side may reach a target.
    #[inline(always)]
    pub(super) fn origins(self, color: Color, to: Square) -> Bitboard {
        ORIGINS[color.index()][self.row as usize & 15][to.index()]
    }

    /// Returns `true` if a pawn of this file leaves the file by moving to a target.
    #[inline(always)]
    pub(super) fn is_pawn_capture(self, to: Square) -> bool {
        matches!(self.role, Role::Pawn) && self.row != PAWNS + to.file().number()
    }
}

/// The table of [`MOVERS`].
const fn movers() -> [Mover; 256] {
    let mut table = [Mover {
        row: NO_MOVER,
        role: Role::King,
    }; 256];

    let mut file = 0;
    while file < 8 {
        table[(b'a' + file) as usize] = Mover {
            row: PAWNS + file,
            role: Role::Pawn,
        };
        file += 1;
    }

    // All roles but the pawn, which is the first.
    let mut row = 0;
    while row < PAWNS {
        let role = Role::ALL[row as usize + 1];
        table[role.letter() as usize] = Mover { row, role };
        row += 1;
    }

    table
}

/// The table of [`ORIGINS`] for one side, by row and target.
const fn origins(color: Color) -> [[Bitboard; 64]; 16] {
    let mut table = [[Bitboard::EMPTY; 64]; 16];

    let mut target = 0;
    while target < 64 {
        let to = Square::new(target as u8);

        let mut row = 0;
        while row < PAWNS as usize {
            let piece = Piece {
                color,
                role: Role::ALL[row + 1],
            };
            table[row][target] = attacks::origins(piece, to);
            row += 1;
        }

        let mut file = 0;
        while file < 8 {
            let row = PAWNS as usize + file as usize;
            table[row][target] = pawn_origins(color, File::new(file), to);
            file += 1;
        }

        target += 1;
    }

    table
}

/// The squares on a file from which a pawn reaches a target by a step, a double step or a capture.
const fn pawn_origins(color: Color, file: File, to: Square) -> Bitboard {
    let back: i8 = if color.is_white() { -1 } else { 1 };
    let double_step_rank = Rank::FOUR.of_side(color);
    let files_back = file.number() as i8 - to.file().number() as i8;
    let mut found = Bitboard::EMPTY;

    if let Some(from) = to.offset(files_back, back)
        && to.file().distance(file) < 2
    {
        found = found.with(from);
    }

    if let Some(from) = to.offset(0, 2 * back)
        && to.file().distance(file) == 0
        && to.rank().distance(double_step_rank) == 0
    {
        found = found.with(from);
    }

    found
}
