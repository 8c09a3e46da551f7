-- What filters ask of games, column by column: docs/catalog.md.
CREATE TABLE game_column (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- The words of names, capitals and accents folded. Imports, which switch triggers off, add their names themselves.
CREATE VIRTUAL TABLE player_text USING fts5(name, content = 'player', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
CREATE VIRTUAL TABLE event_text USING fts5(name, content = 'event', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
CREATE VIRTUAL TABLE site_text USING fts5(name, content = 'site', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
INSERT INTO player_text (player_text) VALUES ('rebuild');
INSERT INTO event_text (event_text) VALUES ('rebuild');
INSERT INTO site_text (site_text) VALUES ('rebuild');

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
CREATE TRIGGER event_is_added AFTER INSERT ON event BEGIN
    INSERT INTO event_text (rowid, name) VALUES (new.id, new.name);
END;
CREATE TRIGGER event_is_deleted AFTER DELETE ON event BEGIN
    INSERT INTO event_text (event_text, rowid, name) VALUES ('delete', old.id, old.name);
END;
CREATE TRIGGER event_is_renamed AFTER UPDATE ON event BEGIN
    INSERT INTO event_text (event_text, rowid, name) VALUES ('delete', old.id, old.name);
    INSERT INTO event_text (rowid, name) VALUES (new.id, new.name);
END;
CREATE TRIGGER site_is_added AFTER INSERT ON site BEGIN
    INSERT INTO site_text (rowid, name) VALUES (new.id, new.name);
END;
CREATE TRIGGER site_is_deleted AFTER DELETE ON site BEGIN
    INSERT INTO site_text (site_text, rowid, name) VALUES ('delete', old.id, old.name);
END;
CREATE TRIGGER site_is_renamed AFTER UPDATE ON site BEGIN
    INSERT INTO site_text (site_text, rowid, name) VALUES ('delete', old.id, old.name);
    INSERT INTO site_text (rowid, name) VALUES (new.id, new.name);
END;

-- The name of an event may say how fast its games are.
CREATE TRIGGER event_of_games_is_renamed AFTER UPDATE ON event
WHEN (old.name || ' ' || new.name) LIKE '%bullet%' OR (old.name || ' ' || new.name) LIKE '%blitz%' OR (old.name || ' ' || new.name) LIKE '%rapid%'
    OR (old.name || ' ' || new.name) LIKE '%classical%' OR (old.name || ' ' || new.name) LIKE '%correspondence%' BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE event_id IN (old.id, new.id) AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;
CREATE TRIGGER event_of_games_is_added AFTER INSERT ON event
WHEN new.name LIKE '%bullet%' OR new.name LIKE '%blitz%' OR new.name LIKE '%rapid%'
    OR new.name LIKE '%classical%' OR new.name LIKE '%correspondence%' BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE event_id IN (new.id) AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;
CREATE TRIGGER event_of_games_is_deleted AFTER DELETE ON event
WHEN old.name LIKE '%bullet%' OR old.name LIKE '%blitz%' OR old.name LIKE '%rapid%'
    OR old.name LIKE '%classical%' OR old.name LIKE '%correspondence%' BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE event_id IN (old.id) AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;

-- The words of comments, folded before they come here, by the numbers of games. Those of comments that are gone
-- stay: whoever finds a game looks at it once more.
CREATE VIRTUAL TABLE comment_text USING fts5(words, content = '', tokenize = 'ascii', detail = none, columnsize = 0);

-- What is asked of a game, its positions and counts aside, may change too. The speed of a game may be that
-- which its event's name says.
CREATE TRIGGER game_is_described_otherwise AFTER UPDATE OF event_id, site_id, round, white_id, black_id, eco,
    ply_count, ending, fifty_moves_ply, seventy_five_moves_ply, threefold_ply, fivefold_ply, final_fen, tag_order_id
    ON game BEGIN
    INSERT INTO stale_game SELECT old.id, 0, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
END;
CREATE TRIGGER game_is_annotated_otherwise AFTER UPDATE OF tags, annotations ON movetext
WHEN (old.tags, old.annotations) IS NOT (new.tags, new.annotations) BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE id = old.game_id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.game_id);
END;

CREATE INDEX game_white ON game(white_id);
CREATE INDEX game_black ON game(black_id);
CREATE INDEX game_event ON game(event_id);
