//! The spellings of a database with their games and years, and evidence of games about players.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use rusqlite::Connection;

use crate::cleaning::names::{SpellingPair, lesser_first};
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::game::PartialDate;
use crate::storage::{NameTable, each_fide_id, names_of, players_of_duplicates};
use crate::store_fault::StoreResult;

/// The names of a table.
#[derive(Debug, Default)]
pub(super) struct Spellings {
    pub(super) texts: Vec<String>,
    pub(super) games: Vec<GamesOfName>,
    indexes: HashMap<u64, u32, RandomState>,
}

/// The games of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GamesOfName {
    pub(super) games: u32,
    /// The year of the first game, 0 for unknown.
    pub(super) first_year: u16,
    pub(super) last_year: u16,
}

impl GamesOfName {
    /// Adds a game in a year, 0 for unknown.
    fn add(&mut self, year: u16) {
        self.games += 1;
        if year == 0 {
            return;
        }

        self.first_year = match self.first_year {
            0 => year,
            first_year => first_year.min(year),
        };
        self.last_year = self.last_year.max(year);
    }
}

impl Spellings {
    /// Reads the names of a table, without their games.
    fn read(connection: &Connection, table: NameTable) -> rusqlite::Result<Spellings> {
        let names = names_of(connection, table)?;

        let mut spellings = Spellings::default();
        for (index, (id, name)) in (0..).zip(names) {
            spellings.indexes.insert(id.cast_unsigned(), index);
            spellings.games.push(GamesOfName::default());
            spellings.texts.push(name);
        }
        Ok(spellings)
    }

    /// The index of the name with a number.
    fn index(&self, number: u64) -> Option<u32> {
        self.indexes.get(&number).copied()
    }

    /// Adds a game to the name with a number; returns the index of the name.
    fn add(&mut self, number: u64, year: u16) -> Option<u32> {
        let index = self.index(number)?;
        self.games[index as usize].add(year);
        Some(index)
    }
}

/// The evidence of games about players, by the indexes of their spellings.
#[derive(Debug, Default)]
pub(super) struct PlayerEvidence {
    /// Players of a game and of its duplicate.
    pub(super) twins: Vec<SpellingPair>,
    /// Players who have played against each other, so that they are not one person.
    pub(super) met: Vec<(u32, u32)>,
    /// The FIDE id of each spelling; 0 if its games have none or several.
    pub(super) fide_ids: Vec<u32>,
}

/// The names of a database.
#[derive(Debug, Default)]
pub(super) struct CollectedNames {
    pub(super) players: Spellings,
    pub(super) events: Spellings,
    pub(super) sites: Spellings,
    pub(super) evidence: PlayerEvidence,
}

/// The minimum score of duplicates whose players are evidence. Less certain duplicates may be games of other players.
const MIN_SCORE: f64 = 0.95;

impl CollectedNames {
    /// Reads all names with their games, and the evidence about players.
    pub(super) fn read(connection: &Connection) -> StoreResult<CollectedNames> {
        let mut collected = CollectedNames {
            players: Spellings::read(connection, NameTable::Player)?,
            events: Spellings::read(connection, NameTable::Event)?,
            sites: Spellings::read(connection, NameTable::Site)?,
            evidence: PlayerEvidence::default(),
        };

        collected.read_games(connection)?;
        collected.evidence.twins = collected.read_twins(connection)?;
        collected.evidence.fide_ids = collected.read_fide_ids(connection)?;
        Ok(collected)
    }

    /// The spellings of a table.
    pub(super) fn spellings(&self, table: NameTable) -> &Spellings {
        match table {
            NameTable::Player => &self.players,
            NameTable::Event => &self.events,
            NameTable::Site => &self.sites,
        }
    }

    /// Counts the games of all names, and collects the players who have met.
    fn read_games(&mut self, connection: &Connection) -> StoreResult<()> {
        const COLUMNS: [Column; 5] = [
            Column::White,
            Column::Black,
            Column::Event,
            Column::Site,
            Column::Date,
        ];

        let columns = ColumnStore::new(connection)?;
        let games = columns.games(GameFlags::exists)?;
        columns.each(
            games.iter(),
            COLUMNS,
            |_, [white, black, event, site, date]| {
                let year = PartialDate::from_code(date).map_or(0, PartialDate::year);
                let white = self.players.add(white, year);
                let black = self.players.add(black, year);
                if let (Some(white), Some(black)) = (white, black) {
                    self.evidence.met.push((white, black));
                }

                self.events.add(event, year);
                self.sites.add(site, year);
            },
        )?;

        self.evidence.met.sort_unstable();
        self.evidence.met.dedup();
        Ok(())
    }

    /// The pairs of different players in games and their duplicates, each with the number of games.
    fn read_twins(&self, connection: &Connection) -> rusqlite::Result<Vec<SpellingPair>> {
        let index = |id: Option<i64>| self.players.index(id?.cast_unsigned());
        let players = players_of_duplicates(connection, MIN_SCORE)?;

        let mut counts: HashMap<(u32, u32), u32, RandomState> = HashMap::default();
        for [white, kept_white, black, kept_black] in players {
            for (player, kept) in [(white, kept_white), (black, kept_black)] {
                if let (Some(a), Some(b)) = (index(player), index(kept))
                    && a != b
                {
                    let pair = lesser_first(a, b);
                    *counts.entry(pair).or_default() += 1;
                }
            }
        }

        let mut pairs: Vec<SpellingPair> = Vec::with_capacity(counts.len());
        for ((a, b), games) in counts {
            pairs.push((a, b, games));
        }
        pairs.sort_unstable();
        Ok(pairs)
    }

    /// The FIDE id of each player; 0 without an id or with several.
    fn read_fide_ids(&self, connection: &Connection) -> rusqlite::Result<Vec<u32>> {
        let mut ids = vec![0; self.players.texts.len()];
        each_fide_id(connection, |player, id| {
            let Some(index) = self.players.index(player.cast_unsigned()) else {
                return;
            };
            let known = &mut ids[index as usize];
            *known = match *known {
                0 => id,
                known if known == id => id,
                _ => SEVERAL_IDS,
            };
        })?;

        for id in &mut ids {
            if *id == SEVERAL_IDS {
                *id = 0;
            }
        }
        Ok(ids)
    }
}

/// The mark of a spelling with several ids: players have written their names alike, or an id is wrong.
const SEVERAL_IDS: u32 = u32::MAX;
