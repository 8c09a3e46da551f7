#!/usr/bin/env python3
"""How long do Stamma and the programs that people use today take for the same work on the same file?

    python3 benches/peers/speeds.py --stamma target/release/stamma ~/pgn/archive-100k.pgn
        [--runs 5] [--only import] [--chess-library FOLDER] [--ocgdb PROGRAM]

The file is first written as strict PGN without comments, variations and the few games of more than 500 half-moves:
chess-library ends at tags that the standard does not allow, ocgdb crashes at a long game. Each task then runs as a whole
process, program after program, as often as --runs says. Printed are the medians of the elapsed time and of the processor
time, their ratios to Stamma's, the size of what was written, and what each program counted, by which one sees that all
did the same work. A program that is missing is named and left out:

- pgn-extract and Scid (tkscid), on the path or in /usr/games: `apt-get install pgn-extract scid`;
- chess-library, a checkout of https://github.com/Disservin/chess-library, which c++ compiles here;
- ocgdb, built from https://github.com/nguyenpham/ocgdb.

Numbers of games may differ by the games that a program refuses.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).parent
# The Queen's Gambit Declined, and the same in the words of ocgdb.
POSITION = "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 1 4"


@dataclass
class Contestant:
    """A command that does a task, and what it has found and written."""

    program: str
    command: list[str]
    # What the command has counted, by its output and messages.
    answer: Callable[[str], str] = lambda _: ""
    # Files that the command makes, to be removed before each run and measured after the last.
    makes: list[pathlib.Path] = field(default_factory=list)
    elapsed: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    found: str = ""

    def run(self):
        """Runs the command once and notes its times."""
        for path in self.makes:
            path.unlink(missing_ok=True)
        with tempfile.TemporaryFile() as output:
            start = time.perf_counter()
            process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            )
            _, status, usage = os.wait4(process.pid, 0)
            self.elapsed.append(time.perf_counter() - start)
            self.processor.append(usage.ru_utime + usage.ru_stime)
            output.seek(0)
            text = output.read().decode(errors="replace")
        code = os.waitstatus_to_exitcode(status)
        # Exit code 1 of Stamma means that some games have faults.
        if code not in (0, 1):
            sys.exit(f"{' '.join(self.command)} ended with {code}:\n{text}")
        self.found = self.answer(text)


def after(pattern):
    """A function that finds the last number which a pattern has as its group, without signs of thousands."""

    def find(text):
        found = re.findall(pattern, text)
        return found[-1].replace(",", "") if found else "?"

    return find


def program(name):
    """The path of a program, or None with a message."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/games")
    if found is None:
        print(f"{name} is missing and left out")
    return found


def compiled_replay(library, folder):
    """The program that replays a file with chess-library, or None with a message."""
    if library is None:
        print("chess-library is missing and left out")
        return None
    path = folder / "replay"
    flags = ["-O3", "-march=native", "-std=c++17", "-DNDEBUG", "-I", str(library / "include")]
    subprocess.run(["c++", *flags, "-o", str(path), str(HERE / "replay.cpp")], check=True)
    return str(path)


def tasks(stamma, pgn, folder, peers):
    """The contestants of each task; Stamma is the first."""
    extract, tkscid, replay, ocgdb = peers
    criteria = folder / "criteria"
    criteria.write_text('Player "Kasparov"\n')
    games = after(r"([\d,]+) (?:of [\d,]+ )?games,")
    matched = after(r"(\d+) games? matched")

    yield (
        "convert to SAN, beside a replay that writes nothing; one thread",
        [
            Contestant("stamma", [stamma, "convert", "--threads", "1", pgn, "-o", "/dev/null"], games),
            replay and Contestant("chess-library (replay)", [replay, pgn], after(r"(\d+) games")),
            extract and Contestant("pgn-extract", [extract, "-o/dev/null", pgn], matched),
        ],
    )
    yield (
        "convert to SAN",
        [
            Contestant("stamma", [stamma, "convert", pgn, "-o", "/dev/null"], games),
            extract and Contestant("pgn-extract", [extract, "-o/dev/null", pgn], matched),
        ],
    )
    yield (
        "the games of a player",
        [
            Contestant(
                "stamma", [stamma, "convert", pgn, "--player", "kasparov", "-o", "/dev/null"], games
            ),
            extract and Contestant("pgn-extract", [extract, f"-t{criteria}", "-o/dev/null", pgn], matched),
        ],
    )
    own = folder / "stamma.db"
    scid = folder / "scid"
    scid_files = [folder / f"scid{suffix}" for suffix in (".si4", ".sg4", ".sn4")]
    theirs = folder / "games.ocgdb.db3"
    yield (
        "import",
        [
            Contestant("stamma", [stamma, "import", str(own), pgn], games, [own]),
            tkscid
            and Contestant(
                "scid",
                [tkscid, str(HERE / "scid.tcl"), "import", str(scid), pgn],
                after(r"^(\d+)"),
                scid_files,
            ),
            ocgdb
            and Contestant(
                "ocgdb",
                [ocgdb, "-create", "-pgn", pgn, "-db", str(theirs), "-o", "moves2"],
                after(r"#games: (\d+)"),
                [theirs],
            ),
        ],
    )
    yield (
        "count the games of a position",
        [
            Contestant(
                "stamma", [stamma, "search", str(own), POSITION, "--format", "count"], after(r"(\d+)")
            ),
            ocgdb
            and Contestant(
                "ocgdb",
                [ocgdb, "-db", str(theirs), "-q", f"fen[{POSITION}]"],
                after(r"#succ: (\d+)"),
            ),
        ],
    )


def compare(contestants, runs):
    """Runs the contestants in turn and prints a line for each."""
    for _ in range(runs):
        for contestant in contestants:
            contestant.run()
    first = contestants[0]
    own_elapsed = statistics.median(first.elapsed)
    own_processor = statistics.median(first.processor)
    for contestant in contestants:
        elapsed = statistics.median(contestant.elapsed)
        processor = statistics.median(contestant.processor)
        size = sum(path.stat().st_size for path in contestant.makes)
        written = f"{size / 1e6:9.1f} MB" if size else " " * 12
        print(
            f"  {contestant.program:<24} {elapsed:8.3f} s {elapsed / own_elapsed:6.1f} times"
            f"   processor {processor:8.3f} s {processor / own_processor:6.1f} times"
            f"  {written}   {contestant.found} games"
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pgn", type=pathlib.Path)
    parser.add_argument("--stamma", type=pathlib.Path, required=True, help="a release build")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="tasks with these words in their names")
    parser.add_argument("--chess-library", type=pathlib.Path, help="its checkout")
    parser.add_argument("--ocgdb", type=pathlib.Path, help="its program")
    arguments = parser.parse_args()

    stamma = str(arguments.stamma.resolve())
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        pgn = folder / "games.pgn"
        strict = ["--strict", "--fix", "--comments", "drop", "--variations", "drop", "--quiet"]
        strict += ["--plies", "1..500"]
        subprocess.run([stamma, "convert", arguments.pgn, *strict, "-o", pgn], check=False)
        print(f"{arguments.pgn.name} as strict PGN: {pgn.stat().st_size / 1e6:.1f} MB")
        if arguments.ocgdb is None:
            print("ocgdb is missing and left out")
        peers = (
            program("pgn-extract"),
            program("tkscid"),
            compiled_replay(arguments.chess_library, folder),
            arguments.ocgdb and str(arguments.ocgdb.resolve()),
        )
        for name, contestants in tasks(stamma, str(pgn), folder, peers):
            if arguments.only in name:
                print(name)
                compare([contestant for contestant in contestants if contestant], arguments.runs)


if __name__ == "__main__":
    main()
