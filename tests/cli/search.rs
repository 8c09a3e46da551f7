//! `stamma search`: its queries and the forms of its output.

use std::sync::LazyLock;

use crate::support::program::{Workplace, first_fields, stderr_of, stdout_of};

/// The games of the project; no test changes them.
static GAMES: LazyLock<Workplace> = LazyLock::new(Workplace::with_historical_games);

fn search(arguments: &[&str]) -> String {
    let arguments = ["search", "games.db"].iter().chain(arguments);
    stdout_of(&GAMES.run(arguments).success())
}

/// The numbers of the games, in order.
fn numbers(arguments: &[&str]) -> String {
    let arguments = [arguments, &["--format", "csv"]].concat();
    let csv = search(&arguments);
    first_fields(&csv).join(" ")
}

macro_rules! finds {
    ($($name:ident: $arguments:expr => $numbers:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(numbers(&$arguments), $numbers);
        }
    )*};
}

finds! {
    two_players: ["--player", "fischer", "--player", "spassky"] => "66 67 68 69 70 71 72";
    words_in_any_order: ["--white", "viktor korch"] => "";
    accents_are_folded: ["--event", "niksic"] => "76";
    letters_of_a_name: ["--white", "RETI rich"] => "10 19 21 22 46";
    the_middle_of_a_word: ["--player", "pawrence"] => "";
    a_name_as_it_is_written: ["--exact", "--black", "Tal, Mikhail"] => "56";
    a_name_in_other_capitals: ["--exact", "--black", "tal, mikhail"] => "";
    a_name_without_words: ["--exact", "--event", "?"] => "25";
    either_result: ["--since", "2021", "--result", "draw,0-1"] => "111";
    a_month: ["--since", "1997.02", "--until", "1997.02"] => "84 85";
    a_day_in_an_unknown_month: ["--since", "1997.02.05", "--until", "1997.02.28"] => "";
    codes: ["--eco", "B97-B99,A77"] => "67 71";
    a_space_behind_the_comma: ["--eco", "B97-B99, A77"] => "67 71";
    results_with_spaces: ["--since", "2021", "--result", "draw, 0-1"] => "111";
    endings_with_spaces: ["--ending", "stalemate, checkmate", "--plies", "..20"] => "28 31";
    speeds_with_spaces: ["--speed", "bullet, rapid", "--white", "carlsen"] => "106";
    titles_with_spaces: ["--title", "IM, GM"] => "";
    variants_with_spaces: ["--variant", "atomic, chess960"] => "1 2 3";
    mates: ["--ending", "checkmate", "--plies", "..26", "--sort", "plies"] => "31 28 10 29";
    the_earliest: ["--player", "tal", "--sort", "date", "--limit", "2"] => "55 56";
    the_highest: ["--sort", "-elo", "--limit", "1"] => "103";
    a_tag_without_a_value: ["--tag", "SetUp"] => "1 2 3 44 45 46";
    a_phrase: ["--comment", "smothered mates"] => "29";
    the_beginning_of_a_word: ["--comment", "smoth*"] => "29";
    a_word_that_goes_on: ["--comment", "smoth"] => "";
    a_variant: ["--variant", "chess960"] => "1 2 3";
    a_line_in_german: ["--line", "1. e4 e5 2. Sf3 d6 3. Lc4"] => "31";
    a_line_in_given_letters: ["--line", "e4 e5 Cf3 d6 Fc4", "--pieces", "fr"] => "31";
    a_year_and_its_first_months: ["--since", "1972", "--until", "1972.07", "--player", "fischer", "--limit", "1"] => "66";
    a_condition: ["--where", "white_elo > 2850"] => "106 108";
    some_of_all: ["--where", "id IN (7, 5, 500)"] => "5 7";
    some_of_some: ["--where", "id IN (55, 5, 500)", "--player", "tal"] => "55";
    a_position_by_another_road: [
        "--after", "d4 Nf6 c4 e6 Nf3 d5 Nc3", "--where", "moves NOT LIKE 'd4 Nf6 %'",
    ] => "8 48 69 101";
    a_position_and_a_player: ["--after", "e4 c5", "--player", "fischer"] => "65 71";
    moves_that_follow: ["--moves-through", "Bxh7+ Kxh7"] => "5 62 76";
    moves_of_either_side: ["--moves-through", "Bxh7+ Kxh7", "--flip", "colour"] => "5 14 62 76";
    opposite_bishops: ["--material", "bishops=opposite pieces<=14"] => "56 92";
    a_long_rook_ending: [
        "--material", "R=1 r=1 Q=0 q=0 B=0 b=0 N=0 n=0", "--for", "20",
    ] => "20 24";
    a_pattern_after_a_filter: [
        "--player", "karpov", "--pattern", "*/*/*/*/???P", "--since", "1980",
    ] => "77 78 81";
    no_games: ["--player", "nobody"] => "";
    the_latest: ["--sort", "-date", "--limit", "3"] => "111 110 109";
    the_latest_with_an_equals_sign: ["--sort=-date", "--limit", "1"] => "111";
    the_last: ["--sort", "-id", "--limit", "2"] => "111 110";
    the_lowest_rated: ["--sort", "elo", "--since", "2014", "--limit", "2"] => "107 105";
    the_longest: ["--sort", "-plies", "--limit", "2"] => "108 24";
    the_latest_with_a_pattern: ["--moves-through", "Bxh7+ Kxh7", "--sort", "-date"] => "76 62 5";
    the_latest_with_a_position: ["--after", "e4 c5", "--sort", "-date", "--limit", "2"] => "106 105";
    the_latest_of_early_games: ["--sort", "-date", "--until", "1800"] => "32 31 28 29 30";
    a_number_is_at_least: ["--elo", "2770", "--since", "2014"] => "104 106 108 110";
    a_number_behind_a_sign_is_exact: ["--white-elo", "=2853"] => "106";
    a_number_with_a_plus: ["--elo", "2770+", "--since", "2014"] => "104 106 108 110";
    a_range_with_a_dash: ["--white-elo", "2853-2855"] => "106 108";
    half_moves_at_least: ["--plies", "163"] => "24 108";
    half_moves_exactly: ["--plies", "=163"] => "24";
    a_date: ["--date", "1972.07.11"] => "66";
    a_period: ["--date", "1972.08..1973"] => "70 71 72 73";
    a_year_by_its_name: ["--year", "1750"] => "31";
    a_player_by_name: ["--name", "légal"] => "31";
    a_whole_name_beside_words: ["--player", "=Tal, Mikhail", "--event", "world"] => "55 56";
    half_a_whole_name: ["--player", "=Tal"] => "";
    a_whole_name_without_words: ["--event", "=?"] => "25";
}

#[test]
fn a_table_of_games_has_their_codes_and_lengths() {
    let table = "1 game\n\n\
        game  White               Black            result  date        event    ECO  plies\n  \
          84  Anand, Viswanathan  Kasparov, Garry  0-1     1997.02.??  Linares  B85     82\n";
    assert_eq!(
        search(&["--white", "anand", "--black", "kasp", "--result", "0-1"]),
        table
    );
}

#[test]
fn a_table_of_positions_has_their_places() {
    let found = search(&["--moves-through", "Bxh7+ Kxh7", "--player", "geller"]);

    // A message stands above the table, and the header is its first line.
    let (_, table) = found.split_once("\n\n").expect("a table");
    let words: Vec<&str> = table.split_whitespace().collect();
    let columns = &words[..8];
    assert!(columns.ends_with(&["ply", "move"]), "{found}");

    // The last row is a game that reaches the position after 38 half-moves.
    assert!(found.ends_with("38  Bxh7+\n"), "{found}");
}

#[test]
fn a_table_says_when_it_has_not_looked_at_all() {
    // A pattern is looked for in game after game, and the search ends with the third hit, which
    // tells that there are more.
    let found = search(&["--pattern", "*/*/*/*/???P", "--limit", "2"]);
    assert!(found.starts_with("the first 2 games\n"), "{found}");

    let more = "… and more; --limit 0 lists all, --format count counts them\n";
    assert!(found.ends_with(more), "{found}");

    // The column store knows how many there are.
    let by_column = search(&["--eco", "C"]);
    assert!(by_column.contains("\n… and "), "known without looking");
}

#[test]
fn games_without_positions_have_no_place() {
    let line = search(&["--exact", "--event", "AVRO", "--format", "jsonl"]);
    assert!(
        line.starts_with(r#"{"game":27,"white":"Botvinnik, Mikhail""#),
        "{line}"
    );

    let header = search(&["--player", "nobody", "--format", "csv"]);
    assert_eq!(
        header,
        concat!(
            "game,white,black,white_elo,black_elo,result,date,event,white_title,black_title,site,round,",
            "eco,opening,plies,source,ply,san,in_variation\n"
        )
    );
}

#[test]
fn games_with_positions_have_a_place() {
    let line = search(&[
        "--player",
        "geller",
        "--moves-through",
        "Bxh7+",
        "--format",
        "jsonl",
    ]);
    assert!(line.starts_with(r#"{"game":62,"white":""#), "{line}");
    assert!(
        line.contains(r#","ply":38,"san":"Bxh7+","in_variation":false}"#),
        "{line}"
    );
}

#[test]
fn the_place_is_marked_in_the_whole_game() {
    let found = |comment: &[&str]| {
        let asked = [
            "--exact",
            "--event",
            "Opera House game",
            "--after",
            "e4 e5 Nf3",
        ];
        search(&[&asked, comment, &["--format", "pgn"]].concat())
    };

    assert!(
        found(&[]).contains("\n1. e4 e5 2. Nf3 {found here} 2... d6 "),
        "{}",
        found(&[])
    );
    assert!(
        found(&["--highlight", "here}"]).contains("2. Nf3 {here"),
        "a comment stays one"
    );
    assert!(found(&["--highlight", ""]).contains("2. Nf3 d6 "));
    assert_eq!(found(&["--highlight", ""]).matches("[Event ").count(), 1);
}

#[test]
fn the_place_is_written_as_epd() {
    let found = search(&[
        "--player",
        "geller",
        "--moves-through",
        "Bxh7+",
        "--format",
        "epd",
    ]);
    assert_eq!(found.lines().count(), 1);
    assert!(found.contains(r#"; id "game 62 ply 38: "#), "{found}");

    let last = search(&["--exact", "--event", "AVRO", "--format", "epd"]);
    assert!(last.contains(r#"; id "game 27 ply 81: "#), "{last}");
}

#[test]
fn a_count_is_a_number() {
    assert_eq!(search(&["--format", "count"]), "111\n");
    assert_eq!(
        search(&["--ending", "checkmate", "--format", "count", "--limit", "1"]),
        "17\n"
    );
}

fn refusal(command: &str, arguments: &[&str]) -> String {
    let arguments = [command, "games.db"]
        .into_iter()
        .chain(arguments.iter().copied());
    let run = GAMES.run(arguments).code(2);
    assert_eq!(stdout_of(&run), "");
    stderr_of(&run)
}

macro_rules! refuses {
    ($($name:ident: $arguments:expr => $sentence:expr;)*) => {$(
        #[test]
        fn $name() {
            let said = refusal("search", &$arguments);
            assert!(said.contains($sentence), "{said}");
        }
    )*};
}

refuses! {
    half_a_year: ["--since", "72"] => "give a year, a month or a day, like 1972, 1972.07 or 1972.07.23";
    a_wrong_range: ["--elo", "best"] => "give 2600 (or more), ..2400, 2400..2600, or =2500 for exactly 2500";
    reversed_ratings_with_a_dash: ["--elo", "2800-2700"] => "the ends are reversed; give 2700..2800";
    a_wrong_order: ["--sort", "white"] => "give id, date, elo, plies or result, or one of them with - in front";
    a_wrong_date: ["--date", "July"] => "give a date like 1972, 1972.07 or 1972.07.23, or a period like 1972..1975";
    two_times: ["--date", "1972", "--since", "1970"] => "cannot be used with";
    a_name_in_place_of_a_fen: ["fischer"] => "stamma: `fischer` is neither a FEN nor moves like '1. e4 c5'; \
        games of this player: stamma search games.db --player fischer\n";
    words_in_place_of_a_fen: ["bobby", "fischer"] => "stamma search games.db --player 'bobby fischer'\n";
    an_event_in_place_of_a_fen: ["Linares"] => "games of this event: stamma search games.db --event Linares\n";
    a_site_in_place_of_a_fen: ["reykjavik"] => "games at this site: stamma search games.db --site reykjavik\n";
    a_code_in_place_of_a_fen: ["B90"] => "games with this ECO code: stamma search games.db --eco B90\n";
    a_year_in_place_of_a_fen: ["1972"] => "games of this time: stamma search games.db --date 1972\n";
    a_draw_in_place_of_a_fen: ["1/2-1/2"] => "games with this result: stamma search games.db --result draw\n";
    an_illegal_move_in_place_of_a_fen: ["1. e4 e5 2. Nf4"] => "stamma: 2. Nf4: White has no legal move";
    a_year_in_place_of_moves: ["--after", "1972"] => "stamma: --after: 1972 is no move; --since 1972 asks for the time\n";
    a_wrong_code: ["--eco", "F00"] => "give codes like B90, B20-B99, B9 or C";
    reversed_ratings: ["--elo", "2800..2700"] => "the ends are reversed; give 2700..2800";
    reversed_lengths: ["--plies", "50 .. 40"] => "the ends are reversed; give 40..50";
    reversed_codes: ["--eco", "B99-B20"] => "the ends are reversed; give the smaller code first";
    a_wrong_result: ["--result", "won"] => "give 1-0, 0-1, 1/2-1/2 or *";
    a_wrong_ending: ["--ending", "mate"] => "give an ending: checkmate, stalemate,";
    a_wrong_title: ["--title", "Dr"] => "give a title: GM, IM,";
    a_wrong_speed: ["--speed", "fast"] => "give a speed: ultrabullet, bullet,";
    an_illegal_line: ["--line", "e4 e5 Nf4"] => "2. Nf4: ";
    a_line_of_nothing: ["--line", ""] => "give the moves from the start, like 1. e4 c5 2. Nf3";
    a_line_in_other_letters: ["--line", "e4 e5 Nf3", "--pieces", "fr"] => "--line: ";
    a_line_with_another_king: ["--line", "e4 e5 Kf3", "--pieces", "en"] => "no king can go to f3";
    no_variant: ["--variant", ","] => "give a variant, like standard or atomic";
    a_star_between_words: ["--comment", "sol* move"] => "* stands behind the last word";
    days_that_never_were: ["--since", "2021", "--until", "2020.05"] => "--since is behind --until";
    a_tag_without_a_name: ["--tag", "=blitz"] => "give a tag and its value";
    no_word_of_a_name: ["--player", "*"] => "a name has a letter or a digit";
    no_word_of_a_comment: ["--comment", "!!"] => "give words, like ";
    half_a_condition: ["--where", "white ="] => "stamma: the condition cannot be used: incomplete input\n";
    no_condition: ["--where", ""] => "stamma: the condition cannot be used: incomplete input\n";
    two_conditions: ["--where", "1) OR (1"] => "the condition cannot be used";
    an_unknown_column: ["--where", "elo > 1"] => "no such column: elo";
    a_column_in_quotes: ["--where", "\"wite\" > 5"] => "no such column: \"wite\"";
    a_parameter: ["--where", "id = ?1"] => "a parameter like ? or :name has no value here";
    a_wrong_pattern: ["--pattern", "8/3x"] => "the pattern `8/3x`, character 4: `x` means nothing here";
    wrong_material: ["--material", "Q=1 queens"] => "the material `Q=1 queens`, character 5: `queens` cannot";
    wrong_moves: ["--moves-through", "Nf3 Sc6"] => "the moves `Nf3 Sc6`, character 5: `Sc6` is no move";
    a_wrong_mirror: ["--flip", "up", "--material", "Kk"] => "expected `colour`, `left-right` or `both`";
    a_mirror_of_nothing: ["--flip", "colour"] => "--flip and --for need --pattern, --material or --moves-through";
    nothing_for_long: ["--for", "20", "--player", "tal"] => "--flip and --for need";
    not_at_all: ["--for", "0", "--material", "Kk"] => "give a number of positions, 1 or more";
    a_list_with_a_filter: ["--fen-file", "-", "--player", "tal"] => "without filters and patterns";
    a_list_of_few: ["--fen-file", "-", "--limit", "3"] => "cannot be used with";
    a_list_in_order: ["--fen-file", "-", "--sort", "date"] => "cannot be used with";
    a_list_of_boards: ["--fen-file", "-", "--board", "none"] => "cannot be used with";
    a_list_that_is_marked: ["--fen-file", "-", "--highlight", "x"] => "cannot be used with";
    a_list_of_whole_names: ["--fen-file", "-", "--exact"] => "cannot be used with";
    a_mark_in_a_table: ["--after", "e4", "--highlight", "x"] => "--highlight needs --format pgn";
    a_mark_of_nothing: [
        "--player", "tal", "--highlight", "x", "--format", "pgn",
    ] => "--highlight needs a position or a pattern, whose place it marks";
    whole_names_of_nobody: ["--exact", "--eco", "B20"] => "--exact needs a name: --player, --white,";
    letters_of_nothing: [
        "--player", "tal", "--pieces", "de", "--format", "pgn",
    ] => "--pieces needs a FEN or moves that are written with these letters";
    a_list_of_games: ["--fen-file", "-", "--format", "epd"] => "it has no --format pgn or epd";
}

#[test]
fn refusals_show_how_their_command_is_used() {
    for (command, arguments) in [
        ("search", ["--flip", "colour"]),
        ("search", ["--player", ""]),
        ("export", ["--format=jsonl", "--tags=White"]),
        ("moves", ["--exact", "--eco=C"]),
        ("player", ["tal", "--against="]),
    ] {
        let said = refusal(command, &arguments);
        let usage = format!("\nUsage: stamma {command} ");
        assert!(said.contains(&usage), "{said}");
    }
}

/// Likely mistakes, and the messages for them.
#[test]
fn tips_name_what_is_meant() {
    for (command, option, tip) in [
        (
            "search",
            "--openings",
            "tip: --opening najdorf takes names of openings, --eco B20-B99 ECO codes",
        ),
        (
            "search",
            "--moves",
            "tip: --line '1. e4 c5' asks for games that begin so",
        ),
        (
            "search",
            "--Rating=2700",
            "tip: --elo 2600 asks for 2600 or more",
        ),
        (
            "export",
            "--position",
            "tip: a position is asked for by `stamma search` and `stamma moves`",
        ),
        (
            "export",
            "--fen",
            "tip: a position is asked for by `stamma search` and `stamma moves`",
        ),
        (
            "show",
            "--date",
            "tip: the time of games is chosen by `stamma search`",
        ),
        (
            "moves",
            "--playr",
            "tip: a similar argument exists: '--player'",
        ),
    ] {
        let said = refusal(command, &[option, "x"]);
        assert!(said.contains(tip), "{command} {option}: {said}");
        assert_eq!(said.matches("tip:").count(), 1, "{said}");
        assert!(
            said.contains(&format!("\nUsage: stamma {command} [OPTIONS] ")),
            "{said}"
        );
    }
    for option in ["--situation", "--weekday"] {
        let said = refusal("search", &[option, "x"]);
        assert!(!said.contains("similar argument"), "{said}");
    }
}

#[test]
fn what_a_number_of_half_moves_means_is_said() {
    let said = |option: &str, value: &str| {
        stderr_of(&GAMES.run(["search", "games.db", option, value]).success())
    };

    assert_eq!(
        said("--plies", "40"),
        "stamma: --plies 40: 40 or more; exactly: =40, at most: ..40\n"
    );

    for (option, value) in [("--plies", "=40"), ("--plies", "40.."), ("--elo", "2700")] {
        assert_eq!(said(option, value), "", "{option} {value}");
    }
}

#[test]
fn other_commands_take_moves_in_place_of_a_fen() {
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    for command in ["search games.db", "moves games.db", "board"] {
        let run = |rest: &[&str]| {
            let words = command.split(' ').chain(rest.iter().copied());
            stdout_of(&GAMES.run(words).success())
        };
        for moves in [
            &["1. e4 c5"][..],
            &["1.", "e4", "c5"],
            &["e2e4", "c7c5"],
            &["1. e4", "--after", "1... c5"],
            &["--position", "1. e4 c5"],
        ] {
            // The board marks the last move.
            let moves = [moves, &["--board", "none"]].concat();
            let by_fen = run(&[fen, "--board", "none"]);
            assert_eq!(run(&moves), by_fen, "{command} {moves:?}");
        }

        assert_eq!(run(&["--fen", fen]), run(&[fen]), "{command}");
    }

    let said = refusal("moves", &["fischer"]);
    assert!(said.ends_with("; games of this player: stamma moves games.db --player fischer\n"));

    let said = stderr_of(&GAMES.stamma("board fischer").code(2));
    assert_eq!(
        said,
        "stamma: `fischer` is neither a FEN nor moves like '1. e4 c5'\n"
    );

    let sql = "SELECT count(*) FROM position('1. e4 c5')";
    let counted = stdout_of(&GAMES.run(["sql", "games.db", sql]).success());
    assert_eq!(counted, "count(*)\n      14\n");
}

#[test]
fn games_without_what_is_compared_are_last_in_both_orders() {
    let work = Workplace::new();
    let game = |date: &str, elo: &str| {
        format!(
            "[Event \"E\"]\n[Date \"{date}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n\n1. e4 *\n\n"
        )
    };

    let games = [
        ("????.??.??", "2500"),
        ("1972.07.??", "?"),
        ("1980.01.01", "2400"),
        ("1972.??.??", "2500"),
    ];
    work.import(games.map(|(date, elo)| game(date, elo)).concat());

    for (order, expected) in [
        ("date", "4 2 3 1"),
        ("-date", "3 2 4 1"),
        ("elo", "3 1 4 2"),
        ("-elo", "1 4 3 2"),
        ("plies", "1 2 3 4"),
        ("-plies", "1 2 3 4"),
        ("-id", "4 3 2 1"),
    ] {
        for pattern in ["", "--moves-through e4"] {
            let csv = work.output(&format!(
                "search games.db --format csv --sort {order} {pattern}"
            ));
            let games: Vec<&str> = csv.lines().skip(1).map(|line| &line[..1]).collect();
            assert_eq!(games.join(" "), expected, "{order} {pattern}");
        }
    }
}

#[test]
fn exports_have_an_order_and_a_limit() {
    let dates = |arguments: &str| {
        let pgn = GAMES.output(&format!("export games.db {arguments}"));
        let dates = pgn.lines().filter_map(|line| line.strip_prefix("[Date \""));
        let years: Vec<&str> = dates.map(|date| &date[..4]).collect();
        years.join(" ")
    };

    assert_eq!(dates("--sort -date --limit 3"), "2024 2023 2022");
    assert_eq!(dates("--sort date --limit 2"), "1620 1620");
    assert_eq!(dates("--player tal --sort -date --limit 2"), "1965 1960");
    assert_eq!(dates("--games 66-72 --limit 2"), "1972 1972");
    assert_eq!(dates("--games 66-72 --limit 0").split(' ').count(), 7);
    assert_eq!(dates("--limit 0").split(' ').count(), 111);

    let run = GAMES
        .stamma("export games.db --games 5,500 --sort -date")
        .code(1);
    assert_eq!(
        stderr_of(&run),
        "stamma: there is no game 500 in the database\n"
    );
}

#[test]
fn other_commands_refuse_the_same() {
    let no_name = ["--player", "?"];
    let no_name_for_a_book = ["--player", "?", "-o", "b.bin"];

    for (command, options) in [
        ("book", &no_name_for_a_book[..]),
        ("delete", &no_name),
        ("materialize", &no_name),
        ("moves", &no_name),
        ("export", &no_name),
    ] {
        let said = refusal(command, options);
        let expected = "a name has a letter or a digit";
        assert!(said.contains(expected), "{command}: {said}");
    }

    // Options that mean nothing without another one.
    for (command, option, value, expected) in [
        ("moves", "--flip", "colour", "--flip and --for need"),
        ("moves", "--pieces", "de", "--pieces needs a FEN or moves"),
        ("export", "--for", "2", "--flip and --for need"),
    ] {
        let said = refusal(command, &[option, value]);
        assert!(said.contains(expected), "{command} {option}: {said}");
    }
}

#[test]
fn conditions_know_the_functions_of_sql() {
    let work = Workplace::new();
    work.import("1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n");

    let found = |condition: &str| {
        let run = work.run([
            "search", "games.db", "--format", "count", "--where", condition,
        ]);
        stdout_of(&run.success()).trim().to_owned()
    };

    assert_eq!(found("fen_after(moves, 1) LIKE '%/4P3/%'"), "1");
    assert_eq!(
        found("id IN (SELECT game_id FROM position_like('', '', 'd4 d5', ''))"),
        "1"
    );
}

#[test]
fn values_of_tags_are_as_they_are_written() {
    let work = Workplace::new();
    work.import("[Event \"A \"]\n[Annotator \"  X\"]\n\n1. e4 *\n\n[Event \"A\"]\n\n1. d4 *\n");

    for (tag, games) in [
        ("Event=A ", "1"),
        ("Event=A", "1"),
        ("Event= A", "0"),
        ("Annotator=  X", "1"),
    ] {
        let run = work
            .run(["search", "games.db", "--format", "count", "--tag", tag])
            .success();
        assert_eq!(stdout_of(&run).trim(), games, "{tag}");
    }
}

#[test]
fn games_without_positions_are_passed_over_for_what_they_are() {
    let work = Workplace::new();
    work.import("1. e4 e5 *\n\n[Variant \"Atomic\"]\n\n1. e4 Nxe4 *\n");

    let search = "search games.db --plies ..90 --format epd";
    let run = work.stamma(search).success();
    assert_eq!(stdout_of(&run).lines().count(), 1);

    let stderr = stderr_of(&run);
    let said = "1 game skipped: unknown variant or start";
    assert!(stderr.starts_with(said), "{stderr}");
}

#[test]
fn a_null_move_can_be_asked_for() {
    let work = Workplace::new();
    work.import("1. e4 -- 2. d4 *\n\n1. e4 e5 2. d4 *\n");
    let run = work
        .stamma("search games.db --moves-through -- --format count")
        .success();
    assert_eq!(stdout_of(&run), "1\n");
}

/// A tag may be missing from a row, but still be in the game's tag order.
#[test]
fn a_tag_that_is_taken_out_of_a_row_is_gone() {
    let work = Workplace::new();
    work.import("[White \"A\"]\n[TimeControl \"60\"]\n[Annotator \"B\"]\n\n1. e4 *\n");

    // The row loses its tag by SQL, without a change of the order.
    let sql = "UPDATE movetext
        SET tags = (SELECT json_remove(tags, '$.TimeControl') FROM games WHERE id = game_id)";
    work.run(["sql", "games.db", "--write", sql]).success();

    let exported = work.output("export games.db");
    assert!(exported.contains("[Annotator \"B\"]") && !exported.contains("TimeControl"));

    let found = work.output("search games.db --tag TimeControl --format count");
    assert_eq!(found.trim(), "0");
}

#[test]
fn names_are_found_in_other_spellings() {
    let work = Workplace::new();
    let names = [
        "Müller, Karsten",
        "Mueller, Karl",
        "Bjørnsson, Ægir",
        "Łukasz, J",
        "Strauß, F",
        "Đorđević, B",
    ];
    let games = names.map(|name| format!("[Event \"A\"]\n[White \"{name}\"]\n\n1. e4 *\n\n"));
    work.import(games.concat());

    let count = |name: &str| {
        let run = work.run(["search", "games.db", "--player", name, "--format", "count"]);
        stdout_of(&run.success())
    };
    for (name, games) in [
        ("mueller", "2\n"),
        ("müller", "2\n"),
        ("muller", "1\n"),
        ("bjoernsson", "1\n"),
        ("bjornsson aegir", "1\n"),
        ("lukasz", "1\n"),
        ("strauss", "1\n"),
        ("djordjevic", "1\n"),
        ("dordevic", "1\n"),
    ] {
        assert_eq!(count(name), games, "{name}");
    }
}
