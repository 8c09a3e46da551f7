//! The pairing system of a tournament, recognized by its games.

use std::collections::BTreeMap;

use super::TournamentGame;
use super::knock_out::{Tie, find_ties};

/// A pairing system of tournaments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Two players.
    Match,
    /// Every player met every other, this number of times.
    RoundRobin(u32),
    /// The loser of each match left.
    KnockOut,
    /// A game per player and round, and fewer rounds than opponents.
    Swiss,
    /// Teams against teams, as the games' tags or the name of the event say.
    Teams,
    /// Another system, or too few games to recognize the system.
    Other,
}

/// The minimum share of pairs that have met in a round robin whose rounds are known to be enough for all pairs.
const MIN_MET_WITH_ROUNDS: f64 = 0.5;
/// The minimum share of pairs that have met in a round robin without known rounds.
const MIN_MET: f64 = 0.75;
/// The share of pairs from which a tournament is a round robin, whatever its rounds.
const NEARLY_ALL_MET: f64 = 0.95;

/// The games of two players against each other.
pub(super) type Meetings<'g> = BTreeMap<[usize; 2], Vec<&'g TournamentGame>>;

/// The games of each pair that met; the lower place comes first.
pub(super) fn meetings(games: &[TournamentGame]) -> Meetings<'_> {
    let mut meetings = Meetings::new();
    for game in games {
        meetings.entry(game.pair()).or_default().push(game);
    }
    meetings
}

impl System {
    /// The system of a tournament by its games, in their order, and the matches of a knock-out. Other systems have no
    /// matches.
    pub(super) fn recognize(players: usize, games: &[TournamentGame]) -> (System, Vec<Tie>) {
        // A knock-out of single games would pass as a Swiss, too.
        match find_ties(players, games) {
            Some(ties) => (System::KnockOut, ties),
            None => (System::without_ties(players, games), Vec::new()),
        }
    }

    /// The system of a tournament that is no knock-out.
    fn without_ties(players: usize, games: &[TournamentGame]) -> System {
        match players {
            0 | 1 => return System::Other,
            2 => return System::Match,
            _ => {}
        }

        let meetings = meetings(games);
        if is_round_robin(players, games, &meetings) {
            return System::RoundRobin(usual_meetings(&meetings));
        }
        if is_swiss(games) {
            return System::Swiss;
        }
        System::Other
    }
}

/// `true` if enough pairs of players have met.
fn is_round_robin(players: usize, games: &[TournamentGame], meetings: &Meetings<'_>) -> bool {
    let pairs = players * (players - 1) / 2;
    let met = meetings.len() as f64 / pairs as f64;
    if met >= NEARLY_ALL_MET {
        return true;
    }

    // A Swiss has fewer rounds than a player has opponents.
    match count_rounds(games) {
        Some(rounds) => rounds + 1 >= players && met >= MIN_MET_WITH_ROUNDS,
        None => met >= MIN_MET,
    }
}

/// The number of different rounds, if all games have one.
fn count_rounds(games: &[TournamentGame]) -> Option<usize> {
    let mut rounds: Vec<u16> = Vec::with_capacity(games.len());
    for game in games {
        rounds.push(game.round.number()?);
    }
    rounds.sort_unstable();
    rounds.dedup();
    Some(rounds.len())
}

/// The most frequent number of games of a pair that met.
fn usual_meetings(meetings: &Meetings<'_>) -> u32 {
    let mut pairs_by_games: BTreeMap<usize, usize> = BTreeMap::new();
    for games in meetings.values() {
        *pairs_by_games.entry(games.len()).or_default() += 1;
    }

    let most_frequent = pairs_by_games
        .into_iter()
        .max_by_key(|&(games, pairs)| (pairs, games));
    match most_frequent {
        Some((games, _)) => games as u32,
        None => 1,
    }
}

/// The minimum share of the players' rounds with a single game in a Swiss.
const MIN_SINGLE_GAMES: f64 = 0.95;

/// `true` if players have one game in a round.
fn is_swiss(games: &[TournamentGame]) -> bool {
    let mut games_in_round: BTreeMap<(u16, usize), usize> = BTreeMap::new();
    for game in games {
        let Some(round) = game.round.number() else {
            return false;
        };
        for player in game.players {
            *games_in_round.entry((round, player)).or_default() += 1;
        }
    }

    let single = games_in_round.values().filter(|&&games| games == 1).count();
    single as f64 >= MIN_SINGLE_GAMES * games_in_round.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cleaning::names::Round;
    use crate::pgn::Termination;
    use crate::query::GameOfDatabase;
    use crate::storage::GameId;

    /// Games like `a-b 1-0 3`: players, result, round.
    fn games(texts: &[&str]) -> (usize, Vec<TournamentGame>) {
        let mut players: Vec<String> = Vec::new();
        let mut place = |name: &str| {
            let known = players.iter().position(|known| known == name);
            known.unwrap_or_else(|| {
                players.push(name.to_owned());
                players.len() - 1
            })
        };

        let mut games = Vec::new();
        for (text, number) in texts.iter().zip(1..) {
            let mut words = text.split(' ');
            let pair = words.next().expect(text);
            let (white, black) = pair.split_once('-').expect(text);
            let result = words.next().and_then(Termination::from_text).expect(text);
            let round = Round::parse(words.next().unwrap_or_default());

            games.push(TournamentGame {
                game: GameOfDatabase {
                    database: 0,
                    game: GameId::new(number),
                },
                players: [place(white), place(black)],
                result,
                round,
                date: None,
                accuracy: Default::default(),
            });
        }
        (players.len(), games)
    }

    macro_rules! systems {
        ($($name:ident: $games:expr => $system:expr;)*) => {$(
            #[test]
            fn $name() {
                let (players, games) = games(&$games);
                let (system, _) = System::recognize(players, &games);
                assert_eq!(system, $system);
            }
        )*};
    }

    systems! {
        two_players: ["a-b 1-0", "b-a draw"] => System::Match;
        three_players: ["a-b 1-0", "b-c draw", "c-a 0-1"] => System::RoundRobin(1);
        twice: ["a-b 1-0", "b-c draw", "c-a 0-1", "b-a 0-1", "c-b draw", "a-c 1-0"]
            => System::RoundRobin(2);
        four_players: ["a-b 1-0 1", "c-d draw 1", "a-c 0-1 2", "b-d draw 2", "a-d 1-0 3", "b-c 1-0 3"]
            => System::RoundRobin(1);
        losers_leave: ["a-b 1-0", "c-d 0-1", "d-c 1/2-1/2", "a-d 0-1"] => System::KnockOut;
        third_place: ["a-b 1-0 1", "c-d 0-1 1", "b-c 1-0 2", "a-d 0-1 2"] => System::KnockOut;
        the_drawn_winner_goes_on: ["a-b draw", "c-d 0-1", "b-d 0-1"] => System::KnockOut;
        a_semi_final_is_missing: [
            "a-b 1-0 1.1", "b-a 0-1 1.2", "c-d 1-0 1.1", "d-c draw 1.2", "e-f 0-1 1.1", "f-e draw 1.2",
            "g-h 0-1 1.1", "h-g 1-0 1.2", "a-c draw 2.1", "c-a 0-1 2.2", "a-f 0-1 3.1", "f-a draw 3.2",
        ] => System::KnockOut;
        a_won_game_is_missing: [
            "a-b 1-0 1.1", "b-a 1-0 2.1", "b-a 0-1 1.2", "c-d 1-0 1.1", "d-c draw 2.1", "e-f 1-0 1.1",
            "g-h 0-1 1.1", "h-g 1-0 1.2", "a-c draw 2.1", "c-a 0-1 2.2", "f-h 1-0 2.1", "h-f draw 2.2",
            "a-f 0-1 3.1", "f-a draw 3.2",
        ] => System::KnockOut;
        a_gauntlet: [
            "a-b 1-0 1", "b-a draw 1", "c-a 0-1 2", "a-c 1-0 2", "a-d 1-0 3", "d-a 0-1 3", "a-e 1-0 4",
        ] => System::Other;
        simultaneous_games: ["a-b 1-0", "a-c 1-0", "a-d 1-0", "a-e 1-0"] => System::Other;
        three_games_of_a_round_robin: ["a-b 1-0 2", "c-d 1-0 5", "a-c 1-0 7"] => System::RoundRobin(1);
        some_games_of_a_swiss: ["a-b 1-0 1", "c-d 1-0 1", "e-f 1-0 1", "a-c 1-0 2", "e-a 0-1 3"]
            => System::Swiss;
        losers_of_matches_stay: [
            "a-b 1-0 1", "b-a 1-0 1", "a-b 1-0 1", "c-d 1-0 1", "d-c draw 1", "b-d 1-0 2", "d-b draw 2",
        ] => System::Other;
        losers_stay: ["a-b 1-0 1", "c-d 0-1 1", "e-f draw 1", "a-d 1-0 2", "b-e draw 2", "c-f 1-0 2"]
            => System::Swiss;
        losers_stay_without_rounds: ["a-b 1-0", "c-d 0-1", "a-d 1-0", "b-e draw"] => System::Other;
        nobody: [] => System::Other;
    }
}
