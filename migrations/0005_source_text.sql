-- Text of a source that belongs to no game: what stands before, between and behind its games.
CREATE TABLE source_text (
    id           INTEGER PRIMARY KEY,
    source_id    INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
    before_game  INTEGER NOT NULL,   -- the game before which it stands; at the end one more than the last
    byte_offset  INTEGER NOT NULL,   -- in the source, from 0
    byte_length  INTEGER NOT NULL,   -- up to the next game, white space included
    text         TEXT    NOT NULL    -- its lines, without the % at the beginning of a line
);
CREATE INDEX source_text_source ON source_text(source_id);

-- Earlier versions have kept such text with its problem alone, and lines that begin with % with the game before.
INSERT INTO source_text (source_id, before_game, byte_offset, byte_length, text)
SELECT problem.source_id,
       coalesce((SELECT min(game.id) FROM game WHERE game.source_id = problem.source_id
                 AND game.byte_offset > problem.byte_offset), source.last_game + 1),
       problem.byte_offset, problem.byte_length,
       trim(replace(replace(replace(problem.text, char(13, 10), char(10)), char(13), char(10)),
                    char(10) || '%', char(10)), char(10, 32, 9, 65279))
FROM problem JOIN source ON source.id = problem.source_id
WHERE problem.kind = 'text-between-games'
ORDER BY problem.id;
