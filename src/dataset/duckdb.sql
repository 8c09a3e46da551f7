-- Macros for a data set of Stamma in DuckDB 1.1 or later.
--
--   cd DIR && duckdb -init duckdb.sql
--   FROM stamma_moves('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -');
--
-- From another folder, SET VARIABLE stamma_dataset = 'DIR' says where the data are, or stamma_moves('...', dataset := 'DIR').
-- A position is a FEN of four to six fields in English letters; `stamma key` prints the key of any other text.

-- The random numbers of keys: 768 for pieces on squares (black pawn, white pawn, black knight ... white king, each from
-- a1 to h8), four for castling rights, eight for en passant files, one for White to move. Each has sixteen digits.
CREATE OR REPLACE MACRO stamma_random(number) AS
  ('0x' || substr('@RANDOM@', number::BIGINT * 16 + 1, 16))::UBIGINT;

-- The ranks of a FEN from Black's to White's, as one text with a dot for an empty square.
CREATE OR REPLACE MACRO stamma_squares(ranks) AS
  replace(replace(replace(replace(replace(replace(replace(replace(ranks,
    '8', '........'), '7', '.......'), '6', '......'), '5', '.....'), '4', '....'), '3', '...'), '2', '..'), '1', '.');

-- The pieces: exclusive or of the numbers of all squares.
CREATE OR REPLACE MACRO stamma_piece_key(squares) AS
  list_aggregate([
    CASE WHEN substr(squares, place + 1, 1) = '.' THEN 0::UBIGINT
      ELSE stamma_random((strpos('pPnNbBrRqQkK', substr(squares, place + 1, 1)) - 1) * 64 + (7 - place // 8) * 8 + place % 8)
    END for place in range(64)], 'bit_xor');

-- The castling rights of one side: its home rank in small letters, its letters of the field in small letters, the place of
-- its first number among those of castling rights, and the index of a1 or a8. A rook with another one outside of it, as in
-- Chess960, has a number more.
CREATE OR REPLACE MACRO stamma_rook_salt(square) AS
  (((7809847782465536322::UHUGEINT << square::UHUGEINT) % 18446744073709551616::UHUGEINT)
    + ((7809847782465536322::UHUGEINT << square::UHUGEINT) // 18446744073709551616::UHUGEINT))::UBIGINT;

CREATE OR REPLACE MACRO stamma_signed(number) AS
  (CASE WHEN number >= 9223372036854775808 THEN number::HUGEINT - 18446744073709551616 ELSE number::HUGEINT END)::BIGINT;

CREATE OR REPLACE MACRO stamma_short_rook(home, king, rights) AS
  list_max([file for file in range(1, 9) if king > 0 AND file > king AND substr(home, file, 1) = 'r' AND (
    contains(rights, chr((96 + file)::INTEGER))
    OR contains(rights, 'k') AND NOT contains(substr(home, file + 1), 'r'))]);

CREATE OR REPLACE MACRO stamma_long_rook(home, king, rights) AS
  list_min([file for file in range(1, 9) if file < king AND substr(home, file, 1) = 'r' AND (
    contains(rights, chr((96 + file)::INTEGER))
    OR contains(rights, 'q') AND NOT contains(substr(home, 1, file - 1), 'r'))]);

CREATE OR REPLACE MACRO stamma_side_key(home, rights, first, corner) AS
  [xor(
    CASE WHEN rooks.short IS NULL THEN 0::UBIGINT
      WHEN NOT contains(substr(rooks.home, rooks.short + 1), 'r') THEN stamma_random(768 + first)
      ELSE xor(stamma_random(768 + first), stamma_rook_salt(corner + rooks.short - 1)) END,
    CASE WHEN rooks.long IS NULL THEN 0::UBIGINT
      WHEN NOT contains(substr(rooks.home, 1, rooks.long - 1), 'r') THEN stamma_random(769 + first)
      ELSE xor(stamma_random(769 + first), stamma_rook_salt(corner + rooks.long - 1)) END)
    for rooks in [{
      'home': side.home,
      'short': stamma_short_rook(side.home, side.king, side.rights),
      'long': stamma_long_rook(side.home, side.king, side.rights)}
      for side in [{'home': home, 'king': strpos(home, 'k'), 'rights': rights}]]][1];

CREATE OR REPLACE MACRO stamma_castling_key(squares, rights) AS
  CASE WHEN rights = '-' THEN 0::UBIGINT ELSE xor(
    stamma_side_key(translate(substr(squares, 57, 8), 'kqrbnpKQRBNP', '......kqrbnp'),
      lower(regexp_replace(rights, '[a-z]', '', 'g')), 0, 0),
    stamma_side_key(translate(substr(squares, 1, 8), 'KQRBNP', '......'),
      regexp_replace(rights, '[A-Z]', '', 'g'), 2, 56)) END;

-- En passant, on a board seen by the side to move: its pieces in capitals, its home rank last, and two strokes between
-- ranks, so that the next square in one direction is always as many characters away.
CREATE OR REPLACE MACRO stamma_seen(ranks, turn) AS
  CASE WHEN turn = 'w' THEN stamma_squares(array_to_string(ranks, '//'))
    ELSE translate(stamma_squares(array_to_string(list_reverse(ranks), '//')), 'KQRBNPkqrbnp', 'kqrbnpKQRBNP') END;

-- Whether the king in capitals is attacked: along ranks and files, diagonals, by knights and by pawns.
CREATE OR REPLACE MACRO stamma_is_check(seen) AS regexp_matches(seen,
  'K(\.*|.{9}(\..{9})*)[rq]|[rq](\.*|.{9}(\..{9})*)K|K(.{8}(\..{8})*|.{10}(\..{10})*)[bq]|[bq](.{8}(\..{8})*|.{10}(\..{10})*)K|K(.{7}|.{11}|.{18}|.{20})n|n(.{7}|.{11}|.{18}|.{20})K|p(.{8}|.{10})K');

-- Whether a pawn may legally capture on a file of the sixth rank, from the file before or behind it.
CREATE OR REPLACE MACRO stamma_may_capture(seen, file, from_file) AS
  from_file BETWEEN 1 AND 8 AND substr(seen, 30 + from_file, 1) = 'P'
    AND NOT stamma_is_check(substr(seen, 1, 20 + file - 1) || 'P'
      || substr(seen, 20 + file + 1, 9 + least(file, from_file) - file)
      || '..' || substr(seen, 30 + greatest(file, from_file) + 1));

CREATE OR REPLACE MACRO stamma_en_passant_key(seen, file) AS
  CASE WHEN substr(seen, 10 + file, 1) = '.' AND substr(seen, 20 + file, 1) = '.' AND substr(seen, 30 + file, 1) = 'p'
      AND (stamma_may_capture(seen, file, file - 1) OR stamma_may_capture(seen, file, file + 1))
    THEN stamma_random(771 + file) ELSE 0::UBIGINT END;

-- The key of a position, as `stamma key` prints it.
CREATE OR REPLACE MACRO stamma_key(fen) AS
  [stamma_signed(xor(
    xor(stamma_piece_key(board.squares), CASE WHEN board.turn = 'w' THEN stamma_random(780) ELSE 0::UBIGINT END),
    xor(stamma_castling_key(board.squares, board.rights),
      stamma_en_passant_key(board.seen, board.file))))
    for board in [{
      'squares': CASE WHEN len(field) BETWEEN 4 AND 6 AND len(string_split(field[1], '/')) = 8
          AND lower(field[2]) IN ('w', 'b') THEN stamma_squares(replace(field[1], '/', ''))
        -- This has no number, so that its text is the error.
        ELSE (('a FEN has eight ranks and four to six fields, not: ' || fen)::BIGINT)::VARCHAR END,
      'turn': lower(field[2]), 'rights': field[3],
      'seen': CASE WHEN regexp_full_match(field[4], CASE WHEN lower(field[2]) = 'w' THEN '[a-h]6' ELSE '[a-h]3' END)
        THEN stamma_seen(string_split(field[1], '/'), lower(field[2])) END,
      'file': ascii(field[4]) - 96}
      for field in [string_split_regex(trim(fen), '\s+')]]][1];

-- The number in the name of the folder that a key is in.
CREATE OR REPLACE MACRO stamma_bucket(key) AS
  ((key::HUGEINT + 9223372036854775808) // (18446744073709551616::HUGEINT // @BUCKETS@))::BIGINT;

-- All games, and the positions of all games.
CREATE OR REPLACE MACRO stamma_games(dataset := NULL) AS TABLE
  FROM read_parquet(coalesce(dataset, getvariable('stamma_dataset'), '.') || '/games/*.parquet');
CREATE OR REPLACE MACRO stamma_positions(dataset := NULL) AS TABLE
  FROM read_parquet(coalesce(dataset, getvariable('stamma_dataset'), '.') || '/positions/*/*.parquet',
    hive_partitioning = true, hive_types = {'bucket': BIGINT});

-- The positions with a key, and those of a FEN: a row for each time that a game reaches it.
CREATE OR REPLACE MACRO stamma_position_of_key(key, dataset := NULL) AS TABLE
  SELECT * EXCLUDE (bucket) FROM stamma_positions(dataset := dataset)
  WHERE bucket = stamma_bucket(key) AND zobrist = key;
CREATE OR REPLACE MACRO stamma_position(fen, dataset := NULL) AS TABLE
  FROM stamma_position_of_key(stamma_key(fen), dataset := dataset);

-- The moves played in a position, the most played first, as `stamma moves` counts them: a game counts once, by its first
-- visit; NULL is the end of a game. The mean is that of the side to move.
CREATE OR REPLACE MACRO stamma_moves(fen, dataset := NULL) AS TABLE
  WITH visits AS (
    SELECT first(uci ORDER BY ply) AS uci, first(Result ORDER BY ply) AS result,
      first(CASE WHEN regexp_matches(fen, '^\s*\S+\s+[wW]') THEN WhiteElo ELSE BlackElo END ORDER BY ply) AS elo
    FROM stamma_position(fen, dataset := dataset) GROUP BY game_id)
  SELECT uci, count(*) AS games, count(*) FILTER (result = '1-0') AS white,
    count(*) FILTER (result = '1/2-1/2') AS draws, count(*) FILTER (result = '0-1') AS black,
    round(avg(elo))::BIGINT AS average_elo
  FROM visits GROUP BY uci ORDER BY games DESC, uci;
