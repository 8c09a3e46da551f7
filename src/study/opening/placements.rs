//! The squares of pieces after some moves.

use crate::board::{Color, Piece, Role, Square};
use crate::game::Ply;
use crate::storage::PlayedGame;

/// The numbers of moves after which the squares of pieces are counted, unless the opening begins too late.
const MOVES: [u32; 2] = [15, 20];
/// For an opening that begins late, the numbers of moves after the beginning of the opening.
const LATE_MOVES: [u32; 2] = [5, 10];

/// The number of squares of a board.
const SQUARES: usize = 64;
/// The number of kinds of pieces: six roles in two colours.
const KINDS: usize = 12;

/// The squares of pieces after a number of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placements {
    /// The number of moves by each side.
    pub moves: u32,
    /// The number of games of the sample that have this number of moves.
    pub games: u64,
    /// The pieces: White's, then Black's, from the king to the pawns.
    pub pieces: Vec<PiecePlacement>,
}

/// The squares of one kind of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PiecePlacement {
    /// The piece.
    pub piece: Piece,
    /// Squares with the number of games in which the piece is there, the most frequent first.
    pub squares: Vec<(Square, u64)>,
}

/// The placements in games from the standard position, for an opening that begins after a number of half-moves.
pub(super) fn read_placements(games: &[PlayedGame], root_ply: usize) -> Vec<Placements> {
    let root_move = (root_ply as u32).div_ceil(2);
    let late_moves = LATE_MOVES.map(|moves| root_move + moves);
    let ([first_moves, _], [first_late_moves, _]) = (MOVES, late_moves);
    let moves = if first_late_moves > first_moves {
        late_moves
    } else {
        MOVES
    };
    let [_, last_moves] = moves;
    let last_ply = Ply::new(2 * last_moves);

    let mut counters = moves.map(|moves| PlacementCounter {
        moves,
        games: 0,
        squares: [[0; SQUARES]; KINDS],
    });
    for game in games {
        let Some(mut line) = game.mainline() else {
            continue;
        };

        while let Some((_, mv)) = line.step() {
            line.play(mv);

            let ply = line.ply();
            for counter in &mut counters {
                if ply.get() == 2 * counter.moves {
                    counter.add_game(&line.position().setup().pieces);
                }
            }
            if ply >= last_ply {
                break;
            }
        }
    }

    counters
        .into_iter()
        .filter(|counter| counter.games > 0)
        .map(PlacementCounter::placements)
        .collect()
}

/// Counts the squares of pieces after a number of moves, while games are replayed.
struct PlacementCounter {
    moves: u32,
    games: u64,
    /// For each kind of piece, the games in which it is on each square.
    squares: [[u64; SQUARES]; KINDS],
}

/// All kinds of pieces: White's from the king to the pawn, then Black's.
fn kinds() -> impl Iterator<Item = Piece> {
    let roles = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    Color::ALL
        .into_iter()
        .flat_map(move |color| roles.map(|role| Piece { color, role }))
}

impl PlacementCounter {
    /// Adds the pieces of a game, by their squares.
    fn add_game(&mut self, pieces: &[Option<Piece>; SQUARES]) {
        self.games += 1;
        for (kind, counts) in kinds().zip(&mut self.squares) {
            for (piece, count) in pieces.iter().zip(counts) {
                *count += u64::from(*piece == Some(kind));
            }
        }
    }

    fn placements(self) -> Placements {
        let mut pieces = Vec::with_capacity(self.squares.len());
        for (piece, counts) in kinds().zip(self.squares) {
            let mut squares: Vec<(Square, u64)> = Square::all()
                .zip(counts)
                .filter(|(_, games)| *games > 0)
                .collect();
            squares.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
            pieces.push(PiecePlacement { piece, squares });
        }

        Placements {
            moves: self.moves,
            games: self.games,
            pieces,
        }
    }
}
