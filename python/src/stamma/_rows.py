"""The rows of answers: typed, one by one, and as data frames."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generic, Iterable, Iterator, List, NamedTuple, Optional, Type, TypeVar


class Hit(NamedTuple):
    """A game that a search has found."""

    game: int
    #: Half-moves before the position, and the move played there; None without a position or at the end of the game.
    ply: Optional[int]
    move: Optional[str]
    white: Optional[str]
    black: Optional[str]
    result: Optional[str]
    date: Optional[str]
    event: Optional[str]
    white_elo: Optional[int]
    black_elo: Optional[int]
    eco: Optional[str]
    plies: Optional[int]


class MoveCount(NamedTuple):
    """A move that was played in a position, with the results of its games; `san` is None where games ended there."""

    san: Optional[str]
    uci: Optional[str]
    games: int
    #: Games that White won, that were drawn, that Black won.
    white: int
    draws: int
    black: int
    average_elo: Optional[int]
    performance: Optional[int]
    first_year: Optional[int]
    last_year: Optional[int]
    first_game: Optional[int]
    first_date: Optional[str]
    best_game: Optional[int]
    #: The moves up to this one, where more than one half-move was asked for.
    line: Optional[str]


class PlayerRow(NamedTuple):
    """A row of a player's record; `group` says which: total, spelling, colour, opening, opponent, year or game."""

    group: str
    name: Optional[str]
    colour: Optional[str]
    game: Optional[int]
    games: int
    won: int
    drawn: int
    lost: int
    score: Optional[float]
    opponent_elo: Optional[int]
    performance: Optional[int]
    highest_elo: Optional[int]
    first_date: Optional[str]
    last_date: Optional[str]


Row = TypeVar("Row", bound=tuple)  # type: ignore[type-arg]


class Rows(Generic[Row]):
    """Named tuples, which are read from the program or the connection as they are asked for, and kept: they can be
    looped over again, and `df()` makes a data frame of all. For answers that are larger than memory, `Database.execute()`
    has a cursor.
    """

    def __init__(self, columns: Iterable[str], rows: Iterator[Row]) -> None:
        #: The names of the columns.
        self.columns: List[str] = list(columns)
        self._rows = rows
        self._read: List[Row] = []
        self._next = 0

    def __iter__(self) -> Iterator[Row]:
        at = 0
        while at < len(self._read) or self._read_one():
            yield self._read[at]
            at += 1

    def __next__(self) -> Row:
        """The first row that `next()` has not returned yet."""
        if self._next == len(self._read) and not self._read_one():
            raise StopIteration
        self._next += 1
        return self._read[self._next - 1]

    def _read_one(self) -> bool:
        """Reads one more row; False at the end."""
        for row in self._rows:
            self._read.append(row)
            return True
        return False

    def df(self, library: Optional[str] = None) -> Any:
        """A data frame of `pandas`, or of `polars` where pandas is not installed; `library` names one of them."""
        name = library or _installed_library()
        rows = list(self)
        if name == "pandas":
            import pandas

            return pandas.DataFrame(rows, columns=self.columns)
        if name == "polars":
            import polars

            return polars.DataFrame(rows, schema=self.columns, orient="row", infer_schema_length=None)
        raise ValueError(f"library={name!r} is neither 'pandas' nor 'polars'")


def _installed_library() -> str:
    from importlib.util import find_spec

    for name in ("pandas", "polars"):
        if find_spec(name):
            return name
    raise ModuleNotFoundError("df() needs pandas or polars: `pip install pandas`", name="pandas")


def typed(kind: Type[Row], objects: Iterator[Dict[str, Any]]) -> Rows[Row]:
    """JSON objects as named tuples of a kind."""
    columns: List[str] = kind._fields  # type: ignore[attr-defined]
    make: Callable[[Iterable[Any]], Row] = kind._make  # type: ignore[attr-defined]
    return Rows(columns, (make(map(found.get, columns)) for found in objects))
