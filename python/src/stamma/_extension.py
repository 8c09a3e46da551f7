"""The loadable extension: Stamma's SQL functions for a connection of this process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ._errors import StammaError

_NAMES = {"win32": "stamma.dll", "darwin": "libstamma.dylib"}

_CANNOT_LOAD = (
    "this build of Python's sqlite3 cannot load extensions; "
    "`pip install apsw` gives an SQLite that can, and stamma.connect() takes it then"
)


def loadable_path() -> str:
    """The path of the extension, as `.load` of the program `sqlite3` and `load_extension` take it."""
    path = Path(__file__).parent / _NAMES.get(sys.platform, "libstamma.so")
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: this is not an installed wheel of stamma")
    return str(path)


def load(connection: Any) -> None:
    """Load Stamma's SQL functions into a connection of `sqlite3`, `pysqlite3` or `apsw`.

    Extensions are allowed for the time of loading alone, so that SQL cannot load others.
    """
    if not hasattr(connection, "enable_load_extension"):
        raise StammaError(_CANNOT_LOAD)
    connection.enable_load_extension(True)
    try:
        connection.load_extension(loadable_path())
    finally:
        connection.enable_load_extension(False)
