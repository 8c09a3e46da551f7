"""The rows of answers. Written by `STAMMA_BLESS=1 cargo test --test docs` from the types of the program."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Hit(NamedTuple):
    """A game that a search has found."""

    #: The name of the database, if several databases are queried.
    database: Optional[str]
    #: The number of the game in its database.
    game: int
    #: The White tag.
    white: Optional[str]
    #: The Black tag.
    black: Optional[str]
    #: White's Elo.
    white_elo: Optional[int]
    #: Black's Elo.
    black_elo: Optional[int]
    #: `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: str
    #: The Date tag.
    date: Optional[str]
    #: The Event tag.
    event: Optional[str]
    #: The WhiteTitle tag.
    white_title: Optional[str]
    #: The BlackTitle tag.
    black_title: Optional[str]
    #: The Site tag.
    site: Optional[str]
    #: The Round tag.
    round: Optional[str]
    #: The ECO tag, or the code of the opening without one.
    eco: Optional[str]
    #: The name of the opening, by the moves.
    opening: Optional[str]
    #: The number of half-moves.
    plies: int
    #: The file that the game was imported from.
    source: str
    #: The half-moves before the first match; null if the query has no place in a game.
    ply: Optional[int]
    #: The move that follows; null at the end of the game, and in variations.
    san: Optional[str]
    #: `true` if the match is in a variation.
    in_variation: bool


class MoveCount(NamedTuple):
    """A move that was played in a position; `line` is in trees of moves only."""

    #: The move.
    san: Optional[str]
    #: The move as chess programs write it.
    uci: Optional[str]
    #: All games.
    games: int
    #: Games that White won.
    white: int
    #: Drawn games.
    draws: int
    #: Games that Black won.
    black: int
    #: Games without a known result.
    unfinished: int
    #: The average Elo of the side to move.
    average_elo: Optional[int]
    #: The performance rating of the side to move.
    performance: Optional[int]
    #: The first year in which the move was played.
    first_year: Optional[int]
    #: The last year in which the move was played.
    last_year: Optional[int]
    #: The database of the first game, if several databases are queried.
    first_database: Optional[str]
    #: The first game with the move.
    first_game: Optional[int]
    #: The date of the first game.
    first_date: Optional[str]
    #: The database of the best game, if several databases are queried.
    best_database: Optional[str]
    #: The game with the highest average Elo.
    best_game: Optional[int]
    #: The name of the position in which the move is played.
    opening_before: Optional[str]
    #: The ECO code.
    eco: Optional[str]
    #: The name.
    opening: Optional[str]
    #: The evaluation in hundredths of a pawn; positive is good for White.
    eval_cp: Optional[int]
    #: Moves to mate; positive if White mates.
    eval_mate: Optional[int]
    #: The depth of the search in half-moves.
    eval_depth: Optional[int]
    #: The moves up to this one, separated by spaces.
    line: Optional[str]


class PlayerRow(NamedTuple):
    """A part of a player's record."""

    #: `total`, `spelling`, `other-player`, `color`, `opening`, `family`, `variation`, `opponent`, `year` or `game`.
    group: str
    #: The key of the row: a spelling, another player, an ECO code, the name of an opening, an opponent, a year.
    name: Optional[str]
    #: The color of the player.
    color: Optional[str]
    #: The number of a game.
    game: Optional[int]
    #: The most frequent name among the player's games with an ECO code.
    opening: Optional[str]
    #: All games, including games without a result.
    games: int
    #: Games won.
    wins: int
    #: Games drawn.
    draws: int
    #: Games lost.
    losses: int
    #: The score in games with a result, in per cent with one decimal.
    score: Optional[float]
    #: The average Elo of the player.
    average_elo: Optional[int]
    #: The highest Elo of the player.
    highest_elo: Optional[int]
    #: The average Elo of opponents in games with a result.
    opponent_elo: Optional[int]
    #: The performance rating against these opponents.
    performance: Optional[int]
    #: The earliest date of a game.
    first_date: Optional[str]
    #: The latest date of a game.
    last_date: Optional[str]


class HeadToHeadGame(NamedTuple):
    """A game of two players."""

    #: The color of the player.
    color: str
    #: The name of the database, if several databases are queried.
    database: Optional[str]
    #: The number of the game in its database.
    game: int
    #: The White tag.
    white: Optional[str]
    #: The Black tag.
    black: Optional[str]
    #: White's Elo.
    white_elo: Optional[int]
    #: Black's Elo.
    black_elo: Optional[int]
    #: `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: str
    #: The Date tag.
    date: Optional[str]
    #: The Event tag.
    event: Optional[str]
    #: The WhiteTitle tag.
    white_title: Optional[str]
    #: The BlackTitle tag.
    black_title: Optional[str]
    #: The Site tag.
    site: Optional[str]
    #: The Round tag.
    round: Optional[str]
    #: The ECO tag, or the code of the opening without one.
    eco: Optional[str]
    #: The name of the opening, by the moves.
    opening: Optional[str]
    #: The number of half-moves.
    plies: int
    #: The file that the game was imported from.
    source: str
