//! The games in a repertoire, and their departures from the repertoire.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    ListedGame, MoveEvaluation, OpeningRef, color_name, database_name, rounded, source_file,
};
use crate::board::{Color, Move, Position};
use crate::error::Result;
use crate::game::Judgement;
use crate::notation::{Uci, san};
use crate::query::Counts;
use crate::storage::{Database, OpeningTable, PositionEvaluation};
use crate::study::repertoire;
use crate::study::repertoire::{RepertoireHit, RepertoireHits};

/// The maximum number of half-moves in `play`. If a line is longer, `play` begins later in the line.
const MAX_LINE_PLIES: usize = 100;

/// The games in a repertoire.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Repertoire {
    /// The side that the repertoire is for.
    pub color: &'static str,
    /// `true` if the side was given, `false` if it was inferred from the moves.
    pub color_given: bool,
    /// The number of positions of the repertoire.
    pub positions: usize,
    /// The number of examined games.
    pub games: u64,
    /// The games that are in the repertoire.
    pub hits: u64,
    /// Games that are marked as duplicates and are not counted.
    pub duplicates: u64,
    /// The sources of the games, if the request selects sources.
    pub sources: Vec<String>,
    /// The departures of games from the repertoire.
    pub departures: Vec<Departure>,
    /// The number of all departures.
    pub departure_count: usize,
    /// The lines to their ends.
    pub lines: Vec<RepertoireLine>,
    /// The number of all lines.
    pub line_count: usize,
    /// Remarks on text of the repertoire that could not be read.
    pub remarks: Vec<RepertoireRemark>,
}

/// A position of the repertoire, with the moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepertoirePlace {
    /// The moves, as PGN.
    pub line: String,
    /// The last 100 half-moves of the line in UCI notation, separated by commas.
    pub play: String,
    /// The position before `play`; null for the standard position.
    pub start_fen: Option<String>,
    /// The position.
    pub fen: String,
    /// The opening.
    #[serde(flatten)]
    pub opening: OpeningRef,
}

/// The score in some games, from the point of view of the repertoire's side.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepertoireScore {
    /// All games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The score in games with a result, in per cent with one decimal.
    pub score: Option<f64>,
    /// The average Elo of the side.
    pub average_elo: Option<i64>,
    /// The average Elo of the opponents.
    pub opponent_elo: Option<i64>,
    /// The first year.
    pub first_year: Option<u16>,
    /// The last year.
    pub last_year: Option<u16>,
}

/// A way in which games leave the repertoire.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Departure {
    /// The position before the departure.
    #[serde(flatten)]
    pub place: RepertoirePlace,
    /// The kind of departure: `opponent`, `own`, `end-of-line`, `end-of-game` or `return`.
    pub kind: &'static str,
    /// The number of the move, `9.` or `9...`.
    pub move_number: String,
    /// The move that leaves the repertoire.
    pub san: Option<String>,
    /// The move in UCI notation.
    pub uci: Option<String>,
    /// The games that leave with this move.
    #[serde(flatten)]
    pub score: RepertoireScore,
    /// The number of all games with the move in the position.
    pub played_games: u64,
    /// The number of all games that reach the position.
    pub position_games: u64,
    /// `played_games` in per cent of `position_games`, with one decimal.
    pub share: f64,
    /// The evaluation of the move.
    #[serde(flatten)]
    pub evaluation: MoveEvaluation,
    /// The games with the highest ratings.
    pub best_games: Vec<ListedGame>,
}

/// A line of the repertoire to its end.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepertoireLine {
    /// The position at the end of the line.
    #[serde(flatten)]
    pub place: RepertoirePlace,
    /// The games that reach the end of the line.
    #[serde(flatten)]
    pub score: RepertoireScore,
}

/// A bad move in the repertoire: of its side, or of the opponent without an answer that punishes it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepertoireMistake {
    /// The position before the move.
    #[serde(flatten)]
    pub place: RepertoirePlace,
    /// `own` for a move of the repertoire's side; `opponent` for a move of the opponent after which the line ends.
    pub kind: &'static str,
    /// The number of the move, `9.` or `9...`.
    pub move_number: String,
    /// The move.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The evaluation of the move.
    #[serde(flatten)]
    pub evaluation: MoveEvaluation,
    /// The loss of the move in centipawns; null with a mate.
    pub loss: Option<i32>,
    /// The best move instead of an own move, or the best answer to a move of the opponent, if the database has one.
    pub better: Option<String>,
    /// The games that reach the position.
    pub position_games: u64,
}

/// A game in the repertoire.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepertoireGame {
    /// The game.
    #[serde(flatten)]
    pub game: ListedGame,
    /// The number of half-moves before the game leaves.
    pub ply: Option<u32>,
    /// The kind of departure: `opponent`, `own`, `end-of-line`, `end-of-game` or `return`.
    pub kind: &'static str,
    /// The number of the move that leaves the repertoire.
    pub move_number: String,
    /// The move that leaves the repertoire; null at the end of the game.
    pub san: Option<String>,
    /// The line of the repertoire up to the departure.
    pub line: String,
}

/// A remark on text of a repertoire that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepertoireRemark {
    /// The line of the text.
    pub line: usize,
    /// The fault in the text.
    pub message: String,
}

/// The rows of an answer that are listed, with the numbers of all rows.
#[derive(Clone, Debug, Default)]
pub struct RepertoireRows {
    /// The departures of games from the repertoire.
    pub departures: Vec<Departure>,
    /// The number of all departures.
    pub departure_count: usize,
    /// The lines to their ends.
    pub lines: Vec<RepertoireLine>,
    /// The number of all lines.
    pub line_count: usize,
    /// Remarks on text of the repertoire that could not be read.
    pub remarks: Vec<RepertoireRemark>,
}

impl Repertoire {
    /// The answer for the games of a repertoire, with the listed rows.
    pub fn new(
        repertoire: &repertoire::Repertoire,
        found: &RepertoireHits,
        rows: RepertoireRows,
    ) -> Repertoire {
        let mut sources = Vec::with_capacity(found.sources.len());
        for source in &found.sources {
            sources.push(source_file(&source.path).to_owned());
        }

        Repertoire {
            color: color_name(repertoire.side()),
            color_given: repertoire.is_side_given(),
            positions: repertoire.positions().len(),
            games: found.games,
            hits: found.hits,
            duplicates: found.duplicates,
            sources,
            departures: rows.departures,
            departure_count: rows.departure_count,
            lines: rows.lines,
            line_count: rows.line_count,
            remarks: rows.remarks,
        }
    }
}

impl RepertoirePlace {
    /// The position of the repertoire with the index `at`.
    fn new(
        repertoire: &repertoire::Repertoire,
        openings: &OpeningTable,
        at: usize,
    ) -> RepertoirePlace {
        let positions = repertoire.positions();
        let here = &positions[at].position;

        let line = repertoire.line_end(at, MAX_LINE_PLIES);
        let start = match line.first() {
            Some((first, _)) => &positions[*first].position,
            None => here,
        };
        let start_fen = if *start == Position::start() {
            None
        } else {
            Some(start.fen())
        };

        // From a position of Chess960, castling is written as king takes rook.
        let uci = Uci::of(start);
        let mut play = Vec::with_capacity(line.len());
        for (_, played) in &line {
            play.push(uci.text(played.mv));
        }

        // A position without a name has the opening of the last position before it that has one.
        let mut positions_back = vec![here];
        for (before, _) in repertoire.line(at).into_iter().rev() {
            positions_back.push(&positions[before].position);
        }
        let opening = OpeningRef::of(openings, positions_back);

        RepertoirePlace {
            line: repertoire.line_text(at),
            play: play.join(","),
            start_fen,
            fen: here.fen(),
            opening,
        }
    }
}

impl RepertoireScore {
    /// The score of a side, from the counts of games.
    pub fn new(counts: &Counts, side: Color) -> RepertoireScore {
        let (first_year, last_year) = counts.years.unzip();

        RepertoireScore {
            games: counts.all_games(),
            wins: counts.wins(side),
            draws: counts.draws,
            losses: counts.wins(!side),
            score: score(counts, side),
            average_elo: counts.mover_elo.mean().map(rounded),
            opponent_elo: counts.opponent_elo.mean().map(rounded),
            first_year,
            last_year,
        }
    }
}

/// The score of a side in per cent of the games with a result, with one decimal.
fn score(counts: &Counts, side: Color) -> Option<f64> {
    if counts.finished() == 0 {
        return None;
    }

    // Points are counted in halves: a win has two, a draw has one.
    let half_points = 2 * counts.wins(side) + counts.draws;
    let max_half_points = 2 * counts.finished();
    let per_mille = 1000.0 * half_points as f64 / max_half_points as f64;
    Some(per_mille.round() / 10.0)
}

impl Departure {
    /// Reads a departure with its best games. With `names`, the names of several databases, each game has the name of
    /// its database.
    ///
    /// # Errors
    /// When a database cannot be read.
    pub fn read(
        databases: &[&Database],
        names: Option<&[String]>,
        openings: &OpeningTable,
        repertoire: &repertoire::Repertoire,
        departure: &repertoire::Departure,
    ) -> Result<Departure> {
        let at = departure.position;
        let position = &repertoire.positions()[at].position;

        let (san, mv) = departure.played.clone().unzip();
        let uci = mv.map(|mv| Uci::of(position).text(mv));
        let evaluation = MoveEvaluation::read(databases, position, mv)?;

        let mut best_games = Vec::new();
        for best in &departure.best {
            let mut listed = ListedGame::read(databases[best.database], best.game)?;
            listed.game.database = database_name(names, best.database);
            best_games.push(listed);
        }

        // A rounded share in per mille is a share in per cent with one decimal.
        let per_mille = (1000.0 * departure.share()).round();

        Ok(Departure {
            place: RepertoirePlace::new(repertoire, openings, at),
            kind: departure.kind.as_str(),
            move_number: repertoire.move_number(at),
            san,
            uci,
            score: RepertoireScore::new(&departure.counts, repertoire.side()),
            played_games: departure.all.all_games(),
            position_games: departure.reached,
            share: per_mille / 10.0,
            evaluation,
            best_games,
        })
    }
}

impl RepertoireLine {
    /// The line that ends at a position.
    pub fn new(
        openings: &OpeningTable,
        repertoire: &repertoire::Repertoire,
        found: &RepertoireHits,
        at: usize,
    ) -> RepertoireLine {
        RepertoireLine {
            place: RepertoirePlace::new(repertoire, openings, at),
            score: RepertoireScore::new(found.reached(at), repertoire.side()),
        }
    }
}

impl RepertoireMistake {
    /// Finds the bad moves of a repertoire by the evaluations of a database, in the order of the repertoire's
    /// positions.
    ///
    /// A move of the repertoire's side is bad if it loses at least `min_loss` centipawns or is judged bad. A move of
    /// the opponent is listed if it is a mistake or a blunder and the repertoire has no answer.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find(
        database: &Database,
        openings: &OpeningTable,
        repertoire: &repertoire::Repertoire,
        found: &RepertoireHits,
        min_loss: i32,
    ) -> Result<Vec<RepertoireMistake>> {
        let mut mistakes = Vec::new();
        for (at, known) in repertoire.positions().iter().enumerate() {
            let is_own = repertoire.is_own_turn(at);
            let turn = known.position.turn();
            let before = database.evaluation(&known.position)?;

            // Moves that are not written in the repertoire's text are not examined.
            let written = known.moves.iter().filter(|played| played.is_written);
            for played in written {
                let reached = &repertoire.positions()[played.to];
                let after = database.evaluation(&reached.position)?;
                let evaluation = MoveEvaluation::new(turn, before.as_ref(), after.as_ref());
                let loss = evaluation.loss(turn);

                let is_listed = if is_own {
                    is_bad_own_move(&evaluation, loss, min_loss)
                } else {
                    // If the line continues, the repertoire has an answer.
                    is_grave(&evaluation) && reached.is_end()
                };
                if !is_listed {
                    continue;
                }

                let better = if is_own {
                    better_move(&known.position, before.as_ref(), Some(played.mv))
                } else {
                    better_move(&reached.position, after.as_ref(), None)
                };

                mistakes.push(RepertoireMistake {
                    place: RepertoirePlace::new(repertoire, openings, at),
                    kind: if is_own { "own" } else { "opponent" },
                    move_number: repertoire.move_number(at),
                    san: played.san.clone(),
                    uci: Uci::of(&known.position).text(played.mv),
                    evaluation,
                    loss,
                    better,
                    position_games: found.reached(at).all_games(),
                });
            }
        }
        Ok(mistakes)
    }
}

/// `true` if a move of the repertoire's side is judged bad, or loses at least `min_loss` centipawns.
fn is_bad_own_move(evaluation: &MoveEvaluation, loss: Option<i32>, min_loss: i32) -> bool {
    evaluation.judgement.is_some() || loss.is_some_and(|loss| loss >= min_loss)
}

/// `true` if a move is judged a mistake or a blunder.
fn is_grave(evaluation: &MoveEvaluation) -> bool {
    matches!(
        evaluation.judged_as(),
        Some(Judgement::Mistake | Judgement::Blunder)
    )
}

/// The best move of a position in SAN; `None` if it is unknown, or is the move that was played.
fn better_move(
    position: &Position,
    evaluation: Option<&PositionEvaluation>,
    played: Option<Move>,
) -> Option<String> {
    let best = evaluation?.best_move?;
    if Some(best) == played {
        return None;
    }
    Some(san(position, best))
}

impl RepertoireGame {
    /// Reads a game.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(
        database: &Database,
        repertoire: &repertoire::Repertoire,
        hit: &RepertoireHit,
    ) -> Result<RepertoireGame> {
        let game = ListedGame::read(database, hit.game)?;
        let (ply, san) = hit.place(database, repertoire)?.unzip();

        Ok(RepertoireGame {
            game,
            ply: ply.map(|ply| ply.get()),
            kind: hit.kind.as_str(),
            move_number: repertoire.move_number(hit.position),
            san: san.flatten(),
            line: repertoire.line_text(hit.position),
        })
    }
}
