"""Keyword arguments as options of the command line, whose values the program alone interprets."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import StammaError

if TYPE_CHECKING:
    from typing_extensions import TypedDict
else:
    from typing import TypedDict

#: Bounds of a range, either of which may be missing: `(2600, None)` is `2600..`.
Range = Tuple[Optional[int], Optional[int]]
Value = Union[None, bool, int, str, datetime.date, Sequence[str], Range]


class Filters(TypedDict, total=False):
    """Which games: the options of the program, with `_` for `-`. What is given together must all hold.

    A sequence is an option given several times, a pair of numbers a range, `True` an option without a value.
    """

    pattern: str
    material: str
    flip: str
    for_: int
    moves_through: str
    player: Union[str, Sequence[str]]
    white: str
    black: str
    event: str
    site: str
    exact: bool
    since: Union[str, int, datetime.date]
    until: Union[str, int, datetime.date]
    result: Union[str, Sequence[str]]
    eco: Union[str, Sequence[str]]
    elo: Union[str, int, Range]
    white_elo: Union[str, int, Range]
    black_elo: Union[str, int, Range]
    mean_elo: Union[str, int, Range]
    winner: str
    plies: Union[str, int, Range]
    blunder: str
    swing: Union[str, int, Range]
    accuracy: Union[str, int, Range]
    white_accuracy: Union[str, int, Range]
    black_accuracy: Union[str, int, Range]
    time_left: Union[str, int, Range]
    blunder_time: Union[str, int, Range]
    start: str
    complete: bool
    no_bad_results: bool
    ending: Union[str, Sequence[str]]
    title: Union[str, Sequence[str]]
    variant: Union[str, Sequence[str]]
    speed: Union[str, Sequence[str]]
    humans: bool
    engines: bool
    annotated: bool
    comment: str
    tag: Union[str, Sequence[str]]
    line: str
    where: str
    sample: float
    seed: int


def options(settings: Mapping[str, object]) -> List[str]:
    """`{"white_elo": (2600, None), "exact": True}` as `["--white-elo=2600..", "--exact"]`."""
    return [option for name, value in settings.items() for option in _option(name, value)]


def _option(name: str, value: object) -> Iterable[str]:
    # `for` is a word of Python, so that the argument is called `for_`.
    option = "--" + name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, datetime.date):
        return [f"{option}={value:%Y.%m.%d}"]
    if _is_range(value):
        least, most = ("" if bound is None else bound for bound in value)  # type: ignore[attr-defined]
        return [f"{option}={least}..{most}"]
    if isinstance(value, (list, tuple)):
        return [f"{option}={one}" for one in value]
    return [f"{option}={value}"]


def _is_range(value: object) -> bool:
    is_bound = (int, type(None))
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(bound, is_bound) for bound in value)


def position(fen_or_moves: Optional[str], after: Optional[str] = None) -> List[str]:
    """The arguments for a position: by a FEN, by moves from the start, or by moves from a FEN."""
    if not fen_or_moves:
        return options({"after": after})
    if is_fen(fen_or_moves):
        return [fen_or_moves, *options({"after": after})]
    if not has_move(fen_or_moves):
        hint = f"a position is a FEN or moves; for the games of a player, player={fen_or_moves!r}"
        raise StammaError(f"{fen_or_moves!r} is neither a FEN nor moves: {hint}")
    return options({"after": f"{fen_or_moves} {after}" if after else fen_or_moves})


def is_fen(text: str) -> bool:
    """Whether a text has the eight ranks of a FEN; a move has none."""
    return text.split()[:1] != [] and text.split()[0].count("/") == 7


def has_move(text: str) -> bool:
    """Whether a text may have a move, in whatever notation: all have a digit, or are castling or a null move."""
    return any(letter.isdigit() or letter in "-–—" for letter in text)
