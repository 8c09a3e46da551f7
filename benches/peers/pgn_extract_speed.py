#!/usr/bin/env python3
"""How long do the commonest commands of pgn-extract take, and the same with Stamma?

    python3 benches/peers/pgn_extract_speed.py --stamma target/release/stamma --pgn-extract PROGRAM --eco ECO.PGN FILE

Both programs read FILE, which is in the page cache, and write a file in a temporary folder. They take turns; printed are
the medians, and their ratios for elapsed and for processor time: Stamma uses all processors, pgn-extract one. The
commands are those that occur most among the recipes of docs/pgn-extract.md; benches/peers/recipes.py compares what they
write.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

COMMANDS = (
    ("", ""),
    ("-C -N -V", "--comments drop --nags drop --variations drop"),
    ("-D", "--unique"),
    ("-7 -C", "--tags roster --comments drop"),
    ("-Wuci", "--notation uci --variations drop --nags drop --comments drop --no-move-numbers"),
    ("--fencomments -C", "--fen-comments --comments drop"),
    ("--plylimit 20", "--ply-limit 20"),
    ("-TpCarlsen", "--player carlsen"),
    ("--checkmate", "--ending checkmate"),
    ("-e", "--replace eco,opening"),
)


def processor_seconds():
    """The processor time of all commands so far."""
    times = os.times()
    return times.children_user + times.children_system


def seconds(command, output):
    """The time of a command that writes a file, and its processor time."""
    with output.open("wb") as out:
        start, before = time.perf_counter(), processor_seconds()
        done = subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=False)
        spent = time.perf_counter() - start, processor_seconds() - before
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {done.returncode}")
    return spent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("file")
    parser.add_argument("--stamma", required=True)
    parser.add_argument("--pgn-extract", required=True)
    parser.add_argument("--eco", required=True, help="the file of openings of pgn-extract")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()

    print("| pgn-extract | `stamma convert` | pgn-extract | Stamma | ratio | of processor time |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "out.pgn"
        for peer, stamma in COMMANDS:
            words = [f"-e{given.eco}" if word == "-e" else word for word in peer.split()]
            theirs, ours = [], []
            for _ in range(given.runs):
                theirs.append(seconds([given.pgn_extract, "-s", *words, given.file], output))
                ours.append(seconds([given.stamma, "convert", "-q", *stamma.split(), given.file], output))
            their, their_work = map(statistics.median, zip(*theirs))
            our, our_work = map(statistics.median, zip(*ours))
            times = f"{their:.2f} s | {our:.2f} s | {their / our:.1f} | {their_work / our_work:.1f}"
            print(f"| `{peer}` | `{stamma}` | {times} |", flush=True)


if __name__ == "__main__":
    main()
