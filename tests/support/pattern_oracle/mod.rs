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
            seen[self.square(at)] = match (self.colors, letter.is_ascii_uppercase()) {
                (false, _) => letter,
                (true, true) => letter.to_ascii_lowercase(),
                (true, false) => letter.to_ascii_uppercase(),
            };
        }
        seen
    }

    fn square(self, at: usize) -> usize {
        let at = if self.colors { at ^ 56 } else { at };
        if self.files { at ^ 7 } else { at }
    }
}

impl PlainGame {
    pub(crate) fn replay(id: i64, fen: Option<String>, moves: String, final_fen: String) -> Self {
        let mut position = match &fen {
            None => Chess::default(),
            Some(fen) => Fen::from_ascii(fen.as_bytes())
                .expect("a FEN")
                .into_position(CastlingMode::Chess960)
                .expect("a legal position"),
        };
        let (mut boards, mut played) = (vec![board(&position)], Vec::new());
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
        let starts = 0..self.boards.len();
        starts
            .into_iter()
            .find(|&start| self.holds_from(start, query))
            .map(|start| start as u32)
    }

    fn holds_from(&self, start: usize, query: &PatternQuery) -> bool {
        query.mirrors().any(|mirror| {
            let run = self.boards.get(start..start + query.positions);
            let steps = self.played.get(start..start + query.steps.len());
            let first = mirror.turn(self.boards[start].1);
            run.is_some_and(|run| run.iter().all(|at| self.holds(at, mirror, query)))
                && query.first.is_none_or(|turn| turn == first)
                && steps.is_some_and(|steps| {
                    let steps = steps.iter().zip(&query.steps);
                    steps
                        .clone()
                        .all(|((mv, text), step)| is_meant(mv, text, step, mirror))
                })
        })
    }

    fn holds(&self, (board, turn): &(Board, char), mirror: Mirror, query: &PatternQuery) -> bool {
        let seen = mirror.board(board);
        query
            .turn
            .is_none_or(|turn_to_move| turn_to_move == mirror.turn(*turn))
            && query
                .pattern
                .as_ref()
                .is_none_or(|pattern| has_pattern(&seen, pattern))
            && query
                .conditions
                .iter()
                .all(|condition| condition.holds(&seen))
    }
}

fn board(position: &Chess) -> (Board, char) {
    let letter = |at: u32| {
        position
            .board()
            .piece_at(Square::new(at))
            .map_or('_', |p| p.char())
    };
    let board = std::array::from_fn(|at| letter(at as u32));
    (board, if position.turn().is_white() { 'w' } else { 'b' })
}

fn has_pattern(board: &Board, pattern: &str) -> bool {
    pattern.split('/').enumerate().all(|(number, rank)| {
        let from = 8 * (7 - number);
        let rank: Vec<char> = rank.chars().collect();
        fits(&rank, &board[from..from + 8], rank.contains(&'*'))
    })
}

/// Whether squares match a rank of a pattern; without a `*`, trailing squares are ignored.
fn fits(rank: &[char], squares: &[char], is_exact: bool) -> bool {
    match (rank, squares) {
        ([], rest) => rest.is_empty() || !is_exact,
        (['*', after @ ..], _) => {
            (0..=squares.len()).any(|passed| fits(after, &squares[passed..], is_exact))
        }
        ([digit @ '1'..='8', after @ ..], _) => {
            let count = digit.to_digit(10).expect("a digit") as usize;
            let empty = squares
                .get(..count)
                .is_some_and(|empty| empty.iter().all(|&c| c == '_'));
            empty && fits(after, &squares[count..], is_exact)
        }
        (['[', after @ ..], [square, rest @ ..]) => {
            let end = after
                .iter()
                .position(|&letter| letter == ']')
                .expect("a bracket");
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
    let mark_fits = match step.chars().last() {
        Some('#') => text.ends_with('#'),
        Some('+') => text.ends_with(['+', '#']),
        _ => true,
    };
    let step = step.trim_end_matches(['+', '#']);
    if let Move::Castle { king, rook } = mv {
        let is_short = (rook.file() > king.file()) != mirror.files;
        return mark_fits && step == if is_short { "O-O" } else { "O-O-O" };
    }
    let seen = |square: Square| Square::new(mirror.square(square.to_usize()) as u32).to_string();
    let (from, to) = (seen(mv.from().expect("no drop")), seen(mv.to()));
    let (letter, rest) = match step.chars().next() {
        Some(letter) if letter.is_ascii_uppercase() => (letter, &step[1..]),
        _ => ('P', step),
    };
    let (rest, promotion) = rest
        .split_once('=')
        .map_or((rest, None), |(a, b)| (a, Some(b)));
    let Some((hints, target)) = rest.split_at_checked(rest.len().wrapping_sub(2)) else {
        return false;
    };
    // A pawn without an origin file in the text stays on its own.
    let stays = mv.role() == Role::Pawn && hints.is_empty();
    mark_fits
        && letter == mv.role().upper_char()
        && target == to
        && hints.chars().all(|hint| hint == 'x' || from.contains(hint))
        && (!hints.contains('x') || mv.is_capture())
        && (!stays || from[..1] == to[..1])
        && promotion
            == mv
                .promotion()
                .map(|role| role.upper_char().to_string())
                .as_deref()
}
