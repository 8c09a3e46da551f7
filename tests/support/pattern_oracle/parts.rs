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
            let squares = |bishop| (0..64).filter(move |&at| board[at] == bishop);
            let is_dark = |at: usize| (at / 8 + at % 8).is_multiple_of(2);
            let [white, black] = ['B', 'b'].map(|bishop| squares(bishop).collect::<Vec<_>>());
            let ([white], [black]) = (&white[..], &black[..]) else {
                return false;
            };
            return (is_dark(*white) == is_dark(*black)) == (self.sign == "=same");
        }
        let found = measured(self.measure, board);
        match self.sign {
            "=" => found == self.number,
            "!=" => found != self.number,
            "<" => found < self.number,
            "<=" => found <= self.number,
            ">" => found > self.number,
            _ => found >= self.number,
        }
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
    let count =
        |is: &dyn Fn(char) -> bool| board.iter().filter(|&&letter| is(letter)).count() as i32;
    match measure {
        "pieces" => count(&|letter| letter != '_'),
        "white" => count(&|letter| letter.is_ascii_uppercase()),
        "black" => count(&|letter| letter.is_ascii_lowercase()),
        "pawns" => count(&|letter| letter == 'p' || letter == 'P'),
        "difference" => {
            let points = [('P', 1), ('N', 3), ('B', 3), ('R', 5), ('Q', 9)];
            let points = points.into_iter().map(|(letter, points)| {
                let black = letter.to_ascii_lowercase();
                points * (count(&|other| other == letter) - count(&|other| other == black))
            });
            points.sum()
        }
        letter => count(&|other| letter.starts_with(other)),
    }
}

impl PatternQuery {
    pub(crate) fn mirrors(&self) -> impl Iterator<Item = Mirror> {
        let all = [(false, false), (true, false), (false, true), (true, true)];
        let mirrors = all
            .into_iter()
            .map(|(colors, files)| Mirror { colors, files });
        mirrors.filter(|mirror| (self.colors || !mirror.colors) && (self.files || !mirror.files))
    }

    /// The same query for the program, parsed from its texts.
    pub(crate) fn position_query(&self) -> PositionQuery {
        let pattern = self.pattern.as_ref().map(|board| match self.turn {
            Some(turn) => format!("{board} {turn}"),
            None => board.clone(),
        });
        let conditions: Vec<String> = self.conditions.iter().map(Condition::text).collect();
        let number = match self.first {
            None => "",
            Some('w') => "7. ",
            Some(_) => "7... ",
        };
        let through = format!("{number}{}", self.steps.join(" "));
        let read = |found: bool| found.then_some(());
        PositionQuery::new(&PositionParts {
            pattern: pattern.map(|text| BoardPattern::parse(&text).expect("a pattern")),
            material: read(!conditions.is_empty())
                .map(|()| Material::parse(&conditions.join(", ")).expect("conditions")),
            through: read(!self.steps.is_empty())
                .map(|()| MoveSequence::parse(&through).expect("moves")),
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
        let has = [random.below(3) > 0, random.once_in(2), random.once_in(3)];
        let pattern = (has[0] || !has[1] && !has[2]).then(|| draw_pattern(random, board));
        let mut steps = Vec::new();
        if has[2] {
            let length = 1 + random.below(3);
            let played = game.played[at..].iter().take(length);
            steps = played.map(|(_, text)| shorten(random, text)).collect();
        }
        let conditions = if has[1] { 1 + random.below(3) } else { 0 };
        PatternQuery {
            turn: Some(*turn).filter(|_| pattern.is_some() && random.once_in(3)),
            pattern,
            conditions: (0..conditions)
                .map(|_| Condition::draw(random, board))
                .collect(),
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
    let open = 2 + random.below(6);
    let ranks: Vec<String> = (0..8)
        .rev()
        .map(|rank| {
            let squares = &board[8 * rank..8 * rank + 8];
            if random.below(8) < open {
                draw_open_rank(random)
            } else {
                draw_rank(random, squares, open)
            }
        })
        .collect();
    let kept = if random.once_in(4) {
        1 + random.below(8)
    } else {
        8
    };
    Some(ranks[..kept].join("/"))
        .filter(|board| !board.is_empty())
        .unwrap_or("*".to_owned())
}

fn draw_open_rank(random: &mut Random) -> String {
    random.choose(&["*", "", "????????", "**?"]).to_string()
}

fn draw_rank(random: &mut Random, squares: &[char], open: usize) -> String {
    let has_star = random.once_in(2);
    let mut rank = String::new();
    let kept = if random.once_in(4) && !has_star {
        1 + random.below(8)
    } else {
        8
    };
    for &square in &squares[..kept] {
        match random.below(8) < open {
            true if has_star => rank.push('*'),
            true => rank.push('?'),
            false => draw_square(random, square, &mut rank),
        }
    }
    if has_star {
        rank.replace("**", "*")
    } else {
        rank
    }
}

fn draw_square(random: &mut Random, square: char, rank: &mut String) {
    let letter = random.choose(&['P', 'n', 'b', 'R', 'k', 'A', 'a']);
    let same = if square.is_ascii_uppercase() {
        'A'
    } else {
        'a'
    };
    match (random.below(12), square) {
        (0, _) => rank.extend(['[', square, *letter, ']']),
        (1, _) => rank.extend(['[', '^', *letter, ']']),
        (2, '_') => rank.push('1'),
        (2 | 3, _) if square != '_' => rank.push(same),
        (4, _) if square != '_' => rank.push('!'),
        (5, _) if random.once_in(3) => rank.push(*letter),
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
    let hint = text.get(1..2).is_some_and(|hint| hint != "x");
    let squares = text.chars().filter(char::is_ascii_digit).count();
    if is_piece
        && hint
        && squares == 1
        && text.trim_end_matches(['+', '#']).len() > 3
        && random.once_in(2)
    {
        let kept = text.remove(1);
        // A file before that of the target, or the target's file itself.
        if text
            .chars()
            .filter(|letter| ('a'..='h').contains(letter))
            .count()
            == 0
        {
            text.insert(1, kept);
        }
    }
    text
}
