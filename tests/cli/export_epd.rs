//! Positions of games as EPD, compared with those of shakmaty.

use crate::support::program::{Workplace, stderr_of, stdout_of};
use crate::support::start_position::start_position;
use shakmaty::fen::Epd as EpdFields;
use shakmaty::san::SanPlus;
use shakmaty::{EnPassantMode, Position as _};
use stamma::notation::Epd;

/// The third game is not chess, and the last has an invalid start position.
const GAMES: &str = "[Event \"Casual \\\"blitz\\\"; 5+0\"]\n[White \"Anna\"]\n[Black \"?\"]\n\
    [Date \"2001.??.??\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
    [Event \"?\"]\n[Date \"????.??.??\"]\n\n1. Nf3 e5 2. e4 Nh4 *\n\n\
    [Event \"C\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
    [Event \"D\"]\n[White \"Dora\"]\n\n1. e4 -- 2. e5 d5 *\n\n\
    [Event \"E\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n";

fn five_games() -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    work
}

/// The compared parts of a line: the fields, some operands, and where `id` begins.
fn compared_parts(line: &str) -> String {
    let epd = Epd::read(line);
    let operand = |opcode| epd.operand(opcode).unwrap_or("-");

    // An `id` begins with the place of the position, which ends with a colon.
    let id = operand("id").split_once(':').map_or("", |(place, _)| place);
    let half_move_clock = operand("hmvc");
    let move_number = operand("fmvn");
    let result = operand("c0");
    let mv = operand("sm");

    [&epd.fen, half_move_clock, move_number, result, id, mv].join("|")
}

/// The same for every position of all games, from shakmaty.
fn expected_positions(work: &Workplace) -> Vec<String> {
    let sql = "SELECT id, coalesce(fen, ''), result, moves FROM games ORDER BY id";
    work.query(sql).lines().flat_map(positions).collect()
}

fn positions(game: &str) -> Vec<String> {
    let [id, fen, result, moves] = game.split('|').collect::<Vec<&str>>()[..] else {
        panic!("{game}")
    };

    let own_start = Some(fen).filter(|fen| !fen.is_empty());
    let mut position = start_position(own_start);
    let mut sans = moves.split(' ').filter(|text| !text.is_empty());
    let mut rows = Vec::new();
    for ply in 0.. {
        let next = sans.next();

        let fields = EpdFields::from_position(&position, EnPassantMode::Legal);
        let (clock, number) = (position.halfmoves(), position.fullmoves());
        let played = next.unwrap_or("-");
        rows.push(format!(
            "{fields}|{clock}|{number}|{result}|game {id} ply {ply}|{played}"
        ));

        let Some(san) = next else { break };
        let san = SanPlus::from_ascii(san.as_bytes()).expect("SAN").san;
        let mv = san.to_move(&position).expect("a legal move");
        position.play_unchecked(mv);
    }

    rows
}

#[test]
fn positions_of_real_games_are_those_of_shakmaty() {
    let work = Workplace::with_historical_games();
    let lines = work.output("export games.db --format epd --every-position --epd-move sm");
    let read: Vec<String> = lines.lines().map(compared_parts).collect();
    assert_eq!(read.len(), 8_043);

    // Thousands of lines are no message to read, so they are not printed.
    let is_equal = read == expected_positions(&work);
    assert!(is_equal, "the export and shakmaty differ");
}

#[test]
fn one_line_a_game_has_its_last_position() {
    let work = Workplace::with_historical_games();
    let lines = work.output("export games.db --format epd");
    let fens: Vec<String> = lines
        .lines()
        .map(|line| {
            let epd = Epd::read(line);
            let operand = |opcode| epd.operand(opcode).expect("a counter");
            format!("{} {} {}", epd.fen, operand("hmvc"), operand("fmvn"))
        })
        .collect();

    assert_eq!(
        fens.join("\n"),
        work.query("SELECT final_fen FROM games ORDER BY id")
    );
}

#[test]
fn lines_have_operations_in_the_order_of_opcodes() {
    let work = Workplace::with_historical_games();
    let options = "--format epd --every-position --epd-move pm";

    for line in work
        .output(&format!("export games.db {options} --games 66,100-105"))
        .lines()
    {
        assert_eq!(Epd::read(line).to_string(), line);
    }
}

#[test]
fn says_who_played_and_where_as_far_as_it_is_known() {
    let run = five_games().stamma("export games.db --format epd").code(1);
    assert_eq!(
        stdout_of(&run),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - c0 \"1-0\"; fmvn 2; hmvc 1; \
         id \"game 1 ply 3: Anna - ?, Casual 'blitz'; 5+0, 2001.??.??\";\n\
         rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - c0 \"*\"; fmvn 2; hmvc 0; \
         id \"game 2 ply 3: ? - ?\";\n\
         rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 c0 \"*\"; fmvn 3; hmvc 0; \
         id \"game 4 ply 4: Dora - ?, D\";\n"
    );
    assert_eq!(
        stderr_of(&run),
        "2 games skipped: unknown variant or start, so no positions\n"
    );
}

#[test]
fn a_null_move_is_no_operand() {
    let work = five_games();
    let options = "--format epd --every-position --epd-move pm --games 4";
    let lines = work.output(&format!("export games.db {options}"));
    let moves: Vec<Option<&str>> = lines
        .lines()
        .map(|line| Epd::read(line).operand("pm"))
        .collect();

    // Black passes after 1. e4, and the last position has no move.
    assert_eq!(moves, [Some("e4"), None, Some("e5"), Some("d5"), None]);
}

#[test]
fn some_games_into_a_file() {
    let work = five_games();
    work.stamma("export games.db --format epd --games 2,4 -o out.epd")
        .success();
    assert_eq!(work.read("out.epd").lines().count(), 2);

    let run = work
        .stamma("export games.db --format epd --games 3")
        .code(1);
    assert_eq!(stdout_of(&run), "");

    let run = work
        .stamma("export games.db --format epd --games 9")
        .code(2);
    assert_eq!(
        stderr_of(&run),
        "stamma: there is no game 9 in the database\n"
    );
}

#[test]
fn changed_moves_are_followed_as_far_as_they_go() {
    let work = five_games();
    let database = rusqlite::Connection::open(work.path("games.db")).expect("a database");
    let change = "UPDATE movetext SET moves = 'e4 Ke3' WHERE game_id = 1";
    database.execute_batch(change).expect("SQL");

    // The start, and the position after 1. e4.
    let lines = work.output("export games.db --format epd --every-position --games 1");
    assert_eq!(lines.lines().count(), 2, "{lines}");
}

macro_rules! refused {
    ($($name:ident: $options:literal => $why:literal;)*) => {$(
        #[test]
        fn $name() {
            let run = Workplace::new().stamma(concat!("export games.db ", $options)).code(2);
            let stderr = stderr_of(&run);
            assert!(stderr.contains($why), "{stderr}");
        }
    )*};
}

refused! {
    every_position_of_pgn: "--every-position" => "--every-position needs --format fen, epd or positions-jsonl";
    every_position_of_json: "--every-position --format jsonl" => "needs --format fen, epd or positions-jsonl";
    moves_of_last_positions: "--format epd --epd-move sm" => "--every-position";
    best_moves: "--format epd --every-position --epd-move bm" => "[possible values: pm, sm]";
    other_notations: "--format epd --notation lan" => "moves of positions are SAN";
    other_letters: "--format epd --pieces fr" => "moves of positions are SAN";
}
