//! Finds players of FIDE's list by id or by name.

use std::collections::HashMap;
use std::io::{self, BufRead};

use foldhash::fast::RandomState;

use super::PersonName;
use super::fide::FideList;
use super::fold::hash_64;
use super::groups::form_key;
use super::person::title;

/// Players of FIDE's list.
#[derive(Clone, Debug, Default)]
pub struct FidePlayers {
    players: Vec<ListedPlayer>,
    by_id: HashMap<u32, u32, RandomState>,
    /// The number of a player by the hashed form of the name; [`SEVERAL`] for a form of several players.
    by_form: HashMap<u64, u32, RandomState>,
}

/// The part of a listed player that is kept.
#[derive(Clone, Debug)]
pub(super) struct ListedPlayer {
    pub(super) name: Box<str>,
    pub(super) id: u32,
    pub(super) title: Option<&'static str>,
    pub(super) birth_year: u16,
}

/// Stands for several players with one form of their names. It is no player's number.
const SEVERAL: u32 = u32::MAX;

impl FidePlayers {
    /// Reads a list.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read(input: impl BufRead) -> io::Result<FidePlayers> {
        let mut list = FideList::new(input);
        let mut players = FidePlayers::default();

        while let Some(player) = list.next_player()? {
            let number = players.players.len().min(SEVERAL as usize - 1) as u32;
            let form_hash = hash_64(&form_key(&PersonName::parse(&player.name)));

            players
                .by_form
                .entry(form_hash)
                .and_modify(|found| *found = SEVERAL)
                .or_insert(number);
            players.by_id.insert(player.id, number);
            players.players.push(ListedPlayer {
                name: player.name.into(),
                id: player.id,
                title: title(&player.title),
                birth_year: player.birth_year,
            });
        }

        Ok(players)
    }

    /// The player with an id, or else the only player with a name, and the player's number.
    pub(super) fn find(&self, id: u32, name: &PersonName) -> Option<(u32, &ListedPlayer)> {
        let by_id = if id > 0 { self.by_id.get(&id) } else { None };
        let number = match by_id {
            Some(number) => number,
            None if name.is_person() => self.by_form.get(&hash_64(&form_key(name)))?,
            None => return None,
        };

        // `SEVERAL` is beyond all players.
        let player = self.players.get(*number as usize)?;
        Some((*number, player))
    }
}
