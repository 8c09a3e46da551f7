//! Spellings of one player, event or site: proposed, applied, found by filters under any spelling, and reverted.

use crate::support::program::{Workplace, json_lines, stderr_of, stdout_of};

const MOVES: &str = "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. Bd3 d5 6. Nf3 c5 7. O-O Nc6 8. a3 Bxc3 \
    9. bxc3 dxc4 10. Bxc4 Qc7 11. Bd3 e5 12. Qc2 Re8 13. Nxe5 Nxe5 14. dxe5 Qxe5 15. f3 Bd7 16. a4 Rac8";

/// A game between two players in a year, with tags before the others.
fn game(more: &str, white: &str, black: &str, year: u16, moves: &str) -> String {
    format!(
        "{more}[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}.03.07\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
    )
}

/// One player under four spellings, opponents under several, two players who met each other, two a lifetime apart, and
/// a rare initial of two players.
fn games_with_spellings() -> Workplace {
    let work = Workplace::new();
    let rome = "[Event \"ch-GER\"]\n[Site \"Rome ITA\"]\n[Round \"(01)\"]\n";
    let roma = "[Event \"GER ch\"]\n[Site \"Rome (Italy)\"]\n[Round \"1.\"]\n";
    let short = "1. e4 e5 2. Nf3 Nc6";

    work.write(
        "a.pgn",
        game(rome, "Krause, Dietmar", "Wolters, Hannes", 1987, MOVES)
            + &game(roma, "Krause D", "Wolters H", 1987, MOVES)
            + &game("", "GM Krause Dietmar (GER)", "Hannes Wolters", 1989, short)
            + &game("", "KRAUSE, DIETMAR", "Zorn,M", 1990, short),
    );
    work.write(
        "b.pgn",
        game("", "Zorn, Maria", "Zorn, Max", 1999, short)
            + &game("", "Abel, Kurt", "Abel,Kurt", 1999, short)
            + &game("", "Ibsen, Jan", "Quist, Per", 1880, short)
            + &game("", "Ibsen,Jan", "Quist P", 1995, short)
            + &game(
                "[WhiteFideId \"8603006\"]\n",
                "Jonsson, Thor",
                "Ober, Ulf",
                2005,
                short,
            )
            + &game(
                "[WhiteFideId \"8603006\"]\n",
                "Johnson Tor",
                "Ober, Udo",
                2006,
                short,
            )
            + &game(
                "[WhiteFideId \"8603006\"]\n[BlackFideId \"12\"]\n",
                "Jonsson, Thor",
                "Ober, U",
                2006,
                short,
            ),
    );
    work.stamma("import games.db a.pgn b.pgn").success();

    work
}

/// The spellings that have been joined, with their canonical names.
fn applied_names(work: &Workplace) -> String {
    let rows = "SELECT spelling || ' > ' || name || ' (' || source || ')' FROM player_name
        ORDER BY name, spelling";
    work.query(rows)
}

/// The names that are applied to [`games_with_spellings`] without more evidence.
const APPLIED: &str = "Johnson Tor > Jonsson, Thor (FIDE id)
Jonsson, Thor > Jonsson, Thor (form)
GM Krause Dietmar (GER) > Krause, Dietmar (form)
KRAUSE, DIETMAR > Krause, Dietmar (form)
Krause D > Krause, Dietmar (form)
Krause, Dietmar > Krause, Dietmar (form)
Hannes Wolters > Wolters, Hannes (form)
Wolters H > Wolters, Hannes (form)
Wolters, Hannes > Wolters, Hannes (form)";

fn count(work: &Workplace, options: &[&str]) -> u64 {
    let search = ["search", "games.db", "--format", "count"];
    let arguments = [&search[..], options].concat();
    let run = work.run(arguments).success();

    let printed = stdout_of(&run);
    printed.trim().parse().expect("a number")
}

fn digest(work: &Workplace) -> String {
    work.output("check games.db --digest")
}

#[test]
fn what_is_certain_is_applied_and_taken_back() {
    let work = games_with_spellings();
    let before = digest(&work);
    let run = work.stamma("names games.db --apply").success();

    assert!(
        stderr_of(&run)
            .starts_with("player 9 of 21 spellings joined to 3 names, 4 proposals\nevent  2 of 2"),
        "{}",
        stderr_of(&run)
    );
    assert_eq!(applied_names(&work), APPLIED);

    let canonical = "SELECT DISTINCT event_canonical || '; ' || site_canonical FROM games WHERE event IS NOT NULL";
    assert_eq!(work.query(canonical), "ch-GER; Rome ITA");
    assert_eq!(
        work.query("SELECT white_canonical FROM games WHERE id IN (2, 6)"),
        "Krause, Dietmar\nAbel, Kurt"
    );
    assert_eq!(digest(&work), before);
    work.stamma("check games.db --full").success();

    let run = work.stamma("names games.db --undo").success();
    assert_eq!(stderr_of(&run), "13 names are as written again\n");
    assert_eq!(applied_names(&work), "");
    assert_eq!(work.query("SELECT count(*) FROM event_name"), "0");
    assert_eq!(digest(&work), before);
}

#[test]
fn one_kind_alone() {
    let work = games_with_spellings();
    work.stamma("names games.db --apply --kind site").success();
    assert_eq!(applied_names(&work), "");

    work.stamma("names games.db --apply --kind player,event")
        .success();
    work.stamma("names games.db --undo --kind event").success();
    assert_eq!(applied_names(&work), APPLIED);
    assert_eq!(work.query("SELECT count(*) FROM event_name"), "0");
    assert_eq!(work.query("SELECT count(*) FROM site_name"), "2");
}

#[test]
fn applying_again_changes_nothing() {
    let work = games_with_spellings();
    work.stamma("dedupe games.db").success();

    work.stamma("names games.db --apply").success();
    let once = applied_names(&work);
    work.stamma("names games.db --apply").success();
    assert_eq!(applied_names(&work), once);
}

#[test]
fn a_table_joins_whole_groups_and_says_what_it_takes_away() {
    let work = games_with_spellings();
    work.stamma("names games.db --apply").success();

    let before = work.query("SELECT count(*) FROM player_name");
    let before: u64 = before.parse().expect("a count");

    let group = "SELECT count(*) FROM player_name WHERE name = 'Jonsson, Thor'";
    let members = work.query(group);
    work.write("names.tsv", b"player\tM\xfcller, Thor\tJonsson, Thor\n");

    let run = work.stamma("names games.db --apply names.tsv").success();
    let now = "SELECT count(*) FROM player_name WHERE name = 'Müller, Thor'";
    assert_eq!(work.query(now), members);

    // All other spellings are as written again.
    let removed = before - members.parse::<u64>().expect("a count");
    let expected = format!("{removed} spellings that the table lacks");
    assert!(stderr_of(&run).contains(&expected), "{run}");
}

#[test]
fn looking_changes_nothing() {
    let work = games_with_spellings();
    let before = std::fs::read(work.path("games.db")).expect("a file");
    let table = work.output("names games.db");
    assert!(table.contains("Krause D"), "{table}");
    assert!(table.contains("proposed"), "{table}");

    let run = work.stamma("names games.db --apply --dry-run").success();
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("9 of 21 spellings would be joined to 3 names"),
        "{stderr}"
    );
    assert!(std::fs::read(work.path("games.db")).expect("a file") == before);
}

#[test]
fn twins_are_evidence() {
    let work = games_with_spellings();
    work.stamma("dedupe games.db").success();
    work.stamma("names games.db --apply").success();

    let twins = "SELECT spelling || ': ' || why FROM player_name WHERE source = 'twins'";
    assert_eq!(work.query(twins), "Krause D: initials\nWolters H: initials");

    // A list that knows one of two spellings says nothing of why the other is there.
    work.write("players.xml", "<playerslist><player><fideid>5</fideid><name>Wolters Hannes</name></player></playerslist>\n");
    work.stamma("names games.db --apply --names-file players.xml")
        .success();

    let sources =
        "SELECT spelling || ': ' || source FROM player_name WHERE name = 'Wolters Hannes'";
    assert_eq!(
        work.query(sources),
        "Hannes Wolters: list\nWolters H: twins\nWolters, Hannes: list"
    );

    work.stamma("names games.db --undo").success();
    work.stamma("names games.db --apply").success();

    // What has been joined stays joined without the evidence.
    work.stamma("dedupe games.db --undo").success();
    work.stamma("names games.db --apply").success();
    assert_eq!(work.query(twins), "Krause D: initials\nWolters H: initials");
}

#[test]
fn lists_for_programs() {
    let work = games_with_spellings();
    let lines = work.output("names games.db --format jsonl --kind player");
    let records = json_lines(&lines);

    assert_eq!(records.len(), 7, "{lines}");
    assert_eq!(records[0]["name"], "Krause, Dietmar");
    assert_eq!(records[0]["certain"], true);

    let expected = serde_json::json!({
        "spelling": "Krause D", "games": 1, "first_year": 1987, "last_year": 1987,
        "source": "form", "why": ["initials"],
    });
    assert_eq!(records[0]["spellings"][1], expected);

    // Behind the names that are certain.
    let mut proposals = Vec::new();
    for record in &records[3..] {
        let spelling = &record["spellings"][0]["spelling"];
        proposals.push(format!("{} < {spelling}", record["name"]));
    }

    assert_eq!(
        proposals.join("; ").replace('"', ""),
        "Ober, Udo < Ober, U; Ober, Ulf < Ober, U; Zorn, Maria < Zorn,M; Zorn, Max < Zorn,M"
    );

    let few = work.output("names games.db --format jsonl --limit 1");
    assert_eq!(few.lines().count(), 2);
}

#[test]
fn a_table_is_edited_and_applied() {
    let work = games_with_spellings();
    let table = work.output("names games.db --format tsv");

    let edited: String = table
        .lines()
        .filter(|line| !line.starts_with("player\tWolters"))
        .map(|line| line.replace("?player\tZorn, Maria", "player\tZorn, Maria") + "\n")
        .collect();

    work.write("names.tsv", &edited);
    let before = std::fs::read(work.path("games.db")).expect("a file");
    let run = work
        .stamma("names games.db --apply names.tsv --dry-run")
        .success();

    assert_eq!(
        stderr_of(&run),
        "12 spellings would be given 5 canonical names\n"
    );
    assert!(std::fs::read(work.path("games.db")).expect("a file") == before);

    let run = work.stamma("names games.db --apply names.tsv").success();
    assert_eq!(stderr_of(&run), "12 spellings given 5 canonical names\n");

    let zorn = work.query("SELECT spelling FROM player_name WHERE name = 'Zorn, Maria' ORDER BY 1");
    assert_eq!(zorn, "Zorn, Maria\nZorn,M");
    assert_eq!(
        work.query("SELECT count(*) FROM player_name WHERE name LIKE 'Wolters%'"),
        "0"
    );
    assert_eq!(count(&work, &["--player", "maria"]), 2);
    assert_eq!(count(&work, &["--player", "wolters"]), 3);

    // Decisions of a user take precedence over evidence.
    work.stamma("names games.db --apply").success();
    assert_eq!(
        work.query("SELECT source FROM player_name WHERE spelling = 'Zorn,M'"),
        "file"
    );
    assert_eq!(
        work.query("SELECT count(*) FROM player_name WHERE name LIKE 'Wolters%'"),
        "3"
    );
}

#[test]
fn a_name_may_be_kept_apart() {
    let work = games_with_spellings();
    work.write(
        "names.tsv",
        "player\tKrause D\tKrause D\nsite\tRome (Italy)\tRome (Italy)\n",
    );
    work.stamma("names games.db --apply names.tsv").success();
    work.stamma("dedupe games.db").success();
    work.stamma("names games.db --apply").success();

    assert_eq!(
        work.query("SELECT name, source FROM player_name WHERE spelling = 'Krause D'"),
        "Krause D|file"
    );
    assert_eq!(count(&work, &["--player", "dietmar"]), 3);
    assert_eq!(
        work.query("SELECT count(*) FROM site_name WHERE name = 'Rome ITA'"),
        "0"
    );
}

#[test]
fn tables_that_cannot_be_taken() {
    let work = games_with_spellings();
    work.stamma("names games.db --apply").success();

    for (table, message) in [
        (
            "A\tB\nC\tB\n",
            "stamma: the table of names cannot be taken: `B` has two canonical names, `A` and `C`\n",
        ),
        (
            "A\tB\nB\tA\n",
            "stamma: the table of names cannot be taken: the canonical name of `",
        ),
        (
            "A\tB\nplayer\n",
            "stamma: names.tsv: line 2: expected KIND, CANONICAL and SPELLING with tabs",
        ),
    ] {
        work.write("names.tsv", table);
        let run = work.stamma("names games.db --apply names.tsv").code(2);
        let stderr = stderr_of(&run);
        assert!(stderr.starts_with(message), "{stderr}");
        assert_eq!(applied_names(&work), APPLIED);
    }

    work.write("names.tsv", "nothing");
    let run = work.stamma("names games.db --names-file names.tsv").code(2);
    let stderr = stderr_of(&run);
    assert!(
        stderr.starts_with("stamma: names.tsv: this is no list of names"),
        "{stderr}"
    );

    work.stamma("names games.db --apply names.tsv --kind player")
        .code(2);
    work.stamma("names games.db --dry-run").code(2);
}

#[test]
fn chains_lead_to_their_end_and_spaces_are_no_matter() {
    let work = Workplace::new();
    work.import(game("", " Abel\tK ", "B", 1999, "1. e4") + &game("", "C", "D", 1999, "1. d4"));
    work.write(
        "names.tsv",
        "Abel, Kurt\tAbel K\nAbel, K. F.\tAbel, Kurt\nE\tF\nround\t1\t01\n",
    );

    let run = work.stamma("names games.db --apply names.tsv").success();
    assert_eq!(
        stderr_of(&run),
        "1 spelling given 2 canonical names\n2 spellings are in no game yet\n1 round passed over: rounds have no \
         canonical names of their own\n"
    );

    let name = "SELECT white_canonical FROM games WHERE id = 1";
    assert_eq!(work.query(name), "Abel, K. F.");
    assert_eq!(count(&work, &["--player", "=Abel, K. F."]), 1);

    // A spelling that comes later has its name at once.
    work.write("later.pgn", game("", "F", "G", 2001, "1. c4"));
    work.stamma("import games.db later.pgn").success();
    assert_eq!(count(&work, &["--player", "=E"]), 1);
    assert_eq!(count(&work, &["--white", "e"]), 1);
}

const SPELLINGS: &str = "@PLAYER \"., -_\"\nKrauser, Dietmar F #gm GER [2500] 1950.01.01--\n= Krause, Dietmar\n= Krause D\n\
    %Bio FIDEID 77\n%Elo 1987:2400 1989:2410 1990:2420,2430\nIbsen, Jan Olaf 1860--1920\n= Ibsen, Jan\n= Ibsen,Jan\n\
    @SITE \"., -_()\"\nRoma\n= Rome ITA\n";

#[test]
fn a_list_is_the_strongest_evidence() {
    let work = games_with_spellings();
    work.write("spelling.ssp", SPELLINGS);
    work.stamma("names games.db --apply --names-file spelling.ssp")
        .success();

    let krause = "SELECT spelling || ' ' || source FROM player_name WHERE name = 'Krauser, Dietmar F' ORDER BY 1";
    assert_eq!(
        work.query(krause),
        "GM Krause Dietmar (GER) form\nKRAUSE, DIETMAR form\nKrause D list\nKrause, Dietmar list"
    );

    // The words of a name that no game has.
    assert_eq!(count(&work, &["--player", "krauser"]), 4);
    assert_eq!(count(&work, &["--white", "krauser f"]), 4);

    // Nobody of a lifetime ago, and nobody after death, is joined.
    assert_eq!(
        work.query("SELECT spelling FROM player_name WHERE name LIKE 'Ibsen%'"),
        "Ibsen, Jan"
    );
    assert_eq!(work.query("SELECT DISTINCT name FROM site_name"), "Roma");
}

#[test]
fn lists_of_fide() {
    let work = games_with_spellings();
    let xml = "<playerslist>\n<player>\n<fideid>8603006</fideid>\n<name>Jonsson, Thor H</name>\n</player>\n\
        <player>\n<fideid>5</fideid>\n<name>Wolters, Hannes</name>\n<birthday>1995</birthday>\n</player>\n</playerslist>\n";
    work.write("players.xml", xml);
    work.stamma("names games.db --apply --names-file players.xml")
        .success();

    let jonsson =
        "SELECT spelling || ' ' || source FROM player_name WHERE name = 'Jonsson, Thor H'";
    assert_eq!(work.query(jonsson), "Johnson Tor list\nJonsson, Thor list");

    // The list's Wolters was born after the games.
    let count = work.query("SELECT count(*) FROM player_name WHERE source = 'list'");
    assert_eq!(count, "2");
}

#[test]
fn filters_find_all_spellings() {
    let work = games_with_spellings();
    let dietmar = ["--player", "dietmar"];
    assert_eq!(count(&work, &dietmar), 3);

    work.stamma("names games.db --apply").success();
    for (options, games) in [
        (&dietmar[..], 4),
        (&["--white", "dietmar"], 4),
        (&["--black", "dietmar"], 0),
        (&["--player", "=Krause D"], 4),
        (&["--player", "Krause, Dietmar", "--exact"], 4),
        (&["--player", "dietmar", "--player", "hannes"], 3),
        (&["--event", "=ch-GER"], 2),
        (&["--site", "italy"], 2),
        (&["--player", "dietmar", "--after", "d4"], 2),
        // As written.
        (&["--tag", "White=Krause D"], 1),
        (&["--where", "white = 'Krause D'"], 1),
        (&["--where", "white_canonical = 'Krause, Dietmar'"], 4),
        (&["--player", "nobody"], 0),
        (&["--player", "abel", "--exact"], 0),
    ] {
        assert_eq!(count(&work, options), games, "{options:?}");
    }

    let exported = work.output("export games.db --player hannes");
    assert_eq!(exported.matches("[White ").count(), 3);

    let record = work.output("player games.db hannes --format csv");
    let opponents: Vec<&str> = record
        .lines()
        .filter(|line| line.starts_with("opponent,"))
        .collect();

    assert_eq!(opponents.len(), 1, "{record}");
    assert!(
        opponents[0].starts_with("opponent,\"Krause, Dietmar\",,,,3,"),
        "{record}"
    );

    let spellings = record.lines().filter(|line| line.starts_with("spelling,"));
    assert_eq!(spellings.count(), 3);

    let run = work.stamma("search games.db --player dietmer").success();
    let stderr = stderr_of(&run);
    assert!(
        stderr.contains("did you mean \"Krause, Dietmar\" (4 games)?"),
        "{stderr}"
    );

    work.stamma("names games.db --undo").success();
    assert_eq!(count(&work, &dietmar), 3);
}

#[test]
fn names_survive_what_is_done_to_a_database() {
    let work = games_with_spellings();
    work.stamma("names games.db --apply").success();
    work.stamma("optimize games.db").success();

    assert_eq!(applied_names(&work), APPLIED);

    work.stamma("forget games.db a.pgn").success();
    work.stamma("check games.db --full").success();

    // A search over the remaining games keeps the other names.
    work.stamma("names games.db --apply").success();
    work.stamma("import games.db a.pgn").success();
    assert_eq!(applied_names(&work), APPLIED);
    assert_eq!(count(&work, &["--player", "dietmar"]), 4);

    work.stamma("delete games.db --games 12 --yes").success();

    // Other programs delete games and change a spelling.
    let sql = "DELETE FROM game WHERE id = 13; UPDATE player SET name = 'Krauze, D.' WHERE name = 'KRAUSE, DIETMAR'";
    work.run(["sql", "games.db", "--write", sql]).success();

    work.stamma("check games.db --full").success();
    assert_eq!(
        work.query("SELECT name FROM player_name WHERE spelling = 'Krauze, D.'"),
        "Krause, Dietmar"
    );
    assert_eq!(count(&work, &["--player", "dietmar"]), 2);
    work.stamma("check games.db --full").success();
}

#[test]
fn names_are_merged() {
    let work = games_with_spellings();
    work.stamma("names games.db --apply").success();
    work.write(
        "d.pgn",
        game("", "Krause D", "Wolters, J", 1988, "1. e4")
            + &game("", "Krause, Dietmar F", "X", 1988, "1. e4"),
    );
    work.stamma("import other.db d.pgn").success();
    work.write("names.tsv", "Krause, Dietmar F\tKrause D\nX, Y\tX\n");
    work.stamma("names other.db --apply names.tsv").success();
    work.stamma("merge games.db other.db").success();

    work.stamma("check games.db --full").success();

    let krause = "SELECT count(*) FROM player_name WHERE name = 'Krause, Dietmar'";
    assert_eq!(work.query(krause), "5");
    assert_eq!(count(&work, &["--player", "=Krause D"]), 6);
    assert_eq!(count(&work, &["--player", "x y"]), 1);

    work.stamma("merge new.db games.db").success();
    std::fs::rename(work.path("new.db"), work.path("games.db")).expect("a file");
    assert_eq!(work.query(krause), "5");
    work.stamma("check games.db --full").success();
}

#[test]
fn new_spellings_are_found_by_the_next_run() {
    let work = games_with_spellings();
    work.stamma("names games.db --apply").success();

    let later = game("", "Krause,Dietmar", "Krause, Dieter", 1991, "1. e4 e5")
        + &game("", "Zorn, Maria", "Krause, Dietmar", 1992, "1. d4");
    work.write("c.pgn", later);
    work.stamma("import games.db c.pgn").success();

    // The second game has a spelling that is known already.
    assert_eq!(count(&work, &["--player", "=Krause, Dietmar"]), 5);

    // The new spelling, in the first game, is joined by the next run.
    work.stamma("names games.db --apply").success();
    assert_eq!(count(&work, &["--player", "=Krause, Dietmar"]), 6);

    // Players who meet are no longer joined.
    work.write(
        "e.pgn",
        game("", "Johnson Tor", "Jonsson, Thor", 2007, "1. e4 e5"),
    );
    work.stamma("import games.db e.pgn").success();

    assert_eq!(count(&work, &["--player", "=Jonsson, Thor"]), 4);

    work.stamma("names games.db --apply").success();
    let joined = work.query("SELECT count(*) FROM player_name WHERE name LIKE 'J%'");
    assert_eq!(joined, "0");
    assert_eq!(count(&work, &["--player", "=Jonsson, Thor"]), 3);
}

#[test]
fn a_run_that_fails_has_changed_nothing() {
    let work = games_with_spellings();
    work.stamma("names games.db --apply").success();

    // Unique, so that two sites under one name fail.
    let before = digest(&work);
    let stop = "DELETE FROM site_name; CREATE UNIQUE INDEX stop ON site_name(name)";
    work.run(["sql", "games.db", "--write", stop]).success();
    work.write(
        "names.tsv",
        "A\tKrause D\nsite\tB\tRome ITA\nsite\tC\tRome ITA\n",
    );

    for command in ["names games.db --apply", "names games.db --apply names.tsv"] {
        work.stamma(command).code(2);
        assert_eq!(applied_names(&work), APPLIED, "{command}");
        assert_eq!(digest(&work), before, "{command}");
    }
}

#[test]
fn chains_are_faults() {
    let work = games_with_spellings();
    work.stamma("names games.db --apply").success();

    let sql = "UPDATE player_name SET name = 'Krause D' WHERE spelling = 'KRAUSE, DIETMAR'";
    work.run(["sql", "games.db", "--write", sql]).success();

    let run = work.stamma("check games.db").code(1);
    assert_eq!(
        stderr_of(&run),
        "player_name: 1 of its canonical names are spellings of another name\n"
    );

    work.stamma("names games.db --apply").success();
    work.stamma("check games.db").success();
}

/// The values of a tag in a PGN file, in its order.
fn values(pgn: &str, tag: &str) -> String {
    let begin = format!("[{tag} \"");
    let mut values = Vec::new();
    for line in pgn.lines() {
        if let Some(rest) = line.strip_prefix(&begin) {
            values.extend(rest.strip_suffix("\"]"));
        }
    }
    values.join("; ")
}

#[test]
fn canonical_names_are_exported() {
    let work = games_with_spellings();
    let written = work.output("export games.db");
    work.stamma("names games.db --apply").success();

    // By default, names are written as the files had them.
    assert_eq!(work.output("export games.db"), written);
    assert_eq!(work.output("export games.db --names written"), written);

    let run = work
        .stamma("export games.db --names canonical --games 1-4")
        .success();
    let canonical = stdout_of(&run);
    let four_times = ["Krause, Dietmar"; 4].join("; ");
    assert_eq!(values(&canonical, "White"), four_times);
    assert_eq!(
        values(&canonical, "Black"),
        "Wolters, Hannes; Wolters, Hannes; Wolters, Hannes; Zorn,M"
    );
    assert_eq!(values(&canonical, "Round"), "1; 1; ?; ?");
    assert_eq!(values(&canonical, "Event"), "ch-GER; ch-GER; ?; ?");

    // Each name that is written otherwise is reported.
    let stderr = stderr_of(&run);
    assert!(stderr.contains("9  name-tag"), "{stderr}");

    for format in ["jsonl", "csv"] {
        let games = work.output(&format!(
            "export games.db --names canonical --format {format} --games 2,4"
        ));
        assert_eq!(games.matches("Krause, Dietmar").count(), 2, "{games}");
    }

    // The games themselves are the same, whichever names are written.
    let canonical = work.output("export games.db --names canonical");
    work.write("canonical.pgn", canonical);
    work.write("all.pgn", written);

    for file in ["canonical.pgn", "all.pgn"] {
        work.stamma(&format!("import {file}.db {file}")).success();
    }

    let moves = |file: &str| work.output(&format!("export {file}.db --tags Date"));
    assert_eq!(moves("canonical.pgn"), moves("all.pgn"));
}

#[test]
fn a_list_names_and_fills_what_is_converted() {
    let work = games_with_spellings();
    work.write("spelling.ssp", SPELLINGS);

    let convert = "convert a.pgn -q --names-file spelling.ssp";
    let named = work.output(convert);
    assert_eq!(
        values(&named, "White"),
        "Krauser, Dietmar F; Krauser, Dietmar F; GM Krause Dietmar (GER); KRAUSE, DIETMAR"
    );
    assert_eq!(values(&named, "Site"), "Roma; Rome (Italy); ?; ?");
    assert_eq!(values(&named, "Round"), "1; 1; ?; ?");
    assert_eq!(values(&named, "WhiteElo"), "");

    let filled = work.output(&format!(
        "{convert} --names written --fill-elo --fill-title --fill-fide-id"
    ));
    assert_eq!(
        values(&filled, "White"),
        values(&work.read("a.pgn"), "White")
    );
    assert_eq!(values(&filled, "WhiteElo"), "2400; 2400");
    assert_eq!(values(&filled, "WhiteTitle"), "GM; GM");
    assert_eq!(values(&filled, "WhiteFideId"), "77; 77");

    work.stamma("names games.db --apply --names-file spelling.ssp")
        .success();
    let exported = work.output("export games.db --names-file spelling.ssp --fill-elo --games 1-4");

    // Also the spellings that only the database knows; 1989 has one list, and 1990 has two.
    assert_eq!(values(&exported, "WhiteElo"), "2400; 2400; 2410; 2420");
    assert_eq!(
        values(&exported, "White"),
        values(&work.read("a.pgn"), "White")
    );

    work.write("names.tsv", "A\tB\n");
    let run = work
        .stamma("convert a.pgn --names-file names.tsv --fill-elo")
        .code(2);
    let stderr = stderr_of(&run);
    assert!(
        stderr.starts_with("stamma: names.tsv: this list has no ratings by date"),
        "{stderr}"
    );

    for refused in [
        "convert a.pgn --names canonical",
        "convert a.pgn --fill-elo",
        "export games.db --names-file spelling.ssp",
    ] {
        work.stamma(refused).code(2);
    }
}
