"""The helpers: rows with types, and the program's own answers."""

import datetime
import json
import subprocess
import warnings

import pytest

import stamma
from conftest import GAMES, QUEENS_GAMBIT
from stamma._options import options


def program(*arguments):
    return subprocess.check_output([stamma.find_bin(), *map(str, arguments)]).decode()


def json_rows(*arguments):
    return [json.loads(line) for line in program(*arguments, "--format=jsonl").splitlines()]


@pytest.mark.parametrize(
    "position",
    [QUEENS_GAMBIT, "1. d4 Nf6 2. c4 e6 3. Nf3 d5 4. Nc3", "d4 d5 c4 e6 Nf3 Nf6 Nc3"],
)
def test_search_by_fen_and_by_moves(db, position):
    hits = list(db.search(position))
    assert [hit.game for hit in hits] == [8, 48, 66, 69, 75, 101]
    hit = hits[2]
    assert (hit.game, hit.ply, hit.san, hit.result, hit.plies) == (66, 7, "Bb4", "1-0", 111)
    assert (hit.white, hit.black) == ("Spassky, Boris", "Fischer, Robert James")
    assert (hit.white_elo, hit.black_elo, hit.eco) == (2660, 2785, "E56")
    assert (hit.date, hit.event) == ("1972.07.11", "World Championship 28th")


def test_search_goes_on_from_a_fen(db):
    assert db.count(QUEENS_GAMBIT, after="4... Be7") == db.count(QUEENS_GAMBIT) - 3 == 3


def test_rows_have_the_fields_of_the_program(db, database):
    pairs = [
        (db.search(QUEENS_GAMBIT), json_rows("search", database, QUEENS_GAMBIT)),
        (db.search(player="tal"), json_rows("search", database, "--player=tal")),
        (db.moves("e4 c5"), json_rows("moves", database, "--after=e4 c5")),
        (db.moves(depth=2), json_rows("moves", database, "--depth=2")),
        (db.player("kasparov"), json_rows("player", database, "kasparov")),
        (db.head_to_head("spassky", "fischer"), json_rows("head-to-head", database, "spassky", "fischer")),
    ]
    for rows, objects in pairs:
        found = [row._asdict() for row in rows]
        assert found and len(found) == len(objects)
        for row, expected in zip(found, objects):
            assert {name: value for name, value in row.items() if name in expected} == {
                name: value for name, value in expected.items() if name in row
            }
            assert expected.keys() <= row.keys()


def test_filters(db):
    assert [hit.game for hit in db.search(player=["fischer", "spassky"])] == list(range(66, 73))
    assert [hit.game for hit in db.search("1. e4 c5", black="kasparov", result="0-1")] == [77, 78, 84]
    since = {hit.game for hit in db.search(since=datetime.date(1972, 7, 20), until="1972.08.06")}
    assert since == {68, 69, 70, 71}
    strong = list(db.search(elo=(2700, None), limit=5, sort="date"))
    assert len(strong) == 5 and all(min(hit.white_elo, hit.black_elo) >= 2700 for hit in strong)
    assert [hit.san for hit in db.search(moves_through="Bxh7+ Kxh7", flip="colour")] == [
        "Bxh7+", "Bxh2+", "Bxh7+", "Bxh7+",
    ]  # fmt: skip


def test_options_are_those_of_the_program():
    assert options({"white_elo": (2600, None), "plies": (None, 40), "exact": True, "annotated": False}) == [
        "--white-elo=2600..", "--plies=..40", "--exact",
    ]  # fmt: skip
    assert options({"eco": ("B90", "C"), "for_": 20, "event": None, "since": datetime.date(1972, 7, 3)}) == [
        "--eco=B90", "--eco=C", "--for=20", "--since=1972.07.03",
    ]  # fmt: skip


def test_every_filter_of_the_program_has_a_type():
    from stamma import Filters

    help_text = program("search", "--help")
    named = {line.split()[0][2:] for line in help_text.splitlines() if line.startswith("      --")}
    of_the_search = {"fen-file", "threads", "after", "pieces", "board", "limit", "format", "highlight", "sort"}
    typed = {name.rstrip("_").replace("_", "-") for name in Filters.__annotations__}
    assert typed <= named
    assert "elo" in named - of_the_search


def test_moves(db):
    first, second = db.moves("1. e4 c5")
    assert (first.san, first.games, first.white, first.draws, first.black) == ("Nf3", 13, 9, 0, 4)
    assert (second.san, second.first_date, second.line) == ("d4", "1858.12.27", None)
    lines = [row.line for row in db.moves(depth=2, min_games=10)]
    assert "e4 c5" in lines


def test_player(db):
    rows = list(db.player("kasparov", limit=3))
    assert (rows[0].group, rows[0].games, rows[0].score) == ("total", 16, 62.5)
    assert {"color", "opening", "opponent", "year"} <= {row.group for row in rows}
    with pytest.warns(stamma.StammaWarning, match='player "--limit" not found'):
        list(db.player("--limit"))


def test_game_is_a_game_of_python_chess(db):
    pytest.importorskip("chess")
    game = db.game(66)
    assert game.headers["White"] == "Spassky, Boris"
    board = game.end().board()
    assert len(board.move_stack) == 111
    (final,) = [line for line in program("export", db.path, "--games=66", "--format=epd").splitlines()]
    assert final.startswith(board.epd().rsplit(" ", 1)[0])


def test_no_such_game(db):
    with pytest.raises(KeyError, match="there is no game 4711 in the database"):
        db.pgn(4711)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(db, library):
    pytest.importorskip(library)
    frame = db.moves("1. e4").df(library)
    assert list(frame.columns) == list(stamma.MoveCount._fields)
    assert int(frame["games"].sum()) == db.count("1. e4") == 53
    empty = db.search(player="nobody at all").df(library)
    assert len(empty) == 0 and "white_elo" in empty.columns


def test_rows_are_kept(db):
    found = db.search("1. e4", limit=3)
    first = next(found)
    assert list(found)[0] == first and len(list(found)) == 3
    assert [*found] == [first, next(found), next(found)]
    with pytest.raises(StopIteration):
        next(found)


def test_a_data_frame_has_the_rows_that_have_been_read(db):
    pytest.importorskip("pandas")
    found = db.search("1. e4", limit=3)
    assert len(list(found)) == len(found.df()) == 3


def test_a_name_is_no_position(db):
    with pytest.raises(stamma.StammaError, match="player='fischer'"):
        db.search("fischer")


def test_data_frame_of_a_query(db):
    pytest.importorskip("pandas")
    frame = db.query("SELECT result, count(*) AS games FROM games GROUP BY result ORDER BY 2 DESC").df()
    assert frame["games"].sum() == 111


def test_a_name_that_is_not_found_is_a_warning_at_the_callers_line(db):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert list(db.search(player="karpow")) == []
        assert db.count(player="karpow") == 0
    assert ['player "karpow" not found; did you mean "Karpov, Anatoly" (5 games)?'] * 2 == [
        str(warning.message) for warning in caught
    ]
    assert {warning.filename for warning in caught} == {__file__}
    assert {warning.category for warning in caught} == {stamma.StammaWarning}


def test_refusals_are_errors(db):
    with pytest.raises(stamma.StammaError, match="the board of the FEN has 9 ranks|White has no king"):
        list(db.search("8/8/8/8/8/8/8/8 w - -"))
    with pytest.raises(stamma.StammaError, match=r"e5: White has no legal move") as error:
        list(db.search("1. e5"))
    assert not str(error.value).startswith("stamma:")
    with pytest.raises(stamma.StammaError, match="unexpected argument '--colour'") as error:
        list(db.search(colour="white"))
    assert "Usage" not in str(error.value)


def test_reading_may_stop_early(db):
    rows = db.search()
    assert next(rows).game == 1
    del rows
    assert next(db.search()).game == 1


def test_import_reports(tmp_path):
    report = stamma.import_pgn(tmp_path / "one.db", GAMES / "early.pgn", index_variations=True)
    assert report["games"] == 16 and report["sources"][0]["status"] == "imported"
    with pytest.raises(stamma.StammaError):
        stamma.import_pgn(tmp_path / "two.db", tmp_path / "missing.pgn")


def test_run_prints(database):
    assert stamma.run("check", database).startswith(str(database))
    with pytest.raises(stamma.StammaError):
        stamma.run("optimize", "missing.db")


def test_board_is_a_picture():
    picture = stamma.board("1. e4 c5", flip=True, size=200)
    assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="200"')
    assert picture._repr_svg_() == picture == str(picture)
    assert stamma.board("4k3/8/8/8/8/8/8/4K3 w - - 0 1").count("<use ") == 2
