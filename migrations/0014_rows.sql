-- Values that repeat or follow from others are stored once: docs/database.md. The view gives them as before. Rows of
-- earlier versions stay as they are, since the view and all readers know both forms.
DROP VIEW games;
CREATE VIEW games AS
SELECT game.id, event.name AS event, site.name AS site, game.date, game.round,
       white.name AS white, black.name AS black, game.result, game.white_elo, game.black_elo,
       game.eco, game.ply_count, movetext.moves,
       -- The values of the names that are in arrays in tag_order.names.
       CASE WHEN substr(movetext.tags, 1, 1) = '[' AND json_valid(movetext.tags) THEN
           (SELECT json_group_object(tag.name, value.value)
            FROM (SELECT name.value ->> 0 AS name, row_number() OVER (ORDER BY name.key) - 1 AS place
                  FROM json_each((SELECT names FROM tag_order WHERE id = game.tag_order_id)) AS name
                  WHERE name.type = 'array' ORDER BY name.key) AS tag
            JOIN json_each(movetext.tags) AS value ON value.key = tag.place)
           ELSE movetext.tags END AS tags,
       game.fen, game.variant,
       game.ending, game.terminator, game.fifty_moves_ply, game.seventy_five_moves_ply,
       game.threefold_ply, game.fivefold_ply,
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
       game.final_key, game.moves_hash,
       movetext.annotations, movetext.rest, game.source_id, game.byte_offset, game.byte_length,
       game.notation, game.language, game.encoding, opening.name AS opening, opening.eco AS opening_eco,
       coalesce((SELECT name FROM player_name WHERE spelling = white.name), white.name) AS white_canonical,
       coalesce((SELECT name FROM player_name WHERE spelling = black.name), black.name) AS black_canonical,
       coalesce((SELECT name FROM event_name WHERE spelling = event.name), event.name) AS event_canonical,
       coalesce((SELECT name FROM site_name WHERE spelling = site.name), site.name) AS site_canonical
FROM game
JOIN movetext ON movetext.game_id = game.id
LEFT JOIN event ON event.id = game.event_id
LEFT JOIN site ON site.id = game.site_id
LEFT JOIN player AS white ON white.id = game.white_id
LEFT JOIN player AS black ON black.id = game.black_id
LEFT JOIN opening ON opening.id = game.opening_id;
