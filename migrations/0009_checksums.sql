-- A checksum of each row that an import has written, so that `stamma check` finds any changed bit: docs/checking.md.
CREATE TABLE row_checksum (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Rows that have been added or changed since their checksums were taken. Whatever program does that, the triggers
-- note it here; `stamma optimize` takes their checksums again. A row of movetext counts as that of its game.
CREATE TABLE changed_row (
    table_name  TEXT    NOT NULL,
    row_id      INTEGER NOT NULL,
    PRIMARY KEY (table_name, row_id)
) WITHOUT ROWID;

CREATE TRIGGER game_row_is_added AFTER INSERT ON game BEGIN
    INSERT INTO changed_row SELECT 'game', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'game' AND row_id = new.id);
END;
CREATE TRIGGER game_row_is_changed AFTER UPDATE ON game BEGIN
    INSERT INTO changed_row SELECT 'game', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'game' AND row_id = new.id);
END;
CREATE TRIGGER movetext_row_is_added AFTER INSERT ON movetext BEGIN
    INSERT INTO changed_row SELECT 'game', new.game_id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'game' AND row_id = new.game_id);
END;
CREATE TRIGGER movetext_row_is_changed AFTER UPDATE ON movetext BEGIN
    INSERT INTO changed_row SELECT 'game', new.game_id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'game' AND row_id = new.game_id);
END;
CREATE TRIGGER problem_row_is_added AFTER INSERT ON problem BEGIN
    INSERT INTO changed_row SELECT 'problem', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'problem' AND row_id = new.id);
END;
CREATE TRIGGER problem_row_is_changed AFTER UPDATE ON problem BEGIN
    INSERT INTO changed_row SELECT 'problem', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'problem' AND row_id = new.id);
END;
CREATE TRIGGER source_row_is_added AFTER INSERT ON source BEGIN
    INSERT INTO changed_row SELECT 'source', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'source' AND row_id = new.id);
END;
CREATE TRIGGER source_row_is_changed AFTER UPDATE ON source BEGIN
    INSERT INTO changed_row SELECT 'source', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'source' AND row_id = new.id);
END;
CREATE TRIGGER source_text_row_is_added AFTER INSERT ON source_text BEGIN
    INSERT INTO changed_row SELECT 'source_text', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'source_text' AND row_id = new.id);
END;
CREATE TRIGGER source_text_row_is_changed AFTER UPDATE ON source_text BEGIN
    INSERT INTO changed_row SELECT 'source_text', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'source_text' AND row_id = new.id);
END;
CREATE TRIGGER player_row_is_added AFTER INSERT ON player BEGIN
    INSERT INTO changed_row SELECT 'player', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'player' AND row_id = new.id);
END;
CREATE TRIGGER player_row_is_changed AFTER UPDATE ON player BEGIN
    INSERT INTO changed_row SELECT 'player', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'player' AND row_id = new.id);
END;
CREATE TRIGGER event_row_is_added AFTER INSERT ON event BEGIN
    INSERT INTO changed_row SELECT 'event', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'event' AND row_id = new.id);
END;
CREATE TRIGGER event_row_is_changed AFTER UPDATE ON event BEGIN
    INSERT INTO changed_row SELECT 'event', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'event' AND row_id = new.id);
END;
CREATE TRIGGER site_row_is_added AFTER INSERT ON site BEGIN
    INSERT INTO changed_row SELECT 'site', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'site' AND row_id = new.id);
END;
CREATE TRIGGER site_row_is_changed AFTER UPDATE ON site BEGIN
    INSERT INTO changed_row SELECT 'site', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'site' AND row_id = new.id);
END;
CREATE TRIGGER tag_order_row_is_added AFTER INSERT ON tag_order BEGIN
    INSERT INTO changed_row SELECT 'tag_order', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'tag_order' AND row_id = new.id);
END;
CREATE TRIGGER tag_order_row_is_changed AFTER UPDATE ON tag_order BEGIN
    INSERT INTO changed_row SELECT 'tag_order', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'tag_order' AND row_id = new.id);
END;

-- Tools read every table that they list, and a contentless one cannot be read. The words that are indexed are those of
-- comments, folded before they come here; what is read is the annotations that they are in.
DROP TABLE comment_text;
CREATE VIRTUAL TABLE comment_text USING fts5(annotations, content = 'movetext', content_rowid = 'game_id',
    tokenize = 'ascii', detail = none, columnsize = 0);

-- All games are described again when this runs: version 8 does not say in which format its columns are.
