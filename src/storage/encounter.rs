//! Stored games that may be the encounter of a game of a source, and the rows that newer texts of them leave behind.

use rusqlite::{Connection, Row, params};

use super::annotations::without_clock_arrays;
use super::cell::owned_text_cell;
use super::number_cell;
use super::row::{GameRow, TextArena};
use crate::pgn::Termination;

/// A stored game with its texts, and with the values that identify its encounter.
#[derive(Debug)]
pub(crate) struct StoredEncounter {
    pub(crate) id: i64,
    pub(crate) source: i64,
    /// The path of its source.
    pub(crate) path: String,
    pub(crate) byte_offset: i64,
    pub(crate) site: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) event: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) round: Option<String>,
    pub(crate) white: Option<String>,
    pub(crate) black: Option<String>,
    pub(crate) result: String,
    terminator: Option<String>,
    white_elo: Option<i64>,
    black_elo: Option<i64>,
    eco: Option<String>,
    pub(crate) plies: u32,
    fen: Option<String>,
    variant: Option<String>,
    tag_order: String,
    pub(crate) moves: String,
    tags: Option<String>,
    annotations: Option<String>,
    rest: Option<String>,
}

/// The differences of a newer text of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    pub(crate) moves: bool,
    pub(crate) result: bool,
    pub(crate) tags: bool,
    pub(crate) comments: bool,
}

impl Differences {
    /// `true` if the newer text is equal.
    pub(crate) fn are_none(self) -> bool {
        self == Differences::default()
    }
}

const STORED: &str = "SELECT game.id, game.source_id, source.path, game.byte_offset, site.name,
    game.address, event.name, game.date, game.round, white.name, black.name, game.result,
    game.terminator, game.white_elo, game.black_elo, game.eco, game.ply_count, game.fen,
    game.variant, tag_order.names, movetext.moves, movetext.tags, movetext.annotations,
    movetext.rest
    FROM game
    CROSS JOIN movetext ON movetext.game_id = game.id
    CROSS JOIN tag_order ON tag_order.id = game.tag_order_id
    CROSS JOIN source ON source.id = game.source_id
    LEFT JOIN event ON event.id = game.event_id
    LEFT JOIN site ON site.id = game.site_id
    LEFT JOIN player AS white ON white.id = game.white_id
    LEFT JOIN player AS black ON black.id = game.black_id";

/// The games with an address, ignoring case.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn games_with_address(
    connection: &Connection,
    address: &str,
) -> rusqlite::Result<Vec<StoredEncounter>> {
    let sql = format!("{STORED} WHERE game.address = ?1 ORDER BY game.id");
    let mut select = connection.prepare_cached(&sql)?;
    let games = select.query_map([address], encounter_of_row)?;
    games.collect()
}

/// The games of two players on a date, or without a date if it is `None`. The names must be spelled equally.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn games_of_players(
    connection: &Connection,
    white: &str,
    black: &str,
    date: Option<&str>,
) -> rusqlite::Result<Vec<StoredEncounter>> {
    let sql = format!(
        "{STORED} WHERE game.white_id = (SELECT id FROM player WHERE name = ?1)
            AND +game.black_id = (SELECT id FROM player WHERE name = ?2) AND game.date IS ?3
        ORDER BY game.id"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let games = select.query_map(params![white, black, date], encounter_of_row)?;
    games.collect()
}

/// The game with a number.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn encounter(
    connection: &Connection,
    game: i64,
) -> rusqlite::Result<Option<StoredEncounter>> {
    let sql = format!("{STORED} WHERE game.id = ?1");
    let mut select = connection.prepare_cached(&sql)?;
    let mut found = select.query_map([game], encounter_of_row)?;
    found.next().transpose()
}

/// Reads a row of a stored game, with the columns of [`STORED`].
fn encounter_of_row(row: &Row<'_>) -> rusqlite::Result<StoredEncounter> {
    let text = |at| owned_text_cell(row, at);
    let number = |at| number_cell(row, at);

    Ok(StoredEncounter {
        id: row.get(0)?,
        source: row.get(1)?,
        path: text(2)?.unwrap_or_default(),
        byte_offset: row.get(3)?,
        site: text(4)?,
        address: text(5)?,
        event: text(6)?,
        date: text(7)?,
        round: text(8)?,
        white: text(9)?,
        black: text(10)?,
        result: text(11)?.unwrap_or_default(),
        terminator: text(12)?,
        white_elo: number(13)?,
        black_elo: number(14)?,
        eco: text(15)?,
        plies: row.get(16)?,
        fen: text(17)?,
        variant: text(18)?,
        tag_order: text(19)?.unwrap_or_default(),
        moves: text(20)?.unwrap_or_default(),
        tags: text(21)?,
        annotations: text(22)?,
        rest: text(23)?,
    })
}

impl StoredEncounter {
    /// The differences of a newer text.
    pub(crate) fn differences(&self, row: &GameRow, texts: &TextArena) -> Differences {
        let is_same = |stored: &Option<String>, new| stored.as_deref() == texts.get(new);
        let as_stored = |elo: Option<u16>| elo.map(i64::from);

        let has_moves = Some(&*self.moves) == texts.get(row.moves);
        let has_rest = is_same(&self.rest, row.rest);
        let has_fen = is_same(&self.fen, row.fen);
        let has_variant = self.variant.as_deref() == row.variant;
        let has_movetext = has_moves && has_rest && has_fen && has_variant;

        let has_score = self.result == Termination::as_str(row.result);
        let has_terminator = self.terminator.as_deref() == row.terminator;
        let has_result = has_score && has_terminator;

        let has_players = is_same(&self.white, row.white)
            && is_same(&self.black, row.black)
            && self.white_elo == as_stored(row.white_elo)
            && self.black_elo == as_stored(row.black_elo);
        let has_occasion = is_same(&self.event, row.event)
            && is_same(&self.site, row.site)
            && is_same(&self.address, row.address)
            && is_same(&self.date, row.date)
            && is_same(&self.round, row.round);
        let has_order = Some(&*self.tag_order) == texts.get(row.tag_order);
        let has_other_tags =
            is_same(&self.eco, row.eco) && is_same(&self.tags, row.tags) && has_order;
        let has_tags = has_players && has_occasion && has_other_tags;

        // Equal annotations may be stored in two forms.
        let has_comments = is_same(&self.annotations, row.annotations)
            || full(self.annotations.as_deref()) == full(texts.get(row.annotations));

        Differences {
            moves: !has_movetext,
            result: !has_result,
            tags: !has_tags,
            comments: !has_comments,
        }
    }
}

/// Annotations without arrays of clock times.
fn full(annotations: Option<&str>) -> Option<String> {
    annotations.map(without_clock_arrays).map(String::from)
}

/// Removes the rows of earlier texts of games: their problems, and the texts before them in their sources. Each game
/// comes with its source. Returns the sources whose rows have changed.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn remove_earlier_texts(
    connection: &Connection,
    games: &[(i64, i64)],
) -> rusqlite::Result<Vec<i64>> {
    let changed = remove_problems(connection, games)?;
    remove_texts_before(connection, games)?;
    Ok(changed)
}

/// Removes the problems of games. Returns the sources whose count of problems has changed.
fn remove_problems(connection: &Connection, games: &[(i64, i64)]) -> rusqlite::Result<Vec<i64>> {
    let count_sql = "SELECT source_id, count(*) FROM problem WHERE game_id = ?1 GROUP BY 1";
    let mut count = connection.prepare_cached(count_sql)?;
    let mut delete = connection.prepare_cached("DELETE FROM problem WHERE game_id = ?1")?;
    let subtract_sql = "UPDATE source SET problems = problems - ?2 WHERE id = ?1";
    let mut subtract = connection.prepare_cached(subtract_sql)?;

    let mut changed = Vec::new();
    for &(game, _) in games {
        let problems: Vec<(i64, i64)> = count
            .query_map([game], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;

        for (source, problems) in problems {
            subtract.execute([source, problems])?;
            changed.push(source);
        }
        delete.execute([game])?;
    }
    Ok(changed)
}

/// Removes the texts before games in their sources.
fn remove_texts_before(connection: &Connection, games: &[(i64, i64)]) -> rusqlite::Result<()> {
    // The text after the last game of a source is stored as the text before the next number.
    let sql = "DELETE FROM source_text WHERE source_id = ?1 AND (
        before_game IN (SELECT value FROM json_each(?2))
        OR before_game - 1 = (SELECT last_game FROM source WHERE id = ?1)
            AND before_game - 1 IN (SELECT value FROM json_each(?2)))";
    let mut delete = connection.prepare_cached(sql)?;

    let mut sources: Vec<i64> = games.iter().map(|&(_, source)| source).collect();
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        let mut ids = Vec::new();
        for &(game, source_of_game) in games {
            if source_of_game == source {
                ids.push(game);
            }
        }

        // Rust formats a list of numbers as JSON does.
        let json = format!("{ids:?}");
        delete.execute(params![source, json])?;
    }
    Ok(())
}

/// Removes the merged tags of games whose tags are replaced.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn forget_merged_tags(connection: &Connection, games: &[i64]) -> rusqlite::Result<()> {
    let mut delete = connection.prepare_cached("DELETE FROM merged_tag WHERE game_id = ?1")?;
    for game in games {
        delete.execute([game])?;
    }
    Ok(())
}

/// Removes the texts between games of sources whose games have all been updated by other sources.
///
/// # Errors
/// When the database cannot be written.
pub(crate) fn remove_texts_of_replaced(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    // A game that another source has updated still has a row in the number range of its first source. A deleted game
    // has no row. So a source whose games were all deleted is not selected, and its texts are retained.
    let sql = "SELECT id FROM source
        WHERE id IN (SELECT DISTINCT source_id FROM source_text)
        AND (games > coalesce(last_game - first_game + 1, 0)
            OR EXISTS (SELECT 1 FROM game WHERE game.id BETWEEN first_game AND last_game))
        AND NOT EXISTS (SELECT 1 FROM game WHERE game.source_id = source.id)";
    let mut select = connection.prepare(sql)?;
    let replaced: Vec<i64> = select
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;

    for &source in &replaced {
        connection.execute("DELETE FROM source_text WHERE source_id = ?1", [source])?;

        let sql = "DELETE FROM problem WHERE source_id = ?1 AND game_id IS NULL";
        connection.execute(sql, [source])?;

        let sql = "UPDATE source SET problems = (SELECT count(*) FROM problem WHERE source_id = ?1)
            WHERE id = ?1";
        connection.execute(sql, [source])?;
    }
    Ok(replaced)
}
