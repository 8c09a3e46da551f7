-- Canonical names beside the names as written, by `stamma names`: docs/database.md. A spelling without a row is its own
-- canonical name. Rows go by the text of a name, so that a name that goes and comes back has its canonical name.
CREATE TABLE player_name (
    spelling  TEXT PRIMARY KEY,   -- as in player.name
    name      TEXT NOT NULL,      -- the canonical name
    source    TEXT NOT NULL,      -- the evidence: file, list, FIDE id, twins or form
    why       TEXT NOT NULL,      -- how the spelling differs: initials, order …, with commas; empty for punctuation alone
    CHECK (typeof(spelling) = 'text' AND typeof(name) = 'text' AND name <> '')
) WITHOUT ROWID;
CREATE TABLE event_name (
    spelling  TEXT PRIMARY KEY,
    name      TEXT NOT NULL,
    source    TEXT NOT NULL,
    why       TEXT NOT NULL,
    CHECK (typeof(spelling) = 'text' AND typeof(name) = 'text' AND name <> '')
) WITHOUT ROWID;
CREATE TABLE site_name (
    spelling  TEXT PRIMARY KEY,
    name      TEXT NOT NULL,
    source    TEXT NOT NULL,
    why       TEXT NOT NULL,
    CHECK (typeof(spelling) = 'text' AND typeof(name) = 'text' AND name <> '')
) WITHOUT ROWID;
CREATE INDEX player_name_name ON player_name(name);
CREATE INDEX event_name_name ON event_name(name);
CREATE INDEX site_name_name ON site_name(name);

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

-- The columns of canonical names are subqueries, which cost nothing where they are not read.
DROP VIEW games;
CREATE VIEW games AS
SELECT game.id, event.name AS event, site.name AS site, game.date, game.round,
       white.name AS white, black.name AS black, game.result, game.white_elo, game.black_elo,
       game.eco, game.ply_count, movetext.moves, movetext.tags, game.fen, game.variant,
       game.ending, game.terminator, game.fifty_moves_ply, game.seventy_five_moves_ply,
       game.threefold_ply, game.fivefold_ply, game.final_fen, game.final_key, game.moves_hash,
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
