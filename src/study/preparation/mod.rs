//! Preparation for an opponent: the lines that the opponent plays with one colour, their scores, the most recent
//! choices, and the games to look at first.
//!
//! [`Preparation::read`] answers a [`PreparationQuery`].

// The opponent's games are replayed once into a tree of positions, in which transpositions are joined. The position
// index counts the moves of other players in the listed positions. Everything else follows from the tree and the column
// store.

mod advice;
mod games;
mod games_to_study;
mod habits;
mod lines;
mod meeting;
mod my_moves;
mod others;
mod report;
mod request;
mod score;
mod tree;

/// For answers, which write lines as the document does.
#[cfg(feature = "program")]
pub(crate) use crate::report::numbered_line;
pub use advice::{AvoidedMove, WeakLine};
pub use games::OmittedGames;
pub use games_to_study::{GameToStudy, StudyReason};
pub use habits::{ChangedHabit, GameLengths, Habits, HabitualMove, OpeningHabit};
pub use lines::PreparedMove;
pub use meeting::{LineEnd, RepertoireGap, RepertoireMeeting, UnmetMove};
pub use others::{Deviation, OthersCount};
pub use report::PreparationReport;
/// Public for the program, which also prints this warning.
#[doc(hidden)]
pub use report::other_side_warning;
pub use request::PreparationQuery;
pub use score::{HalfScore, LineScore};

use super::novelty::{JoinedNovelties, NoveltyOfDatabase, NoveltyQuery};
use crate::board::Color;
use crate::error::Result;
use crate::game::PartialDate;
use crate::query::{GameOfDatabase, Watch};
use crate::storage::{Database, IndexedPlies, best_evaluation};
use games::{OpponentGame, OpponentGames};
use lines::{Limits, LineReader};
use meeting::MeetingReader;
use my_moves::MyMoves;
use others::Others;
use tree::PositionTree;

/// The preparation for an opponent with one colour: lines, scores, habits, and games to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Preparation {
    /// The colour to play against the opponent.
    pub color: Color,
    /// The opponent's name in the query.
    pub requested_name: String,
    /// The canonical names of the matching players with their games, the most frequent first. If no game is counted,
    /// these are the names in omitted games and in games with the other colour.
    pub names: Vec<(String, u64)>,
    /// Counted spellings without a full given name, with their games in the database. Some of the games may be another
    /// player's.
    pub by_initials: Vec<(String, u64)>,
    /// The other players whose names match, with their games in the database, the most frequent first. Their games are
    /// not counted.
    pub others: Vec<(String, u64)>,
    /// The opponent's score in all games.
    pub score: LineScore,
    /// The games left out.
    pub omitted: OmittedGames,
    /// The number of games without a date. These games count as earlier than all dated games.
    pub undated: u64,
    /// The date from which games are recent; `None` without dates.
    pub recent_since: Option<PartialDate>,
    /// The half-moves of games whose positions are indexed, by which the moves of others are counted.
    pub indexed_plies: IndexedPlies,
    /// The minimum number of games of a move in the tree.
    pub min_games: u64,
    /// The tree, from the first moves on.
    pub lines: Vec<PreparedMove>,
    /// The lines in which the opponent scores worst. They have at most as many half-moves as the lines of the tree.
    pub weak_lines: Vec<WeakLine>,
    /// The moves that are common among others and that the opponent avoids.
    pub avoided: Vec<AvoidedMove>,
    /// The opponent's habits.
    pub habits: Habits,
    /// The games to look at first.
    pub games: Vec<GameToStudy>,
    /// The games beside the repertoire, if there is one.
    pub meeting: Option<RepertoireMeeting>,
}

/// By default, a move is in the tree if at least one in this many of all games plays it.
const DEFAULT_PART: u64 = 50;
/// By default, the minimum number of games of a move of the tree, however few games there are.
const DEFAULT_MIN_GAMES: u64 = 2;

impl Preparation {
    /// The maximum number of games that are read: the latest ones.
    pub const MAX_GAMES: usize = games::MAX_GAMES;

    /// Prepares against an opponent, by the games of all databases.
    ///
    /// # Errors
    /// When no player matches, a database cannot be read, or the filter's condition is not valid SQL.
    pub fn read(
        databases: &[&Database],
        query: &PreparationQuery,
        watch: &Watch<'_>,
    ) -> Result<Preparation> {
        let color = query.color;
        let games = OpponentGames::read(databases, query, watch)?;
        let tree = PositionTree::read(databases, &games, watch)?;
        let my_moves = query.repertoire.as_ref().map(MyMoves::new);
        let mine = my_moves.as_ref();

        let min_games = min_games_of(query, games.list.len() as u64);
        let limits = Limits {
            max_ply: query.max_ply.get(),
            min_games,
        };

        let mut others = Others::new(databases)?;
        let reader = LineReader::new(&tree, &games, mine, color, limits, &mut others, watch);
        let mut lines = reader.read()?;
        let mut weak_lines = advice::weak_lines(&tree, &games, mine, color, query.max_ply.get());
        add_evaluations(databases, &mut lines, &mut weak_lines)?;

        let mut meeting = None;
        if let Some(mine) = mine {
            let reader = MeetingReader {
                tree: &tree,
                games: &games,
                mine,
                color,
                watch,
            };
            meeting = Some(reader.read(&mut others)?);
        }
        // Avoided moves are searched for in the positions that the lines and the gaps have looked up.
        let avoided = advice::avoided_moves(&tree, &others);

        // Novelties take look-ups in the index, so they are found for the listed games only.
        let known = games_to_study::known_plies(&tree, &games, mine, min_games);
        let mut to_study = games_to_study::games_to_study(&games, &known, query.games_to_study);
        add_novelties(databases, &mut to_study, watch)?;

        let is_undated = |game: &&OpponentGame| game.side.date.is_none();
        let undated = games.list.iter().filter(is_undated).count() as u64;

        Ok(Preparation {
            color,
            score: LineScore::count(&games, &games.places()),
            undated,
            recent_since: games.recent_since,
            indexed_plies: IndexedPlies::of_all(databases)?,
            min_games,
            lines,
            weak_lines,
            avoided,
            habits: Habits::new(&tree, &games, color),
            games: to_study,
            meeting,
            omitted: games.omitted,
            requested_name: query.player.text.clone(),
            names: games.names,
            by_initials: games.by_initials,
            others: games.others,
        })
    }
}

/// The minimum number of games of a move in the tree.
fn min_games_of(query: &PreparationQuery, games: u64) -> u64 {
    let default_min_games = games.div_ceil(DEFAULT_PART).max(DEFAULT_MIN_GAMES);
    query.min_games.unwrap_or(default_min_games).max(1)
}

/// Adds the stored evaluations of the positions after moves and at the ends of weak lines.
fn add_evaluations(
    databases: &[&Database],
    lines: &mut [PreparedMove],
    weak_lines: &mut [WeakLine],
) -> Result<()> {
    for line in lines {
        line.evaluate(databases)?;
    }
    for weak in weak_lines {
        weak.evaluation = best_evaluation(databases, &weak.position)?;
    }
    Ok(())
}

/// Adds the novelty of each game.
fn add_novelties(
    databases: &[&Database],
    to_study: &mut [GameToStudy],
    watch: &Watch<'_>,
) -> Result<()> {
    // Games of several databases are compared by look-ups only, which need all positions in the index.
    let are_all_indexed = IndexedPlies::of_all(databases)?.last().is_none();
    if databases.len() > 1 && !are_all_indexed {
        return Ok(());
    }

    let games: Vec<GameOfDatabase> = to_study.iter().map(|game| game.game).collect();
    let query = NoveltyQuery::default();
    let found = JoinedNovelties::of_games(databases, &games, &query, watch)?;

    for studied in to_study {
        let is_of_game = |novelty: &&NoveltyOfDatabase| novelty.game() == studied.game;
        studied.novelty = found.list.iter().find(is_of_game).copied();
    }
    Ok(())
}
