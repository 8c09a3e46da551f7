-- The openings of games, each with its code in the Encyclopaedia of Chess Openings. They follow from the moves and the
-- table of openings; that table is the counter `opening_table`, a hash of it.
CREATE TABLE opening (
    id    INTEGER PRIMARY KEY,
    eco   TEXT NOT NULL,
    name  TEXT NOT NULL,
    UNIQUE (eco, name)
);

-- A user's table of openings: moves in SAN that lead to a position, and its name. Empty where the standard one is used.
CREATE TABLE opening_line (
    id     INTEGER PRIMARY KEY,
    moves  TEXT NOT NULL,
    eco    TEXT NOT NULL,
    name   TEXT NOT NULL
);

-- The name of the last position of the mainline that has one; NULL for none. Games of earlier versions are named when
-- the database is next changed. It has no part in the checksum of the row, since it can be found again.
ALTER TABLE game ADD COLUMN opening_id INTEGER REFERENCES opening(id);

DROP TRIGGER game_is_described_otherwise;
CREATE TRIGGER game_is_described_otherwise AFTER UPDATE OF event_id, site_id, round, white_id, black_id, eco,
    ply_count, ending, fifty_moves_ply, seventy_five_moves_ply, threefold_ply, fivefold_ply, final_fen, tag_order_id,
    opening_id ON game BEGIN
    INSERT INTO stale_game SELECT old.id, 0, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
END;

DROP VIEW games;
CREATE VIEW games AS
SELECT game.id, event.name AS event, site.name AS site, game.date, game.round,
       white.name AS white, black.name AS black, game.result, game.white_elo, game.black_elo,
       game.eco, game.ply_count, movetext.moves, movetext.tags, game.fen, game.variant,
       game.ending, game.terminator, game.fifty_moves_ply, game.seventy_five_moves_ply,
       game.threefold_ply, game.fivefold_ply, game.final_fen, game.final_key, game.moves_hash,
       movetext.annotations, movetext.rest, game.source_id, game.byte_offset, game.byte_length,
       game.notation, game.language, game.encoding, opening.name AS opening, opening.eco AS opening_eco
FROM game
JOIN movetext ON movetext.game_id = game.id
LEFT JOIN event ON event.id = game.event_id
LEFT JOIN site ON site.id = game.site_id
LEFT JOIN player AS white ON white.id = game.white_id
LEFT JOIN player AS black ON black.id = game.black_id
LEFT JOIN opening ON opening.id = game.opening_id;
