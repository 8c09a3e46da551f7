"""Stamma in Python: millions of chess games in one SQLite file, and every position of them.

>>> import stamma
>>> stamma.import_pgn("games.db", "tests/data/games")["games"]
111
>>> db = stamma.connect("games.db")
>>> for hit in db.search("1. e4 c5", black="kasparov", result="0-1"):
...     print(hit.date, hit.white, hit.san)
1985.10.15 Karpov, Anatoly Nf3
1985.11.09 Karpov, Anatoly Nf3
1997.02.?? Anand, Viswanathan Nf3

Everything is answered by the program `stamma` or by the SQL functions of its extension; both are in this package.
"""

from importlib.metadata import version as _version

from ._database import Database, connect
from ._errors import StammaError, StammaWarning
from ._extension import load, loadable_path
from ._options import Filters
from ._picture import Picture, board
from ._program import find_bin, import_pgn, run
from ._answers import HeadToHeadGame, Hit, MoveCount, PlayerRow
from ._rows import Rows

__version__ = _version("stamma")

__all__ = [
    "Database",
    "Filters",
    "HeadToHeadGame",
    "Hit",
    "MoveCount",
    "Picture",
    "PlayerRow",
    "Rows",
    "StammaError",
    "StammaWarning",
    "board",
    "connect",
    "find_bin",
    "import_pgn",
    "load",
    "loadable_path",
    "run",
]
