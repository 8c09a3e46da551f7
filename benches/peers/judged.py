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


# An evaluation is bounded to so many centipawns, as by Lichess; a mate counts as much.
MAX_CENTIPAWNS = 1000
# The evaluation of the usual start, and of each start of Chess960, if a file has none.
START_CENTIPAWNS = 15


class Game:
    """What python-chess knows of a game."""

    def __init__(self, game):
        variant = game.headers.get("Variant", "Standard")
        self.is_played = re.sub(r"[\W_]", "", variant).lower() in PLAYED
        board = game.board()
        self.first_white = board.turn == chess.WHITE

        # The evaluations and clocks of all positions, by the half-moves before them.
        start = score(game.eval())
        self.has_scores = start is not None
        is_usual_start = "FEN" not in game.headers or board.fen() == chess.STARTING_FEN
        if start is None and (is_usual_start or board.chess960):
            start = ("cp", START_CENTIPAWNS)
        self.scores = [start]
        self.clocks = [None]
        for node in game.mainline():
            node_score = score(node.eval())
            self.has_scores |= node_score is not None
            self.scores.append(node_score)
            self.clocks.append(node.clock())
        self.plies = len(self.scores) - 1

        clocks = [clock for clock in self.clocks if clock is not None]
        self.least_clock = min(clocks, default=None)
        self.judge()

    def judge(self):
        """Finds the blunders, the greatest change of the evaluation, and both accuracies."""
        self.blunders = set()
        self.swing = None
        self.accuracies = None
        # The least time left on the clock at a blunder, by side.
        self.blunder_times = {}
        if not self.has_scores:
            return

        for ply in range(1, self.plies + 1):
            before, after = self.scores[ply - 1], self.scores[ply]
            if before is None or after is None:
                continue
            change = abs(bounded(before) - bounded(after))
            self.swing = max(change, self.swing or 0)
            sign = 1 if self.is_white(ply) else -1
            if is_blunder(before, after, sign):
                self.add_blunder(ply)

        # After mate, there is no evaluation of the last position.
        scores = self.scores
        if scores[-1] is None:
            scores = scores[:-1]
        if len(scores) > 2 and None not in scores:
            self.accuracies = self.accuracy([bounded(score) for score in scores])

    def add_blunder(self, ply):
        side = "white" if self.is_white(ply) else "black"
        self.blunders.add(side)
        clock = self.clocks[ply]
        if clock is not None:
            self.blunder_times[side] = min(clock, self.blunder_times.get(side, clock))

    def is_white(self, ply):
        """True if White made the half-move with this number."""
        return (ply % 2 == 1) == self.first_white

    def accuracy(self, scores):
        """The accuracies of White and Black: the mean of a weighted and a harmonic mean over their moves."""
        percents = [50 + 50 * chances(score) for score in scores]
        moves = len(percents) - 1
        deviations = window_deviations(percents, moves)

        # By side, the accuracy of each move, and its weight: more where the game is volatile.
        weighted_moves = {True: [], False: []}
        for ply in range(1, moves + 1):
            white = self.is_white(ply)
            lost = percents[ply - 1] - percents[ply]
            if not white:
                lost = -lost
            weight = min(max(deviations[ply - 1], 0.5), 12)
            weighted_moves[white].append((move_accuracy(lost), weight))

        accuracies = []
        for white in (True, False):
            pairs = weighted_moves[white]
            total_weight = sum(weight for _, weight in pairs)
            weighted = sum(accuracy * weight for accuracy, weight in pairs) / total_weight
            harmonic = len(pairs) / sum(1 / max(accuracy, 1) for accuracy, _ in pairs)
            accuracies.append(round((weighted + harmonic) / 2, 2))
        return accuracies

    def matches(self, option):
        """True if Stamma should find the game by this option."""
        name, value = option.lstrip("-").split("=", 1)
        if not self.is_played:
            return False
        if name == "blunder":
            return bool(self.blunders) if value == "any" else value in self.blunders
        if name == "swing":
            return within(self.swing, value)
        if name == "blunder-time":
            return any(within(clock, value) for clock in self.blunder_times.values())
        if name == "time-left":
            return within(self.least_clock, value)

        if self.accuracies is None:
            return False
        white, black = self.accuracies
        wanted = {"white-accuracy": [white], "black-accuracy": [black]}.get(name, [white, black])
        return all(within(accuracy, value) for accuracy in wanted)


def window_deviations(percents, moves):
    """The standard deviation of the winning chances around each move.

    The windows have a tenth of the moves, from 2 to 8 of them; the first ones begin at the start.
    """
    width = min(max(moves // 10, 2), 8)
    windows = [percents[:width]] * (width - 2)
    for start in range(len(percents) - width + 1):
        windows.append(percents[start : start + width])

    deviations = []
    for window in windows:
        mean = sum(window) / len(window)
        variance = sum((percent - mean) ** 2 for percent in window) / len(window)
        deviations.append(math.sqrt(variance))
    return deviations


def move_accuracy(lost):
    """The accuracy of a move that loses winning chances, in per cent."""
    if lost <= 0:
        return 100
    raw = 103.1668100711649 * math.exp(-0.04354415386753951 * lost) - 3.166924740191411 + 1
    return min(max(raw, 0), 100)


def score(found):
    """An evaluation as ("cp", centipawns) or ("mate", moves), from White's side."""
    if found is None:
        return None
    white = found.white()
    mate = white.mate()
    return ("cp", white.score()) if mate is None else ("mate", mate)


def bounded(evaluation):
    """The centipawns of an evaluation, within their bounds."""
    kind, value = evaluation
    if kind == "mate":
        # Mate in 0 is a mate that has happened.
        sign = (value > 0) - (value < 0)
        return sign * MAX_CENTIPAWNS
    return max(-MAX_CENTIPAWNS, min(MAX_CENTIPAWNS, value))


def chances(centipawns):
    """The winning chances, from -1 to 1."""
    return 2 / (1 + math.exp(-0.00368208 * centipawns)) - 1


def is_blunder(before, after, sign):
    """True if a move of this sign's side, 1 for White and -1 for Black, is a blunder."""
    kind_before, value_before = before
    kind_after, value_after = after
    value_before *= sign
    value_after *= sign
    if kind_before == kind_after == "cp":
        return chances(value_before) - chances(value_after) >= 0.3
    # Allows mate, and was not lost before.
    if kind_before == "cp":
        return value_after < 0 and value_before >= -700
    # Loses the mate, and is no longer winning.
    if kind_after == "cp":
        return value_before > 0 and value_after <= 700
    # Allows mate instead of giving mate.
    return value_before > 0 and value_after < 0


def within(number, bounds):
    """True if a number is within bounds such as `=5`, `5`, `5..` and `5..10`."""
    if number is None:
        return False
    if bounds.startswith("="):
        return number == float(bounds[1:])
    least, _, most = bounds.partition("..")
    return float(least or 0) <= number and (not most or number <= float(most))


def find_games(stamma, database, option):
    """The numbers of the games that Stamma finds, and the seconds that it takes to count them."""
    search = [stamma, "search", database, option]
    listed = subprocess.run(
        [*search, "--format", "csv", "--limit", "0"], capture_output=True, text=True, check=True
    )
    # The first line has the names of the columns, and the first column the numbers.
    rows = listed.stdout.splitlines()[1:]
    numbers = {int(row.split(",", 1)[0]) for row in rows}

    begin = time.time()
    subprocess.run([*search, "--format", "count"], capture_output=True, check=True)
    return numbers, time.time() - begin


def import_file(stamma, path, database):
    # Problems of games, which are no failure, have an exit code of their own.
    command = [stamma, "import", "-q", database, path]
    code = subprocess.run(command, stderr=subprocess.DEVNULL).returncode
    if code > 1:
        sys.exit(f"{path} is not imported")


def read_games(path):
    """The games of a file, and the numbers of comments whose evaluations are not read, by form."""
    games = []
    forms = collections.Counter()
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games.append(Game(game))
            for node in game.mainline():
                form = form_of_score(node.comment)
                if form is not None:
                    forms[form] += 1
    return games, forms


def form_of_score(comment):
    """The first form that a comment has, if any."""
    if comment:
        for name, form in FORMS.items():
            if form.search(comment):
                return name
    return None


def compare(stamma, path):
    """Compares all filters for a file, and prints the numbers; returns the number of differences."""
    games, forms = read_games(path)
    evaluated = sum(game.has_scores for game in games)
    with_accuracies = sum(game.accuracies is not None for game in games)
    with_clocks = sum(game.least_clock is not None for game in games)
    not_played = sum(not game.is_played for game in games)
    print(
        f"{path}: {len(games)} games, {evaluated} with evaluations, {with_accuracies} with accuracies,"
        f" {with_clocks} with clock times, {not_played} of variants that Stamma does not play"
    )

    differences = 0
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "games.db")
        import_file(stamma, path, database)
        # The import's rows are on the disk before the searches are timed.
        os.sync()
        for option in FILTERS:
            ours, seconds = find_games(stamma, database, option)
            theirs = {number for number, game in enumerate(games, 1) if game.matches(option)}
            wrong = sorted(ours ^ theirs)
            differences += len(wrong)
            remark = f"; DIFFERENT: {wrong[:5]}" if wrong else ""
            print(f"  {option:26} {len(ours):6} games, {1000 * seconds:4.0f} ms{remark}")

    for name, count in forms.most_common():
        print(f"  not read: {count:8} comments such as {name}")
    return differences


def main():
    stamma, *files = sys.argv[1:]
    differences = 0
    for path in files:
        differences += compare(stamma, path)
    print(f"{differences} differences")
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
