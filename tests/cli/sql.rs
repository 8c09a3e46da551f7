//! SQL with Stamma's functions, as run by `stamma sql`.

use crate::support::program::{Workplace, stderr_of, stdout_of};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// After 1. e4 e5 2. Nf3, by two orders of moves.
const KINGS_KNIGHT: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";

/// Five games: three of them reach the same position, and the third returns to it.
const FIVE_GAMES: &str = "[White \"Anna\"]\n[WhiteElo \"2700\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
    [White \"Bert\"]\n[WhiteElo \"2500\"]\n\n1. Nf3 e5 2. e4 Nc6 *\n\n\
    [White \"Cleo\"]\n[WhiteElo \"2650\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 d6 *\n\n\
    [White \"Dora\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. O-O *\n\n\
    [White \"Emil\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 *\n";

fn five_games() -> Workplace {
    let work = Workplace::new();
    work.import(FIVE_GAMES);
    work
}

/// The rows as comma-separated values, without their header.
fn rows(work: &Workplace, sql: &str) -> String {
    let run = work
        .run(["sql", "games.db", sql, "--format", "csv"])
        .success();

    let text = stdout_of(&run);
    let (_, rows) = text.split_once('\n').expect("a header");
    rows.trim_end().to_owned()
}

fn refusal(work: &Workplace, sql: &str) -> String {
    let run = work.run(["sql", "games.db", sql]).code(2);
    let stderr = stderr_of(&run);
    stderr
        .strip_prefix("stamma: ")
        .expect("a message")
        .trim_end()
        .to_owned()
}

macro_rules! answers {
    ($($name:ident: $sql:expr => $rows:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(rows(&five_games(), &$sql), $rows);
        }
    )*};
}

mod opening_moves {
    use super::*;

    answers! {
        with_what_is_counted: format!("SELECT * FROM opening_move('{START}')")
            => "e4,e2e4,2,1,0,0,2675,,,\nNf3,g1f3,1,0,0,0,2500,,,";
        where_games_end: format!("SELECT san, uci, games, white FROM opening_move('{KINGS_KNIGHT}')
            ORDER BY san") => ",,1,1\nNc6,b8c6,1,0\nNf6,g8f6,1,0";
        by_a_board_alone:
            "SELECT san, games FROM opening_move('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR')"
            => "e4,2\nNf3,1";
        that_nobody_played: "SELECT * FROM opening_move('4k3/8/8/8/8/8/8/4K3 w - - 0 1')" => "";
        of_positions_of_games: "SELECT ply, o.san, games FROM game_position(2) AS p, opening_move(fen) AS o"
            => "0,e4,2\n0,Nf3,1\n1,e5,1\n2,e4,1\n3,Nc6,1\n3,Nf6,1\n3,,1\n4,,1";
    }

    #[test]
    fn need_a_fen() {
        let work = five_games();
        let said = refusal(&work, "SELECT * FROM opening_move");
        assert_eq!(said, "opening_move(fen) needs a FEN");
        let said = refusal(&work, "SELECT * FROM opening_move('x')");
        assert!(said.contains("`x` is neither a FEN nor moves"), "{said}");
    }
}

mod positions {
    use super::*;

    answers! {
        in_the_order_of_games_with_what_was_played:
            format!("SELECT game_id, ply, san, uci FROM position('{KINGS_KNIGHT}')")
            => "1,3,,\n2,3,Nc6,b8c6\n3,3,Nf6,g8f6";
        that_no_game_reaches: "SELECT * FROM position('4k3/8/8/8/8/8/8/4K3 w - - 0 1')" => "";
        of_no_fen: "SELECT * FROM position(NULL)" => "";
        know_their_argument: format!("SELECT wanted_fen FROM position('{KINGS_KNIGHT}') LIMIT 1")
            => KINGS_KNIGHT;
        castle_as_engines_do: "SELECT uci FROM position('4k3/8/8/8/8/8/8/R3K2R w KQ -')"
            => "e1g1";
        of_a_board_alone_list_each_game_once:
            "SELECT game_id, ply FROM position('rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R')"
            => "1,3\n2,3\n3,3";
        of_a_short_fen_give_the_first_visit:
            "SELECT game_id, ply FROM position('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR')"
            => "1,0\n2,0\n3,0";
        for_each_of_several_fens: format!(
            "SELECT count(*) FROM (VALUES ('{START}'), ('{KINGS_KNIGHT}')) AS f, position(f.column1)"
        ) => "6";
        by_a_list_of_fens:
            format!("SELECT count(*) FROM position WHERE wanted_fen IN ('{START}', '{KINGS_KNIGHT}')")
            => "6";
        with_one_condition_or_another:
            format!("SELECT game_id FROM position('{KINGS_KNIGHT}') WHERE san = 'Nc6' OR game_id = 1")
            => "1\n2";
        joined_with_games: format!(
            "SELECT white FROM games JOIN position('{KINGS_KNIGHT}') ON game_id = games.id
             WHERE white_elo > 2600"
        ) => "Anna\nCleo";
        joined_with_games_that_come_later: format!(
            "SELECT white FROM position('{KINGS_KNIGHT}') JOIN games ON game_id = games.id
             WHERE white_elo > 2600"
        ) => "Anna\nCleo";
        have_names_of_their_own: format!(
            "SELECT game_id, fen_after(moves, ply, fen) FROM games
             JOIN position('{KINGS_KNIGHT}') ON game_id = id WHERE id = 1"
        ) => format!("1,{KINGS_KNIGHT}");
        in_games_that_reach_another_one: format!(
            "SELECT game_id, a.ply, b.ply FROM position('{KINGS_KNIGHT}') AS a
             JOIN position('rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -') AS b
             USING (game_id)"
        ) => "3,3,4";
        in_some_games: format!(
            "SELECT game_id, ply FROM position('{KINGS_KNIGHT}') WHERE game_id IN (1, 3, 4, 5, 99)"
        ) => "1,3\n3,3";
        in_a_game_by_a_number_of_another_type: format!(
            "SELECT game_id FROM position('{KINGS_KNIGHT}') WHERE game_id = '3' OR game_id = 1.0"
        ) => "1\n3";
        in_no_game: format!("SELECT * FROM position('{KINGS_KNIGHT}') WHERE game_id = NULL") => "";
        of_a_short_fen_in_one_game:
            "SELECT game_id, ply FROM position('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR')
             WHERE game_id = 3" => "3,0";
        from_the_last: format!(
            "SELECT game_id FROM position('{KINGS_KNIGHT}') ORDER BY game_id DESC"
        ) => "3\n2\n1";
    }

    #[test]
    fn are_not_those_of_deleted_games() {
        let work = five_games();
        let delete = "DELETE FROM game WHERE id = 2";
        work.run(["sql", "games.db", delete, "--write"]).success();
        let sql = format!("SELECT game_id FROM position('{KINGS_KNIGHT}')");
        assert_eq!(rows(&work, &sql), "1\n3");
    }

    #[test]
    fn are_those_of_changed_games() {
        let work = five_games();
        let change = "UPDATE movetext SET moves = 'd4 d5' WHERE game_id IN (1, 3)";
        work.run(["sql", "games.db", change, "--write"]).success();

        let of_king = format!("SELECT game_id FROM position('{KINGS_KNIGHT}')");
        assert_eq!(rows(&work, &of_king), "2");

        let of_queen = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -";
        let of_queen = format!("SELECT game_id, san FROM position('{of_queen}')");
        assert_eq!(rows(&work, &of_queen), "1,d5\n3,d5");
        assert_eq!(
            rows(&work, &format!("{of_queen} WHERE game_id = 3")),
            "3,d5"
        );
    }

    #[test]
    fn may_be_deleted_with_their_games() {
        let work = five_games();
        let delete = format!(
            "DELETE FROM game WHERE id IN (SELECT game_id FROM position('{KINGS_KNIGHT}'))"
        );
        work.run(["sql", "games.db", &delete, "--write"]).success();

        assert_eq!(rows(&work, "SELECT id FROM games"), "4\n5");
        assert_eq!(
            rows(&work, &format!("SELECT * FROM position('{KINGS_KNIGHT}')")),
            ""
        );
    }

    #[test]
    fn are_asked_for_of_no_unreleased_database() {
        let work = five_games();
        work.run(["sql", "games.db", "DROP TABLE duplicate_search", "--write"])
            .success();
        assert_eq!(
            refusal(&work, &format!("SELECT * FROM position('{START}')")),
            "this database was made by an unreleased Stamma; import its sources into a new one"
        );
    }

    /// The index of later games is damaged: queries for those games report it.
    #[test]
    fn are_looked_up_only_when_they_are_asked_for() {
        let work = five_games();
        work.import("[White \"Fred\"]\n\n1. e4 *\n");

        let spoil = "UPDATE position_block SET data = x'00' WHERE id >> 50 = 2";
        work.run(["sql", "games.db", spoil, "--write"]).success();

        let sql = format!("SELECT game_id FROM position('{START}')");
        assert_eq!(rows(&work, &format!("{sql} LIMIT 2")), "1\n2");
        assert_eq!(
            rows(&work, &format!("{sql} ORDER BY game_id LIMIT 2")),
            "1\n2"
        );
        assert_eq!(rows(&work, &format!("SELECT EXISTS ({sql})")), "1");

        let said = refusal(&work, &sql);
        assert!(
            said.starts_with("the position index is damaged at "),
            "{said}"
        );
    }

    /// The query plan, one step per line.
    fn plan(work: &Workplace, sql: &str) -> Vec<String> {
        let explain = format!("EXPLAIN QUERY PLAN {sql}");
        let run = work.run(["sql", "games.db", &explain]);
        let table = stdout_of(&run.success());

        // Three numbers stand before each step, which begins with SCAN, SEARCH or USE.
        let mut steps = Vec::new();
        for line in table.lines().skip(1) {
            if let Some(at) = line.find(['S', 'U']) {
                steps.push(line[at..].to_owned());
            }
        }

        steps
    }

    #[test]
    fn are_found_first_and_their_games_by_number() {
        let work = five_games();
        let from = [
            format!("games JOIN position('{KINGS_KNIGHT}') ON game_id = games.id"),
            format!("position('{KINGS_KNIGHT}') JOIN games ON game_id = games.id"),
            format!("position('{KINGS_KNIGHT}') JOIN game ON game_id = game.id"),
            format!("game JOIN position('{KINGS_KNIGHT}') ON game_id = game.id"),
        ];

        for from in from {
            for condition in ["white_elo > 2600", "1"] {
                let steps = plan(
                    &work,
                    &format!("SELECT white_elo FROM {from} WHERE {condition}"),
                );
                assert!(
                    steps[0].starts_with("SCAN position VIRTUAL TABLE"),
                    "{from}: {steps:?}"
                );

                let game = "SEARCH game USING INTEGER PRIMARY KEY";
                assert!(steps[1].starts_with(game), "{from}: {steps:?}");

                let scans = steps.iter().filter(|step| step.starts_with("SCAN")).count();
                assert_eq!(scans, 1, "{from}: {steps:?}");
            }
        }
    }

    #[test]
    fn are_looked_for_in_the_games_of_another_one() {
        let steps = plan(
            &five_games(),
            &format!(
                "SELECT * FROM position('{START}') AS a JOIN position('{KINGS_KNIGHT}') AS b
                 USING (game_id)"
            ),
        );
        let of = |step: &str| {
            step.rsplit_once(" INDEX ")
                .map(|(_, index)| index.to_owned())
        };

        let indexes: Vec<_> = steps.iter().filter_map(|step| of(step)).collect();
        assert_eq!(indexes, ["1:", "2:"], "{steps:?}");
    }

    #[test]
    fn need_no_sorting_by_game() {
        let steps = plan(
            &five_games(),
            &format!("SELECT * FROM position('{KINGS_KNIGHT}') ORDER BY game_id"),
        );
        assert_eq!(steps.len(), 1, "{steps:?}");
    }
}

mod game_positions {
    use super::*;

    answers! {
        from_the_start_to_the_end: "SELECT ply, fen, san, uci FROM game_position(1)"
            => format!("0,{START},e4,e2e4\n\
                1,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1,e5,e7e5\n\
                2,rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2,Nf3,g1f3\n\
                3,{KINGS_KNIGHT},,");
        from_another_start: "SELECT fen, uci FROM game_position(4)"
            => "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1,e1g1\n4k3/8/8/8/8/8/8/R4RK1 b - - 1 1,";
        of_a_game_that_is_not_there: "SELECT * FROM game_position(99)" => "";
        of_a_game_that_is_not_played: "SELECT * FROM game_position(5)" => "";
        of_no_game: "SELECT * FROM game_position(NULL)" => "";
        of_each_game: "SELECT id, count(*) FROM games, game_position(games.id) GROUP BY id"
            => "1,4\n2,5\n3,9\n4,2";
        have_names_of_their_own: "SELECT game_id, fen FROM position('4k3/8/8/8/8/8/8/R4RK1') AS p
            JOIN game_position(p.game_id) AS g ON g.ply = p.ply"
            => "4,4k3/8/8/8/8/8/8/R4RK1 b - - 1 1";
        after_a_position: format!(
            "SELECT g.san FROM position('{START}') AS p JOIN game_position(p.game_id) AS g
             ON g.ply = p.ply + 1 ORDER BY 1"
        ) => "e5\ne5\ne5";
    }
}

mod game_comments {
    use super::*;

    /// One game with clocks and evaluations, one with variations, and one without comments.
    const COMMENTED: &str = "[White \"Anna\"]\n\n\
        1. e4 { [%eval 0.35] [%clk 0:03:00] } e5 { [%eval +0.2,12] [%clk 59.9] [%emt 0:00:02] }\n\
        2. Qh5 { a threat [%eval #-3] [%clk 1:00:00.5] } Nc6 { [%eval x] [%clk 0:99h] [%evp 0,35] } *\n\n\
        [White \"Bert\"]\n\n{hello} 1. e4 e5 (1... c5 {Sicily} 2. Nf3 (2. c3 {[%clk 0:00:07]}) d6 {so}) 2. f4 *\n\n\
        [White \"Cleo\"]\n\n1. d4 *\n";

    macro_rules! answers {
        ($($name:ident: $sql:expr => $rows:expr;)*) => {$(
            #[test]
            fn $name() {
                let work = Workplace::new();
                work.import(COMMENTED);
                assert_eq!(rows(&work, $sql), $rows);
            }
        )*};
    }

    answers! {
        with_what_they_say: "SELECT * FROM game_comment(1)"
            => "1, [%eval 0.35] [%clk 0:03:00] ,180.0,35,,,\n\
                2,\" [%eval +0.2,12] [%clk 59.9] [%emt 0:00:02] \",59.9,20,,2.0,\n\
                3, a threat [%eval #-3] [%clk 1:00:00.5] ,3600.5,,-3,,\n\
                4,\" [%eval x] [%clk 0:99h] [%evp 0,35] \",,,,,";
        that_say_nothing: "SELECT count(*), max(ply) FROM game_comment(1)
            WHERE coalesce(clock_seconds, eval_centipawns, eval_mate, emt_seconds) IS NULL"
            => "1,4";
        have_types: "SELECT DISTINCT typeof(ply), typeof(comment), typeof(clock_seconds)
            FROM game_comment(1) WHERE ply < 4" => "integer,text,real";
        of_variations_too: "SELECT ply, comment, clock_seconds, variation FROM game_comment(2)"
            => "0,hello,,\n2,Sicily,,c5\n3,[%clk 0:00:07],7.0,c5 c3\n4,so,,c5 Nf3 d6";
        of_the_mainline: "SELECT comment FROM game_comment(2) WHERE variation IS NULL" => "hello";
        of_a_game_without_any: "SELECT * FROM game_comment(3)" => "";
        of_a_game_that_is_not_there: "SELECT * FROM game_comment(99)" => "";
        of_no_game: "SELECT * FROM game_comment(NULL)" => "";
        of_all_games: "SELECT round(avg(clock_seconds), 1), count(*) FROM game JOIN game_comment(game.id)
            WHERE variation IS NULL" => "1280.1,5";
        beside_their_positions: "SELECT g.san, eval_centipawns FROM game_comment(1) AS c
            JOIN game_position(1) AS g ON g.ply = c.ply - 1 WHERE eval_centipawns IS NOT NULL"
            => "e4,35\ne5,20";
        have_positions_of_their_own: "SELECT fen_after(substr(moves, 1, instr(moves, ' ')) || variation, c.ply)
            FROM games JOIN game_comment(id) AS c WHERE comment = 'Sicily'"
            => "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    }

    #[test]
    fn are_refused_where_they_are_no_annotations() {
        let work = Workplace::new();
        work.import(COMMENTED);

        for annotations in ["'{\"1\":'", "'[]'", "7", "x'00'"] {
            let spoil =
                format!("UPDATE movetext SET annotations = {annotations} WHERE game_id = 2");
            work.run(["sql", "games.db", &spoil, "--write"]).success();

            let said = refusal(&work, "SELECT * FROM game_comment(2)");
            assert!(
                said.starts_with("the annotations of game 2 cannot be read"),
                "{said}"
            );
        }
        assert_eq!(rows(&work, "SELECT count(*) FROM game_comment(1)"), "4");
    }
}

mod scalars {
    use super::*;

    answers! {
        fen_after_no_move: "SELECT fen_after('e4 e5', 0)" => START;
        fen_after_the_whole_line:
            format!("SELECT fen_after('e4 e5 Nf3', 3) = '{KINGS_KNIGHT}'") => "1";
        fen_after_more_than_the_line: "SELECT fen_after('e4', 2) IS NULL" => "1";
        fen_after_less_than_nothing: "SELECT fen_after('e4', -1) IS NULL" => "1";
        fen_after_moves_before_a_bad_one: "SELECT fen_after('e4 Ke3', 1) IS NULL" => "0";
        fen_after_a_start: "SELECT fen_after('O-O', 1, '4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1')"
            => "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1";
        fen_after_all_moves_of_each_game: "SELECT count(*) FROM games
            WHERE fen_after(moves, ply_count, fen) = final_fen" => "4";
        fen_of_null: "SELECT fen_after(NULL, 1), fen_after('e4', NULL), fen_normalize(NULL)" => ",,";
        fen_as_stamma_writes_it:
            "SELECT fen_normalize('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha e3 0 1')"
            => "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        board_of_a_position: "SELECT board_text('4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1')"
            => "\"8 · · · · ♚ · · ·\n7 · · · · · · · ·\n6 · · · · · · · ·\n5 · · · · · · · ·\n\
                4 · · · · · · · ·\n3 · · · · · · · ·\n2 · · · · · · · ·\n1 ♖ · · · ♔ · · ♖\n  \
                a b c d e f g h\"";
        picture_of_a_position: "SELECT instr(board_svg('4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1'),
            '<use href=\"#k\" x=\"400\" y=\"0\"/>') > 0 AS drawn" => "1";
        picture_of_null: "SELECT board_svg(NULL) IS NULL" => "1";
        board_of_null: "SELECT board_text(NULL) IS NULL" => "1";
        uci_of_a_line: "SELECT san_to_uci('e4 e5 Nf3 Nc6 Bc4 Bc5 O-O')"
            => "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1";
        uci_of_a_line_of_chess960: "SELECT san_to_uci('O-O', '3k4/8/8/8/8/8/8/3K3R w H - 0 1')"
            => "d1h1";
        uci_of_no_moves: "SELECT san_to_uci('') = ''" => "1";
        uci_of_each_game: "SELECT san_to_uci(moves, fen) FROM games WHERE fen IS NOT NULL"
            => "e1g1";
        uci_of_null: "SELECT san_to_uci(NULL) IS NULL" => "1";
    }

    #[test]
    fn may_stand_in_an_index() {
        let work = five_games();
        let sql = "CREATE INDEX by_start ON game (fen_normalize(fen))";
        work.run(["sql", "games.db", sql, "--write"]).success();
    }
}

mod refuses {
    use super::*;

    macro_rules! refuses {
        ($($name:ident: $sql:expr => $sentence:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(refusal(&five_games(), $sql), $sentence);
            }
        )*};
    }

    refuses! {
        position_without_a_fen: "SELECT * FROM position" => "position(fen) needs a FEN";
        position_with_empty_brackets: "SELECT * FROM position()" => "position(fen) needs a FEN";
        position_of_a_number: "SELECT * FROM position(7)" => "position(fen) needs a FEN";
        position_of_two_fens: "SELECT * FROM position('a', 'b')"
            => "too many arguments on position() - max 1";
        position_of_a_bad_fen: "SELECT * FROM position('8/8')"
            => "the board of the FEN has 2 ranks instead of 8";
        position_that_is_not_legal: "SELECT * FROM position('8/8/8/8/8/8/8/K7')"
            => "no legal position: Black has no king";
        game_position_without_a_game: "SELECT * FROM game_position"
            => "game_position(game_id) needs the number of a game";
        game_comment_without_a_game: "SELECT * FROM game_comment"
            => "game_comment(game_id) needs the number of a game";
        game_comment_of_a_text: "SELECT * FROM game_comment('Anna')"
            => "game_comment(game_id) needs the number of a game";
        game_position_of_a_text: "SELECT * FROM game_position('Anna')"
            => "game_position(game_id) needs the number of a game";
        fen_after_a_bad_start: "SELECT fen_after('e4', 1, 'x')"
            => "the board of the FEN has 1 ranks instead of 8";
        fen_after_no_such_move: "SELECT fen_after('e4 Ke3', 2)"
            => "Ke3 cannot be played after 1 half-moves";
        fen_after_a_text: "SELECT fen_after('e4', 'one')"
            => "fen_after(moves, ply) needs a number of half-moves";
        fen_after_nothing: "SELECT fen_after('e4')"
            => "wrong number of arguments to function fen_after()";
        fen_normalize_of_a_bad_fen: "SELECT fen_normalize('')" => "the FEN is empty";
        board_svg_of_a_bad_fen: "SELECT board_svg('8/8')"
            => "the board of the FEN has 2 ranks instead of 8";
        board_svg_of_a_number: "SELECT board_svg(7)" => "board_svg(fen) needs a FEN";
        board_text_of_a_blob: "SELECT board_text(x'00')" => "board_text(fen) needs a FEN";
        san_to_uci_of_no_moves: "SELECT san_to_uci('e4 e4')"
            => "e4 cannot be played after 1 half-moves";
        bad_sql: "SELEC 1" => "near \"SELEC\": syntax error";
        no_such_column: "SELECT elo FROM games" => "no such column: elo";
        parameters: "SELECT ?" => "a parameter like ? or :name has no value here";
        to_write: "DELETE FROM game" => "without --write, statements may only read this database and use temporary tables";
        to_write_into_a_function: "DELETE FROM position"
            => "table position may not be modified";
    }

    #[test]
    fn a_database_that_is_not_there() {
        let work = Workplace::new();
        let said = refusal(&work, "SELECT 1");
        assert_eq!(
            said,
            "games.db: no such database; `stamma import` creates one"
        );

        let run = work.run(["sql", "games.db", "SELECT 1", "--write"]).code(2);
        assert_eq!(stderr_of(&run), format!("stamma: {said}\n"));
    }
}

mod command {
    use super::*;

    #[test]
    fn answers_each_statement() {
        let work = five_games();
        let sql =
            "SELECT id, white FROM games WHERE id < 3; -- that is all\nSELECT NULL AS n, 1.5;";
        let table = stdout_of(&work.run(["sql", "games.db", sql]).success());
        assert_eq!(table, "id  white\n 1  Anna\n 2  Bert\n\nn  1.5\n   1.5\n");
    }

    #[test]
    fn writes_json_lines() {
        let work = five_games();
        let sql = "SELECT id, eco, white, x'ff' AS blob FROM games LIMIT 2; SELECT 2.0 AS n";
        let run = work.run(["sql", "games.db", sql, "--format", "jsonl"]);
        let lines = stdout_of(&run.success());

        assert_eq!(
            lines,
            "{\"id\":1,\"eco\":null,\"white\":\"Anna\",\"blob\":\"ff\"}\n\
             {\"id\":2,\"eco\":null,\"white\":\"Bert\",\"blob\":\"ff\"}\n{\"n\":2.0}\n"
        );
    }

    #[test]
    fn reads_sql_from_standard_input() {
        let work = five_games();
        let mut command = assert_cmd::Command::cargo_bin("stamma").expect("the program is built");
        command
            .arg("sql")
            .arg(work.path("games.db"))
            .args(["-", "--format", "csv"]);
        command.write_stdin("SELECT 1 AS n;\n");

        let run = command.assert().success();
        run.stdout("n\n1\n");
    }

    /// The names and sizes of all files beside the database.
    fn files(work: &Workplace) -> Vec<(std::ffi::OsString, u64)> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(work.path("")).expect("a folder") {
            let entry = entry.expect("an entry");
            let metadata = entry.metadata().expect("a file");
            files.push((entry.file_name(), metadata.len()));
        }

        files.sort();
        files
    }

    #[test]
    fn writes_no_file_without_write() {
        let work = five_games();
        work.write("other.db", "");

        let before = (
            files(&work),
            std::fs::read(work.path("games.db")).expect("the database"),
        );
        for sql in [
            "COMMIT; VACUUM INTO 'out.db'",
            "VACUUM INTO 'out.db'",
            "VACUUM",
            "COMMIT; VACUUM",
            "ATTACH 'out.db' AS other",
            "ROLLBACK; ATTACH 'other.db' AS other; CREATE TABLE other.t (a)",
            "ATTACH 'file:out.db?mode=rwc' AS other",
            "COMMIT; PRAGMA journal_mode = wal",
            "PRAGMA journal_mode = wal",
            "PRAGMA user_version = 1",
            "PRAGMA writable_schema = 1",
            "PRAGMA query_only = 0; DELETE FROM game",
            "PRAGMA wal_checkpoint",
            "PRAGMA Optimize",
            "SELECT * FROM pragma_optimize",
            "PRAGMA temp_store_directory = '.'",
            "END; BEGIN IMMEDIATE",
            "ROLLBACK; DELETE FROM game",
            "INSERT INTO player VALUES (99, 'x')",
            "CREATE TABLE t (a)",
            "CREATE TEMP TRIGGER t AFTER DELETE ON main.game BEGIN SELECT 1; END; DELETE FROM game",
            "DROP VIEW games",
            "ALTER TABLE game ADD COLUMN x",
            "REINDEX",
            "ANALYZE",
            "SELECT load_extension('x')",
        ] {
            let run = work.run(["sql", "games.db", sql]).code(2);
            assert!(!stderr_of(&run).is_empty(), "{sql}");
            let after = (
                files(&work),
                std::fs::read(work.path("games.db")).expect("the database"),
            );
            assert!(before == after, "{sql}: {:?}", files(&work));
        }
    }

    #[test]
    fn reads_by_all_that_only_reads() {
        let work = five_games();
        for (sql, answer) in [
            (
                "CREATE TEMP TABLE t AS SELECT id FROM game; SELECT count(*) FROM t",
                "5",
            ),
            (
                "CREATE TEMP VIEW v AS SELECT 1 AS a; SELECT a FROM v; DROP VIEW v",
                "1",
            ),
            (
                "CREATE TABLE temp.t (a); INSERT INTO t VALUES (1); UPDATE t SET a = 2; SELECT a FROM t",
                "2",
            ),
            (
                "WITH RECURSIVE n (n) AS (SELECT 1 UNION SELECT n + 1 FROM n WHERE n < 3) SELECT max(n) FROM n",
                "3",
            ),
            (
                "SELECT count(*) FROM pragma_table_info('source') WHERE name = 'path'",
                "1",
            ),
            ("PRAGMA user_version", "1"),
            ("PRAGMA quick_check(1)", "ok"),
            ("PRAGMA cache_size = 100; SELECT 7", "7"),
            (
                "SELECT count(*) FROM player_text WHERE player_text MATCH 'anna'",
                "1",
            ),
            ("EXPLAIN QUERY PLAN SELECT 1; SELECT 8", "8"),
            ("SAVEPOINT s; SELECT 9; RELEASE s", "9"),
            (
                "CREATE VIRTUAL TABLE temp.f USING fts5 (a); INSERT INTO f VALUES ('x');
                 SELECT count(*) AS n FROM f WHERE f MATCH 'x'; DROP TABLE f",
                "1",
            ),
        ] {
            let run = work
                .run(["sql", "games.db", sql, "--format", "csv"])
                .success();
            assert!(
                stdout_of(&run).lines().any(|line| line == answer),
                "{sql}: {}",
                stdout_of(&run)
            );
        }
    }

    #[test]
    fn sees_what_earlier_statements_have_written() {
        let work = five_games();
        let sql = "CREATE TABLE mine (a); INSERT INTO mine VALUES (7); SELECT a FROM mine";
        let table = stdout_of(&work.run(["sql", "games.db", sql, "--write"]).success());
        assert_eq!(table, "a\n7\n");
    }

    #[test]
    fn prints_what_came_before_an_error() {
        let work = five_games();
        let statements = "SELECT 1 AS n; SELECT elo";
        let run = work.run(["sql", "games.db", statements]).code(2);

        assert_eq!(stdout_of(&run), "n\n1\n");
        assert_eq!(stderr_of(&run), "stamma: no such column: elo\n");
    }

    #[test]
    fn finds_as_many_games_as_a_search() {
        let work = Workplace::with_historical_games();

        for fen in [
            START,
            KINGS_KNIGHT,
            "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R",
        ] {
            let found = rows(&work, &format!("SELECT count(*) FROM position('{fen}')"));
            let search = work
                .run(["search", "games.db", fen, "--format", "count"])
                .success();
            assert_eq!(found, stdout_of(&search).trim_end());
        }
    }
}
