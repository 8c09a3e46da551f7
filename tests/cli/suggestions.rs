//! Suggestions for names that occur in no game.

use crate::support::program::{Workplace, stderr_of, stdout_of};

/// The messages of a command that finds nothing, and prints no game.
fn messages_about(work: &Workplace, command: &str, name: &str) -> String {
    // The name may have spaces, so it takes its place after the command is split.
    let mut arguments = Vec::new();
    for part in command.split_whitespace() {
        arguments.push(if part == "NAME" { name } else { part });
    }

    let run = work.run(arguments).success();
    let printed = stdout_of(&run);
    assert!(!printed.contains("1-0"), "{printed}");
    stderr_of(&run)
}

#[test]
fn every_command_suggests() {
    let work = Workplace::with_historical_games();
    let of_player = "player \"Karpow\" not found; did you mean \"Karpov, Anatoly\" (5 games)?\n";
    let of_event = "event \"Wold Champoinship 28th\" not found; did you mean \"World Championship 28th\" (7 games)";

    for (command, name, expected) in [
        ("player games.db NAME", "Karpow", of_player),
        ("player games.db NAME --format jsonl", "Karpow", of_player),
        (
            "player games.db kasparov --against NAME",
            "Karpow",
            of_player,
        ),
        ("search games.db --player NAME", "Karpow", of_player),
        (
            "search games.db --white NAME --black NAME",
            "Karpow",
            of_player,
        ),
        (
            "search games.db --after e4 --black NAME --format csv",
            "Karpow",
            of_player,
        ),
        ("moves games.db --white NAME", "Karpow", of_player),
        ("export games.db --player NAME", "Karpow", of_player),
        (
            "search games.db --event NAME",
            "Wold Champoinship 28th",
            of_event,
        ),
        (
            "search games.db --site NAME",
            "Rejkjavik",
            "site \"Rejkjavik\" not found; did you mean ",
        ),
    ] {
        let said = messages_about(&work, command, name);
        assert!(said.starts_with(expected), "{command}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn names_that_are_there_are_not_spoken_of() {
    let work = Workplace::with_historical_games();
    for arguments in [
        "--player karpov --until 1900",
        "--event world --site reyk",
        "--white 'x'",
    ] {
        let run = work
            .stamma(&format!("search games.db {arguments}"))
            .success();
        let is_unknown = arguments.contains('x');
        assert_eq!(
            stderr_of(&run).contains("not found"),
            is_unknown,
            "{}",
            stderr_of(&run)
        );
    }
}

#[test]
fn tags_and_variants_are_suggested() {
    let work = Workplace::new();
    work.import("[Event \"A\"]\n[TimeControl \"60\"]\n[WhiteTitle \"GM\"]\n[BlackTitle \"IM\"]\n\n1. e4 *\n");

    for (option, name, expected) in [
        (
            "--tag",
            "timecontrol",
            "tag \"timecontrol\" not found; did you mean \"TimeControl\"?\n",
        ),
        (
            "--tag",
            "WhiteTitel=GM",
            "tag \"WhiteTitel\" not found; did you mean \"WhiteTitle\"?\n",
        ),
        ("--tag", "Nope", "tag \"Nope\" not found\n"),
        (
            "--variant",
            "Standrad",
            "variant \"Standrad\" not found; did you mean \"standard\"?\n",
        ),
        ("--variant", "atomic", "variant \"atomic\" not found\n"),
    ] {
        assert_eq!(
            messages_about(&work, &format!("search games.db {option} NAME"), name),
            expected
        );
    }

    let run = work
        .stamma("search games.db --tag TimeControl=90 --variant standard")
        .success();
    assert_eq!(stderr_of(&run), "");
}

#[test]
fn variants_are_looked_for_among_those_that_are_there() {
    let work = Workplace::new();
    let game = |variant: &str| format!("[Event \"A\"]\n[Variant \"{variant}\"]\n\n1. e4 *\n\n");
    work.import(["Atomic", "Gothic Chess", "Three-check"].map(game).concat());

    for (variant, expected) in [
        ("foo", "variant \"foo\" not found\n"),
        ("chess960", "variant \"chess960\" not found\n"),
        ("standard", "variant \"standard\" not found\n"),
        ("crazyhouse", "variant \"crazyhouse\" not found\n"),
        (
            "gothic",
            "variant \"gothic\" not found; did you mean \"Gothic Chess\"?\n",
        ),
        (
            "atomc",
            "variant \"atomc\" not found; did you mean \"atomic\"?\n",
        ),
        ("atomic", ""),
        ("gothicchess,foo", "variant \"foo\" not found\n"),
        ("3check", ""),
        ("other", ""),
    ] {
        let run = work.stamma(&format!(
            "search games.db --variant {variant} --format count"
        ));
        assert_eq!(stderr_of(&run.success()), expected, "{variant}");
    }
}

#[test]
fn nothing_alike_is_said_without_a_suggestion() {
    let work = Workplace::with_historical_games();
    let is_unknown = |name: &str| format!("player \"{name}\" not found\n");

    for name in ["Xyzzyqw", "999"] {
        assert_eq!(
            messages_about(&work, "search games.db --player NAME", name),
            is_unknown(name)
        );
    }
}

#[test]
fn whole_names_are_suggested_for_parts() {
    let work = Workplace::with_historical_games();
    let found = messages_about(&work, "search games.db --exact --player NAME", "karpov");
    let expected = "player \"karpov\" not found; did you mean \"Karpov, Anatoly\" (5 games)";
    assert!(found.starts_with(expected), "{found}");
}

#[test]
fn names_with_more_games_come_first() {
    let work = Workplace::new();
    let game = |white: &str| format!("[White \"{white}\"]\n[Result \"*\"]\n\n1. e4 *\n\n");
    let many = [
        "Petrow, A",
        "Petrov, B",
        "Petrov, B",
        "Petrov, B",
        "Petrof, C",
        "Petrof, C",
    ];
    work.import(many.map(game).concat() + &game("Petrovic, D") + &game("Smyslov"));

    let found = messages_about(&work, "search games.db --player NAME", "Petroff");
    assert_eq!(
        found,
        "player \"Petroff\" not found; did you mean \"Petrof, C\" (2 games), \
         \"Petrov, B\" (3 games) or \"Petrow, A\" (1 game)?\n"
    );

    work.query("DELETE FROM game WHERE white_id = 3 RETURNING id");
    assert!(
        !messages_about(&work, "search games.db --player NAME", "Petroff").contains("Petrof, C")
    );

    let found = messages_about(&work, "search games.db --player NAME", "Petrof, C");
    assert_eq!(found, "player \"Petrof, C\" not found\n");
}

#[test]
fn a_misspelt_name_that_a_game_has_is_spoken_of() {
    let work = Workplace::with_historical_games();
    work.write(
        "odd.pgn",
        "[Event \"A\"]\n[White \"Karpow\"]\n[Black \"Karpov, Igor\"]\n\n1. e4 *\n",
    );
    work.stamma("import games.db odd.pgn").success();

    let run = work
        .stamma("search games.db --player Karpow --format count")
        .success();
    let said = "player \"Karpow\" has 1 game; did you mean \"Karpov, Anatoly\" (5 games)?\n";
    assert_eq!(stdout_of(&run), "1\n");
    assert_eq!(stderr_of(&run), said);

    for sure in [
        "--player Karpow --exact",
        "--player Karpov,Igor",
        "--player Karpov",
    ] {
        let run = work.stamma(&format!("search games.db {sure}")).success();
        assert_eq!(stderr_of(&run), "", "{sure}");
    }
}

#[test]
fn names_that_sound_alike_are_suggested() {
    let work = Workplace::with_historical_games();
    let said = messages_about(&work, "search games.db --player NAME", "Bodwinnik");
    assert!(
        said.contains("did you mean \"Botvinnik, Mikhail\""),
        "{said}"
    );
}
