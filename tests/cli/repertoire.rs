//! `stamma repertoire`: sides, sources, lists, files, and what it refuses.

use crate::support::program::{Workplace, stderr_of, stdout_of};

/// White plays 1. e4, and 2. Nf3 against both replies.
const LINES: &str = "1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 Nc6 3. Bb5 *\n";

fn game(white: &str, black: &str, tags: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n{tags}\n{moves}\n\n")
}

/// Games that leave by each way, one of them by a detour.
fn workplace() -> Workplace {
    let work = Workplace::new();
    let won = "[Result \"1-0\"]\n[Date \"2001.02.03\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n";
    let lost = "[Result \"0-1\"]\n[Date \"1999.??.??\"]\n";
    work.import(
        [
            game("Anna", "Bert", won, "1. e4 e5 2. Nf3 Nf6 3. Nxe5 1-0"),
            game("Cleo", "Bert", lost, "1. e4 e5 2. Nf3 Nf6 3. d4 0-1"),
            game("Anna", "Dora", lost, "1. Nf3 e5 2. e4 Nc6 3. Bb5 a6 0-1"),
            game("Anna", "Emil", won, "1. e4 c5 2. c3 d5 1-0"),
            game("Anna", "Fred", won, "1. e4 c5 2. Nf3 1-0"),
            game("Gina", "Anna", won, "1. d4 d5 1-0"),
        ]
        .concat(),
    );
    work.write("lines.pgn", LINES);
    work
}

/// Some columns of the rows as comma-separated values.
fn rows(work: &Workplace, arguments: &str, columns: &[&str]) -> Vec<String> {
    let csv = work.output(&format!(
        "repertoire games.db lines.pgn --format csv {arguments}"
    ));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header").clone();

    let at = |column: &&str| {
        header
            .iter()
            .position(|name| name == *column)
            .expect(column)
    };

    let row = |row: Result<csv::StringRecord, csv::Error>| {
        let row = row.expect("a row");
        columns
            .iter()
            .map(|column| &row[at(column)])
            .collect::<Vec<&str>>()
            .join("|")
    };

    reader.records().map(row).collect()
}

#[test]
fn departures() {
    let work = workplace();
    let columns = [
        "line",
        "kind",
        "san",
        "games",
        "score",
        "average_elo",
        "played_games",
        "share",
    ];
    assert_eq!(
        rows(&work, "", &columns),
        [
            "1. e4 e5 2. Nf3|opponent|Nf6|2|50.0|2500|2|66.7",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5|end-of-line||1|0.0||1|100.0",
            "1. e4 c5|own|c3|1|100.0|2500|1|50.0",
            "1. e4 c5 2. Nf3|end-of-game||1|100.0|2500|1|100.0",
        ]
    );
    assert_eq!(
        rows(&work, "--by own,end-of-game", &["kind"]),
        ["own", "end-of-game"]
    );
    assert_eq!(rows(&work, "--min-games 2", &["san"]), ["Nf6"]);
    assert_eq!(
        rows(&work, "--min-share 60 --by opponent", &["san"]),
        ["Nf6"]
    );
    assert_eq!(rows(&work, "--player cleo", &["san", "games"]), ["Nf6|1"]);

    let run = work.stamma("repertoire games.db lines.pgn").success();
    assert_eq!(
        stderr_of(&run),
        "a repertoire for White, as its moves show: 10 positions, 2 lines\n\
         5 of 6 games in it (all lines begin with 1. e4)\n"
    );
}

/// Moves without an answer come first, however often the side of the repertoire leaves it.
#[test]
fn departures_come_by_their_use() {
    let work = workplace();
    let own = |moves: &str| game("Anna", "Emil", "[Result \"1-0\"]\n", moves);
    let more = [
        own("1. e4 c5 2. c3 1-0"),
        own("1. e4 c5 2. d4 1-0"),
        own("1. e4 c5 2. c3 e6 1-0"),
    ];
    work.import(more.concat());

    let by_use = rows(&work, "", &["kind"]);
    assert_eq!(by_use[..3], ["opponent", "end-of-line", "own"]);

    let by_games = rows(&work, "--sort games", &["san", "games"]);
    assert_eq!(by_games[..2], ["c3|3", "Nf6|2"]);
}

#[test]
fn gaps_lines_and_games() {
    let work = workplace();
    assert_eq!(
        rows(&work, "--list gaps", &["move_number", "san", "games"]),
        ["2...|Nf6|2"]
    );
    assert_eq!(
        rows(
            &work,
            "--list lines --min-games 0 --sort line",
            &["line", "games"]
        ),
        ["1. e4 c5 2. Nf3 d6 3. d4|0", "1. e4 e5 2. Nf3 Nc6 3. Bb5|1"]
    );
    assert_eq!(
        rows(
            &work,
            "--list games --by opponent,end-of-line",
            &["game", "white", "ply", "san"]
        ),
        ["1|Anna|3|Nf6", "2|Cleo|3|Nf6", "3|Anna|5|a6"]
    );
    assert_eq!(
        rows(&work, "--list games --whole --by own", &["game", "san"]),
        ["4|c3", "6|d4"]
    );
}

/// Few games are replayed; of positions of many, the index has the moves.
#[test]
fn games_end_at_null_moves() {
    for games in [1, 40] {
        let work = workplace();
        let mut passed = String::new();
        for number in 0..games {
            let white = format!("A{number}");
            passed += &game(&white, "B", "", "1. e4 e5 2. Nf3 -- 3. Bb5");
        }
        passed += &game("A", "C", "", "1. e4 -- 2. d4");
        work.write("more.pgn", passed);
        work.stamma("import games.db more.pgn");

        // A null move is no gap: the game has ended before it.
        assert_eq!(rows(&work, "--list gaps --min-games 0", &["san"]), ["Nf6"]);

        let ended = rows(
            &work,
            "--by end-of-game --sort line",
            &["line", "games", "san"],
        );
        let many = format!("1. e4 e5 2. Nf3|{games}|");
        assert_eq!(ended, ["1. e4|1|", "1. e4 c5 2. Nf3|1|", &many]);

        let listed = rows(
            &work,
            "--list games --by end-of-game --limit 100",
            &["line", "san"],
        );
        assert_eq!(listed.len(), games + 2);
        assert!(listed.iter().all(|row| row.ends_with('|')), "{listed:?}");
    }
}

#[test]
fn new_games() {
    let work = workplace();
    let week = game(
        "Hans",
        "Ida",
        "[Date \"2026.11.02\"]\n",
        "1. e4 e5 2. Nf3 d6 *",
    );
    work.write("week/new.pgn", week);
    work.stamma("import games.db week/new.pgn").success();

    for new in [
        "--new",
        "--source new.pgn",
        "--source week/new.pgn",
        "--source 2",
    ] {
        assert_eq!(rows(&work, new, &["san", "games"]), ["d6|1"], "{new}");
    }
    assert_eq!(rows(&work, "--new-since 2026.11.01", &["san"]), ["d6"]);
    assert_eq!(rows(&work, "--new-since 2026.11.03", &["san"]), [""; 0]);

    let run = work
        .stamma("repertoire games.db lines.pgn --source twic.pgn")
        .failure();
    assert!(stderr_of(&run).contains("twic.pgn: no source of the database has this path"));
}

#[test]
fn duplicates_do_not_count() {
    let work = workplace();
    work.write("again.pgn", format!("\n{}", work.read("in.pgn")));
    work.stamma("import games.db again.pgn").success();
    work.stamma("dedupe games.db").success();

    let marked = work.query("SELECT count(*) FROM duplicate_of");
    assert_ne!(marked, "0");

    let run = work.stamma("repertoire games.db lines.pgn").success();
    let message = format!("{marked} games are marked as duplicates, and not counted\n");
    let stderr = stderr_of(&run);
    assert!(stderr.contains(&message), "{stderr}");

    // The counts are as before when the duplicates are deleted.
    let columns = ["line", "kind", "games", "score", "played_games"];
    let counted = rows(&work, "", &columns);
    let marked = "id IN (SELECT game_id FROM duplicate_of)";
    work.run(["delete", "games.db", "--yes", "--where", marked])
        .success();

    assert_eq!(rows(&work, "", &columns), counted);
}

#[test]
fn games_are_marked() {
    let work = workplace();
    let pgn = work.output("repertoire games.db lines.pgn --format pgn");

    for marked in [
        "2. Nf3 Nf6 {leaves the repertoire: no answer to this move} 3. Nxe5",
        "3. Bb5 a6 {the line of the repertoire has ended} 0-1",
        "2. c3 {leaves the repertoire, which has 2. Nf3} 2... d5",
        "2. Nf3 {the game ends in the repertoire} 1-0",
    ] {
        assert!(pgn.replace('\n', " ").contains(marked), "{marked}\n{pgn}");
    }

    work.write("all.pgn", pgn);
    work.stamma("import again.db all.pgn").success();
}

#[test]
fn the_repertoire_is_annotated() {
    let work = workplace();
    work.write(
        "lines.pgn",
        "1. e4 {mine} e5 (1... c5 $2 2. Nf3 $1 {well}) 2. Nf3 Nc6 3. Bb5 *\n",
    );
    work.stamma("repertoire games.db lines.pgn --format annotated -o out.pgn")
        .success();

    let pgn = work.read("out.pgn").replace('\n', " ");
    let comments = "1. e4 {4 games, 75 %} {mine} 1... e5 (1... c5 $2 2. Nf3 $1 {1 game, 100 %; model game: \
                    Anna - Fred, 1-0, 2001.02.03 (game 5)} {well}) 2. Nf3 {3 games, 33 %; without an answer: \
                    2... Nf6 2} 2... Nc6 3. Bb5 {1 game, 0 %; model game: Anna - Dora, 0-1, 1999.??.?? (game \
                    3)} *";
    assert!(pgn.contains(comments), "{pgn}");
}

#[test]
fn places_that_cannot_be_read_are_named() {
    let work = workplace();
    work.write(
        "lines.pgn",
        format!("{LINES}\n\n[Event \"b\"]\n\n1. d4 d5\n2. Bb5 *\n"),
    );

    let run = work
        .stamma("repertoire games.db lines.pgn --as white")
        .code(1);
    let stderr = stderr_of(&run);
    assert!(stderr.contains("lines.pgn:7: 2. Bb5: "), "{stderr}");

    work.write(
        "list.epd",
        "# list\n\n8/8/8/8/8/8/8 w - -\n4k3/8/8/8/8/8/8/4K3 w - - bm Ka8;\n",
    );

    let run = work
        .stamma("repertoire games.db list.epd --as white")
        .code(1);
    assert!(stderr_of(&run).contains("list.epd:3: the board of the FEN has 7 ranks"));
    assert!(stderr_of(&run).contains("list.epd:4: Ka8 is not a legal move in this position\n"));
}

#[test]
fn an_empty_database_has_no_hits() {
    let work = workplace();
    work.stamma("delete games.db --yes --where 1").success();

    let run = work.stamma("repertoire games.db lines.pgn").success();
    assert_eq!(stdout_of(&run), "");

    let stderr = stderr_of(&run);
    assert!(stderr.contains("0 of 0 games in it"), "{stderr}");
}

#[test]
fn what_is_no_repertoire_is_refused() {
    let work = workplace();
    let refused = |arguments: &str, message: &str| {
        let run = work
            .stamma(&format!("repertoire games.db {arguments}"))
            .failure();
        let stderr = stderr_of(&run);
        assert!(stderr.contains(message), "{stderr}");
    };

    work.write("line.pgn", "1. e4 e5 *\n");
    refused(
        "line.pgn",
        "cannot be told by its moves: White has several moves in 0 of its",
    );
    refused("line.pgn", "give --as white or --as black");
    work.write("empty.pgn", "");
    refused(
        "empty.pgn --as white",
        "no position was found in the repertoire",
    );
    refused("missing.pgn", "missing.pgn: ");
    refused(
        "lines.pgn --list lines --by own",
        "--list lines has all games",
    );
    refused("lines.pgn --min-share 101", "give a number from 0 to 100");
    refused("lines.pgn -o lines.pgn", "one of the input or output files");
    work.write("list.epd", "4k3/8/8/8/8/8/8/4K3 w - -\n");
    refused(
        "list.epd --as white --format annotated",
        "only a PGN file can be annotated",
    );
}
