-- Games that have changed since their positions were indexed. Whatever program changes a game, the
-- triggers note here what the index counts of it; answers are set right by that, and
-- `stamma optimize` indexes the games again.
CREATE TABLE stale_game (
    id         INTEGER PRIMARY KEY,
    moved      INTEGER NOT NULL,   -- 1: its positions are others, or it is deleted; 0: they are the same
    result     TEXT,               -- what stood in game when it was indexed
    white_elo  INTEGER,
    black_elo  INTEGER,
    date       TEXT
);
INSERT INTO stale_game (id, moved) SELECT id, 1 FROM deleted_game;
DROP TRIGGER game_is_deleted;
DROP TABLE deleted_game;

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

-- REPLACE deletes without a word; imports switch triggers off.
CREATE TRIGGER game_is_replaced BEFORE INSERT ON game
WHEN EXISTS (SELECT 1 FROM game WHERE id = new.id) BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = new.id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = new.id);
    UPDATE stale_game SET moved = 1 WHERE id = new.id;
END;

-- The moves of a game that is added by hand, or that are replaced.
CREATE TRIGGER moves_are_added BEFORE INSERT ON movetext BEGIN
    INSERT INTO stale_game (id, moved, result, white_elo, black_elo, date)
        SELECT new.game_id, 1, game.result, game.white_elo, game.black_elo, game.date
        FROM (SELECT 1) LEFT JOIN game ON game.id = new.game_id
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = new.game_id);
    UPDATE stale_game SET moved = 1 WHERE id = new.game_id;
END;

CREATE TRIGGER moves_stay_with_their_game BEFORE UPDATE ON movetext
WHEN old.game_id IS NOT new.game_id BEGIN
    SELECT raise(ABORT, 'the number of a game cannot be changed');
END;

CREATE TRIGGER moves_are_changed AFTER UPDATE OF moves ON movetext WHEN old.moves IS NOT new.moves
BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = old.game_id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.game_id);
    UPDATE stale_game SET moved = 1 WHERE id = old.game_id;
END;

CREATE TRIGGER moves_are_deleted AFTER DELETE ON movetext BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = old.game_id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.game_id);
    UPDATE stale_game SET moved = 1 WHERE id = old.game_id;
END;
