//! Openings of games, compared with a plain reading of the table of openings.

use crate::support::corpus;
use crate::support::filter_oracle::{play_sans, read_pgn};
use crate::support::opening_oracle::opening;
use crate::support::program::{Workplace, text_of_games};
use rusqlite::Connection;
use stamma::game::Variant;
use stamma::openings::Openings;
use stamma::replay::replay;

#[test]
fn games_of_history() {
    let work = Workplace::new();
    let text = text_of_games();
    work.import(&text);

    let connection = Connection::open(work.path("games.db")).expect("a database");
    let sql = "SELECT opening_eco, opening FROM games WHERE id = ?1";
    let mut select = connection.prepare(sql).expect("SQL");
    let known = read_pgn(&text);

    for game in &known {
        let found: (Option<String>, Option<String>) = select
            .query_row([game.id], |row| Ok((row.get(0)?, row.get(1)?)))
            .expect("a game");
        let (found_eco, found_name) = (found.0.as_deref(), found.1.as_deref());

        // Openings have names in standard chess alone.
        let expected = opening(&game.positions).filter(|_| game.variant == "standard");
        let (eco, name) = expected.unzip();

        assert_eq!(found_eco, eco, "game {}", game.id);
        assert_eq!(found_name, name, "game {}", game.id);
    }

    let named = |variant: &str| {
        let games = known.iter().filter(|game| game.variant == variant);
        games.filter(|game| game.opening.is_some()).count()
    };
    assert_eq!(known.len(), 111);
    assert_eq!(named("standard"), 105);
    assert_eq!(named("chess960"), 0);
}

#[test]
#[ignore = "needs the corpus"]
fn games_of_an_archive() {
    let Some(games) = corpus::games("archive-10k.pgn") else {
        return;
    };
    let openings = Openings::standard();
    let mut named = 0;

    for text in &games {
        let replay = replay(text);
        let found = openings.of_game(&replay).map(|id| openings.get(id));
        let found_name = found.map(|found| (found.eco, found.name));

        let positions = play_sans(replay.game.start.as_deref(), &replay.game.moves);
        let is_standard = replay.game.variant == Variant::Standard;
        let expected = match positions {
            Some(positions) if is_standard => opening(&positions),
            _ => None,
        };
        assert_eq!(found_name, expected, "{text}");

        named += usize::from(found.is_some());
    }

    assert!(100 * named > 99 * games.len(), "{named} of {}", games.len());
}
