-- A database as version 13 of the schema has it, with its variations indexed: forty short games, some with French
-- letters, some not in UTF-8, with text before, between and behind them, two changed and the last deleted.
PRAGMA application_id = 1400136045;
PRAGMA user_version = 13;
BEGIN TRANSACTION;
CREATE TABLE opening (
    id    INTEGER PRIMARY KEY,
    eco   TEXT NOT NULL,
    name  TEXT NOT NULL,
    UNIQUE (eco, name)
);
INSERT INTO opening VALUES(1,'C60','Ruy Lopez');
INSERT INTO opening VALUES(2,'C42','Petrov''s Defense');
INSERT INTO opening VALUES(3,'B50','Sicilian Defense');
INSERT INTO opening VALUES(4,'D06','Queen''s Gambit');
INSERT INTO opening VALUES(5,'E60','Indian Defense: West Indian Defense');
CREATE TABLE opening_line (
    id     INTEGER PRIMARY KEY,
    moves  TEXT NOT NULL,
    eco    TEXT NOT NULL,
    name   TEXT NOT NULL
);
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
, notation TEXT, language TEXT, encoding TEXT, known_bytes INTEGER, known_hash BLOB, head_hash BLOB, continues INTEGER, unfinished TEXT);
INSERT INTO source VALUES(1,'kept6.pgn',7101,X'0AF0924EEF8C76B188362C35F7377408987E6FA44C14E4B32240780FEDBE36D1','2026-11-22 00:19:07',1,40,40,0,'san','en','windows-1252',NULL,NULL,NULL,NULL,NULL);
CREATE TABLE "player" (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO player VALUES(1,'Player 0');
INSERT INTO player VALUES(2,'Player 1');
INSERT INTO player VALUES(3,'Player 2');
INSERT INTO player VALUES(4,'Player 3');
INSERT INTO player VALUES(5,'Player 4');
INSERT INTO player VALUES(6,'Müller');
INSERT INTO player VALUES(7,'Player 5');
INSERT INTO player VALUES(8,'Петросян');
CREATE TABLE event  (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO event VALUES(1,'Kept');
CREATE TABLE site   (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO site VALUES(1,'Here');
CREATE TABLE tag_order (id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);
INSERT INTO tag_order VALUES(1,'["Event","Site","Date","Round","White","Black","Result"]');
INSERT INTO tag_order VALUES(2,'["Event","Site","Date","Round","White","Black","Result","WhiteElo","BlackElo"]');
INSERT INTO tag_order VALUES(3,'["Event","Site","Date","Round","White","Black","Result","WhiteElo"]');
INSERT INTO tag_order VALUES(4,'["Event","Site","Date","Round","White","Black","Result","BlackElo"]');
CREATE TABLE "game" (
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
    white_elo               INTEGER,
    black_elo               INTEGER,
    eco                     TEXT,
    ply_count               INTEGER NOT NULL,     -- half-moves in movetext.moves
    final_fen               TEXT,                 -- packed as a BLOB, or a FEN: docs/database.md
    final_key               INTEGER,              -- position key of final_fen, 64 bits, signed
    moves_hash              INTEGER NOT NULL,     -- equal for equal starts and moves; 64 bits, signed
    tag_order_id            INTEGER NOT NULL REFERENCES tag_order(id),
    opening_id              INTEGER REFERENCES opening(id),
    address                 TEXT COLLATE NOCASE,  -- the id of the game at its address: docs/database.md
    ending                  TEXT,                 -- checkmate, stalemate, insufficient-material
    terminator              TEXT,                 -- the last token, when it is not the result; '' for none
    encoding                TEXT,                 -- NULL for UTF-8
    language                TEXT,                 -- NULL for English
    notation                TEXT,                 -- NULL for SAN
    fen                     TEXT,                 -- the start position, when it is not the usual one
    variant                 TEXT,                 -- NULL for standard chess
    fifty_moves_ply         INTEGER,              -- half-moves played when it first applied
    threefold_ply           INTEGER,
    seventy_five_moves_ply  INTEGER,
    fivefold_ply            INTEGER
);
INSERT INTO game VALUES(1,1,44,179,1,1,'1900.??.??','1',1,2,'1-0',NULL,NULL,NULL,5,'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',5409798013178080797,6831675732461976901,1,1,NULL,NULL,NULL,NULL,'fr',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(2,1,223,184,1,1,'1901.??.??','2',2,3,'1/2-1/2',2700,2490,NULL,4,'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',-8588844865718544117,-4890076683329781213,2,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(3,1,407,191,1,1,'1902.??.??','3',3,4,'0-1',2020,NULL,NULL,6,'rnbqkbnr/pp2pppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',2069586508330116671,8942161402106170455,3,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(4,1,598,149,1,1,'1903.??.??','4',4,5,'*',NULL,2470,NULL,3,'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2',-8482806413104302849,-3456427105353612023,4,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(5,1,747,153,1,1,'1904.??.??','5',6,6,'1-0',2040,NULL,NULL,4,'rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3',-4794291567086884604,-5618454586410875454,3,5,NULL,NULL,NULL,'windows-1252',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(6,1,900,223,1,1,'1905.??.??','6',7,1,'1/2-1/2',2050,2450,NULL,5,'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',5409798013178080797,6831675732461976901,2,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(7,1,1123,140,1,1,'1906.??.??','7',1,2,'0-1',NULL,NULL,NULL,4,'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',-8588844865718544117,-4890076683329781213,1,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(8,1,1263,186,1,1,'1907.??.??','8',2,3,'1-0',2070,2430,NULL,6,'rnbqkbnr/pp2pppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',2069586508330116671,8942161402106170455,2,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(9,1,1449,153,1,1,'1908.??.??','9',3,4,'1-0',2080,NULL,NULL,3,'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2',-8482806413104302849,-3456427105353612023,3,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(10,1,1602,166,1,1,'1909.??.??','10',4,5,'1/2-1/2',NULL,2410,NULL,4,'rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3',-4794291567086884604,-5618454586410875454,4,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(11,1,1768,198,1,1,'1910.??.??','11',5,7,'0-1',2100,NULL,NULL,5,'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',5409798013178080797,6831675732461976901,3,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(12,1,1966,173,1,1,'1911.??.??','12',7,1,'*',2110,2390,NULL,4,'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',-8588844865718544117,-4890076683329781213,2,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(13,1,2139,151,1,1,'1912.??.??','13',1,2,'1-0',NULL,NULL,NULL,6,'rnbqkbnr/pp2pppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',2069586508330116671,8942161402106170455,1,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(14,1,2290,201,1,1,'1913.??.??','14',2,3,'1/2-1/2',2130,2370,NULL,3,'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2',-8482806413104302849,-3456427105353612023,2,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(15,1,2491,158,1,1,'1914.??.??','15',3,4,'1-0',2140,NULL,NULL,4,'rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3',-4794291567086884604,-5618454586410875454,3,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(16,1,2649,202,1,1,'1915.??.??','16',8,5,'*',NULL,2350,NULL,5,'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',5409798013178080797,6831675732461976901,4,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(17,1,2851,159,1,1,'1916.??.??','17',5,7,'1-0',2160,NULL,NULL,4,'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',-8588844865718544117,-4890076683329781213,3,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(18,1,3010,195,1,1,'1917.??.??','18',7,1,'1/2-1/2',2170,2330,NULL,6,'rnbqkbnr/pp2pppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',2069586508330116671,8942161402106170455,2,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(19,1,3205,157,1,1,'1918.??.??','19',1,2,'0-1',NULL,NULL,NULL,3,'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2',-8482806413104302849,-3456427105353612023,1,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(20,1,3374,172,1,1,'1919.??.??','20',2,3,'*',2190,2310,NULL,4,'rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3',-4794291567086884604,-5618454586410875454,2,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(21,1,3546,198,1,1,'1920.??.??','21',3,4,'1-0',2200,NULL,NULL,5,'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',5409798013178080797,6831675732461976901,3,1,NULL,NULL,NULL,NULL,'fr',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(22,1,3744,159,1,1,'1921.??.??','22',4,5,'1-0',NULL,2290,NULL,4,'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',-8588844865718544117,-4890076683329781213,4,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(23,1,3903,169,1,1,'1922.??.??','23',5,7,'0-1',2220,NULL,NULL,6,'rnbqkbnr/pp2pppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',2069586508330116671,8942161402106170455,3,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(24,1,4072,189,1,1,'1923.??.??','24',7,1,'*',2230,2270,NULL,3,'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2',-8482806413104302849,-3456427105353612023,2,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(25,1,4261,140,1,1,'1924.??.??','25',1,2,'1-0',NULL,NULL,NULL,4,'rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3',-4794291567086884604,-5618454586410875454,1,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(26,1,4401,224,1,1,'1925.??.??','26',2,3,'1/2-1/2',2250,2250,NULL,5,'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',5409798013178080797,6831675732461976901,2,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(27,1,4625,159,1,1,'1926.??.??','27',3,4,'0-1',2260,NULL,NULL,4,'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',-8588844865718544117,-4890076683329781213,3,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(28,1,4784,165,1,1,'1927.??.??','28',4,5,'*',NULL,2230,NULL,6,'rnbqkbnr/pp2pppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',2069586508330116671,8942161402106170455,4,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(29,1,4949,171,1,1,'1928.??.??','29',6,6,'1-0',2280,NULL,NULL,3,'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2',-8482806413104302849,-3456427105353612023,3,4,NULL,NULL,NULL,'windows-1252',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(30,1,5153,184,1,1,'1929.??.??','30',7,1,'1/2-1/2',2290,2210,NULL,4,'rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3',-4794291567086884604,-5618454586410875454,2,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(31,1,5337,180,1,1,'1930.??.??','31',1,2,'0-1',NULL,NULL,NULL,5,'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',5409798013178080797,6831675732461976901,1,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(32,1,5517,173,1,1,'1931.??.??','32',2,3,'*',2310,2190,NULL,4,'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',-8588844865718544117,-4890076683329781213,2,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(33,1,5690,169,1,1,'1932.??.??','33',3,4,'1-0',2320,NULL,NULL,6,'rnbqkbnr/pp2pppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',2069586508330116671,8942161402106170455,3,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(34,1,5859,183,1,1,'1933.??.??','34',4,5,'1/2-1/2',NULL,2170,NULL,3,'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2',-8482806413104302849,-3456427105353612023,4,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(35,1,6042,158,1,1,'1934.??.??','35',5,7,'0-1',2340,NULL,NULL,4,'rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3',-4794291567086884604,-5618454586410875454,3,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(36,1,6200,216,1,1,'1935.??.??','36',7,1,'1-0',2350,2150,NULL,5,'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',5409798013178080797,6831675732461976901,2,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(37,1,6416,141,1,1,'1936.??.??','37',1,2,'1-0',NULL,NULL,NULL,4,'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3',-8588844865718544117,-4890076683329781213,1,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(38,1,6557,195,1,1,'1937.??.??','38',2,3,'1/2-1/2',2370,2130,NULL,6,'rnbqkbnr/pp2pppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4',2069586508330116671,8942161402106170455,2,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(39,1,6752,175,1,1,'1938.??.??','39',3,4,'0-1',2380,NULL,NULL,3,'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2',-8482806413104302849,-3456427105353612023,3,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE movetext (
    game_id      INTEGER PRIMARY KEY REFERENCES game(id) ON DELETE CASCADE,
    moves        TEXT NOT NULL,   -- the mainline in SAN, one space between moves, no numbers
    tags         TEXT,            -- the tags that have no column, or not as written, as a JSON object
    annotations  TEXT,            -- comments, NAGs and variations by half-moves played, as JSON
    rest         TEXT             -- the part of the game's text that could not be used
);
INSERT INTO movetext VALUES(1,'e4 e5 Nf3 Nc6 Bb5',NULL,'{"3":["(","d4","exd4","(","d5",")",")"],"5":["(","Bc4",")"]}',NULL);
INSERT INTO movetext VALUES(2,'e4 e5 Nf3 Nf6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(3,'e4 c5 Nf3 d6 d4 cxd4',NULL,'{"1":["% after the first move"]}',NULL);
INSERT INTO movetext VALUES(4,'d4 d5 c4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(5,'d4 Nf6 c4 g6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(6,'e4 e5 Nf3 Nc6 Bb5',NULL,'{"3":["(","d4","exd4","(","d5",")",")"],"5":["(","Bc4",")"]}',NULL);
INSERT INTO movetext VALUES(7,'e4 e5 Nf3 Nf6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(8,'e4 c5 Nf3 d6 d4 cxd4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(9,'d4 d5 c4',NULL,'{"4":["(","a6","(","d5",")",")"]}',NULL);
INSERT INTO movetext VALUES(10,'d4 Nf6 c4 g6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(11,'e4 e5 Nf3 Nc6 Bb5',NULL,'{"3":["(","d4","exd4","(","d5",")",")"],"5":["(","Bc4",")"]}',NULL);
INSERT INTO movetext VALUES(12,'e4 e5 Nf3 Nf6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(13,'e4 c5 Nf3 d6 d4 cxd4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(14,'d4 d5 c4',NULL,'{"1":["(","e4","{more often",")"]}',NULL);
INSERT INTO movetext VALUES(15,'d4 Nf6 c4 g6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(16,'e4 e5 Nf3 Nc6 Bb5',NULL,'{"3":["(","d4","exd4","(","d5",")",")"],"5":["(","Bc4",")"]}',NULL);
INSERT INTO movetext VALUES(17,'e4 e5 Nf3 Nf6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(18,'e4 c5 Nf3 d6 d4 cxd4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(19,'d4 d5 c4',NULL,'{"1":["(","e4","{more often",")"]}',NULL);
INSERT INTO movetext VALUES(20,'d4 Nf6 c4 g6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(21,'e4 e5 Nf3 Nc6 Bb5',NULL,'{"3":["(","d4","exd4","(","d5",")",")"],"5":["(","Bc4",")"]}',NULL);
INSERT INTO movetext VALUES(22,'e4 e5 Nf3 Nf6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(23,'e4 c5 Nf3 d6 d4 cxd4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(24,'d4 d5 c4',NULL,'{"1":["(","e4","{more often",")"]}',NULL);
INSERT INTO movetext VALUES(25,'d4 Nf6 c4 g6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(26,'e4 e5 Nf3 Nc6 Bb5',NULL,'{"3":["(","d4","exd4","(","d5",")",")"],"5":["(","Bc4",")"]}',NULL);
INSERT INTO movetext VALUES(27,'e4 e5 Nf3 Nf6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(28,'e4 c5 Nf3 d6 d4 cxd4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(29,'d4 d5 c4',NULL,'{"1":["(","e4","{more often",")"]}',NULL);
INSERT INTO movetext VALUES(30,'d4 Nf6 c4 g6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(31,'e4 e5 Nf3 Nc6 Bb5',NULL,'{"3":["(","d4","exd4","(","d5",")",")"],"5":["(","Bc4",")"]}',NULL);
INSERT INTO movetext VALUES(32,'e4 e5 Nf3 Nf6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(33,'e4 c5 Nf3 d6 d4 cxd4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(34,'d4 d5 c4',NULL,'{"1":["(","e4","{more often",")"]}',NULL);
INSERT INTO movetext VALUES(35,'d4 Nf6 c4 g6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(36,'e4 e5 Nf3 Nc6 Bb5',NULL,'{"3":["(","d4","exd4","(","d5",")",")"],"5":["(","Bc4",")"]}',NULL);
INSERT INTO movetext VALUES(37,'e4 e5 Nf3 Nf6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(38,'e4 c5 Nf3 d6 d4 cxd4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(39,'d4 d5 c4',NULL,'{"1":["(","e4","{more often",")"]}',NULL);
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
CREATE TABLE position_segment (
    id          INTEGER PRIMARY KEY,
    format      INTEGER NOT NULL,
    first_game  INTEGER NOT NULL,   -- games in blocks are counted from this one
    last_game   INTEGER NOT NULL,
    postings    INTEGER NOT NULL,
    key_bits    INTEGER NOT NULL,
    game_bits   INTEGER NOT NULL
);
INSERT INTO position_segment VALUES(1,3,1,40,255,12,6);
CREATE TABLE position_block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
INSERT INTO position_block VALUES(1153937453350912,X'07170030171111911E30CA39E79C73CA9F83301111119114988A8888087CC354444444A69C933FD202C3725B1E311CA02867185B04B00B0990D90ED02C1B504618174500238FC0BE1D6081BFFDDBBFFDDBBFFDDBBFFDDB1E9888888848184C444444C40D8C888888480A4C44444444324C4544448448988888888817F02B95AAABABABABAB0D309C73CE39E7E6602A22222247301311119118988B888808700623222222720353111111B10C13111111B905A39C73CE39970B2322222202');
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counter VALUES('catalog_format',4);
INSERT INTO counter VALUES('index_variations',1);
INSERT INTO counter VALUES('next_game',41);
INSERT INTO counter VALUES('opening_table',2777417022207723650);
CREATE TABLE stale_game (
    id         INTEGER PRIMARY KEY,
    moved      INTEGER NOT NULL,   -- 1: its positions are others, or it is deleted; 0: they are the same
    result     TEXT,               -- what stood in game when it was indexed
    white_elo  INTEGER,
    black_elo  INTEGER,
    date       TEXT
);
INSERT INTO stale_game VALUES(2,0,'1/2-1/2',2720,2490,'1901.??.??');
INSERT INTO stale_game VALUES(9,1,'1-0',2080,NULL,'1908.??.??');
INSERT INTO stale_game VALUES(40,1,'*',NULL,2110,'1939.??.??');
CREATE TABLE source_text (
    id           INTEGER PRIMARY KEY,
    source_id    INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
    before_game  INTEGER NOT NULL,   -- the game before which it stands; at the end one more than the last
    byte_offset  INTEGER NOT NULL,   -- in the source, from 0
    byte_length  INTEGER NOT NULL,   -- up to the next game, white space included
    text         TEXT    NOT NULL    -- its lines, without the % at the beginning of a line
);
INSERT INTO source_text VALUES(1,1,1,0,44,'; Kept games, first of all those of Köln');
INSERT INTO source_text VALUES(2,1,20,3362,12,'Round two');
INSERT INTO source_text VALUES(3,1,30,5120,33,'% from another file

and more');
INSERT INTO source_text VALUES(4,1,41,7091,10,'The end');
CREATE TABLE game_column (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
INSERT INTO game_column VALUES(0,X'0000000000000000012800002F674707276F47272F674F07277F270F27675F072F27471F276F47073F674F07277F472F27675F');
INSERT INTO game_column VALUES(4503599627370496,X'000000000000000001280000010203040607010203040507010203080507010203040507010203040607010203040507010203');
INSERT INTO game_column VALUES(9007199254740992,X'000000000000000001280000020304050601020304050701020304050701020304050701020304050601020304050701020304');
INSERT INTO game_column VALUES(13510798882111488,X'000000000000000001280000010101010101010101010101010101010101010101010101010101010101010101010101010101');
INSERT INTO game_column VALUES(18014398509481984,X'000000000000000001280000010101010101010101010101010101010101010101010101010101010101010101010101010101');
INSERT INTO game_column VALUES(22517998136852480,X'000000000000000001280000010203040302010203040302010203040302010203040302010203040302010203040302010203');
INSERT INTO game_column VALUES(27021597764222976,X'000000000000000003280000000000D80E00DA0E00DC0E00DE0E00E00E00E20E00E40E00E60E00E80E00EA0E00EC0E00EE0E00F00E00F20E00F40E00F60E00F80E00FA0E00FC0E00FE0E00000F00020F00040F00060F00080F000A0F000C0F000E0F00100F00120F00140F00160F00180F001A0F001C0F001E0F00200F00220F00240F');
INSERT INTO game_column VALUES(31525197391593472,X'0000000000000000022800000000008C0AE4070000F8070208000016082008000034083E08000052085C08000070087A0800008E0898080000AC08B6080000CA08D4080000E808F208000006091009000024092E09000042094C09');
INSERT INTO game_column VALUES(36028797018963968,X'000000000000000002280000000000BA090000A6090000920900007E0900006A09000056090000420900002E0900001A09000006090000F2080000DE080000CA080000B6080000A20800008E0800007A0800006608000052080000');
INSERT INTO game_column VALUES(40532396646334464,X'0000000000000000002800');
INSERT INTO game_column VALUES(45035996273704960,X'000000000000000001280000050406030405040603040504060304050406030405040603040504060304050406030405040603');
INSERT INTO game_column VALUES(49539595901075456,X'0000000000000000082800000000000000000000000000001100000000020000000020400000000000400000000000080000040000010080000000200000000100000000040020000000000000820000000000100004000000000000000000020020000000400000400000000000080000000000010000100000000000000000400020000000000C000000000080001000000010000000000200000080000200000000014000000000000080000000000400000400000020000000001000200000000000010080000000000000004400000000000200000002000002000000000001008800000000000000000000200000040000200000000800000002080000000000010400000000000000000000000008020000000000400010040000000080000000000010000000800000001000002000020000000000000400000080000000080000010000010000');
INSERT INTO game_column VALUES(54043195528445952,X'000000000000000008280000000000000000002822812212EFEFC02822812212EFEFC02722812212E7F3C02822812212F3F7C02822812212F3BFC02822812212EFEFC02822812212EFEFC02722812212E7F3C02822812212F3F7C02822812212F3BFC02822812212EFEFC02822812212EFEFC02722812212E7F3C02822812212F3F7C02822812212F3BFC02822812212EFEFC02822812212EFEFC02722812212E7F3C02822812212F3F7C02822812212F3BFC02822812212EFEFC02822812212EFEFC02722812212E7F3C02822812212F3F7C02822812212F3BFC02822812212EFEFC02822812212EFEFC02722812212E7F3C02822812212F3F7C02822812212F3BFC02822812212EFEFC02822812212EFEFC02722812212E7F3C02822812212F3F7C02822812212F3BFC02822812212EFEFC02822812212EFEFC02722812212E7F3C02822812212F3F7C0');
INSERT INTO game_column VALUES(58546795155816448,X'000000000000000001280000010203040501020304050102030405010203040501020304050102030405010203040501020304');
INSERT INTO game_column VALUES(63050394783186944,X'000000000000000004280000000000AB54BB8678641917A430008A9537C86AD214438AAB54BB8678641917A430008A9537C86AD214438AAB54BB8678641917A430008A9537C86AD214438AAB54BB8678641917A430008A9537C86AD214438AAB54BB8678641917A430008A9537C86AD214438AAB54BB8678641917A430008A9537C86AD214438AAB54BB8678641917A430008A9537C86AD214438AAB54BB8678641917A430008A9537C86A');
INSERT INTO game_column VALUES(67553994410557440,X'0000000000000000002800');
INSERT INTO game_column VALUES(72057594037927936,X'0000000000000000002800');
INSERT INTO game_column VALUES(76561193665298432,X'0000000000000000002800');
INSERT INTO game_column VALUES(81064793292668928,X'0000000000000000002800');
CREATE TABLE row_checksum (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
INSERT INTO row_checksum VALUES(0,X'926FA5950000000028B612A9BB7A1A8CD5DFB93D27A090BA50A1E4AF01F6520EE14C947D9C81D0F77F6AC89555C7F4FFAE974806E996454679FCBF22F3E9CDE9CD76348C5F53E6B15B9530BB384F0AC9B00DBE569877EEA6A27A5E5C028BCF6431E599F5C69716332A6E4F172629243BD63C40CD2D9368C494A79F7ED9DDA5A9F5423C1A95D1F44293A5A620267306FC8FBE4BB3570A6111482CE8E8101C4C1A823E40BE');
INSERT INTO row_checksum VALUES(9007199254740992,X'814F31980000000051C9773F');
INSERT INTO row_checksum VALUES(13510798882111488,X'029E0FF600000000FECDBF2F604C2677A358D7FFEC81EB83');
INSERT INTO row_checksum VALUES(18014398509481984,X'26056C2C0000000061207951A4A693131067112F2EAB469683AEA9AD7C120CBA48B8C84A1DFA4675');
INSERT INTO row_checksum VALUES(22517998136852480,X'883333EE00000000F3F65CD8');
INSERT INTO row_checksum VALUES(27021597764222976,X'6AA90718000000006D1B6F92');
INSERT INTO row_checksum VALUES(31525197391593472,X'79D9FCE700000000E39C83A6581111E583E2B5AD8A453327');
CREATE TABLE changed_row (
    table_name  TEXT    NOT NULL,
    row_id      INTEGER NOT NULL,
    PRIMARY KEY (table_name, row_id)
) WITHOUT ROWID;
CREATE TABLE duplicate_of (
    game_id  INTEGER PRIMARY KEY REFERENCES game(id) ON DELETE CASCADE,
    kept_id  INTEGER NOT NULL REFERENCES game(id),  -- never a game that is marked itself
    kind     TEXT    NOT NULL,   -- how the moves of the group differ: same, short, prefix or variant
    score    REAL    NOT NULL,   -- how sure it is, from 0 to 1
    why      TEXT    NOT NULL,   -- what agrees: moves, players, date …, with commas
    place    INTEGER NOT NULL,   -- its place in the group by preference, from 1; the kept game comes before
    CHECK (game_id <> kept_id)
);
CREATE TABLE twin_search (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    last_game   INTEGER NOT NULL,   -- games up to this one have been compared with each other
    preference  TEXT    NOT NULL    -- which game of a group is kept
);
INSERT INTO twin_search VALUES(1,39,'longest');
CREATE TABLE unexamined_game (id INTEGER PRIMARY KEY);
CREATE TABLE merged_tag (
    game_id  INTEGER NOT NULL REFERENCES game(id) ON DELETE CASCADE,
    name     TEXT    NOT NULL,
    value    TEXT    NOT NULL,
    written  TEXT,               -- the value before; NULL where the game had no such tag
    twin_id  INTEGER NOT NULL,   -- the game that the value is from, which may be deleted
    PRIMARY KEY (game_id, name)
) WITHOUT ROWID;
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
CREATE VIRTUAL TABLE player_text USING fts5(name, content = 'player', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
INSERT INTO player_text (player_text) VALUES ('rebuild');
CREATE VIRTUAL TABLE event_text USING fts5(name, content = 'event', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
INSERT INTO event_text (event_text) VALUES ('rebuild');
CREATE VIRTUAL TABLE site_text USING fts5(name, content = 'site', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', detail = none, columnsize = 0);
INSERT INTO site_text (site_text) VALUES ('rebuild');
CREATE VIRTUAL TABLE comment_text USING fts5(annotations, content = 'movetext', content_rowid = 'game_id',
    tokenize = 'ascii', detail = none, columnsize = 0);
INSERT INTO comment_text (rowid, annotations) VALUES(14,'more often');
INSERT INTO comment_text (rowid, annotations) VALUES(19,'more often');
INSERT INTO comment_text (rowid, annotations) VALUES(24,'more often');
INSERT INTO comment_text (rowid, annotations) VALUES(29,'more often');
INSERT INTO comment_text (rowid, annotations) VALUES(34,'more often');
INSERT INTO comment_text (rowid, annotations) VALUES(39,'more often');
CREATE INDEX problem_game ON problem(game_id);
CREATE INDEX source_text_source ON source_text(source_id);
CREATE INDEX duplicate_of_kept ON duplicate_of(kept_id, place);
CREATE INDEX player_name_name ON player_name(name);
CREATE INDEX event_name_name ON event_name(name);
CREATE INDEX site_name_name ON site_name(name);
CREATE UNIQUE INDEX player_unique ON player(name);
CREATE INDEX game_white ON game(white_id);
CREATE INDEX game_black ON game(black_id);
CREATE INDEX game_event ON game(event_id);
CREATE INDEX game_address ON game(address) WHERE address IS NOT NULL;
CREATE TRIGGER moves_are_added BEFORE INSERT ON movetext BEGIN
    INSERT INTO stale_game (id, moved, result, white_elo, black_elo, date)
        SELECT new.game_id, 1, game.result, game.white_elo, game.black_elo, game.date
        FROM (SELECT 1) LEFT JOIN game ON game.id = new.game_id
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = new.game_id);
    UPDATE stale_game SET moved = 1 WHERE id = new.game_id;
END;
CREATE TRIGGER moves_stay_with_their_game BEFORE UPDATE ON movetext
WHEN old.game_id IS NOT new.game_id BEGIN
    SELECT raise(ABORT, 'the number of a game cannot be changed');
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
CREATE TRIGGER variations_are_changed AFTER UPDATE OF annotations ON movetext
WHEN old.annotations IS NOT new.annotations
    AND EXISTS (SELECT 1 FROM counter WHERE name = 'index_variations' AND value = 1) BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = old.game_id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.game_id);
    UPDATE stale_game SET moved = 1 WHERE id = old.game_id;
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
CREATE TRIGGER game_is_annotated_otherwise AFTER UPDATE OF tags, annotations ON movetext
WHEN (old.tags, old.annotations) IS NOT (new.tags, new.annotations) BEGIN
    INSERT INTO stale_game SELECT id, 0, result, white_elo, black_elo, date FROM game
        WHERE id = old.game_id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.game_id);
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
CREATE TRIGGER twin_has_moves AFTER INSERT ON movetext
WHEN new.game_id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT new.game_id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.game_id);
END;
CREATE TRIGGER twin_has_other_moves AFTER UPDATE ON movetext
WHEN new.game_id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT new.game_id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.game_id);
END;
CREATE TRIGGER twin_has_another_event AFTER UPDATE ON event BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE event_id IN (old.id, new.id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER twin_has_another_site AFTER UPDATE ON site BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE site_id IN (old.id, new.id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER twin_has_no_moves AFTER DELETE ON movetext
WHEN old.game_id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT id FROM game WHERE id = old.game_id
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER twin_is_unmarked AFTER DELETE ON duplicate_of BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE id IN (old.game_id, old.kept_id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER canonical_event_stays AFTER UPDATE OF name ON event BEGIN
    INSERT INTO event_name SELECT new.name, name, source, why FROM event_name WHERE spelling = old.name
        AND NOT EXISTS (SELECT 1 FROM event_name WHERE new.name IN (spelling, name));
END;
CREATE TRIGGER canonical_site_stays AFTER UPDATE OF name ON site BEGIN
    INSERT INTO site_name SELECT new.name, name, source, why FROM site_name WHERE spelling = old.name
        AND NOT EXISTS (SELECT 1 FROM site_name WHERE new.name IN (spelling, name));
END;
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
CREATE TRIGGER player_row_is_added AFTER INSERT ON player BEGIN
    INSERT INTO changed_row SELECT 'player', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'player' AND row_id = new.id);
END;
CREATE TRIGGER player_row_is_changed AFTER UPDATE ON player BEGIN
    INSERT INTO changed_row SELECT 'player', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'player' AND row_id = new.id);
END;
CREATE TRIGGER twin_has_another_white AFTER UPDATE ON player BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE white_id IN (old.id, new.id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER twin_has_another_black AFTER UPDATE ON player BEGIN
    INSERT INTO unexamined_game SELECT id FROM game
        WHERE black_id IN (old.id, new.id) AND id <= (SELECT last_game FROM twin_search)
        AND NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = game.id);
END;
CREATE TRIGGER canonical_player_stays AFTER UPDATE OF name ON player BEGIN
    INSERT INTO player_name SELECT new.name, name, source, why FROM player_name WHERE spelling = old.name
        AND NOT EXISTS (SELECT 1 FROM player_name WHERE new.name IN (spelling, name));
END;
CREATE TRIGGER game_is_deleted AFTER DELETE ON game BEGIN
    INSERT INTO stale_game SELECT old.id, 1, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
    UPDATE stale_game SET moved = 1 WHERE id = old.id;
    DELETE FROM movetext WHERE game_id = old.id;
    DELETE FROM problem WHERE game_id = old.id;
END;
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
CREATE TRIGGER game_keeps_its_number BEFORE UPDATE ON game WHEN old.id IS NOT new.id BEGIN
    SELECT raise(ABORT, 'the number of a game cannot be changed');
END;
CREATE TRIGGER game_is_replaced BEFORE INSERT ON game
WHEN EXISTS (SELECT 1 FROM game WHERE id = new.id) BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = new.id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = new.id);
    UPDATE stale_game SET moved = 1 WHERE id = new.id;
END;
CREATE TRIGGER game_row_is_added AFTER INSERT ON game BEGIN
    INSERT INTO changed_row SELECT 'game', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'game' AND row_id = new.id);
END;
CREATE TRIGGER game_row_is_changed AFTER UPDATE ON game BEGIN
    INSERT INTO changed_row SELECT 'game', new.id WHERE NOT EXISTS
        (SELECT 1 FROM changed_row WHERE table_name = 'game' AND row_id = new.id);
END;
CREATE TRIGGER game_is_described_otherwise AFTER UPDATE OF event_id, site_id, round, white_id, black_id, eco,
    ply_count, ending, fifty_moves_ply, seventy_five_moves_ply, threefold_ply, fivefold_ply, final_fen, tag_order_id,
    opening_id ON game BEGIN
    INSERT INTO stale_game SELECT old.id, 0, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
END;
CREATE TRIGGER twin_is_deleted AFTER DELETE ON game BEGIN
    INSERT INTO unexamined_game SELECT id FROM
            (SELECT game_id AS id FROM duplicate_of WHERE kept_id = old.id
             UNION SELECT kept_id FROM duplicate_of WHERE game_id = old.id) AS twin
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE unexamined_game.id = twin.id);
    DELETE FROM duplicate_of WHERE game_id = old.id;
    UPDATE duplicate_of SET kept_id =
            (SELECT game_id FROM duplicate_of AS twin WHERE twin.kept_id = old.id ORDER BY place LIMIT 1)
        WHERE kept_id = old.id AND game_id <>
            (SELECT game_id FROM duplicate_of AS twin WHERE twin.kept_id = old.id ORDER BY place LIMIT 1);
    DELETE FROM duplicate_of WHERE kept_id = old.id;
    DELETE FROM merged_tag WHERE game_id = old.id;
    DELETE FROM unexamined_game WHERE id = old.id;
END;
CREATE TRIGGER twin_is_added AFTER INSERT ON game
WHEN new.id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT new.id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.id);
END;
CREATE TRIGGER twin_is_changed AFTER UPDATE OF event_id, site_id, address, date, round, white_id, black_id,
    result, white_elo, black_elo, eco, ply_count, fen, variant, final_key, moves_hash ON game
WHEN new.id <= (SELECT last_game FROM twin_search) BEGIN
    INSERT INTO unexamined_game SELECT new.id
        WHERE NOT EXISTS (SELECT 1 FROM unexamined_game WHERE id = new.id);
END;
CREATE VIEW games AS
SELECT game.id, event.name AS event,
       CASE substr(site.name, -1) WHEN '/' THEN site.name || coalesce(game.address, '') ELSE site.name END AS site,
       game.date, game.round,
       white.name AS white, black.name AS black, game.result, game.white_elo, game.black_elo,
       game.eco, game.ply_count, movetext.moves,
       -- The values of the names that are in arrays in tag_order.names.
       CASE WHEN substr(movetext.tags, 1, 1) = '[' AND json_valid(movetext.tags) THEN
           (SELECT json_group_object(tag.name, value.value)
            FROM (SELECT json_extract(name.value, '$[0]') AS name, row_number() OVER (ORDER BY name.key) - 1 AS place
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
       CASE substr(site.name, -1) WHEN '/'
           THEN coalesce((SELECT name FROM site_name WHERE spelling = site.name || coalesce(game.address, '')),
               site.name || coalesce(game.address, ''))
           ELSE coalesce((SELECT name FROM site_name WHERE spelling = site.name), site.name) END AS site_canonical,
       game.address
FROM game
JOIN movetext ON movetext.game_id = game.id
LEFT JOIN event ON event.id = game.event_id
LEFT JOIN site ON site.id = game.site_id
LEFT JOIN player AS white ON white.id = game.white_id
LEFT JOIN player AS black ON black.id = game.black_id
LEFT JOIN opening ON opening.id = game.opening_id;
COMMIT;
