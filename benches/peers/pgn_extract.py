#!/usr/bin/env python3
"""Do `stamma convert` and pgn-extract write the same games for the same options, and how long do they take?

    python3 benches/peers/pgn_extract.py --stamma target/release/stamma [--pgn-extract PROGRAM] [--runs 1] FILE...

Each row of ROWS has options of both programs. Both convert each file, and the games that they write are compared: the
players, event, round and date tell which games they are, and where a row compares moves, their movetext must be the same
to the letter. Printed are the games of both programs, those that only one of them has, the games with other moves, and
the median time of both programs. With --show N, N examples of each difference are printed.

Before the rows, each notation that pgn-extract reads is written by Stamma and read by pgn-extract, whose output must be
what it writes for SAN, to the byte. The other notations, full, iccf and descriptive, are not read by it.

Games that only one of the programs reads, or that they read differently, are left out of the files beforehand, and games
from a FEN for rows that count half-moves. Differences that hold for all rows are left out, too: both files are without
comments, NAGs and variations unless the row is about them, since pgn-extract writes `{ text }` for `{text}`.
"""

import argparse
import collections
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

# The tags that tell which game it is.
NAMES = ("Event", "Site", "Date", "Round", "White", "Black")


@dataclass(frozen=True)
class Row:
    """The options of both programs, and whether they should write the same moves and tags."""

    peer: str
    stamma: str
    has_moves: bool = True
    has_tags: bool = False


PLAIN = ("-C -V -N", "--comments drop --variations drop --nags drop")
ROWS = [
    Row("", ""),
    Row("-w100000", "--line-length 0"),
    Row("-w60", "--line-length 60", has_moves=False),
    Row("--nomovenumbers -w100000", "--no-move-numbers --line-length 0"),
    Row("--nochecks -w100000", "--no-checks --line-length 0"),
    Row("--noresults -w100000", "--no-results --line-length 0"),
    Row("--plylimit 20 -w100000", "--ply-limit 20 --line-length 0"),
    Row("--dropply 11 -w100000", "--drop-ply 11 --line-length 0"),
    Row("--fencomments --nofauxep --plylimit 12 -w100000", "--fen-comments --ply-limit 12 --line-length 0"),
    Row("--hashcomments --plylimit 12 -w100000", "--hash-comments --ply-limit 12 --line-length 0"),
    Row("-Wuci --noresults -w100000", "--notation uci --no-results --no-move-numbers --line-length 0"),
    Row("-Wxolalg -w100000", "--notation lan --line-length 0"),
    Row("-7", "--tags roster", has_moves=False, has_tags=True),
    Row("--detag ECO --detag WhiteElo", "--tags *,-ECO,-WhiteElo", has_moves=False, has_tags=True),
    Row("--plycount", "--replace plycount", has_moves=False, has_tags=True),
    Row("-M", "--ending checkmate", has_moves=False),
    Row("--stalemate", "--ending stalemate", has_moves=False),
    Row("-Tr1-0", "--result 1-0", has_moves=False),
    Row("-TeB90", "--eco B90", has_moves=False),
    Row("-TwCarlsen", "--white carlsen", has_moves=False),
    Row("-TpAnand", "--player anand", has_moves=False),
    Row("-Td1995", "--date 1995", has_moves=False),
    Row("--higherratedwinner", "--winner higher-rated", has_moves=False),
    Row("--lowerratedwinner", "--winner lower-rated", has_moves=False),
    Row("--minply 40 --maxply 60", "--plies 40..60", has_moves=False),
    Row("--maxply 19", "--plies ..19", has_moves=False),
    Row("--fenpattern */*/*/*/???PP???/*/*/*", "--pattern */*/*/*/???PP???/*/*/*", has_moves=False),
    Row("--piececount 5", "--material pieces=5", has_moves=False),
    Row("-D", "--unique", has_moves=False),
]


# Commands with these options count half-moves, which pgn-extract counts from move 1 if a game starts from a FEN.
COUNTING = ("--plylimit", "--minply", "--maxply", "--minmoves", "-pl", "-bl", "-bu")


def is_compared(part):
    """False for a game that the programs read as different games, or that only one of them reads."""
    # Variants, and shuffled starts.
    if re.search(rb'(?m)^\[Variant "(?!Standard|From Position)', part):
        return False
    if re.search(rb'(?m)^\[FEN "(?!rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR)[rnbqk]{8}/pppppppp/8/8', part):
        return False
    # A quotation mark within a tag.
    if re.search(rb'(?m)^\[\w+ "[^"\n]*"[^\]\n]*"', part):
        return False
    # No result at the end, and null moves.
    if not re.search(rb"(1-0|0-1|1/2-1/2|[*])\s*$", part):
        return False
    if re.search(rb"\s(--|Z0)\s", part):
        return False
    # No moves: without tags, comments and results, there is no letter.
    moves = re.sub(rb"(?m)^\[.*\]\s*$|\{[^}]*\}|1-0|0-1|1/2-1/2|[*]", b"", part)
    return re.search(rb"[a-zA-Z]", moves) is not None


def game_texts(file):
    """The texts of the games of a file."""
    return [part for part in re.split(rb"(?m)^(?=\[Event )", file.read_bytes()) if part.strip()]


def prepared(file, folder):
    """Copies of a file with the games that can be compared, and those of them that start from no FEN."""
    kept = [part for part in game_texts(file) if is_compared(part)]
    copies = [folder / file.name, folder / f"start-{file.name}"]
    copies[0].write_bytes(b"".join(kept))
    copies[1].write_bytes(b"".join(part for part in kept if b"[FEN " not in part))
    return copies


def decoded(text):
    """The text of bytes in UTF-8, or else in Latin-1, which pgn-extract passes on."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")


@dataclass(frozen=True)
class Game:
    """What is compared of a game."""

    names: tuple
    tags: tuple
    moves: str


def games(text):
    """The games of a text; a game begins with its tags, and may have no moves."""
    found, tags, moves = [], [], []
    for line in text.split("\n"):
        is_tag = re.match(r'\[[A-Za-z0-9_]+ "', line) is not None
        # A tag behind moves, or behind a blank line, belongs to the next game.
        is_next_game = is_tag and (moves or not tags or tags[-1] == "")
        if is_next_game:
            if tags:
                found.append(parsed_game(tags, moves))
            tags, moves = [], []

        if is_tag:
            tags.append(line)
        elif line.strip():
            moves.append(line.strip())
        elif tags and not moves:
            tags.append("")
    if tags:
        found.append(parsed_game(tags, moves))
    return found


def parsed_game(tag_lines, move_lines):
    """A game from its lines."""
    pairs = []
    for name, value in re.findall(r'\[([A-Za-z0-9_]+) "(.*?)"\]', "\n".join(tag_lines)):
        # pgn-extract copies backslashes that PGN wants doubled, and other encodings, which become UTF-8 here.
        value = re.sub(r"[^ -~]+", "~", value.replace("\\\\", "\\"))
        pairs.append((name, value))

    # Tags without a value are not written by pgn-extract, and a start by its FEN alone.
    # Variant is kept in the roster by Stamma, since moves cannot be read without it.
    tags = tuple(sorted(pair for pair in pairs if pair[0] not in ("SetUp", "Variant")))
    values = dict(pairs)
    names = tuple(values.get(name, "?") for name in NAMES)
    return Game(names, tags, without_comment_spaces(" ".join(move_lines)))


def without_comment_spaces(moves):
    return re.sub(r"\s+\}", "}", re.sub(r"\{\s+", "{", moves))


def run(command, runs):
    """What a command writes, and its median time."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, check=False)
        times.append(time.perf_counter() - start)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode()[:500]}")
    return decoded(done.stdout), statistics.median(times)


# The notations that both programs read, besides SAN.
NOTATIONS = ("fide", "lan", "coordinate", "uci")


def notations_read(arguments, file):
    """The number of games that pgn-extract reads from each notation as from SAN."""

    def read(notation):
        with tempfile.NamedTemporaryFile(suffix=".pgn") as out:
            options = ["convert", "-q", "--complete", "--notation", notation, *PLAIN[1].split()]
            run([arguments.stamma, *options, "-o", out.name, str(file)], 1)
            output, _ = run([arguments.pgn_extract, "-s", "-w100000", out.name], 1)
            return output

    expected = read("san")
    for notation in NOTATIONS:
        same = "same as" if read(notation) == expected else "OTHER than"
        yield f"{notation}, read by pgn-extract: {same} SAN, {len(games(expected))} games"


@dataclass(frozen=True)
class Differences:
    """The games that only one program has, and pairs of games that differ: theirs and ours."""

    missing: list
    further: list
    other: list


def compared(row, ours, theirs):
    """The differences between the games of both programs."""
    unmatched = collections.defaultdict(list)
    for game in ours:
        unmatched[game.names].append(game)

    missing, other = [], []
    for their_game in theirs:
        candidates = unmatched[their_game.names]
        if not candidates:
            missing.append(their_game)
            continue

        # Of several games with these names, one that is equal counts before any other.
        equal = [our_game for our_game in candidates if is_same(row, their_game, our_game)]
        match = equal[0] if equal else candidates[0]
        candidates.remove(match)
        if not equal:
            other.append((their_game, match))

    further = [game for rest in unmatched.values() for game in rest]
    return Differences(missing, further, other)


def is_same(row, theirs, ours):
    if row.has_tags and theirs.tags != ours.tags:
        return False
    if not row.has_moves:
        return True
    if "--plylimit" in row.peer:
        # It writes * in the place of the result.
        return theirs.moves.rpartition(" ")[0] == ours.moves.rpartition(" ")[0]
    if "-Wuci" in row.peer:
        # Its promotions have capital letters, a7a8Q.
        return theirs.moves.lower() == ours.moves
    if "-Wxolalg" in row.peer:
        # Its promotions have no sign, a7-a8Q, and en passant has one, e5xd6ep.
        return theirs.moves.replace("ep", "") == ours.moves.replace("=", "")
    return theirs.moves == ours.moves


def first_difference(theirs, ours):
    """The first words or tags in which two games differ."""
    for their, our in zip(theirs.moves.split(), ours.moves.split()):
        if their != our:
            return f"{their} here {our}"
    tags = set(theirs.tags) ^ set(ours.tags)
    return sorted(tags) or (theirs.moves[-30:], ours.moves[-30:])


def compare_row(arguments, row, file):
    """Converts a file with both programs, and prints their games, differences and times."""
    plain_peer, plain_stamma = PLAIN
    peer = [arguments.pgn_extract, "-s", *plain_peer.split(), *row.peer.split(), file]
    stamma = [arguments.stamma, "convert", "-q", "--complete"]
    stamma += [*plain_stamma.split(), *row.stamma.split(), file]
    their_text, their_time = run(peer, arguments.runs)
    our_text, our_time = run(stamma, arguments.runs)

    theirs, ours = games(their_text), games(our_text)
    found = compared(row, ours, theirs)
    counts = f"{len(theirs):8}{len(ours):8}{len(found.missing):8}{len(found.further):8}{len(found.other):7}"
    print(f"{row.peer:52}{counts}{their_time / our_time:7.1f}")

    for game in found.missing[: arguments.show]:
        print(f"    missing: {game.names}")
    for game in found.further[: arguments.show]:
        print(f"    further: {game.names}")
    for their_game, our_game in found.other[: arguments.show]:
        print(f"    other: {their_game.names}: {first_difference(their_game, our_game)}")


def compare_file(arguments, name, folder):
    """Compares all rows that are asked for, and the notations if all rows are."""
    print(name)
    whole, from_start = prepared(pathlib.Path(name), folder)
    if not whole.stat().st_size:
        return
    if not arguments.only:
        print(*notations_read(arguments, whole), sep="\n")

    for row in ROWS:
        if arguments.only and arguments.only not in row.peer:
            continue
        counts_half_moves = any(option in row.peer for option in COUNTING)
        copy = from_start if counts_half_moves else whole
        if copy.stat().st_size:
            compare_row(arguments, row, str(copy))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--stamma", required=True)
    parser.add_argument("--pgn-extract", default=shutil.which("pgn-extract") or "/usr/games/pgn-extract")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--only", help="rows whose options contain this")
    arguments = parser.parse_args()

    print(f"{'pgn-extract':52}{'theirs':>8}{'ours':>8}{'missing':>8}{'further':>8}{'other':>7}{'times':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.files:
            compare_file(arguments, name, pathlib.Path(folder))


if __name__ == "__main__":
    main()
