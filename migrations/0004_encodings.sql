-- In what the bytes of a source are encoded. Texts are stored as UTF-8, whatever it is.
ALTER TABLE source ADD COLUMN encoding TEXT;  -- that of most games that are not ASCII
ALTER TABLE game ADD COLUMN encoding TEXT;    -- NULL for UTF-8, ASCII included, and for games of earlier versions

DROP VIEW games;
CREATE VIEW games AS
SELECT game.id, event.name AS event, site.name AS site, game.date, game.round,
       white.name AS white, black.name AS black, game.result, game.white_elo, game.black_elo,
       game.eco, game.ply_count, movetext.moves, movetext.tags, game.fen, game.variant,
       game.ending, game.terminator, game.fifty_moves_ply, game.seventy_five_moves_ply,
       game.threefold_ply, game.fivefold_ply, game.final_fen, game.final_key, game.moves_hash,
       movetext.annotations, movetext.rest, game.source_id, game.byte_offset, game.byte_length,
       game.notation, game.language, game.encoding
FROM game
JOIN movetext ON movetext.game_id = game.id
LEFT JOIN event ON event.id = game.event_id
LEFT JOIN site ON site.id = game.site_id
LEFT JOIN player AS white ON white.id = game.white_id
LEFT JOIN player AS black ON black.id = game.black_id;
