"""The plugin in real datasette, page by page."""

import asyncio
import re
from html import unescape
from urllib.parse import urlencode

import pytest

QUEENS_GAMBIT = "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq -"


def get(site, path, **parameters):
    query = f"?{urlencode(parameters)}" if parameters else ""
    return asyncio.run(site.client.get(path + query))


def rows(site, sql):
    response = get(site, "/games.json", sql=sql, _shape="arrays")
    assert response.status_code == 200, response.text
    return response.json()["rows"]


def test_is_installed(site):
    plugins = {plugin["name"]: plugin for plugin in get(site, "/-/plugins.json").json()}
    assert {"canned_queries", "prepare_connection", "register_routes", "render_cell"} <= set(
        plugins["datasette-stamma"]["hooks"]
    )


def test_sql_has_the_functions(site):
    assert rows(site, f"SELECT game_id FROM position('{QUEENS_GAMBIT}')") == [[8], [48], [66], [69], [75], [101]]
    assert rows(site, "SELECT san_to_uci('e4 c5')") == [["e2e4 c7c5"]]


@pytest.mark.parametrize(
    "query, parameters, expected",
    [
        ("position", {"fen": QUEENS_GAMBIT}, [8, 48, 66, 69, 75, 101]),
        ("opening", {"fen": "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"}, ["Nf3", "d4"]),
        ("opening", {"fen": " "}, ["e4", "d4", "Nf3", "c4"]),
        ("player", {"name": "Fischer"}, [72, 71, 70]),
        ("game", {"game": "66"}, [0, 1, 2]),
    ],
)
def test_queries_answer(site, query, parameters, expected):
    response = get(site, f"/games/{query}.json", **parameters, _shape="arrays")
    assert response.status_code == 200, response.text
    found = [row[0] for row in response.json()["rows"]]
    assert found[: len(expected)] == expected


def test_queries_are_offered_where_they_fit(site):
    assert {query["name"] for query in get(site, "/games.json").json()["queries"]} == {
        "position", "opening", "player", "game",
    }  # fmt: skip
    assert get(site, "/other.json").json()["queries"] == []


def test_tables_for_people_are_shown(site):
    tables = get(site, "/games.json").json()["tables"]
    shown = {table["name"] for table in tables if not table["hidden"]}
    assert shown == {"event", "game", "opening", "player", "problem", "site", "source"}
    assert len(tables) > 30
    assert [table["hidden"] for table in get(site, "/other.json").json()["tables"]] == [False]


def test_fen_is_a_board(site):
    page = get(site, "/games/game", game=66).text
    sources = [unescape(source) for source in re.findall(r'<img src="([^"]+board\.svg[^"]+)"', page)]
    assert len(sources) == 112
    picture = get(site, sources[1])
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "<title>rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1</title>" in picture.text


def test_board_of_nonsense_is_refused(site):
    response = get(site, "/-/stamma/board.svg", fen="8/8")
    assert (response.status_code, response.text) == (400, "the board of the FEN has 2 ranks instead of 8\n")
    assert get(site, "/-/stamma/board.svg").status_code == 400


def test_moves_open(site):
    page = get(site, "/games/games", id=66).text
    assert "<details><summary>1.&nbsp;d4 Nf6 2.&nbsp;c4 e6 3.&nbsp;Nf3 d5 4.&nbsp;Nc3 Bb4 …</summary>5.&nbsp;e3" in page


def test_moves_from_another_start_have_no_numbers(site):
    (game, first), *_ = rows(site, "SELECT id, moves FROM games WHERE fen IS NOT NULL AND ply_count > 10")
    shown = " ".join(first.split()[:8])
    assert f"<details><summary>{shown} …</summary>" in get(site, "/games/games", id=game).text


def test_other_texts_stay_as_they_are(site):
    page = get(site, "/other/note").text
    assert "e4 e5 is what he plays in all of his games" in page
    assert "<details><summary>e4" not in page and "board.svg" not in page


def test_json_is_not_rendered(site):
    (row,) = get(site, "/games.json", sql="SELECT moves, final_fen FROM games WHERE id = 66", _shape="array").json()
    assert row["moves"].startswith("d4 Nf6 c4") and row["final_fen"].count("/") == 7
