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

/// The maximum number of pieces beside king and pawns that each side has in an ending.
const MAX_PIECES: u32 = 2;
/// The maximum number of listed kinds of endings.
const MAX_ENDINGS: usize = 12;

/// The roles of pieces, in the order in which they are written.
const PIECES: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The endings of an opening's games: last positions in which each side has at most two pieces beside king and pawns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningEndings {
    /// The number of games that end with such a position.
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
type Kind = [[u32; PIECES.len()]; 2];

/// Counts the endings of the chosen games.
pub(super) fn read(chosen: &[Chosen<'_>]) -> Result<OpeningEndings> {
    let mut endings = OpeningEndings::default();
    let mut kinds: HashMap<Kind, Counts> = HashMap::new();
    let columns = [Column::MaterialSignature, Column::GameFlags];
    for of_database in chosen {
        let games = of_database.games();
        let store = of_database.store();
        let read = store.each_of(games, columns, |_, [material, flag_bits]| {
            let signature = MaterialSignature(material);
            if !signature.is_known() {
                return;
            }
            endings.known += 1;

            let Some(kind) = ending_of(signature) else {
                return;
            };
            endings.games += 1;

            // Endings list results only.
            let facts = GameFacts {
                result: GameFlags::from_value(flag_bits).result(),
                white_elo: None,
                black_elo: None,
                year: None,
            };
            let counts = kinds.entry(kind).or_default();
            counts.add(&facts, Color::White);
        });
        read.in_database(of_database.database)?;
    }

    let mut listed: Vec<(Kind, Counts)> = kinds.into_iter().collect();
    listed.sort_unstable_by_key(|(kind, counts)| (Reverse(counts.all_games()), *kind));
    listed.truncate(MAX_ENDINGS);
    for (kind, counts) in listed {
        let pieces = kind.map(letters_of);
        endings.list.push(OpeningEnding { pieces, counts });
    }
    Ok(endings)
}

/// The pieces of the last position, if it is an ending.
fn ending_of(signature: MaterialSignature) -> Option<Kind> {
    let mut kind = Kind::default();
    for (color, counts) in Color::ALL.into_iter().zip(&mut kind) {
        *counts = PIECES.map(|role| signature.last_count(color, role));

        let pieces: u32 = counts.iter().sum();
        if pieces > MAX_PIECES {
            return None;
        }
    }
    Some(kind)
}

/// The letters of a king and some pieces: `KRB`.
fn letters_of(counts: [u32; PIECES.len()]) -> String {
    let mut letters = String::from("K");
    for (role, count) in PIECES.into_iter().zip(counts) {
        for _ in 0..count {
            letters.push(char::from(role.letter()));
        }
    }
    letters
}
