-- The tables of a Stamma database: docs/database.md. Comments inside a statement are kept in the file, where
-- `sqlite3 games.db .schema` shows them. No table is STRICT, which SQLite before 3.37 cannot open.

CREATE TABLE source (
    -- Imported files, standard input, and members of archives.
    id            INTEGER PRIMARY KEY,
    path          TEXT    NOT NULL,
    bytes         INTEGER NOT NULL,
    content_hash  BLOB    NOT NULL,  -- BLAKE3 of the bytes, 32 bytes; empty while unfinished
    imported_at   TEXT    NOT NULL,  -- UTC, YYYY-MM-DD HH:MM:SS
    first_game    INTEGER,           -- the games of the source are first_game to last_game
    last_game     INTEGER,
    games         INTEGER NOT NULL,
    problems      INTEGER NOT NULL,
    notation      TEXT,              -- of most games: san, lan, descriptive ...
    language      TEXT,              -- of most games: a code such as en, or the piece letters given
    encoding      TEXT,              -- of most games that are not ASCII
    known_bytes   INTEGER,           -- bytes before the last game, or before the next one of an unfinished import
    known_hash    BLOB,              -- BLAKE3 of these bytes, 32 bytes
    head_hash     BLOB    NOT NULL,  -- BLAKE3 of the first 4096 bytes, or of all if there are fewer, 32 bytes
    continues     INTEGER,           -- the source whose games precede these in a file that has grown
    unfinished    TEXT,              -- the state of an unfinished import, as JSON
    filter        TEXT,              -- the conditions on games to import, as a JSON object; NULL for all games
    passed_over   INTEGER NOT NULL   -- games that do not match, or that another source with these bytes has
);

CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE event  (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE site   (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- An index with a name of its own, which the first import builds at its end.
CREATE UNIQUE INDEX player_unique ON player(name);

CREATE TABLE tag_order (
    -- The names of a game's tags in their order, as a JSON array; many games share one. A name in an array of its own
    -- has its value in movetext.tags, any other has it in a column of game.
    id     INTEGER PRIMARY KEY,
    names  TEXT NOT NULL UNIQUE
);

CREATE TABLE opening (
    -- Openings that games have.
    id    INTEGER PRIMARY KEY,
    eco   TEXT NOT NULL,
    name  TEXT NOT NULL,
    UNIQUE (eco, name)
);

CREATE TABLE opening_line (
    -- A table of openings of your own, in place of the standard one.
    id     INTEGER PRIMARY KEY,
    moves  TEXT NOT NULL,  -- SAN from the start position
    eco    TEXT NOT NULL,
    name   TEXT NOT NULL
);

CREATE TABLE game (
    -- The view games has these columns with names in place of ids, and those of movetext.
    id                      INTEGER PRIMARY KEY,  -- never used again
    source_id               INTEGER NOT NULL REFERENCES source(id),
    byte_offset             INTEGER NOT NULL,     -- of its text in the source, from 0
    byte_length             INTEGER NOT NULL,     -- up to the next game, white space included
    event_id                INTEGER REFERENCES event(id),
    site_id                 INTEGER REFERENCES site(id),
    date                    TEXT,                 -- as written, such as 1950.??.??
    round                   TEXT,
    white_id                INTEGER REFERENCES player(id),
    black_id                INTEGER REFERENCES player(id),
    result                  TEXT    NOT NULL,
    white_elo               INTEGER,
    black_elo               INTEGER,
    eco                     TEXT,
    ply_count               INTEGER NOT NULL,     -- half-moves in movetext.moves
    final_fen               TEXT,                 -- packed as a blob, or a FEN: docs/database.md
    final_key               INTEGER,              -- position key of the last position, 64 bits, signed
    moves_hash              INTEGER NOT NULL,     -- equal for equal starts and moves, 64 bits, signed
    tag_order_id            INTEGER NOT NULL REFERENCES tag_order(id),
    opening_id              INTEGER REFERENCES opening(id),
    -- Columns that are mostly NULL come last, where a row can leave them out.
    address                 TEXT COLLATE NOCASE,  -- the id of the game at its site
    ending                  TEXT,                 -- checkmate, stalemate or insufficient-material
    terminator              TEXT,                 -- the termination marker unless it is the result, '' for none
    encoding                TEXT,                 -- NULL for UTF-8
    language                TEXT,                 -- NULL for English
    notation                TEXT,                 -- NULL for SAN
    fen                     TEXT,                 -- the start position, NULL for the usual one
    variant                 TEXT,                 -- NULL for standard chess
    fifty_moves_ply         INTEGER,              -- half-moves played when the rule first applied
    threefold_ply           INTEGER,
    seventy_five_moves_ply  INTEGER,
    fivefold_ply            INTEGER,
    CONSTRAINT result_is_one_of_four CHECK (result IN ('1-0', '0-1', '1/2-1/2', '*')),
    CONSTRAINT white_elo_is_from_1_to_9999
        CHECK (typeof(white_elo) IN ('integer', 'null') AND white_elo BETWEEN 1 AND 9999),
    CONSTRAINT black_elo_is_from_1_to_9999
        CHECK (typeof(black_elo) IN ('integer', 'null') AND black_elo BETWEEN 1 AND 9999)
);
-- A large import drops these indexes, and builds them at its end.
CREATE INDEX game_white ON game(white_id);
CREATE INDEX game_black ON game(black_id);
CREATE INDEX game_event ON game(event_id);
CREATE INDEX game_address ON game(address) WHERE address IS NOT NULL;

CREATE TABLE movetext (
    -- The long texts of games, apart from game so that reading all rows of game is quick.
    game_id      INTEGER PRIMARY KEY REFERENCES game(id) ON DELETE CASCADE,
    moves        TEXT NOT NULL,  -- the mainline in SAN, one space between moves, no numbers
    tags         TEXT,           -- values of tags without a column: an array, or an object of names and values
    annotations  TEXT,           -- comments, NAGs and variations by half-moves played: docs/annotations.md
    rest         TEXT            -- the part of the game's text that could not be used
);

CREATE TABLE problem (
    -- Everything that was wrong in sources: docs/problems.md.
    id           INTEGER PRIMARY KEY,
    source_id    INTEGER NOT NULL REFERENCES source(id),
    game_id      INTEGER REFERENCES game(id) ON DELETE CASCADE,
    kind         TEXT    NOT NULL,
    byte_offset  INTEGER NOT NULL,  -- in the source, from 0
    byte_length  INTEGER NOT NULL,  -- of the offending text in the source
    line         INTEGER NOT NULL,  -- in the source, from 1
    column       INTEGER NOT NULL,  -- in the line, in bytes, from 1
    ply          INTEGER,           -- half-moves played before it
    text         TEXT    NOT NULL,  -- the offending text
    message      TEXT    NOT NULL
);
CREATE INDEX problem_game ON problem(game_id);

CREATE TABLE source_text (
    -- Text before, between and behind the games of a source.
    id           INTEGER PRIMARY KEY,
    source_id    INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
    before_game  INTEGER NOT NULL,  -- the game that follows; behind the last game, its number plus 1
    byte_offset  INTEGER NOT NULL,  -- in the source, from 0
    byte_length  INTEGER NOT NULL,  -- up to the next game, white space included
    text         TEXT    NOT NULL   -- its lines, without a % at the beginning of a line
);
CREATE INDEX source_text_source ON source_text(source_id);

CREATE TABLE counter (
    -- Single numbers, such as the number of the next game: docs/database.md.
    name   TEXT PRIMARY KEY,
    value  INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO counter VALUES ('next_game', 1);

CREATE TABLE position_segment (
    -- The position index: docs/position-index.md.
    id          INTEGER PRIMARY KEY,
    format      INTEGER NOT NULL,  -- 1
    variations  INTEGER NOT NULL,  -- 1 if positions of variations are indexed, or 0
    first_game  INTEGER NOT NULL,  -- games in blocks are counted from first_game
    last_game   INTEGER NOT NULL,
    postings    INTEGER NOT NULL,
    key_bits    INTEGER NOT NULL,
    game_bits   INTEGER NOT NULL
);
CREATE TABLE position_block (
    -- Blocks of the position index: docs/position-index.md.
    id    INTEGER PRIMARY KEY,
    data  BLOB NOT NULL
);

CREATE TABLE stale_game (
    -- Games that have changed since they were indexed, or are deleted, noted by triggers. Answers are corrected by
    -- these rows; `stamma optimize` indexes the games again.
    id         INTEGER PRIMARY KEY,
    moved      INTEGER NOT NULL,  -- 1 if its positions may have changed or it is deleted, or 0
    result     TEXT,              -- what game had when it was indexed
    white_elo  INTEGER,
    black_elo  INTEGER,
    date       TEXT
);

CREATE TABLE game_column (
    -- Attributes of games by column, for filters: docs/columns.md.
    id    INTEGER PRIMARY KEY,
    data  BLOB NOT NULL
);

-- The words of names, case and accents folded. Imports, which disable triggers, add the words of their names.
CREATE VIRTUAL TABLE player_text USING fts5(name, content = 'player', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
CREATE VIRTUAL TABLE event_text USING fts5(name, content = 'event', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
CREATE VIRTUAL TABLE site_text USING fts5(name, content = 'site', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
-- The words of comments, folded before they are added. Words of deleted comments stay: each game found is read again.
CREATE VIRTUAL TABLE comment_text USING fts5(annotations, content = 'movetext', content_rowid = 'game_id',
    tokenize = 'ascii', detail = none, columnsize = 0);

CREATE TABLE row_checksum (
    -- Checksums of the rows of games, problems, sources, texts and names: docs/checking.md.
    id    INTEGER PRIMARY KEY,
    data  BLOB NOT NULL
);

CREATE TABLE changed_row (
    -- Rows that other programs have added or changed since their checksums were computed, noted by triggers. A row of
    -- movetext counts as its row of game.
    table_name  TEXT    NOT NULL,
    row_id      INTEGER NOT NULL,
    PRIMARY KEY (table_name, row_id)
) WITHOUT ROWID;

CREATE TABLE duplicate_of (
    -- Duplicate games, marked by `stamma dedupe`. All games with one kept_id are a group, which kind, score and why
    -- describe.
    game_id  INTEGER PRIMARY KEY REFERENCES game(id) ON DELETE CASCADE,
    kept_id  INTEGER NOT NULL REFERENCES game(id),  -- never a marked game
    kind     TEXT    NOT NULL,  -- how the moves of the group differ: same, short, prefix or variant
    score    REAL    NOT NULL,  -- how sure it is, from 0 to 1
    why      TEXT    NOT NULL,  -- what agrees: moves, players, date ..., with commas
    place    INTEGER NOT NULL,  -- the order of preference in the group, from 1; the kept game comes before
    CHECK (game_id <> kept_id)
);
CREATE INDEX duplicate_of_kept ON duplicate_of(kept_id, place);

CREATE TABLE duplicate_search (
    -- The last search for duplicates, one row.
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    last_game   INTEGER NOT NULL,  -- games up to this one have been compared with each other
    preference  TEXT    NOT NULL   -- which game of a group is kept
);

CREATE TABLE unexamined_game (
    -- Games up to duplicate_search.last_game that have changed since, or whose group has, noted by triggers.
    id  INTEGER PRIMARY KEY
);

CREATE TABLE merged_tag (
    -- Tags of kept games that `stamma dedupe --merge-tags` has filled from their duplicates.
    game_id       INTEGER NOT NULL REFERENCES game(id) ON DELETE CASCADE,
    name          TEXT    NOT NULL,
    value         TEXT    NOT NULL,
    value_before  TEXT,              -- NULL if the game had no such tag
    from_game_id  INTEGER NOT NULL,  -- the duplicate that had the value; it may be deleted
    PRIMARY KEY (game_id, name)
) WITHOUT ROWID;

CREATE TABLE player_name (
    -- Canonical names, by `stamma names --apply`. A spelling without a row is its own canonical name.
    spelling  TEXT PRIMARY KEY,  -- as in player.name
    name      TEXT NOT NULL,     -- the canonical name
    source    TEXT NOT NULL,     -- the evidence: file, list, FIDE id, twins or form
    why       TEXT NOT NULL,     -- how the spelling differs: initials, order ..., with commas; '' for punctuation alone
    CHECK (typeof(spelling) = 'text' AND typeof(name) = 'text' AND name <> '')
) WITHOUT ROWID;
CREATE INDEX player_name_name ON player_name(name);
CREATE TABLE event_name (
    -- As in player_name.
    spelling  TEXT PRIMARY KEY,  -- as in event.name
    name      TEXT NOT NULL,     -- the canonical name
    source    TEXT NOT NULL,     -- the evidence: file, list, FIDE id, twins or form
    why       TEXT NOT NULL,     -- how the spelling differs: initials, order ..., with commas; '' for punctuation alone
    CHECK (typeof(spelling) = 'text' AND typeof(name) = 'text' AND name <> '')
) WITHOUT ROWID;
CREATE INDEX event_name_name ON event_name(name);
CREATE TABLE site_name (
    -- As in player_name; spellings are whole sites, with the address of a game.
    spelling  TEXT PRIMARY KEY,  -- as in site.name
    name      TEXT NOT NULL,     -- the canonical name
    source    TEXT NOT NULL,     -- the evidence: file, list, FIDE id, twins or form
    why       TEXT NOT NULL,     -- how the spelling differs: initials, order ..., with commas; '' for punctuation alone
    CHECK (typeof(spelling) = 'text' AND typeof(name) = 'text' AND name <> '')
) WITHOUT ROWID;
CREATE INDEX site_name_name ON site_name(name);

-- Triggers on game. They note changes by any program; imports write these notes themselves, and disable triggers.

CREATE TRIGGER game_keeps_its_number BEFORE UPDATE ON game WHEN old.id IS NOT new.id BEGIN
    SELECT raise(ABORT, 'the number of a game cannot be changed');
END;

CREATE TRIGGER game_is_deleted AFTER DELETE ON game BEGIN
    INSERT INTO stale_game SELECT old.id, 1, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
    UPDATE stale_game SET moved = 1 WHERE id = old.id;
    DELETE FROM movetext WHERE game_id = old.id;
    DELETE FROM problem WHERE game_id = old.id;
END;

-- REPLACE deletes without a trigger.
CREATE TRIGGER game_is_replaced BEFORE INSERT ON game
WHEN EXISTS (SELECT 1 FROM game WHERE id = new.id) BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = new.id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = new.id);
    UPDATE stale_game SET moved = 1 WHERE id = new.id;
END;

-- What the position index counts.
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

-- What filters ask besides.
CREATE TRIGGER game_is_described_otherwise AFTER UPDATE OF event_id, site_id, round, white_id, black_id, eco,
    ply_count, ending, fifty_moves_ply, seventy_five_moves_ply, threefold_ply, fivefold_ply, final_fen, tag_order_id,
    opening_id ON game BEGIN
    INSERT INTO stale_game SELECT old.id, 0, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
END;

-- Triggers on movetext.

CREATE TRIGGER moves_stay_with_their_game BEFORE UPDATE ON movetext
WHEN old.game_id IS NOT new.game_id BEGIN
    SELECT raise(ABORT, 'the number of a game cannot be changed');
END;

-- The moves of a game that is added by hand, or that are replaced.
CREATE TRIGGER moves_are_added BEFORE INSERT ON movetext BEGIN
    INSERT INTO stale_game (id, moved, result, white_elo, black_elo, date)
        SELECT new.game_id, 1, game.result, game.white_elo, game.black_elo, game.date
        FROM (SELECT 1) LEFT JOIN game ON game.id = new.game_id
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = new.game_id);
    UPDATE stale_game SET moved = 1 WHERE id = new.game_id;
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

-- With the counter index_variations, positions of variations are positions of the game.
CREATE TRIGGER variations_are_changed AFTER UPDATE OF annotations ON movetext
WHEN old.annotations IS NOT new.annotations
    AND EXISTS (SELECT 1 FROM counter WHERE name = 'index_variations' AND value = 1) BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = old.game_id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.game_id);
    UPDATE stale_game SET moved = 1 WHERE id = old.game_id;
END;

CREATE TRIGGER game_is_annotated_otherwise AFTER UPDATE OF tags, annotations ON movetext
WHEN (old.tags, old.annotations) IS NOT (new.tags, new.annotations) BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE id = old.game_id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.game_id);
END;

-- Triggers on names.

-- Names of players stay unique while an import has not built the index.
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

-- The names of events, sites and players tell how fast games are, and which players are programs.
CREATE TRIGGER event_of_games_is_renamed AFTER UPDATE ON event BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE event_id IN (old.id, new.id) AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;
CREATE TRIGGER event_of_games_is_added AFTER INSERT ON event BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE event_id = new.id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;
CREATE TRIGGER site_of_games_is_renamed AFTER UPDATE ON site BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE site_id IN (old.id, new.id) AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;
CREATE TRIGGER site_of_games_is_added AFTER INSERT ON site BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE site_id = new.id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;
CREATE TRIGGER player_of_games_is_renamed AFTER UPDATE ON player BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE (white_id IN (old.id, new.id) OR black_id IN (old.id, new.id))
            AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;
CREATE TRIGGER player_of_games_is_added AFTER INSERT ON player BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE (white_id = new.id OR black_id = new.id)
            AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;
CREATE TRIGGER event_of_games_is_deleted AFTER DELETE ON event
WHEN old.name LIKE '%bullet%' OR old.name LIKE '%blitz%' OR old.name LIKE '%rapid%'
    OR old.name LIKE '%classical%' OR old.name LIKE '%correspondence%' BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE event_id = old.id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = game.id);
END;

-- A spelling that another program changes keeps its canonical name, unless the new one has or is one already.
CREATE TRIGGER canonical_player_stays AFTER UPDATE OF name ON player BEGIN
    INSERT INTO player_name SELECT new.name, name, source, why FROM player_name WHERE spelling = old.name
        AND NOT EXISTS (SELECT 1 FROM player_name WHERE new.name IN (spelling, name));
END;
CREATE TRIGGER canonical_event_stays AFTER UPDATE OF name ON event BEGIN
    INSERT INTO event_name SELECT new.name, name, source, why FROM event_name WHERE spelling = old.name
        AND NOT EXISTS (SELECT 1 FROM event_name WHERE new.name IN (spelling, name));
END;
CREATE TRIGGER canonical_site_stays AFTER UPDATE OF name ON site BEGIN
    INSERT INTO site_name SELECT new.name, name, source, why FROM site_name WHERE spelling = old.name
        AND NOT EXISTS (SELECT 1 FROM site_name WHERE new.name IN (spelling, name));
END;

-- Triggers that note rows whose checksums have to be computed again.
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

-- Triggers that note games whose duplicates have to be searched again.

-- The first of a group takes the place of a kept game that is deleted.
CREATE TRIGGER duplicate_is_deleted AFTER DELETE ON game BEGIN
    INSERT INTO unexamined_game SELECT id FROM
            (SELECT game_id AS id FROM duplicate_of WHERE kept_id = old.id
             UNION SELECT kept_id FROM duplicate_of WHERE game_id = old.id) AS duplicate
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = duplicate.id);
    DELETE FROM duplicate_of WHERE game_id = old.id;
    UPDATE duplicate_of SET kept_id =
            (SELECT game_id FROM duplicate_of AS first WHERE first.kept_id = old.id ORDER BY place LIMIT 1)
        WHERE kept_id = old.id AND game_id <>
            (SELECT game_id FROM duplicate_of AS first WHERE first.kept_id = old.id ORDER BY place LIMIT 1);
    DELETE FROM duplicate_of WHERE kept_id = old.id;
    DELETE FROM merged_tag WHERE game_id = old.id;
    DELETE FROM unexamined_game WHERE id = old.id;
END;
CREATE TRIGGER duplicate_is_unmarked AFTER DELETE ON duplicate_of BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE id IN (old.game_id, old.kept_id) AND id <= (SELECT last_game FROM duplicate_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER examined_game_is_added AFTER INSERT ON game
WHEN new.id <= (SELECT last_game FROM duplicate_search) BEGIN
    INSERT INTO unexamined_game SELECT new.id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.id);
END;
CREATE TRIGGER examined_game_is_changed AFTER UPDATE OF event_id, site_id, address, date, round, white_id, black_id,
    result, white_elo, black_elo, eco, ply_count, fen, variant, final_key, moves_hash ON game
WHEN new.id <= (SELECT last_game FROM duplicate_search) BEGIN
    INSERT INTO unexamined_game SELECT new.id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.id);
END;
CREATE TRIGGER examined_moves_are_added AFTER INSERT ON movetext
WHEN new.game_id <= (SELECT last_game FROM duplicate_search) BEGIN
    INSERT INTO unexamined_game SELECT new.game_id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.game_id);
END;
CREATE TRIGGER examined_moves_are_changed AFTER UPDATE ON movetext
WHEN new.game_id <= (SELECT last_game FROM duplicate_search) BEGIN
    INSERT INTO unexamined_game SELECT new.game_id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.game_id);
END;
CREATE TRIGGER examined_moves_are_deleted AFTER DELETE ON movetext
WHEN old.game_id <= (SELECT last_game FROM duplicate_search) BEGIN
    INSERT INTO unexamined_game SELECT id FROM game WHERE id = old.game_id
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER examined_white_is_changed AFTER UPDATE ON player BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE white_id IN (old.id, new.id) AND id <= (SELECT last_game FROM duplicate_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER examined_black_is_changed AFTER UPDATE ON player BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE black_id IN (old.id, new.id) AND id <= (SELECT last_game FROM duplicate_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER examined_event_is_changed AFTER UPDATE ON event BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE event_id IN (old.id, new.id) AND id <= (SELECT last_game FROM duplicate_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER examined_site_is_changed AFTER UPDATE ON site BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE site_id IN (old.id, new.id) AND id <= (SELECT last_game FROM duplicate_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;

-- Tags follow the columns and the JSON text that other programs change.

CREATE VIEW tag_in_column AS
-- The tags of games whose value, or whose first value, is in a column. To insert a tag here moves it into its column.
SELECT game.id AS game_id, part.value AS name
FROM game
JOIN tag_order ON tag_order.id = game.tag_order_id
JOIN json_each(tag_order.names) AS part ON part.type = 'text';

CREATE TRIGGER tag_columns_are_changed AFTER UPDATE OF event_id, site_id, address, date, round, white_id, black_id,
    result, white_elo, black_elo, eco, fen ON game
WHEN new.tag_order_id IS old.tag_order_id BEGIN
    -- What was indexed, before other triggers find the new values.
    INSERT INTO stale_game SELECT old.id, 0, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
    INSERT INTO tag_in_column SELECT new.id, 'Event' WHERE new.event_id IS NOT old.event_id;
    INSERT INTO tag_in_column SELECT new.id, 'Site'
        WHERE (new.site_id, new.address) IS NOT (old.site_id, old.address);
    INSERT INTO tag_in_column SELECT new.id, 'Date' WHERE new.date IS NOT old.date;
    INSERT INTO tag_in_column SELECT new.id, 'Round' WHERE new.round IS NOT old.round;
    INSERT INTO tag_in_column SELECT new.id, 'White' WHERE new.white_id IS NOT old.white_id;
    INSERT INTO tag_in_column SELECT new.id, 'Black' WHERE new.black_id IS NOT old.black_id;
    INSERT INTO tag_in_column SELECT new.id, 'Result' WHERE new.result IS NOT old.result;
    INSERT INTO tag_in_column SELECT new.id, 'WhiteElo' WHERE new.white_elo IS NOT old.white_elo;
    INSERT INTO tag_in_column SELECT new.id, 'BlackElo' WHERE new.black_elo IS NOT old.black_elo;
    INSERT INTO tag_in_column SELECT new.id, 'ECO' WHERE new.eco IS NOT old.eco;
    INSERT INTO tag_in_column SELECT new.id, 'FEN' WHERE new.fen IS NOT old.fen;
END;

-- A game has the tag in movetext.tags if it has as many values of it there as it has tags of the name, or none of both.
-- To add null there gives the tag its place in the order of tags.
CREATE TRIGGER tag_moves_into_column INSTEAD OF INSERT ON tag_in_column
WHEN CASE WHEN (SELECT json_valid(coalesce(games.tags, '{}')) FROM games WHERE games.id = new.game_id) THEN
    (SELECT count(*) FROM games, json_each(games.tags) AS value WHERE games.id = new.game_id AND value.key = new.name)
    >= (SELECT count(*) FROM game JOIN tag_order ON tag_order.id = game.tag_order_id, json_tree(names) AS part
        WHERE game.id = new.game_id AND part.type = 'text' AND part.value = new.name) END BEGIN
    UPDATE movetext SET tags =
            (SELECT json_set(coalesce(games.tags, '{}'), '$.' || new.name, NULL) FROM games WHERE games.id = game_id)
        WHERE game_id = new.game_id;
    UPDATE movetext SET tags = nullif(json_remove(tags, '$.' || new.name), '{}') WHERE game_id = new.game_id;
END;

-- Tags with a column are changed in the column: exports would have the value of the JSON text, and nothing else would.
-- The text may keep what a column cannot hold, such as a rating with a question mark.
CREATE TRIGGER tags_are_not_columns BEFORE UPDATE OF tags ON movetext
WHEN new.tags IS NOT old.tags AND json_valid(new.tags) AND json_type(new.tags) = 'object' BEGIN
    SELECT raise(ABORT, 'a tag with a column is changed in the table game, not in movetext.tags')
    FROM (SELECT tag.value AS name, json_extract(new.tags, '$.' || tag.value) AS value FROM json_each(
        '["Event","Site","Date","Round","White","Black","Result","WhiteElo","BlackElo","ECO","FEN"]') AS tag) AS tag
    LEFT JOIN game ON game.id = new.game_id
    WHERE tag.value IS NOT NULL
        AND tag.value IS NOT (SELECT json_extract(games.tags, '$.' || tag.name) FROM games
            WHERE games.id = new.game_id AND json_valid(games.tags))
        -- A repeated tag has its first value in the column, and others in the text.
        AND (SELECT count(*) FROM json_each(new.tags) AS value WHERE value.key = tag.name)
            >= (SELECT count(*) FROM tag_order, json_tree(tag_order.names) AS part
                WHERE tag_order.id = game.tag_order_id AND part.type = 'text' AND part.value = tag.name)
        AND CASE tag.name
            WHEN 'Result' THEN tag.value IN ('1-0', '0-1', '1/2-1/2', '*')
            WHEN 'WhiteElo' THEN game.white_elo IS NOT NULL
                OR tag.value GLOB '[1-9]*' AND length(tag.value) <= 4 AND tag.value NOT GLOB '*[^0-9]*'
            WHEN 'BlackElo' THEN game.black_elo IS NOT NULL
                OR tag.value GLOB '[1-9]*' AND length(tag.value) <= 4 AND tag.value NOT GLOB '*[^0-9]*'
            ELSE 1 END;
END;
CREATE TRIGGER added_tags_are_not_columns BEFORE INSERT ON movetext
WHEN json_valid(new.tags) AND json_type(new.tags) = 'object' BEGIN
    SELECT raise(ABORT, 'a tag with a column is changed in the table game, not in movetext.tags')
    FROM (SELECT tag.value AS name, json_extract(new.tags, '$.' || tag.value) AS value FROM json_each(
        '["Event","Site","Date","Round","White","Black","Result","WhiteElo","BlackElo","ECO","FEN"]') AS tag) AS tag
    LEFT JOIN game ON game.id = new.game_id
    WHERE tag.value IS NOT NULL
        AND tag.value IS NOT (SELECT json_extract(games.tags, '$.' || tag.name) FROM games
            WHERE games.id = new.game_id AND json_valid(games.tags))
        AND (SELECT count(*) FROM json_each(new.tags) AS value WHERE value.key = tag.name)
            >= (SELECT count(*) FROM tag_order, json_tree(tag_order.names) AS part
                WHERE tag_order.id = game.tag_order_id AND part.type = 'text' AND part.value = tag.name)
        AND CASE tag.name
            WHEN 'Result' THEN tag.value IN ('1-0', '0-1', '1/2-1/2', '*')
            WHEN 'WhiteElo' THEN game.white_elo IS NOT NULL
                OR tag.value GLOB '[1-9]*' AND length(tag.value) <= 4 AND tag.value NOT GLOB '*[^0-9]*'
            WHEN 'BlackElo' THEN game.black_elo IS NOT NULL
                OR tag.value GLOB '[1-9]*' AND length(tag.value) <= 4 AND tag.value NOT GLOB '*[^0-9]*'
            WHEN 'FEN' THEN game.fen IS NULL
            ELSE 1 END;
END;

-- An object of names and values may have names that the order of the game's tags lacks; they come last in it.
CREATE TRIGGER tags_are_changed AFTER UPDATE OF tags ON movetext
WHEN new.tags IS NOT old.tags AND json_valid(new.tags) AND json_type(new.tags) = 'object' BEGIN
    INSERT INTO tag_order (names) SELECT names FROM
            (SELECT json_group_array(name) AS names FROM
                (SELECT part.value AS name FROM game JOIN tag_order ON tag_order.id = game.tag_order_id,
                    json_tree(tag_order.names) AS part
                WHERE game.id = new.game_id AND part.type = 'text'
                UNION ALL SELECT value.key FROM json_each(new.tags) AS value WHERE NOT EXISTS
                    (SELECT 1 FROM game JOIN tag_order ON tag_order.id = game.tag_order_id,
                        json_tree(tag_order.names) AS part
                    WHERE game.id = new.game_id AND part.type = 'text' AND part.value = value.key))) AS changed
        WHERE NOT EXISTS (SELECT 1 FROM tag_order WHERE tag_order.names = changed.names);
    UPDATE game SET tag_order_id = (SELECT id FROM tag_order WHERE names =
            (SELECT json_group_array(name) FROM
                (SELECT part.value AS name FROM tag_order, json_tree(tag_order.names) AS part
                WHERE tag_order.id = game.tag_order_id AND part.type = 'text'
                UNION ALL SELECT value.key FROM json_each(new.tags) AS value WHERE NOT EXISTS
                    (SELECT 1 FROM tag_order, json_tree(tag_order.names) AS part
                    WHERE tag_order.id = game.tag_order_id AND part.type = 'text' AND part.value = value.key))))
        WHERE id = new.game_id;
END;

CREATE TABLE evaluation_source (
    -- Where evaluations come from.
    id    INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 255),
    kind  TEXT NOT NULL,  -- games, file or engine
    name  TEXT NOT NULL   -- the name of the file or the engine, '' for games
);
CREATE TABLE evaluation_row (
    -- Evaluations of positions in few bytes, one for each position: docs/evaluations.md. The view evaluation shows them.
    key   INTEGER PRIMARY KEY CHECK (typeof(key) = 'integer'),  -- of the position, 64 bits, signed
    data  INTEGER NOT NULL  -- score, depth, source, best move, nodes and check key, 64 bits
) WITHOUT ROWID;
CREATE TABLE evaluation_line (
    -- The lines of evaluations that have one.
    key   INTEGER PRIMARY KEY,
    line  TEXT NOT NULL         -- moves as chess programs write them, one space between them
);
CREATE VIEW evaluation AS
-- What engines think of positions. Positive scores are good for White.
SELECT key,
       CASE WHEN score BETWEEN -30000 AND 30000 THEN score END AS centipawns,
       CASE WHEN score > 30000 THEN 32000 - score WHEN score < -30000 THEN -32000 - score END AS mate,
       nullif(depth, 0) AS depth,
       nullif(CASE WHEN nodes < 32 THEN nodes ELSE (nodes & 15 | 16) << (nodes / 16 - 1) END, 0) AS nodes,
       -- Castling is king takes rook.
       CASE WHEN move > 0 THEN
           substr('abcdefgh', 1 + (move & 7), 1) || (1 + (move >> 3 & 7))
           || substr('abcdefgh', 1 + (move >> 6 & 7), 1) || (1 + (move >> 9 & 7))
           || trim(substr(' nbrq', 1 + (move >> 12), 1)) END AS best_move,
       (SELECT line FROM evaluation_line WHERE evaluation_line.key = unpacked.key) AS line,
       evaluation_source.kind, evaluation_source.name AS source
FROM (SELECT key, data >> 48 AS score, data >> 40 & 255 AS depth, data >> 32 & 255 AS source_id,
             data >> 17 & 32767 AS move, data >> 8 & 511 AS nodes FROM evaluation_row) AS unpacked
LEFT JOIN evaluation_source ON evaluation_source.id = unpacked.source_id;

CREATE VIEW games AS
-- Everything of a game in one row, with names in place of ids: docs/database.md.
SELECT game.id, event.name AS event,
       CASE substr(site.name, -1) WHEN '/' THEN site.name || coalesce(game.address, '') ELSE site.name END AS site,
       game.date, game.round, white.name AS white, black.name AS black, game.result,
       game.white_elo, game.black_elo, game.eco, opening.eco AS opening_eco, opening.name AS opening,
       game.ply_count, game.ending, movetext.moves, movetext.annotations,
       -- The values of the names that are in arrays in tag_order.names.
       CASE WHEN substr(movetext.tags, 1, 1) = '[' AND json_valid(movetext.tags) THEN
           (SELECT json_group_object(tag.name, value.value)
            FROM (SELECT json_extract(name.value, '$[0]') AS name, row_number() OVER (ORDER BY name.key) - 1 AS place
                  FROM json_each((SELECT names FROM tag_order WHERE id = game.tag_order_id)) AS name
                  WHERE name.type = 'array' ORDER BY name.key) AS tag
            JOIN json_each(movetext.tags) AS value ON value.key = tag.place)
           ELSE movetext.tags END AS tags,
       movetext.rest, game.terminator, game.fen, game.variant,
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
       game.fifty_moves_ply, game.seventy_five_moves_ply, game.threefold_ply, game.fivefold_ply,
       -- Subqueries, which take no time where they are not read.
       coalesce((SELECT name FROM player_name WHERE spelling = white.name), white.name) AS white_canonical,
       coalesce((SELECT name FROM player_name WHERE spelling = black.name), black.name) AS black_canonical,
       coalesce((SELECT name FROM event_name WHERE spelling = event.name), event.name) AS event_canonical,
       CASE substr(site.name, -1) WHEN '/'
           THEN coalesce((SELECT name FROM site_name WHERE spelling = site.name || coalesce(game.address, '')),
               site.name || coalesce(game.address, ''))
           ELSE coalesce((SELECT name FROM site_name WHERE spelling = site.name), site.name) END AS site_canonical,
       game.address, game.notation, game.language, game.encoding,
       game.source_id, game.byte_offset, game.byte_length, game.final_key, game.moves_hash
FROM game
JOIN movetext ON movetext.game_id = game.id
LEFT JOIN event ON event.id = game.event_id
LEFT JOIN site ON site.id = game.site_id
LEFT JOIN player AS white ON white.id = game.white_id
LEFT JOIN player AS black ON black.id = game.black_id
LEFT JOIN opening ON opening.id = game.opening_id;
