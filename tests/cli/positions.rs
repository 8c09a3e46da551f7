//! Positions as FEN, EPD and JSON Lines, from files and from databases, compared with those of shakmaty.

use std::collections::HashSet;

use crate::support::program::{Workplace, games, json_lines, stderr_of, stdout_of};
use crate::support::start_position::start_position;
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, EnPassantMode, Position as _};

/// Games with evaluations, a null move, an unknown variant and a broken start.
const GAMES: &str = "[Event \"A\"]\n[White \"Ågren\"]\n[Result \"1-0\"]\n\n\
    1. e4 {[%eval 0.35] [%clk 0:03:00]} e5 {[%eval -1.2]} 2. Qh5 {no number} Ke7 {[%eval #1]} 3. Qxe5# 1-0\n\n\
    [Event \"B\"]\n[Result \"*\"]\n\n1. e4 -- 2. e5 d5 3. exd6 *\n\n\
    [Event \"C\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
    [Event \"D\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n";

fn own_games() -> Workplace {
    let work = Workplace::new();
    work.import(GAMES);
    work
}

/// A position of a game, by shakmaty.
struct Expected {
    game: u64,
    ply: u64,
    fen: String,
    /// The fields of the FEN without its clocks.
    epd: String,
    uci: Option<String>,
    san: Option<String>,
    result: String,
    is_quiet: bool,
}

impl Expected {
    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "game": self.game,
            "ply": self.ply,
            "fen": self.fen,
            "uci": self.uci,
            "san": self.san,
            "result": self.result,
            "eval_cp": null,
            "eval_mate": null,
        })
    }
}

/// Every position of all games of a database.
fn all_expected(work: &Workplace) -> Vec<Expected> {
    let sql = "SELECT id, coalesce(fen, ''), result, moves FROM games ORDER BY id";
    work.query(sql).lines().flat_map(positions).collect()
}

fn positions(game: &str) -> Vec<Expected> {
    let [id, fen, result, moves] = game.split('|').collect::<Vec<&str>>()[..] else {
        panic!("{game}")
    };

    let own_start = Some(fen).filter(|fen| !fen.is_empty());
    let mut position = start_position(own_start);

    // The games of Chess960 are the ones from other arrangements on the first rank.
    let is_shuffled = fen.contains("/pppppppp/") && !fen.starts_with("rnbqkbnr/");
    let mode = if is_shuffled {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };

    let mut sans = moves.split(' ').filter(|text| !text.is_empty());
    let mut rows = Vec::new();
    for ply in 0.. {
        let san = sans.next();
        let mv = san.map(|san| {
            let san = SanPlus::from_ascii(san.as_bytes()).expect("SAN").san;
            san.to_move(&position).expect("a legal move")
        });
        // A quiet position: the move takes nothing and promotes nothing, and the side to move is not in check.
        let is_quiet = mv.is_some_and(|mv| !mv.is_capture() && !mv.is_promotion());
        rows.push(Expected {
            game: id.parse().expect("a number"),
            ply,
            fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
            epd: Epd::from_position(&position, EnPassantMode::Legal).to_string(),
            // In Chess960, UCI has castling as the king's move to its rook.
            uci: mv.map(|mv| mv.to_uci(mode).to_string()),
            san: san.map(str::to_owned),
            result: result.to_owned(),
            is_quiet: is_quiet && !position.is_check(),
        });

        match mv {
            Some(mv) => position.play_unchecked(mv),
            None => break,
        }
    }

    rows
}

/// The lines of an export as JSON, which must be those that shakmaty gives.
fn assert_are(work: &Workplace, options: &str, expected: &[&Expected]) {
    let export = format!("export games.db --format positions-jsonl {options}");
    let lines = json_lines(&work.output(&export));

    let without_evaluations = |line: &serde_json::Value| {
        let mut line = line.clone();
        line["eval_cp"] = serde_json::Value::Null;
        line["eval_mate"] = serde_json::Value::Null;
        line
    };

    assert_eq!(lines.len(), expected.len(), "{options}");

    for (line, expected) in lines.iter().zip(expected) {
        assert_eq!(without_evaluations(line), expected.json(), "{options}");
    }
}

#[test]
fn positions_of_real_games_are_those_of_shakmaty() {
    let work = Workplace::with_historical_games();
    let all = all_expected(&work);
    assert_eq!(all.len(), 8_043);

    let some = |is_wanted: &dyn Fn(&Expected) -> bool| -> Vec<&Expected> {
        all.iter().filter(|position| is_wanted(position)).collect()
    };

    assert_are(&work, "--every-position", &some(&|_| true));
    assert_are(&work, "", &some(&|position| position.uci.is_none()));
    assert_are(
        &work,
        "--at-plies 16..40",
        &some(&|at| (16..=40).contains(&at.ply)),
    );
    assert_are(&work, "--at-plies =0", &some(&|position| position.ply == 0));
    assert_are(
        &work,
        "--quiet-positions",
        &some(&|position| position.is_quiet),
    );

    let options = "--quiet-positions --at-plies 16";
    assert_are(
        &work,
        options,
        &some(&|position| position.is_quiet && position.ply >= 16),
    );

    let fens = work.output("export games.db --format fen --every-position");
    assert!(fens.lines().eq(all.iter().map(|position| &*position.fen)));
}

#[test]
fn each_position_once_is_the_first_of_it() {
    let work = Workplace::with_historical_games();
    let all = all_expected(&work);

    let firsts = |is_wanted: &dyn Fn(&Expected) -> bool| -> Vec<&Expected> {
        let mut seen = HashSet::new();
        let wanted = all.iter().filter(|position| is_wanted(position));
        wanted
            .filter(|position| seen.insert(&position.epd))
            .collect()
    };

    let every = firsts(&|_| true);
    assert!(every.len() < 7_500, "{}", every.len());
    assert_are(&work, "--every-position --unique-positions", &every);

    let quiet = firsts(&|position| position.is_quiet);
    assert_are(&work, "--quiet-positions --unique-positions", &quiet);

    let run = work.stamma("export games.db --format fen --every-position --unique-positions");
    let repeated = format!("{} repeated positions left out\n", all.len() - every.len());
    assert_eq!(stderr_of(&run.success()).replace(',', ""), repeated);
}

#[test]
fn conversions_write_what_an_import_and_an_export_write() {
    let work = Workplace::with_historical_games();
    let files = games();
    let mut written = HashSet::new();
    for options in [
        "--format fen",
        "--format fen --every-position --unique-positions",
        "--format epd --every-position --epd-move sm",
        "--format epd --at-plies 10..20 --output-encoding latin1 --crlf --player petrosian",
        "--format positions-jsonl --quiet-positions --at-plies 8..60 --unique-positions",
        "--format positions-jsonl --every-position --sample 0.2 --seed 7",
        "--format positions-jsonl --every-position --result 1-0 --elo 2600 --limit 9",
        "--format fen --every-position --material KRPkr",
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        let run = |command: [&str; 2]| {
            let run = work.run(command.iter().chain(&options)).success();
            run.get_output().stdout.clone()
        };

        let exported = run(["export", "games.db"]);
        let converted = run(["convert", files.to_str().expect("a path")]);
        assert!(exported == converted, "{options:?}");

        // Each line of options has an output of its own.
        assert!(exported.len() > 1000, "{options:?}");
        assert!(written.insert(exported), "{options:?}");
    }
}

#[test]
fn evaluations_are_those_of_the_position() {
    let work = own_games();
    let options = "--every-position --games 1";
    let export = format!("export games.db --format positions-jsonl {options}");
    let mut evaluations = Vec::new();
    for line in json_lines(&work.output(&export)) {
        evaluations.push(format!("{} {}", line["eval_cp"], line["eval_mate"]));
    }

    assert_eq!(
        evaluations,
        [
            "null null",
            "35 null",
            "-120 null",
            "null null",
            "null 1",
            "null null"
        ]
    );

    let lines = work.output(&format!("export games.db --format epd {options}"));
    let evaluations: Vec<Option<&str>> = lines
        .lines()
        .map(|line| stamma::notation::Epd::read(line).operand("ce"))
        .collect();
    // From the view of the side to move; White mates with the next half-move.
    assert_eq!(
        evaluations,
        [None, Some("-35"), Some("-120"), None, Some("32766"), None]
    );
}

#[test]
fn games_without_positions_are_counted() {
    let work = own_games();
    let skipped = "2 games skipped: unknown variant or start, so no positions\n";
    let run = work.stamma("export games.db --format fen").code(1);

    assert_eq!(stdout_of(&run).lines().count(), 2);
    assert_eq!(stderr_of(&run), skipped);

    let run = work
        .stamma("convert in.pgn --format fen -o out.fen")
        .code(1);
    let stderr = stderr_of(&run);
    assert!(stderr.ends_with(skipped), "{stderr}");
    assert!(stderr.contains("4 games, 2 positions, "), "{stderr}");
    assert_eq!(work.read("out.fen").lines().count(), 2);
}

#[test]
fn a_null_move_is_not_quiet_and_not_written() {
    let work = own_games();
    let options = "--format positions-jsonl --games 2";
    let lines = work.output(&format!("export games.db {options} --every-position"));
    let is_without_a_move: Vec<bool> = lines
        .lines()
        .map(|line| line.contains("\"uci\":null"))
        .collect();

    // The position before the null move, and the last one.
    assert_eq!(is_without_a_move, [false, true, false, false, false, true]);

    // The last move is en passant.
    let quiet = work.output(&format!("export games.db {options} --quiet-positions"));
    let mut plies = String::new();
    for line in quiet.lines() {
        let (_, rest) = line.split_once("\"ply\":").expect("a ply");
        plies.extend(rest.chars().next());
    }

    assert_eq!(plies, "023");
}

macro_rules! refused {
    ($($name:ident: $arguments:literal => $why:literal;)*) => {$(
        #[test]
        fn $name() {
            let run = Workplace::new().stamma($arguments).code(2);
            let stderr = stderr_of(&run);
            assert!(stderr.contains($why), "{stderr}");
        }
    )*};
}

refused! {
    quiet_games: "convert in.pgn --quiet-positions" => "--quiet-positions needs --format fen, epd or";
    half_moves_of_games: "export games.db --at-plies 9" => "--at-plies needs --format fen, epd or";
    unique_positions_of_games: "convert in.pgn --unique-positions" => "--unique-positions needs --format";
    no_range: "convert in.pgn --format fen --at-plies 9..3" => "--at-plies";
    files_of_positions: "convert in.pgn --format fen --split-by year -o {}" => "--split-by needs --format pgn";
    other_games: "convert in.pgn --format fen --result 1-0 --others o.pgn" => "--others needs --format pgn";
    duplicates: "convert in.pgn --format fen --unique --duplicates o.pgn" => "--duplicates needs --format pgn";
    comments_of_positions: "convert in.pgn --format epd --comments drop" => "--comments needs --format pgn";
    letters_of_positions: "convert in.pgn --format epd --pieces fr" => "--notation and --pieces need";
    opcodes_of_json: "convert in.pgn --format positions-jsonl --epd-move sm" => "--epd-move needs --format epd";
    json_in_latin1: "convert in.pgn --format positions-jsonl --output-encoding latin1" => "JSON is UTF-8";
    positions_that_are_clean: "clean in.pgn --format fen" => "--fix needs --format pgn";
}

#[test]
fn nothing_is_said_of_positions_when_quiet() {
    let work = own_games();
    let options = "--format fen --every-position --unique-positions";
    assert_eq!(
        stderr_of(&work.stamma(&format!("export -q games.db {options}"))),
        ""
    );
    assert_eq!(
        stderr_of(&work.stamma(&format!("convert -q in.pgn {options}"))),
        ""
    );

    let run = work.stamma(&format!("convert in.pgn {options} -o out.fen"));
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("\n2 repeated positions left out\n"),
        "{stderr}"
    );
}
