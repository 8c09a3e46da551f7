"""A database: SQL on a connection that has Stamma's functions, and the program's searches."""

from __future__ import annotations

import io
import os
import sqlite3
from collections import namedtuple
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

from ._answers import HeadToHeadGame, Hit, MoveCount, PlayerRow
from ._errors import StammaError
from ._extension import _CANNOT_LOAD, load
from ._options import Filters, options, position
from ._program import PathLike, finished, json_lines, run, warn
from ._rows import Rows, typed

if TYPE_CHECKING:
    from types import TracebackType

    import chess.pgn
    from typing_extensions import Unpack

Parameters = Union[Sequence[Any], Mapping[str, Any]]


def connect(path: PathLike, *, read_only: bool = False) -> Database:
    """Open a database that `stamma import` or `import_pgn` has made.

    SQL goes through Python's own `sqlite3` where that may load extensions, and else through `apsw`, if it is
    installed; `Database.driver` says which it is, and is None if neither is there. Searches need neither.
    """
    return Database(path, read_only=read_only)


class Database:
    """A Stamma database, opened by `connect()`; it closes at the end of a `with` block."""

    def __init__(self, path: PathLike, *, read_only: bool = False) -> None:
        if not os.path.isfile(path):
            raise FileNotFoundError(f"there is no database {os.fspath(path)}; `stamma import` makes one")
        #: Where the database is.
        self.path = os.path.abspath(path)
        self._connection, self._driver = _open(self.path, read_only)
        if self._connection is not None:
            load(self._connection)

    def __repr__(self) -> str:
        return f"<stamma.Database {self.path!r}: {self.driver or 'no SQL'}>"

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; searches still work."""
        if self._connection is not None:
            self._connection.close()

    @property
    def driver(self) -> Optional[str]:
        """What SQL goes through, such as "apsw, SQLite 3.46.0"; None if there is nothing, so that only searches work."""
        return self._driver

    @property
    def connection(self) -> Any:
        """The connection with Stamma's functions, of `sqlite3` or of `apsw`."""
        if self._connection is None:
            raise StammaError(_CANNOT_LOAD)
        return self._connection

    def execute(self, sql: str, parameters: Parameters = ()) -> Any:
        """Run SQL, in which `position(fen)` and the other functions can be called; returns the driver's cursor."""
        return self.connection.execute(sql, parameters)

    def query(self, sql: str, parameters: Parameters = ()) -> Rows[Any]:
        """Run a query; its rows are named tuples."""
        cursor = self.execute(sql, parameters)
        names = _column_names(cursor)
        row = namedtuple("Row", names, rename=True)  # type: ignore[misc]
        return Rows(names, (row(*found) for found in cursor))

    def search(
        self,
        fen_or_moves: Optional[str] = None,
        *,
        after: Optional[str] = None,
        sort: Optional[str] = None,
        limit: Optional[int] = None,
        **filters: Unpack[Filters],
    ) -> Rows[Hit]:
        """The games that reach a position, given as a FEN or by moves such as "1. e4 c5", and for which the filters
        hold; without a position, all games for which they hold. `after` has moves from a FEN.
        """
        chosen = options({"sort": sort, "limit": limit, **filters})
        return typed(Hit, self._ask("search", *position(fen_or_moves, after), *chosen))

    def count(
        self, fen_or_moves: Optional[str] = None, *, after: Optional[str] = None, **filters: Unpack[Filters]
    ) -> int:
        """How many games `search()` finds."""
        chosen = [*position(fen_or_moves, after), *options(filters)]
        return int(run("search", self.path, *chosen, "--format=count"))

    def moves(
        self,
        fen_or_moves: Optional[str] = None,
        *,
        after: Optional[str] = None,
        depth: Optional[int] = None,
        min_games: Optional[int] = None,
        **filters: Unpack[Filters],
    ) -> Rows[MoveCount]:
        """The moves that were played in a position, the start if none is given, the most played first; with `depth`,
        also what was played after them, but for moves of fewer than `min_games` games.
        """
        chosen = options({"depth": depth, "min_games": min_games, **filters})
        return typed(MoveCount, self._ask("moves", *position(fen_or_moves, after), *chosen))

    def player(
        self,
        name: str,
        *,
        against: Optional[str] = None,
        limit: Optional[int] = None,
        **filters: Unpack[Filters],
    ) -> Rows[PlayerRow]:
        """The record of a player: in all, by color, opening, opponent and year."""
        chosen = options({"against": against, "limit": limit, **filters})
        # A name may begin like an option.
        return typed(PlayerRow, json_lines(["player", *chosen, "--format=jsonl", "--", self.path, name]))

    def head_to_head(
        self, name: str, opponent: str, *, limit: Optional[int] = None, **filters: Unpack[Filters]
    ) -> Rows[HeadToHeadGame]:
        """The games of two players against each other, the latest first."""
        chosen = options({"limit": limit, **filters})
        command = ["head-to-head", *chosen, "--format=jsonl", "--", self.path, name, opponent]
        return typed(HeadToHeadGame, json_lines(command))

    def pgn(self, game: int) -> str:
        """A game as PGN."""
        try:
            text, messages = finished(["export", self.path, f"--games={int(game)}"])
        except StammaError as error:
            if str(error).startswith("there is no game "):
                raise KeyError(str(error)) from None
            raise
        warn(messages)
        return text

    def game(self, game: int) -> chess.pgn.Game:
        """A game as python-chess has it; needs the package `chess`."""
        try:
            import chess.pgn
        except ModuleNotFoundError as error:
            hint = "game() needs python-chess: `pip install chess`; pgn() gives the text without it"
            raise ModuleNotFoundError(hint, name="chess") from error
        read = chess.pgn.read_game(io.StringIO(self.pgn(game)))
        assert read is not None, "an export has a game"
        return read

    def _ask(self, command: str, *arguments: str) -> Iterator[Any]:
        return json_lines([command, self.path, *arguments, "--format=jsonl"])


def _open(path: str, read_only: bool) -> Tuple[Any, Optional[str]]:
    """A connection that can load extensions, if there is one, and what it is."""
    if hasattr(sqlite3.Connection, "enable_load_extension"):
        mode = "ro" if read_only else "rw"
        # Whoever has several threads shares a connection as sqlite3 documents it.
        connection = sqlite3.connect(f"{Path(path).as_uri()}?mode={mode}", uri=True)
        return connection, f"Python's sqlite3, SQLite {sqlite3.sqlite_version}"
    try:
        import apsw
    except ModuleNotFoundError:
        return None, None
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    why = "since this build of Python's sqlite3 cannot load extensions"
    return apsw.Connection(path, flags=flags), f"apsw, SQLite {apsw.sqlite_lib_version()}, {why}"


def _column_names(cursor: Any) -> List[str]:
    """The names of a cursor's columns; apsw has no `description` for a query without rows."""
    try:
        return [column[0] for column in cursor.description or ()]
    except Exception as error:
        if type(error).__module__.split(".")[0] != "apsw":
            raise
        return []
