"""Data sets in Spark, compared with the program's answers about a database of the same games."""

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import stamma
from conftest import GAMES
from test_parquet_inputs import GAMES as PARQUET_GAMES, pyarrow_writes, with_time

if os.environ.get("STAMMA_SPARK") != "1" and importlib.util.find_spec("pyspark") is None:
    pytest.skip("pyspark is not installed; STAMMA_SPARK=1 requires it", allow_module_level=True)

from pyspark.sql import SparkSession

from stamma import spark as in_spark

# Workers have the packages of these tests.
os.environ["PYSPARK_PYTHON"] = sys.executable

COLUMNS = ["uci", "games", "white", "draws", "black", "average_elo"]


@pytest.fixture(scope="module")
def spark():
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def dataset(spark, tmp_path_factory):
    """A data set that was written by a task per file, with its positions sorted once more."""
    folder = tmp_path_factory.mktemp("spark")
    files = sorted(GAMES.glob("*.pgn"))
    parts = in_spark.write_dataset(spark, files, folder / "games", sorted_positions=folder / "sorted")
    assert [part.path for part in parts] == [str(file) for file in files]
    assert (folder / "games" / "_SUCCESS").exists()
    return folder / "games"


def program(*arguments):
    return [json.loads(line) for line in stamma.run(*arguments, "--format=jsonl").splitlines()]


def rows(found, columns):
    return Counter(tuple(row[column] for column in columns) for row in found)


def test_all_games_are_there(spark, dataset, database):
    assert in_spark.games(spark, dataset).count() == program("sql", database, "SELECT count(*) AS n FROM game")[0]["n"]
    assert in_spark.games(spark, dataset).select("game_id").distinct().count() == in_spark.games(spark, dataset).count()


@pytest.mark.parametrize("fen", [None, "1. e4 c5", "1. d4 Nf6 2. c4 e6 3. Nf3", "4k3/8/8/8/8/8/8/4K3 w - -"])
def test_moves(spark, dataset, database, fen):
    expected = program("moves", database, *([fen] if fen else []))
    assert rows(in_spark.moves(spark, dataset, fen).collect(), COLUMNS) == rows(expected, COLUMNS)


def test_positions_are_the_same_when_sorted(spark, dataset):
    of_dataset = in_spark.position(spark, dataset, "1. d4 Nf6 2. c4")
    of_sorted = in_spark.position(spark, dataset.parent / "sorted", "1. d4 Nf6 2. c4")
    columns = ["game_id", "ply", "uci"]
    assert rows(of_dataset.collect(), columns) == rows(of_sorted.collect(), columns) != Counter()


def test_a_tree_of_moves(spark, dataset, database):
    tree = in_spark.opening_tree(spark, dataset, depth=5, min_games=4).collect()
    expected = program("moves", database, "--depth=5", "--min-games=4")
    assert len(expected) > 20
    columns = [*COLUMNS, "plies"]
    with_length = [{**row, "plies": len(row["line"].split())} for row in expected]
    assert rows([{**row.asDict(), "plies": len(row.line.split())} for row in tree], columns) == rows(with_length, columns)


def test_twins(spark, tmp_path):
    names = sorted(GAMES.glob("*.pgn"))
    for copy in ("a", "b"):
        (tmp_path / f"{copy}.pgn").write_text("".join(name.read_text(encoding="utf-8") + "\n" for name in names), encoding="utf-8")
    database = tmp_path / "twice.db"
    stamma.import_pgn(database, tmp_path / "a.pgn", tmp_path / "b.pgn", again=True)
    groups = [json.loads(line) for line in stamma.run("dedupe", database, "--dry-run", "--format=jsonl").splitlines()]
    same = [group for group in groups if group["kind"] == "same" and len(group["games"]) == 2]
    in_spark.write_dataset(spark, [tmp_path / "a.pgn"], tmp_path / "set", id_salt="a")
    in_spark.write_dataset(spark, [tmp_path / "b.pgn"], tmp_path / "set", id_salt="b")
    found = in_spark.twins(spark, tmp_path / "set").collect()
    assert len(found) == len(same) > 50 and all(len(row.games) == 2 for row in found)


def test_names_are_matched_as_typed():
    names = ["Carlsen,M", "Carlsen, Magnus", "Carlsen,H", 'M. "C" Carlsen', "Müller, K"]
    assert in_spark._matching(names, "magnus carlsen") == ["Carlsen,M", "Carlsen, Magnus"]
    assert in_spark._matching(names, "=Carlsen,H") == ["Carlsen,H"]
    assert in_spark._matching([], "magnus carlsen") == []


def test_a_player(spark, dataset, database):
    name = "Kasparov, Garry"
    expected = [row for row in program("player", database, f"={name}") if row["group"] == "color"]
    found = in_spark.player(spark, dataset, name).groupBy("color").sum("games", "wins", "draws", "losses").collect()
    columns = ["color", "games", "wins", "draws", "losses"]
    assert Counter(tuple(row) for row in found) == rows(expected, columns)


def test_what_stamma_refuses_fails_the_job(spark, tmp_path):
    with pytest.raises(Exception, match="none.pgn"):
        in_spark.write_dataset(spark, [tmp_path / "none.pgn"], tmp_path / "set")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds processes in /proc")
def test_a_worker_that_is_killed(tmp_path, database):
    files = sorted(map(str, GAMES.glob("*.pgn")))
    script = str(Path(__file__).with_name("killed_worker.py"))
    command = [sys.executable, script, str(tmp_path / "games"), *files]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    games = program("sql", database, "SELECT count(*) AS n FROM game")[0]["n"]
    assert json.loads(done.stdout.splitlines()[-1]) == [len(files), True, games, games]
    assert (tmp_path / "games" / "_SUCCESS").exists() and not (tmp_path / "games" / "_temporary").exists()


def test_games_that_spark_writes_are_read(spark, tmp_path):
    pyarrow_writes(with_time("string"))(tmp_path / "games.parquet")
    spark.read.parquet(str(tmp_path / "games.parquet")).write.parquet(str(tmp_path / "games"))
    assert stamma.run("convert", tmp_path / "games") == PARQUET_GAMES
