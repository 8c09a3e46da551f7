"""Data sets in Spark: written by one Stamma per file, and queried by columns.

>>> from stamma import spark as stamma_spark
>>> stamma_spark.write_dataset(session, ["2017-01.pgn.zst", "2017-02.pgn.zst"], "/shared/games")  # doctest: +SKIP
>>> stamma_spark.moves(session, "/shared/games", "1. e4 c5").show()  # doctest: +SKIP

A data set is a folder that the driver and all workers reach by one path. Workers that write need this package; queries need it
on the driver alone. All answers are data frames, which Spark computes when they are used.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from ._errors import StammaError
from ._options import Value, options
from ._program import PathLike, find_bin, sentence

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

#: The exit codes of a run that has written its part: without and with problems in the data.
_WRITTEN = (0, 1)
#: Key ranges are asked for by name up to this many positions; more are joined.
_LISTED_KEYS = 200


@dataclass(frozen=True)
class Part:
    """A part of a data set that a task has written."""

    #: The input, and which shard of it, as `(3, 8)`.
    path: str
    shard: Tuple[int, int]
    #: The worker.
    host: str
    #: What Stamma printed.
    printed: str


def write_dataset(
    spark: SparkSession,
    paths: Iterable[PathLike],
    out: PathLike,
    *,
    shards: int = 1,
    program: Optional[str] = None,
    sorted_positions: Optional[PathLike] = None,
    **settings: Value,
) -> List[Part]:
    """Write PGN files as a data set: a Spark task, with a Stamma of its own, for each file, or for each of its `shards`.

    Settings are the options of `stamma dataset`, such as `max_ply=40`. `program` is the path of Stamma on
    the workers, by default that of this package. A task that fails is repeated by Spark, as often as
    `spark.task.maxFailures` allows; since a part has the same name and bytes each time, and is not there until it is whole,
    neither a repeated nor a killed task leaves anything wrong. When one fails too often, the call fails, and the same call
    completes the data set later.

    With `sorted_positions`, Spark then sorts the positions of all parts into this folder: see `sort_positions()`.
    """
    tasks = [(os.path.abspath(path), (number, shards)) for path in paths for number in range(1, shards + 1)]
    if not tasks:
        return []
    target, chosen = os.path.abspath(out), options(settings)

    def write(tasks: Iterable[Tuple[str, Tuple[int, int]]]) -> Iterable[Part]:
        return (_write_part(program, path, shard, target, chosen) for path, shard in tasks)

    parts = spark.sparkContext.parallelize(tasks, len(tasks)).mapPartitions(write).collect()
    if sorted_positions is not None:
        sort_positions(spark, target, sorted_positions)
    return list(parts)


def _write_part(
    program: Optional[str], path: str, shard: Tuple[int, int], target: str, chosen: Sequence[str]
) -> Part:
    """Runs on a worker. An exception makes Spark repeat the task."""
    number, of = shard
    cut = [f"--shard={number}/{of}"] if of > 1 else []
    command = [program or find_bin(), "dataset", "--output", target, *cut, *chosen, "--", path]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in _WRITTEN:
        raise StammaError(f"{path}: {sentence(said) or f'stamma ended with exit code {done.returncode}'}")
    return Part(path, shard, socket.gethostname(), done.stdout.decode("utf-8", "replace").strip())


def sort_positions(spark: SparkSession, dataset: PathLike, out: PathLike) -> None:
    """Write the positions of all parts into `out`, sorted by key across all files.

    In a data set of many parts, each has a file per bucket. Here each bucket has one sequence of files, of which a query
    reads one row group. `position()`, `moves()` and `opening_tree()` take the new folder as they take a data set.
    """
    table = positions(spark, dataset)
    table = table.repartitionByRange("bucket", "zobrist").sortWithinPartitions("bucket", "zobrist", "game_id", "ply")
    target = os.path.join(os.path.abspath(out), "positions")
    table.write.partitionBy("bucket").option("compression", "zstd").parquet(target)


def games(spark: SparkSession, dataset: PathLike) -> DataFrame:
    """The games of a data set."""
    return spark.read.parquet(os.path.join(os.fspath(dataset), "games"))


def positions(spark: SparkSession, dataset: PathLike) -> DataFrame:
    """The positions of all games of a data set."""
    return spark.read.parquet(os.path.join(os.fspath(dataset), "positions"))


def position(spark: SparkSession, dataset: PathLike, fen_or_moves: str) -> DataFrame:
    """The occurrences of a position, given as a FEN or by moves such as "1. e4 c5": the rows of `positions()`.

    A game has one row, however often it reaches it. Fields left out at the end of a FEN are not compared.
    """
    return _at(spark, dataset, [key for key, _ in keys([fen_or_moves])])


def moves(spark: SparkSession, dataset: PathLike, fen_or_moves: Optional[str] = None) -> DataFrame:
    """The moves played in a position, the start if none is given, the most played first, as `stamma moves` counts them.

    Columns: `uci`, None where games ended; `games`, `white`, `draws`, `black`; `average_elo` of the side to move. A game
    counts once, by its first visit.
    """
    from pyspark.sql import functions as f

    found = keys([fen_or_moves or _START])
    rows = _first_visits(_at(spark, dataset, [key for key, _ in found]), found, by=["game_id"])
    return _counted(rows, ["uci"]).orderBy(f.desc("games"), "uci")


def opening_tree(
    spark: SparkSession,
    dataset: PathLike,
    depth: int,
    min_games: int,
    fen: Optional[str] = None,
) -> DataFrame:
    """The moves played from a position on, each followed by the next ones, `depth` half-moves deep, as `stamma moves
    --depth` counts them: each position has the moves of all games that reach it, by any order of moves.

    Columns: `line`, the moves in the notation of UCI; `uci`, None where games ended, and the counts of `moves()`. Moves of
    fewer than `min_games` games are left out. Each level is a scan of the positions, and is counted when this is called.
    """
    level = [("", start) for start in dict.fromkeys(four for _, four in keys([fen or _START]))]
    if len(level) > 1:
        raise StammaError("a tree begins with one position; give four fields of the FEN")
    known: Dict[str, List[Any]] = {}
    rows: List[Tuple[Any, ...]] = []
    for _ in range(depth):
        new = sorted({position for _, position in level if position not in known})
        known.update(_moves_of_all(spark, dataset, new, min_games))
        after: List[Tuple[str, str, str]] = []
        for line, start in level:
            for row in known[start]:
                longer = f"{line} {row.uci}".strip() if row.uci else line
                rows.append((longer, row.uci, row.games, row.white, row.draws, row.black, row.average_elo))
                if row.uci:
                    after.append((longer, start, row.uci))
        level = _after(after)
    columns = "line string, uci string, games long, white long, draws long, black long, average_elo long"
    return spark.createDataFrame(rows, columns)


def _moves_of_all(
    spark: SparkSession, dataset: PathLike, starts: Sequence[str], min_games: int
) -> Dict[str, List[Any]]:
    """The moves of several positions, by their FENs, the most played first."""
    from pyspark.sql import functions as f

    found = keys(starts)
    visits = _first_visits(_at(spark, dataset, [key for key, _ in found]), found, by=["zobrist", "game_id"])
    counted = _counted(visits, ["zobrist", "uci"]).where(f.col("games") >= min_games)
    moves_of: Dict[str, List[Any]] = {four: [] for _, four in found}
    names = dict(found)
    for row in counted.orderBy(f.desc("games"), "uci").collect():
        moves_of[names[row.zobrist]].append(row)
    return moves_of


def twins(spark: SparkSession, dataset: PathLike, min_plies: int = 20, players: bool = False) -> DataFrame:
    """Groups of games with equal moves, at least `min_plies` half-moves: copies of one game, as far as moves tell.

    Columns: `games`, the sorted ids of a group; `plies`. These are the groups of kind `same` of `stamma dedupe`, and some that
    it leaves out after weighing names, dates and events: in a collection of 100,697 games, all 111 and 7 more. With
    `players`, the first words of both players' names must be equal, too, which leaves out copies with other spellings.
    """
    from pyspark.sql import functions as f

    table = games(spark, dataset)
    chosen = table.where((f.col("ply_count") >= min_plies) & f.col("moves_hash").isNotNull())
    names = [_first_word(f.col(colour)).alias(f"of_{colour}") for colour in ("White", "Black")] if players else []
    groups = chosen.groupBy("moves_hash", "ply_count", *names)
    found = groups.agg(f.sort_array(f.collect_list("game_id")).alias("games"))
    return found.where(f.size("games") > 1).select("games", f.col("ply_count").alias("plies"))


def player(spark: SparkSession, dataset: PathLike, name: str) -> DataFrame:
    """The record of a player by color and year, in all spellings that `stamma convert --white` finds for the name.

    A name is typed as people type it (`magnus carlsen` finds `Carlsen,M`), or is exact behind `=`. Columns: `color`, `year`, `games`, `wins`, `draws`, `losses`, `score` of the games with a result, and `opponent_elo`,
    the mean.
    """
    from pyspark.sql import functions as f

    table = games(spark, dataset)
    spellings = _spellings(table, name)
    year = f.regexp_extract(f.coalesce(f.col("Date"), f.lit("")), r"^\d{4}", 0).try_cast("int")

    def played(colour: str, other: str, win: str, loss: str) -> DataFrame:
        own = table.where(f.col(colour).isin(spellings))
        return own.select(
            f.lit(colour.lower()).alias("color"),
            year.alias("year"),
            (f.col("Result") == win).cast("long").alias("wins"),
            (f.col("Result") == "1/2-1/2").cast("long").alias("draws"),
            (f.col("Result") == loss).cast("long").alias("losses"),
            f.col(f"{other}Elo").alias("elo"),
        )

    both = played("White", "Black", "1-0", "0-1").unionByName(played("Black", "White", "0-1", "1-0"))
    sums = both.groupBy("color", "year").agg(
        f.count("*").alias("games"),
        f.sum("wins").alias("wins"),
        f.sum("draws").alias("draws"),
        f.sum("losses").alias("losses"),
        f.round(f.avg("elo")).cast("long").alias("opponent_elo"),
    )
    decided = f.col("wins") + f.col("draws") + f.col("losses")
    score = f.when(decided > 0, (f.col("wins") + f.col("draws") / 2) / decided)
    return sums.withColumn("score", score).orderBy(f.desc("color"), "year")


def _spellings(table: DataFrame, name: str) -> List[str]:
    """The names of players in a table of games that a typed name matches, by the rules of Stamma itself."""
    from pyspark.sql import functions as f

    names = table.select(f.col("White").alias("name")).union(table.select("Black")).distinct()
    # Names that have no word of the query cannot match, unless their letters have other spellings.
    words = [word for word in re.split(r"[^a-z0-9]+", name.lower()) if word]
    if name.isascii() and words:
        has_word = f.lit(False)
        for word in words:
            has_word = has_word | f.lower("name").contains(word)
        names = names.where(has_word | f.col("name").rlike(r"[^\x00-\x7f]"))
    return _matching([row["name"] for row in names.collect() if row["name"] is not None], name)


def _matching(names: Sequence[str], name: str) -> List[str]:
    """Those of some names that `stamma convert --white` keeps."""
    if not names:
        return []
    # A number leads back to the name, whatever characters it has.
    quoted = [found.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") for found in names]
    pgn = "".join(f'[White "{text}"]\n[Black "{at}"]\n\n*\n\n' for at, text in enumerate(quoted))
    command = [find_bin(), "convert", f"--white={name}", "-"]
    done = subprocess.run(command, input=pgn.encode("utf-8"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in _WRITTEN:
        raise StammaError(sentence(done.stderr.decode("utf-8", "replace").strip()))
    kept = re.findall(r'^\[Black "(\d+)"\]', done.stdout.decode("utf-8"), re.MULTILINE)
    return [names[int(at)] for at in kept]


_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def keys(positions: Sequence[str]) -> List[Tuple[int, str]]:
    """The keys of positions, each with the first four fields of its FEN, as the column `zobrist` has them."""
    return [(found["key"], _four(found["fen"])) for found in _key_records(positions)]


def _key_records(lines: Sequence[str]) -> List[Dict[str, Any]]:
    command = [find_bin(), "key", "--format=jsonl", "-"]
    text = "\n".join(line.replace("\n", " ") for line in lines)
    done = subprocess.run(command, input=text.encode("utf-8"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise StammaError(sentence(done.stderr.decode("utf-8", "replace").strip()))
    return [json.loads(line) for line in done.stdout.splitlines()]


def _four(fen: str) -> str:
    return " ".join(fen.split()[:4])


def _after(moves: Sequence[Tuple[str, str, str]]) -> List[Tuple[str, str]]:
    """The positions after moves, each with the line that leads to it."""
    if not moves:
        return []
    distinct = list(dict.fromkeys((start, uci) for _, start, uci in moves))
    found = _key_records([f"{start} pv {uci};" for start, uci in distinct])
    reached = {move: _four(record["fen"]) for move, record in zip(distinct, found)}
    return [(line, reached[start, uci]) for line, start, uci in moves]


def _at(spark: SparkSession, dataset: PathLike, wanted: Sequence[int]) -> DataFrame:
    """The rows of positions with some keys."""
    from pyspark.sql import functions as f

    table = positions(spark, dataset)
    buckets = _bucket_count(dataset)
    if buckets is not None:
        table = table.where(f.col("bucket").isin(sorted({_bucket(key, buckets) for key in wanted})))
    if len(wanted) <= _LISTED_KEYS:
        return table.where(_is_any(f.col("zobrist"), wanted))
    listed = spark.createDataFrame([(key,) for key in wanted], "zobrist long")
    return table.join(f.broadcast(listed), "zobrist", "left_semi")


def _is_any(column: Column, wanted: Sequence[int]) -> Column:
    """Whether a column is one of some numbers, each of which may prune row groups."""
    return column == wanted[0] if len(wanted) == 1 else column.isin(list(wanted))


def _bucket(key: int, buckets: int) -> int:
    """The number in the name of the folder with a key."""
    return (key + (1 << 63)) * buckets >> 64


def _bucket_count(dataset: PathLike) -> Optional[int]:
    """How many buckets a data set has; None if that is not written down."""
    for manifest in sorted(Path(dataset).glob("_manifest/*.json")):
        content: Mapping[str, Any] = json.loads(manifest.read_text(encoding="utf-8"))
        return int(content["buckets"])
    return None


def _first_visits(rows: DataFrame, found: Sequence[Tuple[int, str]], by: Sequence[str]) -> DataFrame:
    """The first visit of each game, with the rating of the side to move."""
    from pyspark.sql import functions as f

    white = [key for key, fen in found if fen.split()[1] == "w"]
    black = [key for key, fen in found if fen.split()[1] != "w"]
    if not white or not black:
        mover = f.col("WhiteElo") if white else f.col("BlackElo")
    else:
        mover = f.when(f.col("zobrist").isin(white), f.col("WhiteElo")).otherwise(f.col("BlackElo"))
    visit = f.struct("uci", f.col("Result").alias("result"), mover.alias("elo"))
    return rows.groupBy(*by).agg(f.min_by(visit, "ply").alias("visit")).select(*by, "visit.*")


def _counted(visits: DataFrame, by: Sequence[str]) -> DataFrame:
    from pyspark.sql import functions as f

    def of(result: str) -> Column:
        return f.count_if(f.col("result") == result)

    return visits.groupBy(*by).agg(
        f.count("*").alias("games"),
        of("1-0").alias("white"),
        of("1/2-1/2").alias("draws"),
        of("0-1").alias("black"),
        f.round(f.avg("elo")).cast("long").alias("average_elo"),
    )


def _first_word(name: Column) -> Column:
    """The first word of a name, mostly that of the family, in small letters."""
    from pyspark.sql import functions as f

    return f.regexp_extract(f.lower(f.coalesce(name, f.lit(""))), r"^[^\s,]*", 0)
