-- What an import goes by that meets a source again: one that has grown since, or whose import was interrupted.
ALTER TABLE source ADD COLUMN known_bytes INTEGER;   -- those before its last game, or as far as an unfinished import has come
ALTER TABLE source ADD COLUMN known_hash BLOB;       -- BLAKE3 of these, 32 bytes
ALTER TABLE source ADD COLUMN head_hash BLOB;        -- BLAKE3 of its first 4096 bytes, or of all that it has
ALTER TABLE source ADD COLUMN continues INTEGER;     -- the source whose games stand in front of its own in the file
ALTER TABLE source ADD COLUMN unfinished TEXT;       -- what its import knows so far, as JSON; NULL at the end
