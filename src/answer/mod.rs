//! Answers to queries: one serializable type for each answer.
//!
//! The command line prints an answer as JSON, and the rows of an answer as JSON Lines, as comma-separated values and as
//! a table. The server sends the JSON. Each type derives its JSON schema, from which [`columns()`] reads the columns of
//! rows.
//!
//! A name of a field has one meaning in all answers:
//!
//! | field | value |
//! |---|---|
//! | `game` | the number of a game in the database that `database` names, or in the only database |
//! | `white`, `black` | beside `game`, the players; beside `games`, the numbers of games that White and Black won |
//! | `games`, `draws`, `unfinished` | numbers of games: all, drawn, without a result |
//! | `wins`, `draws`, `losses` | numbers of games from a player's point of view |
//! | `date`, `first_date`, `last_date` | dates in the form of the Date tag: `1972.07.??` |
//! | `ply` | half-moves from the start of a game |
//! | `san`, `uci` | a move |
//! | `color` | `white` or `black` |
//! | `eco`, `opening` | the code and the name of an opening |

mod columns;
mod crosstable;
mod evaluation;
mod game;
mod games;
mod head_to_head;
mod moves;
mod novelties;
mod opening;
mod opening_report;
mod player;
mod preparation;
mod repertoire;
mod results;
mod score;
mod source_file;
mod tournaments;

pub use columns::{Field, cells, columns, fields};
pub use crosstable::{
    Absence, Crosstable, DoubledGame, Encounter, IncompleteResults, KnockOutMatch, Pair,
    PlayerStanding, Team,
};
pub use evaluation::{EvaluationRef, MoveEvaluation};
pub use game::{GameRef, ListedGame};
pub use games::{FoundGame, GameCount, Games};
pub use head_to_head::{HeadToHead, HeadToHeadGame};
pub use moves::{Move, MoveTree, Moves, TreeMove};
pub use novelties::{Novelties, Novelty};
pub use opening::OpeningRef;
pub use opening_report::{
    Ending, KeyGame, NoveltyYear, OpeningLineMove, OpeningName, OpeningNovelty, OpeningPlayer,
    OpeningReport, OpeningRoot, OpeningYear, Placement, RatingBand,
};
pub use player::{
    Accuracy, FamilyScore, NameScore, OpeningScore, Player, PlayerGame, PlayerRef, PlayerRow,
    VariationScore, YearScore,
};
pub use preparation::{
    AvoidedMove, ChangedHabit, GameLengths, GameToStudy, HabitShare, HabitualOpening,
    LineScoreAnswer, NamedScore, OthersShare, Preparation, PreparedMove, ReachedEnd, RepertoireGap,
    RepertoireMeeting, UnmetMove, WeakLine,
};
pub use repertoire::{
    Departure, Repertoire, RepertoireGame, RepertoireLine, RepertoireMistake, RepertoirePlace,
    RepertoireRemark, RepertoireRows, RepertoireScore,
};
pub use results::Results;
pub use score::Score;
pub use source_file::source_file;
pub use tournaments::{Tournament, Tournaments};

use crate::board::Color;

/// `white` or `black`.
fn color_name(color: Color) -> &'static str {
    if color.is_white() { "white" } else { "black" }
}

/// The name of a database by its index; `None` if a single database is queried, which needs no name. `names` has a name
/// for each database.
fn database_name(names: Option<&[String]>, database: usize) -> Option<String> {
    let names = names?;
    Some(names[database].clone())
}

/// Rating points, rounded.
fn rounded(points: f64) -> i64 {
    points.round() as i64
}

/// A value rounded to one decimal.
pub fn one_decimal(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}
