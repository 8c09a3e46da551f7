#!/usr/bin/env python3
"""Makes a file of evaluations in the form of Lichess's, of positions of games, by an engine.

    benches/peers/evaluations.py games.pgn --engine stockfish --depth 8 --positions 200000 > evaluations.jsonl

Each position is asked once, by as many engines as there are --processes. It needs the package `chess`.
"""

import argparse
import json
import multiprocessing
import sys

import chess
import chess.engine
import chess.pgn


def positions(path, most):
    """Different positions of games, in their order."""
    seen = set()
    with open(path, encoding="utf-8", errors="replace") as file:
        while len(seen) < most and (game := chess.pgn.read_game(file)):
            board = game.board()
            if board.uci_variant != "chess" or board.chess960:
                continue
            for move in game.mainline_moves():
                board.push(move)
                fen = board.fen(en_passant="legal").rsplit(" ", 2)[0]
                if fen not in seen and not board.is_game_over():
                    seen.add(fen)
                    yield fen
                    if len(seen) == most:
                        return


engine = None


def start(command):
    global engine
    engine = chess.engine.SimpleEngine.popen_uci(command)
    engine.configure({"Threads": 1, "Hash": 16})


def ask(question):
    fen, depth = question
    board = chess.Board(fen + " 0 1")
    info = engine.analyse(board, chess.engine.Limit(depth=depth))
    score = info["score"].white()
    found = {"cp": score.score()} if score.mate() is None else {"mate": score.mate()}
    # Castling is king takes rook.
    played, line = board.copy(), []
    for move in info.get("pv", []):
        line.append(played._to_chess960(move).uci() if hasattr(played, "_to_chess960") else move.uci())
        played.push(move)
    found["line"] = " ".join(line)
    search = {"pvs": [found], "knodes": max(1, info.get("nodes", 0) // 1000), "depth": info.get("depth", depth)}
    return json.dumps({"fen": fen, "evals": [search]}, separators=(",", ":"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games")
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args()
    questions = ((fen, options.depth) for fen in positions(options.games, options.positions))
    with multiprocessing.Pool(options.processes, start, [options.engine]) as pool:
        for line in pool.imap(ask, questions, chunksize=64):
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
