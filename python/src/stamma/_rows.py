"""The rows of answers: typed, one by one, and as data frames."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generic, Iterable, Iterator, List, Optional, Type, TypeVar


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
