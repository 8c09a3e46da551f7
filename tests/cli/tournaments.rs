//! Tournaments and crosstables, compared with standings written down here and with a plain count.

use std::collections::BTreeMap;

use crate::support::program::{Workplace, stderr_of, stdout_of};
use crate::support::random::Random;

/// Games like `Anna-Bert 1-0 3`: players, result and round. Each has other moves.
fn pgn(event: &str, tags: &str, games: &[&str]) -> String {
    let first = [
        "a3", "a4", "b3", "b4", "c3", "c4", "d3", "d4", "e3", "e4", "f3", "f4", "g3", "g4",
    ];
    let replies = [
        "a6", "a5", "b6", "b5", "c6", "c5", "d6", "d5", "e6", "e5", "f6", "f5", "g6",
    ];

    let mut pgn = String::new();
    for (number, game) in games.iter().enumerate() {
        let words: Vec<&str> = game.split(' ').collect();
        let (white, black) = words[0].split_once('-').expect(game);
        let result = words[1];
        let round = words.get(2).unwrap_or(&"?");

        let mv = first[number % first.len()];
        let reply = replies[number / first.len() % replies.len()];
        pgn += &format!(
            "[Event \"{event}\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"{result}\"]\n{tags}\n1. {mv} {reply} {result}\n\n"
        );
    }

    pgn
}

const PLACE: &str = "[Site \"Bergen\"]\n[Date \"1901.02.03\"]\n";

/// The value of `columns` of each player.
fn players(work: &Workplace, arguments: &str, columns: &[usize]) -> Vec<String> {
    let csv = work.output(&format!("crosstable games.db {arguments} --format csv"));
    let mut rows = Vec::new();
    for line in csv.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let chosen: Vec<&str> = columns.iter().map(|&column| cells[column]).collect();
        rows.push(chosen.join(" "));
    }

    rows
}

/// A filter chooses tournaments; their sizes do not depend on it.
#[test]
fn a_filter_leaves_tournaments_whole() {
    let work = Workplace::new();
    let spring = ["Anna-Bert 1-0 1", "Cleo-Dora 1-0 1", "Bert-Cleo 1-0 2"];
    let autumn = ["Cleo-Emil 1-0 1"];
    work.import(pgn("Spring", PLACE, &spring) + &pgn("Autumn", PLACE, &autumn));

    let listed = |arguments: &str| {
        let csv = work.output(&format!("events games.db --format csv {arguments}"));
        let mut rows = Vec::new();
        for line in csv.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let event = cells[1];
            let [games, players, rounds] = [cells[5], cells[6], cells[8]];
            rows.push(format!("{event} {games} {players} {rounds}"));
        }
        rows
    };

    assert_eq!(listed("--player anna"), ["Spring 3 4 2"]);
    assert_eq!(
        listed("--player cleo --sort name"),
        ["Autumn 1 2 1", "Spring 3 4 2"]
    );
    assert_eq!(listed("--player emil --player anna"), [""; 0]);
}

#[test]
fn what_is_missing_is_said_first() {
    let work = Workplace::new();
    let games = [
        "Anna-Bert 1-0 1",
        "Cleo-Dora 1-0 1",
        "Eva-Finn 1-0 1",
        "Anna-Cleo 1-0 2",
        "Bert-Eva 1-0 2",
    ];
    work.import(pgn("Open", PLACE, &games));

    let table = work.output("crosstable games.db open");
    let warning = "incomplete: 10 of 12 results of players are here, and places count these only";
    assert_eq!(table.lines().nth(3), Some(warning), "{table}");
}

#[test]
fn teams_have_a_table() {
    let work = Workplace::new();
    let teams = |white: &str, black: &str| {
        format!("{PLACE}[WhiteTeam \"{white}\"]\n[BlackTeam \"{black}\"]\n")
    };
    // On the second board, the visitors have White.
    let odd_boards = ["Anna-Bert 1-0 1.1", "Cleo-Dora 1-0 1.3"];
    let even_boards = ["Emil-Finn 1-0 1.2"];
    let odd_boards = pgn("Cup", &teams("Bergen", "Oslo"), &odd_boards);
    let even_boards = pgn("Cup", &teams("Oslo", "Bergen"), &even_boards);
    work.import(odd_boards + &even_boards);

    let table = work.output("crosstable games.db cup");
    let lines = table.lines();
    let team_table = lines.skip_while(|line| !line.contains("match points"));

    let mut rows = Vec::new();
    for line in team_table.take(3) {
        let words: Vec<&str> = line.split_whitespace().collect();
        rows.push(words.join(" "));
    }
    assert_eq!(
        rows,
        [
            "# team match points won drawn lost board points games players",
            "1 Bergen 2 1 0 0 2 3 Anna; Finn; Cleo",
            "2 Oslo 0 0 0 1 1 3 Bert; Emil; Dora",
        ],
        "{table}"
    );
    assert!(table.contains("6 players, 2 teams"), "{table}");
}

#[test]
fn a_round_robin() {
    let work = Workplace::new();
    work.import(pgn(
        "Spring",
        PLACE,
        &[
            "Anna-Bert 1-0 1",
            "Cleo-Dora 1/2-1/2 1",
            "Bert-Cleo 1-0 2",
            "Dora-Anna 0-1 2",
            "Anna-Cleo 1/2-1/2 3",
            "Bert-Dora 1-0 3",
        ],
    ));

    // Anna has beaten Bert (2 points) and Dora (½), and drawn with Cleo (1).
    assert_eq!(
        work.output("crosstable games.db spring"),
        "Spring, Bergen, 1901.02.03, 6 games\n\
         4 players, round robin\n\n\
         #  player  Elo  1  2  3  4  points  games   S-B  wins  perf.\n\
         1  Anna      -  ■  1  ½  1      2½      3  3.00     2      -\n\
         2  Bert      -  0  ■  1  1       2      3  1.50     2      -\n\
         3  Cleo      -  ½  0  ■  ½       1      3  1.50     0      -\n\
         4  Dora      -  0  0  ½  ■       ½      3  0.50     0      -\n"
    );
}

#[test]
fn a_double_round_robin_without_a_game() {
    let work = Workplace::new();
    work.import(pgn(
        "Spring",
        PLACE,
        &[
            "Anna-Bert 1-0",
            "Bert-Anna 1-0",
            "Anna-Cleo 1-0",
            "Cleo-Anna 0-1",
            "Bert-Cleo *",
        ],
    ));

    let page = work.output("crosstable games.db spring");
    assert!(page.contains("3 players, double round robin"), "{page}");
    assert!(
        page.contains("1  Anna      -  ■   10  11       3      4"),
        "{page}"
    );
    assert!(
        page.ends_with("\n1 game is missing: Bert – Cleo\n1 game has no result\n"),
        "{page}"
    );
}

#[test]
fn a_game_that_is_there_twice_counts_once() {
    let work = Workplace::new();
    let games = pgn("Spring", PLACE, &["Anna-Bert 1-0 1", "Bert-Anna 1/2-1/2 2"]);
    work.import(format!("{games}{games}"));

    let page = work.output("crosstable games.db spring");
    assert!(
        page.contains("1  Anna      -  1½           1½      2     1      -\n"),
        "{page}"
    );
    assert!(
        page.contains("2 games are there twice, and counted once: 3 as 1; 4 as 2\n"),
        "{page}"
    );
    assert_eq!(work.query("SELECT count(*) FROM game"), "4");

    work.stamma("dedupe games.db").success();
    let page = work.output("crosstable games.db spring");
    assert!(
        page.contains("2 games are marked as duplicates, and not counted\n"),
        "{page}"
    );

    let events = work.stamma("events games.db").success();
    assert!(
        stdout_of(&events).contains("1901.02.03      2        2    -       2"),
        "{}",
        stdout_of(&events)
    );
    assert!(stderr_of(&events).contains("2 games are marked as duplicates, and not counted\n"));
}

#[test]
fn spellings_of_a_player_are_one() {
    let work = Workplace::new();
    work.import(pgn(
        "Spring",
        PLACE,
        &["Anna-Bert 1-0 1", "Ana-Cleo 1-0 2", "Bert-Cleo 1-0 3"],
    ));
    // Each spelling is a player of its own.
    assert_eq!(players(&work, "spring", &[1]).len(), 4);

    let sql = "INSERT INTO player_name VALUES ('Ana', 'Anna', 'list', '')";
    work.run(["sql", "games.db", "--write", sql]).success();
    assert_eq!(
        players(&work, "spring", &[1, 3]),
        ["Anna 2.0", "Bert 1.0", "Cleo 0.0"]
    );
}

#[test]
fn a_knock_out() {
    let work = Workplace::new();
    work.import(pgn(
        "Cup",
        PLACE,
        &[
            "Anna-Bert 1-0 1",
            "Bert-Anna 1/2-1/2 1",
            "Cleo-Dora 1/2-1/2 1",
            "Dora-Cleo 1-0 1",
            "Bert-Cleo 1-0 2",
            "Dora-Anna 1/2-1/2 2",
            "Anna-Dora 0-1 2",
        ],
    ));

    let page = work.output("crosstable games.db cup");
    assert!(page.contains("4 players, knock-out"), "{page}");
    assert!(
        page.contains("final        Dora    Anna   1½:½   ½1\n"),
        "{page}"
    );
    assert!(
        page.contains("third place  Bert    Cleo   1:0    1\n"),
        "{page}"
    );
    assert_eq!(
        players(&work, "cup", &[0, 1]),
        ["1 Dora", "2 Anna", "3 Bert", "4 Cleo"]
    );
}

/// The match in which Anna won her semi-final is missing, and Emma, who won one match, has most points.
#[test]
fn a_knock_out_with_gaps() {
    let work = Workplace::new();
    work.import(pgn(
        "Cup",
        PLACE,
        &[
            "Anna-Bert 1-0 1.1",
            "Bert-Anna 1/2-1/2 1.2",
            "Cleo-Dora 1-0 1.1",
            "Dora-Cleo 1/2-1/2 1.2",
            "Emma-Finn 1-0 1.1",
            "Finn-Emma 0-1 1.2",
            "Emma-Finn 1-0 1.3",
            "Gina-Hans 1-0 1.1",
            "Hans-Gina 1/2-1/2 1.2",
            "Gina-Emma 1-0 2.1",
            "Emma-Gina 1/2-1/2 2.2",
            "Gina-Anna 0-1 3.1",
            "Anna-Gina 1/2-1/2 3.2",
        ],
    ));

    let page = work.output("crosstable games.db cup");
    assert!(page.contains("8 players, knock-out"), "{page}");
    assert!(
        page.contains("semi-final     Gina    Emma   1½:½   1½\n"),
        "{page}"
    );

    let ranked = ["1 Anna", "2 Gina", "3 Emma", "3 Cleo"];
    assert_eq!(players(&work, "cup", &[0, 1])[..3], ranked[..3]);
    assert!(page.contains("final          Anna    Gina"), "{page}");
}

/// Without the final, the matches of the last stage have no name.
#[test]
fn a_knock_out_without_its_final() {
    let work = Workplace::new();
    let mut games = Vec::new();
    for (pair, round) in [
        ("Anna-Bert", 1),
        ("Cleo-Dora", 1),
        ("Emma-Finn", 1),
        ("Gina-Hans", 1),
        ("Anna-Cleo", 2),
        ("Emma-Gina", 2),
    ] {
        games.push(format!("{pair} 1-0 {round}.1"));
        games.push(format!("{pair} 1/2-1/2 {round}.2"));
    }
    let games: Vec<&str> = games.iter().map(String::as_str).collect();
    work.import(pgn("Cup", PLACE, &games));

    let page = work.output("crosstable games.db cup");
    assert!(page.contains("8 players, knock-out"), "{page}");
    assert!(page.contains("2      Anna    Cleo   1½:½   1½\n"), "{page}");
    assert!(!page.contains("final"), "{page}");
}

#[test]
fn tournaments_of_one_name() {
    let work = Workplace::new();
    let game = ["Anna-Bert 1-0 1"];
    let tags = |site, date| format!("[Site \"{site}\"]\n[Date \"{date}\"]\n");
    let all = [
        ("Bergen", "1901.12.28"),
        ("Bergen", "1902.01.02"),
        ("Bergen", "1904"),
        ("Oslo", "1904"),
    ];
    let tournaments = all.map(|(site, date)| pgn("Spring", &tags(site, date), &game));
    work.import(tournaments.concat());

    // A tournament may pass New Year; a place, and years without games, separate tournaments.
    let choice = stderr_of(&work.stamma("crosstable games.db spring").code(2));
    assert!(choice.starts_with("error: 3 tournaments match"), "{choice}");
    assert!(
        choice.contains("  Spring, Bergen, 1901.12.28–1902.01.02, 2 games\n"),
        "{choice}"
    );

    for (arguments, games) in [
        ("--year 1901", "1901.12.28–1902.01.02, 2 games"),
        ("--year 1902", "1901.12.28–1902.01.02, 2 games"),
        ("--year 1904 --site oslo", "1904.??.??, 1 game"),
        ("--join", "1901.12.28–1904.??.??, 4 games"),
    ] {
        let page = work.output(&format!("crosstable games.db spring {arguments}"));
        let heading = page.lines().next().expect("a heading");
        assert!(heading.ends_with(games), "{page}");
    }

    let run = work.stamma("crosstable games.db spring --year 1903");
    let none = stderr_of(&run.code(2));
    assert_eq!(none, "error: no tournament matches\n");
}

#[test]
fn an_event_of_too_many_games_has_no_crosstable() {
    let work = Workplace::new();
    let game = "[Event \"Rated game\"]\n[White \"Anna\"]\n[Black \"Bert\"]\n\n1. e4 1-0\n\n";
    work.write("games.pgn", game.repeat(20_001));
    work.stamma("import games.db games.pgn").success();

    // Servers have events with any number of games.
    let run = work.stamma("crosstable games.db rated").code(2);
    let told = "Rated game, 20,001 games: more than the 20,000 of a crosstable";
    let stderr = stderr_of(&run);
    assert!(stderr.contains(told), "{stderr}");
}

#[test]
fn a_page_of_html_has_no_markup_from_names() {
    let work = Workplace::new();
    work.import(pgn("<b>Cup</b>", PLACE, &["A&B-<i> 1-0"]));

    let page = work.output("crosstable games.db cup --format html");
    assert!(
        page.contains("<td>A&amp;B</td>") && page.contains("&lt;i&gt;"),
        "{page}"
    );
    assert!(!page.contains("<i>") && !page.contains("<b>"), "{page}");
}

/// Points, Sonneborn-Berger, Buchholz, wins.
type Plain = (f64, f64, f64, u32);

/// The standings by a plain count over games by name.
fn expected_standings(games: &[String]) -> BTreeMap<String, Plain> {
    // Each game as both players see it: player, opponent and score.
    let mut sides: Vec<(&str, &str, f64)> = Vec::new();
    for game in games {
        let words: Vec<&str> = game.split(' ').collect();
        let (white, black) = words[0].split_once('-').expect(game);
        let score = match words[1] {
            "1-0" => 1.0,
            "0-1" => 0.0,
            _ => 0.5,
        };
        sides.push((white, black, score));
        sides.push((black, white, 1.0 - score));
    }

    let points = |name: &str| -> f64 {
        let own = sides.iter().filter(|(player, ..)| *player == name);
        own.map(|(_, _, score)| score).sum()
    };

    let mut standings = BTreeMap::new();
    for &(player, opponent, score) in &sides {
        let (own, berger, buchholz, wins) = standings
            .entry(player.to_owned())
            .or_insert((0.0, 0.0, 0.0, 0));
        *own += score;
        *berger += score * points(opponent);
        *buchholz += points(opponent);
        *wins += u32::from(score == 1.0);
    }

    standings
}

#[test]
fn standings_are_those_of_a_plain_count() {
    let mut random = Random::new(7);
    for players_in_it in [3, 5, 8, 12, 20] {
        let work = Workplace::new();
        let names: Vec<String> = (0..players_in_it)
            .map(|number| format!("P{number}"))
            .collect();

        // Of an odd number of players, one has no game in a round.
        let mut games = Vec::new();
        for round in 1..=7 {
            let mut free = names.clone();
            while free.len() > 1 {
                let white = free.swap_remove(random.below(free.len()));
                let black = free.swap_remove(random.below(free.len()));
                let result = *random.choose(&["1-0", "0-1", "1/2-1/2"]);
                games.push(format!("{white}-{black} {result} {round}"));
            }
        }

        let texts: Vec<&str> = games.iter().map(String::as_str).collect();
        work.import(pgn("Spring", PLACE, &texts));

        let expected = expected_standings(&games);
        let found = players(&work, "spring", &[1, 3, 9, 10, 5]);
        assert_eq!(found.len(), expected.len());

        for line in found {
            let (name, numbers) = line.split_once(' ').expect("a name");
            let numbers: Vec<f64> = numbers
                .split(' ')
                .map(|number| number.parse().expect("a number"))
                .collect();
            let (points, berger, buchholz, wins) = expected[name];

            assert_eq!(
                numbers,
                [points, berger, buchholz, f64::from(wins)],
                "{name}"
            );
        }
    }
}

#[test]
fn sql_has_the_same_standings() {
    let work = Workplace::new();
    work.import(pgn(
        "Spring",
        PLACE,
        &["Anna-Bert 1-0 1", "Cleo-Anna 1/2-1/2 2", "Bert-Cleo 1-0 3"],
    ));

    let sql = "SELECT rank, player, points, sonneborn_berger FROM event_standing(
        (SELECT id FROM event WHERE name = 'Spring'))";
    let run = work.run(["sql", "games.db", sql, "--format", "csv"]);
    let rows = stdout_of(&run.success());
    assert_eq!(
        rows.lines()
            .skip(1)
            .map(|row| row.replace(".0", ""))
            .collect::<Vec<_>>(),
        ["1,Anna,1.5,1.25", "2,Bert,1,0.5", "3,Cleo,0.5,0.75",]
    );
}
