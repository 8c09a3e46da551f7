"""The plugin in real sqlite-utils: as a program and as a library."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import sqlite_utils
import stamma

GAMES = Path(__file__).resolve().parents[3] / "tests" / "data" / "games"
SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
QUERY = "SELECT san, count(*) AS games FROM position(:fen) GROUP BY san ORDER BY 2 DESC"
ANSWER = [{"san": "Nf3", "games": 13}, {"san": "d4", "games": 1}]


@pytest.fixture(scope="session")
def games_db(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "games.db"
    stamma.import_pgn(path, GAMES)
    return path


def test_program_has_the_functions(games_db):
    command = [sys.executable, "-m", "sqlite_utils", "query", str(games_db), QUERY, "-p", "fen", SICILIAN]
    assert json.loads(subprocess.check_output(command)) == ANSWER
    plugins = json.loads(subprocess.check_output([sys.executable, "-m", "sqlite_utils", "plugins"]))
    assert [plugin["hooks"] for plugin in plugins if plugin["name"] == "sqlite-utils-stamma"] == [["prepare_connection"]]


def test_library_has_the_functions(games_db):
    assert list(sqlite_utils.Database(games_db).query(QUERY, {"fen": SICILIAN})) == ANSWER


def test_rows_can_be_made_of_answers(games_db):
    """What sqlite-utils is used for: a table of its own beside the games."""
    db = sqlite_utils.Database(games_db)
    db["reply"].insert_all(db.query(QUERY, {"fen": SICILIAN}), pk="san")
    assert db["reply"].get("Nf3")["games"] == 13
    db["reply"].drop()
