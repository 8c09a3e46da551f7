-- The id of a game at its address: docs/database.md. Where the name of its site ends with a slash, the name and the id are
-- the site as written; elsewhere the id is from a tag such as Link. NULL for none. Case makes no difference.
ALTER TABLE game ADD COLUMN address TEXT COLLATE NOCASE;

-- Indexes and triggers of users and of `stamma materialize` on tables that are made anew; they are made again at the end.
CREATE TEMP TABLE object_of_user AS SELECT name, sql FROM main.sqlite_schema
    WHERE tbl_name IN ('game', 'player') AND type IN ('index', 'trigger') AND sql IS NOT NULL;

-- The index of unique names has a name of its own, so that the first import can build it at its end.
DROP VIEW games;
CREATE TABLE player_with_index (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO player_with_index SELECT id, name FROM player ORDER BY id;
DROP TABLE player;
-- Views of users may name a table that is away for a moment.
PRAGMA legacy_alter_table = 1;
ALTER TABLE player_with_index RENAME TO player;
PRAGMA legacy_alter_table = 0;
CREATE UNIQUE INDEX player_unique ON player(name);

-- Names stay unique without the index, too, which a killed import has not built.
CREATE TRIGGER player_added_is_unique BEFORE INSERT ON player
WHEN NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = 'player_unique')
    AND EXISTS (SELECT 1 FROM player WHERE name = new.name) BEGIN
    SELECT raise(ABORT, 'UNIQUE constraint failed: player.name');
END;
CREATE TRIGGER player_renamed_is_unique BEFORE UPDATE OF name ON player
WHEN old.name IS NOT new.name
    AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = 'player_unique')
    AND EXISTS (SELECT 1 FROM player WHERE name = new.name) BEGIN
    SELECT raise(ABORT, 'UNIQUE constraint failed: player.name');
END;

-- The triggers that have gone with the table.
CREATE TRIGGER player_is_added AFTER INSERT ON player BEGIN
    INSERT INTO player_text (rowid, name) VALUES (new.id, new.name);
END;
CREATE TRIGGER player_is_deleted AFTER DELETE ON player BEGIN
    INSERT INTO player_text (player_text, rowid, name) VALUES ('delete', old.id, old.name);
END;
CREATE TRIGGER player_is_renamed AFTER UPDATE ON player BEGIN
    INSERT INTO player_text (player_text, rowid, name) VALUES ('delete', old.id, old.name);
    INSERT INTO player_text (rowid, name) VALUES (new.id, new.name);
END;
CREATE TRIGGER player_row_is_added AFTER INSERT ON player BEGIN
    INSERT INTO changed_row SELECT 'player', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'player' AND row_id = new.id);
END;
CREATE TRIGGER player_row_is_changed AFTER UPDATE ON player BEGIN
    INSERT INTO changed_row SELECT 'player', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'player' AND row_id = new.id);
END;
CREATE TRIGGER twin_has_another_white AFTER UPDATE ON player BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE white_id IN (old.id, new.id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER twin_has_another_black AFTER UPDATE ON player BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE black_id IN (old.id, new.id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER canonical_player_stays AFTER UPDATE OF name ON player BEGIN
    INSERT INTO player_name SELECT new.name, name, source, why FROM player_name WHERE spelling = old.name
        AND NOT EXISTS (SELECT 1 FROM player_name WHERE new.name IN (spelling, name));
END;

DROP TRIGGER twin_is_changed;
CREATE TRIGGER twin_is_changed AFTER UPDATE OF event_id, site_id, address, date, round, white_id, black_id,
    result, white_elo, black_elo, eco, ply_count, fen, variant, final_key, moves_hash ON game
WHEN new.id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT new.id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.id);
END;

CREATE VIEW games AS
SELECT game.id, event.name AS event,
       CASE substr(site.name, -1) WHEN '/' THEN site.name || coalesce(game.address, '') ELSE site.name END AS site,
       game.date, game.round,
       white.name AS white, black.name AS black, game.result, game.white_elo, game.black_elo,
       game.eco, game.ply_count, movetext.moves, movetext.tags, game.fen, game.variant,
       game.ending, game.terminator, game.fifty_moves_ply, game.seventy_five_moves_ply,
       game.threefold_ply, game.fivefold_ply, game.final_fen, game.final_key, game.moves_hash,
       movetext.annotations, movetext.rest, game.source_id, game.byte_offset, game.byte_length,
       game.notation, game.language, game.encoding, opening.name AS opening, opening.eco AS opening_eco,
       coalesce((SELECT name FROM player_name WHERE spelling = white.name), white.name) AS white_canonical,
       coalesce((SELECT name FROM player_name WHERE spelling = black.name), black.name) AS black_canonical,
       coalesce((SELECT name FROM event_name WHERE spelling = event.name), event.name) AS event_canonical,
       CASE substr(site.name, -1) WHEN '/'
           THEN coalesce((SELECT name FROM site_name WHERE spelling = site.name || coalesce(game.address, '')),
               site.name || coalesce(game.address, ''))
           ELSE coalesce((SELECT name FROM site_name WHERE spelling = site.name), site.name) END AS site_canonical,
       game.address
FROM game
JOIN movetext ON movetext.game_id = game.id
LEFT JOIN event ON event.id = game.event_id
LEFT JOIN site ON site.id = game.site_id
LEFT JOIN player AS white ON white.id = game.white_id
LEFT JOIN player AS black ON black.id = game.black_id
LEFT JOIN opening ON opening.id = game.opening_id;
