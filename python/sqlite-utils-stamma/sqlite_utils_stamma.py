"""Stamma's SQL functions in sqlite-utils."""

from typing import Any

import click
import stamma
from sqlite_utils import hookimpl


class CannotLoad(click.ClickException, stamma.StammaError):
    """This Python's SQLite takes no extensions."""


@hookimpl
def prepare_connection(conn: Any) -> None:
    """Gives every connection the functions."""
    if not hasattr(conn, "enable_load_extension"):
        raise CannotLoad(
            "this build of Python's sqlite3 cannot load extensions; "
            "`pip install pysqlite3-binary` gives sqlite-utils an SQLite that can"
        )
    stamma.load(conn)
