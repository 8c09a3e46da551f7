//! The input of a search for twins: a few facts of each game, and all facts and moves of candidates.

use std::collections::HashMap;
use std::hash::Hasher;

use fnv::FnvHasher;
use rayon::prelude::*;
use rusqlite::Connection;

use crate::board::Position;
use crate::cleaning::names::{PersonName, Round, TextKey, parse_names};
use crate::cleaning::twins::{
    Fingerprint, GameDate, GameFacts, Preference, TwinSearch, is_unknown_tag,
};
use crate::columns::{Column, ColumnStore, GameFlags};
use crate::game::{PartialDate, known_elo};
use crate::pgn::Termination;
use crate::replay::{Mainline, TrustedLine};
use crate::storage::{
    GameId, MergedTag, NameTable, RESULT, SourceId, TwinTexts, all_tags, merged_tags_by_game,
    names_of,
};
use crate::store_fault::StoreResult;
use crate::threads;

/// Games by their indexes, which are in the order of their numbers.
pub(super) struct Collection<'c> {
    connection: &'c Connection,
    columns: ColumnStore<'c>,
    ids: Vec<GameId>,
    facts: Vec<GameFacts>,
    prints: Vec<Fingerprint>,
    names: Vec<PersonName>,
    /// The events and sites of the games that were read completely.
    texts: Vec<TextKey>,
    text_numbers: HashMap<String, u32>,
    /// Tags that kept games have from their twins. They are no evidence for these twins.
    merged: HashMap<GameId, Vec<MergedTag>>,
    moves: Moves,
}

/// The mainlines of the games that were read completely.
#[derive(Default)]
pub(super) struct Moves {
    codes: Vec<u16>,
    /// The games in ascending order, each with the end of its codes.
    ends: Vec<(u32, usize)>,
}

impl Moves {
    /// Appends the codes of a game's mainline.
    pub(super) fn append_to(&self, game: u32, moves: &mut Vec<u16>) {
        let Moves { codes, ends } = self;
        // Only pairs of games that were read are compared.
        let Ok(at) = ends.binary_search_by_key(&game, |(game, _)| *game) else {
            panic!("the moves of a game are compared that was not read");
        };

        let begin = match at.checked_sub(1) {
            Some(before) => {
                let (_, end_before) = ends[before];
                end_before
            }
            None => 0,
        };
        let (_, end) = ends[at];
        moves.extend_from_slice(&codes[begin..end]);
    }
}

const COLUMNS: [Column; 10] = [
    Column::GameFlags,
    Column::White,
    Column::Black,
    Column::Plies,
    Column::Date,
    Column::OpeningHash,
    Column::FirstHash,
    Column::SecondHash,
    Column::ThirdHash,
    Column::LastHash,
];

/// Games that are read before all threads follow their moves.
const BATCH_GAMES: usize = 1024;

impl<'c> Collection<'c> {
    /// Reads the facts of each game that the column store has.
    pub(super) fn read(connection: &'c Connection) -> StoreResult<Collection<'c>> {
        let columns = ColumnStore::new(connection)?;
        let players = Players::read(connection)?;
        let games = columns.games(|_| true)?;

        // Few facts of each game are kept: a database may have millions of games, and few of them are candidates.
        let count = games.len() as usize;
        let mut ids = Vec::with_capacity(count);
        let mut facts = Vec::with_capacity(count);
        let mut prints = Vec::with_capacity(count);
        columns.each(games.iter(), COLUMNS, |game, values| {
            let [flags, white, black, plies, date, hashes @ ..] = values;
            let result = GameFlags::from_value(flags).result();

            ids.push(game);
            prints.push(Fingerprint::from_numbers(hashes.map(|hash| hash as u32)));
            facts.push(GameFacts {
                plies: plies as u32,
                white: players.index(white),
                black: players.index(black),
                date: year_alone(date),
                result,
                ..GameFacts::default()
            });
        })?;

        let mut collection = Collection {
            connection,
            columns,
            ids,
            facts,
            prints,
            names: players.names,
            // The first text stands for a missing event or site.
            texts: vec![TextKey::default()],
            text_numbers: HashMap::new(),
            merged: merged_tags_by_game(connection)?,
            moves: Moves::default(),
        };
        collection.forget_merged_names()?;
        Ok(collection)
    }

    /// Sets names and results that come from twins to unknown, since they were unknown before.
    fn forget_merged_names(&mut self) -> rusqlite::Result<()> {
        for (&game, merged) in &self.merged {
            let Ok(index) = self.ids.binary_search(&game) else {
                continue;
            };
            let has_facts = merged
                .iter()
                .any(|tag| matches!(tag.name.as_str(), "White" | "Black" | RESULT));
            if !has_facts {
                continue;
            }

            let tags = all_tags(self.connection, game)?.unwrap_or_default();
            let facts = &mut self.facts[index];
            for tag in merged {
                // Another program may have changed the name since.
                let is_as_merged = tags
                    .iter()
                    .any(|other| other.name == tag.name && other.value == tag.value);

                match tag.name.as_str() {
                    "White" if is_as_merged => facts.white = 0,
                    "Black" if is_as_merged => facts.black = 0,
                    RESULT => facts.result = Termination::Unknown,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The number of games.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The number of the last game.
    pub(super) fn last_game(&self) -> GameId {
        self.ids.last().copied().unwrap_or(GameId::new(0))
    }

    /// The number of a game by its index.
    pub(super) fn id(&self, index: u32) -> GameId {
        self.ids.get(index as usize).copied().unwrap_or_default()
    }

    /// The index of a game; `None` if the database does not have it.
    pub(super) fn index(&self, game: GameId) -> Option<u32> {
        self.ids.binary_search(&game).ok().map(|index| index as u32)
    }

    /// The indexes of the games whose numbers are greater than the number of a game.
    pub(super) fn after(&self, game: GameId) -> std::ops::Range<u32> {
        let first = self.ids.partition_point(|&id| id <= game);
        first as u32..self.ids.len() as u32
    }

    /// A search over the games, with the facts that have been read so far.
    pub(super) fn search(&self, preference: Preference) -> TwinSearch<'_> {
        TwinSearch {
            preference,
            ..TwinSearch::new(&self.facts, &self.prints, &self.names, &self.texts)
        }
    }

    /// The mainlines of the games that have been read.
    pub(super) fn moves(&self) -> &Moves {
        &self.moves
    }

    /// Reads all facts and moves of some games, which are in ascending order, in place of the games that were read
    /// before. Games of a source in `preferred` are preferred.
    pub(super) fn complete(
        &mut self,
        games: &[u32],
        preferred: &[SourceId],
        mut progress: impl FnMut(u64),
    ) -> rusqlite::Result<()> {
        self.moves = Moves::default();
        let mut done = 0;

        for batch in games.chunks(BATCH_GAMES) {
            // One connection reads rows, and all threads follow the moves.
            let mut games_of_batch = Vec::with_capacity(batch.len());
            for &game in batch {
                let id = self.id(game);
                let texts = self.read_texts(id)?;
                games_of_batch.push((game, texts, self.columns.has_changed(id)));
            }
            let codes_of_games: Vec<Vec<u16>> = threads::install(|| {
                games_of_batch
                    .par_iter()
                    .map(|(_, texts, has_changed)| mainline_codes(texts, *has_changed))
                    .collect()
            });

            for ((game, texts, has_changed), codes) in games_of_batch.iter().zip(codes_of_games) {
                self.add_game(*game, texts, *has_changed, preferred, &codes);
            }

            done += batch.len() as u64;
            progress(done);
        }
        Ok(())
    }

    /// The texts of a game without the tags that it has from its twins.
    fn read_texts(&self, game: GameId) -> rusqlite::Result<TwinTexts> {
        let mut texts = TwinTexts::read(self.connection, game.get())?.unwrap_or_default();
        if let Some(merged) = self.merged.get(&game) {
            for tag in merged {
                texts.revert(tag);
            }
        }
        Ok(texts)
    }

    /// Sets all facts of a game from its texts, and appends the codes of its mainline to the moves.
    fn add_game(
        &mut self,
        game: u32,
        texts: &TwinTexts,
        has_changed: bool,
        preferred: &[SourceId],
        codes: &[u16],
    ) {
        let event = self.text_index(texts.event.as_deref());
        let site = self.text_index(texts.site.as_deref());
        let facts = &mut self.facts[game as usize];

        let elo = |elo: Option<i64>| {
            let elo = elo.and_then(|elo| known_elo(elo.try_into().ok()?));
            elo.map_or(0, std::num::NonZeroU16::get)
        };
        let date = texts.date.as_deref().map(GameDate::parse);
        let round = texts.round.as_deref().map(Round::parse);
        let is_preferred = preferred.contains(&texts.source);

        // After another program has changed the moves, the stored hash is stale, so it is computed again.
        let (moves_hash, plies) = if has_changed {
            (hash_of_moves(codes), codes.len() as u32)
        } else {
            (texts.moves_hash.cast_unsigned(), facts.plies)
        };

        *facts = GameFacts {
            moves_hash,
            start: hash_of_start(texts),
            plies,
            event,
            site,
            date: date.unwrap_or_default(),
            round: round.unwrap_or_default(),
            white_elo: elo(texts.white_elo),
            black_elo: elo(texts.black_elo),
            // A search prefers the lowest number.
            source: u32::from(!is_preferred),
            annotations: texts.annotation_length.try_into().unwrap_or(0),
            tags: known_tags(texts, facts),
            ..*facts
        };

        self.moves.codes.extend_from_slice(codes);
        self.moves.ends.push((game, self.moves.codes.len()));
    }

    /// The index of an event or a site, which is added if it is new; 0 for none.
    fn text_index(&mut self, text: Option<&str>) -> u32 {
        let Some(text) = text else { return 0 };
        if let Some(&number) = self.text_numbers.get(text) {
            return number;
        }

        let number = self.texts.len() as u32;
        self.texts.push(TextKey::new(text));
        self.text_numbers.insert(text.to_owned(), number);
        number
    }
}

/// Names by the numbers that columns have.
struct Players {
    names: Vec<PersonName>,
    indexes: HashMap<u64, u32, foldhash::fast::RandomState>,
}

impl Players {
    /// The first name is the name of an unknown player.
    fn read(connection: &Connection) -> rusqlite::Result<Players> {
        let rows = names_of(connection, NameTable::Player)?;
        let mut texts = vec![""];
        let mut indexes = HashMap::default();
        for (index, (id, name)) in (1..).zip(&rows) {
            indexes.insert(id.cast_unsigned(), index);
            texts.push(name);
        }

        Ok(Players {
            indexes,
            names: parse_names(&texts),
        })
    }

    /// The index of the name with a number; 0, an unknown player, if there is none.
    fn index(&self, number: u64) -> u32 {
        self.indexes.get(&number).copied().unwrap_or(0)
    }
}

/// The year of a date by its code; other parts of the date are unknown.
fn year_alone(code: u64) -> GameDate {
    let year = PartialDate::from_code(code).map_or(0, PartialDate::year);
    GameDate {
        year,
        ..GameDate::default()
    }
}

/// The codes of a game's mainline, as far as its text has moves.
fn mainline_codes(texts: &TwinTexts, has_changed: bool) -> Vec<u16> {
    // Another program may have written a FEN that cannot be read.
    let Ok(start) = texts.fen.as_deref().map(Position::from_fen).transpose() else {
        return Vec::new();
    };

    // A move and the space after it are about four letters.
    let mut codes = Vec::with_capacity(texts.moves.len() / 4);
    if has_changed {
        let start = start.unwrap_or_else(Position::start);
        let mut line = Mainline::from_position(start, &texts.moves);
        while let Some((_, mv)) = line.step() {
            codes.push(mv.code());
            line.play(mv);
        }
    } else {
        // Moves that only an import has written are legal.
        let mut line = TrustedLine::new(start.as_ref(), texts.moves.as_bytes());
        while let Some(half_move) = line.advance() {
            codes.push(half_move.mv.code());
        }
    }
    codes
}

/// A hash that differs from the hash of an import, so that a changed game is compared with others move by move.
fn hash_of_moves(codes: &[u16]) -> u64 {
    let mut hasher = FnvHasher::default();
    for code in codes {
        hasher.write(&code.to_le_bytes());
    }
    hasher.finish()
}

/// The FEN of the standard start position, without counters.
const STANDARD_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// A hash of the start position and the variant; 0 for the standard start position of chess.
fn hash_of_start(texts: &TwinTexts) -> u32 {
    // Counters of moves make no other position.
    let fen = texts.fen.as_deref().unwrap_or_default();
    let fields: Vec<&str> = fen.split_ascii_whitespace().take(4).collect();
    let mut position = fields.join(" ");
    if position == STANDARD_START {
        position.clear();
    }

    let variant = texts.variant.as_deref().unwrap_or_default();
    if position.is_empty() && variant.is_empty() {
        return 0;
    }

    let mut hasher = FnvHasher::default();
    for part in [position.as_bytes(), &[0], variant.as_bytes()] {
        hasher.write(part);
    }
    (hasher.finish() as u32).max(1)
}

/// The number of tags whose values are known.
fn known_tags(texts: &TwinTexts, facts: &GameFacts) -> u16 {
    let columns = [
        &texts.date,
        &texts.round,
        &texts.eco,
        &texts.event,
        &texts.site,
    ];
    let known_columns = columns
        .into_iter()
        .flatten()
        .filter(|value| !is_unknown_tag("", value))
        .count();

    let ratings = [texts.white_elo, texts.black_elo];
    let known_ratings = ratings.iter().flatten().count();
    let players = [facts.white, facts.black];
    let known_players = players.iter().filter(|&&player| player > 0).count();

    let known_others = texts
        .tags
        .iter()
        .filter(|tag| !is_unknown_tag(&tag.name, &tag.value))
        .count();

    let known = known_columns + known_ratings + known_players + known_others;
    known.try_into().unwrap_or(u16::MAX)
}
