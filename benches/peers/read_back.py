#!/usr/bin/env python3
"""Does python-chess read an export of Stamma as it reads the original?

    python3 benches/peers/read_back.py --stamma target/release/stamma ~/pgn/engines.pgn ~/pgn/suites

Each file goes through a database. The original is cut into games where Stamma found them (games_found.py asks whether
that is right), the export at its Event tags, and python-chess (pip install chess) reads game against game: tag pairs,
moves, final position, comments, NAGs, variations and terminator. White space in comments counts as one space
each, and so do line breaks between comments of one place. A difference is counted under what explains it, mostly
a problem that Stamma reports of the game; one that nothing explains is printed, and the exit code is 1.
"""

import argparse
import codecs
import collections
import io
import itertools
import multiprocessing
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

import chess.pgn

UNEXPLAINED = "UNEXPLAINED"
# An export has all seven (PGN 8.1.1); an original may lack some.
ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}


class Builder(chess.pgn.GameBuilder):
    """Keeps the terminator and the errors, logs nothing, and reads the escapes of PGN 7 in tags."""

    def begin_game(self):
        super().begin_game()
        self.game = chess.pgn.Game.without_tag_roster()
        self.game.terminator = None
        self.variation_stack = [self.game]

    def visit_header(self, name, value):
        super().visit_header(name, re.sub(r'\\(["\\])', r"\1", value))

    def visit_result(self, result):
        self.game.terminator = result

    def handle_error(self, error):
        self.game.errors.append(error)


def files(paths):
    """PGN files, and those in folders."""
    for path in map(pathlib.Path, paths):
        yield from sorted(path.rglob("*.pgn")) if path.is_dir() else [path]


def originals_and_exports(stamma, path, folder):
    """The bytes of each game of a file, of the same game in an export, and the kinds of its problems."""
    database, export = pathlib.Path(folder, "games.db"), pathlib.Path(folder, "export.pgn")
    database.unlink(missing_ok=True)
    subprocess.run([stamma, "import", database, path], capture_output=True)
    subprocess.run([stamma, "export", database, "-o", export], capture_output=True)
    whole = path.read_bytes()
    with sqlite3.connect(database) as connection:
        kinds = "(SELECT group_concat(DISTINCT kind) FROM problem WHERE game_id = game.id)"
        games = f"SELECT byte_offset, byte_length, coalesce({kinds}, '') FROM game ORDER BY id"
        rows = connection.execute(games).fetchall()
    exports = games_of_export(export.read_bytes())
    if len(rows) != len(exports):
        sys.exit(f"{path}: {len(rows)} games, and {len(exports)} in the export")
    originals = (whole[start : start + length] for start, length, _ in rows)
    return zip(originals, exports, (kinds.split(",") for *_, kinds in rows))


def games_of_export(export):
    """The bytes of each game of an export, from its Event tag on."""
    return re.split(rb"^(?=\[Event )", export, flags=re.MULTILINE)[1:]


def text_for_python_chess(game):
    """The game with one blank line, after the tags: to python-chess a second one ends the game."""
    lines = [line for line in game.splitlines(keepends=True) if line.strip()]
    tags = list(itertools.takewhile(lambda line: line.lstrip("\ufeff").startswith("["), lines))
    return "".join([*tags, "\n", *lines[len(tags) :]])


def decode(text):
    """UTF-8, else Windows-1252 as browsers read it: bytes that stand for nothing are controls."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("cp1252", "as-latin-1")


codecs.register_error(
    "as-latin-1", lambda error: (error.object[error.start : error.end].decode("latin-1"), error.end)
)


def read(text):
    return chess.pgn.read_game(io.StringIO(text_for_python_chess(text)), Visitor=Builder)


def words(comment):
    return " ".join(comment.split())


def tree(game):
    """All nodes under a game in one list, each with its depth, move, NAGs and comments."""
    nodes = []
    stack = [(0, game)]
    while stack:
        depth, node = stack.pop()
        move = node.move.uci() if node.move else ""
        starting = words(node.starting_comment) if node.move else ""
        nodes.append((depth, move, tuple(sorted(node.nags)), starting, words(node.comment)))
        stack.extend((depth + 1, child) for child in reversed(node.variations))
    return nodes


def parts(game):
    """What is compared of a game, by name."""
    nodes = tree(game)
    return {
        "tags": dict(game.headers),
        "moves": [move.uci() for move in game.mainline_moves()],
        "final position": game.end().board().fen(),
        "variations": [(depth, move) for depth, move, *_ in nodes],
        "NAGs": [nags for _, _, nags, *_ in nodes],
        "comments": [(starting, comment) for *_, starting, comment in nodes],
        "terminator": game.terminator,
    }


def added_tags(original, export):
    """The tags that an export has to have, and the original has not."""
    added = {}
    for name, value in export.items():
        # The value of a Result tag that is added is the terminator, which is compared for itself.
        may_add = value == ROSTER.get(name) or name == "Result"
        is_setup = name == "SetUp" and value == "1" and "FEN" in original
        if name not in original and (may_add or is_setup):
            added[name] = value
    return added


def compare(pair):
    """The parts that differ, with what explains each, the first difference of each, and the tags that were added."""
    original, export, kinds = pair
    original_text, export_text = decode(original), decode(export)
    original, export = read(original_text), read(export_text)
    theirs, ours = parts(original), parts(export)
    added = added_tags(theirs["tags"], ours["tags"])
    for name in added:
        del ours["tags"][name]
    different = [name for name in ours if ours[name] != theirs[name]]
    reasons = {name: reason(name, original, original_text, kinds) for name in different}
    details = [(name, *first_difference(theirs[name], ours[name])) for name in different]
    return reasons, details, sorted(added)


# The parts that a problem explains where Stamma reports it of the game, by its kind: docs/problems.md says what is
# done with the text.
MOVETEXT = {"moves", "final position", "variations", "NAGs", "comments", "terminator"}
REPORTED = {
    "unsupported-variant": MOVETEXT,
    "invalid-fen": MOVETEXT,
    "illegal-move": MOVETEXT,
    "ambiguous-move": MOVETEXT,
    "unknown-token": MOVETEXT,
    "mixed-language": MOVETEXT,
    "imprecise-move": MOVETEXT,
    "invalid-tag": {"comments"},
    "repeated-tag": {"tags"},
    "text-after-end": {"comments"},
    "missing-terminator": {"terminator"},
    "truncated-game": {"terminator"},
}


def reason(part, original, text, kinds):
    """What explains that a part came back changed: a problem that is reported, or what the peer does not read."""
    for kind in kinds:
        if part in REPORTED.get(kind, ()):
            return kind
    if part == "comments" and re.search(r";", text):
        return "the peer leaves ; comments out"
    if part == "terminator" and text.split()[-1] == "1/2":
        return "the peer takes 1/2 for no terminator"
    if original.errors:
        return f"the peer gives up: {type(original.errors[0]).__name__}"
    return UNEXPLAINED


def first_difference(first, second):
    """Of two dicts or lists the entries where they first differ, of other things themselves."""
    if isinstance(first, dict):
        names = [name for name in first | second if first.get(name) != second.get(name)]
        return {n: first.get(n) for n in names}, {n: second.get(n) for n in names}
    if isinstance(first, list):
        for at, (a, b) in enumerate(itertools.zip_longest(first, second)):
            if a != b:
                return f"[{at}] {a}", f"[{at}] {b}"
    return first, second


class Report:
    """What was found, by kind; games that nothing explains are printed at once."""

    def __init__(self):
        self.games = self.equal = self.unexplained = 0
        self.reasons, self.added = collections.Counter(), collections.Counter()

    def game(self, path, number, reasons, details, added):
        self.games += 1
        self.equal += not reasons
        self.added.update(added)
        self.reasons.update(set((part, why) for part, why in reasons.items()))
        if UNEXPLAINED in reasons.values():
            self.unexplained += 1
            print(f"{path}, game {number}: {', '.join(reasons)}")
            for name, first, second in details:
                print(f"    {name}: original {first!s:.160}\n    {name}: export   {second!s:.160}")

    def print(self):
        different = self.games - self.equal
        print(f"{self.games} games, {self.equal} the same, {different} different, {self.unexplained} unexplained")
        for (part, why), count in self.reasons.most_common():
            print(f"{count:>8} {part}: {why}")
        for name, count in self.added.most_common():
            print(f"{count:>8} games were given the tag {name}, which they lacked")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--stamma", default="stamma")
    parser.add_argument("--processes", type=int, help="default: as many as there are processors")
    arguments = parser.parse_args()
    report = Report()
    with multiprocessing.Pool(arguments.processes) as pool, tempfile.TemporaryDirectory() as folder:
        for path in files(arguments.paths):
            pairs = originals_and_exports(arguments.stamma, path, folder)
            for number, found in enumerate(pool.imap(compare, pairs, chunksize=20), 1):
                report.game(path.name, number, *found)
    report.print()
    sys.exit(bool(report.unexplained))


if __name__ == "__main__":
    main()
