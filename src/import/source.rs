//! Begins the import of a source: finds the known part of the source, and the place at which to resume.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use super::checkpoint;
use super::hashed::{HashedBatch, HashedBatches};
use super::importer::{Import, SourceImport};
use super::known::{ReadAgain, Recognized, Start, matching_bytes, recognize};
use super::options::EarlierImport;
use super::update::CurrentSource;
use crate::error::{Error, Result};
use crate::ingest::{Begin, Findings, PeekedStream, SourceBytes, SourceInfo, StartedSource};
use crate::input::{MappedFile, Stream};
use crate::storage::{
    HEAD_BYTES, InDatabase, KnownSource, Mark, NewSource, SourceId, begin_source, continued_by,
    continued_games, end_before_last_game, end_before_passed_over, end_before_updated,
};

/// A source at the place where its import begins.
struct OpenedSource {
    source: SourceImport,
    /// The findings of earlier imports.
    findings: Findings,
    /// The number of games that earlier imports have read from the source.
    games: u64,
}

impl<'d> Import<'d, '_> {
    /// Begins a source after its known part.
    pub(super) fn begin_bytes<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        bytes: SourceBytes<'f>,
    ) -> Result<Begin<'f, Self>> {
        match bytes {
            SourceBytes::File(file) => self.begin_file(source, file),
            SourceBytes::Stream(stream, failure) => self.begin_stream(source, stream, failure),
        }
    }

    fn begin_file<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        file: &'f MappedFile,
    ) -> Result<Begin<'f, Self>> {
        let head = &file[..HEAD_BYTES.min(file.len())];
        let mut known = self.known_with_head(head, source)?;
        let mut with_other_games = Vec::new();

        // A file in memory can be split again from its beginning. This happens if needed batches have been dropped, and
        // after the games of a source that cannot be resumed have been deleted.
        let (batches, mut recognized) = loop {
            let mut batches =
                HashedBatches::of_file(file, self.options.read).keeping_content(self.has_limit());

            match recognize(&mut batches, known, self.filter.as_deref()) {
                Ok(Recognized {
                    start: Start::Unfinished(earlier),
                    ..
                }) if !self.is_last(&earlier) => {
                    self.delete_known(&earlier)?;
                    known = self.known_with_head(head, source)?;
                    with_other_games.clear();
                }
                Ok(recognized) => break (batches, recognized),
                Err(again) => {
                    known = again.known;
                    with_other_games.extend(again.others);
                }
            }
        };
        recognized.others.extend(with_other_games);
        self.begin_recognized(source, head, batches, recognized)
    }

    fn begin_stream<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        stream: Stream,
        failure: &'f mut Option<io::Error>,
    ) -> Result<Begin<'f, Self>> {
        let held = PeekedStream::new(stream, HEAD_BYTES);
        let head = held.head().to_vec();
        let known = self.known_with_head(&head, source)?;
        let mut batches = HashedBatches::of_stream(held, self.options.read, failure)
            .keeping_content(self.has_limit());

        let mut recognized = match recognize(&mut batches, known, self.filter.as_deref()) {
            Ok(Recognized {
                start: Start::Unfinished(known),
                ..
            }) if !self.is_last(&known) => {
                return Err(Error::NotTheLast {
                    name: source.name.to_owned(),
                    known: known.path,
                });
            }
            Ok(recognized) => recognized,
            Err(ReadAgain { others, .. }) => {
                // The reread stream is compared with fewer sources, so the matches found so far are remembered.
                self.others_of_reread = others;
                return Err(Error::LikeKnown(source.name.to_owned()));
            }
        };

        if source.is_reread {
            recognized.others.append(&mut self.others_of_reread);
        }
        self.begin_recognized(source, &head, batches, recognized)
    }

    fn begin_recognized<'f>(
        &mut self,
        source: &SourceInfo<'_>,
        head: &[u8],
        batches: HashedBatches<'f>,
        Recognized {
            start,
            next,
            others,
        }: Recognized<'f>,
    ) -> Result<Begin<'f, Self>> {
        self.note_imported_games(&others)?;

        let path = source.name;
        let filter = self.filter.clone();
        let new = NewSource {
            path,
            bytes: source.bytes,
            head_hash: blake3::hash(head).into(),
            continues: None,
            filter: filter.as_deref(),
        };

        let opened = match start {
            Start::New => self.begin_new(&new, Mark::start())?,
            Start::Unfinished(known) => {
                let games = known.games_with_continued(&self.database.connection);
                self.count_known(games.in_database(self.database)?);
                self.resume(&new, &known)?
            }
            Start::Grown {
                known,
                has_cut_game,
            } => match self.begin_grown(&new, &known, has_cut_game)? {
                Some(opened) => opened,
                None => return Ok(Begin::PassOver(batches.bytes())),
            },
            Start::Known(known) => {
                self.pass_over(&new, &known)?;
                return Ok(Begin::PassOver(batches.bytes()));
            }
        };

        let OpenedSource {
            source,
            findings,
            games,
        } = opened;
        let from = source.end.bytes;
        let games_before =
            continued_games(&self.database.connection, source.id).in_database(self.database)?;
        let marked_batches = next
            .into_iter()
            .chain(batches)
            .map(|HashedBatch { batch, marks }| (batch, marks));
        Ok(Begin::Read(StartedSource {
            source,
            batches: Box::new(marked_batches),
            findings,
            games,
            games_before,
            from,
        }))
    }

    /// Records the offsets of games in the next source that the database has already. `others` are known sources with
    /// equal bytes.
    fn note_imported_games(&mut self, others: &[KnownSource]) -> Result<()> {
        let connection = &self.database.connection;
        let mut places = HashSet::new();
        for source in others {
            let end = matching_bytes(source);
            let places_of_source = source.places_before(connection, end);
            places.extend(places_of_source.in_database(self.database)?);
        }
        self.imported_places = Arc::new(places);
        Ok(())
    }

    /// Records that a source has been imported before.
    fn pass_over(&mut self, new: &NewSource<'_>, known: &KnownSource) -> Result<()> {
        let connection = &self.database.connection;
        let games_left = known.games_left(connection).in_database(self.database)?;

        // The games that were imported from the source before count towards the limit.
        let known_games = known
            .games_with_continued(connection)
            .in_database(self.database)?;
        self.count_known(known_games);

        let games = known.games();
        self.earlier.push(EarlierImport::Complete {
            path: new.path.to_owned(),
            games,
            deleted: games.saturating_sub(games_left),
        });
        self.sources.push(SourceId::new(known.id));
        Ok(())
    }

    /// Begins a source without a known part, or behind the known part `from`.
    fn begin_new(&mut self, new: &NewSource<'_>, from: Mark) -> Result<OpenedSource> {
        let id = begin_source(&self.database.connection, new);
        let id = id.in_database(self.database)?;
        self.changed_sources.insert(id);
        self.sources.push(SourceId::new(id));
        self.set_current(new, id)?;
        let source = SourceImport {
            id,
            path: new.path.to_owned(),
            first_game: self.next_game,
            known: 0,
            passed_over: 0,
            problems: 0,
            bytes: new.bytes,
            last_game: from,
            end: from,
        };
        Ok(OpenedSource {
            source,
            findings: Findings::new(&self.options.readings),
            games: 0,
        })
    }

    /// Begins a source after the part imported as another source; `None` if the limit is reached.
    fn begin_grown(
        &mut self,
        new: &NewSource<'_>,
        known: &KnownSource,
        has_cut_game: bool,
    ) -> Result<Option<OpenedSource>> {
        let cut_game = if has_cut_game {
            self.delete_cut_game(known)?
        } else {
            None
        };

        let known_games = known
            .games_with_continued(&self.database.connection)
            .in_database(self.database)?;
        let may_import = self.count_known(known_games);
        if !may_import {
            self.is_limit_reached = true;

            // The limit is reached, so the newer text of the cut-off game is not read and cannot replace the game.
            if let Some(game) = cut_game {
                self.delete_game_range(game, game)?;
            }
            self.earlier
                .push(EarlierImport::LimitReached(new.path.to_owned()));
            self.sources.push(SourceId::new(known.id));
            return Ok(None);
        }

        self.earlier.push(EarlierImport::Extended {
            path: new.path.to_owned(),
            known: known.path.clone(),
        });
        let known_part = if has_cut_game {
            known.known
        } else {
            known.content
        };
        let continuing = NewSource {
            continues: Some(known.id),
            ..*new
        };
        let opened = self.begin_new(&continuing, known_part.unwrap_or(Mark::start()))?;

        let place = opened.source.end.bytes;
        self.current.cut_game = cut_game.map(|game| (game, place));
        Ok(Some(opened))
    }

    /// Shortens a known source by its last game, which is cut off. The game is deleted. In an update it is not deleted
    /// but returned, because its new text will replace it.
    fn delete_cut_game(&mut self, known: &KnownSource) -> Result<Option<i64>> {
        let database = self.database;
        let connection = &database.connection;
        self.changed_sources.insert(known.id);

        // The last game of the text has no row if the filter of the import excluded it.
        let cut_game = known.last_of_text(connection).in_database(database)?;
        let has_passed_over = known.filter.is_some() && known.passed_over > 0;
        if cut_game.is_none() && has_passed_over {
            end_before_passed_over(connection, known.id).in_database(database)?;
            return Ok(None);
        }

        let is_replaced = self.options.update;
        if let Some(game) = cut_game
            && !is_replaced
        {
            self.delete_game_range(game, game)?;
        }

        let was_added = cut_game.is_none_or(|game| game >= known.first_game);
        if was_added && known.games() > 0 {
            end_before_last_game(connection, known.id).in_database(database)?;
        } else {
            end_before_updated(connection, known.id).in_database(database)?;
        }
        Ok(cut_game.filter(|_| is_replaced))
    }

    /// Sets the current source, and the sources that it continues.
    fn set_current(&mut self, new: &NewSource<'_>, id: i64) -> Result<()> {
        let mut parts = vec![id];
        if self.options.update {
            let connection = &self.database.connection;
            parts.extend(continued_by(connection, id).in_database(self.database)?);
        }
        self.current = CurrentSource {
            path: new.path.to_string_lossy().into_owned(),
            parts,
            first_game: self.next_game,
            cut_game: None,
        };
        Ok(())
    }

    /// Resumes a source whose import was interrupted.
    fn resume(&mut self, new: &NewSource<'_>, known: &KnownSource) -> Result<OpenedSource> {
        let end = known.known.unwrap_or(Mark::start());
        let path = new.path.to_owned();

        // With other options, the rest would be read differently from the first part.
        let saved = match &known.state {
            Some(state) => checkpoint::resume(&self.read_options, state),
            None => None,
        };
        let Some((findings, last_game)) = saved else {
            return Err(Error::OtherOptions(path));
        };

        self.sources.push(SourceId::new(known.id));
        self.earlier.push(EarlierImport::Resumed {
            path: path.clone(),
            bytes: end.bytes,
        });

        let source = SourceImport {
            id: known.id,
            path,
            first_game: known.first_game,
            known: known.updated,
            passed_over: known.passed_over,
            problems: known.problems,
            bytes: new.bytes,
            last_game,
            end,
        };
        self.set_current(new, known.id)?;
        self.current.first_game = known.first_game;

        let added = (self.next_game - known.first_game).cast_unsigned();
        let games = added + known.updated + known.passed_over;
        Ok(OpenedSource {
            source,
            findings,
            games,
        })
    }
}
