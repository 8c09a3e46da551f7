//! Newer texts of stored games: the games are found, their texts are replaced, and the changes are reported.

use std::sync::Arc;

use super::importer::{Import, languages_of};
use super::options::{AmbiguousGame, Event, UpdatedGame};
use super::rows::{Replacement, Rows};
use super::update::{Encounter, Target};
use crate::error::Result;
use crate::storage::{
    GameId, GameRow, GameWriter, InDatabase, NewEvaluation, RowBatch, TextArena,
    forget_merged_tags, remove_earlier_texts, remove_if_unused, remove_texts_of_replaced,
};
use crate::store_fault::StoreResult;

/// The numbers of newer texts in a batch.
pub(super) struct UpdateCounts {
    /// The games that were stored before.
    pub(super) known: u64,
    /// The games among them whose text differs from the stored text.
    pub(super) changed: u64,
}

/// Rows that replace stored rows.
#[derive(Default)]
struct StoredRows {
    ids: Vec<i64>,
    rows: Vec<GameRow>,
    languages: Vec<Option<Box<str>>>,
}

impl StoredRows {
    fn batch(
        self,
        writer: &mut GameWriter<'_>,
        source: i64,
        texts: &Arc<TextArena>,
    ) -> StoreResult<Arc<RowBatch>> {
        let StoredRows {
            ids,
            rows,
            languages,
        } = self;
        Ok(writer.batch(source, ids, rows, Arc::clone(texts), languages)?)
    }
}

impl Import<'_, '_> {
    /// Finds the stored games of which a batch has newer texts.
    pub(super) fn find_encounters(&mut self, rows: &mut Rows) -> Result<()> {
        // The user has named a stored game for the first game of the input only.
        let has_game = !rows.games.is_empty();
        let replaced = self.options.replaced.take_if(|_| has_game).map(i64::from);

        let connection = &self.database.connection;
        let encounters = self
            .current
            .encounters(connection, &rows.games, &rows.texts, replaced);
        rows.encounters = encounters.in_database(self.database)?;
        Ok(())
    }

    /// Takes the newer texts of stored games out of a batch, and replaces the stored texts by them. Only new games
    /// remain in the batch. `languages` has the language of each game of the batch, `None` for English.
    pub(super) fn replace_stored(
        &mut self,
        source: i64,
        rows: &mut Rows,
        languages: &[Option<Box<str>>],
    ) -> Result<UpdateCounts> {
        let (replacements, evaluations) = rows.take_replacements();
        let counts = UpdateCounts {
            known: replacements.len() as u64,
            changed: count_changed(&replacements),
        };

        self.remove_cut_game(&replacements)?;
        if !replacements.is_empty() {
            let replaced = replacements.iter().map(|replacement| replacement.number);
            let replaced_languages = languages_of(languages, replaced);
            self.replace_games(
                source,
                replacements,
                replaced_languages,
                evaluations,
                &rows.texts,
            )?;
        }
        Ok(counts)
    }

    /// Replaces the earlier texts of stored games; `languages` has the language of each game, `None` for English.
    fn replace_games(
        &mut self,
        source: i64,
        replacements: Vec<Replacement>,
        languages: Vec<Option<Box<str>>>,
        evaluations: Vec<NewEvaluation>,
        texts: &Arc<TextArena>,
    ) -> Result<()> {
        let database = self.database;
        let connection = &database.connection;

        let earlier: Vec<(i64, i64)> = replacements
            .iter()
            .map(|replacement| (replacement.target.id, replacement.target.source))
            .collect();
        let changed = remove_earlier_texts(connection, &earlier).in_database(database)?;
        self.changed_sources.extend(changed);

        self.evaluations
            .push(connection, evaluations)
            .in_database(database)?;

        // If the new text equals the stored text, only the place of the game changes: the source and the byte range.
        let mut moved = StoredRows::default();
        let mut replaced = StoredRows::default();
        for (replacement, language) in replacements.into_iter().zip(languages) {
            let is_equal = replacement.target.differences.are_none();
            let rows = if is_equal { &mut moved } else { &mut replaced };
            rows.ids.push(replacement.target.id);
            rows.rows.push(replacement.row);
            rows.languages.push(language);
        }

        forget_merged_tags(connection, &replaced.ids).in_database(database)?;
        let moved_batch = moved
            .batch(&mut self.writer, source, texts)
            .in_database(database)?;
        let replaced_batch = replaced
            .batch(&mut self.writer, source, texts)
            .in_database(database)?;

        self.writer.move_games(&moved_batch).in_database(database)?;

        // Triggers record the games that must be indexed, described and compared again.
        database.set_triggers(true)?;
        let done = self.writer.replace(&replaced_batch);
        database.set_triggers(false)?;
        done.in_database(database)
    }

    /// Removes the last, cut-off game of the source that the current source continues, unless a newer text replaces it.
    pub(super) fn remove_cut_game(&mut self, replacements: &[Replacement]) -> Result<()> {
        let Some((game, _)) = self.current.cut_game.take() else {
            return Ok(());
        };
        let is_replaced = replacements
            .iter()
            .any(|replacement| replacement.target.id == game);
        if is_replaced {
            return Ok(());
        }
        self.delete_game_range(game, game)
    }

    /// Reports the updated and the ambiguous games of a batch, with their numbers.
    pub(super) fn report_updates(&mut self, rows: &Rows, numbers: &[i64]) {
        for ((row, encounter), &number) in rows.games.iter().zip(&rows.encounters).zip(numbers) {
            match encounter {
                Encounter::Known(target) if !target.differences.are_none() => {
                    let updated = updated_game(number, row, target, &rows.texts);
                    (self.progress)(Event::Updated(&updated));
                }
                Encounter::Ambiguous(others) => {
                    let ambiguous = ambiguous_game(number, row, others, &rows.texts);
                    (self.progress)(Event::Ambiguous(&ambiguous));
                }
                Encounter::Known(_) | Encounter::New => {}
            }
        }
    }

    /// Removes the texts and rows of sources whose games have all been updated.
    pub(super) fn remove_replaced_sources(&mut self) -> Result<()> {
        if !self.options.update {
            return Ok(());
        }

        let connection = &self.database.connection;
        let replaced = remove_texts_of_replaced(connection).in_database(self.database)?;
        self.changed_sources.extend(replaced);

        for origin in std::mem::take(&mut self.origins) {
            let is_removed = remove_if_unused(connection, origin).in_database(self.database)?;
            if !is_removed {
                self.origins.push(origin);
            }
        }
        Ok(())
    }
}

/// The number of replacements whose text differs from the stored text.
fn count_changed(replacements: &[Replacement]) -> u64 {
    let mut changed = 0;
    for replacement in replacements {
        if !replacement.target.differences.are_none() {
            changed += 1;
        }
    }
    changed
}

/// The event of a stored game whose newer text differs.
fn updated_game(number: i64, row: &GameRow, target: &Target, texts: &TextArena) -> UpdatedGame {
    let owned_text = |place| texts.get(place).unwrap_or_default().to_owned();

    // In each pair, the stored text comes first and the newer text second.
    let plies = [target.plies, row.ply_count];
    let results = [target.result.clone(), row.result.as_str().to_owned()];

    let differences = target.differences;
    UpdatedGame {
        game: GameId::new(number),
        players: [owned_text(row.white), owned_text(row.black)],
        date: owned_text(row.date),
        plies: differences.moves.then_some(plies),
        result: differences.result.then_some(results),
        tags: differences.tags,
        comments: differences.comments,
    }
}

/// The event of an added game that may be a newer text of several stored games.
fn ambiguous_game(
    number: i64,
    row: &GameRow,
    others: &[GameId],
    texts: &TextArena,
) -> AmbiguousGame {
    let text = |text| texts.get(text).unwrap_or_default().to_owned();

    AmbiguousGame {
        game: GameId::new(number),
        players: [text(row.white), text(row.black)],
        date: text(row.date),
        others: others.to_vec(),
    }
}
