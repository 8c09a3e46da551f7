"""The queries that each database of Stamma has; what a visitor leaves empty is the start, or everybody."""

_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
_FEN = f"coalesce(nullif(trim(:fen), ''), '{_START}')"

QUERIES = {
    "position": {
        "title": "Games that reach a position",
        "description": "A FEN; what it leaves out at its end is not compared. Empty: the start.",
        "sql": f"""
SELECT game_id, ply, san, white, black, result, date, event, white_elo, black_elo, moves
FROM position({_FEN}) JOIN games ON games.id = game_id
ORDER BY game_id LIMIT 200""".strip(),
    },
    "opening": {
        "title": "Moves played in a position",
        "description": "A FEN; what it leaves out at its end is not compared. Empty: the start.",
        "sql": f"""
SELECT san, games, white, draws, black, average_elo, performance, first_year, last_year,
    fen_after(san, 1, fen_normalize({_FEN})) AS fen
FROM opening_move({_FEN})""".strip(),
    },
    "player": {
        "title": "Games of a player",
        "description": "The beginning of a name, such as Kasparov; the latest games come first.",
        "sql": """
WITH named AS (SELECT id FROM player WHERE name LIKE :name || '%'),
    played AS (SELECT id FROM game WHERE white_id IN named OR black_id IN named)
SELECT games.id, date, white, black, result, eco, event, ply_count, moves, final_fen
FROM played JOIN games ON games.id = played.id
ORDER BY date DESC, games.id DESC LIMIT 200""".strip(),
    },
    "game": {
        "title": "Positions of a game",
        "description": "The number of a game.",
        "sql": "SELECT ply, fen, san, uci FROM game_position(CAST(:game AS INTEGER))",
    },
}
