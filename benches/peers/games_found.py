#!/usr/bin/env python3
"""How many games does Stamma find in a file, and how many python-chess?

    python3 benches/peers/games_found.py --stamma target/release/stamma ~/pgn/suites ~/pgn/dirty

A line for each file: games that Stamma finds, games that python-chess (pip install chess) finds, and the
problems that Stamma reports. A difference needs a reason: one is looked for in REASONS by the file's name, and
where there is none, the exit code is 1.
"""

import argparse
import io
import logging
import pathlib
import subprocess
import sys
import tempfile

import chess.pgn

from read_back import decode

# Why another number is right, by the names of files.
REASONS = {
    "crafty06_02.pgn": "a letter in HTML without a game; the peer takes its paragraphs for games",
}


def peer_games(path):
    """The games that python-chess finds; it skips what it cannot use, and logs it."""
    text, games = io.StringIO(decode(path.read_bytes())), 0
    while chess.pgn.read_headers(text) is not None:
        games += 1
    return games


def stamma_games(stamma, path):
    """The games that Stamma finds, and its problems."""
    with tempfile.TemporaryDirectory() as folder:
        log, out = pathlib.Path(folder, "problems.jsonl"), pathlib.Path(folder, "out.pgn")
        command = [stamma, "convert", path, "-o", out, "--problems", log]
        said = subprocess.run(command, capture_output=True, text=True).stderr.splitlines()
        problems = len(log.read_text().splitlines()) if log.exists() else 0
    counts = [line for line in said if " in " in line and line.split()[1] in ("game,", "games,")]
    return int(counts[-1].split()[0].replace(",", "")) if counts else 0, problems


def files(paths):
    for path in map(pathlib.Path, paths):
        yield from sorted(path.rglob("*.pgn")) if path.is_dir() else [path]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--stamma", default="stamma")
    arguments = parser.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    unexplained = 0
    print(f"{'stamma':>7} {'peer':>7} {'problems':>8}  file")
    for path in files(arguments.paths):
        own, problems = stamma_games(arguments.stamma, path)
        peer = peer_games(path)
        reason = "" if own == peer else REASONS.get(path.name, "NO REASON KNOWN")
        unexplained += reason == "NO REASON KNOWN"
        print(f"{own:>7} {peer:>7} {problems:>8}  {path.name}  {reason}".rstrip())
    sys.exit(bool(unexplained))


if __name__ == "__main__":
    main()
