//! Tallies of games by opening, opponent, year and other keys.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::ranked::Ranked;
use super::score::{PlayerAccuracy, PlayerScore, SideOfGame};
use crate::board::Color;
use crate::columns::{Column, GameFlags};
use crate::game::{PartialDate, known_elo};
use crate::query::Selection;
use crate::query::canonical_numbers::CanonicalNumbers;
use crate::query::filter::NameNumbers;
use crate::storage::GameId;
use crate::store_fault::StoreResult;

/// The numbers of the names of the player and of the opponent.
pub(super) struct Sides {
    pub(super) players: NameNumbers,
    /// `None` for any opponent.
    pub(super) opponents: Option<NameNumbers>,
}

impl Sides {
    /// `true` if both names of a game match.
    fn have(&self, names: NamesOfSide) -> bool {
        let is_opponent = match &self.opponents {
            Some(numbers) => numbers.contains(&names.opponent),
            None => true,
        };
        self.players.contains(&names.player) && is_opponent
    }
}

/// Scores by key.
#[derive(Clone)]
pub(super) struct Scores<K>(HashMap<K, PlayerScore, foldhash::fast::RandomState>);

/// All tallies of a record. The first of a pair is White's.
pub(super) struct Tally {
    pub(super) total: PlayerScore,
    pub(super) colors: [PlayerScore; 2],
    pub(super) accuracy: PlayerAccuracy,
    pub(super) spellings: Scores<u64>,
    pub(super) openings: [Scores<u16>; 2],
    /// Scores by the openings that the moves lead to.
    pub(super) named_openings: [Scores<u64>; 2],
    /// The games of each ECO code that lead to an opening.
    pub(super) opening_names: BTreeMap<(u16, u64), u64>,
    pub(super) opponents: Scores<u64>,
    pub(super) years: Scores<u16>,
    /// Each game, if the query has an opponent.
    pub(super) games: Vec<ListedGame>,
    /// The number of games that name one player for both sides.
    pub(super) against_self: u64,
}

/// A game of the player, as it is listed.
pub(super) struct ListedGame {
    game: GameId,
    /// The colour of the player.
    color: Color,
    /// The score of the player in this game alone.
    score: PlayerScore,
}

/// The names of both players in one game, as seen by one of them. A number is 0 for a missing name.
#[derive(Clone, Copy)]
struct NamesOfSide {
    player: u64,
    opponent: u64,
}

impl NamesOfSide {
    /// The names as seen by the opponent.
    fn reversed(self) -> NamesOfSide {
        NamesOfSide {
            player: self.opponent,
            opponent: self.player,
        }
    }
}

/// The opening of a game by its tag and by its moves.
#[derive(Clone, Copy)]
struct OpeningOfGame {
    /// The code of the ECO tag, 0 for none.
    eco: u16,
    /// The number of the opening that the moves lead to, 0 for none.
    number: u64,
}

const COLUMNS: [Column; 10] = [
    Column::White,
    Column::Black,
    Column::GameFlags,
    Column::Date,
    Column::WhiteElo,
    Column::BlackElo,
    Column::Eco,
    Column::Opening,
    Column::Accuracy,
    Column::CentipawnLoss,
];

impl Tally {
    /// Counts the games of a settled selection, once for each side that matches. A game that names one player for both
    /// sides has no result for the player, and is left out.
    pub(super) fn count(
        selection: &Selection<'_>,
        sides: &Sides,
        canonical: &mut CanonicalNumbers<'_>,
    ) -> StoreResult<Tally> {
        let mut tally = Tally {
            total: PlayerScore::default(),
            colors: [PlayerScore::default(); 2],
            accuracy: PlayerAccuracy::default(),
            spellings: Scores::new(),
            openings: [Scores::new(), Scores::new()],
            named_openings: [Scores::new(), Scores::new()],
            opening_names: BTreeMap::new(),
            opponents: Scores::new(),
            years: Scores::new(),
            games: Vec::new(),
            against_self: 0,
        };

        // A look-up in the database decides whether both names are names of one player. So these games are added after
        // the scan.
        let mut of_both = Vec::new();
        let games = selection.candidates().iter();
        let column_store = selection.column_store();
        column_store.each(games, COLUMNS, |game, values| {
            let [white, black, ..] = values;
            let names = NamesOfSide {
                player: white,
                opponent: black,
            };
            if sides.have(names) && sides.have(names.reversed()) {
                of_both.push((game, values));
            } else {
                tally.add_sides(game, values, sides);
            }
        })?;

        for (game, values) in of_both {
            let [white, black, ..] = values;
            let is_one_player = canonical.number(white)? == canonical.number(black)?;
            if is_one_player {
                tally.against_self += 1;
            } else {
                tally.add_sides(game, values, sides);
            }
        }
        Ok(tally)
    }

    /// Adds a game for each side that matches.
    fn add_sides(&mut self, game: GameId, values: [u64; COLUMNS.len()], sides: &Sides) {
        let [
            white,
            black,
            flags,
            date,
            white_elo,
            black_elo,
            eco,
            opening,
            accuracy,
            loss,
        ] = values;
        let opening = OpeningOfGame {
            eco: eco as u16,
            number: opening,
        };
        let [white_accuracy, black_accuracy] = PlayerAccuracy::of_columns(accuracy, loss);
        let white_side = SideOfGame {
            color: Color::White,
            result: GameFlags::from_value(flags).result(),
            elo: known_elo(white_elo),
            opponent_elo: known_elo(black_elo),
            date: PartialDate::from_code(date),
        };

        let white_names = NamesOfSide {
            player: white,
            opponent: black,
        };
        let black_names = white_names.reversed();

        // A game between two players whose names match counts for both sides.
        if sides.have(white_names) {
            self.accuracy.join(&white_accuracy);
            self.add(game, white_side, white_names, opening, sides);
        }
        if sides.have(black_names) {
            let black_side = SideOfGame {
                color: Color::Black,
                elo: white_side.opponent_elo,
                opponent_elo: white_side.elo,
                ..white_side
            };
            self.accuracy.join(&black_accuracy);
            self.add(game, black_side, black_names, opening, sides);
        }
    }

    /// Adds a game to all tallies of one side.
    fn add(
        &mut self,
        game: GameId,
        side: SideOfGame,
        names: NamesOfSide,
        opening: OpeningOfGame,
        sides: &Sides,
    ) {
        // White's tallies are first.
        let at = usize::from(!side.color.is_white());
        self.total.add(side);
        self.colors[at].add(side);
        self.spellings.add(names.player, side);

        let OpeningOfGame { eco, number } = opening;
        if eco > 0 {
            self.openings[at].add(eco, side);
        }
        if number > 0 {
            self.named_openings[at].add(number, side);
        }
        if eco > 0 && number > 0 {
            *self.opening_names.entry((eco, number)).or_default() += 1;
        }
        if names.opponent > 0 {
            self.opponents.add(names.opponent, side);
        }
        if let Some(date) = side.date {
            self.years.add(date.year(), side);
        }

        // Only the games against one opponent are listed. All games of a player would be many.
        if sides.opponents.is_some() {
            let mut score = PlayerScore::default();
            score.add(side);
            self.games.push(ListedGame {
                game,
                color: side.color,
                score,
            });
        }
    }
}

impl<K: Copy + Ord + Hash> Scores<K> {
    fn new() -> Scores<K> {
        Scores(HashMap::default())
    }

    /// Adds a game to the score of a key.
    fn add(&mut self, key: K, side: SideOfGame) {
        self.0.entry(key).or_default().add(side);
    }

    /// The scores with joined rows: rows with equal values of `joined_key` become one row under this key.
    pub(super) fn joined(
        self,
        mut joined_key: impl FnMut(K) -> rusqlite::Result<K>,
    ) -> rusqlite::Result<Scores<K>> {
        // `joined_key` may return the first spelling that it is called with, so the order must not depend on the hash
        // map.
        let mut rows: Vec<(K, PlayerScore)> = self.0.into_iter().collect();
        rows.sort_unstable_by_key(|(key, _)| *key);

        let mut joined = Scores::new();
        for (key, score) in rows {
            let key_of_row = joined_key(key)?;
            let row: &mut PlayerScore = joined.0.entry(key_of_row).or_default();
            row.join(&score);
        }
        Ok(joined)
    }

    /// The rows with the most games.
    pub(super) fn most_played(self, limit: usize) -> Ranked<K> {
        first_rows(self.0, limit, |(key, score)| {
            (Reverse(score.all_games()), *key)
        })
    }

    /// The rows with the greatest keys.
    pub(super) fn latest(self, limit: usize) -> Ranked<K> {
        first_rows(self.0, limit, |(key, _)| Reverse(*key))
    }
}

/// The latest games. Games without a date come last.
pub(super) fn latest(games: Vec<ListedGame>, limit: usize) -> Ranked<(GameId, Color)> {
    let rows = games
        .into_iter()
        .map(|listed| ((listed.game, listed.color), listed.score));

    // A game that counts for both sides has two rows, the row of White first.
    first_rows(rows, limit, |((game, color), score)| {
        (Reverse(score.last), Reverse(*game), !color.is_white())
    })
}

/// The first `limit` rows in ascending order of `rank`, and the number of all rows.
fn first_rows<K, R: Ord>(
    rows: impl IntoIterator<Item = (K, PlayerScore)>,
    limit: usize,
    rank: impl Fn(&(K, PlayerScore)) -> R,
) -> Ranked<K> {
    // Keys are part of each rank, so the order does not depend on the hash map.
    let mut ranked: Vec<_> = rows.into_iter().collect();
    ranked.sort_by_key(rank);

    let all = ranked.len();
    ranked.truncate(limit);
    Ranked { rows: ranked, all }
}
