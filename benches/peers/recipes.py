#!/usr/bin/env python3
"""Do the recipes of docs/pgn-extract.md write the same with both programs?

    python3 benches/peers/recipes.py --stamma target/release/stamma --pgn-extract PROGRAM --eco ECO.PGN FILE...

The recipes are the tables with two columns on the page: what follows the options of pgn-extract in the first cell are
the lines of the file TAGS. Both programs run in a folder of their own, with each file of games. Their games are
compared, by players, event, site, date and round; their movetext word by word; positions by the first four fields of
their FENs. Games that pgn-extract leaves out because they are broken are left out here, too, by --complete.

Left out of the comparison are the differences that the page names: the form of comments and promotions, results behind
cut games, en passant squares without a capture, games that a cut leaves without moves, and tags. Taken out of the files
beforehand are games of variants and of shuffled starts, games without moves or without a result at their end, games
with null moves, games with a quotation mark within a tag, which pgn-extract reads as two games, and for recipes that
count half-moves the games from a FEN; for recipes that leave out equal games also those below 20 half-moves. Text
between games, which pgn-extract reads as a game without tags and moves, is not compared, and names are compared
whatever their encoding. Printed are the games (or positions) of both programs, those that only one has, and those with
other moves.

What is left has its reason on the page, but for games without tags, which are divided by empty lines, also in comments.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass

from pgn_extract import COUNTING, Game, decoded, game_texts, games, is_compared

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "pgn-extract.md"


@dataclass(frozen=True)
class Recipe:
    """The options of both programs, and the lines of the file TAGS."""

    peer: str
    lines: tuple
    stamma: str


def recipes():
    """The recipes of the page."""
    section = PAGE.read_text(encoding="utf-8").split("## Recipes", 1)[1].split("\n## ", 1)[0]
    found = []
    for row in section.splitlines():
        if row.startswith("| `-"):
            theirs, ours = row.strip("| ").split(" | ")
            peer, *lines = re.findall(r"`(.*?)`", theirs)
            found.append(Recipe(peer, tuple(lines), re.findall(r"`(.*?)`", ours)[0]))
    return found


def peer_command(recipe, arguments, file):
    """The command of pgn-extract."""
    words = shlex.split(recipe.peer.replace("*", "\\*"))
    words = [f"-e{arguments.eco}" if word == "-e" else word for word in words]
    command = [arguments.pgn_extract, *words]
    # The file of the option `-f` has the names of the files to read.
    if "-fTAGS" not in words:
        command.append(str(file))
    return command


def stamma_commands(recipe, arguments, file):
    """The commands of stamma: a conversion, or an import before another command."""
    words = shlex.split(recipe.stamma)
    if words[0] == "stamma":
        import_file = [arguments.stamma, "import", "-q", "games.db", str(file)]
        return [import_file, [arguments.stamma, *words[1:], "--complete"]]

    has_all_games = "--others" in words or "/dev/null" in words
    complete = [] if has_all_games else ["--complete"]
    return [[arguments.stamma, "convert", *words, *complete, str(file)]]


def written(folder, commands):
    """What commands write to standard output, and the files that they leave."""
    for command in commands:
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{shlex.join(command)} ended with {done.returncode}: {done.stderr.decode()[:500]}")
    files = {
        path.name: decoded(path.read_bytes())
        for path in folder.iterdir()
        if path.name not in ("TAGS", "LOG", "games.db")
    }
    text = decoded(done.stdout)
    return {**files, "standard output": text} if text.strip() else files


def prepared(file, folder):
    """Copies of a file for recipes by their kind, and the number of games left out."""
    parts = game_texts(file)
    kept = [part for part in parts if is_compared(part)]
    from_start = [part for part in kept if b"[FEN " not in part]
    copies = {"": kept, "start-": from_start, "long-": [part for part in from_start if is_long(part)]}
    for kind, parts_of_kind in copies.items():
        (folder / f"{kind}{file.name}").write_bytes(b"".join(parts_of_kind))
    return len(parts) - len(kept)


def is_long(part):
    """True for a game of 20 half-moves or more: of shorter ones, Stamma also compares players and days."""
    return re.search(rb"\b11\s*\.", re.sub(rb"(?m)^\[.*\]\s*$|\{[^}]*\}", b"", part)) is not None


def kind_of_file(recipe):
    """The kind of the copy that a recipe gets."""
    if "--unique" in recipe.stamma:
        return "long-"
    return "start-" if any(option in recipe.peer for option in COUNTING) else ""


def normalized(recipe, word):
    """A word of movetext without the differences of form."""
    if "-Wlalg" in recipe.peer:
        word = re.sub(r"^([a-h][1-8][a-h][1-8]=?[QRBN]?)[+#]$", r"\1", word)
    word = re.sub(r"^([a-h][1-8][a-h][1-8])=?([QRBN])$", lambda move: move[1] + move[2].lower(), word)
    return "" if word in ("{", "}") else word


def movetext(recipe, moves):
    """The words of a movetext that both programs should write."""
    # An en passant square that no pawn can use, and the move counters behind it.
    moves = re.sub(r"([wb] (?:[KQkq]+|-)) [a-h][36] ", r"\1 - ", moves)
    words = [normalized(recipe, word) for word in re.sub(r"([(){}])", r" \1 ", moves).split()]
    words = [word for word in words if word]
    if "--plylimit" in recipe.peer or "splitvariants" in recipe.peer:
        words = words[:-1] if words and words[-1] in ("*", "1-0", "0-1", "1/2-1/2") else words
    return " ".join(words)


def blocks(text):
    """The games of a text without tags."""
    return [Game((), (), " ".join(block.split())) for block in text.split("\n\n") if block.strip()]


def positions(text):
    """The positions of EPD and FEN, without en passant squares."""
    found = []
    for line in text.splitlines():
        fields = line.split(" ")
        if len(fields) >= 4 and fields[0].count("/") == 7 and not line.startswith("["):
            found.append(Game((), (), " ".join(fields[:3])))
    return found


def last_positions(text):
    """The FENs in comments at the ends of games."""
    found = re.findall(r'\{ "?([^{}"]*/[^{}"]*)"? \} (?:1-0|0-1|1/2-1/2|\*)', " ".join(text.split()))
    return [Game((), (), " ".join(fen.split(" ")[:3])) for fen in found]


def items(recipe, text, is_peer):
    """What is compared of a text."""
    if "--format" in recipe.stamma:
        return last_positions(text) if recipe.peer == "-F" and is_peer else positions(text)
    found = blocks(text) if "--notags" in recipe.peer else games(text)

    has_other_moves = "-Whalg" in recipe.peer or "--splitvariants" in recipe.peer
    compared_items = []
    for game in found:
        if is_text_between_games(game):
            continue
        moves = "" if has_other_moves else movetext(recipe, game.moves)
        # A cut leaves some games without moves.
        if "--dropply" in recipe.peer and " " not in moves:
            continue
        compared_items.append(Game(names_of(recipe, game), (), moves))
    return compared_items


def is_text_between_games(game):
    """True for a game without tags and moves, as which pgn-extract reads text between games."""
    return set(game.names) == {"?", "????.??.??"} and game.moves == "*"


def names_of(recipe, game):
    """What tells which game it is; repairs change dates."""
    if "--xroster" in recipe.peer or not game.names:
        return ()
    event, site, date, *others = (re.sub(r"[^ -~]+", "~", name) for name in game.names)
    return (event, site, "" if "--fix" in recipe.stamma else date, *others)


def compared(recipe, theirs, ours):
    """The numbers of games of both, of those that one has, and of those with other moves; and examples."""
    # Files by opening: pgn-extract and Stamma name the file of games without a code differently.
    theirs = {name.replace("noeco", "unknown"): text for name, text in theirs.items()}
    totals = Counter()
    examples = []
    for name in sorted(set(theirs) | set(ours)):
        their_items = items(recipe, theirs.get(name, ""), True)
        our_items = items(recipe, ours.get(name, ""), False)
        totals["theirs"] += len(their_items)
        totals["ours"] += len(our_items)

        # A game that is missing and further has the same names in both, and other moves.
        missing = Counter(their_items) - Counter(our_items)
        further = Counter(our_items) - Counter(their_items)
        missing_names = Counter(item.names for item in missing.elements())
        further_names = Counter(item.names for item in further.elements())
        other = sum((missing_names & further_names).values())
        totals["missing"] += sum(missing.values()) - other
        totals["further"] += sum(further.values()) - other
        totals["other"] += other

        examples += [(name, "theirs", item) for item in list(missing)[:2]]
        examples += [(name, "ours", item) for item in list(further)[:2]]
    return totals, examples


def compare_file(recipe, arguments, file):
    """Runs both programs for a file, each in a folder of its own, and compares what they write."""
    with tempfile.TemporaryDirectory() as their_name, tempfile.TemporaryDirectory() as our_name:
        their_folder = pathlib.Path(their_name)
        our_folder = pathlib.Path(our_name)
        lines = [str(file) if line == "FILE" else line for line in recipe.lines]
        (their_folder / "TAGS").write_text("\n".join(lines) + "\n", encoding="utf-8")

        theirs = written(their_folder, [peer_command(recipe, arguments, file)])
        ours = written(our_folder, stamma_commands(recipe, arguments, file))
        return compared(recipe, theirs, ours)


def compare_recipe(recipe, arguments, folder):
    """Compares a recipe for all files, and prints the sums; true if nothing differs."""
    totals = Counter()
    examples = []
    for original in arguments.files:
        file = folder / f"{kind_of_file(recipe)}{original.name}"
        if file.stat().st_size:
            of_file, examples_of_file = compare_file(recipe, arguments, file)
            totals += of_file
            examples += examples_of_file

    widths = {"theirs": 8, "ours": 8, "missing": 8, "further": 8, "other": 7}
    numbers = "".join(f"{totals[name]:{width}}" for name, width in widths.items())
    print(f"{numbers}  {recipe.peer} {' '.join(recipe.lines)}", flush=True)
    if arguments.show:
        for name, whose, item in examples[:6]:
            print(f"      {whose} {name}: {item.names} {item.moves[:300]}")
    return not (totals["missing"] or totals["further"] or totals["other"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--stamma", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--pgn-extract", required=True)
    parser.add_argument("--eco", required=True, help="the file of openings of pgn-extract")
    parser.add_argument("--show", action="store_true", help="print examples of differences")
    parser.add_argument("--only", help="recipes whose options contain this")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in arguments.files:
            left_out = prepared(file, folder)
            print(f"{file}: {left_out} games left out")

        print(f"{'theirs':>8}{'ours':>8}{'missing':>8}{'further':>8}{'other':>7}  recipe")
        sums = Counter()
        for recipe in recipes():
            if arguments.only and arguments.only not in recipe.peer:
                continue
            is_same = compare_recipe(recipe, arguments, folder)
            sums["same" if is_same else "different"] += 1
        print(dict(sums))


if __name__ == "__main__":
    main()
