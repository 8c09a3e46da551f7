//! Cuts of games, and the layout of their movetext.

use crate::support::program::{Workplace, stderr_of, stdout_of};

/// A game with all that movetext can have.
const GAME: &str = "[Event \"A\"]\n[White \"W\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[PlyCount \"7\"]\n\n\
    1. e4 {first} e5 $1 (1... c5 {Sicilian} 2. Nf3) 2. Qh5 Nc6 {it begins here} 3. Bc4 Nf6 4. Qxf7# 1-0\n\n";

/// What a conversion writes of the game, without the lines of tags but for the FEN and the number of half-moves.
fn converted_text(options: &[&str]) -> String {
    let work = Workplace::new();
    work.write("game.pgn", GAME);

    let arguments = [&["convert", "-q", "game.pgn"], options].concat();
    let run = work.run(arguments).success();
    let written = stdout_of(&run);

    let is_shown = |line: &&str| {
        let is_tag = line.starts_with('[');
        let is_shown_tag = line.starts_with("[FEN") || line.starts_with("[PlyCount");
        !is_tag || is_shown_tag
    };
    let lines: Vec<&str> = written.lines().filter(is_shown).collect();
    let text = lines.join("\n");
    text.trim().to_owned()
}

macro_rules! layouts {
    ($($name:ident: $($option:literal)+ => $written:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(converted_text(&[$($option),+]), $written);
        }
    )*};
}

layouts! {
    one_line: "--line-length" "0" => "[PlyCount \"7\"]\n\n1. e4 {first} 1... e5 $1 (1... c5 {Sicilian} 2. Nf3) 2. Qh5 Nc6 {it begins here} 3. Bc4 Nf6 4. Qxf7# 1-0";
    short_lines: "--line-length" "20" "--variations" "drop" => "[PlyCount \"7\"]\n\n1. e4 {first}\n1... e5 $1 2. Qh5\nNc6 {it begins here}\n3. Bc4 Nf6 4. Qxf7#\n1-0";
    without_numbers_checks_and_result: "--no-move-numbers" "--no-checks" "--no-results" "--comments" "drop" =>
        "[PlyCount \"7\"]\n\ne4 e5 $1 (c5 Nf3) Qh5 Nc6 Bc4 Nf6 Qxf7";
    names_of_pgn_extract: "--nomovenumbers" "--nochecks" "--noresults" "--plylimit" "2" "--variations" "drop" =>
        "[PlyCount \"2\"]\n\ne4 {first} e5 $1";
    no_tags: "--tags" "none" "--comments" "drop" "--variations" "drop" "--line-length" "0" "--no-results" =>
        "1. e4 e5 $1 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#";
    comments_on_lines: "--comment-lines" "--ply-limit" "4" =>
        "[PlyCount \"4\"]\n\n1. e4\n{first}\n1... e5 $1 (1... c5\n{Sicilian}\n2. Nf3) 2. Qh5 Nc6\n{it begins here}\n1-0";
    comments_on_lines_without_results: "--comment-lines" "--ply-limit" "1" "--no-results" =>
        "[PlyCount \"1\"]\n\n1. e4\n{first}";
    fens: "--fen-comments" "--ply-limit" "2" "--line-length" "0" =>
        "[PlyCount \"2\"]\n\n1. e4 {first} {rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1} 1... e5 $1 \
         {rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2} (1... c5 {Sicilian} \
         {rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2} 2. Nf3 \
         {rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2}) 1-0";
    // The keys of Polyglot's own description of its format.
    keys: "--hash-comments" "--ply-limit" "1" => "[PlyCount \"1\"]\n\n1. e4 {first} {823c9b50fd114196} 1-0";
    behind_moves: "--drop-ply" "3" "--ply-limit" "2" =>
        "[PlyCount \"2\"]\n[FEN \"rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2\"]\n\n2... Nc6 {it begins here} 3. Bc4 1-0";
    the_last_moves: "--drop-ply" "-1" =>
        "[PlyCount \"1\"]\n[FEN \"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4\"]\n\n4. Qxf7# 1-0";
    mate_in_descriptive: "--notation" "descriptive" "--no-checks" "--drop-ply" "-1" "--no-results" =>
        "[PlyCount \"1\"]\n[FEN \"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4\"]\n\n4. QxBP";
    mate_with_captured_pieces: "--notation" "full" "--no-checks" "--drop-ply" "-1" "--no-results" =>
        "[PlyCount \"1\"]\n[FEN \"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4\"]\n\n4. Qh5xf7";
    behind_a_comment: "--drop-before" "begins" =>
        "[PlyCount \"3\"]\n[FEN \"r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3\"]\n\n{it begins here} 3. Bc4 Nf6 4. Qxf7# 1-0";
}

/// The names and values of the tags that a conversion writes.
fn tags(options: &str) -> String {
    let work = Workplace::new();
    work.write("game.pgn", GAME);

    let written = work.output(&format!("convert -q game.pgn {options}"));
    let tags = written
        .lines()
        .filter_map(|line| line.strip_prefix('[')?.strip_suffix("\"]"));
    let pairs: Vec<String> = tags.map(|tag| tag.replace(" \"", "=")).collect();

    pairs.join(" ")
}

macro_rules! tags {
    ($($name:ident: $options:literal => $tags:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(tags($options), $tags);
        }
    )*};
}

tags! {
    an_order: "--tags Event,Result,White,*" => "Event=A Result=1-0 White=W Site=? Date=????.??.?? Round=? Black=B PlyCount=7";
    // A line that begins with Event begins a game.
    event_stays_first: "--tags Result,White,*,-Site,-Date,-Round" => "Event=A Result=1-0 White=W Black=B PlyCount=7";
    all_but_some: "--tags *,-Event,-PlyCount" => "Site=? Date=????.??.?? Round=? White=W Black=B Result=1-0";
    tags_that_the_moves_need: "--tags *,-FEN,-SetUp --drop-ply 6" =>
        "Event=A Site=? Date=????.??.?? Round=? White=W Black=B Result=1-0 PlyCount=1 SetUp=1 FEN=r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    a_number_of_half_moves: "--tags White --replace plycount --ply-limit 3" => "White=W";
    a_number_that_is_there: "--tags PlyCount --fill plycount" => "PlyCount=7";
    the_opening_of_the_whole_game: "--tags ECO,PlyCount --fill eco --ply-limit 1" => "ECO=C20 PlyCount=1";
}

#[test]
fn a_missing_number_of_half_moves_is_filled_in() {
    let work = Workplace::new();
    work.write(
        "game.pgn",
        "[White \"W\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *\n",
    );
    let written = work.output("convert -q game.pgn --tags PlyCount --fill plycount");
    assert!(written.starts_with("[PlyCount \"3\"]\n"), "{written}");
}

macro_rules! unread {
    ($($name:ident: $options:literal => $ending:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.write("game.pgn", "[Event \"A\"]\n\n1. e4 e5 2. Ke5 {it begins here} *\n");
            let run = work.stamma(&format!("convert -q game.pgn --tags FEN {}", $options)).code(1);
            assert!(stdout_of(&run).ends_with($ending), "{}", stdout_of(&run));
        }
    )*};
}

// Text that could not be read is lost by no cut of the moves before it, and has no comment of the game.
unread! {
    behind_all_moves: "--drop-ply 5" => " 0 2\"]\n\n;Ke5 {it begins here}\n*\n\n";
    behind_the_last_move: "--drop-ply -1" => " 0 1\"]\n\n1... e5 ;Ke5 {it begins here}\n*\n\n";
    behind_a_comment_in_it: "--drop-before begins" => "\n\n1. e4 e5 ;Ke5 {it begins here}\n*\n\n";
}

macro_rules! not_for_csv {
    ($($name:ident: $options:literal => $option:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.import(GAME);
            let run = work.stamma(&format!("export games.db --format csv {}", $options)).code(2);
            let sentence = concat!($option, " needs --format pgn");
            let stderr = stderr_of(&run);
            assert!(stderr.contains(sentence), "{stderr}");
        }
    )*};
}

not_for_csv! {
    csv_with_a_cut: "--ply-limit 4" => "--ply-limit";
    csv_with_comments: "--no-checks --comments drop" => "--comments";
    csv_with_a_line_length: "--line-length 0" => "--line-length";
}

#[test]
fn a_tag_may_be_filled_in_by_its_name() {
    let work = Workplace::new();
    work.write("game.pgn", "[Event \"A\"]\n\n1. e4 e5 *\n");
    let written = work.output("convert -q game.pgn --tags PlyCount,ECO --fill PlyCount,ECO");
    assert!(
        written.starts_with("[PlyCount \"2\"]\n[ECO \"C20\"]\n"),
        "{written}"
    );
}

#[test]
fn each_line_of_a_split_game_is_cut() {
    let options = [
        "--variations",
        "split",
        "--ply-limit",
        "2",
        "--line-length",
        "0",
    ];
    let first = "[PlyCount \"2\"]\n\n1. e4 {first} 1... e5 $1 1-0";
    let second = "[PlyCount \"2\"]\n\n1. e4 c5 {Sicilian} 1-0";

    assert_eq!(converted_text(&options), format!("{first}\n\n{second}"));
}

#[test]
fn a_three_check_game_keeps_its_checks() {
    let work = Workplace::new();
    let text = "[Event \"A\"]\n[Variant \"Three-check\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *\n";
    work.write("game.pgn", text);

    let written = work.output("convert -q game.pgn --drop-ply 5 --tags Variant");
    assert!(
        written.ends_with("\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *\n\n"),
        "{written}"
    );
}

#[test]
fn an_export_has_the_same_options() {
    let work = Workplace::new();
    work.write("game.pgn", GAME);
    work.stamma("import -q games.db game.pgn").success();

    for options in [
        "--line-length 0 --no-checks",
        "--drop-ply 2 --fen-comments",
        "--ply-limit 3",
    ] {
        let converted = work.output(&format!("convert -q game.pgn {options}"));
        assert_eq!(
            work.output(&format!("export -q games.db {options}")),
            converted,
            "{options}"
        );
    }
}

macro_rules! refused {
    ($($name:ident: $options:literal => $sentence:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.write("game.pgn", GAME);
            let run = work.stamma(&format!("convert game.pgn {}", $options)).code(2);
            let stderr = stderr_of(&run);
            assert!(stderr.contains($sentence), "{stderr}");
        }
    )*};
}

refused! {
    lines_too_short: "--line-length 5" => "expected a number from 20, or 0 for one line a game";
    two_starts: "--drop-ply 2 --drop-before x" => "'--drop-ply <N>' cannot be used with '--drop-before <TEXT>'";
    two_comments: "--fen-comments --hash-comments" => "cannot be used with";
    strict_without_tags: "--strict --tags none" => "--strict cannot be used with --tags none";
    strict_without_numbers: "--strict --no-move-numbers" => "--strict cannot be used with --no-move-numbers";
    strict_in_one_line: "--strict --line-length 0" => "--strict needs a --line-length from 20 to 79";
    strict_with_an_order: "--strict --tags *,-Event" => "--strict cannot be used with * in --tags";
    a_tag_named_and_left_out: "--tags ECO,*,-ECO" => "`ECO` is both named and left out";
    no_comment: "--drop-before=" => "a value is required for '--drop-before <TEXT>'";
}
