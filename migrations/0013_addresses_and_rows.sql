-- Addresses of games are kept with the games, and values that repeat or follow from others once: docs/database.md. The
-- view gives them as before. Rows of earlier versions stay as they are, apart from addresses, since the view and all
-- readers know both forms.

-- Indexes and triggers of users and of `stamma materialize` on tables that are made anew; they are made again at the end.
CREATE TEMP TABLE object_of_user AS SELECT name, sql FROM main.sqlite_schema
    WHERE tbl_name IN ('game', 'player') AND type IN ('index', 'trigger') AND sql IS NOT NULL;
DROP VIEW games;

-- The index of unique names has a name of its own, so that the first import can build it at its end.
CREATE TABLE player_with_index (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO player_with_index SELECT id, name FROM player ORDER BY id;
DROP TABLE player;
-- Views of users may name a table that is away for a moment.
PRAGMA legacy_alter_table = 1;
ALTER TABLE player_with_index RENAME TO player;
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

-- Columns that are mostly NULL come last, so that a row need not have them.
CREATE TABLE game_in_order (
    id                      INTEGER PRIMARY KEY,  -- never used again
    source_id               INTEGER NOT NULL REFERENCES source(id),
    byte_offset             INTEGER NOT NULL,     -- where its text begins in the source
    byte_length             INTEGER NOT NULL,     -- up to the next game, white space included
    event_id                INTEGER REFERENCES event(id),
    site_id                 INTEGER REFERENCES site(id),
    date                    TEXT,                 -- as written, 1950.??.?? included
    round                   TEXT,
    white_id                INTEGER REFERENCES player(id),
    black_id                INTEGER REFERENCES player(id),
    result                  TEXT    NOT NULL,     -- 1-0, 0-1, 1/2-1/2 or *
    white_elo               INTEGER,
    black_elo               INTEGER,
    eco                     TEXT,
    ply_count               INTEGER NOT NULL,     -- half-moves in movetext.moves
    final_fen               TEXT,                 -- packed as a BLOB, or a FEN: docs/database.md
    final_key               INTEGER,              -- position key of final_fen, 64 bits, signed
    moves_hash              INTEGER NOT NULL,     -- equal for equal starts and moves; 64 bits, signed
    tag_order_id            INTEGER NOT NULL REFERENCES tag_order(id),
    opening_id              INTEGER REFERENCES opening(id),
    address                 TEXT COLLATE NOCASE,  -- the id of the game at its address: docs/database.md
    ending                  TEXT,                 -- checkmate, stalemate, insufficient-material
    terminator              TEXT,                 -- the last token, when it is not the result; '' for none
    encoding                TEXT,                 -- NULL for UTF-8
    language                TEXT,                 -- NULL for English
    notation                TEXT,                 -- NULL for SAN
    fen                     TEXT,                 -- the start position, when it is not the usual one
    variant                 TEXT,                 -- NULL for standard chess
    fifty_moves_ply         INTEGER,              -- half-moves played when it first applied
    threefold_ply           INTEGER,
    seventy_five_moves_ply  INTEGER,
    fivefold_ply            INTEGER
);
INSERT INTO game_in_order (
    id, source_id, byte_offset, byte_length, event_id, site_id, date, round, white_id, black_id,
    result, white_elo, black_elo, eco, ply_count, final_fen, final_key, moves_hash, tag_order_id,
    opening_id, ending, terminator, encoding, language, notation, fen, variant, fifty_moves_ply,
    threefold_ply, seventy_five_moves_ply, fivefold_ply) SELECT
    id, source_id, byte_offset, byte_length, event_id, site_id, date, round, white_id, black_id,
    result, white_elo, black_elo, eco, ply_count, final_fen, final_key, moves_hash, tag_order_id,
    opening_id, ending, terminator, encoding, language, notation, fen, variant, fifty_moves_ply,
    threefold_ply, seventy_five_moves_ply, fivefold_ply
    FROM game ORDER BY id;
DROP TABLE game;
ALTER TABLE game_in_order RENAME TO game;
PRAGMA legacy_alter_table = 0;
CREATE TRIGGER game_is_deleted AFTER DELETE ON game BEGIN
    INSERT INTO stale_game SELECT old.id, 1, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
    UPDATE stale_game SET moved = 1 WHERE id = old.id;
    DELETE FROM movetext WHERE game_id = old.id;
    DELETE FROM problem WHERE game_id = old.id;
END;
CREATE TRIGGER game_is_counted_otherwise AFTER UPDATE OF result, white_elo, black_elo, date ON game
WHEN (old.result, old.white_elo, old.black_elo, old.date)
    IS NOT (new.result, new.white_elo, new.black_elo, new.date) BEGIN
    INSERT INTO stale_game SELECT old.id, 0, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
END;
CREATE TRIGGER game_starts_otherwise AFTER UPDATE OF fen, variant, final_key ON game
WHEN (old.fen, old.variant, old.final_key IS NULL)
    IS NOT (new.fen, new.variant, new.final_key IS NULL) BEGIN
    INSERT INTO stale_game SELECT old.id, 1, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
    UPDATE stale_game SET moved = 1 WHERE id = old.id;
END;
CREATE TRIGGER game_keeps_its_number BEFORE UPDATE ON game WHEN old.id IS NOT new.id BEGIN
    SELECT raise(ABORT, 'the number of a game cannot be changed');
END;
CREATE TRIGGER game_is_replaced BEFORE INSERT ON game
WHEN EXISTS (SELECT 1 FROM game WHERE id = new.id) BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = new.id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = new.id);
    UPDATE stale_game SET moved = 1 WHERE id = new.id;
END;
CREATE TRIGGER game_row_is_added AFTER INSERT ON game BEGIN
    INSERT INTO changed_row SELECT 'game', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'game' AND row_id = new.id);
END;
CREATE TRIGGER game_row_is_changed AFTER UPDATE ON game BEGIN
    INSERT INTO changed_row SELECT 'game', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'game' AND row_id = new.id);
END;
CREATE TRIGGER game_is_described_otherwise AFTER UPDATE OF event_id, site_id, round, white_id, black_id, eco,
    ply_count, ending, fifty_moves_ply, seventy_five_moves_ply, threefold_ply, fivefold_ply, final_fen, tag_order_id,
    opening_id ON game BEGIN
    INSERT INTO stale_game SELECT old.id, 0, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
END;
CREATE TRIGGER twin_is_deleted AFTER DELETE ON game BEGIN
    INSERT INTO unexamined_game SELECT id FROM
            (SELECT game_id AS id FROM duplicate_of WHERE kept_id = old.id
             UNION SELECT kept_id FROM duplicate_of WHERE game_id = old.id) AS twin
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = twin.id);
    DELETE FROM duplicate_of WHERE game_id = old.id;
    UPDATE duplicate_of SET kept_id =
            (SELECT game_id FROM duplicate_of AS twin WHERE twin.kept_id = old.id ORDER BY place LIMIT 1)
        WHERE kept_id = old.id AND game_id <>
            (SELECT game_id FROM duplicate_of AS twin WHERE twin.kept_id = old.id ORDER BY place LIMIT 1);
    DELETE FROM duplicate_of WHERE kept_id = old.id;
    DELETE FROM merged_tag WHERE game_id = old.id;
    DELETE FROM unexamined_game WHERE id = old.id;
END;
CREATE TRIGGER twin_is_added AFTER INSERT ON game
WHEN new.id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT new.id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.id);
END;
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
       game.eco, game.ply_count, movetext.moves,
       -- The values of the names that are in arrays in tag_order.names.
       CASE WHEN substr(movetext.tags, 1, 1) = '[' AND json_valid(movetext.tags) THEN
           (SELECT json_group_object(tag.name, value.value)
            FROM (SELECT json_extract(name.value, '$[0]') AS name, row_number() OVER (ORDER BY name.key) - 1 AS place
                  FROM json_each((SELECT names FROM tag_order WHERE id = game.tag_order_id)) AS name
                  WHERE name.type = 'array' ORDER BY name.key) AS tag
            JOIN json_each(movetext.tags) AS value ON value.key = tag.place)
           ELSE movetext.tags END AS tags,
       game.fen, game.variant,
       game.ending, game.terminator, game.fifty_moves_ply, game.seventy_five_moves_ply,
       game.threefold_ply, game.fivefold_ply,
       -- The hexadecimal digits of a packed position: two for the half-move clock, one for castling, then the squares.
       CASE WHEN typeof(game.final_fen) = 'blob' THEN
           (SELECT rtrim(
                replace(replace(replace(replace(replace(
                replace(replace(replace(replace(replace(replace(
                replace(replace(replace(replace(replace(replace(
                    substr(digits, 4),
                    '0', '/'), '3', 'P'), '5', 'N'), '6', 'R'), '7', 'Q'), '8', 'K'),
                    '9', 'p'), 'A', 'n'), 'C', 'b'), 'D', 'r'), 'E', 'q'), 'F', 'k'),
                    '44', '8'), '421', '7'), '42', '6'), '41', '5'), '21', '3'), '/')
                || substr(' w  b ', 1 + game.ply_count % 2 * 3, 3)
                || rtrim(substr('-   q   k   kq  Q   Qq  Qk  Qkq K   Kq  Kk  Kkq KQ  KQq KQk KQkq',
                    instr('0123456789ABCDEF', substr(digits, 3, 1)) * 4 - 3, 4))
                || ' - ' || CAST(substr(digits, 1, 2) AS INTEGER) || ' ' || (game.ply_count / 2 + 1)
            FROM (SELECT hex(game.final_fen) AS digits))
           ELSE game.final_fen END AS final_fen,
       game.final_key, game.moves_hash,
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

-- The indexes of game and objects of users are made when this runs, and the addresses of games are divided.
