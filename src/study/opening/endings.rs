//! The material with which games end.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::chosen::Chosen;
use crate::board::{Color, Role};
use crate::columns::{Column, GameFlags};
use crate::error::Result;
use crate::game::GameFacts;
use crate::index::Counts;
use crate::replay::MaterialSignature;
use crate::storage::InDatabase;

/// The most pieces beside king and pawns that each side has in an ending.
const MOST_PIECES: u32 = 2;
/// The most kinds of endings listed.
const MOST_ENDINGS: usize = 12;

/// The roles of pieces, in the order in which they are written.
const PIECES: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The endings of an opening's games: last positions in which each side has at most two pieces beside king and pawns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningEndings {
    /// The number of games that end so.
    pub games: u64,
    /// The number of games whose last material is known.
    pub known: u64,
    /// The most frequent kinds.
    pub list: Vec<OpeningEnding>,
}

/// A kind of ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningEnding {
    /// The pieces of White and of Black without pawns: `KRB`.
    pub pieces: [String; 2],
    /// The results of its games.
    pub counts: Counts,
}

/// The numbers of [`PIECES`] of White and of Black.
type Kind = [[u32; 4]; 2];

pub(super) fn read(chosen: &[Chosen<'_>]) -> Result<OpeningEndings> {
    let mut endings = OpeningEndings::default();
    let mut kinds: HashMap<Kind, Counts> = HashMap::new();
    let columns = [Column::MaterialSignature, Column::GameFlags];
    for of_database in chosen {
        let games = of_database.games();
        let read = of_database
            .store()
            .each_of(games, columns, |_, [signature, flags]| {
                let signature = MaterialSignature(signature);
                if !signature.is_known() {
                    return;
                }
                endings.known += 1;
                if let Some(kind) = kind(signature) {
                    endings.games += 1;
                    let result = GameFlags::from_value(flags).result();
                    let facts = GameFacts {
                        result,
                        white_elo: None,
                        black_elo: None,
                        year: None,
                    };
                    kinds.entry(kind).or_default().add(&facts, Color::White);
                }
            });
        read.in_database(of_database.database)?;
    }

    let mut kinds: Vec<(Kind, Counts)> = kinds.into_iter().collect();
    kinds.sort_unstable_by_key(|(kind, counts)| (Reverse(counts.all_games()), *kind));
    kinds.truncate(MOST_ENDINGS);
    let listed = kinds.into_iter().map(|(kind, counts)| {
        let pieces = kind.map(letters);
        OpeningEnding { pieces, counts }
    });
    endings.list = listed.collect();
    Ok(endings)
}

/// The pieces of the last position, if it is an ending.
fn kind(signature: MaterialSignature) -> Option<Kind> {
    let kind = Color::ALL.map(|color| PIECES.map(|role| signature.last_count(color, role)));
    kind.iter()
        .all(|side| side.iter().sum::<u32>() <= MOST_PIECES)
        .then_some(kind)
}

fn letters(counts: [u32; 4]) -> String {
    let letters = PIECES.iter().zip(counts).flat_map(|(role, count)| {
        let letter = char::from(role.letter());
        std::iter::repeat_n(letter, count as usize)
    });
    std::iter::once('K').chain(letters).collect()
}
