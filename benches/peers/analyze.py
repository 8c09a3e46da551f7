#!/usr/bin/env python3
"""Analyses games by a real engine, whole and with interruptions, and compares what is stored with `chess.engine`.

    benches/peers/analyze.py games.pgn --stamma target/release/stamma --engine stockfish --depth 8 --games 500 --kills 50

The first games of a file are imported. One database is analysed without interruption; another by as many runs that are
killed (SIGKILL) at random moments, one after the other, and a last one that ends. Both must have the same digest. Then a
sample of positions is searched by `chess.engine`, with a new hash table for each as `stamma analyze` does it: score, nodes
and best move must be equal. It needs the package `chess`; the exit code is 1 if anything differs.
"""

import argparse
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import chess
import chess.engine
import chess.pgn
import chess.polyglot


def first_games(path, most):
    """The text of the first games of a file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    games = re.split(r"(?m)^(?=\[Event )", text)
    return "".join(games[1:most + 1])


def analyze(options, database, processes):
    return [options.stamma, "analyze", database, "--engine", options.engine, "--depth", str(options.depth),
            "--processes", str(processes)]


def digest(options, database):
    return subprocess.run([options.stamma, "check", "--digest", database], check=True, capture_output=True,
                          text=True).stdout.strip()


def whole_run(options, database, processes):
    begin = time.time()
    run = subprocess.run(analyze(options, database, processes), capture_output=True, text=True)
    taken = time.time() - begin
    if run.returncode:
        sys.exit(f"{run.stderr}\nthe analysis ended with {run.returncode}")
    print(f"{processes} processes: {run.stderr.strip()}")
    return taken


def killed_runs(options, database, taken):
    """Runs that are killed, so that together they get about as far as a whole one."""
    kills = 0
    for turn in range(options.kills):
        child = subprocess.Popen(analyze(options, database, 1 + turn % 2), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.1, 2 * taken / options.kills))
        kills += child.poll() is None
        child.send_signal(signal.SIGKILL)
        child.wait()
    print(f"{kills} of {options.kills} runs killed at work")


def positions(text):
    """Different positions of games, which have a legal move, by their keys."""
    found = {}
    file = tempfile.TemporaryFile("w+")
    file.write(text)
    file.seek(0)
    while game := chess.pgn.read_game(file):
        board = game.board()
        found.setdefault(chess.polyglot.zobrist_hash(board), board.copy(stack=False))
        for move in game.mainline_moves():
            board.push(move)
            found.setdefault(chess.polyglot.zobrist_hash(board), board.copy(stack=False))
    return {key: board for key, board in found.items() if any(board.legal_moves)}


def five_bits(nodes):
    """The number as rows have it."""
    if nodes < 32:
        return nodes
    shift = nodes.bit_length() - 5
    first = (nodes + (1 << shift >> 1)) >> shift
    return first << shift


def compare(options, database, text):
    """Compares a sample with what the engine says to python-chess; returns the number of differences."""
    wanted = positions(text)
    rows = sqlite3.connect(database).execute("SELECT key, centipawns, mate, depth, nodes, best_move FROM evaluation")
    stored = {key & (1 << 64) - 1: rest for key, *rest in rows}
    lost, invented = wanted.keys() - stored.keys(), stored.keys() - wanted.keys()
    print(f"{len(wanted)} positions by python-chess, {len(stored)} stored: {len(lost)} lost, {len(invented)} invented")

    engine = chess.engine.SimpleEngine.popen_uci(options.engine)
    engine.configure({"Threads": 1, "Hash": 16})
    differences = len(lost) + len(invented)
    sample = random.Random(8).sample(sorted(wanted.keys() & stored.keys()), options.sample)
    for key in sample:
        board = wanted[key]
        board.halfmove_clock, board.fullmove_number = 0, 1
        info = engine.analyse(board, chess.engine.Limit(depth=options.depth), game=object())
        score = info["score"].white()
        best = board._to_chess960(info["pv"][0]).uci()
        expected = [score.score(), score.mate(), info["depth"], five_bits(info["nodes"]), best]
        if stored[key] != expected:
            differences += 1
            print(f"{board.fen()}: stored {stored[key]}, {expected} by python-chess")
    engine.quit()
    print(f"{len(sample)} positions beside chess.engine: {differences} differences")
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games")
    parser.add_argument("--stamma", default="target/release/stamma")
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--games", dest="most", type=int, default=500)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--sample", type=int, default=500)
    options = parser.parse_args()
    options.stamma = os.path.abspath(options.stamma)

    text = first_games(options.games, options.most)
    with tempfile.TemporaryDirectory() as folder:
        games, whole, killed = (os.path.join(folder, name) for name in ("games.pgn", "whole.db", "killed.db"))
        with open(games, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([options.stamma, "import", "-q", whole, games])
        shutil.copy(whole, killed)
        bytes_before = os.path.getsize(whole)
        taken = whole_run(options, whole, 1)
        rows = sqlite3.connect(whole).execute("SELECT count(*) FROM evaluation_row").fetchone()[0]
        print(f"{(os.path.getsize(whole) - bytes_before) / rows:.1f} bytes a position, {rows / taken:.0f} positions a second")

        random.seed(38)
        killed_runs(options, killed, taken)
        whole_run(options, killed, 2)
        differences = int(digest(options, whole) != digest(options, killed))
        print("the digests differ" if differences else "both databases have the same digest")
        differences += compare(options, whole, text)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
