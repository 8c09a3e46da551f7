-- Functions and views for a data set of Stamma in ClickHouse, clickhouse-local and chDB.
--
--   cd DIR && clickhouse local --queries-file clickhouse.sql --query "SELECT * FROM stamma_moves(fen = '...')"
--
-- The views read from the current folder, and from that of user files on a server. A position is a FEN of four to six fields
-- in English letters; `stamma key` prints the key of any other text.

-- A random number of keys: 768 for pieces on squares (black pawn, white pawn, black knight ... white king, each from a1 to
-- h8), four for castling rights, eight for en passant files, one for White to move. Each has sixteen digits.
CREATE FUNCTION IF NOT EXISTS stamma_random AS (number) ->
  reinterpretAsUInt64(reverse(unhex(substring('@RANDOM@', number * 16 + 1, 16))));

-- The ranks of a FEN, with a dot for an empty square.
CREATE FUNCTION IF NOT EXISTS stamma_squares AS (ranks) ->
  replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(replaceAll(ranks,
    '8', '........'), '7', '.......'), '6', '......'), '5', '.....'), '4', '....'), '3', '...'), '2', '..'), '1', '.');

-- The pieces: exclusive or of the numbers of all squares.
CREATE FUNCTION IF NOT EXISTS stamma_piece_key AS (squares) ->
  arrayFold((key, piece, place) -> bitXor(key, if(piece = '.', toUInt64(0), stamma_random(
      (toInt64(position('pPnNbBrRqQkK', piece)) - 1) * 64 + (7 - intDiv(place, 8)) * 8 + place % 8))),
    ngrams(squares, 1), arrayMap(place -> toInt64(place), range(64)), toUInt64(0));

-- The castling rights of one side: its home rank in small letters, its letters of the field in small letters, the place of
-- its first number among those of castling rights, and the index of a1 or a8. A rook with another one outside of it, as in
-- Chess960, has a number more.
CREATE FUNCTION IF NOT EXISTS stamma_rook_salt AS (square) -> bitRotateLeft(toUInt64(7809847782465536322), square);

CREATE FUNCTION IF NOT EXISTS stamma_rooks AS (home, rights, is_short) ->
  arrayFilter(file -> position(home, 'k') > 0 AND (file > position(home, 'k')) = is_short
      AND substring(home, file, 1) = 'r' AND (position(rights, char(96 + file)) > 0
        OR is_short AND position(rights, 'k') > 0 AND position(substring(home, file + 1), 'r') = 0
        OR NOT is_short AND position(rights, 'q') > 0 AND position(substring(home, 1, file - 1), 'r') = 0),
    [1, 2, 3, 4, 5, 6, 7, 8]);

CREATE FUNCTION IF NOT EXISTS stamma_short_key AS (home, rooks, first, corner) ->
  if(empty(rooks), toUInt64(0), bitXor(stamma_random(768 + first),
    if(position(substring(home, rooks[-1] + 1), 'r') = 0, toUInt64(0), stamma_rook_salt(corner + rooks[-1] - 1))));

CREATE FUNCTION IF NOT EXISTS stamma_long_key AS (home, rooks, first, corner) ->
  if(empty(rooks), toUInt64(0), bitXor(stamma_random(769 + first),
    if(position(substring(home, 1, rooks[1] - 1), 'r') = 0, toUInt64(0), stamma_rook_salt(corner + rooks[1] - 1))));

CREATE FUNCTION IF NOT EXISTS stamma_side_key AS (home, rights, first, corner) ->
  bitXor(stamma_short_key(home, stamma_rooks(home, rights, true), first, corner),
    stamma_long_key(home, stamma_rooks(home, rights, false), first, corner));

CREATE FUNCTION IF NOT EXISTS stamma_castling_key AS (squares, rights) ->
  if(rights = '-', toUInt64(0), bitXor(
    stamma_side_key(translate(substring(squares, 57, 8), 'kqrbnpKQRBNP', '......kqrbnp'),
      lower(replaceRegexpAll(rights, '[a-z]', '')), 0, 0),
    stamma_side_key(translate(substring(squares, 1, 8), 'KQRBNP', '......'),
      replaceRegexpAll(rights, '[A-Z]', ''), 2, 56)));

-- En passant, on a board seen by the side to move: its pieces in capitals, its home rank last, and two strokes between
-- ranks, so that the next square in one direction is always as many characters away.
CREATE FUNCTION IF NOT EXISTS stamma_seen AS (board, turn) ->
  if(turn = 'w', stamma_squares(replaceAll(board, '/', '//')),
    translate(stamma_squares(arrayStringConcat(arrayReverse(splitByChar('/', board)), '//')),
      'KQRBNPkqrbnp', 'kqrbnpKQRBNP'));

-- Whether the king in capitals is attacked: along ranks and files, diagonals, by knights and by pawns.
CREATE FUNCTION IF NOT EXISTS stamma_is_check AS (seen) -> match(seen,
  'K(\\.*|.{9}(\\..{9})*)[rq]|[rq](\\.*|.{9}(\\..{9})*)K|K(.{8}(\\..{8})*|.{10}(\\..{10})*)[bq]|[bq](.{8}(\\..{8})*|.{10}(\\..{10})*)K|K(.{7}|.{11}|.{18}|.{20})n|n(.{7}|.{11}|.{18}|.{20})K|p(.{8}|.{10})K');

-- Whether a pawn may legally capture on a file of the sixth rank, from the file before or behind it.
CREATE FUNCTION IF NOT EXISTS stamma_may_capture AS (seen, file, from_file) ->
  from_file BETWEEN 1 AND 8 AND substring(seen, 30 + from_file, 1) = 'P'
    AND NOT stamma_is_check(concat(substring(seen, 1, 20 + file - 1), 'P',
      substring(seen, 20 + file + 1, 9 + least(file, from_file) - file), '..',
      substring(seen, 30 + greatest(file, from_file) + 1)));

CREATE FUNCTION IF NOT EXISTS stamma_en_passant_key AS (seen, file) ->
  if(substring(seen, 10 + file, 1) = '.' AND substring(seen, 20 + file, 1) = '.' AND substring(seen, 30 + file, 1) = 'p'
      AND (stamma_may_capture(seen, file, file - 1) OR stamma_may_capture(seen, file, file + 1)),
    stamma_random(771 + file), toUInt64(0));

CREATE FUNCTION IF NOT EXISTS stamma_key_of_fields AS (board, turn, rights, passed) ->
  bitXor(
    bitXor(stamma_piece_key(stamma_squares(replaceAll(board, '/', ''))),
      if(turn = 'w', stamma_random(780), toUInt64(0))),
    bitXor(stamma_castling_key(stamma_squares(replaceAll(board, '/', '')), rights),
      if(match(passed, if(turn = 'w', '^[a-h]6$', '^[a-h]3$')),
        stamma_en_passant_key(stamma_seen(board, turn), toInt64(ascii(passed)) - 96), toUInt64(0))));

-- The key of a position, as `stamma key` prints it.
CREATE FUNCTION IF NOT EXISTS stamma_key AS (fen) ->
  arrayMap(field -> if(
      throwIf(length(field) NOT BETWEEN 4 AND 6 OR countSubstrings(field[1], '/') <> 7 OR lower(field[2]) NOT IN ('w', 'b'),
        'a FEN has eight ranks and four to six fields') = 0,
      reinterpretAsInt64(stamma_key_of_fields(field[1], lower(field[2]), field[3], field[4])), 0),
    [splitByWhitespace(fen)])[1];

-- The number in the name of the folder that a key is in.
CREATE FUNCTION IF NOT EXISTS stamma_bucket AS (key) ->
  intDiv(bitXor(reinterpretAsUInt64(key), 9223372036854775808), intDiv(18446744073709551615, @BUCKETS@) + 1);

CREATE VIEW IF NOT EXISTS stamma_games AS SELECT * FROM file('games/*.parquet', 'Parquet');

-- The positions with a key, and those of a FEN: a row for each time that a game reaches it.
CREATE VIEW IF NOT EXISTS stamma_position_of_key AS
  SELECT * FROM file('positions/*/*.parquet', 'Parquet')
  WHERE zobrist = {key:Int64} AND bucket = stamma_bucket({key:Int64});
CREATE VIEW IF NOT EXISTS stamma_position AS
  SELECT * FROM file('positions/*/*.parquet', 'Parquet')
  WHERE zobrist = stamma_key({fen:String}) AND bucket = stamma_bucket(stamma_key({fen:String}));

-- The moves played in a position, the most played first, as `stamma moves` counts them: a game counts once, by its first
-- visit; NULL is the end of a game. The mean is that of the side to move.
CREATE VIEW IF NOT EXISTS stamma_moves AS
  SELECT visit.1 AS uci, count() AS games, countIf(visit.2 = '1-0') AS white, countIf(visit.2 = '1/2-1/2') AS draws,
    countIf(visit.2 = '0-1') AS black, toInt64(floor(avg(visit.3) + 0.5)) AS average_elo
  FROM (
    SELECT argMin(tuple(uci, Result, if(match({fen:String}, '^\\s*\\S+\\s+[wW]'), WhiteElo, BlackElo)), ply) AS visit
    FROM file('positions/*/*.parquet', 'Parquet')
    WHERE zobrist = stamma_key({fen:String}) AND bucket = stamma_bucket(stamma_key({fen:String}))
    GROUP BY game_id)
  GROUP BY uci ORDER BY games DESC, uci;
