//! The 960 start positions of Chess960, by their standard numbers.

/// The number of the standard arrangement.
pub(crate) const STANDARD: usize = 518;

/// The FEN of a start position, with castling rights as `KQkq`.
pub(crate) fn fen(number: usize) -> String {
    let white = home_rank(number);
    let black = white.to_ascii_lowercase();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
}

/// Places bishops, queen and knights by the digits of the number, then rook, king, rook on the free squares.
fn home_rank(number: usize) -> String {
    const KNIGHTS: [(usize, usize); 10] = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];

    // Bishops on b, d, f, h and on a, c, e, g.
    let mut rank = [' '; 8];
    rank[number % 4 * 2 + 1] = 'B';
    rank[number / 4 % 4 * 2] = 'B';
    put(&mut rank, number / 16 % 6, 'Q');

    // The second knight first, so that the first one's number still counts free squares.
    let (first, second) = KNIGHTS[number / 96];
    put(&mut rank, second, 'N');
    put(&mut rank, first, 'N');

    for piece in ['R', 'K', 'R'] {
        put(&mut rank, 0, piece);
    }
    rank.iter().collect()
}

/// Puts a piece on the free square with this number, counted from the a-file.
fn put(rank: &mut [char; 8], nth_free: usize, piece: char) {
    let mut free_squares = rank.iter_mut().filter(|square| **square == ' ');
    if let Some(square) = free_squares.nth(nth_free) {
        *square = piece;
    }
}
