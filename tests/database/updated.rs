//! Imports with `--update`: a newer text of a game replaces the earlier text under its number. The database is then as
//! if it had been imported from the newer file alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::index_oracle::is_whole;
use crate::support::program::{Workplace, commented_games, stderr_of, text_of_games};
use stamma::import::{EarlierImport, Event, ImportOptions, Summary, import};
use stamma::storage::Database;

/// A game of a broadcast, with these tags in place of the usual ones of the same names.
fn game(tags: &[(&str, &str)], moves: &str) -> String {
    let mut all = vec![
        ("Event", "Own Cup"),
        ("Site", "Somewhere"),
        ("Date", "2024.05.01"),
        ("Round", "1.1"),
        ("White", "Berg, Anna"),
        ("Black", "Falk, Olaf"),
        ("Result", "*"),
    ];

    for &(name, value) in tags {
        let known = all.iter_mut().find(|(known, _)| *known == name);
        if let Some((_, known_value)) = known {
            *known_value = value;
        } else {
            all.push((name, value));
        }
    }

    let mut text = String::new();
    for (name, value) in &all {
        text += &format!("[{name} \"{value}\"]\n");
    }

    // The termination marker is the value of the seventh tag.
    let (_, result) = all[6];
    format!("{text}\n{moves} {result}\n\n")
}

/// The content of a database, without the numbers of sources.
const CONTENT: &str =
    "SELECT id, event, site, date, round, white, black, result, white_elo, black_elo, eco, opening,
    ply_count, moves, substr(annotations, 1, 60), length(annotations), tags, rest, fen, variant, final_fen, byte_offset, byte_length,
    (SELECT group_concat(kind || byte_offset || message, ';') FROM problem WHERE game_id = games.id)
    FROM games ORDER BY id";
const TEXTS: &str =
    "SELECT before_game, byte_offset, text FROM source_text ORDER BY before_game, byte_offset";

/// Asserts equality, and reports only the first difference.
fn same_lines(found: &str, expected: &str) {
    let mut pairs = found.lines().zip(expected.lines());
    let first_difference = pairs.find(|(found, expected)| found != expected);
    assert_eq!(first_difference, None);

    // Lines behind the end of the shorter text are not compared above.
    assert_eq!(found.lines().count(), expected.lines().count());
}

/// Imports a file, and a newer one of the same name with `--update`; returns the messages.
fn import_update(work: &Workplace, before: &str, after: &str) -> String {
    work.write("games.pgn", before);
    work.stamma("import games.db games.pgn --quiet");
    work.write("games.pgn", after);
    stderr_of(&work.stamma("import games.db games.pgn --update"))
}

/// Changes of the third of four games, each with the message about it: the database is then as if it had been imported
/// from the newer file.
macro_rules! changes {
    ($($name:ident: $tags:expr, $moves:expr => $message:literal;)*) => {$(
        #[test]
        fn $name() {
            let others = |round: &str| game(&[("Round", round), ("White", "Lund, Per")], "1. d4 d5");
            let third = [("Round", "1.3"), ("WhiteElo", "2100")];
            let before = game(&third, "1. e4 e5 {a word} 2. Nf3 Nc6");
            let mut tags = third.to_vec();

            tags.extend_from_slice(&$tags);
            let after = game(&tags, $moves);
            let file = |third: &str| [&*others("1.1"), &others("1.2"), third, &others("1.4")].concat();

            let work = Workplace::new();
            let message = import_update(&work, &file(&before), &file(&after));
            assert!(message.contains($message), "{message}");

            let fresh = Workplace::new();
            fresh.write("games.pgn", file(&after));
            fresh.stamma("import games.db games.pgn --quiet");

            assert_eq!(work.query(CONTENT), fresh.query(CONTENT));

            is_whole(&work);
            let commands = [
                "search games.db e4 e5 --format count", "search games.db e4 c5 --format count",
                "search games.db e4 e5 --result 1-0 --format count", "moves games.db e4 --format jsonl",
                "search games.db --elo 2200 --format count", "search games.db --comment word --format count",
                "search games.db --comment novel --format count", "search games.db --black falck --format count",
            ];

            for command in commands {
                assert_eq!(work.output(command), fresh.output(command), "{command}");
            }

            work.stamma("optimize games.db --quiet");
            is_whole(&work);
            assert_eq!(work.output("check games.db --digest"), fresh.output("check games.db --digest"));

            let sources = "SELECT group_concat(games) FROM source";
            assert_eq!(work.query(sources), "4,4");
        }
    )*};
}

changes! {
    nothing: [], "1. e4 e5 {a word}\n2. Nf3 Nc6" => "0 games are updated, 4 as before, 0 new\n";
    more_moves: [], "1. e4 e5 {a word} 2. Nf3 Nc6 3. Bb5" =>
        "game 3: Berg, Anna - Falk, Olaf, 2024.05.01: moves (4 to 5 half-moves)\n1 game is updated, 3 as before, 0 new\n";
    other_moves: [], "1. e4 c5 {a word} 2. Nf3 Nc6" => "2024.05.01: moves\n";
    the_result: [("Result", "1-0")], "1. e4 e5 {a word} 2. Nf3 Nc6" => "2024.05.01: result (* to 1-0)\n";
    the_rating: [("WhiteElo", "2200")], "1. e4 e5 {a word} 2. Nf3 Nc6" => "2024.05.01: tags\n";
    a_further_tag: [("Annotator", "Own")], "1. e4 e5 {a word} 2. Nf3 Nc6" => "2024.05.01: tags\n";
    a_comment: [], "1. e4 e5 {a novelty} 2. Nf3 Nc6" => "2024.05.01: comments\n";
    a_mistake: [], "1. e4 e5 {a word} 2. Nf3 Nc6 3. Ba8" => "2024.05.01: moves\n";
    all_of_it: [("Result", "1-0"), ("WhiteElo", "2201")], "1. d4 {novel} d5" =>
        "2024.05.01: moves (4 to 2 half-moves), result (* to 1-0), tags, comments\n";
}

/// Whether a game with the second tags and moves is a newer text of one with the first.
macro_rules! identities {
    ($($name:ident: $before:expr, $moves:literal, $after:expr, $newer:literal => $is:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            let before = game(&$before, $moves);
            let after = game(&$after, $newer);

            work.write("one.pgn", &before);
            work.write("other.pgn", &after);
            work.stamma("import games.db one.pgn --quiet");
            work.stamma("import games.db other.pgn --update --quiet");

            let count: usize = work.query("SELECT count(*) FROM game").parse().expect("a number");
            assert_eq!(count == 1, $is);

            if $is {
                let fresh = Workplace::new();
                fresh.write("other.pgn", &after);
                fresh.stamma("import games.db other.pgn --quiet");
                assert_eq!(work.query(CONTENT), fresh.query(CONTENT));
            }

            is_whole(&work);
        }
    )*};
}

const LICHESS: (&str, &str) = ("Site", "https://lichess.org/abcd1234");

identities! {
    the_same_tags: [], "1. e4", [], "1. e4 e5" => true;
    the_same_tags_and_other_moves: [], "1. e4", [], "1. d4" => false;
    the_same_tags_and_another_game: [], "1. e4 e5 2. Nf3", [], "1. e4 e5 2. f4 exf4" => false;
    a_text_that_was_cut_off: [("Result", "1-0")], "1. e4 e5 2. Nf3", [], "1. e4" => false;
    a_text_without_moves: [], "1. e4 e5 2. Nf3", [], "" => false;
    names_in_another_case: [("Event", "OWN cup")], "1. e4", [], "1. e4 e5" => true;
    rounds_written_otherwise: [("Round", "01.01")], "1. e4", [], "1. e4 e5" => true;
    the_same_text_of_no_day: [("Round", "?"), ("Date", "2024.??.??")], "1. e4",
        [("Round", "?"), ("Date", "2024.??.??")], "1. e4" => true;
    another_round: [("Round", "1.2")], "1. e4", [], "1. e4 e5" => false;
    another_date: [("Date", "2024.05.02")], "1. e4", [], "1. e4 e5" => false;
    another_event: [("Event", "Other Cup")], "1. e4", [], "1. e4 e5" => false;
    another_player: [("White", "Berg, Ann")], "1. e4", [], "1. e4 e5" => false;
    the_other_colour: [("White", "Falk, Olaf"), ("Black", "Berg, Anna")], "1. e4", [], "1. e4 e5" => false;
    a_date_that_is_partly_known: [("Date", "2024.??.??")], "1. e4", [("Date", "2024.??.??")], "1. e4 e5" => true;
    no_round_and_other_moves: [("Round", "?")], "1. e4", [("Round", "?")], "1. d4" => false;
    no_round_and_more_moves: [("Round", "?")], "1. e4", [("Round", "?")], "1. e4 e5" => true;
    no_round_and_a_finished_game: [("Round", "?"), ("Result", "1-0")], "1. e4", [("Round", "?")], "1. e4 e5" => false;
    no_names: [("White", "?"), ("Black", "?")], "1. e4", [("White", "?"), ("Black", "?")], "1. e4 e5" => false;
    no_event: [("Event", "?")], "1. e4", [("Event", "?")], "1. e4 e5" => true;
    an_event_that_came_later: [("Event", "?")], "1. e4", [], "1. e4 e5" => true;
    no_event_and_other_moves: [("Event", "?")], "1. e4", [("Event", "?")], "1. d4" => false;
    no_round_and_no_day: [("Round", "?"), ("Date", "2024.??.??")], "1. e4",
        [("Round", "?"), ("Date", "2024.??.??")], "1. e4 e5" => false;
    the_same_address: [LICHESS], "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O",
        [LICHESS, ("White", "Berg, A"), ("Round", "2"), ("Date", "2024.05.03")], "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3" => true;
    an_address_of_a_whole_round: [LICHESS], "1. e4 e5", [LICHESS, ("Round", "2"), ("Date", "2024.05.03")], "1. e4 e5 2. Nf3" => false;
    an_address_in_another_case: [LICHESS], "1. e4", [("Site", "https://lichess.org/ABCD1234"), ("Round", "2")], "1. d4" => false;
    another_address: [LICHESS], "1. e4", [("Site", "https://lichess.org/efgh5678")], "1. e4 e5" => false;
    an_address_of_several_games: [LICHESS], "1. e4", [LICHESS, ("White", "Lund, Per")], "1. e4" => false;
    an_address_that_came_later: [], "1. e4", [LICHESS], "1. e4 e5" => true;
    the_same_id: [("GameId", "Ab12Cd34")], "1. e4", [("GameId", "Ab12Cd34"), ("Black", "Falk, O"), ("Event", "Other")], "1. e4 e5" => true;
    the_same_url: [("GameURL", "https://lichess.org/broadcast/a/b/Ab12Cd34/Ef56Gh78")], "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O",
        [("GameURL", "https://lichess.org/broadcast/a/b/Ab12Cd34/Ef56Gh78"), ("Round", "9")], "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O" => true;
    another_id: [("GameId", "Ab12Cd34")], "1. e4", [("GameId", "Ab12Cd35")], "1. e4" => false;
    a_short_id_of_another_event: [("GameId", "1001")], "1. e4", [("GameId", "1001"), ("Event", "Other")], "1. e4" => false;
    a_short_id_of_this_event: [("GameId", "1001")], "1. e4", [("GameId", "1001"), ("Round", "?")], "1. e4" => true;
}

#[test]
fn without_the_option_nothing_is_replaced() {
    let work = Workplace::new();
    work.write("games.pgn", game(&[], "1. e4"));
    work.stamma("import games.db games.pgn --quiet");

    work.write("games.pgn", game(&[("Result", "1-0")], "1. d4"));
    work.stamma("import games.db games.pgn --quiet");

    let games = work.query("SELECT id, moves, result FROM games");
    assert_eq!(games, "1|e4|*\n2|d4|1-0");
}

#[test]
fn games_that_may_be_several_are_added_and_told() {
    let work = Workplace::new();
    for (name, moves) in [("a.pgn", "1. e4"), ("b.pgn", "1. e4 e5")] {
        work.write(name, game(&[], moves));
        work.stamma(&format!("import games.db {name} --quiet"));
    }

    work.write("c.pgn", game(&[], "1. e4 e5 2. Nf3"));
    let stderr = stderr_of(&work.stamma("import games.db c.pgn --update"));
    let expected = "game 3: Berg, Anna - Falk, Olaf, 2024.05.01: added, as it may be any of the games 1, 2, or another one\n";

    assert!(stderr.contains(expected), "{stderr}");
    assert_eq!(
        work.query("SELECT moves FROM games"),
        "e4\ne4 e5\ne4 e5 Nf3"
    );

    // A newer text in a file of the same name replaces the game of that file.
    work.write("b.pgn", game(&[], "1. d4"));
    let json = work.output("import games.db b.pgn --update --json --quiet");
    let changes = "\"updated\":1,\"unchanged\":0,\"changes\":[{\"game\":2,\"white\":\"Berg, Anna\",\"black\":\"Falk, Olaf\",\
        \"date\":\"2024.05.01\",\"changed\":[\"moves\"],\"plies\":[2,1]}]";

    assert!(json.contains(changes), "{json}");
    assert_eq!(work.query("SELECT moves FROM games"), "e4\nd4\ne4 e5 Nf3");

    is_whole(&work);
}

#[test]
fn games_of_one_file_never_replace_each_other() {
    let work = Workplace::new();
    let one = game(&[], "1. e4");
    let message = import_update(&work, &one, &[&*one, &game(&[], "1. d4")].concat());
    assert!(message.contains("game 2: "), "{message}");

    let later = [
        game(&[], "1. e4 e5"),
        game(&[], "1. d4 d5"),
        game(&[], "1. c4"),
    ]
    .concat();

    work.write("games.pgn", later);
    work.stamma("import games.db games.pgn --update --quiet");
    assert_eq!(
        work.query("SELECT id, moves FROM games"),
        "1|e4 e5\n2|d4 d5\n3|c4"
    );

    is_whole(&work);
}

#[test]
fn texts_and_problems_are_those_of_the_newer_file() {
    let file = |first: &str, moves: &str, last: &str| {
        let games = [
            game(&[], "1. e4 e5 2. Ke3"),
            game(&[("Round", "1.2")], moves),
        ];
        format!("% {first}\n{}% between\n{}% {last}\n", games[0], games[1])
    };

    let work = Workplace::new();
    let after = file("new", "1. d4 d5 2. Kd3 c5", "newer");
    import_update(&work, &file("old", "1. d4 Kd6", "older"), &after);

    let fresh = Workplace::new();
    fresh.write("games.pgn", &after);
    fresh.stamma("import games.db games.pgn --quiet");

    for sql in [
        CONTENT,
        TEXTS,
        "SELECT game_id, kind, byte_offset FROM problem ORDER BY byte_offset",
    ] {
        assert_eq!(work.query(sql), fresh.query(sql));
    }

    assert_eq!(
        work.query("SELECT group_concat(problems) FROM source"),
        "0,2"
    );
    assert_eq!(
        work.output("export games.db"),
        fresh.output("export games.db")
    );

    is_whole(&work);
}

#[test]
fn the_earlier_file_is_known_and_the_newer_one_can_be_forgotten() {
    let work = Workplace::new();
    let before = [game(&[], "1. e4"), game(&[("Round", "1.2")], "1. d4")].concat();
    import_update(&work, &before, &before.replace("1. d4", "1. d4 d5"));
    work.write("games.pgn", &before);

    let stderr = stderr_of(&work.stamma("import games.db games.pgn --update"));
    assert_eq!(stderr, "games.pgn: already imported, skipped\n");

    work.stamma("import games.db games.pgn --update --again --quiet");
    assert_eq!(work.query("SELECT id, moves FROM games"), "1|e4\n2|d4");

    // All games belong to the newest file now.
    work.stamma("forget games.db 3").success();
    assert_eq!(work.query("SELECT count(*) FROM game"), "0");
    work.stamma("check games.db --full").success();
}

#[test]
fn a_game_that_goes_on_keeps_its_number() {
    for has_update in [true, false] {
        let work = Workplace::new();

        // A source is recognized by its first four kilobytes.
        let long = format!("{{{}}} 1. e4", "a comment ".repeat(500));
        let games = [game(&[], &long), game(&[("Round", "1.2")], "1. d4")].concat();
        work.write("games.pgn", &games);
        work.stamma("import games.db games.pgn --quiet");

        // All games of this one are updates, and then it grows, in the tags of its last game and behind it.
        let newer = games.replace("1. e4", "1. e4 e5");
        work.write("games.pgn", &newer);
        work.stamma("import games.db games.pgn --update --quiet");

        let grown = newer.trim_end().replace("1. d4 *", "1. d4 d5 2. c4 *\n\n");
        work.write("games.pgn", grown + &game(&[("Round", "1.3")], "1. c4"));

        let option = if has_update { "--update" } else { "" };
        work.stamma(&format!("import games.db games.pgn --quiet {option}"))
            .success();

        // Without the option, the last game of a grown file is imported anew.
        let expected = if has_update {
            "1|e4 e5\n2|d4 d5 c4\n3|c4"
        } else {
            "1|e4 e5\n3|d4 d5 c4\n4|c4"
        };
        assert_eq!(work.query("SELECT id, moves FROM games"), expected);

        is_whole(&work);
    }
}

#[test]
fn a_game_that_was_cut_off_keeps_its_number() {
    let work = Workplace::new();
    let whole = [
        game(&[], "1. e4"),
        game(&[("Round", "1.2")], "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5"),
    ]
    .concat();

    let second = whole.rfind("[Event").expect("a game");
    for cut in (second + 20..whole.len()).step_by(7) {
        work.write("games.pgn", &whole[..cut]);
        work.stamma("import games.db games.pgn --update --quiet");
        assert_eq!(
            work.query("SELECT group_concat(id) FROM game"),
            "1,2",
            "{cut}"
        );
    }

    work.write("games.pgn", &whole);
    work.stamma("import games.db games.pgn --update --quiet");
    assert_eq!(
        work.query("SELECT id, moves FROM games"),
        "1|e4\n2|d4 d5 c4 e6 Nc3 Nf6 Bg5"
    );

    is_whole(&work);
}

#[test]
fn games_pass_the_filter_before_they_update() {
    let work = Workplace::new();
    let rated = |elo: &'static str, round: &'static str, moves: &str| {
        let tags = [("WhiteElo", elo), ("BlackElo", elo), ("Round", round)];
        game(&tags, moves)
    };

    let before = [
        rated("2500", "1", "1. e4"),
        rated("2500", "2", "1. d4"),
        rated("1500", "3", "1. c4"),
    ];
    work.write("games.pgn", before.concat());
    work.stamma("import games.db games.pgn --elo 2000 --quiet");

    let after = [
        rated("2500", "1", "1. e4 e5"),
        rated("1600", "2", "1. d4 d5"),
        rated("2100", "3", "1. c4"),
    ];
    work.write("games.pgn", after.concat());

    let stderr = stderr_of(&work.stamma("import games.db games.pgn --elo 2000 --update"));
    assert!(
        stderr.contains("1 game is updated, 0 as before, 1 new\n"),
        "{stderr}"
    );
    assert_eq!(
        work.query("SELECT id, moves FROM games"),
        "1|e4 e5\n2|d4\n3|c4"
    );

    // The rest comes without the filter, and with it nothing more.
    work.stamma("import games.db games.pgn --update --elo 2000")
        .success();
    work.stamma("import games.db games.pgn --update --quiet")
        .success();

    assert_eq!(
        work.query("SELECT id, moves FROM games"),
        "1|e4 e5\n2|d4 d5\n3|c4"
    );

    is_whole(&work);
}

#[test]
fn a_limit_counts_games_that_are_updated() {
    let work = Workplace::new();
    let file = |moves: &str| {
        ["1", "2", "3"]
            .map(|round| game(&[("Round", round)], moves))
            .concat()
    };

    work.write("games.pgn", file("1. e4"));
    work.stamma("import games.db games.pgn --quiet");
    work.write("games.pgn", file("1. e4 e5"));

    for (limit, expected) in [
        (1, "e4 e5\ne4\ne4"),
        (1, "e4 e5\ne4\ne4"),
        (2, "e4 e5\ne4 e5\ne4"),
        (0, "e4 e5\ne4 e5\ne4 e5"),
    ] {
        work.stamma(&format!(
            "import games.db games.pgn --update --quiet --limit {limit}"
        ));
        assert_eq!(work.query("SELECT moves FROM games"), expected, "{limit}");
        is_whole(&work);
    }
}

#[test]
fn a_game_may_equal_the_earlier_text_of_another() {
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";
    let other = long.replace("9. h3", "9. d4");
    let work = Workplace::new();

    work.write("games.pgn", game(&[], long));
    work.stamma("import games.db games.pgn --unique --quiet");

    // The operator had entered the moves of the second board on the first one.
    let second = game(&[("Round", "1.2"), ("White", "Lund, Per")], long);
    let third = second.replace("1.2", "1.3");
    work.write("games.pgn", [game(&[], &other), second, third].concat());

    let stderr = stderr_of(&work.stamma("import games.db games.pgn --unique --update"));
    assert!(stderr.contains("1 equals an earlier game"), "{stderr}");

    // The second game equals what the first one was, not what it is, and the third one equals the second.
    let games = work.query("SELECT id, round, moves LIKE '%h3%' FROM games");
    assert_eq!(games, "1|1.1|0\n2|1.2|1");

    is_whole(&work);
}

#[test]
fn a_compressed_file_has_the_name_of_the_plain_one() {
    // Without round and day, only the name of the file shows that the game is the same.
    let tags = [("Round", "?"), ("Date", "2024.??.??")];
    let work = Workplace::new();
    work.write("old/games.pgn", game(&tags, "1. e4"));
    work.stamma("import games.db old/games.pgn --quiet");

    let packed = zstd::encode_all(game(&tags, "1. e4 e5").as_bytes(), 1).expect("memory");
    work.write("new/games.pgn.zst", packed);
    work.stamma("import games.db new/games.pgn.zst --update --quiet");

    assert_eq!(work.query("SELECT id, moves FROM games"), "1|e4 e5");
}

/// The historical games, with comments so long that there are several batches. In the newer file, two of five games
/// differ.
fn large_archive(is_newer: bool) -> String {
    let all = commented_games(&" a long comment".repeat(2000));
    let mut text = String::new();

    for (number, game) in all.split_inclusive("\n\n[Event").enumerate() {
        // Of five games, one has another comment, and one another place.
        match number % 5 {
            0 if is_newer => text += &game.replace("a long", "another long"),
            1 if is_newer => text += &game.replacen("[Site \"", "[Site \"Newer ", 1),
            _ => text += game,
        }
    }

    text
}

/// Imports with updates until this many batches have been written, each as a step.
fn update_some(work: &Workplace, batches: u64) -> Summary {
    let mut database = Database::open_or_create(work.path("games.db")).expect("a database");
    let stop = Arc::new(AtomicBool::new(false));
    let mut written = 0;
    let progress = |event: Event<'_>| {
        written += u64::from(matches!(event, Event::Written(_)));
        stop.store(written == batches, Ordering::Relaxed);
    };

    let options = ImportOptions {
        update: true,
        step_bytes: 1,
        stop: Some(Arc::clone(&stop)),
        ..ImportOptions::default()
    };

    import(&mut database, [work.path("games.pgn")], options, progress).expect("an import")
}

#[test]
fn an_interrupted_update_ends_like_an_undisturbed_one() {
    let fresh = Workplace::new();
    fresh.write("games.pgn", large_archive(true));
    fresh.stamma("import games.db games.pgn --quiet");

    let expected = fresh.query(CONTENT);

    for (batches, has_others_between) in [(1, false), (2, false), (2, true)] {
        let work = Workplace::new();
        work.write("games.pgn", large_archive(false));
        work.stamma("import games.db games.pgn --quiet");

        assert_ne!(work.query(CONTENT), expected);

        work.write("games.pgn", large_archive(true));
        assert!(update_some(&work, batches).is_interrupted);
        work.stamma("check games.db --full").success();

        // Other games between the two runs take the numbers that would follow, so that the second run begins anew.
        if has_others_between {
            work.write("other.pgn", game(&[], "1. e4"));
            work.stamma("import games.db other.pgn --quiet");
        }

        let summary = update_some(&work, u64::MAX);
        let is_over = matches!(summary.earlier[..], [EarlierImport::StartedOver(_)]);
        assert_eq!(is_over, has_others_between);
        assert!(!summary.is_interrupted);

        if has_others_between {
            work.stamma("forget games.db 3").success();
        }
        same_lines(&work.query(CONTENT), &expected);
        assert_eq!(work.query("SELECT count(*) FROM source"), "2");

        is_whole(&work);
    }
}

#[test]
fn a_merge_takes_games_that_were_updated() {
    let work = Workplace::new();
    let before = text_of_games();
    let after = before.replace("[Site \"", "[Site \"Newer ");
    import_update(&work, &before, &after);

    work.write("own.pgn", game(&[], "1. e4"));
    work.stamma("import all.db own.pgn --quiet").success();
    work.stamma("merge all.db games.db").success();

    work.stamma("check all.db --full").success();

    let count = work.query("SELECT count(*) FROM game");
    let found = work.output("search all.db --site Newer --format count");
    assert_eq!(found.trim(), count);
    assert_eq!(work.query("SELECT count(*) FROM stale_game"), count);
}

#[test]
fn marks_of_duplicates_are_searched_again() {
    let work = Workplace::new();
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";
    let elsewhere = ("Site", "Elsewhere");

    let equal = [game(&[], long), game(&[elsewhere], long)];
    work.write("games.pgn", equal.concat());
    work.stamma("import games.db games.pgn --quiet");
    work.stamma("dedupe games.db").success();

    assert_eq!(work.query("SELECT count(*) FROM duplicate_of"), "1");

    let other = game(&[elsewhere], "1. d4 d5 2. c4 e6 3. Nc3");
    work.write("games.pgn", [game(&[], long), other].concat());
    work.stamma("import games.db games.pgn --update --quiet");
    work.stamma("dedupe games.db").success();

    assert_eq!(work.query("SELECT count(*) FROM duplicate_of"), "0");

    is_whole(&work);
}
