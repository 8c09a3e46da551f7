//! Random pattern queries, as text for the program and as values for the oracle.

use std::num::NonZeroU32;

use stamma::query::{BoardPattern, Flip, Material, MoveSequence, PositionParts, PositionQuery};

use super::{Board, Mirror, PlainGame};
use crate::support::random::Random;

/// A query in plain parts.
#[derive(Clone, Debug)]
pub(crate) struct PatternQuery {
    pub(crate) pattern: Option<String>,
    pub(crate) turn: Option<char>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) steps: Vec<String>,
    pub(crate) first: Option<char>,
    pub(crate) positions: usize,
    colors: bool,
    files: bool,
}

/// A condition on the material.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    measure: &'static str,
    sign: &'static str,
    number: i32,
}

const MEASURES: [&str; 15] = [
    "P",
    "N",
    "B",
    "R",
    "Q",
    "p",
    "n",
    "b",
    "r",
    "q",
    "pieces",
    "white",
    "black",
    "pawns",
    "difference",
];
const SIGNS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

impl Condition {
    pub(crate) fn holds(&self, board: &Board) -> bool {
        if self.measure == "bishops" {
            return self.holds_for_bishops(board);
        }

        let measured = measured(self.measure, board);
        match self.sign {
            "=" => measured == self.number,
            "!=" => measured != self.number,
            "<" => measured < self.number,
            "<=" => measured <= self.number,
            ">" => measured > self.number,
            _ => measured >= self.number,
        }
    }

    /// Whether each side has one bishop, on squares of the `same` color or of `opposite` colors.
    fn holds_for_bishops(&self, board: &Board) -> bool {
        let squares = |bishop: char| -> Vec<usize> {
            let squares = 0..board.len();
            squares.filter(|&at| board[at] == bishop).collect()
        };
        let (white, black) = (squares('B'), squares('b'));
        let ([white], [black]) = (&white[..], &black[..]) else {
            return false;
        };

        // a1 is dark, and the color changes with each file and each rank.
        let is_dark = |at: usize| (at / 8 + at % 8).is_multiple_of(2);
        let is_same = is_dark(*white) == is_dark(*black);
        is_same == (self.sign == "=same")
    }

    fn text(&self) -> String {
        match self.measure {
            "bishops" => format!("bishops{}", self.sign),
            measure => format!("{measure}{}{}", self.sign, self.number),
        }
    }

    /// A condition that holds on a board, or nearly.
    fn draw(random: &mut Random, board: &Board) -> Condition {
        if random.once_in(8) {
            let sign = *random.choose(&["=same", "=opposite"]);
            return Condition {
                measure: "bishops",
                sign,
                number: 0,
            };
        }

        let measure = *random.choose(&MEASURES);
        // One less than on the board, as many, or one more: with any sign, some of these hold and some do not.
        let number = measured(measure, board) + random.below(3) as i32 - 1;
        let sign = *random.choose(&SIGNS);
        Condition {
            measure,
            sign,
            number,
        }
    }
}

fn measured(measure: &str, board: &Board) -> i32 {
    let count = |is_counted: &dyn Fn(char) -> bool| {
        let letters = board.iter().filter(|&&letter| is_counted(letter));
        letters.count() as i32
    };

    match measure {
        "pieces" => count(&|letter| letter != '_'),
        "white" => count(&|letter| letter.is_ascii_uppercase()),
        "black" => count(&|letter| letter.is_ascii_lowercase()),
        "pawns" => count(&|letter| letter == 'p' || letter == 'P'),
        "difference" => {
            let mut difference = 0;
            for (white, points) in [('P', 1), ('N', 3), ('B', 3), ('R', 5), ('Q', 9)] {
                let black = white.to_ascii_lowercase();
                difference += points * count(&|letter| letter == white);
                difference -= points * count(&|letter| letter == black);
            }
            difference
        }
        // The letter of a piece, whose case is its color.
        piece => count(&|letter| piece.starts_with(letter)),
    }
}

impl PatternQuery {
    /// The symmetries of the query, the identity among them.
    pub(crate) fn mirrors(&self) -> impl Iterator<Item = Mirror> {
        let all = [(false, false), (true, false), (false, true), (true, true)];
        let mirrors = all.map(|(colors, files)| Mirror { colors, files });

        // Only mirrors of the kinds that the query allows.
        let is_allowed = |mirror: &Mirror| {
            let may_swap_colors = self.colors || !mirror.colors;
            let may_swap_files = self.files || !mirror.files;
            may_swap_colors && may_swap_files
        };
        mirrors.into_iter().filter(is_allowed)
    }

    /// The query for the program, parsed from its texts.
    pub(crate) fn position_query(&self) -> PositionQuery {
        let mut pattern = None;
        if let Some(board) = &self.pattern {
            let text = match self.turn {
                Some(turn) => format!("{board} {turn}"),
                None => board.clone(),
            };
            pattern = Some(BoardPattern::parse(&text).expect("a pattern"));
        }

        let mut material = None;
        if !self.conditions.is_empty() {
            let conditions: Vec<String> = self.conditions.iter().map(Condition::text).collect();
            let text = conditions.join(", ");
            material = Some(Material::parse(&text).expect("conditions"));
        }

        let mut through = None;
        if !self.steps.is_empty() {
            // A move number tells the side to move; the number itself is ignored.
            let number = match self.first {
                None => "",
                Some('w') => "7. ",
                Some(_) => "7... ",
            };
            let text = format!("{number}{}", self.steps.join(" "));
            through = Some(MoveSequence::parse(&text).expect("moves"));
        }

        PositionQuery::new(&PositionParts {
            pattern,
            material,
            through,
            positions: NonZeroU32::new(self.positions as u32).expect("one at least"),
            flip: Flip {
                colors: self.colors,
                left_right: self.files,
            },
        })
    }

    /// A query that one of these games matches, or nearly.
    pub(crate) fn draw(random: &mut Random, games: &[PlainGame]) -> PatternQuery {
        let game = random.choose(games);
        let at = random.below(game.boards.len());
        let (board, turn) = &game.boards[at];

        // A query has at least one of three parts.
        let may_have_pattern = random.below(3) > 0;
        let has_conditions = random.once_in(2);
        let has_steps = random.once_in(3);
        let has_pattern = may_have_pattern || !has_conditions && !has_steps;

        let pattern = has_pattern.then(|| draw_pattern(random, board));

        // Moves that the game has played from this position on.
        let mut steps = Vec::new();
        if has_steps {
            let length = 1 + random.below(3);
            for (_, text) in game.played[at..].iter().take(length) {
                steps.push(shorten(random, text));
            }
        }
        let count = if has_conditions {
            1 + random.below(3)
        } else {
            0
        };

        PatternQuery {
            turn: Some(*turn).filter(|_| pattern.is_some() && random.once_in(3)),
            pattern,
            conditions: (0..count).map(|_| Condition::draw(random, board)).collect(),
            first: Some(*turn).filter(|_| !steps.is_empty() && random.once_in(4)),
            steps,
            positions: if random.once_in(3) {
                1 + random.below(9)
            } else {
                1
            },
            colors: random.once_in(3),
            files: random.once_in(4),
        }
    }
}

/// A pattern of a board that leaves most squares open, and is occasionally wrong.
fn draw_pattern(random: &mut Random, board: &Board) -> String {
    // The number of open ranks, and of open squares in a rank, on average.
    let open = 2 + random.below(6);

    let mut ranks = Vec::new();
    for squares in board.chunks_exact(8).rev() {
        ranks.push(if random.below(8) < open {
            draw_open_rank(random)
        } else {
            draw_rank(random, squares, open)
        });
    }

    // A pattern may end before the first rank.
    let count = if random.once_in(4) {
        1 + random.below(8)
    } else {
        8
    };
    let pattern = ranks[..count].join("/");
    if pattern.is_empty() {
        "*".to_owned()
    } else {
        pattern
    }
}

fn draw_open_rank(random: &mut Random) -> String {
    random.choose(&["*", "", "????????", "**?"]).to_string()
}

fn draw_rank(random: &mut Random, squares: &[char], open: usize) -> String {
    let has_star = random.once_in(2);
    // Trailing squares may be missing, but a star would take their place.
    let count = if random.once_in(4) && !has_star {
        1 + random.below(8)
    } else {
        8
    };

    let mut rank = String::new();
    for &square in &squares[..count] {
        if random.below(8) >= open {
            draw_square(random, square, &mut rank);
        } else if has_star {
            rank.push('*');
        } else {
            rank.push('?');
        }
    }

    if has_star {
        rank.replace("**", "*")
    } else {
        rank
    }
}

fn draw_square(random: &mut Random, square: char, rank: &mut String) {
    let letter = *random.choose(&['P', 'n', 'b', 'R', 'k', 'A', 'a']);
    let any_of_color = if square.is_ascii_uppercase() {
        'A'
    } else {
        'a'
    };

    // The letter of the square is the most frequent choice, so that the pattern often matches.
    let is_empty = square == '_';

    match random.below(12) {
        0 => rank.extend(['[', square, letter, ']']),
        1 => rank.extend(['[', '^', letter, ']']),
        2 if is_empty => rank.push('1'),
        2 | 3 if !is_empty => rank.push(any_of_color),
        4 if !is_empty => rank.push('!'),
        // A wrong letter, now and then.
        5 if random.once_in(3) => rank.push(letter),
        _ => rank.push(square),
    }
}

/// A move text with some parts left out.
fn shorten(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    if random.once_in(2) {
        text = text.trim_end_matches(['+', '#']).to_owned();
    }
    if random.once_in(3) {
        text = text.replace('x', "");
    }

    let is_piece = text.starts_with(['N', 'B', 'R', 'Q']);
    let has_hint = text.get(1..2).is_some_and(|hint| hint != "x");
    let ranks = text.chars().filter(char::is_ascii_digit).count();
    let is_long = text.trim_end_matches(['+', '#']).len() > 3;
    if is_piece && has_hint && ranks == 1 && is_long && random.once_in(2) {
        let hint = text.remove(1);
        // Without the hint, the target must still have a file: the letter removed may have been the target's own.
        if !text.contains(|letter: char| ('a'..='h').contains(&letter)) {
            text.insert(1, hint);
        }
    }
    text
}
