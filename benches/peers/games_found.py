#!/usr/bin/env python3
"""How many games does Stamma find in a file, and how many python-chess?

    python3 benches/peers/games_found.py --stamma target/release/stamma ~/pgn/suites ~/pgn/dirty

Prints a table in Markdown with a row for each file: games that an import finds, games that python-chess (pip install
chess) finds, problems by kind, and why the numbers differ. A reason is looked for in REASONS by folder and name
of the file; where there is none, the exit code is 1. `--different` prints these rows alone.
"""

import argparse
import io
import logging
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import chess.pgn

from read_back import decode, files

NO_REASON = "NO REASON KNOWN"

BLANK_LINES = "blank lines among tags or moves, each of which ends a game for the peer"
UNCLOSED = "a comment never closes: the peer takes the next games for its text"
MARKUP = "prose or HTML without a game, whose paragraphs are games to the peer"
BETWEEN = "text between games, kept as such, which is a game to the peer"
NO_TAGS = "games without tags or blank lines, told apart by `1.` behind a terminator, are one game to the peer"

# Why the numbers differ and Stamma's is right, by folder and name.
REASONS = {
    "annotated-classics/chessdoctor.pgn": BLANK_LINES,
    "annotated-classics/d00_chess_informant.pgn": BETWEEN,
    "annotated-classics/europe_echecs.pgn": UNCLOSED,
    "annotated-classics/human_computer.pgn": BLANK_LINES,
    "break-pgn/crafty06_01.pgn": BETWEEN,
    "break-pgn/crafty06_02.pgn": MARKUP,
    "break-pgn/crafty06_03.pgn": MARKUP,
    "long-short-comments-variations-1/database.pgn": BLANK_LINES,
    "long-short-comments-variations-2/database.pgn": BLANK_LINES,
    "long-short-comments-variations-3/database.pgn": BLANK_LINES,
    "misc/database.pgn": BLANK_LINES,
    "semantic-error/database.pgn": BLANK_LINES,
    "syntactic-error-1/database.pgn": BLANK_LINES + "; and " + BETWEEN,
    "syntactic-error-2/database.pgn": MARKUP,
    "syntactic-error-3/database.pgn": MARKUP,
    "syntactic-error-4/database.pgn": UNCLOSED,
    "pgn4web/demoGames.pgn": BLANK_LINES,
    "invalid/0001.pgn": BETWEEN,
    "dirty/games.pgn": NO_TAGS,
    "dirty/tiny-1-4-plies.pgn": BLANK_LINES,
}


def peer_games(path):
    """The games that python-chess finds; it skips what it cannot use, and logs it."""
    text, games = io.StringIO(decode(path.read_bytes())), 0
    while chess.pgn.read_headers(text) is not None:
        games += 1
    return games


def stamma_games(stamma, path):
    """The games that an import finds, and its problems by kind, the most frequent first."""
    with tempfile.TemporaryDirectory() as folder:
        database = pathlib.Path(folder, "games.db")
        subprocess.run([stamma, "import", database, path], capture_output=True)
        if not database.exists():
            return 0, []
        connection = sqlite3.connect(database)
        (games,) = connection.execute("SELECT count(*) FROM game").fetchone()
        kinds = "SELECT kind, count(*) FROM problem GROUP BY kind ORDER BY 2 DESC, 1"
        return games, connection.execute(kinds).fetchall()


def reason(path, own, peer):
    """Why the numbers differ, nothing where they do not."""
    return "" if own == peer else REASONS.get("/".join(path.parts[-2:]), NO_REASON)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--stamma", default="stamma")
    parser.add_argument("--different", action="store_true", help="only files in which the numbers differ")
    arguments = parser.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    unexplained = 0
    print("| file | stamma | python-chess | problems | reason |\n|---|--:|--:|---|---|")
    for path in files(arguments.paths):
        own, problems = stamma_games(arguments.stamma, path)
        peer = peer_games(path)
        why = reason(path, own, peer)
        unexplained += why == NO_REASON
        if why or not arguments.different:
            kinds = ", ".join(f"{count} {kind}" for kind, count in problems)
            name = "/".join(path.parts[-2:])
            print(f"| {name} | {own} | {peer} | {kinds} | {why} |")
    sys.exit(bool(unexplained))


if __name__ == "__main__":
    main()
