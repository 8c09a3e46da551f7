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

CREATE TRIGGER game_keeps_its_number BEFORE UPDATE OF id ON game WHEN old.id IS NOT new.id BEGIN
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
