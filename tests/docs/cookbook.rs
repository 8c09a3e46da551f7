//! Do the questions of the documents have the answers that are shown there, as commands and in SQL?

#![cfg(unix)]

use crate::support::document::{Shown, printed, shown};
use crate::support::program::{Workplace, games, text};

const README: &str = include_str!("../../README.md");
const FROM_OTHERS: &str = include_str!("../../docs/from-other-programs.md");

fn workplace() -> Workplace {
    let work = Workplace::new();
    work.run(["import".as_ref(), "games.db".as_ref(), games().as_os_str()]).success();
    work
}

fn recipes() -> Vec<Shown> {
    let (_, part) = README.split_once("\n## Cookbook\n").expect("a cookbook");
    shown(part.split("\n## ").next().expect("its text"))
}

/// The numbers of the games that a command of a recipe gives, in order.
fn numbers(work: &Workplace, command: &str) -> Vec<String> {
    let number = |line: &str| line.split_once(',').map(|(number, _)| number.to_owned());
    let command = command.trim();
    match command.starts_with("stamma export") {
        true => {
            let lines = printed(work, &format!("{command} --format jsonl"));
            let numbers =
                lines.lines().map(|line| line.strip_prefix("{\"game\":").and_then(number));
            numbers.collect::<Option<_>>().expect("games")
        }
        false => {
            let lines = printed(work, &format!("{command} --format csv"));
            lines.lines().skip(1).filter_map(number).collect()
        }
    }
}

/// The numbers that a query gives, in SQLite alone where it says that this will do.
fn selected(work: &Workplace, sql: &str) -> Vec<String> {
    let answer = if sql.starts_with("-- any SQLite program\n") {
        work.query(sql)
    } else {
        assert!(sql.starts_with("-- stamma sql\n"), "{sql}");
        let csv = text(&work.run(["sql", "--format", "csv", "games.db", "--", sql]).success());
        csv.split_once('\n').expect("a header").1.to_owned()
    };
    answer.lines().map(str::to_owned).collect()
}

fn assert_as_shown(work: &Workplace, question: &Shown) {
    for (command, answer) in question.runs() {
        let found = printed(work, command);
        if let Some(answer) = answer {
            let found = format!("{}\n", found.trim_end());
            assert_eq!(found, answer, "{}", question.heading);
        }
    }
}

#[test]
fn recipes_give_what_is_shown() {
    let work = workplace();
    let recipes = recipes();
    assert_eq!(recipes.len(), 10);
    for recipe in &recipes {
        assert!(recipe.runs().all(|(_, answer)| answer.is_some()), "{}", recipe.heading);
        assert_as_shown(&work, recipe);
    }
}

#[test]
fn sql_gives_the_same_games_as_the_command() {
    let work = workplace();
    let mut queries = 0;
    for recipe in recipes() {
        let Some(sql) = recipe.block("sql") else { continue };
        let command = recipe.block("sh").expect("a command");
        assert_eq!(selected(&work, sql), numbers(&work, command), "{}", recipe.heading);
        queries += 1;
    }
    assert_eq!(queries, 8);
}

#[test]
fn sql_counts_moves_as_the_command_does() {
    let work = workplace();
    let recipes = recipes();
    let is_of_moves = |recipe: &&Shown| recipe.heading == "What the best play";
    let recipe = recipes.iter().find(is_of_moves).expect("a recipe");
    let asked = "moves games.db --format csv --elo 2700.. --after".split(' ');
    let counted = text(&work.run(asked.chain(["1. e4 c5 2. Nf3"])).success());
    let counted = counted.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        [fields[0].to_owned(), fields[2].to_owned()]
    });
    let shown = recipe.block("text").expect("an answer").lines().skip(1).map(|line| {
        let mut words = line.split_whitespace().map(str::to_owned);
        [(); 2].map(|()| words.next().expect("a move and a number"))
    });
    assert!(shown.eq(counted));
}

#[test]
fn questions_of_other_programs_give_what_is_shown() {
    let work = workplace();
    let questions = shown(FROM_OTHERS);
    assert_eq!(questions.len(), 22);
    for question in &questions {
        assert!(question.runs().next().is_some(), "{} is not answered", question.heading);
        assert_as_shown(&work, question);
    }
}
