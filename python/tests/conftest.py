"""What all tests share: the historical games of the repository as a database."""

from pathlib import Path

import pytest

import stamma

REPOSITORY = Path(__file__).resolve().parents[2]
GAMES = REPOSITORY / "tests" / "data" / "games"

QUEENS_GAMBIT = "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq -"


@pytest.fixture(scope="session")
def database(tmp_path_factory):
    """The path of a database of historical games."""
    path = tmp_path_factory.mktemp("data") / "games.db"
    stamma.import_pgn(path, GAMES)
    return path


@pytest.fixture
def db(database):
    with stamma.connect(database, read_only=True) as opened:
        yield opened
