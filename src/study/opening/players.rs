//! The players with the best results in an opening.

use std::cmp::Ordering;
use std::collections::HashMap;

use rusqlite::Connection;

use super::chosen::Chosen;
use crate::board::Color;
use crate::columns::{Column, GameFlags, NameKind};
use crate::error::Result;
use crate::game::{PartialDate, known_elo};
use crate::query::player::{PlayerScore, SideOfGame};
use crate::storage::{GameSet, InDatabase};
use crate::store_fault::StoreResult;
use crate::study::joined_names::JoinedNames;

/// The maximum number of listed players.
const MAX_PLAYERS: usize = 10;
/// The minimum numbers of games of a listed player. The first number that enough players reach is used, or the last:
/// few games give chance performances, but a rare opening has no player with many games.
const MIN_GAMES: [u64; 4] = [20, 10, 5, LAST_MIN_GAMES];
/// The minimum number of games of any listed player.
const LAST_MIN_GAMES: u64 = 3;

/// The best players of one colour, in games in which no program plays, unless there are no others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpeningPlayers {
    /// The minimum number of games of a listed player.
    pub min_games: u64,
    /// The players, the highest performance first. Players without a performance come last, the highest score first.
    pub list: Vec<OpeningPlayer>,
}

/// The games of a player in an opening.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningPlayer {
    /// The canonical name.
    pub name: String,
    /// The games.
    pub score: PlayerScore,
}

/// Scores by the numbers of names.
type Scores = HashMap<u64, PlayerScore, foldhash::fast::RandomState>;

/// The best players with White and with Black. At least one database is chosen.
pub(super) fn read(chosen: &[Chosen<'_>]) -> Result<[OpeningPlayers; 2]> {
    // Programs have separate rating scales, up to Elo 4000, so they are listed only if only programs play the opening.
    let mut people = Vec::with_capacity(chosen.len());
    for of_database in chosen {
        let of_people = people_of(of_database);
        people.push(of_people.in_database(of_database.database)?);
    }
    let is_of_programs = people.iter().all(GameSet::is_empty);

    let connections: Vec<&Connection> = chosen.iter().map(|one| one.connection).collect();
    let joined_names = JoinedNames::new(&connections, NameKind::Player);
    let mut names = joined_names.in_database(chosen[0].database)?;

    let mut scores = [Scores::default(), Scores::default()];
    for (index, of_database) in chosen.iter().enumerate() {
        let games = if is_of_programs {
            of_database.games()
        } else {
            &people[index]
        };
        let of_both_sides = scores_of(of_database, games).in_database(of_database.database)?;
        for (joined, of_names) in scores.iter_mut().zip(of_both_sides) {
            let added = add_scores(joined, of_names, index, &mut names);
            added.in_database(of_database.database)?;
        }
    }

    let [white, black] = scores;
    let best_with_white = best(white, &names).in_database(chosen[0].database)?;
    let best_with_black = best(black, &names).in_database(chosen[0].database)?;
    Ok([best_with_white, best_with_black])
}

/// The games of a database in which no program plays.
fn people_of(chosen: &Chosen<'_>) -> StoreResult<GameSet> {
    let mut people = chosen.games().clone();
    let store = chosen.store();
    store.retain(&mut people, [Column::GameFlags], |[flag_bits]| {
        let flags = GameFlags::from_value(flag_bits);
        !flags.has_engine()
    })?;
    Ok(people)
}

/// The scores of White and of Black in some games of a database, by the numbers of names in it.
fn scores_of(chosen: &Chosen<'_>, games: &GameSet) -> StoreResult<[Scores; 2]> {
    let mut scores = [Scores::default(), Scores::default()];
    let columns = [
        Column::White,
        Column::Black,
        Column::WhiteElo,
        Column::BlackElo,
        Column::GameFlags,
        Column::Date,
    ];
    chosen.store().each_of(games, columns, |_, values| {
        let [white, black, white_elo, black_elo, flags, date] = values;
        let white_side = SideOfGame {
            color: Color::White,
            result: GameFlags::from_value(flags).result(),
            elo: known_elo(white_elo),
            opponent_elo: known_elo(black_elo),
            date: PartialDate::from_code(date),
        };
        let black_side = SideOfGame {
            color: Color::Black,
            elo: white_side.opponent_elo,
            opponent_elo: white_side.elo,
            ..white_side
        };

        let sides = [(white, white_side), (black, black_side)];
        for (scores_of_side, (player, side)) in scores.iter_mut().zip(sides) {
            // The number 0 denotes a missing name.
            if player != 0 {
                scores_of_side.entry(player).or_default().add(side);
            }
        }
    })?;

    Ok(scores)
}

/// Adds the scores of the names of a database to the scores of all databases, in the order of the names' numbers.
fn add_scores(
    joined: &mut Scores,
    of_names: Scores,
    database: usize,
    names: &mut JoinedNames<'_>,
) -> rusqlite::Result<()> {
    // The joined number of a name decides between equal scores, and depends on the order in which names are added. So
    // names are added in a fixed order.
    let mut by_number: Vec<(u64, PlayerScore)> = of_names.into_iter().collect();
    by_number.sort_unstable_by_key(|(player, _)| *player);

    for (player, score) in by_number {
        let number = names.number(database, player)?;
        let sum = joined.entry(number).or_default();
        sum.join(&score);
    }
    Ok(())
}

/// The players with the highest performances.
fn best(joined: Scores, names: &JoinedNames<'_>) -> rusqlite::Result<OpeningPlayers> {
    let min_games = min_games_of(&joined);
    let mut best: Vec<(u64, PlayerScore)> = joined
        .into_iter()
        .filter(|(_, score)| score.all_games() >= min_games)
        .collect();
    best.sort_by(|(one_number, one), (other_number, other)| {
        let by_performance = compare_performances(one, other);
        by_performance.then(one_number.cmp(other_number))
    });

    let mut players = OpeningPlayers {
        min_games,
        list: Vec::new(),
    };
    for (player, score) in best {
        // A name without a letter or digit, such as `?`, is a placeholder.
        let name = names.name(player)?;
        if players.list.len() < MAX_PLAYERS && name.contains(char::is_alphanumeric) {
            players.list.push(OpeningPlayer { name, score });
        }
    }
    Ok(players)
}

/// The minimum number of games of a listed player.
fn min_games_of(scores: &Scores) -> u64 {
    for min_games in MIN_GAMES {
        let has_games = |score: &&PlayerScore| score.all_games() >= min_games;
        if scores.values().filter(has_games).count() >= MAX_PLAYERS {
            return min_games;
        }
    }
    LAST_MIN_GAMES
}

/// Compares two scores: the higher performance comes first, and for equal performances the higher percentage. A missing
/// number is less than any other.
fn compare_performances(one: &PlayerScore, other: &PlayerScore) -> Ordering {
    let [performance, other_performance] =
        [one, other].map(|score| score.performance().unwrap_or(f64::MIN));
    let by_performance = other_performance.total_cmp(&performance);

    let [per_cent, other_per_cent] = [one, other].map(|score| score.per_cent().unwrap_or(f64::MIN));
    let by_per_cent = other_per_cent.total_cmp(&per_cent);

    by_performance.then(by_per_cent)
}
