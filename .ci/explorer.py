"""Asks a running `stamma serve` as berserk and lichess-bot do, and checks every answer against python-chess."""

import collections
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import berserk
import chess
import chess.pgn
import requests

RESULTS = {"1-0": "white", "1/2-1/2": "draws", "0-1": "black"}
GROUPS = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500]
# lichess-bot gives up after two seconds.
PATIENCE = 2
POSITIONS = 400


class Counts(dict):
    """The games of moves by result, with the ratings of the side to move in all games, and of the other in these."""

    def add(self, uci, result, own, other):
        entry = self.setdefault(uci, {"white": 0, "draws": 0, "black": 0, "own": [], "other": []})
        entry["own"] += own
        if result:
            entry[result] += 1
            entry["other"] += other

    def counted(self):
        """The moves of games with a result."""
        return {uci: entry for uci, entry in self.items() if total(entry)}


def total(entry):
    return sum(entry[result] for result in RESULTS.values())


def key(board):
    return board._transposition_key()


def elo(game, color):
    text = game.headers.get(color + "Elo", "")
    return [int(text)] if text.isdigit() and int(text) > 0 else []


def read_games(path):
    with open(path, encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            if game.board().uci_variant == "chess":
                yield game


def visits(game):
    """Each position of a game at its first visit, with the move played there."""
    board, seen = game.board(), set()
    for move in game.mainline_moves():
        here = key(board)
        if here not in seen:
            seen.add(here)
            yield here, board, board.uci(move, chess960=True)
        board.push(move)


def sides(game, board):
    names = ("White", "Black") if board.turn else ("Black", "White")
    return [elo(game, name) for name in names]


def count(games, wanted, is_asked):
    """The counts at wanted positions, of the games for which a condition holds."""
    counts = collections.defaultdict(Counts)
    for game in games:
        result = RESULTS.get(game.headers["Result"])
        if is_asked(game):
            for here, board, uci in visits(game):
                if here in wanted:
                    counts[here].add(uci, result, *sides(game, board))
    return collections.defaultdict(dict, {here: moves.counted() for here, moves in counts.items()})


def mean(ratings):
    # Halves are rounded up, where Python's round would take the even number.
    return int(sum(ratings) / len(ratings) + 0.5) if ratings else None


def check(reply, expected, place, rating="averageRating", ratings="own"):
    found = {move["uci"]: move for move in reply["moves"]}
    assert found.keys() == expected.keys(), (place, found.keys(), expected.keys())
    for uci, counts in expected.items():
        move = found[uci]
        for result in RESULTS.values():
            assert move[result] == counts[result], (place, uci, move, result, counts[result])
        if rating:
            assert move.get(rating) == mean(counts[ratings]), (place, uci, move, mean(counts[ratings]))
    for result in RESULTS.values():
        assert reply[result] == sum(counts[result] for counts in expected.values()), (place, result)
    games = [total(move) for move in reply["moves"]]
    assert games == sorted(games, reverse=True), place


def check_masters(client, fen, expected, games):
    reply = client.opening_explorer.get_masters_games(position=fen, moves=1000)
    check(reply, expected, fen)
    sums = [game["white"]["rating"] + game["black"]["rating"] for game in reply["topGames"]]
    assert sums == sorted(sums, reverse=True) and len(sums) <= 15, fen
    for shown in reply["topGames"][:2]:
        pgn = client.opening_explorer.get_otb_master_game(shown["id"])
        game = chess.pgn.read_game(io.StringIO(pgn))
        assert game.headers["White"] == shown["white"]["name"], shown
        assert any(uci == shown["uci"] for _, _, uci in visits(game)), shown
        assert str(game.mainline_moves()) in games, shown


def lichess_bot_move(url, board, source, player=None):
    """The move that lichess-bot would take: the most played one, as it asks and reads each source."""
    params = {"fen": board.fen(), "moves": 100, "variant": "standard"}
    if source == "player":
        params |= {"player": player, "color": "white" if board.turn else "black", "recentGames": 0}
    elif source == "lichess":
        params |= {"topGames": 0, "recentGames": 0}
    reply = requests.get(f"{url}{source}", params=params, timeout=PATIENCE)
    reply.raise_for_status()
    # A stream's last line is the answer, and ends with a line break.
    answer = json.loads(reply.text.split("\n")[:-1][-1] if source == "player" else reply.text)
    moves = []
    for move in answer["moves"]:
        games = move["white"] + move["draws"] + move["black"]
        rate = (move["white"] + move["draws"] / 2) / games
        moves.append((games, rate if board.turn else 1 - rate, move["uci"]))
    return max(moves)[2] if moves else None


def check_lichess_bot(url, fen, expected):
    board = chess.Board(fen, chess960=True)
    for source in ["masters", "lichess"]:
        uci = lichess_bot_move(url, board, source)
        assert uci in expected and chess.Move.from_uci(uci) in board.legal_moves, (fen, uci)
        assert total(expected[uci]) == max(map(total, expected.values())), (fen, uci)


def group(game):
    ratings = elo(game, "White") + elo(game, "Black")
    return max(at for at in GROUPS if at <= sum(ratings) // 2) if len(ratings) == 2 else None


def check_filters(client, games, fens):
    """Ratings of `/lichess`, and the games of one player with each colour."""
    wanted = {here for here, _ in fens}
    for ratings in [[2200], [1600, 2500]]:
        counts = count(games, wanted, lambda game: group(game) in ratings)
        for here, fen in fens:
            texts = [str(rating) for rating in ratings]
            reply = client.opening_explorer.get_lichess_games(position=fen, ratings=texts, moves=1000)
            check(reply, counts[here], (fen, ratings))
    names = collections.Counter(game.headers["White"] for game in games)
    names.pop("?", None)
    for name, _ in names.most_common(2):
        for color in ["White", "Black"]:
            counts = count(games, wanted, lambda game: game.headers[color] == name)
            for here, fen in fens:
                reply = client.opening_explorer.get_player_games(
                    player="=" + name, color=color.lower(), position=fen, moves=1000
                )
                own = (color == "White") == chess.Board(fen, chess960=True).turn
                check(reply, counts[here], (fen, name), "averageOpponentRating", "other" if own else "own")
                assert len(reply["recentGames"]) <= 8


def main(program, source):
    with tempfile.TemporaryDirectory() as folder:
        database, clean = pathlib.Path(folder, "games.db"), pathlib.Path(folder, "games.pgn")
        subprocess.run([program, "import", "--quiet", database, source])
        subprocess.run([program, "export", database, "-o", clean], check=True)
        games = list(read_games(clean))
        server = subprocess.Popen(
            [program, "serve", database, "--bind", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True
        )
        try:
            ask(server.stdout.readline().strip(), games)
        finally:
            server.terminate()
            assert server.wait(timeout=10) == 0


def ask(url, games):
    chance = random.Random(1)
    texts = {str(game.mainline_moves()) for game in games}
    fens = {key(chess.Board()): chess.STARTING_FEN}
    while len(fens) < min(POSITIONS, 3 * len(games)):
        for here, board, _ in visits(chance.choice(games)):
            if chance.random() < 3 / (board.ply() + 6):
                fens[here] = board.shredder_fen()
    began = time.monotonic()
    counts = count(games, fens, lambda game: True)
    client = berserk.Client(explorer_url=url.rstrip("/"))
    for number, (here, fen) in enumerate(fens.items()):
        check_masters(client, fen, counts[here], texts)
        check(client.opening_explorer.get_lichess_games(position=fen, moves=1000, history=True), counts[here], fen)
        if number % 4 == 0 and counts[here]:
            check_lichess_bot(url, fen, counts[here])
    check_filters(client, games, list(fens.items())[:25])
    line = client.opening_explorer.get_masters_games(play=["e2e4", "c7c5"])
    assert line["opening"]["eco"] == "B20", line
    seconds = time.monotonic() - began
    print(f"{len(fens)} positions of {len(games)} games as berserk and lichess-bot ask, in {seconds:.0f} s")


main(*sys.argv[1:])
