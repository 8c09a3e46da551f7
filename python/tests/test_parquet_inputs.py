"""Parquet files with a game per row, as the libraries of others write them: `stamma convert` reads the same games in each."""

import datetime
import subprocess

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import stamma

TABLE = pyarrow.table(
    {
        "Event": ['The "Candidates"', None, "E"],
        "Site": ["C:\\chess", None, "S"],
        "White": ["Tal, Mikhail", "A", "C"],
        "Black": ["Botvinnik, Mikhail", "B", "D"],
        "Result": ["1-0", "1/2-1/2", "0-1"],
        "WhiteElo": pyarrow.array([None, 2500, 1], pyarrow.int16()),
        "BlackElo": pyarrow.array([2700, None, 2], pyarrow.int16()),
        "WhiteRatingDiff": pyarrow.array([6, 0, None], pyarrow.int16()),
        "BlackRatingDiff": pyarrow.array([None, -6, None], pyarrow.int16()),
        "UTCDate": [datetime.date(1960, 3, 15), None, datetime.date(2024, 2, 29)],
        "UTCTime": pyarrow.array([45296, None, 1], pyarrow.time32("s")),
        "ECO": ["C18", None, "A00"],
        "Opening": ["French Defense", None, "Grob"],
        "tags": pyarrow.array(
            [[("Annotator", "A. Müller"), ("SetUp", "0")], [], None],
            pyarrow.map_(pyarrow.string(), pyarrow.string()),
        ),
        "movetext": [
            "1. e4 { [%clk 0:01:00] } e6 2. d4 d5 (2... c5) 3. Nc3 Bb4 $1 1-0",
            "1. d4 d5 1/2-1/2",
            "1. g4 e5 0-1",
        ],
    }
)

GAMES = r"""[Event "The \"Candidates\""]
[Site "C:\\chess"]
[Date "1960.03.15"]
[Round "?"]
[White "Tal, Mikhail"]
[Black "Botvinnik, Mikhail"]
[Result "1-0"]
[BlackElo "2700"]
[WhiteRatingDiff "+6"]
[UTCDate "1960.03.15"]
[UTCTime "12:34:56"]
[ECO "C18"]
[Opening "French Defense"]
[Annotator "A. Müller"]
[SetUp "0"]

1. e4 { [%clk 0:01:00] } 1... e6 2. d4 d5 (2... c5) 3. Nc3 Bb4 $1 1-0

[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]
[WhiteElo "2500"]
[WhiteRatingDiff "+0"]
[BlackRatingDiff "-6"]

1. d4 d5 1/2-1/2

[Event "E"]
[Site "S"]
[Date "2024.02.29"]
[Round "?"]
[White "C"]
[Black "D"]
[Result "0-1"]
[WhiteElo "1"]
[BlackElo "2"]
[UTCDate "2024.02.29"]
[UTCTime "00:00:01"]
[ECO "A00"]
[Opening "Grob"]

1. g4 e5 0-1

"""


def with_time(kind):
    """The table with its times in another type."""
    return TABLE.set_column(TABLE.column_names.index("UTCTime"), "UTCTime", TABLE["UTCTime"].cast(kind))


def pyarrow_writes(table=TABLE, **options):
    return lambda path: pyarrow.parquet.write_table(table, path, **options)


def duckdb_writes(options):
    def write(path):
        with duckdb.connect() as connection:
            connection.register("games", TABLE)
            connection.execute(f"COPY games TO '{path}' (FORMAT parquet, {options})")

    return write


def pandas_writes(path):
    """Writes what pandas has no types for otherwise: no map, and points in time as dates."""
    frame = TABLE.drop_columns(["tags"]).to_pandas()
    frame["UTCDate"] = pandas.to_datetime(frame["UTCDate"])
    assert frame["WhiteElo"].dtype == float
    frame.to_parquet(path)


ENCODINGS = {"Event": "DELTA_BYTE_ARRAY", "WhiteElo": "DELTA_BINARY_PACKED", "movetext": "DELTA_LENGTH_BYTE_ARRAY"}

WRITERS = {
    "duckdb-snappy": duckdb_writes("COMPRESSION snappy"),
    "duckdb-zstd-v2": duckdb_writes("COMPRESSION zstd, PARQUET_VERSION v2"),
    "duckdb-lz4": duckdb_writes("COMPRESSION lz4_raw"),
    "polars-zstd": lambda path: polars.from_arrow(TABLE).write_parquet(path, compression="zstd"),
    "polars-lz4": lambda path: polars.from_arrow(TABLE).write_parquet(path, compression="lz4"),
    "pandas": pandas_writes,
    "pyarrow-zstd": pyarrow_writes(compression="zstd", data_page_version="2.0", row_group_size=2),
    "pyarrow-plain-gzip": pyarrow_writes(compression="gzip", use_dictionary=False, data_page_version="1.0"),
    "pyarrow-delta-lz4": pyarrow_writes(
        compression="lz4", use_dictionary=False, column_encoding=ENCODINGS, data_page_version="2.0"
    ),
    "pyarrow-microseconds": pyarrow_writes(with_time(pyarrow.time64("us")), compression="none"),
    "pyarrow-nanoseconds": pyarrow_writes(with_time(pyarrow.time64("ns")), compression="none"),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_games_are_read(writer, tmp_path):
    WRITERS[writer](tmp_path / "games.parquet")
    converted = subprocess.check_output([stamma.find_bin(), "convert", tmp_path / "games.parquet"]).decode()
    expected = GAMES
    if writer == "pandas":
        expected = GAMES.replace('[Annotator "A. Müller"]\n[SetUp "0"]\n', "")
    assert converted == expected


def test_brotli_is_refused(tmp_path):
    pyarrow_writes(compression="brotli")(tmp_path / "games.parquet")
    reason = "games.parquet: this Parquet file cannot be read: its column Event is compressed with BROTLI; write it with ZSTD"
    with pytest.raises(stamma.StammaError, match=reason):
        stamma.run("convert", tmp_path / "games.parquet")
