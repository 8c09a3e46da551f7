"""The SQL beside a data set: keys and moves by a FEN, compared with the program's."""

import json
import random
import subprocess

import pytest

import stamma
from conftest import GAMES

chess = pytest.importorskip("chess")

#: En passant that is illegal since a king would be in check: along the rank, a file, a diagonal, or by a check that stays.
PINNED = [
    "8/8/8/K2Pp2q/8/8/8/4k3 w - e6 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/4r3/8/3pP3/8/8/4K3/8 w - d6 0 1",
    "4r1k1/8/8/3pP3/4K3/8/8/8 w - d6 0 1",
    "6k1/8/5b2/3pP3/3K4/8/8/8 w - d6 0 1",
    "6k1/8/8/3pP3/8/4K3/2n5/8 w - d6 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
]
#: Castling of Chess960, with rooks outside of the castling ones, and rights that cannot be.
CASTLING = [
    "4k3/8/8/8/8/8/8/4KRR1 w F - 0 1",
    "4k3/8/8/8/8/8/8/4KRR1 w G - 0 1",
    "rr2k2r/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1",
    "rr2k2r/8/8/8/8/8/8/RR2K1RR b GBb - 0 1",
    "4k3/8/8/8/8/8/4K3/R6R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/4K2R w KQkq - 4 9",
]


def random_fens():
    """Positions of random games, of chess and Chess960, that name an en passant square after each double step."""
    generator = random.Random(20)
    fens = {*PINNED, *CASTLING}
    for number in range(60):
        board = chess.Board() if number % 2 else chess.Board.from_chess960_pos(generator.randrange(960))
        for _ in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            pawns = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
            board.push(generator.choice(pawns if pawns and generator.random() < 0.5 else moves))
            fens.add(board.fen(en_passant="fen"))
    return sorted(fens)


@pytest.fixture(scope="session")
def keys():
    """Thousands of FENs with their keys."""
    fens = random_fens()
    done = subprocess.run([stamma.find_bin(), "key", "-"], input="\n".join(fens).encode(), stdout=subprocess.PIPE, check=True)
    return list(zip(fens, map(int, done.stdout.split())))


@pytest.fixture(scope="session")
def dataset(tmp_path_factory):
    """A data set of historical games."""
    path = tmp_path_factory.mktemp("macros") / "games"
    stamma.run("dataset", "--quiet", GAMES, "-o", path)
    return path


@pytest.fixture
def duckdb(dataset):
    connection = pytest.importorskip("duckdb").connect()
    connection.execute((dataset / "duckdb.sql").read_text())
    return connection


@pytest.fixture(scope="session")
def clickhouse(dataset):
    session = pytest.importorskip("chdb.session")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(dataset)
        connection = session.Session()
        connection.query((dataset / "clickhouse.sql").read_text())
        yield connection


def test_there_is_en_passant_of_either_kind(keys):
    found = [fen for fen, _ in keys if fen.split()[3] != "-"]
    legal = [fen for fen in found if chess.Board(fen, chess960=True).has_legal_en_passant()]
    assert len(keys) > 2000 and len(legal) > 20 and len(found) > 2 * len(legal)


def test_keys_in_duckdb(duckdb, keys):
    fens, numbers = map(list, zip(*keys))
    found = duckdb.execute("SELECT stamma_key(fen) FROM (SELECT unnest(?) AS fen)", [fens]).fetchall()
    assert [key for key, in found] == numbers


def test_keys_in_clickhouse(clickhouse, keys, tmp_path):
    table = tmp_path / "fens.tsv"
    table.write_text("".join(f"{fen}\n" for fen, _ in keys))
    found = clickhouse.query(f"SELECT stamma_key(fen) FROM file('{table}', 'TSV', 'fen String') SETTINGS max_threads = 1", "TSV")
    assert list(map(int, str(found).split())) == [key for _, key in keys]


@pytest.mark.parametrize("wrong", ["8/8 w - -", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "1. e4"])
def test_what_is_no_fen(duckdb, wrong):
    with pytest.raises(Exception, match="a FEN has eight ranks and four to six fields"):
        duckdb.execute("SELECT stamma_key(?)", [wrong]).fetchall()


def test_a_query_reads_one_bucket(duckdb, dataset):
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    sql = f"EXPLAIN ANALYZE FROM stamma_position('{fen}', dataset := '{dataset}')"
    plan = duckdb.execute(sql).fetchall()[0][1]
    assert "Files: 1" in plan and "zobrist=5060803636482931868" in plan.replace(" ", "")


@pytest.fixture(scope="session")
def counted(database):
    """The moves of positions of some games, as the program counts them."""
    sql = "SELECT DISTINCT p.fen FROM game, game_position(game.id) p WHERE game.id % 23 = 0 AND p.ply % 7 = 0"
    printed = stamma.run("sql", database, sql, "--format=jsonl").splitlines()
    fens = [json.loads(line)["fen"] for line in printed]
    assert len(fens) > 20
    return [(fen, moves_of(database, fen)) for fen in fens]


def moves_of(database, fen):
    printed = stamma.run("moves", database, fen, "--format=jsonl").splitlines()
    columns = ["uci", "games", "white", "draws", "black", "average_elo"]
    return sorted((tuple(json.loads(line)[column] for column in columns) for line in printed), key=str)


def test_moves_in_duckdb(duckdb, dataset, counted):
    duckdb.execute(f"SET VARIABLE stamma_dataset = '{dataset}'")
    for fen, moves in counted:
        assert sorted(duckdb.execute("FROM stamma_moves(?)", [fen]).fetchall(), key=str) == moves, fen


def test_moves_in_clickhouse(clickhouse, counted):
    for fen, moves in counted:
        rows = str(clickhouse.query(f"SELECT * FROM stamma_moves(fen = '{fen}')", "JSONCompactEachRow")).splitlines()
        found = [tuple(int(cell) if at and cell is not None else cell for at, cell in enumerate(json.loads(row))) for row in rows]
        assert sorted(found, key=str) == moves, fen
