#!/usr/bin/env python3
"""Do the recipes of docs/pgn-extract.md write the same with both programs?

    python3 benches/peers/recipes.py --stamma target/release/stamma --pgn-extract PROGRAM --eco ECO.PGN FILE...

The recipes are the tables with two columns on the page: what follows the options of pgn-extract in the first cell are
the lines of the file TAGS. Both programs run in a folder of their own, with each file of games. Their games are compared,
by players, event, site, date and round; their movetext word by word; positions by the first four fields of their FENs. Games
that pgn-extract leaves out because they are broken are left out here, too, by --complete.

Left out of the comparison are the differences that the page names: the form of comments and promotions, results behind
cut games, en passant squares without a capture, games that a cut leaves without moves, and tags. Taken out of the files
beforehand are games of variants and of shuffled starts, games without moves or without a result at their end, games with
null moves, games with a quotation mark within a tag, which pgn-extract reads as two games, and for recipes that count
half-moves the games from a FEN; for recipes that leave out equal games also those below 20 half-moves. Text between games, which pgn-extract reads as a game without tags and moves, is not
compared, and names are compared whatever their encoding. Printed are the games (or positions) of both programs, those that
only one has, and those with other moves.

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


def peer_command(recipe, given, file):
    """The command of pgn-extract."""
    words = shlex.split(recipe.peer.replace("*", "\\*"))
    words = [f"-e{given.eco}" if word == "-e" else word for word in words]
    return [given.pgn_extract, *words] + ([] if "-fTAGS" in words else [str(file)])


def stamma_commands(recipe, given, file):
    """The commands of stamma."""
    words = shlex.split(recipe.stamma)
    if words[0] != "stamma":
        complete = [] if "--others" in words or "/dev/null" in words else ["--complete"]
        return [[given.stamma, "convert", *words, *complete, str(file)]]
    prepared = [given.stamma, "import", "-q", "games.db", str(file)]
    return [prepared, [given.stamma, *words[1:], "--complete"]]


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
    if "--notags" in recipe.peer:
        found = blocks(text)
    else:
        found = [one for one in games(text) if set(one.names) != {"?", "????.??.??"} or one.moves != "*"]
    has_other_moves = "-Whalg" in recipe.peer or "--splitvariants" in recipe.peer
    moves = lambda one: "" if has_other_moves else movetext(recipe, one.moves)
    compared_items = [Game(names_of(recipe, one), (), moves(one)) for one in found]
    if "--dropply" in recipe.peer:
        compared_items = [one for one in compared_items if " " in one.moves]
    return compared_items


def names_of(recipe, one):
    """What tells which game it is; repairs change dates."""
    if "--xroster" in recipe.peer or not one.names:
        return ()
    event, site, date, *others = (re.sub(r"[^ -~]+", "~", name) for name in one.names)
    return (event, site, "" if "--fix" in recipe.stamma else date, *others)


def compared(recipe, theirs, ours):
    """The numbers of games of both, of those that one has, and of those with other moves."""
    theirs = {name.replace("noeco", "unknown"): text for name, text in theirs.items()}
    names = sorted(set(theirs) | set(ours))
    totals = Counter()
    examples = []
    for name in names:
        one = items(recipe, theirs.get(name, ""), True)
        other = items(recipe, ours.get(name, ""), False)
        totals["theirs"] += len(one)
        totals["ours"] += len(other)
        missing, further = Counter(one) - Counter(other), Counter(other) - Counter(one)
        missing_names = Counter(item.names for item in missing.elements())
        further_names = Counter(item.names for item in further.elements())
        both = sum((missing_names & further_names).values())
        totals["missing"] += sum(missing.values()) - both
        totals["further"] += sum(further.values()) - both
        totals["other"] += both
        examples += [(name, "theirs", item) for item in list(missing)[:2]]
        examples += [(name, "ours", item) for item in list(further)[:2]]
    return totals, examples


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--stamma", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--pgn-extract", required=True)
    parser.add_argument("--eco", required=True, help="the file of openings of pgn-extract")
    parser.add_argument("--show", action="store_true", help="print examples of differences")
    parser.add_argument("--only", help="recipes whose options contain this")
    given = parser.parse_args()

    folder = tempfile.TemporaryDirectory()
    for file in given.files:
        left_out = prepared(file, pathlib.Path(folder.name))
        print(f"{file}: {left_out} games left out")
    print(f"{'theirs':>8}{'ours':>8}{'missing':>8}{'further':>8}{'other':>7}  recipe")
    sums = Counter()
    for recipe in recipes():
        if given.only and given.only not in recipe.peer:
            continue
        totals = Counter()
        shown = []
        for name in (file.name for file in given.files):
            file = pathlib.Path(folder.name) / f"{kind_of_file(recipe)}{name}"
            if not file.stat().st_size:
                continue
            with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
                folders = [pathlib.Path(one), pathlib.Path(other)]
                lines = [str(file) if line == "FILE" else line for line in recipe.lines]
                (folders[0] / "TAGS").write_text("\n".join(lines) + "\n", encoding="utf-8")
                theirs = written(folders[0], [peer_command(recipe, given, file)])
                ours = written(folders[1], stamma_commands(recipe, given, file))
                of_file, examples = compared(recipe, theirs, ours)
                totals += of_file
                shown += examples
        is_same = not (totals["missing"] or totals["further"] or totals["other"])
        sums["same" if is_same else "different"] += 1
        numbers = "".join(f"{totals[name]:{width}}" for name, width in
                          (("theirs", 8), ("ours", 8), ("missing", 8), ("further", 8), ("other", 7)))
        print(f"{numbers}  {recipe.peer} {' '.join(recipe.lines)}", flush=True)
        if given.show:
            for name, whose, item in shown[:6]:
                print(f"      {whose} {name}: {item.names} {item.moves[:300]}")
    print(dict(sums))


if __name__ == "__main__":
    main()
