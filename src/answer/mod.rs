//! Answers to what users ask: one type for each, from which all forms are made.
//!
//! The command line writes an answer as JSON, its rows as JSON Lines, comma-separated values and a table; the server
//! sends the same JSON. A type derives its schema as well, from which [`columns()`] has the columns of rows.
//!
//! Names of fields mean the same everywhere:
//!
//! | field | value |
//! |---|---|
//! | `game` | the number of a game in its database, or in the one that `database` names |
//! | `white`, `black` | beside a `game`, the players; beside `games`, how many White won, and Black |
//! | `games`, `draws`, `unfinished` | numbers of games: all, drawn, without a result |
//! | `wins`, `draws`, `losses` | numbers of games as a player sees them |
//! | `date`, `first_date`, `last_date` | as the Date tag has them, `1972.07.??` |
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

/// The name of a database by its index; `None` if answers have no names of databases.
fn database_name(names: Option<&[String]>, database: usize) -> Option<String> {
    let names = names?;
    Some(names[database].clone())
}

/// A rating without its fraction.
fn whole(points: f64) -> i64 {
    points.round() as i64
}

/// A value rounded to one decimal.
pub fn one_decimal(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}
