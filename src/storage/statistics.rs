//! Statistics of a database.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use rusqlite::Row;

use super::cell::unsigned_cell;
use super::{
    Database, GameId, GameSet, InDatabase, IndexedLines, IndexedPlies, PlayedGame, SourceId,
    duplicates, replay_stored,
};
use crate::error::Result;

/// The first and the last year, of four digits each.
type Years = (String, String);

/// Names with their numbers of games, by descending number of games.
type Counts = Vec<(String, u64)>;

/// The maximum number of openings in the statistics.
const MAX_OPENINGS: usize = 10;
/// The maximum number of half-moves of a game in [`Database::count_visited_positions`].
const MAX_COUNTED_PLIES: u32 = u16::MAX as u32;

/// An imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSummary {
    /// The number of the source.
    pub id: SourceId,
    /// The path of the file, as given on import.
    pub path: String,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The number of games of the source that are present.
    pub games: u64,
    /// The problems of these games, and of the text between them.
    pub problems: u64,
    /// The time of the import, in UTC.
    pub imported_at: String,
    /// The notation of most of its games, `san` or another name, and the code of their language; `None` until its
    /// import has ended.
    pub notation: Option<(String, String)>,
    /// The encoding of most of its games that are not ASCII; `None` until its import has ended.
    pub encoding: Option<String>,
    /// The source whose games precede the games of this source in the file.
    pub continues: Option<SourceId>,
    /// `true` if the import was interrupted.
    pub is_unfinished: bool,
    /// The conditions on its games to import, as a JSON object; `None` for all games.
    pub filter: Option<String>,
    /// The number of its games that were not imported, because they do not match the filter or because another source
    /// with equal bytes has them.
    pub passed_over: u64,
}

/// The statistics of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The files that were imported.
    pub sources: Vec<SourceSummary>,
    /// The number of games.
    pub games: u64,
    /// The number of games that are marked as duplicates.
    pub duplicates: u64,
    /// The number of distinct player names in these games.
    pub players: u64,
    /// The number of positions of these games. A position is counted once for each game that reaches it.
    pub positions: u64,
    /// `true` if positions of variations are included.
    pub has_variations: bool,
    /// The half-moves of games whose positions are indexed.
    pub indexed_plies: IndexedPlies,
    /// The first and the last year of a game, if any is known.
    pub years: Option<(String, String)>,
    /// Problems by kind, by descending number.
    pub problems: Vec<(String, u64)>,
    /// The most played openings, the first parts of their names, with their games.
    pub openings: Vec<(String, u64)>,
}

/// A query for the number of players in the games for which a condition in SQL holds. It reads the indexes on names if
/// they are there, and all games while they are not: during and after an import that was killed.
fn players_sql(condition: &str) -> String {
    format!(
        "SELECT count(*) FROM
            (SELECT white_id FROM game WHERE white_id IS NOT NULL {condition}
             UNION SELECT black_id FROM game WHERE black_id IS NOT NULL {condition})"
    )
}

impl Database {
    /// Computes the statistics of the database.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn statistics(&self) -> Result<Statistics> {
        let (years, openings) = self.years_and_openings("")?;

        Ok(Statistics {
            sources: self.sources()?,
            games: self.count_games()?,
            duplicates: self.count_duplicates()?,
            players: self.ask_unsigned(&players_sql(""))?,
            positions: self.count_positions()?,
            has_variations: self.indexed_lines()? == IndexedLines::All,
            indexed_plies: self.indexed_plies()?,
            years,
            problems: self.problem_counts()?,
            openings,
        })
    }

    /// The size of the file in bytes.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn file_bytes(&self) -> Result<u64> {
        let sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        self.ask_unsigned(sql)
    }

    /// The bytes of each table, including its indexes, in descending order. Every page of the file is read.
    ///
    /// # Errors
    /// When it cannot be read, or the SQLite that is linked cannot tell.
    pub fn table_bytes(&self) -> Result<Vec<(String, u64)>> {
        // A full-text table keeps its bytes in tables that are named after it.
        let bytes = "SELECT coalesce(words.name, schema.tbl_name, page.name), sum(page.pgsize)
            FROM dbstat('main', 1) AS page
            LEFT JOIN sqlite_schema AS schema ON schema.name = page.name
            LEFT JOIN sqlite_schema AS words ON words.sql GLOB 'CREATE VIRTUAL TABLE*'
                AND page.name GLOB words.name || '_*'
            GROUP BY 1 ORDER BY 2 DESC";
        self.rows(bytes, name_and_count)
    }

    /// Like [`Database::statistics`], without the games that are marked as duplicates.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn unique_statistics(&self) -> Result<Statistics> {
        let mut statistics = self.statistics()?;

        let duplicates = duplicates(&self.connection).in_database(self)?;
        if duplicates.is_empty() {
            return Ok(statistics);
        }

        let games = "SELECT count(*) FROM game WHERE id IN (SELECT game_id FROM duplicate_of)";
        let duplicate_games = self.ask_unsigned(games)?;
        statistics.games = statistics.games.saturating_sub(duplicate_games);
        statistics.duplicates = 0;

        let is_unique = "AND id NOT IN (SELECT game_id FROM duplicate_of)";
        statistics.players = self.ask_unsigned(&players_sql(is_unique))?;
        let duplicate_positions = self.positions_of(Some(&duplicates))?;
        statistics.positions = statistics.positions.saturating_sub(duplicate_positions);

        let problems = "SELECT kind, count(*) FROM problem
            WHERE game_id IS NULL OR game_id NOT IN (SELECT game_id FROM duplicate_of)
            GROUP BY kind ORDER BY 2 DESC, 1";
        statistics.problems = self.rows(problems, name_and_count)?;

        let unique = "WHERE id NOT IN (SELECT game_id FROM duplicate_of)";
        (statistics.years, statistics.openings) = self.years_and_openings(unique)?;

        self.subtract_duplicates(&mut statistics.sources)?;
        Ok(statistics)
    }

    /// Subtracts the duplicates of each source, and their problems. Another program may have moved games to a source
    /// whose range of numbers they are not in, so there may be fewer games than duplicates.
    fn subtract_duplicates(&self, sources: &mut [SourceSummary]) -> Result<()> {
        let sql = "SELECT source_id, count(*), (SELECT count(*) FROM problem
                WHERE problem.source_id = game.source_id AND problem.game_id IN (SELECT game_id FROM duplicate_of))
            FROM game WHERE id IN (SELECT game_id FROM duplicate_of) GROUP BY source_id";
        self.each_row(sql, |row| {
            let id = SourceId::new(row.get(0)?);
            let games = unsigned_cell(row, 1)?;
            let problems = unsigned_cell(row, 2)?;
            if let Some(source) = sources.iter_mut().find(|source| source.id == id) {
                source.games = source.games.saturating_sub(games);
                source.problems = source.problems.saturating_sub(problems);
            }
            Ok(())
        })
    }

    /// The first and the last year of the games of a condition in SQL, where years are known, and their most frequent
    /// openings. One scan, which takes most of the time, yields both.
    fn years_and_openings(&self, condition: &str) -> Result<(Option<Years>, Counts)> {
        let mut games_of_opening: HashMap<i64, u64> = HashMap::new();
        let mut years: Option<Years> = None;

        let scan = format!("SELECT opening_id, date FROM game {condition}");
        self.each_row(&scan, |row| {
            let opening: Option<i64> = row.get(0)?;
            if let Some(opening) = opening {
                *games_of_opening.entry(opening).or_default() += 1;
            }

            let date = row.get_ref(1)?.as_str_or_null()?;
            if let Some(year) = date.and_then(year) {
                widen(&mut years, year);
            }
            Ok(())
        })?;

        let mut games_of_name: BTreeMap<String, u64> = BTreeMap::new();
        self.each_row("SELECT id, name FROM opening", |row| {
            let games = games_of_opening.get(&row.get(0)?).copied().unwrap_or(0);
            let name: String = row.get(1)?;
            if games > 0 {
                // The name of a variation follows a colon.
                let family = name.split(':').next().unwrap_or_default();
                *games_of_name.entry(family.to_owned()).or_default() += games;
            }
            Ok(())
        })?;

        let mut openings: Vec<(String, u64)> = games_of_name.into_iter().collect();
        // The sort is stable: openings with equal numbers of games stay sorted by name.
        openings.sort_by_key(|&(_, games)| Reverse(games));
        openings.truncate(MAX_OPENINGS);
        Ok((years, openings))
    }

    /// The number of games whose opening has a name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count_named_games(&self) -> Result<u64> {
        self.ask_unsigned("SELECT count(opening_id) FROM game")
    }

    /// The number of games.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count_games(&self) -> Result<u64> {
        self.ask_unsigned("SELECT count(*) FROM game")
    }

    /// The number of positions of games that are indexed: the sum over the segments. If games have changed, been
    /// deleted or not been indexed since, games are replayed instead.
    pub fn count_positions(&self) -> Result<u64> {
        let has_moved = self.ask("SELECT EXISTS (SELECT 1 FROM stale_game WHERE moved = 1)")? != 0;
        if has_moved || self.unindexed_games()? > 0 {
            return self.positions_of(None);
        }

        self.ask_unsigned("SELECT coalesce(sum(postings), 0) FROM position_segment")
    }

    /// The number of positions in the mainlines of all games, each as often as it occurs. Filters and tables of
    /// positions are sized by it. A game of more than [`MAX_COUNTED_PLIES`] half-moves counts as a game of this many.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn count_visited_positions(&self) -> Result<u64> {
        // A game of n half-moves has n + 1 positions. Other programs may write any number into the table.
        let sql = "SELECT coalesce(sum(min(max(ply_count, 0), ?1) + 1), 0) FROM game";
        let max_plies = [MAX_COUNTED_PLIES];
        let positions = self
            .connection
            .query_row(sql, max_plies, |row| unsigned_cell(row, 0));
        positions.in_database(self)
    }

    /// The number of positions of some games, or of all, by a replay.
    fn positions_of(&self, games: Option<&GameSet>) -> Result<u64> {
        let lines = self.indexed_lines()?;
        let plies = self.indexed_plies()?;
        let count = |games: &[PlayedGame]| -> u64 {
            let mut positions = 0;
            for game in games {
                positions += game.indexed_visits(plies).len() as u64;
            }
            positions
        };

        let mut positions = 0;
        let sink = |counted: u64| -> rusqlite::Result<()> {
            positions += counted;
            Ok(())
        };
        let all = (i64::MIN, i64::MAX);
        replay_stored(&self.connection, all, games, lines, count, sink).in_database(self)?;
        Ok(positions)
    }

    /// The files that were imported, in their order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn sources(&self) -> Result<Vec<SourceSummary>> {
        // A source may also have updated games of earlier sources, which are not in its range of numbers.
        let updates = "SELECT EXISTS (SELECT 1 FROM source
            WHERE games > coalesce(last_game - first_game + 1, 0))";
        let has_updated = self.ask(updates)? != 0;

        // A count of a range of numbers needs no scan of all games.
        let mut games =
            "(SELECT count(*) FROM game WHERE game.id BETWEEN first_game AND last_game)";
        let mut counted = "";
        if has_updated {
            games = "coalesce(counted.games, 0)";
            counted = "LEFT JOIN (SELECT source_id, count(*) AS games FROM game GROUP BY source_id)
                AS counted ON counted.source_id = source.id";
        }

        let sql = format!(
            "SELECT path, bytes, {games},
            coalesce(found.problems, 0), imported_at, notation, language, encoding, id, continues,
            unfinished IS NOT NULL, filter, passed_over
            FROM source LEFT JOIN (SELECT source_id, count(*) AS problems FROM problem
                GROUP BY source_id) AS found ON found.source_id = source.id {counted}
            ORDER BY id"
        );

        self.rows(&sql, summary_of_row)
    }

    /// The first and the last number of the present games of a source; `None` if it has none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn games_of_source(&self, source: SourceId) -> Result<Option<(GameId, GameId)>> {
        let sql = "SELECT min(game.id), max(game.id) FROM source
            JOIN game ON game.id BETWEEN first_game AND last_game WHERE source.id = ?1";

        let range = self.connection.query_row(sql, [source], |row| {
            let first: Option<GameId> = row.get(0)?;
            let last: Option<GameId> = row.get(1)?;
            Ok(first.zip(last))
        });
        range.in_database(self)
    }

    /// The paths of the files that were imported, as given on import. The path of a member of an archive follows the
    /// path of its archive.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn source_paths(&self) -> Result<Vec<String>> {
        self.rows("SELECT DISTINCT path FROM source ORDER BY path", |row| {
            row.get(0)
        })
    }

    /// Calls `visit` with each row of a query.
    fn each_row(
        &self,
        sql: &str,
        visit: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<()> {
        // A list of `()` takes no memory.
        self.rows(sql, visit)?;
        Ok(())
    }

    /// The results of `read` for all rows of a query.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut statement = self.connection.prepare(sql).in_database(self)?;
        let rows = statement.query_map([], read).and_then(Iterator::collect);
        rows.in_database(self)
    }
}

/// Reads a row of a source.
fn summary_of_row(row: &Row<'_>) -> rusqlite::Result<SourceSummary> {
    let notation: Option<String> = row.get(5)?;
    let language: Option<String> = row.get(6)?;

    Ok(SourceSummary {
        id: row.get(8)?,
        path: row.get(0)?,
        bytes: unsigned_cell(row, 1)?,
        games: unsigned_cell(row, 2)?,
        problems: unsigned_cell(row, 3)?,
        imported_at: row.get(4)?,
        notation: notation.zip(language),
        encoding: row.get(7)?,
        continues: row.get(9)?,
        is_unfinished: row.get(10)?,
        filter: row.get(11)?,
        passed_over: unsigned_cell(row, 12)?,
    })
}

/// The year of a date as written, if it has four digits.
fn year(date: &str) -> Option<&str> {
    let year = date.get(..4)?;
    let has_digits = year.bytes().all(|byte| byte.is_ascii_digit());
    has_digits.then_some(year)
}

/// Widens a span of years to include one more.
fn widen(years: &mut Option<Years>, year: &str) {
    let Some((first, last)) = years else {
        let year = year.to_owned();
        *years = Some((year.clone(), year));
        return;
    };

    if year < first.as_str() {
        *first = year.to_owned();
    } else if year > last.as_str() {
        *last = year.to_owned();
    }
}

/// Reads a row of a name and a count.
pub(super) fn name_and_count(row: &Row<'_>) -> rusqlite::Result<(String, u64)> {
    Ok((row.get(0)?, unsigned_cell(row, 1)?))
}
