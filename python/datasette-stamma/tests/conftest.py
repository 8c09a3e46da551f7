"""A datasette with the historical games of the repository, and one without a database of Stamma's."""

import sqlite3
from pathlib import Path

import pytest
import stamma
from datasette.app import Datasette

GAMES = Path(__file__).resolve().parents[3] / "tests" / "data" / "games"


@pytest.fixture(scope="session")
def games_db(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "games.db"
    stamma.import_pgn(path, GAMES)
    return path


@pytest.fixture
def site(games_db, tmp_path):
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE note (moves TEXT, fen TEXT)")
    connection.execute("INSERT INTO note VALUES ('e4 e5 is what he plays in all of his games', '8/8 w')")
    connection.commit()
    connection.close()
    return Datasette([str(games_db), str(other)])
