//! Example commands of the long help; `tests/docs/help.rs` runs them all.
//!
//! Each line fits into 80 columns. The files are `games.db`, which the first example creates, and the output of earlier
//! examples.

pub(in crate::cli) const IMPORT: &str = "Examples:
  stamma import games.db tests/data/games
  stamma import games.db tests/data/games --again --input-pieces en
  stamma import annotated.db tests/data/games/today.pgn --index-variations";

#[cfg(feature = "serve")]
pub(in crate::cli) const OPEN: &str = "Examples:
  stamma open games.pgn
  stamma open games.db studies.db";

pub(in crate::cli) const SEARCH: &str = "Examples:
  stamma search games.db '1. d4 Nf6 2. c4 e6 3. Nf3'
  stamma search games.db 8/8/8/8/8/8/k1K5/8 w - - 0 1 --board ascii
  stamma search games.db --after 'e4 c5' --limit 0 --format csv
  stamma search games.db --player fischer --player spassky --sort -date
  stamma search games.db --opening sicilian --since 1972 --result 0-1
  stamma search games.db --material 'KRPkr' --flip colour --format pgn
  stamma search games.db --moves-through 'Bxh7+ Kxh7' --format epd
  stamma search games.db --pattern '*/*/*/*/???PP' --for 10 --format count";

pub(in crate::cli) const MOVES: &str = "Examples:
  stamma moves games.db
  stamma moves games.db --after '1. e4 c5'
  stamma moves games.db --after 'e4 e5 Sf3' --pieces de --format jsonl
  stamma moves games.db '1. e4 c5' --elo 2700 --min-games 2";

pub(in crate::cli) const PLAYER: &str = "Examples:
  stamma player games.db karpov
  stamma player games.db karpov --against kasparov --limit 5
  stamma player games.db '=Tal, Mikhail' --since 1960 --format csv
  stamma player games.db fischer --line '1. e4' --format jsonl";

pub(in crate::cli) const PREPARE: &str = "Examples:
  stamma prepare games.db karpov --as white
  stamma prepare games.db '=Tal, Mikhail' --as black --format html -o tal.html
  stamma prepare games.db anand --as black --min-games 3 --format md
  stamma prepare games.db kasparov --as white --format pgn -o kasparov.pgn";

pub(in crate::cli) const NOVELTIES: &str = "Examples:
  stamma novelties games.db
  stamma novelties games.db --since 2000 --min-games 2
  stamma novelties games.db --elo 2700 --after-ply 20 --sort games
  stamma novelties games.db --opening sicilian --limit 0 --format csv";

pub(in crate::cli) const OPENING: &str = "Examples:
  stamma opening games.db sicilian
  stamma opening games.db 'sicilian najdorf' --format html -o najdorf.html
  stamma opening games.db C60-C99 --since 1950 --format md
  stamma opening games.db --after '1. d4 Nf6' --depth 4 --format json";

pub(in crate::cli) const REPERTOIRE: &str = "Examples:
  stamma repertoire games.db tests/data/games/early.pgn --as white
  stamma repertoire games.db tests/data/games/early.pgn --as black --list gaps
  stamma repertoire games.db tests/data/games/early.pgn --as white --new
  stamma repertoire games.db tests/data/games/early.pgn --as white --format pgn";

pub(in crate::cli) const EVENTS: &str = "Examples:
  stamma events games.db
  stamma events games.db --sort games --limit 5
  stamma events games.db --event 'world championship' --min-games 2
  stamma events games.db --player tal --until 1965 --format csv";

pub(in crate::cli) const HEAD_TO_HEAD: &str = "Examples:
  stamma head-to-head games.db spassky fischer
  stamma head-to-head games.db kasparov karpov --since 1984 --format json";
pub(in crate::cli) const CROSSTABLE: &str = "Examples:
  stamma crosstable games.db 'world championship' --year 1972
  stamma crosstable games.db '=New York' --year 1924
  stamma crosstable games.db 'ibm man-machine' --year 1997 --format csv";

pub(in crate::cli) const SHOW: &str = "Examples:
  stamma show games.db 66
  stamma show games.db 66 --ply 10,20,30
  stamma show games.db 66 --every 20 --flip --board ascii";

pub(in crate::cli) const BOARD: &str = "Examples:
  stamma board --after '1. e4 c5 2. Nf3'
  stamma board 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 --board ascii
  stamma board --after '1. e4 c5 2. Nf3' -o sicilian.svg
  stamma board 4k3/8/8/8/8/8/8/R3K3 w Q - --last-move a2a1 -o end.svg --size 200";

pub(in crate::cli) const KEY: &str = "Examples:
  stamma key '1. e4 c5'
  stamma key '1. e4 c5' '1. d4 d5 2. c4' --format jsonl
  stamma key 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";

pub(in crate::cli) const EXPORT: &str = "Examples:
  stamma export games.db -o clean.pgn
  stamma export games.db --games 5,7,20-30 --pieces figurine
  stamma export games.db --event linares --since 1997 -o linares.pgn
  stamma export games.db --material 'bishops=opposite pieces<=14'
  stamma export games.db --fill eco,opening -o named.pgn
  stamma export games.db --sort -date --limit 10 -o latest.pgn
  stamma export games.db --comments drop --variations drop --tags roster
  stamma export games.db --format epd --every-position -o positions.epd";

pub(in crate::cli) const CONVERT: &str = "Examples:
  stamma convert tests/data/games/early.pgn -o clean.pgn
  stamma convert tests/data/games --notation lan --pieces fr
  stamma convert --strict --fix < tests/data/games/early.pgn
  stamma convert tests/data/games --player tal --result 1-0 --limit 5
  stamma convert tests/data/games --unique --split-by eco -o 'by-eco/{}.pgn'
  stamma convert tests/data/games --format positions-jsonl --quiet-positions";

#[cfg(feature = "dataset")]
pub(in crate::cli) const DATASET: &str = "Examples:
  stamma dataset tests/data/games -o games
  stamma dataset tests/data/games/today.pgn -o today --max-ply 40 --elo 2600
  stamma dataset tests/data/games -o lichess --schema lichess";

pub(in crate::cli) const CLEAN: &str = "Examples:
  stamma clean tests/data/games -o clean.pgn
  stamma clean tests/data/games -o clean.pgn --duplicates twice.pgn
  stamma clean tests/data/games --split-by year -o 'by-year/{}.pgn'";

pub(in crate::cli) const SQL: &str = "Examples:
  stamma sql games.db 'SELECT white, count(*) FROM games GROUP BY white'
  stamma sql games.db 'SELECT ply, fen FROM game_position(66)' --format csv
  stamma sql games.db \"UPDATE game SET round = '1' WHERE id = 66\" --write";

pub(in crate::cli) const BOOK: &str = "Examples:
  stamma book games.db -o book.bin
  stamma book games.db -o book.bin --min-games 2 --max-ply 20
  stamma book games.db -o best.bin --elo 2700 --min-games 1";

pub(in crate::cli) const ANALYZE: &str = "Examples:
  stamma analyze games.db --engine stockfish --max-ply 30 --player tal
  stamma analyze games.db --engine stockfish --depth 9 --processes 2
  stamma analyze games.db --engine stockfish --position 'e4 c5' --multipv 3";

pub(in crate::cli) const MATERIALIZE: &str = "Examples:
  stamma materialize games.db
  stamma materialize games.db --player tal --until 1959
  stamma materialize games.db --where \"white = 'Tal, Mikhail'\"";

pub(in crate::cli) const DELETE: &str = "Examples:
  stamma delete games.db --games 5,7,20-24
  stamma delete games.db --player morphy --until 1857 --dry-run
  stamma delete games.db --event 'casual game' --yes
  stamma delete games.db --where \"ply_count < 10 AND result = '*'\"";

pub(in crate::cli) const DEDUPE: &str = "Examples:
  stamma dedupe games.db --dry-run --format table
  stamma dedupe games.db --prefer annotated --merge-tags
  stamma dedupe games.db --format jsonl
  stamma dedupe games.db --undo";

pub(in crate::cli) const NAMES: &str = "Examples:
  stamma names games.db
  stamma names games.db --kind player --limit 0
  stamma names games.db --format tsv > names.tsv
  stamma names games.db --apply
  stamma names games.db --undo";

#[cfg(feature = "serve")]
pub(in crate::cli) const SERVE: &str = "Examples:
  stamma serve games.db
  stamma serve games.db studies.db --bind 127.0.0.1:0
  stamma serve games.db --cors https://lichess.org --readonly";

pub(in crate::cli) const INFO: &str = "Examples:
  stamma info games.db
  stamma info studies.db --json";

pub(in crate::cli) const OPENINGS: &str = "Examples:
  stamma openings games.db
  stamma openings games.db --standard";

pub(in crate::cli) const OPTIMIZE: &str = "Examples:
  stamma optimize games.db
  stamma optimize games.db --memory 256M";

pub(in crate::cli) const FORGET: &str = "Examples:
  stamma forget games.db tests/data/games/today.pgn
  stamma forget games.db 1 2
  stamma forget games.db tests/data/games";

pub(in crate::cli) const EVALUATIONS: &str = "Examples:
  stamma evaluations games.db tests/data/evaluations/openings.jsonl
  stamma evaluations games.db --all tests/data/evaluations/openings.jsonl
  stamma evaluations games.db";

pub(in crate::cli) const MERGE: &str = "Examples:
  stamma merge all.db games.db studies.db
  stamma merge all.db games.db --memory 256M";

pub(in crate::cli) const CHECK: &str = "Examples:
  stamma check games.db
  stamma check games.db --full
  stamma check games.db --digest";

pub(in crate::cli) const COMPLETIONS: &str = "Examples:
  stamma completions bash > stamma.bash
  stamma completions zsh > _stamma
  stamma completions fish > stamma.fish";

pub(in crate::cli) const MAN: &str = "Examples:
  stamma man > stamma.1
  stamma man search > stamma-search.1
  stamma man -o man1";

pub(in crate::cli) const ALL: &str = "Examples:
  stamma import games.db tests/data/games
  stamma search games.db --after '1. e4 c5 2. Nf3'
  stamma help search";
