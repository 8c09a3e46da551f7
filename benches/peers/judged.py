#!/usr/bin/env python3
"""Compares Stamma's filters over evaluations and clock times with python-chess.

    benches/peers/judged.py target/release/stamma lichess.pgn engines.pgn

Each file is imported. python-chess reads the same file, its `node.eval()` and `node.clock()` give the evaluations and
the clock times, and the formulas of Lichess (https://lichess.org/page/accuracy) are applied to them here. The games
that Stamma finds for each filter are compared one by one. At the end, the forms of evaluations that neither reads are
counted.
"""

import collections
import math
import os
import re
import subprocess
import sys
import tempfile
import time

import chess
import chess.engine
import chess.pgn

FILTERS = (
    ["--blunder=white", "--blunder=black", "--blunder=any"]
    + [f"--swing={bounds}" for bounds in ("..50", "100..200", "300", "600..1999", "=2000")]
    + [
        f"--{side}accuracy={bounds}"
        for side in ("", "white-", "black-")
        for bounds in ("..40", "40..60", "..70", "70..80", "80..90", "95")
    ]
    + [f"--blunder-time={bounds}" for bounds in ("..5", "..30", "10..60", "120")]
    + [f"--time-left={bounds}" for bounds in ("=0", "..1", "..10", "10..60", "60..600", "3600")]
)

# The variants that Stamma plays. The movetext of others is kept as text, without comments.
PLAYED = {"standard", "fromposition", "chess960", "fischerandom", "kingofthehill", "threecheck"}

# Comments that speak of a score without the command `eval`.
FORMS = {
    "(line) +0.35/18 12": re.compile(r"\([^)]*\)\s*[+-]?\d+\.\d+/\d+"),
    "+0.35/18 12": re.compile(r"(?<!\))\s*[+-]?\d+\.\d+/\d+"),
    "(line) +0.35": re.compile(r"\([^)]*\)\s*[+-]?\d+\.\d+(?!/|\d)"),
    "wv=0.25": re.compile(r"\bwv=[+-]?\d"),
    "mate: +M5/20, #5": re.compile(r"(?<!%eval )[+-]?(?:M|#)-?\d+(?:/\d+)?"),
}


class Game:
    """What python-chess knows of a game."""

    def __init__(self, game):
        variant = game.headers.get("Variant", "Standard")
        self.is_played = re.sub(r"[\W_]", "", variant).lower() in PLAYED
        self.first_white = game.board().turn == chess.WHITE
        usual = "FEN" not in game.headers or game.board().fen() == chess.STARTING_FEN
        start = score(game.eval())
        self.has_scores = start is not None
        if start is None and (usual or game.board().chess960):
            start = ("cp", 15)
        self.scores = [start]
        clocks, self.clocks = [], [None]
        for node in game.mainline():
            here = score(node.eval())
            self.has_scores |= here is not None
            self.scores.append(here)
            clock = node.clock()
            self.clocks.append(clock)
            if clock is not None:
                clocks.append(clock)
        self.plies = len(self.scores) - 1
        self.clock = min(clocks, default=None)
        self.judge()

    def judge(self):
        self.blunders, self.swing, self.accuracies = set(), None, None
        self.blunder_times = {}
        if not self.has_scores:
            return
        for ply in range(1, self.plies + 1):
            before, after = self.scores[ply - 1 : ply + 1]
            if before is None or after is None:
                continue
            change = abs(bounded(before) - bounded(after))
            self.swing = max(change, self.swing or 0)
            white = self.is_white(ply)
            if is_blunder(before, after, 1 if white else -1):
                side = "white" if white else "black"
                self.blunders.add(side)
                time = self.clocks[ply]
                if time is not None:
                    self.blunder_times[side] = min(time, self.blunder_times.get(side, time))
        scores = self.scores
        if scores[-1] is None:
            scores = scores[:-1]
        if len(scores) > 2 and None not in scores:
            self.accuracies = self.accuracy([bounded(one) for one in scores])

    def is_white(self, ply):
        return (ply % 2 == 1) == self.first_white

    def accuracy(self, scores):
        percents = [50 + 50 * chances(one) for one in scores]
        moves = len(percents) - 1
        width = min(max(moves // 10, 2), 8)
        first = percents[:width]
        windows = [first] * (width - 2)
        windows += [percents[at : at + width] for at in range(len(percents) - width + 1)]
        found = {True: [], False: []}
        for ply in range(1, moves + 1):
            window = windows[ply - 1]
            mean = sum(window) / len(window)
            deviation = math.sqrt(sum((one - mean) ** 2 for one in window) / len(window))
            white = self.is_white(ply)
            lost = (percents[ply - 1] - percents[ply]) * (1 if white else -1)
            raw = 103.1668100711649 * math.exp(-0.04354415386753951 * lost) - 3.166924740191411 + 1
            accuracy = 100 if lost <= 0 else min(max(raw, 0), 100)
            found[white].append((accuracy, min(max(deviation, 0.5), 12)))
        accuracies = []
        for white in (True, False):
            pairs = found[white]
            weighted = sum(one * weight for one, weight in pairs) / sum(w for _, w in pairs)
            harmonic = len(pairs) / sum(1 / max(one, 1) for one, _ in pairs)
            accuracies.append(round((weighted + harmonic) / 2, 2))
        return accuracies

    def matches(self, option):
        name, value = option.lstrip("-").split("=", 1)
        if not self.is_played:
            return False
        if name == "blunder":
            return bool(self.blunders) if value == "any" else value in self.blunders
        if name == "swing":
            return within(self.swing, value)
        if name == "blunder-time":
            return any(within(time, value) for time in self.blunder_times.values())
        if name == "time-left":
            return within(self.clock, value)
        if self.accuracies is None:
            return False
        wanted = {"white-accuracy": [0], "black-accuracy": [1]}.get(name, [0, 1])
        return all(within(self.accuracies[at], value) for at in wanted)


def score(found):
    """An evaluation as ("cp", centipawns) or ("mate", moves), from White's side."""
    if found is None:
        return None
    white = found.white()
    mate = white.mate()
    return ("cp", white.score()) if mate is None else ("mate", mate)


def bounded(one):
    kind, value = one
    if kind == "mate":
        return 1000 if value > 0 else -1000 if value < 0 else 0
    return max(-1000, min(1000, value))


def chances(centipawns):
    return 2 / (1 + math.exp(-0.00368208 * centipawns)) - 1


def is_blunder(before, after, sign):
    (kind, was), (next_kind, now) = before, after
    was, now = was * sign, now * sign
    if kind == next_kind == "cp":
        return chances(was) - chances(now) >= 0.3
    if kind == "cp":
        return now < 0 and was >= -700
    if next_kind == "cp":
        return was > 0 and now <= 700
    return was > 0 and now < 0


def within(number, bounds):
    if number is None:
        return False
    if bounds.startswith("="):
        return number == float(bounds[1:])
    least, _, most = bounds.partition("..")
    return float(least or 0) <= number and (".." not in bounds or not most or number <= float(most))


def found(stamma, database, option):
    command = [stamma, "search", database, "--format", "csv", "--limit", "0", option]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    count = [stamma, "search", database, "--format", "count", option]
    begin = time.time()
    subprocess.run(count, capture_output=True, check=True)
    return {int(line.split(",", 1)[0]) for line in lines[1:]}, time.time() - begin


def main():
    stamma, *files = sys.argv[1:]
    differences = 0
    for path in files:
        with tempfile.TemporaryDirectory() as folder:
            database = os.path.join(folder, "games.db")
            # Problems of games, which are no failure, have an exit code of their own.
            command = [stamma, "import", "-q", database, path]
            code = subprocess.run(command, stderr=subprocess.DEVNULL).returncode
            if code > 1:
                sys.exit(f"{path} is not imported")
            games, forms = [], collections.Counter()
            evaluated = 0
            with open(path, encoding="utf-8", errors="replace") as file:
                while (game := chess.pgn.read_game(file)) is not None:
                    games.append(Game(game))
                    evaluated += games[-1].has_scores
                    for node in game.mainline():
                        for name, form in FORMS.items():
                            if node.comment and form.search(node.comment):
                                forms[name] += 1
                                break
            print(f"{path}: {len(games)} games, {evaluated} with evaluations,", end=" ")
            print(f"{sum(one.accuracies is not None for one in games)} with accuracies,", end=" ")
            print(f"{sum(one.clock is not None for one in games)} with clock times,", end=" ")
            print(f"{sum(not one.is_played for one in games)} of variants that Stamma does not play")
            for option in FILTERS:
                ours, seconds = found(stamma, database, option)
                theirs = {number for number, game in enumerate(games, 1) if game.matches(option)}
                wrong = sorted(ours ^ theirs)
                differences += len(wrong)
                remark = f"; DIFFERENT: {wrong[:5]}" if wrong else ""
                print(f"  {option:26} {len(ours):6} games, {1000 * seconds:4.0f} ms{remark}")
            for name, count in forms.most_common():
                print(f"  not read: {count:8} comments such as {name}")
    print(f"{differences} differences")
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
