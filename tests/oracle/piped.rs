//! A conversion with filters writes the same bytes as an import and an export with these filters.

use std::path::Path;

use crate::support::corpus;
use crate::support::filter_oracle::ask::filter;
use crate::support::filter_oracle::draw::random_query;
use crate::support::filter_oracle::made_up::real_and_made_up_games;
use crate::support::filter_oracle::read_pgn;
use crate::support::filter_sets::{FILTER_SETS, arguments};
use crate::support::program::Workplace;
use crate::support::random::Random;
use stamma::Query;
use stamma::convert::{ConvertOptions, OutputPart, convert};
use stamma::export::write_pgn;
use stamma::input::Input;
use stamma::notation::Style;
use stamma::storage::{Database, GameReader};

/// Runs every set of filters on a file, and compares the outputs; returns the number of sets with games.
fn compare_sets(work: &Workplace, pgn: &Path) -> usize {
    let output = |command: &[&str], set: &str| {
        let command = command.iter().map(|&argument| argument.to_owned());
        let run = work.run(command.chain(arguments(set)));

        // Games with problems end a run with 1.
        let output = run.get_output();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{set}");

        output.stdout.clone()
    };

    let pgn = pgn.to_str().expect("a path");
    output(&["import", "games.db", pgn], "--quiet");

    let mut with_games = 0;
    for set in FILTER_SETS {
        let exported = output(&["export", "games.db"], set);
        let converted = output(&["convert", pgn], set);

        // The lengths alone, as texts of archives would fill the screen.
        let lengths = (exported.len(), converted.len());
        assert!(exported == converted, "{set}: {lengths:?}");

        with_games += usize::from(!exported.is_empty());
    }

    with_games
}

#[test]
fn sets_of_filters() {
    let work = Workplace::new();
    work.write("in.pgn", real_and_made_up_games());

    let path = work.path("in.pgn");
    let answered = compare_sets(&work, &path);
    assert!(answered > 32, "{answered} sets have an answer");
}

#[test]
fn sets_of_filters_on_an_archive() {
    let Some(path) = corpus::path("archive-100k.pgn") else {
        return;
    };
    assert!(compare_sets(&Workplace::new(), &path) > 32);
}

#[test]
fn random_filters() {
    let work = Workplace::new();
    let text = real_and_made_up_games();
    work.import(&text);

    let known = read_pgn(&text);
    let database = Database::open(work.path("games.db")).expect("a database");
    let mut reader = GameReader::new(&database).expect("a reader");
    let input = [Input::file(work.path("in.pgn"))];
    let mut random = Random::new(11);
    let mut answered = 0;

    for _ in 0..150 {
        let mut query = random_query(&known, &mut random);

        // SQL needs a database.
        query.conditions.retain(|(option, _)| *option != "--where");

        let query = Query::new().filter(filter(&query));
        let mut expected = Vec::new();
        let mut results = database.query(&query).expect("a plan");

        for number in results.numbers().expect("an answer") {
            let number = number.expect("a number");
            let game = reader.game(number).expect("a row").expect("a game");
            write_pgn(&game, &Style::pgn(), &mut expected).expect("moves");
        }

        let options = ConvertOptions {
            query: query.clone(),
            ..ConvertOptions::default()
        };

        // Another text between games is written only if all games are.
        let is_all = query.matches_all();
        let mut written = Vec::new();
        let out = |piece: OutputPart<'_>| {
            written.extend_from_slice(piece.games());
            Ok(())
        };

        convert(&input, &options, out, |_| Ok(()), |_| ()).expect("a conversion");
        assert!(is_all || written == expected, "{query:?}");

        answered += usize::from(!is_all && !written.is_empty());
    }

    assert!(answered > 30, "{answered}");
}
