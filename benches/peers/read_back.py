#!/usr/bin/env python3
"""Does python-chess read an export of Stamma as it reads the original?

    stamma import games.db games.pgn && stamma export games.db -o export.pgn
    python3 benches/peers/read_back.py games.pgn export.pgn

Both files are cut into games at their Event tags, and python-chess (pip install chess) reads game
against game: tag pairs, moves, final position, comments, NAGs, variations, result and terminator. White space in
comments counts as one space each. Every difference is printed with the reason for it; the exit code
is 1 when fewer than 99.9 % of the games are the same.
"""

import argparse
import codecs
import collections
import io
import itertools
import multiprocessing
import re
import sys

import chess.pgn

ENOUGH = 0.999
TERMINATORS = {"1-0", "0-1", "1/2-1/2", "*"}
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


def texts_of_games(path):
    """The bytes of each game, from its Event tag on. No comment may hold a line that looks like one."""
    with open(path, "rb") as file:
        whole = file.read().removeprefix(codecs.BOM_UTF8)
    cuts = re.split(rb"^(?=\[Event )", whole, flags=re.MULTILINE)
    if cuts[0].strip():
        sys.exit(f"{path} does not begin with an Event tag")
    return [text_for_python_chess(game) for game in cuts[1:]]


def text_for_python_chess(game):
    """The game with one blank line, after the tags: to python-chess a second one ends the game."""
    lines = [line for line in game.splitlines(keepends=True) if line.strip()]
    tags = list(itertools.takewhile(lambda line: line.startswith(b"["), lines))
    return b"".join([*tags, b"\n", *lines[len(tags) :]])


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
    return chess.pgn.read_game(io.StringIO(decode(text)), Visitor=Builder)


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
    """The names of the parts that differ, the reason, and the tags that were added."""
    number, original, export = pair
    first, second = read(original), read(export)
    ours, theirs = parts(second), parts(first)
    added = added_tags(theirs["tags"], ours["tags"])
    for name in added:
        del ours["tags"][name]
    different = [name for name in ours if ours[name] != theirs[name]]
    why = reason(first, original) if different else ""
    details = [(name, *first_difference(theirs[name], ours[name])) for name in different]
    return number, different, why, details, sorted(added)


def reason(original, text):
    """Why a game may come back changed: what python-chess finds wrong with the original."""
    variant = original.headers.get("Variant", "")
    if variant and type(original.board()) is not chess.Board:
        return f"variant {variant}: its moves are kept as a comment"
    if original.errors:
        return f"fault in the original: {original.errors[0]}"
    last = decode(text).split()[-1]
    if last not in TERMINATORS:
        return f"no terminator in the original: its last text is {last!r}"
    return "UNEXPLAINED"


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("original")
    parser.add_argument("export")
    parser.add_argument("--processes", type=int, help="default: as many as there are processors")
    arguments = parser.parse_args()
    originals, exports = map(texts_of_games, (arguments.original, arguments.export))
    if len(originals) != len(exports):
        sys.exit(f"{len(originals)} games in the original, {len(exports)} in the export")
    pairs = zip(itertools.count(1), originals, exports)
    games = equal = 0
    reasons, added_names = collections.Counter(), collections.Counter()
    with multiprocessing.Pool(arguments.processes) as pool:
        results = pool.imap(compare, pairs, chunksize=50)
        for number, different, why, details, added in results:
            games += 1
            equal += not different
            added_names.update(added)
            if different:
                reasons[why.split(":")[0]] += 1
                print(f"game {number}: {', '.join(different)} ({why})")
                for name, first, second in details:
                    print(f"    {name}: original {first!s:.160}\n    {name}: export   {second!s:.160}")
    print(f"{games} games, {equal} the same, {games - equal} different")
    for why, count in reasons.most_common():
        print(f"{count:>8} {why}")
    for name, count in added_names.most_common():
        print(f"{count:>8} games were given the tag {name}, which they lacked")
    sys.exit(equal < ENOUGH * games)


if __name__ == "__main__":
    main()
