//! The moves that were played in a position.

use schemars::JsonSchema;
use serde::Serialize;

use super::{EvaluationRef, OpeningRef, Results, database_name, rounded};
use crate::board::Position;
use crate::notation::Uci;
use crate::query::{GameOfDatabase, MoveCount, NotableGamesOfMove};
use crate::storage::{OpeningTable, PositionEvaluation};

/// A position with the moves that were played in it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Moves {
    /// The position; null if the query has several positions.
    pub fen: Option<String>,
    /// The opening of the position; after a line of moves, the last named opening of the line.
    #[serde(flatten)]
    pub opening: OpeningRef,
    /// The results of its games.
    #[serde(flatten)]
    pub results: Results,
    /// The evaluation of the position.
    #[serde(flatten)]
    pub evaluation: EvaluationRef,
    /// The best move of the evaluation, in UCI notation.
    pub best_move: Option<String>,
    /// The moves, the most played first.
    pub moves: Vec<Move>,
    /// The last half-move after which positions are indexed, if not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_plies: Option<u32>,
}

/// A move that was played in a position; `san` and `uci` are null where games ended.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Move {
    /// The move.
    pub san: Option<String>,
    /// The move as chess programs write it.
    pub uci: Option<String>,
    /// The results of its games.
    #[serde(flatten)]
    pub results: Results,
    /// The average Elo of the side to move.
    pub average_elo: Option<i64>,
    /// The performance rating of the side to move.
    pub performance: Option<i64>,
    /// The first year in which the move was played.
    pub first_year: Option<u16>,
    /// The last year in which the move was played.
    pub last_year: Option<u16>,
    /// The database of the first game, if several databases are queried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_database: Option<String>,
    /// The first game with the move.
    pub first_game: Option<i64>,
    /// The date of the first game.
    pub first_date: Option<String>,
    /// The database of the best game, if several databases are queried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_database: Option<String>,
    /// The game with the highest average Elo.
    pub best_game: Option<i64>,
    /// The name of the position in which the move is played.
    pub opening_before: Option<String>,
    /// The opening of the position after the move.
    #[serde(flatten)]
    pub opening: OpeningRef,
    /// The evaluation of the position after the move.
    #[serde(flatten)]
    pub evaluation: EvaluationRef,
}

/// A move of a tree, with its counts, but without notable games and without evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TreeMove {
    /// The moves up to this one, separated by spaces.
    pub line: String,
    /// The move.
    pub san: Option<String>,
    /// The move as chess programs write it.
    pub uci: Option<String>,
    /// The results of its games.
    #[serde(flatten)]
    pub results: Results,
    /// The average Elo of the side to move.
    pub average_elo: Option<i64>,
    /// The performance rating of the side to move.
    pub performance: Option<i64>,
    /// The first year in which the move was played.
    pub first_year: Option<u16>,
    /// The last year in which the move was played.
    pub last_year: Option<u16>,
    /// The name of the position in which the move is played.
    pub opening_before: Option<String>,
    /// The opening of the position after the move.
    #[serde(flatten)]
    pub opening: OpeningRef,
}

/// A position with the tree of moves after it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MoveTree {
    /// The position; null if the query has several positions.
    pub fen: Option<String>,
    /// The opening of the position.
    #[serde(flatten)]
    pub opening: OpeningRef,
    /// The number of games with the position.
    pub games: u64,
    /// The moves in depth-first order: each move before its continuations.
    pub moves: Vec<TreeMove>,
}

impl Moves {
    /// The moves of some positions, without notable games and without evaluations.
    pub fn new(
        openings: &OpeningTable,
        positions: &[Position],
        counted: &[MoveCount],
        index_plies: Option<u32>,
    ) -> Moves {
        let mut results = Results::default();
        let mut moves = Vec::with_capacity(counted.len());
        for move_count in counted {
            let after = move_count.positions_after(positions);
            let played = Move::new(openings, positions, &after, move_count);
            results.add(&played.results);
            moves.push(played);
        }

        // A partial FEN matches several positions.
        let fen = match positions {
            [position] => Some(position.fen()),
            _ => None,
        };

        Moves {
            fen,
            opening: OpeningRef::of(openings, positions),
            results,
            evaluation: EvaluationRef::default(),
            best_move: None,
            moves,
            index_plies,
        }
    }

    /// Adds the notable games of each move, with the names of their databases if there are several.
    pub fn add_notable_games(
        &mut self,
        notable: &[NotableGamesOfMove<GameOfDatabase>],
        names: Option<&[String]>,
    ) {
        for (played, games) in self.moves.iter_mut().zip(notable) {
            if let Some(first) = games.first {
                played.first_database = database_name(names, first.game.database);
                played.first_game = Some(first.game.game.get());
                played.first_date = first.date.map(|date| date.to_string());
            }

            if let Some(best) = games.best {
                played.best_database = database_name(names, best.database);
                played.best_game = Some(best.game.get());
            }
        }
    }

    /// Adds the evaluation of the position, and the evaluation of the position after each move.
    pub fn add_evaluations(
        &mut self,
        positions: &[Position],
        before: Option<&PositionEvaluation>,
        after: &[Option<PositionEvaluation>],
    ) {
        self.evaluation = EvaluationRef::new(before);

        // The best move belongs to a single position.
        let best = before.and_then(|evaluation| evaluation.best_move);
        if let (Some(best), [position]) = (best, positions) {
            let notation = Uci::of(position);
            self.best_move = Some(notation.text(best));
        }

        for (played, evaluation) in self.moves.iter_mut().zip(after) {
            played.evaluation = EvaluationRef::new(evaluation.as_ref());
        }
    }
}

impl Move {
    /// A move with its counts. `before` are the positions in which the move may be played, `after` the positions to
    /// which the move leads.
    pub fn new(
        openings: &OpeningTable,
        before: &[Position],
        after: &[Position],
        counted: &MoveCount,
    ) -> Move {
        // UCI writes castling as a king's move of two squares, and in Chess960 as king takes rook.
        let notation = before.first().map(Uci::of);
        let uci = counted.played.as_ref().map(|(_, mv)| match notation {
            Some(notation) => notation.text(*mv),
            None => crate::notation::uci(*mv),
        });

        let (first_year, last_year) = counted.counts.years.unzip();

        Move {
            san: counted.san().map(str::to_owned),
            uci,
            results: (&counted.counts).into(),
            average_elo: counted.average_elo().map(rounded),
            performance: counted.performance().map(rounded),
            first_year,
            last_year,
            first_database: None,
            first_game: None,
            first_date: None,
            best_database: None,
            best_game: None,
            opening_before: OpeningRef::of(openings, before).opening,
            opening: OpeningRef::of(openings, after),
            evaluation: EvaluationRef::default(),
        }
    }
}

impl TreeMove {
    /// A move at the end of a line. `line` includes the move.
    pub fn new(line: String, played: Move) -> TreeMove {
        TreeMove {
            line,
            san: played.san,
            uci: played.uci,
            results: played.results,
            average_elo: played.average_elo,
            performance: played.performance,
            first_year: played.first_year,
            last_year: played.last_year,
            opening_before: played.opening_before,
            opening: played.opening,
        }
    }
}
