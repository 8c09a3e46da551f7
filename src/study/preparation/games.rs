//! The opponent's games: chosen by name, colour and filter, with their values, the earliest first.

use std::collections::HashMap;

use super::request::PreparationQuery;
use crate::board::Color;
use crate::columns::{Column, GameFlags, NameKind, Speed};
use crate::error::{Error, Result};
use crate::game::{PartialDate, known_elo};
use crate::query::NameNumbers;
use crate::query::Persons;
use crate::query::Spellings;
use crate::query::player::SideOfGame;
use crate::query::{Selection, Watch};
use crate::storage::{Database, GameId, GameSet, InDatabase, duplicates};
use crate::store_fault::StoreResult;

/// The most games that are looked at.
pub(super) const MOST_GAMES: usize = 20_000;

/// A game as the opponent sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpponentGame {
    pub(super) game: GameId,
    pub(super) side: SideOfGame,
    pub(super) plies: u64,
    /// The number of the opening's name, 0 for none.
    pub(super) opening: u64,
    pub(super) speed: Option<Speed>,
}

/// Games that are not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OmittedGames {
    /// Games marked as duplicates.
    pub duplicates: u64,
    /// Games of variants, from other start positions, or without moves.
    pub other_starts: u64,
    /// Games before the latest 20,000.
    pub older: u64,
    /// Games that name one player for both sides.
    pub against_self: u64,
}

/// The opponent's games with one colour, the earliest first; those without a date come before all others.
#[derive(Debug, Default)]
pub(super) struct OpponentGames {
    pub(super) list: Vec<OpponentGame>,
    /// Those with the other colour.
    pub(super) other_color: Vec<OpponentGame>,
    /// The canonical names, with the number of games of each, the most frequent first. Without games, those of games
    /// that are left out and of games with the other colour.
    pub(super) names: Vec<(String, u64)>,
    /// Spellings that are counted though they have initials alone, with their games in the database.
    pub(super) by_initials: Vec<(String, u64)>,
    /// Other players whose names match, with their games in the database.
    pub(super) others: Vec<(String, u64)>,
    pub(super) omitted: OmittedGames,
    /// The date from which games are recent.
    pub(super) recent_since: Option<PartialDate>,
}

const COLUMNS: [Column; 8] = [
    Column::White,
    Column::Black,
    Column::GameFlags,
    Column::Date,
    Column::WhiteElo,
    Column::BlackElo,
    Column::Plies,
    Column::Opening,
];

impl OpponentGames {
    pub(super) fn read(
        database: &Database,
        query: &PreparationQuery,
        watch: &Watch<'_>,
    ) -> Result<OpponentGames> {
        let mut selection = Selection::new(database, &query.filter_with_name())?;
        selection.settle(watch)?;
        let connection = &database.connection;
        let persons = Persons::read(database, &query.player, watch)?;
        let others = persons.others_with_games();
        let meant = persons.meant;
        if meant.numbers.is_empty() {
            return Err(Error::NoSuchPlayer(query.player.text.clone()));
        }
        let read = || -> StoreResult<OpponentGames> {
            let mut spellings = Spellings::new(connection, NameKind::Player)?;
            let mut adder = GameAdder {
                color: !query.color,
                players: meant.numbers,
                duplicates: duplicates(connection)?,
                names: HashMap::new(),
                games: OpponentGames::default(),
            };
            adder.add(&selection, &mut spellings)?;
            let GameAdder {
                names, mut games, ..
            } = adder;
            games.names = canonical(&mut spellings, names)?;
            games.by_initials = meant.by_initials;
            games.others = others;
            Ok(games)
        };
        let mut games = read().in_database(database)?;
        games.sort(query.recent_years);
        Ok(games)
    }

    fn sort(&mut self, recent_years: u16) {
        let age = |game: &OpponentGame| (game.side.date, game.game);
        self.list.sort_unstable_by_key(age);
        self.other_color.sort_unstable_by_key(age);
        let older = self.list.len().saturating_sub(MOST_GAMES);
        self.list.drain(..older);
        self.omitted.older = older as u64;
        let last = self.list.last().and_then(|game| game.side.date);
        self.recent_since = last.and_then(|last| years_before(last, recent_years));
    }

    /// Whether a game is recent.
    pub(super) fn is_recent(&self, game: &OpponentGame) -> bool {
        let date = game.side.date.zip(self.recent_since);
        date.is_some_and(|(date, since)| date.is_since(since))
    }

    /// The places of all games.
    pub(super) fn places(&self) -> Vec<u32> {
        (0..self.list.len() as u32).collect()
    }
}

/// Adds games as the opponent sees them.
struct GameAdder {
    /// The opponent's colour.
    color: Color,
    /// The numbers of the opponent's names.
    players: NameNumbers,
    duplicates: GameSet,
    /// The number of games of each name with the colour; also of names without such games.
    names: HashMap<u64, u64>,
    games: OpponentGames,
}

/// The values of [`COLUMNS`].
type Values = [u64; COLUMNS.len()];

impl GameAdder {
    /// Adds the games of a selection.
    fn add(&mut self, selection: &Selection<'_>, spellings: &mut Spellings<'_>) -> StoreResult<()> {
        let mut of_both = Vec::new();
        let games = selection.candidates();
        selection
            .column_store()
            .each_of(games, COLUMNS, |game, values| {
                let [white, black, ..] = values;
                match self.players.contains(&white) && self.players.contains(&black) {
                    true => of_both.push((game, values)),
                    false => self.add_game(game, values),
                }
            })?;
        for (game, values) in of_both {
            let [white, black, ..] = values;
            match spellings.number(white)? == spellings.number(black)? {
                true => self.games.omitted.against_self += 1,
                false => self.add_game(game, values),
            }
        }
        Ok(())
    }

    /// Adds a game for each side that is the opponent.
    fn add_game(&mut self, game: GameId, values: Values) {
        let [
            white,
            black,
            flags,
            date,
            white_elo,
            black_elo,
            plies,
            opening,
        ] = values;
        let flags = GameFlags::from_value(flags);
        for (color, own, opponent_elo) in [
            (Color::White, (white, white_elo), black_elo),
            (Color::Black, (black, black_elo), white_elo),
        ] {
            if !self.players.contains(&own.0) {
                continue;
            }
            let of_name = self.names.entry(own.0).or_default();
            let is_duplicate = self.duplicates.contains(game);
            if let Some(reason) = self.games.omitted.reason(flags, plies, is_duplicate) {
                *reason += u64::from(color == self.color);
                continue;
            }
            let side = SideOfGame {
                color,
                result: flags.result(),
                elo: known_elo(own.1),
                opponent_elo: known_elo(opponent_elo),
                date: PartialDate::from_code(date),
            };
            let speed = Speed::ALL.into_iter().find(|&speed| flags.has_speed(speed));
            let game = OpponentGame {
                game,
                side,
                plies,
                opening,
                speed,
            };
            if color == self.color {
                *of_name += 1;
                self.games.list.push(game);
            } else {
                self.games.other_color.push(game);
            }
        }
    }
}

impl OmittedGames {
    /// The count of the games that are left out for the same reason as a game; `None` if it is not.
    fn reason(&mut self, flags: GameFlags, plies: u64, is_duplicate: bool) -> Option<&mut u64> {
        let is_usual = flags.has_boards()
            && flags.starts_as_usual()
            && !flags.variant().plays_apart()
            && plies > 0;
        match (is_duplicate, is_usual) {
            (true, _) => Some(&mut self.duplicates),
            (false, false) => Some(&mut self.other_starts),
            (false, true) => None,
        }
    }
}

/// The same day some years before; the year 1 at the earliest.
fn years_before(date: PartialDate, years: u16) -> Option<PartialDate> {
    let year = date.year().saturating_sub(years).max(1);
    let text = date.to_string();
    let rest = text.get(4..)?;
    PartialDate::from_tag(&format!("{year:04}{rest}"))
}

/// The canonical names of some names, with their games, the most frequent first; those without games are left out if
/// others have some.
fn canonical(
    spellings: &mut Spellings<'_>,
    names: HashMap<u64, u64>,
) -> rusqlite::Result<Vec<(String, u64)>> {
    let mut numbers: Vec<(u64, u64)> = names.into_iter().collect();
    if numbers.iter().any(|(_, games)| *games > 0) {
        numbers.retain(|(_, games)| *games > 0);
    }
    numbers.sort_unstable();
    let mut joined: HashMap<u64, u64> = HashMap::new();
    for (number, games) in numbers {
        *joined.entry(spellings.number(number)?).or_default() += games;
    }
    let mut named = Vec::with_capacity(joined.len());
    for (number, games) in joined {
        named.push((spellings.name(number)?, games));
    }
    named.sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_day_some_years_before() {
        let before = |date: &str, years| {
            years_before(date.parse().expect("a date"), years).map(|date| date.to_string())
        };
        assert_eq!(before("2024.02.29", 2).as_deref(), Some("2022.02.29"));
        assert_eq!(before("1974.??.??", 2).as_deref(), Some("1972.??.??"));
        assert_eq!(before("0001.05.??", 2).as_deref(), Some("0001.05.??"));
    }
}
