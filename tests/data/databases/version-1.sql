-- A database of version 1 of the schema, with its variations indexed: forty short games, some with French letters, some
-- not in UTF-8, one with an address and clock times, one that ends with nonsense, with text before, between and behind
-- them, duplicates marked, two changed and the last deleted.
PRAGMA application_id = 1400139105;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
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
INSERT INTO source VALUES(1,'kept.pgn',7270,X'734BD22A65A96EF7380C95465A9C3969D2D57CBCA6944EAE6565F78E6DDF59EC','2026-11-23 19:53:21',1,40,40,3,'san','en','windows-1252',7206,X'BACE17F745B8429CB30498CBE83D2043D8956BBE47F98B68A4F1918922A11CCC',X'0D7490F818753537431A2BFA9DAD85CCBC26D4A67D7CB9F7E1A8760D56AF5D94',NULL,NULL,NULL,0);
CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO player VALUES(1,'Player 0');
INSERT INTO player VALUES(2,'Player 1');
INSERT INTO player VALUES(3,'Player 2');
INSERT INTO player VALUES(4,'Player 3');
INSERT INTO player VALUES(5,'Player 4');
INSERT INTO player VALUES(6,'Müller');
INSERT INTO player VALUES(7,'Player 5');
INSERT INTO player VALUES(8,'Петросян');
INSERT INTO player VALUES(9,'Gone');
CREATE TABLE event  (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO event VALUES(1,'Kept');
CREATE TABLE site   (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO site VALUES(1,'Here');
INSERT INTO site VALUES(2,'https://lichess.org/');
CREATE TABLE tag_order (
    -- The names of a game's tags in their order, as a JSON array; many games share one. A name in an array of its own
    -- has its value in movetext.tags, any other has it in a column of game.
    id     INTEGER PRIMARY KEY,
    names  TEXT NOT NULL UNIQUE
);
INSERT INTO tag_order VALUES(1,'["Event","Site","Date","Round","White","Black","Result"]');
INSERT INTO tag_order VALUES(2,'["Event","Site","Date","Round","White","Black","Result","WhiteElo","BlackElo"]');
INSERT INTO tag_order VALUES(3,'["Event","Site","Date","Round","White","Black","Result","WhiteElo"]');
INSERT INTO tag_order VALUES(4,'["Event","Site","Date","Round","White","Black","Result","BlackElo"]');
INSERT INTO tag_order VALUES(5,'["Event","Site","Date","Round","White","Black","Result","WhiteElo","BlackElo",["TimeControl"],["Termination"]]');
INSERT INTO tag_order VALUES(6,'["Event","Site","Date","Round","White","Black","Result","FEN",["SetUp"],["Opening"]]');
INSERT INTO tag_order VALUES(7,'["Event","Round","White"]');
CREATE TABLE opening (
    -- Openings that games have.
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
INSERT INTO opening VALUES(6,'A00','Anderssen''s Opening');
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
INSERT INTO game VALUES(1,1,44,184,1,1,'1900.??.??','1',1,2,'1-0',NULL,NULL,NULL,5,X'03FD1CEFCAD09999199902A4101B29210432104152033331333065B78260',5409798013178080797,6831675732461976901,1,1,NULL,NULL,NULL,NULL,'fr',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(2,1,228,184,1,1,'1901.??.??','2',2,3,'1/2-1/2',2720,2490,NULL,4,X'02FDACEFC1D099991999041A2049210432104152033331333065B78B16',-8588844865718544117,-4890076683329781213,2,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(3,1,412,191,1,1,'1902.??.??','3',3,4,'0-1',2020,NULL,NULL,6,X'00FDACEFCAD099299990219404402193210415203332333065B78B16',2069586508330116671,8942161402106170455,3,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(4,1,603,149,1,1,'1903.??.??','4',4,5,'*',NULL,2470,NULL,3,X'00FDACEFCAD099919999044021940233404403323333065B78B560',-8482806413104302849,-3456427105353612023,4,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(5,1,752,153,1,1,'1904.??.??','5',6,6,'1-0',2040,NULL,NULL,4,X'00FDACEFC1D099999919041A910440233404403323333065B78B56',-4794291567086884604,-5618454586410875454,3,5,NULL,NULL,NULL,'windows-1252',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(6,1,905,350,1,2,'1905.??.??','6',7,1,'1/2-1/2',2050,2450,NULL,5,X'03FD1CEFCAD09999199902A4101B29210432104152033331333065B78260',5409798013178080797,6831675732461976901,5,1,'7fTxzgpb',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(7,1,1255,211,1,1,'1906.??.??','7',1,2,'*',NULL,NULL,NULL,2,X'01044021F40440440432104404404821',-3898243422121992247,-571270765247253445,6,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'4k3/8/8/8/8/8/4P3/4K3 w - - 0 1',NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(8,1,1466,186,1,1,'1907.??.??','8',2,3,'1-0',2070,2430,NULL,6,X'00FDACEFCAD099299990219404402193210415203332333065B78B16',2069586508330116671,8942161402106170455,2,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(9,1,1652,169,1,1,'1908.??.??','9',3,4,'0-1',2080,NULL,NULL,3,X'00FDACEFCAD099919999044021940233404403323333065B78B560',-8482806413104302849,-3456427105353612023,3,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(10,1,1821,166,1,1,'1909.??.??','10',4,5,'1/2-1/2',NULL,2410,NULL,4,X'00FDACEFC1D099999919041A910440233404403323333065B78B56',-4794291567086884604,-5618454586410875454,4,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(11,1,1987,203,1,1,'1910.??.??','11',5,7,'0-1',2100,NULL,NULL,5,X'03FD1CEFCAD09999199902A4101B29210432104152033331333065B78260',5409798013178080797,6831675732461976901,3,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(12,1,2190,173,1,1,'1911.??.??','12',7,1,'*',2110,2390,NULL,4,X'02FDACEFC1D099991999041A2049210432104152033331333065B78B16',-8588844865718544117,-4890076683329781213,2,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(13,1,2363,151,1,1,'1912.??.??','13',1,2,'1-0',NULL,NULL,NULL,6,X'00FDACEFCAD099299990219404402193210415203332333065B78B16',2069586508330116671,8942161402106170455,1,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(14,1,2514,206,1,1,'1913.??.??','14',2,3,'1/2-1/2',2130,2370,NULL,3,X'00FDACEFCAD099919999044021940233404403323333065B78B560',-8482806413104302849,-3456427105353612023,2,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(15,1,2720,158,1,1,'1914.??.??','15',3,4,'1-0',2140,NULL,NULL,4,X'00FDACEFC1D099999919041A910440233404403323333065B78B56',-4794291567086884604,-5618454586410875454,3,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(16,1,2878,207,1,1,'1915.??.??','16',8,5,'*',NULL,2350,NULL,5,X'03FD1CEFCAD09999199902A4101B29210432104152033331333065B78260',5409798013178080797,6831675732461976901,4,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(17,1,3085,159,1,1,'1916.??.??','17',5,7,'1-0',2160,NULL,NULL,4,X'02FDACEFC1D099991999041A2049210432104152033331333065B78B16',-8588844865718544117,-4890076683329781213,3,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(18,1,3244,195,1,1,'1917.??.??','18',7,1,'1/2-1/2',2170,2330,NULL,6,X'00FDACEFCAD099299990219404402193210415203332333065B78B16',2069586508330116671,8942161402106170455,2,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(19,1,3439,162,1,1,'1918.??.??','19',1,2,'0-1',NULL,NULL,NULL,3,X'00FDACEFCAD099919999044021940233404403323333065B78B560',-8482806413104302849,-3456427105353612023,1,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(20,1,3613,172,1,1,'1919.??.??','20',2,3,'*',2190,2310,NULL,4,X'00FDACEFC1D099999919041A910440233404403323333065B78B56',-4794291567086884604,-5618454586410875454,2,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(21,1,3785,203,1,1,'1920.??.??','21',3,4,'1-0',2200,NULL,NULL,5,X'03FD1CEFCAD09999199902A4101B29210432104152033331333065B78260',5409798013178080797,6831675732461976901,3,1,NULL,NULL,NULL,NULL,'fr',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(22,1,3988,159,1,1,'1921.??.??','22',4,5,'1-0',NULL,2290,NULL,4,X'02FDACEFC1D099991999041A2049210432104152033331333065B78B16',-8588844865718544117,-4890076683329781213,4,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(23,1,4147,169,1,1,'1922.??.??','23',5,7,'0-1',2220,NULL,NULL,6,X'00FDACEFCAD099299990219404402193210415203332333065B78B16',2069586508330116671,8942161402106170455,3,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(24,1,4316,194,1,1,'1923.??.??','24',7,1,'*',2230,2270,NULL,3,X'00FDACEFCAD099919999044021940233404403323333065B78B560',-8482806413104302849,-3456427105353612023,2,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(25,1,4510,140,1,1,'1924.??.??','25',1,2,'1-0',NULL,NULL,NULL,4,X'00FDACEFC1D099999919041A910440233404403323333065B78B56',-4794291567086884604,-5618454586410875454,1,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(26,1,4650,229,1,1,'1925.??.??','26',2,3,'1/2-1/2',2250,2250,NULL,5,X'03FD1CEFCAD09999199902A4101B29210432104152033331333065B78260',5409798013178080797,6831675732461976901,2,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(27,1,4879,159,1,1,'1926.??.??','27',3,4,'0-1',2260,NULL,NULL,4,X'02FDACEFC1D099991999041A2049210432104152033331333065B78B16',-8588844865718544117,-4890076683329781213,3,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(28,1,5038,165,1,1,'1927.??.??','28',4,5,'*',NULL,2230,NULL,6,X'00FDACEFCAD099299990219404402193210415203332333065B78B16',2069586508330116671,8942161402106170455,4,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(29,1,5203,176,1,1,'1928.??.??','29',6,6,'1-0',2280,NULL,NULL,3,X'00FDACEFCAD099919999044021940233404403323333065B78B560',-8482806413104302849,-3456427105353612023,3,4,NULL,NULL,NULL,'windows-1252',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(30,1,5412,184,1,1,'1929.??.??','30',7,1,'1/2-1/2',2290,2210,NULL,4,X'00FDACEFC1D099999919041A910440233404403323333065B78B56',-4794291567086884604,-5618454586410875454,2,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(31,1,5596,185,1,1,'1930.??.??','31',1,2,'0-1',NULL,NULL,NULL,5,X'03FD1CEFCAD09999199902A4101B29210432104152033331333065B78260',5409798013178080797,6831675732461976901,1,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(32,1,5781,173,1,1,'1931.??.??','32',2,3,'*',2310,2190,NULL,4,X'02FDACEFC1D099991999041A2049210432104152033331333065B78B16',-8588844865718544117,-4890076683329781213,2,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(33,1,5954,169,1,1,'1932.??.??','33',3,4,'1-0',2320,NULL,NULL,6,X'00FDACEFCAD099299990219404402193210415203332333065B78B16',2069586508330116671,8942161402106170455,3,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(34,1,6123,188,1,1,'1933.??.??','34',4,5,'1/2-1/2',NULL,2170,NULL,3,X'00FDACEFCAD099919999044021940233404403323333065B78B560',-8482806413104302849,-3456427105353612023,4,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(35,1,6311,158,1,1,'1934.??.??','35',5,7,'0-1',2340,NULL,NULL,4,X'00FDACEFC1D099999919041A910440233404403323333065B78B56',-4794291567086884604,-5618454586410875454,3,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(36,1,6469,221,1,1,'1935.??.??','36',7,1,'1-0',2350,2150,NULL,5,X'03FD1CEFCAD09999199902A4101B29210432104152033331333065B78260',5409798013178080797,6831675732461976901,2,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(37,1,6690,141,1,1,'1936.??.??','37',1,2,'1-0',NULL,NULL,NULL,4,X'02FDACEFC1D099991999041A2049210432104152033331333065B78B16',-8588844865718544117,-4890076683329781213,1,2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(38,1,6831,195,1,1,'1937.??.??','38',2,3,'1/2-1/2',2370,2130,NULL,6,X'00FDACEFCAD099299990219404402193210415203332333065B78B16',2069586508330116671,8942161402106170455,2,3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO game VALUES(39,1,7026,180,1,1,'1938.??.??','39',3,4,'0-1',2380,NULL,NULL,3,X'00FDACEFCAD099919999044021940233404403323333065B78B560',-8482806413104302849,-3456427105353612023,3,4,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE movetext (
    -- The long texts of games, apart from game so that reading all rows of game is quick.
    game_id      INTEGER PRIMARY KEY REFERENCES game(id) ON DELETE CASCADE,
    moves        TEXT NOT NULL,  -- the mainline in SAN, one space between moves, no numbers
    tags         TEXT,           -- values of tags without a column: an array, or an object of names and values
    annotations  TEXT,           -- comments, NAGs and variations by half-moves played: docs/annotations.md
    rest         TEXT            -- the part of the game's text that could not be used
);
INSERT INTO movetext VALUES(1,'e4 e5 Nf3 Nc6 Bb5',NULL,'{"3":["(","d4","exd4","(","d5",")",")"],"5":["(","Bc4",")"]}',NULL);
INSERT INTO movetext VALUES(2,'e4 e5 Nf3 Nf6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(3,'e4 c5 Nf3 d6 d4 cxd4',NULL,'{"1":["% after the first move"]}',NULL);
INSERT INTO movetext VALUES(4,'d4 d5 c4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(5,'d4 Nf6 c4 g6',NULL,NULL,NULL);
INSERT INTO movetext VALUES(6,'e4 e5 Nf3 Nc6 Bb5','["180+2","Normal"]','{"clk":[180,180,178,177.5],"5":["$1","{[%clk 0:02:50]"]}',NULL);
INSERT INTO movetext VALUES(7,'e4 Kd7','["1","none"]',NULL,'Qh9 nonsense');
INSERT INTO movetext VALUES(8,'e4 c5 Nf3 d6 d4 cxd4',NULL,NULL,NULL);
INSERT INTO movetext VALUES(9,'d4 d5 c4',NULL,'{"3":["(","{a6 (2. d5)",")"]}',NULL);
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
INSERT INTO problem VALUES(1,1,7,'unknown-token',1450,3,85,14,2,'Qh9','2. Qh9: this is no move');
INSERT INTO problem VALUES(2,1,9,'illegal-move',1804,2,108,20,3,'a6','2. a6: White has no legal move that this can mean; no pawn can go to a6');
INSERT INTO problem VALUES(3,1,NULL,'text-between-games',7262,8,457,1,NULL,'The end','this text belongs to no game');
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
INSERT INTO source_text VALUES(1,1,1,0,44,'; Kept games, first of all those of Köln');
INSERT INTO source_text VALUES(2,1,20,3601,12,'Round two');
INSERT INTO source_text VALUES(3,1,30,5379,33,'% from another file

and more');
INSERT INTO source_text VALUES(4,1,41,7262,8,'The end');
CREATE INDEX source_text_source ON source_text(source_id);
CREATE TABLE counter (
    -- Single numbers, such as the number of the next game: docs/database.md.
    name   TEXT PRIMARY KEY,
    value  INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO counter VALUES('column_format',3);
INSERT INTO counter VALUES('index_variations',1);
INSERT INTO counter VALUES('next_game',41);
INSERT INTO counter VALUES('opening_table',2777417022207723650);
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
INSERT INTO position_segment VALUES(1,1,1,1,40,246,10,6);
CREATE TABLE position_block (
    -- Blocks of the position index: docs/position-index.md.
    id    INTEGER PRIMARY KEY,
    data  BLOB NOT NULL
);
INSERT INTO position_block VALUES(1153387697537024,X'051B003017111191088432E59C738E0C224C444416988A8888C8DA8007A62222225239277FA40586E5DEF298E100452943D0228C5C4880CC768066D9803242A82802187904F6ED000902C1A5E06F77FBB77FFBB77FFBB77F3382081311910C26222222E2811011119105224C44442CCF14A6222222420913111111B1805E695557575757570908CE39E79C7307531111119920C64444A481B98888886C4FF043888888C8035311111171353A8830111179412853CE39E75E08111111913600');
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
INSERT INTO stale_game VALUES(2,0,'1/2-1/2',2700,2490,'1901.??.??');
INSERT INTO stale_game VALUES(9,0,'1-0',2080,NULL,'1908.??.??');
INSERT INTO stale_game VALUES(40,1,'*',NULL,NULL,NULL);
CREATE TABLE game_column (
    -- Attributes of games by column, for filters: docs/columns.md.
    id    INTEGER PRIMARY KEY,
    data  BLOB NOT NULL
);
INSERT INTO game_column VALUES(0,X'00000000000000001229000F000000BC007006C0110007009C00F006F000003F003C01F007C003005F007C00F00600103254768592545A5BC214355D3E8492543A51C204');
INSERT INTO game_column VALUES(4503599627370496,X'00000000000000000429000000103264173254173258173254173264173254173209');
INSERT INTO game_column VALUES(9007199254740992,X'00000000000000000329000000D05847631F8D7D34F6D15847631F8D00');
INSERT INTO game_column VALUES(13510798882111488,X'00000000000000000129000000FEFFFFFFFF01');
INSERT INTO game_column VALUES(18014398509481984,X'000000000000000002290000005465555555555555555500');
INSERT INTO game_column VALUES(22517998136852480,X'0000000000000000032900000088C6D51AA7689CA2718AC6291AA76807');
INSERT INTO game_column VALUES(27021597764222976,X'0000000000000000142900000000000080ED00DA0EC0ED00DE0E00EE00E20E40EE00E60E80EE00EA0EC0EE00EE0E00EF00F20E40EF00F60E80EF00FA0EC0EF00FE0E00F000020F40F000060F80F0000A0FC0F0000E0F00F100120F40F100160F80F1001A0FC0F1001E0F00F200220F40F2000000');
INSERT INTO game_column VALUES(31525197391593472,X'00000000000000000C290000000000008C4A7E00807F0208001608820040833E080052C8850000877A08008E888900C08AB60800CA488D00808EF208000609910040922E090042C9940000');
INSERT INTO game_column VALUES(36028797018963968,X'00000000000000000C2900140000A09BA629997EA9965629942EA99106298FDEA88CB6288A8EA887662885000420C000041460C0010824A0C0020C34E0C003104420C10400');
INSERT INTO game_column VALUES(40532396646334464,X'00000000000000000029000000');
INSERT INTO game_column VALUES(45035996273704960,X'00000000000000000329000000283D561E4B8FA5C7D263E9B1F4587A02');
INSERT INTO game_column VALUES(49539595901075456,X'00000000000000004029000000000000000000000000000000001100000000020000000020400000000000400000000000080000040000010080000000200014002100100002040020008010100000820000000000100004000000000000000000020020000000400000400000000000080000000000010000100000000000000000400020000000000C0000000000800010000000100000000002000000800002000000000140000000000000800000000004000004000000200000000010002000000000000100800000000000000044000000000002000000020000020000000000010088000000000000000000002000000400002000000008000000020800000000000104000000000000000000000000080200000000004000100400000000800000000000100000008000000010000020000200000000000004000000800000000800000100000100000000000000000014');
INSERT INTO game_column VALUES(54043195528445952,X'0000000000000000402900070000000000000000002822812212EFEFC02722812212E7F3C02822812212F3F7C02822812212F3BFC001000000000000802822812212FEFEC04834A61A138D89C64463A231D1986806');
INSERT INTO game_column VALUES(58546795155816448,X'0000000000000000032900000088C60663A3B1D1D8686C34361A1B8D06');
INSERT INTO game_column VALUES(63050394783186944,X'0000000000000000202900080000000000AB54BB8678641917A430008A9537C86AD214438A8D1DA970F79154DE88C6C663A3B1D1D8686C34361A1B8D07');
INSERT INTO game_column VALUES(67553994410557440,X'00000000000000000029000000');
INSERT INTO game_column VALUES(72057594037927936,X'00000000000000000029000000');
INSERT INTO game_column VALUES(76561193665298432,X'00000000000000000029000000');
INSERT INTO game_column VALUES(81064793292668928,X'00000000000000000029000000');
INSERT INTO game_column VALUES(85568392920039424,X'00000000000000000029000000');
INSERT INTO game_column VALUES(90071992547409920,X'00000000000000000029000000');
INSERT INTO game_column VALUES(94575592174780416,X'00000000000000000029000000');
INSERT INTO game_column VALUES(99079191802150912,X'00000000000000000029000000');
INSERT INTO game_column VALUES(103582791429521408,X'00000000000000000B29000200002835400000000000');
INSERT INTO game_column VALUES(108086391056891904,X'00000000000000000029000000');
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
CREATE TABLE row_checksum (
    -- Checksums of the rows of games, problems, sources, texts and names: docs/checking.md.
    id    INTEGER PRIMARY KEY,
    data  BLOB NOT NULL
);
INSERT INTO row_checksum VALUES(0,X'ECC67F1900000000F9D4E01A74DB733DC266475E32534860280790ADBF332C6F8FE33B37007DC569B173A27A3A8A88EDD0F64B62BBB59067BBB1B4194FD50B4256A27D6F454C2C2593B01724D24F96A0DD873AD2D4CF48C46C6653A26EAA9819AA684409437B39800AF1B928A20B2CF85B7B34B247F277CD5EFF046A0AEFB65FEB8FB398AABA449FA1A91AD372E9D77F755C9AC0050429F2F7FB52AD04732BD12AE8B966EF3040A4');
INSERT INTO row_checksum VALUES(4503599627370496,X'DE4341D700000000EA29F6FDA188807DC996F293');
INSERT INTO row_checksum VALUES(9007199254740992,X'2F913F5F00000000356843A5');
INSERT INTO row_checksum VALUES(13510798882111488,X'1B9A58B400000000FECDBF2FFE4D7D41252476982A0C5CA2');
INSERT INTO row_checksum VALUES(18014398509481984,X'A75F52590000000061207951A4A693131067112F2EAB469683AEA9AD7C120CBA48B8C84A1DFA4675C6DA1E04');
INSERT INTO row_checksum VALUES(22517998136852480,X'883333EE00000000F3F65CD8');
INSERT INTO row_checksum VALUES(27021597764222976,X'07D66D76000000006D1B6F92F6F17C10');
INSERT INTO row_checksum VALUES(31525197391593472,X'40BF163500000000E39C83A6581111E583E2B5AD8A4533279BA58CDAC89B0C21BB295C18');
CREATE TABLE changed_row (
    -- Rows that other programs have added or changed since their checksums were computed, noted by triggers. A row of
    -- movetext counts as its row of game.
    table_name  TEXT    NOT NULL,
    row_id      INTEGER NOT NULL,
    PRIMARY KEY (table_name, row_id)
) WITHOUT ROWID;
INSERT INTO changed_row VALUES('game',2);
INSERT INTO changed_row VALUES('game',9);
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
INSERT INTO duplicate_search VALUES(1,40,'longest');
CREATE TABLE unexamined_game (
    -- Games up to duplicate_search.last_game that have changed since, or whose group has, noted by triggers.
    id  INTEGER PRIMARY KEY
);
INSERT INTO unexamined_game VALUES(2);
INSERT INTO unexamined_game VALUES(9);
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
INSERT INTO player_name VALUES('Player 1','Player One','file','');
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
CREATE TRIGGER game_is_replaced BEFORE INSERT ON game
WHEN EXISTS (SELECT 1 FROM game WHERE id = new.id) BEGIN
    INSERT INTO stale_game SELECT id, 1, result, white_elo, black_elo, date FROM game
        WHERE id = new.id AND NOT EXISTS (SELECT 1 FROM stale_game WHERE id = new.id);
    UPDATE stale_game SET moved = 1 WHERE id = new.id;
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
CREATE TRIGGER game_is_described_otherwise AFTER UPDATE OF event_id, site_id, round, white_id, black_id, eco,
    ply_count, ending, fifty_moves_ply, seventy_five_moves_ply, threefold_ply, fivefold_ply, final_fen, tag_order_id,
    opening_id ON game BEGIN
    INSERT INTO stale_game SELECT old.id, 0, old.result, old.white_elo, old.black_elo, old.date
        WHERE NOT EXISTS (SELECT 1 FROM stale_game WHERE id = old.id);
END;
CREATE TRIGGER moves_stay_with_their_game BEFORE UPDATE ON movetext
WHEN old.game_id IS NOT new.game_id BEGIN
    SELECT raise(ABORT, 'the number of a game cannot be changed');
END;
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
CREATE UNIQUE INDEX player_unique ON player(name);
CREATE INDEX game_white ON game(white_id);
CREATE INDEX game_black ON game(black_id);
CREATE INDEX game_event ON game(event_id);
CREATE INDEX game_address ON game(address) WHERE address IS NOT NULL;
COMMIT;
