//! An independent oracle for pattern queries: shakmaty replays, and squares are examined one by one.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Move, Position as _, Role, Square};

mod parts;

pub(crate) use parts::PatternQuery;

/// A board as 64 FEN letters from a1 to h8, `_` for empty squares.
pub(crate) type Board = [char; 64];

/// A replayed game.
pub(crate) struct PlainGame {
    pub(crate) id: i64,
    pub(crate) fen: Option<String>,
    pub(crate) moves: String,
    pub(crate) final_fen: String,
    /// Before the first move, and after each.
    pub(crate) boards: Vec<(Board, char)>,
    pub(crate) played: Vec<(Move, String)>,
}

/// A symmetry under which a game is examined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mirror {
    pub(crate) colors: bool,
    pub(crate) files: bool,
}

impl Mirror {
    fn turn(self, color: char) -> char {
        match (self.colors, color) {
            (true, 'w') => 'b',
            (true, _) => 'w',
            (false, color) => color,
        }
    }

    /// The board under this symmetry.
    pub(crate) fn board(self, board: &Board) -> Board {
        let mut seen = ['_'; 64];
        for (at, &letter) in board.iter().enumerate() {
            // With other colors, a white piece becomes a black one and stands on the other side.
            seen[self.square(at)] = match (self.colors, letter.is_ascii_uppercase()) {
                (false, _) => letter,
                (true, true) => letter.to_ascii_lowercase(),
                (true, false) => letter.to_ascii_uppercase(),
            };
        }
        seen
    }

    fn square(self, at: usize) -> usize {
        // The rank is in the bits above the file: one mask mirrors the ranks, the other one the files.
        let at = if self.colors { at ^ 56 } else { at };
        if self.files { at ^ 7 } else { at }
    }
}

impl PlainGame {
    pub(crate) fn replay(id: i64, fen: Option<String>, moves: String, final_fen: String) -> Self {
        let mut position = fen.as_deref().map_or_else(Chess::default, start);
        let mut boards = vec![board(&position)];
        let mut played = Vec::new();
        for text in moves.split(' ').filter(|text| !text.is_empty()) {
            let san = SanPlus::from_ascii(text.as_bytes()).expect("a move").san;
            let mv = san.to_move(&position).expect("a legal move");
            position.play_unchecked(mv);
            boards.push(board(&position));
            played.push((mv, text.to_owned()));
        }

        PlainGame {
            id,
            fen,
            moves,
            final_fen,
            boards,
            played,
        }
    }

    /// The number of half-moves before the first position where the query matches.
    pub(crate) fn first(&self, query: &PatternQuery) -> Option<u32> {
        let mut starts = 0..self.boards.len();
        let first = starts.find(|&start| self.holds_from(start, query));
        first.map(|start| start as u32)
    }

    fn holds_from(&self, start: usize, query: &PatternQuery) -> bool {
        let mut mirrors = query.mirrors();
        mirrors.any(|mirror| self.holds_under(mirror, start, query))
    }

    /// Whether a query matches at a position under a symmetry. A query for several positions or moves needs as many
    /// from this position on.
    fn holds_under(&self, mirror: Mirror, start: usize, query: &PatternQuery) -> bool {
        let Some(run) = self.boards.get(start..start + query.positions) else {
            return false;
        };
        if !run.iter().all(|at| self.holds(at, mirror, query)) {
            return false;
        }

        let (_, turn) = self.boards[start];
        if query.first.is_some_and(|first| first != mirror.turn(turn)) {
            return false;
        }

        let Some(played) = self.played.get(start..start + query.steps.len()) else {
            return false;
        };
        let mut steps = played.iter().zip(&query.steps);
        steps.all(|((mv, text), step)| is_meant(mv, text, step, mirror))
    }

    fn holds(&self, (board, turn): &(Board, char), mirror: Mirror, query: &PatternQuery) -> bool {
        if query
            .turn
            .is_some_and(|wanted| wanted != mirror.turn(*turn))
        {
            return false;
        }

        let seen = mirror.board(board);
        if let Some(pattern) = &query.pattern
            && !has_pattern(&seen, pattern)
        {
            return false;
        }
        let mut conditions = query.conditions.iter();
        conditions.all(|condition| condition.holds(&seen))
    }
}

/// The position of a FEN of standard chess or of Chess960.
fn start(fen: &str) -> Chess {
    let fen = Fen::from_ascii(fen.as_bytes()).expect("a FEN");
    fen.into_position(CastlingMode::Chess960)
        .expect("a legal position")
}

/// The board of a position, and the side to move.
fn board(position: &Chess) -> (Board, char) {
    // shakmaty numbers the squares as a board does: from a1 along the ranks.
    let letter = |at: usize| {
        let square = Square::new(at as u32);
        let piece = position.board().piece_at(square);
        piece.map_or('_', |piece| piece.char())
    };
    let board = std::array::from_fn(letter);

    let turn = if position.turn().is_white() { 'w' } else { 'b' };
    (board, turn)
}

fn has_pattern(board: &Board, pattern: &str) -> bool {
    for (number, rank) in pattern.split('/').enumerate() {
        // A pattern begins with the eighth rank, a board with the first one.
        let first = 8 * (7 - number);
        let squares = &board[first..first + 8];
        let rank: Vec<char> = rank.chars().collect();
        if !fits(&rank, squares, rank.contains(&'*')) {
            return false;
        }
    }
    true
}

/// Whether squares match a rank of a pattern; without a `*`, trailing squares are ignored.
fn fits(rank: &[char], squares: &[char], is_exact: bool) -> bool {
    match (rank, squares) {
        ([], rest) => rest.is_empty() || !is_exact,

        // A star may pass any number of squares: all are tried.
        (['*', after @ ..], _) => {
            let mut numbers = 0..=squares.len();
            numbers.any(|passed| fits(after, &squares[passed..], is_exact))
        }

        // A digit is a number of empty squares, as in a FEN.
        ([digit @ '1'..='8', after @ ..], _) => {
            let count = digit.to_digit(10).expect("a digit") as usize;
            let Some(run) = squares.get(..count) else {
                return false;
            };
            let is_empty = run.iter().all(|&square| square == '_');
            is_empty && fits(after, &squares[count..], is_exact)
        }

        // One of several letters, or none of them.
        (['[', after @ ..], [square, rest @ ..]) => {
            let bracket = after.iter().position(|&letter| letter == ']');
            let end = bracket.expect("a bracket");
            let is_one = match &after[..end] {
                ['^', letters @ ..] => !letters.iter().any(|&letter| is_like(*square, letter)),
                letters => letters.iter().any(|&letter| is_like(*square, letter)),
            };
            is_one && fits(&after[end + 1..], rest, is_exact)
        }

        ([letter, after @ ..], [square, rest @ ..]) => {
            is_like(*square, *letter) && fits(after, rest, is_exact)
        }
        _ => false,
    }
}

fn is_like(square: char, letter: char) -> bool {
    match letter {
        '?' => true,
        '!' => square != '_',
        'A' => square.is_ascii_uppercase(),
        'a' => square.is_ascii_lowercase(),
        letter => square == letter,
    }
}

/// Whether a move matches a text in SAN, which may be partial.
fn is_meant(mv: &Move, text: &str, step: &str, mirror: Mirror) -> bool {
    let has_mark = match step.chars().last() {
        Some('#') => text.ends_with('#'),
        // A mate is a check.
        Some('+') => text.ends_with(['+', '#']),
        _ => true,
    };
    if !has_mark {
        return false;
    }

    let step = step.trim_end_matches(['+', '#']);
    if let Move::Castle { king, rook } = mv {
        // Mirrored from left to right, castling on the king's side is on the queen's side.
        let is_short = (rook.file() > king.file()) != mirror.files;
        let san = if is_short { "O-O" } else { "O-O-O" };
        return step == san;
    }

    let (letter, squares) = match step.chars().next() {
        Some(letter) if letter.is_ascii_uppercase() => (letter, &step[1..]),
        _ => ('P', step),
    };
    let (squares, promotion) = match squares.split_once('=') {
        Some((squares, role)) => (squares, Some(role)),
        None => (squares, None),
    };
    let Some((hints, target)) = squares.split_at_checked(squares.len().wrapping_sub(2)) else {
        return false;
    };

    let seen = |square: Square| Square::new(mirror.square(square.to_usize()) as u32).to_string();
    let from = seen(mv.from().expect("no drop"));
    let to = seen(mv.to());
    let promoted = mv.promotion().map(|role| role.upper_char().to_string());
    if letter != mv.role().upper_char() || target != to || promotion != promoted.as_deref() {
        return false;
    }

    // A pawn without an origin file in the text stays on its own.
    let stays = mv.role() == Role::Pawn && hints.is_empty();
    if stays && from[..1] != to[..1] {
        return false;
    }
    if hints.contains('x') && !mv.is_capture() {
        return false;
    }
    let mut letters = hints.chars();
    letters.all(|hint| hint == 'x' || from.contains(hint))
}
