"""Random questions, each asked in four ways: Python, datasette, the program `sqlite3`, and the program itself."""

import json
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

import stamma

QUESTIONS = 50
COLUMNS = "games.id AS game, white, black, result, date"


class Question:
    """A position, or none, with filters: as the helpers take it, and in SQL."""

    def __init__(self, fen, filters, condition):
        self.fen, self.filters, self.condition = fen, filters, condition

    @property
    def sql(self):
        position = f"JOIN position('{self.fen}') AS p ON p.game_id = games.id" if self.fen else ""
        ply = "p.ply, p.san" if self.fen else "NULL AS ply, NULL AS san"
        condition = self.condition or "1"
        return f"SELECT {COLUMNS}, {ply} FROM games {position} WHERE {condition} ORDER BY games.id"


def drawn_filters(chance, db):
    """Up to two filters with the same in SQL."""
    names = [row.name for row in db.query("SELECT name FROM player ORDER BY name")]
    name = chance.choice(names).replace("'", "''")
    year = chance.randrange(1850, 2024)
    elo = chance.randrange(2500, 2800, 50)
    length = chance.randrange(20, 120)
    result = chance.choice(["1-0", "0-1", "1/2-1/2"])
    opening = chance.choice("ABCDE")
    kinds = [
        ({"player": name, "exact": True}, f"(white = '{name}' OR black = '{name}')"),
        ({"result": result}, f"result = '{result}'"),
        ({"white_elo": (elo, None)}, f"white_elo >= {elo}"),
        ({"elo": (None, elo)}, f"white_elo <= {elo} AND black_elo <= {elo}"),
        ({"plies": (length, length + 40)}, f"ply_count BETWEEN {length} AND {length + 40}"),
        ({"eco": opening}, f"eco GLOB '{opening}*'"),
        ({"since": year}, f"substr(date, 1, 4) >= '{year}'"),
        ({"where": f"ply_count % 7 = {year % 7}"}, f"ply_count % 7 = {year % 7}"),
    ]
    chosen = chance.sample(kinds, chance.randrange(3))
    filters = {key: value for filter, _ in chosen for key, value in filter.items()}
    return filters, " AND ".join(condition for _, condition in chosen)


def drawn_position(chance, db):
    """A position of a game, rather an early one, in as many fields as somebody may give."""
    game = chance.randrange(1, 112)
    plies = [row.fen for row in db.query("SELECT fen FROM game_position(?)", (game,))]
    if not plies:
        return None
    fields = plies[min(int(chance.expovariate(0.15)), len(plies) - 1)].split()
    return " ".join(fields[: chance.choice([1, 2, 4, 6])])


@pytest.fixture
def questions(db):
    chance = random.Random(1737)
    drawn = []
    while len(drawn) < QUESTIONS:
        fen = drawn_position(chance, db) if chance.random() < 0.7 else None
        filters, condition = drawn_filters(chance, db)
        if fen or filters:
            drawn.append(Question(fen, filters, condition))
    return drawn


def by_helper(db, question):
    return [hit_fields(hit._asdict()) for hit in db.search(question.fen, **question.filters)]


def by_query(db, question):
    return [tuple(row) for row in db.query(question.sql)]


def by_program(db, question):
    command = [stamma.find_bin(), "sql", db.path, question.sql, "--format", "jsonl"]
    lines = subprocess.check_output(command).decode("utf-8").splitlines()
    return [hit_fields(json.loads(line)) for line in lines]


def by_sqlite3(db, question):
    load = f".load {Path(stamma.loadable_path())}"
    command = ["sqlite3", "-batch", "-json", f"file:{db.path}?mode=ro", load, question.sql]
    return [hit_fields(row) for row in json.loads(subprocess.check_output(command).decode("utf-8") or "[]")]


def by_datasette(address, question):
    arguments = urllib.parse.urlencode({"sql": question.sql, "_shape": "array"})
    with urllib.request.urlopen(f"{address}/games.json?{arguments}") as response:
        return [hit_fields(row) for row in json.load(response)]


def hit_fields(row):
    return tuple(row[name] for name in ("game", "white", "black", "result", "date", "ply", "san"))


@pytest.mark.filterwarnings("ignore::stamma.StammaWarning")
def test_random_questions_have_one_answer(db, questions, site):
    ways = {"SQL in Python": lambda question: by_query(db, question), "the program": lambda q: by_program(db, q)}
    if shutil.which("sqlite3"):
        ways["sqlite3"] = lambda question: by_sqlite3(db, question)
    if site:
        ways["datasette"] = lambda question: by_datasette(site, question)
    found = []
    for question in questions:
        expected = by_helper(db, question)
        found.append(len(expected))
        for way, answer in ways.items():
            assert answer(question) == expected, f"{way}: {question.sql} {question.filters}"
    assert sum(count > 0 for count in found) > QUESTIONS / 2, "most questions have an answer"
    print(f"{len(questions)} questions, {sum(found)} rows, each in {len(ways) + 1} ways: Python's search, {', '.join(ways)}")


@pytest.fixture
def site(database):
    """The address of datasette with the database, where it is installed with an SQLite that loads extensions."""
    try:
        from datasette.utils.sqlite import sqlite3
    except ModuleNotFoundError:
        sqlite3 = None
    if not hasattr(getattr(sqlite3, "Connection", None), "enable_load_extension"):
        yield None
        return
    address = f"http://127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "datasette", str(database), "--port", address.rsplit(":", 1)[1]]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(f"{address}/-/versions.json", server)
            yield address
        finally:
            server.terminate()


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def wait_for(address, server):
    while server.poll() is None:
        try:
            urllib.request.urlopen(address).close()
            return
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError("datasette has ended")
