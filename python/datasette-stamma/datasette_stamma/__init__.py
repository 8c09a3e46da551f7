"""Stamma's databases in datasette: SQL functions, boards, openable movetexts, and queries for players of chess."""

from __future__ import annotations

import asyncio
import functools
import html
import re
from pathlib import Path
from typing import Any, Dict, FrozenSet, List, Optional
from urllib.parse import quote

import markupsafe
import stamma
from datasette import Response, hookimpl
from datasette.utils.sqlite import sqlite3

from .queries import QUERIES

STAMMAS = {"game", "movetext", "position_block"}
"""The tables by which a database of Stamma's is known."""

FOR_PEOPLE = {"event", "game", "opening", "player", "problem", "site", "source"}
"""The tables that people read, beside the view `games`."""

_SIDE = 180
_MOVES_SHOWN = 8
_A_DAY = 24 * 60 * 60

_RANK = r"[pnbrqkPNBRQK1-8]{1,8}"
_FEN = re.compile(rf"{_RANK}(/{_RANK}){{7}} [wb] (-|[A-Ha-hKQkq]{{1,4}}) (-|[a-h][36])( \d+ \d+)?")
_MOVE = r"(?:[KQRBNP]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRBNK])?|O-O(?:-O)?|--)[+#]?"
_MOVES = re.compile(rf"{_MOVE}(?: {_MOVE})*")


@hookimpl
def prepare_connection(conn: sqlite3.Connection) -> None:
    """Gives every connection the functions."""
    _load(conn)


def _load(connection: sqlite3.Connection) -> None:
    if not hasattr(connection, "enable_load_extension"):
        raise stamma.StammaError(
            "this build of Python's sqlite3 cannot load extensions; "
            "`pip install pysqlite3-binary` gives datasette an SQLite that can"
        )
    stamma.load(connection)


@hookimpl
def render_cell(value: Any, column: str, row: Any, datasette: Any) -> Optional[markupsafe.Markup]:
    """Draws a FEN, and folds the moves of a game."""
    if not isinstance(value, str):
        return None
    if _FEN.fullmatch(value):
        return _board(value, datasette)
    if column == "moves" and value.count(" ") >= _MOVES_SHOWN and _MOVES.fullmatch(value):
        return _folded(value, starts_elsewhere=_other_start(row))
    return None


def _board(fen: str, datasette: Any) -> markupsafe.Markup:
    source = html.escape(datasette.urls.path(f"/-/stamma/board.svg?fen={quote(fen)}"))
    return markupsafe.Markup(
        f'<img src="{source}" alt="{html.escape(fen)}" title="{html.escape(fen)}" loading="lazy"'
        f' width="{_SIDE}" height="{_SIDE}" style="max-width: none">'
    )


def _other_start(row: Any) -> bool:
    """Whether a row tells that its game begins with another position; move numbers are then not known."""
    return "fen" in row.keys() and bool(row["fen"])


def _folded(moves: str, *, starts_elsewhere: bool) -> markupsafe.Markup:
    words = moves.split(" ")
    if not starts_elsewhere:
        words = [word if ply % 2 else f"{ply // 2 + 1}.&nbsp;{word}" for ply, word in enumerate(words)]
    shown, rest = " ".join(words[:_MOVES_SHOWN]), " ".join(words[_MOVES_SHOWN:])
    return markupsafe.Markup(f"<details><summary>{shown} …</summary>{rest}</details>")


@hookimpl
def register_routes() -> List[Any]:
    """The address of pictures, which a browser fetches for the cells that come into view."""
    return [(r"^/-/stamma/board\.svg$", board_picture)]


async def board_picture(request: Any) -> Response:
    """A picture of the position `?fen=…`."""
    fen = request.args.get("fen") or ""
    try:
        picture = await asyncio.get_running_loop().run_in_executor(None, _drawn, fen)
    except sqlite3.Error as error:
        return Response.text(f"{error}\n", status=400)
    headers = {"cache-control": f"public, max-age={_A_DAY}"}
    return Response(picture, headers=headers, content_type="image/svg+xml; charset=utf-8")


def _drawn(fen: str) -> str:
    connection = sqlite3.connect(":memory:")
    try:
        _load(connection)
        (picture,) = connection.execute("SELECT board_svg(?)", [fen]).fetchone()
        return str(picture)
    finally:
        connection.close()


@hookimpl(optionalhook=True)
def get_metadata(datasette: Any, key: str, database: str, table: str) -> Dict[str, Any]:
    """Hides the tables of each database of Stamma's that are no reading for people."""
    hidden = {name: _hidden_tables(found.path) for name, found in datasette.databases.items() if found.path}
    return {
        "databases": {
            name: {"tables": {table: {"hidden": True} for table in tables}} for name, tables in hidden.items() if tables
        }
    }


@functools.lru_cache(maxsize=None)
def _hidden_tables(path: str) -> FrozenSet[str]:
    """The tables of a database that are Stamma's own; none for a file that is no database of Stamma's."""
    connection = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)
    try:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error:
        return frozenset()
    finally:
        connection.close()
    return frozenset(tables - FOR_PEOPLE) if STAMMAS <= tables else frozenset()


@hookimpl
def canned_queries(datasette: Any, database: str) -> Any:
    """Queries for each database that is Stamma's."""

    async def queries() -> Dict[str, Dict[str, str]]:
        tables = await datasette.get_database(database).table_names()
        return QUERIES if STAMMAS <= set(tables) else {}

    return queries
