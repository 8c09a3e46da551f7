-- Duplicate games, by `stamma dedupe`: docs/database.md. Kind, score and reasons are those of the group, which is all
-- games with one kept_id.
CREATE TABLE duplicate_of (
    game_id  INTEGER PRIMARY KEY REFERENCES game(id) ON DELETE CASCADE,
    kept_id  INTEGER NOT NULL REFERENCES game(id),  -- never a game that is marked itself
    kind     TEXT    NOT NULL,   -- how the moves of the group differ: same, short, prefix or variant
    score    REAL    NOT NULL,   -- how sure it is, from 0 to 1
    why      TEXT    NOT NULL,   -- what agrees: moves, players, date …, with commas
    place    INTEGER NOT NULL,   -- its place in the group by preference, from 1; the kept game comes before
    CHECK (game_id <> kept_id)
);
CREATE INDEX duplicate_of_kept ON duplicate_of(kept_id, place);

-- The last search for twins, if there has been one; in one row.
CREATE TABLE twin_search (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    last_game   INTEGER NOT NULL,   -- games up to this one have been compared with each other
    preference  TEXT    NOT NULL    -- which game of a group is kept
);

-- Games up to last_game that have changed since, or whose group has.
CREATE TABLE unexamined_game (id INTEGER PRIMARY KEY);

-- Tags that a kept game has from its twins, and what it said before.
CREATE TABLE merged_tag (
    game_id  INTEGER NOT NULL REFERENCES game(id) ON DELETE CASCADE,
    name     TEXT    NOT NULL,
    value    TEXT    NOT NULL,
    written  TEXT,               -- the value before; NULL where the game had no such tag
    twin_id  INTEGER NOT NULL,   -- the game that the value is from, which may be deleted
    PRIMARY KEY (game_id, name)
) WITHOUT ROWID;

-- The first of a group takes the place of a kept game that goes; all of the group are compared again.
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
CREATE TRIGGER twin_is_changed AFTER UPDATE OF event_id, site_id, date, round, white_id, black_id,
    result, white_elo, black_elo, eco, ply_count, fen, variant, final_key, moves_hash ON game
WHEN new.id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT new.id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.id);
END;
CREATE TRIGGER twin_has_moves AFTER INSERT ON movetext
WHEN new.game_id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT new.game_id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.game_id);
END;
CREATE TRIGGER twin_has_other_moves AFTER UPDATE ON movetext
WHEN new.game_id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT new.game_id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.game_id);
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
CREATE TRIGGER twin_has_another_event AFTER UPDATE ON event BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE event_id IN (old.id, new.id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER twin_has_another_site AFTER UPDATE ON site BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE site_id IN (old.id, new.id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER twin_has_no_moves AFTER DELETE ON movetext
WHEN old.game_id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT id FROM game WHERE id = old.game_id
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER twin_is_unmarked AFTER DELETE ON duplicate_of BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE id IN (old.game_id, old.kept_id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
