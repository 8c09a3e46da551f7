//! Team events: the teams that games name by the tags WhiteTeam and BlackTeam, and their standings.
//!
//! A match is all games of two teams in one round. A team scores two match points for a match won and one for a match
//! drawn, as at Olympiads; board points are the points of its players.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::TournamentGame;
use crate::board::Color;
use crate::cleaning::names::lesser_first;
use crate::game::tag_value;
use crate::query::GameOfDatabase;
use crate::storage::all_tags;

/// In a team event, at most one game in this many does not name both teams.
const UNNAMED_ONE_IN: usize = 10;

/// The minimum number of games in ten matches of a team event. Each match of a team event has several boards, while two
/// clubs meet at most once in most rounds of an open whose games name the players' clubs.
const MIN_GAMES_IN_TEN_MATCHES: usize = 15;

/// In a team event, at most one game in this many is against another team than the other games of the team in its
/// round.
const ASTRAY_ONE_IN: usize = 4;

/// Words of the names of team events.
const WORDS: [&str; 15] = [
    "olympiad",
    "olympiade",
    "olympiads",
    "team",
    "teams",
    "bundesliga",
    "tch",
    "eutcc",
    "ttch",
    "wteams",
    "nationalliga",
    "interclubs",
    "4ncl",
    "eucup",
    "ecc",
];

/// A team in the standings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TeamStanding {
    /// The place, from 1. Teams with equal match points and board points share a place.
    pub rank: u32,
    /// The name, as the tags have it.
    pub name: String,
    /// Matches won.
    pub won: u32,
    /// Matches drawn.
    pub drawn: u32,
    /// Matches lost.
    pub lost: u32,
    /// The points of the players, in halves.
    pub half_points: u32,
    /// The number of games.
    pub games: u32,
    /// The players, by their places in the standings of players, each with the lowest known board of the player.
    pub players: Vec<(usize, Option<u16>)>,
}

impl TeamStanding {
    /// The match points: two for a match won, one for a match drawn.
    pub fn match_points(&self) -> u32 {
        2 * self.won + self.drawn
    }
}

/// `true` if the name of an event denotes a team event, such as an Olympiad.
pub(super) fn is_team_event(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| WORDS.contains(&word))
}

/// The teams of the games of an event, White's first.
///
/// `None` if the event is no team event: fewer than nine in ten games name both teams, or neither the games nor the
/// name of the event show a team event.
pub(super) fn teams_of(
    connections: &[&Connection],
    event: &str,
    games: &[TournamentGame],
) -> rusqlite::Result<Option<Vec<Option<[String; 2]>>>> {
    let max_unnamed = games.len() / UNNAMED_ONE_IN;
    let mut unnamed = 0;

    let mut teams = Vec::with_capacity(games.len());
    for game in games {
        let named = teams_of_game(connections, game)?;
        if named.is_none() {
            unnamed += 1;
        }
        // Tags are read one game at a time. Most tournaments name no team, so a tenth of their games is enough.
        if unnamed > max_unnamed {
            return Ok(None);
        }
        teams.push(named);
    }

    let has_teams = unnamed < games.len();
    if has_teams && (is_team_event(event) || has_matches(games, &teams)) {
        Ok(Some(teams))
    } else {
        Ok(None)
    }
}

/// `true` if the games are games of matches on several boards between different teams.
fn has_matches(games: &[TournamentGame], teams: &[Option<[String; 2]>]) -> bool {
    let mut named = 0;
    let mut within_clubs = 0;
    let mut matches = BTreeSet::new();

    for (game, teams) in games.iter().zip(teams) {
        let Some([white, black]) = teams else {
            continue;
        };
        named += 1;
        // Members of one club meet in an open only; a single game may have a slip in its tags.
        if white == black {
            within_clubs += 1;
            continue;
        }
        matches.insert((game.round.number(), lesser_first(white, black)));
    }

    let has_boards = named * 10 >= matches.len() * MIN_GAMES_IN_TEN_MATCHES;
    let few_within_clubs = within_clubs * UNNAMED_ONE_IN <= named;
    has_boards && few_within_clubs && meets_one_team_a_round(games, teams)
}

/// `true` if each team meets a single other team in a round, as far as rounds are known. The members of a club in an
/// open are paired with members of several clubs, even if there are few clubs.
fn meets_one_team_a_round(games: &[TournamentGame], teams: &[Option<[String; 2]>]) -> bool {
    // The number of games of a team in a round against each other team.
    let mut met: BTreeMap<(u16, &str), BTreeMap<&str, usize>> = BTreeMap::new();
    for (game, teams) in games.iter().zip(teams) {
        let (Some([white, black]), Some(round)) = (teams, game.round.number()) else {
            continue;
        };
        if white == black {
            continue;
        }

        for (team, opponent) in [(white, black), (black, white)] {
            let opponents = met.entry((round, team)).or_default();
            *opponents.entry(opponent).or_default() += 1;
        }
    }

    let mut all = 0;
    let mut astray = 0;
    for opponents in met.values() {
        let games: usize = opponents.values().sum();
        let of_match = opponents.values().max().copied().unwrap_or(0);
        all += games;
        astray += games - of_match;
    }
    astray * ASTRAY_ONE_IN <= all
}

/// The teams that a game names, White's first; `None` unless it names both.
fn teams_of_game(
    connections: &[&Connection],
    game: &TournamentGame,
) -> rusqlite::Result<Option<[String; 2]>> {
    let GameOfDatabase { database, game } = game.game;
    let tags = all_tags(connections[database], game)?.unwrap_or_default();
    let team = |name| {
        let value = tag_value(&tags, name)?.trim();
        // `?` and `-` stand for no team.
        if !value.contains(char::is_alphanumeric) {
            return None;
        }
        Some(value.to_owned())
    };

    match (team("WhiteTeam"), team("BlackTeam")) {
        (Some(white), Some(black)) => Ok(Some([white, black])),
        _ => Ok(None),
    }
}

/// The standings of teams, the first of the tournament first; `games` and `teams` are in one order.
pub(super) fn standings(
    games: &[TournamentGame],
    teams: &[Option<[String; 2]>],
) -> Vec<TeamStanding> {
    let mut standings: BTreeMap<&str, TeamStanding> = BTreeMap::new();
    // The half points of both teams, in each round and for each pair, the lesser name first.
    let mut matches: BTreeMap<(Option<u16>, &str, &str), [u32; 2]> = BTreeMap::new();

    for (game, teams) in games.iter().zip(teams) {
        let Some([white, black]) = teams else {
            continue;
        };
        // Colours change from board to board, so a pair is in the order of names.
        let round = game.round.number();
        let one = white.min(black).as_str();
        let other = white.max(black).as_str();
        let points = matches.entry((round, one, other)).or_default();

        for (side, team, player) in [
            (Color::White, white, game.players[0]),
            (Color::Black, black, game.players[1]),
        ] {
            let half_points = game.half_points(side).unwrap_or(0);
            let place = usize::from(team != one);
            points[place] += half_points;

            let standing = standings.entry(team).or_default();
            standing.games += 1;
            standing.half_points += half_points;
            add_player(standing, player, game.round.board());
        }
    }

    for ((_, one, other), points) in matches {
        for (team, own, others) in [(one, points[0], points[1]), (other, points[1], points[0])] {
            let standing = standings.entry(team).or_default();
            match own.cmp(&others) {
                Ordering::Greater => standing.won += 1,
                Ordering::Equal => standing.drawn += 1,
                Ordering::Less => standing.lost += 1,
            }
        }
    }
    ranked(standings)
}

/// Adds a player to a team. For a player that the team has, the lower of both boards is kept.
fn add_player(standing: &mut TeamStanding, player: usize, board: Option<u16>) {
    for (known, lowest_board) in &mut standing.players {
        if *known == player {
            *lowest_board = match (*lowest_board, board) {
                (Some(lowest), Some(board)) => Some(lowest.min(board)),
                (lowest, board) => lowest.or(board),
            };
            return;
        }
    }
    standing.players.push((player, board));
}

/// Sorts teams by match points, then by board points. Teams with equal points share a rank.
fn ranked(standings: BTreeMap<&str, TeamStanding>) -> Vec<TeamStanding> {
    let merit = |standing: &TeamStanding| (standing.match_points(), standing.half_points);
    let mut ranked: Vec<TeamStanding> = standings
        .into_iter()
        .map(|(name, standing)| TeamStanding {
            name: name.to_owned(),
            ..standing
        })
        .collect();
    // Teams of equal merit stay in the order of names.
    ranked.sort_by_key(|standing| Reverse(merit(standing)));

    let mut rank = 0;
    let mut merit_before = None;
    for (at, standing) in ranked.iter_mut().enumerate() {
        let own_merit = Some(merit(standing));
        if own_merit != merit_before {
            rank = at as u32 + 1;
        }
        standing.rank = rank;
        merit_before = own_merit;

        // Players without a known board come last.
        standing
            .players
            .sort_by_key(|&(player, board)| (board.unwrap_or(u16::MAX), player));
    }
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cleaning::names::Round;
    use crate::pgn::Termination;
    use crate::storage::GameId;

    fn game(round: &str, players: [usize; 2], result: &str) -> TournamentGame {
        TournamentGame {
            game: GameOfDatabase {
                database: 0,
                game: GameId::new(1),
            },
            players,
            result: Termination::from_text(result).expect("a result"),
            round: Round::parse(round),
            date: None,
            accuracy: Default::default(),
        }
    }

    #[test]
    fn matches_decide_before_boards() {
        let teams = |white: &str, black: &str| Some([white.to_owned(), black.to_owned()]);
        // The players 0 and 1 play for A, 2 and 3 for B, 4 and 5 for C.
        let games = [
            game("1.1", [0, 2], "1-0"),
            game("1.2", [3, 1], "1/2-1/2"),
            game("2.1", [4, 0], "1/2-1/2"),
            game("2.2", [1, 5], "1-0"),
            game("3.1", [2, 4], "1-0"),
            game("3.2", [5, 3], "0-1"),
        ];
        let of = [
            teams("A", "B"),
            teams("B", "A"),
            teams("C", "A"),
            teams("A", "C"),
            teams("B", "C"),
            teams("C", "B"),
        ];

        let found = standings(&games, &of);

        let mut rows = Vec::new();
        for team in &found {
            let name = team.name.as_str();
            let match_points = team.match_points();
            rows.push((team.rank, name, match_points, team.half_points, team.games));
        }
        assert_eq!(
            rows,
            [(1, "A", 4, 6, 4), (2, "B", 2, 5, 4), (3, "C", 0, 1, 4)]
        );
        assert_eq!(found[0].players, [(0, Some(1)), (1, Some(2))]);
    }

    #[test]
    fn the_lowest_known_board_of_a_player_remains() {
        let mut team = TeamStanding::default();
        for (player, board) in [
            (4, None),
            (7, Some(2)),
            (4, Some(3)),
            (7, Some(5)),
            (4, None),
        ] {
            add_player(&mut team, player, board);
        }
        assert_eq!(team.players, [(4, Some(3)), (7, Some(2))]);
    }

    #[test]
    fn an_open_with_clubs_is_no_team_event() {
        let clubs = |white: &str, black: &str| Some([white.to_owned(), black.to_owned()]);
        let open = [
            game("1", [0, 1], "1-0"),
            game("1", [2, 3], "0-1"),
            game("2", [0, 3], "1-0"),
        ];
        let of_open = [clubs("A", "B"), clubs("C", "A"), clubs("A", "D")];
        assert!(!has_matches(&open, &of_open));

        let team_match = [game("1.1", [0, 1], "1-0"), game("1.2", [2, 3], "0-1")];
        let of_match = [clubs("A", "B"), clubs("B", "A")];
        assert!(has_matches(&team_match, &of_match));
        let within_a_club = [clubs("A", "B"), clubs("A", "A")];
        assert!(!has_matches(&team_match, &within_a_club));
    }

    #[test]
    fn an_open_of_few_clubs_is_no_team_event() {
        let clubs = |white: &str, black: &str| Some([white.to_owned(), black.to_owned()]);
        let boards = ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6"];
        let games: Vec<TournamentGame> = (0..6)
            .map(|at| game(boards[at], [2 * at, 2 * at + 1], "1-0"))
            .collect();

        // Two of four clubs meet on two boards each, but each club also meets another one.
        let of_open = [
            clubs("A", "B"),
            clubs("B", "A"),
            clubs("A", "C"),
            clubs("C", "D"),
            clubs("D", "C"),
            clubs("D", "B"),
        ];
        assert!(!has_matches(&games, &of_open));

        let of_matches = [
            clubs("A", "B"),
            clubs("B", "A"),
            clubs("A", "B"),
            clubs("C", "D"),
            clubs("D", "C"),
            clubs("C", "D"),
        ];
        assert!(has_matches(&games, &of_matches));

        // A slip in the name of a team makes it another team in one game.
        let mut with_a_slip = of_matches.clone();
        with_a_slip[2] = clubs("Aa", "B");
        assert!(has_matches(&games, &with_a_slip));
    }

    #[test]
    fn team_events_by_name() {
        assert!(is_team_event("44th Olympiad Open") && is_team_event("TCh-CHN 2018"));
        assert!(!is_team_event("Tata Steel") && !is_team_event("Steamboat"));
    }
}
