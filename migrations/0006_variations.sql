-- Where counter has index_variations = 1, variations are positions of a game, too: set by the first import
-- into an empty database, and followed by all others.
CREATE TRIGGER variations_are_changed AFTER UPDATE OF annotations ON movetext
WHEN old.annotations IS NOT new.annotations
    AND EXISTS (SELECT 1 FROM counter WHERE name = 'index_variations' AND value = 1) BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = old.game_id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.game_id);
    UPDATE stale_game SET moved = 1 WHERE id = old.game_id;
END;
