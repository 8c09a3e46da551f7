"""Pictures of positions, as notebooks show them."""

from __future__ import annotations

from typing import Optional

from ._options import options, position
from ._program import run


class Picture(str):
    """A picture in SVG: a text to write into a file, and a board in a notebook."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} characters>"


def board(fen_or_moves: Optional[str] = None, *, flip: bool = False, size: int = 400) -> Picture:
    """Draw a position, given as a FEN or by moves from the start, as `stamma board` does."""
    return Picture(run("board", *position(fen_or_moves), *options({"flip": flip, "size": size}), "--output=-"))
