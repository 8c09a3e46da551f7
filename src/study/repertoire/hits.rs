//! The games in a repertoire.

use std::cmp::Reverse;

use super::games::{GameTable, Place};
use super::lists::Walk;
use super::new_games::{NewGames, SourceOfGames};
use super::tally::MoveTally;
use super::{Departure, DepartureKind, Repertoire, RepertoireHit};
use crate::board::Move;
use crate::columns::{Column, GameFlags};
use crate::error::Result;
use crate::game::GameFacts;
use crate::index::Counts;
use crate::notation::san;
use crate::query::{Filter, GameOfDatabase, Selection, Watch, move_with_code};
use crate::replay::Visit;
use crate::storage::{Database, GameId, GameSet, InDatabase, duplicates};
use crate::store_fault::StoreResult;

/// The request that [`RepertoireHits::read`] answers: the games to compare with a repertoire.
#[derive(Clone, Debug, Default)]
pub struct RepertoireQuery {
    /// The games.
    pub filter: Filter,
    /// If given, only new games are compared.
    pub new_games: Option<NewGames>,
    /// If given, only the games of these sources of the database are compared, and `new_games` is ignored.
    pub sources: Option<Vec<SourceOfGames>>,
    /// `true` to count also games that leave before the first branch of the repertoire.
    pub whole: bool,
    /// The strategy by which games are found. It does not change the answer.
    pub strategy: RepertoireStrategy,
}

/// A strategy by which the games of a repertoire are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RepertoireStrategy {
    /// The strategy that is expected to be faster.
    #[default]
    Automatic,
    /// All games are replayed.
    Replay,
    /// The position index lists the games of each position.
    Lists,
}

/// The games in a repertoire.
#[derive(Debug)]
pub struct RepertoireHits {
    /// The number of games compared: games of chess that are not marked as duplicates.
    pub games: u64,
    /// The number of games that reach the repertoire.
    pub hits: u64,
    /// The number of games left out as duplicates.
    pub duplicates: u64,
    /// The sources of the new games, if the query has only new games.
    pub sources: Vec<SourceOfGames>,
    /// Where games leave: by kind, in the order of [`DepartureKind::place_by_use`], and by descending number of games
    /// within a kind.
    pub departures: Vec<Departure>,
    /// The counts of the games that reach each position.
    reached: Vec<Counts>,
    /// The counts of the games that reach each position, by the moves that they play there.
    played: Vec<MoveTally>,
    /// For each position, the games that leave the repertoire there, grouped by the move that leaves.
    tallies: Vec<Vec<DepartureTally>>,
    /// The games of each database.
    tables: Vec<GameTable>,
}

/// The maximum number of games with the best ratings of a departure.
const MAX_BEST_GAMES: usize = 3;
/// The maximum number of games that are replayed automatically.
const MAX_REPLAYED_GAMES: u64 = 20_000;
/// Games are replayed automatically if they are at most one in this many games of the database.
const GAMES_FOR_A_REPLAY: u64 = 50;

impl RepertoireHits {
    /// Finds the games of a database that reach a repertoire, and where they leave it.
    ///
    /// A game counts once: at the deepest position of the repertoire that its mainline reaches, by any order of moves,
    /// with the move at its first visit there.
    ///
    /// # Errors
    /// When the database cannot be read, the filter's condition is not valid SQL, or a source is not in the database.
    pub fn read(
        database: &Database,
        repertoire: &Repertoire,
        query: &RepertoireQuery,
        watch: &Watch<'_>,
    ) -> Result<RepertoireHits> {
        let mut selection = Selection::new(database, &query.filter)?;
        let new_sources = match (&query.sources, &query.new_games) {
            (Some(sources), _) => Some(sources.clone()),
            (None, Some(new_games)) => Some(new_games.sources(database)?),
            (None, None) => None,
        };
        if let Some(sources) = &new_sources {
            let ranges: Vec<_> = sources.iter().map(|source| source.games.clone()).collect();
            selection.restrict_to_numbers(&ranges);
        }
        selection.settle(watch)?;

        let chosen = Chosen::new(database, &selection).in_database(database)?;
        let mut table =
            GameTable::new(selection.column_store(), &chosen.games).in_database(database)?;
        let mut hits = RepertoireHits {
            games: chosen.games.len(),
            hits: 0,
            duplicates: chosen.duplicates,
            sources: new_sources.unwrap_or_default(),
            departures: Vec::new(),
            reached: Vec::new(),
            played: Vec::new(),
            tallies: Vec::new(),
            tables: Vec::new(),
        };
        hits.played = hits.find_places(database, repertoire, query, &chosen, &mut table, watch)?;

        let engines = selection
            .column_store()
            .games(GameFlags::has_engine)
            .in_database(database)?;
        hits.count_departing(repertoire, &table, &engines);
        hits.tables.push(table);
        hits.list_departures(repertoire);
        Ok(hits)
    }

    /// Joins the hits of several databases for one repertoire. `None` without a database.
    pub fn joined(
        repertoire: &Repertoire,
        of_databases: Vec<RepertoireHits>,
    ) -> Option<RepertoireHits> {
        let mut rest = of_databases.into_iter();
        let mut joined = rest.next()?;
        for (database, other) in (1..).zip(rest) {
            joined.games += other.games;
            joined.hits += other.hits;
            joined.duplicates += other.duplicates;
            joined.sources.extend(other.sources);
            joined.tables.extend(other.tables);
            for (all, played) in joined.played.iter_mut().zip(&other.played) {
                all.merge(played);
            }
            for (all, tallies) in joined.tallies.iter_mut().zip(other.tallies) {
                for tally in tallies {
                    find_or_add_tally(all, tally.code).merge(tally, database);
                }
            }
        }

        // Departures are counted again from the tallies of all databases.
        joined.departures.clear();
        joined.list_departures(repertoire);
        Some(joined)
    }

    /// Finds the deepest place of each game, and counts the games of each position by their moves.
    fn find_places(
        &self,
        database: &Database,
        repertoire: &Repertoire,
        query: &RepertoireQuery,
        chosen: &Chosen,
        table: &mut GameTable,
        watch: &Watch<'_>,
    ) -> Result<Vec<MoveTally>> {
        // A game that leaves before the first branch plays another opening, which is no gap of the repertoire.
        let first = if query.whole {
            0
        } else {
            repertoire.first_choice()
        };
        let positions = repertoire.positions().len();
        let mut played = vec![MoveTally::default(); positions];

        // If indexed positions are limited by half-moves, the index does not know all positions.
        let has_all = database.indexed_plies()?.last().is_none();
        let are_few = self.games <= MAX_REPLAYED_GAMES.min(chosen.of_all / GAMES_FOR_A_REPLAY);
        let is_replayed = match query.strategy {
            _ if !has_all => true,
            RepertoireStrategy::Automatic => are_few,
            RepertoireStrategy::Replay => true,
            RepertoireStrategy::Lists => false,
        };

        let items = if is_replayed {
            self.games as usize
        } else {
            positions
        };
        let walk = Walk::new(repertoire, database, items, watch)?;
        let undecided = if is_replayed {
            chosen.games.iter().collect()
        } else {
            walk.count_lists(first, &chosen.games, table, &mut played)?
        };
        walk.replay(first, &undecided, table, &mut played)?;
        Ok(played)
    }

    /// Counts the games by the places where they leave. `engines` are the games in which programs play.
    fn count_departing(&mut self, repertoire: &Repertoire, table: &GameTable, engines: &GameSet) {
        self.tallies = vec![Vec::new(); self.played.len()];
        for (game, place, facts) in table.places() {
            self.hits += 1;

            let (at, _) = place;
            let code = repertoire.departing_code(place);
            let tally = find_or_add_tally(&mut self.tallies[at as usize], code);
            let has_engine = engines.contains(game);
            tally.add(game, facts, has_engine, repertoire);
        }
    }

    /// Lists the departures: the places where games leave.
    fn list_departures(&mut self, repertoire: &Repertoire) {
        self.reached = self.played.iter().map(MoveTally::sum).collect();

        let mut departures = Vec::new();
        for (at, played) in self.played.iter().enumerate() {
            // A move has a departure without games if all games with the move come back to deeper positions.
            let mut tallies = self.tallies[at].clone();
            for (code, _) in played.iter() {
                let departing = repertoire.departing_code((at as u32, code));
                if repertoire.is_unanswered(at, departing) {
                    find_or_add_tally(&mut tallies, departing);
                }
            }

            for tally in tallies {
                departures.push(self.departure(repertoire, at, tally, played));
            }
        }
        self.departures.extend(departures);

        // The order of tallies depends on the strategy, so the move is the last key of the order.
        self.departures.sort_by_key(|departure| {
            let code = departure.played.as_ref().map(|(_, mv)| mv.code());
            let most_games_first = Reverse(departure.counts.all_games());
            let place = departure.kind.place_by_use();
            (place, most_games_first, departure.position, code)
        });
    }

    /// The departure for a tally of games that leave at a position; `played` are all moves played there.
    fn departure(
        &self,
        repertoire: &Repertoire,
        at: usize,
        tally: DepartureTally,
        played: &MoveTally,
    ) -> Departure {
        let place = (at as u32, tally.code);
        let kind = repertoire.kind_of(place);
        let reached = self.reached[at];

        // All games that reach the end of a line are counted together, whatever move they play there.
        let all = match kind {
            DepartureKind::EndOfLine => reached,
            _ => played.get(tally.code),
        };
        Departure {
            position: at,
            kind,
            played: repertoire.leaving_move(place),
            counts: tally.counts,
            all,
            reached: reached.all_games(),
            best: tally.best_games(),
        }
    }

    /// The counts of the games that reach a position of the repertoire.
    pub fn reached(&self, position: usize) -> &Counts {
        &self.reached[position]
    }

    /// The games in the repertoire, by number.
    pub fn each<'h>(&'h self, repertoire: &'h Repertoire) -> impl Iterator<Item = RepertoireHit> {
        let tables = self.tables.iter().enumerate();
        tables.flat_map(move |(database, table)| {
            table.places().map(move |(game, place, _)| {
                let (position, code) = place;
                let is_move = code != Visit::END;
                RepertoireHit {
                    database,
                    game,
                    position: position as usize,
                    kind: repertoire.kind_of(place),
                    code: is_move.then_some(code),
                }
            })
        })
    }
}

/// The games that are compared with a repertoire.
struct Chosen {
    games: GameSet,
    /// The number of games that are left out as duplicates.
    duplicates: u64,
    /// An upper bound of the number of all games.
    of_all: u64,
}

impl Chosen {
    fn new(database: &Database, selection: &Selection<'_>) -> StoreResult<Chosen> {
        let mut games = selection.candidates().clone();
        let column_store = selection.column_store();
        column_store.retain(&mut games, [Column::GameFlags], |[flag_bits]| {
            let flags = GameFlags::from_value(flag_bits);
            flags.is_played() && flags.has_boards() && !flags.variant().plays_apart()
        })?;

        let with_duplicates = games.len();
        for game in duplicates(&database.connection)?.iter() {
            games.remove(game);
        }

        // The largest number is read at once, while a count reads all rows.
        let sql = "SELECT coalesce(max(id), 0) FROM game";
        let largest: i64 = database.connection.query_row(sql, [], |row| row.get(0))?;
        Ok(Chosen {
            duplicates: with_duplicates - games.len(),
            games,
            of_all: largest.max(0).cast_unsigned(),
        })
    }
}

/// The games of a [`Departure`] while they are counted.
#[derive(Clone, Debug, Default)]
struct DepartureTally {
    code: u16,
    counts: Counts,
    /// The games with the greatest strength, the greatest first.
    best: Vec<(Strength, GameOfDatabase)>,
}

/// The key by which the best games are chosen: `true` if only people play, and the sum of both ratings.
type Strength = (bool, u32);

/// The tally of a move, which is added if there is none.
fn find_or_add_tally(tallies: &mut Vec<DepartureTally>, code: u16) -> &mut DepartureTally {
    let known = tallies.iter().position(|tally| tally.code == code);
    let at = known.unwrap_or(tallies.len());
    if known.is_none() {
        tallies.push(DepartureTally {
            code,
            ..DepartureTally::default()
        });
    }
    &mut tallies[at]
}

impl DepartureTally {
    /// Adds a game. Games are added by ascending number.
    fn add(&mut self, game: GameId, facts: &GameFacts, has_engine: bool, repertoire: &Repertoire) {
        self.counts.add(facts, repertoire.side());

        // Games with an unknown rating come last.
        let both_elos = match (facts.white_elo, facts.black_elo) {
            (Some(white), Some(black)) => u32::from(white.get()) + u32::from(black.get()),
            _ => 0,
        };
        let strength = (!has_engine, both_elos);
        self.add_best(strength, GameOfDatabase { database: 0, game });
    }

    /// Adds a game to the best games, if it is strong enough.
    fn add_best(&mut self, strength: Strength, game: GameOfDatabase) {
        // An earlier game comes before a later game of equal strength.
        let at = self.best.partition_point(|(other, _)| *other >= strength);
        if at < MAX_BEST_GAMES {
            self.best.truncate(MAX_BEST_GAMES - 1);
            self.best.insert(at, (strength, game));
        }
    }

    /// Adds the games of another database, whose index is given.
    fn merge(&mut self, other: DepartureTally, database: usize) {
        self.counts.merge(&other.counts);
        for (strength, game) in other.best {
            self.add_best(strength, GameOfDatabase { database, ..game });
        }
    }

    /// The best games. Games in which programs play are listed only if there are no others.
    fn best_games(self) -> Vec<GameOfDatabase> {
        // Games of people come first.
        let has_people = match self.best.first() {
            Some(((is_of_people, _), _)) => *is_of_people,
            None => false,
        };

        let mut games = Vec::with_capacity(self.best.len());
        for ((is_of_people, _), game) in self.best {
            if is_of_people == has_people {
                games.push(game);
            }
        }
        games
    }
}

impl Repertoire {
    /// The code under which games that leave a position are counted. Games at the end of a line are counted together.
    fn departing_code(&self, (at, code): Place) -> u16 {
        if self.positions[at as usize].is_end() {
            Visit::END
        } else {
            code
        }
    }

    /// `true` if a move or the end of a game leads to no position of the repertoire.
    fn is_unanswered(&self, at: usize, code: u16) -> bool {
        self.positions[at]
            .moves
            .iter()
            .all(|mv| mv.mv.code() != code)
    }

    /// The way in which a game leaves the repertoire by the move `code` in the position `at`.
    fn kind_of(&self, (at, code): Place) -> DepartureKind {
        let at = at as usize;
        match code {
            _ if self.positions[at].is_end() => DepartureKind::EndOfLine,
            Visit::END => DepartureKind::EndOfGame,
            _ if !self.is_unanswered(at, code) => DepartureKind::Return,
            _ if self.is_own_turn(at) => DepartureKind::Own,
            _ => DepartureKind::Opponent,
        }
    }

    /// The move with a code, with its SAN; `None` where the line or the game ends.
    fn leaving_move(&self, (at, code): Place) -> Option<(String, Move)> {
        if code == Visit::END {
            return None;
        }

        let position = &self.positions[at as usize].position;
        let mv = move_with_code(position, code)?;
        Some((san(position, mv), mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the best games among games with a strength and a number.
    fn best(games: &[(Strength, i64)]) -> Vec<i64> {
        let mut tally = DepartureTally::default();
        for &(strength, number) in games {
            let game = GameOfDatabase {
                database: 0,
                game: GameId::new(number),
            };
            tally.add_best(strength, game);
        }

        let games = tally.best_games();
        games.iter().map(|one| one.game.get()).collect()
    }

    #[test]
    fn the_best_games_are_of_people_unless_there_are_none() {
        let people_and_programs = [((false, 5600), 1), ((true, 4000), 2), ((true, 4400), 3)];
        assert_eq!(best(&people_and_programs), [3, 2]);

        let programs = [((false, 5600), 1), ((false, 6000), 2)];
        assert_eq!(best(&programs), [2, 1]);
    }

    #[test]
    fn the_first_of_equal_games_remain() {
        let strength = (true, 4000);
        let equal = [(strength, 1), (strength, 2), (strength, 3), (strength, 4)];
        assert_eq!(best(&equal), [1, 2, 3]);
    }
}
