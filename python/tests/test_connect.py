"""What must hold on every Python, whatever its sqlite3 can do; needs pytest alone."""

import os
import sqlite3
import subprocess
import sys

import pytest

import stamma
from conftest import GAMES, QUEENS_GAMBIT

CAN_LOAD = hasattr(sqlite3.Connection, "enable_load_extension")
GAMES_OF_POSITION = "SELECT game_id FROM position(?)"


def has_driver():
    if CAN_LOAD:
        return True
    try:
        import apsw
    except ModuleNotFoundError:
        return False
    return apsw is not None


needs_driver = pytest.mark.skipif(not has_driver(), reason="neither sqlite3 loads extensions nor is apsw installed")


@needs_driver
def test_sql_has_the_functions(db):
    assert [game for (game,) in db.execute(GAMES_OF_POSITION, (QUEENS_GAMBIT,))] == [8, 48, 66, 69, 75, 101]
    rows = db.query("SELECT white, ply AS at FROM position(:fen) JOIN games ON id = game_id", {"fen": QUEENS_GAMBIT})
    assert rows.columns == ["white", "at"]
    first = next(rows)
    assert (first.white, first.at) == ("Pillsbury, Harry Nelson", 7)
    assert len(list(rows)) == len(list(rows)) == 6, "rows are kept"
    assert list(db.query("SELECT 1 AS one WHERE 0")) == []


@needs_driver
def test_driver_is_named(db):
    assert db.driver.startswith("Python's sqlite3, SQLite 3." if CAN_LOAD else "apsw, SQLite 3.")
    # PyPy has the type in a module of its own.
    assert type(db.connection).__module__.lstrip("_") == ("sqlite3" if CAN_LOAD else "apsw")
    assert db.driver in repr(db)


@needs_driver
def test_read_only_refuses_to_write(db):
    with pytest.raises(Exception, match="readonly|read-only"):
        db.execute("DELETE FROM game")


@needs_driver
def test_writes_are_answered(tmp_path):
    path = tmp_path / "writable.db"
    stamma.import_pgn(path, GAMES / "classical.pgn")
    with stamma.connect(path) as db:
        before = db.count("1. e4")
        (one,) = next(db.query("SELECT min(game_id) FROM position(fen_after('e4', 1))"))
        db.execute("DELETE FROM game WHERE id = ?", (one,))
        if CAN_LOAD:
            db.connection.commit()
        assert db.count("1. e4") == before - 1


@needs_driver
def test_loading_stays_forbidden(db):
    with pytest.raises(Exception, match="not authorized"):
        db.execute("SELECT load_extension(?)", (stamma.loadable_path(),))


@needs_driver
def test_errors_are_sentences(db):
    with pytest.raises(Exception, match="the board of the FEN has 2 ranks instead of 8"):
        list(db.query("SELECT * FROM position('8/8')"))


@needs_driver
def test_connection_of_ones_own(database):
    if CAN_LOAD:
        connection = sqlite3.connect(str(database))
    else:
        import apsw

        connection = apsw.Connection(str(database))
    stamma.load(connection)
    assert len(list(connection.execute(GAMES_OF_POSITION, (QUEENS_GAMBIT,)))) == 6
    connection.close()


def test_missing_database_is_not_made(tmp_path):
    path = tmp_path / "misspelt.db"
    with pytest.raises(FileNotFoundError, match="misspelt.db; `stamma import` makes one"):
        stamma.connect(path)
    assert not path.exists()


def test_searches_need_no_driver(database):
    """As on a Python whose sqlite3 cannot load extensions, without apsw."""
    program = """
import sys, sqlite3
class Connection(sqlite3.Connection if not hasattr(sqlite3.Connection, "enable_load_extension") else object): pass
sqlite3.Connection, sys.modules["apsw"] = Connection, None
import stamma
db = stamma.connect(sys.argv[1])
print(db.driver)
print(len(list(db.search("1. d4 Nf6 2. c4 e6 3. Nf3 d5 4. Nc3"))))
try:
    db.execute("SELECT 1")
except stamma.StammaError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program, str(database)], stdout=subprocess.PIPE, check=True)
    driver, count, error = done.stdout.decode().splitlines()
    assert driver == "None"
    assert count == "6"
    assert "cannot load extensions; `pip install apsw`" in error


def test_program_and_module_are_the_same():
    version = subprocess.check_output([stamma.find_bin(), "--version"]).decode().strip()
    assert version == f"stamma {stamma.__version__}"
    assert subprocess.check_output([sys.executable, "-m", "stamma", "--version"]).decode().strip() == version
    refused = subprocess.run([sys.executable, "-m", "stamma", "nonsense"], stderr=subprocess.DEVNULL)
    assert refused.returncode == 2


def test_files_are_in_the_package():
    assert os.path.dirname(stamma.loadable_path()) == os.path.dirname(stamma.__file__)
    assert os.access(stamma.find_bin(), os.X_OK)
