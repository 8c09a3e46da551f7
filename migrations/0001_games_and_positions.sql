-- A file that was imported.
CREATE TABLE source (
    id            INTEGER PRIMARY KEY,
    path          TEXT    NOT NULL,
    bytes         INTEGER NOT NULL,
    content_hash  BLOB    NOT NULL,             -- BLAKE3 of the bytes, 32 bytes
    imported_at   TEXT    NOT NULL,             -- UTC, YYYY-MM-DD HH:MM:SS
    first_game    INTEGER,                      -- the games of the source are these, both included
    last_game     INTEGER,
    games         INTEGER NOT NULL,
    problems      INTEGER NOT NULL
);

CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE event  (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE site   (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- The names of a game's tags in their order, as a JSON array; many games share one.
CREATE TABLE tag_order (id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);

-- What one asks about a game, and little else, so that reading all rows is quick.
-- A tag that is missing, or that a column cannot hold as it is written, is NULL.
CREATE TABLE game (
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
    terminator              TEXT,                 -- the last token, when it is not the result; '' for none
    white_elo               INTEGER,
    black_elo               INTEGER,
    eco                     TEXT,
    ply_count               INTEGER NOT NULL,     -- half-moves in movetext.moves
    fen                     TEXT,                 -- the start position, when it is not the usual one
    variant                 TEXT,                 -- NULL for standard chess
    ending                  TEXT,                 -- checkmate, stalemate, insufficient-material
    fifty_moves_ply         INTEGER,              -- half-moves played when it first applied
    seventy_five_moves_ply  INTEGER,
    threefold_ply           INTEGER,
    fivefold_ply            INTEGER,
    final_fen               TEXT,
    final_key               INTEGER,              -- position key of final_fen, 64 bits, signed
    moves_hash              INTEGER NOT NULL,     -- equal for equal starts and moves; 64 bits, signed
    tag_order_id            INTEGER NOT NULL REFERENCES tag_order(id)
);

-- What is long.
CREATE TABLE movetext (
    game_id      INTEGER PRIMARY KEY REFERENCES game(id) ON DELETE CASCADE,
    moves        TEXT NOT NULL,   -- the mainline in SAN, one space between moves, no numbers
    tags         TEXT,            -- the tags that have no column, or not as written, as a JSON object
    annotations  TEXT,            -- comments, NAGs and variations by half-moves played, as JSON
    rest         TEXT             -- the part of the game's text that could not be used
);

-- Everything that was wrong.
CREATE TABLE problem (
    id           INTEGER PRIMARY KEY,
    source_id    INTEGER NOT NULL REFERENCES source(id),
    game_id      INTEGER REFERENCES game(id) ON DELETE CASCADE,
    kind         TEXT    NOT NULL,
    byte_offset  INTEGER NOT NULL,   -- in the source, from 0
    byte_length  INTEGER NOT NULL,   -- of the offending text in the source
    line         INTEGER NOT NULL,   -- in the source, from 1
    column       INTEGER NOT NULL,   -- in the line, in bytes, from 1
    ply          INTEGER,            -- half-moves played before it
    text         TEXT    NOT NULL,   -- the offending text
    message      TEXT    NOT NULL
);
CREATE INDEX problem_game ON problem(game_id);

-- The position index: docs/position-index.md.
CREATE TABLE position_segment (
    id          INTEGER PRIMARY KEY,
    format      INTEGER NOT NULL,
    first_game  INTEGER NOT NULL,   -- games in blocks are counted from this one
    last_game   INTEGER NOT NULL,
    postings    INTEGER NOT NULL,
    key_bits    INTEGER NOT NULL,
    game_bits   INTEGER NOT NULL
);
CREATE TABLE position_block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

-- Games that have been deleted, whose postings are still in blocks.
CREATE TABLE deleted_game (id INTEGER PRIMARY KEY);
CREATE TRIGGER game_is_deleted AFTER DELETE ON game BEGIN
    DELETE FROM movetext WHERE game_id = old.id;
    DELETE FROM problem WHERE game_id = old.id;
    INSERT OR IGNORE INTO deleted_game VALUES (old.id);
END;

-- Counters that only go up.
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counter VALUES ('next_game', 1);

-- Everything of a game in one row, names in place of ids.
CREATE VIEW games AS
SELECT game.id, event.name AS event, site.name AS site, game.date, game.round,
       white.name AS white, black.name AS black, game.result, game.white_elo, game.black_elo,
       game.eco, game.ply_count, movetext.moves, movetext.tags, game.fen, game.variant,
       game.ending, game.terminator, game.fifty_moves_ply, game.seventy_five_moves_ply,
       game.threefold_ply, game.fivefold_ply, game.final_fen, game.final_key, game.moves_hash,
       movetext.annotations, movetext.rest, game.source_id, game.byte_offset, game.byte_length
FROM game
JOIN movetext ON movetext.game_id = game.id
LEFT JOIN event ON event.id = game.event_id
LEFT JOIN site ON site.id = game.site_id
LEFT JOIN player AS white ON white.id = game.white_id
LEFT JOIN player AS black ON black.id = game.black_id;
