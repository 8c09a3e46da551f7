#!/usr/bin/env python3
"""What does python-chess find where Stamma found a problem?

    stamma import games.db games.pgn
    python3 benches/peers/problems.py games.pgn games.db --most 5

First, that nothing of the file was passed over: the byte ranges of all games and of the text between
them lie side by side, from the first byte to the last. Then, for some problems of each kind, the
game's bytes are read by python-chess (pip install chess), and what it says stands under what Stamma
says. `same` and `other` count whether both play the same number of half-moves; python-chess also
plays variants with other rules, and has no opinion on most faults of text. The exit code is 1 when
the ranges do not add up.
"""

import argparse
import collections
import io
import re
import sqlite3
import sys

import chess.pgn

from read_back import decode

# A piece's letter, what tells it from others of its kind, and where it goes.
SAN = re.compile(r"^([NBRQK]?)([a-h]?[1-8]?)x?([a-h][1-8])(?:=?([NBRQnbrq]))?[+#]*$")


class Builder(chess.pgn.GameBuilder):
    """Reads the mainline alone, keeps the first text that is no move, and logs nothing."""

    def begin_game(self):
        super().begin_game()
        self.game.fault = None

    def begin_variation(self):
        return chess.pgn.SKIP

    def begin_parse_san(self, board, san):
        self.board, self.token = board, san

    def handle_error(self, error):
        if self.game.fault is None:
            board, token = getattr(self, "board", None), getattr(self, "token", None)
            self.game.fault = (error, board and board.copy(), token)


def read(text):
    return chess.pgn.read_game(io.StringIO(decode(text)), Visitor=Builder)


def gaps(database, source):
    """Where the ranges of games and of text between them do not lie side by side."""
    ranges = database.execute(
        """SELECT byte_offset, byte_length, 'game ' || id FROM game WHERE source_id = :source
           UNION ALL
           SELECT byte_offset, byte_length, 'text' FROM source_text WHERE source_id = :source
           ORDER BY byte_offset""",
        {"source": source},
    )
    (size,) = database.execute("SELECT bytes FROM source WHERE id = ?", (source,)).fetchone()
    end = 0
    for offset, length, what in ranges:
        if offset != end:
            yield f"{what} begins at byte {offset}, what is before it ends at {end}"
        end = offset + length
    if end != size:
        yield f"the last range ends at byte {end}, the file at {size}"


def candidates(board, token):
    """The legal moves of such a piece to such a square."""
    match = SAN.match(token)
    if not match:
        return []
    letter, origin, target, promotion = match.groups()
    piece = chess.PIECE_SYMBOLS.index(letter.lower() or "p")
    wanted = chess.PIECE_SYMBOLS.index(promotion.lower()) if promotion else None
    return [
        move
        for move in board.legal_moves
        if move.to_square == chess.parse_square(target)
        and board.piece_type_at(move.from_square) == piece
        and all(part in chess.square_name(move.from_square) for part in origin)
        and (wanted is None or move.promotion == wanted)
    ]


def opinion(game):
    """What python-chess says, on one line, and the half-moves that it played."""
    plies = sum(1 for _ in game.mainline_moves())
    says = [f"{plies} half-moves"]
    named = [name for name in ("Variant", "Result") if name in game.headers]
    says += [f"{name} {game.headers[name]!r}" for name in named]
    if game.fault:
        error, board, token = game.fault
        says.append(f"{type(error).__name__}: {str(error)[:100]}")
        if board is not None and type(board) is chess.Board:
            moves = [f"{move.uci()} {board.san(move)}" for move in candidates(board, token)]
            says.append(f"candidates: {', '.join(moves) or 'none'}")
    else:
        says.append("no fault")
    return ", ".join(says), plies


def sample(database, source, kind, most):
    """Problems of a kind, evenly among all of it, each with the bytes of its game."""
    rows = database.execute(
        """SELECT problem.game_id, problem.ply, problem.line, problem.message,
                  game.byte_offset, game.byte_length, game.ply_count
           FROM problem JOIN game ON game.id = problem.game_id
           WHERE problem.source_id = ? AND problem.kind = ? ORDER BY problem.id""",
        (source, kind),
    ).fetchall()
    step = max(1, -(-len(rows) // most))
    return rows[::step]


def compare(pgn, rows):
    """Prints both opinions on some problems; counts where both play the same number of half-moves."""
    counts = collections.Counter()
    for game_id, ply, line, message, offset, length, ply_count in rows:
        pgn.seek(offset)
        game = read(pgn.read(length).lstrip())
        says, plies = opinion(game) if game else ("no game", None)
        counts["same" if plies == ply_count else "other"] += 1
        counts[type(game.fault[0]).__name__ if game and game.fault else "no fault"] += 1
        print(f"  game {game_id}, line {line}, after {ply} half-moves")
        print(f"    stamma:       {ply_count} half-moves, {message!r}")
        print(f"    python-chess: {says}")
    print("  " + (", ".join(f"{count} {what}" for what, count in counts.items()) or "not of a game"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pgn")
    parser.add_argument("database")
    parser.add_argument("--most", type=int, default=5, help="how many problems of each kind")
    parser.add_argument("--source", type=int, default=1, help="the file's row in the table source")
    arguments = parser.parse_args()
    database = sqlite3.connect(f"file:{arguments.database}?mode=ro", uri=True)
    found = list(gaps(database, arguments.source))
    print("\n".join(found[:20]) or "all ranges lie side by side and add up to the file")
    kinds = database.execute(
        "SELECT kind, count(*) FROM problem WHERE source_id = ? GROUP BY kind", (arguments.source,)
    )
    with open(arguments.pgn, "rb") as pgn:
        for kind, count in kinds.fetchall():
            print(f"{kind}: {count}")
            compare(pgn, sample(database, arguments.source, kind, arguments.most))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
