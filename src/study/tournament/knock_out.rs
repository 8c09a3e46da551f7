//! Knock-outs: the loser of each match leaves the tournament.
//!
//! Collections lack games and whole matches of most knock-outs, so the matches are rarely a complete tree. Other
//! properties distinguish a knock-out from other tournaments: hardly a loser of a match plays another match, most
//! matches have several games, and many matches are the first match of both players. In a gauntlet or a simultaneous
//! display, one player is in all matches, so at most one match is the first match of both players.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::TournamentGame;
use crate::board::Color;

/// A match of a knock-out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tie {
    /// The players, the lower place first.
    pub(super) pair: [usize; 2],
    /// The half points of each player.
    pub(super) half_points: [u32; 2],
    /// The stage, 1 for the first matches.
    pub(super) stage: u32,
    /// The place of the winner in the pair: the player who went on, or the player with more points.
    pub(super) winner: Option<usize>,
    /// `true` if both players had lost the match before.
    pub(super) is_for_third_place: bool,
    /// For each player, whether there is a later match of the player.
    goes_on: [bool; 2],
    games: u32,
    /// The round of the first game.
    round: Option<u16>,
}

/// The matches of a knock-out in their order; `None` if the games do not look like a knock-out.
pub(super) fn find_ties(players: usize, games: &[TournamentGame]) -> Option<Vec<Tie>> {
    let mut bracket = Bracket::new(players, games);
    if !bracket.is_knock_out() {
        return None;
    }
    bracket.decide();
    bracket.number_stages_by_rounds();
    Some(bracket.ties)
}

/// The minimum number of players of a knock-out.
const MIN_PLAYERS: usize = 4;
/// The minimum number of matches that are the first match of both players.
const MIN_FIRST_MATCHES: usize = 2;
/// At least one match is the first match of both players for each group of this many players.
const PLAYERS_FOR_A_FIRST_MATCH: usize = 4;
/// At most one game in this many is played after a later match of one of its players.
const GAMES_FOR_A_RETURN: usize = 10;
/// At most one match in this many has two players who go on.
const TIES_FOR_BOTH: usize = 20;
/// At most one match in this many has a winner with fewer points: games are missing, or points did not decide.
const TIES_FOR_A_CONTRADICTION: usize = 5;
/// If matches are missing, at most one match in this many has two players who go on, or a winner with fewer points.
const TIES_FOR_A_FAULT: usize = 12;
/// If matches are missing, at least this many winners by points have gone on.
const MIN_WINNERS: usize = 4;

/// The matches of all pairs that met.
struct Bracket {
    ties: Vec<Tie>,
    /// The matches of each player, by their places in `ties`.
    of_player: Vec<Vec<usize>>,
    games: usize,
    /// The number of games that are played after a later match of one of their players.
    returns: usize,
}

/// The end of a knock-out with a match for the third place, by places in the list of matches.
struct LastFour {
    semi_finals: [usize; 2],
    final_match: usize,
    third_place: usize,
}

/// Numbers of matches that show a knock-out, or contradict one.
#[derive(Default)]
struct Evidence {
    /// Matches after which one player goes on.
    advances: usize,
    /// Matches after which the winner by points goes on alone.
    by_points: usize,
    /// Matches after which the loser by points goes on alone.
    contradictions: usize,
    /// Matches after which both players go on, without the semi-finals before a match for the third place.
    both: usize,
}

impl Tie {
    fn has_player(&self, player: usize) -> bool {
        self.pair.contains(&player)
    }

    /// The number of rounds by which the round is ahead of the stage; `None` without a round.
    fn rounds_before_stage(&self) -> Option<i64> {
        let round = self.round?;
        Some(i64::from(round) - i64::from(self.stage))
    }

    /// The place in the pair of the player with more points.
    fn winner_by_points(&self) -> Option<usize> {
        let [one, other] = self.half_points;
        match one.cmp(&other) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        }
    }

    /// The place in the pair of the only player who goes on.
    fn only_player_left(&self) -> Option<usize> {
        match self.goes_on {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }
}

impl Bracket {
    fn new(players: usize, games: &[TournamentGame]) -> Bracket {
        let of_player = vec![Vec::new(); players];
        let mut bracket = Bracket {
            ties: Vec::new(),
            of_player,
            games: 0,
            returns: 0,
        };
        let mut places = HashMap::new();
        for game in games {
            // A game that names one player for both sides is no match.
            let pair = game.pair();
            if pair[0] == pair[1] {
                continue;
            }

            let place = *places
                .entry(pair)
                .or_insert_with(|| bracket.begin_match(pair, game));
            bracket.add_game(place, game);
        }

        let of_player = &bracket.of_player;
        for (at, tie) in bracket.ties.iter_mut().enumerate() {
            tie.goes_on = tie.pair.map(|player| of_player[player].last() != Some(&at));
        }
        bracket
    }

    /// Adds a match that begins with a game, and returns the place of the match in `ties`. The game itself is not yet
    /// counted.
    fn begin_match(&mut self, pair: [usize; 2], game: &TournamentGame) -> usize {
        let mut stage = 1;
        for player in pair {
            if let Some(&before) = self.of_player[player].last() {
                stage = stage.max(self.ties[before].stage + 1);
            }
        }

        let at = self.ties.len();
        for player in pair {
            self.of_player[player].push(at);
        }
        self.ties.push(Tie {
            pair,
            half_points: [0, 0],
            stage,
            winner: None,
            is_for_third_place: false,
            goes_on: [false, false],
            games: 0,
            round: game.round.number(),
        });
        at
    }

    /// Adds a game to a match.
    fn add_game(&mut self, at: usize, game: &TournamentGame) {
        let tie = &mut self.ties[at];
        tie.games += 1;
        for (side, player) in Color::ALL.into_iter().zip(game.players) {
            // Colours change from game to game.
            let place = usize::from(player != tie.pair[0]);
            tie.half_points[place] += game.half_points(side).unwrap_or(0);
        }

        self.games += 1;
        let is_last_match = |player: &usize| self.of_player[*player].last() == Some(&at);
        if !game.players.iter().all(is_last_match) {
            self.returns += 1;
        }
    }

    /// `true` if the matches show a knock-out, whole or in part.
    fn is_knock_out(&self) -> bool {
        if !self.has_first_matches() || self.returns * GAMES_FOR_A_RETURN > self.games {
            return false;
        }

        let ties = self.ties.len();
        let last_four = self.last_four();
        let evidence = self.count_evidence(last_four.as_ref());

        // A tree of matches has a loser for each match, and all players but one lose. The match for the third place
        // comes on top.
        let tree_ties = ties - usize::from(last_four.is_some());
        let is_whole = tree_ties == self.player_count() - 1;
        let with_several_games = self.ties.iter().filter(|tie| tie.games > 1).count();
        let has_several_games = 2 * with_several_games > ties;

        if has_several_games {
            return if is_whole {
                evidence.allows_whole(ties)
            } else {
                evidence.shows_part(ties)
            };
        }

        // Matches of one game each may also be games of a Swiss, so they must form a complete and even tree.
        is_whole
            && evidence.shows_single_games()
            && self.is_even(last_four.as_ref())
            && self.rounds_are_stages()
    }

    /// `true` if there are enough players and first matches, and not more matches than players.
    fn has_first_matches(&self) -> bool {
        let players = self.player_count();
        if players < MIN_PLAYERS || self.ties.len() > players {
            return false;
        }
        let first_matches = self.count_first_matches();
        first_matches >= MIN_FIRST_MATCHES && first_matches * PLAYERS_FOR_A_FIRST_MATCH >= players
    }

    /// The number of players with a match.
    fn player_count(&self) -> usize {
        let of_players = self.of_player.iter();
        of_players.filter(|ties| !ties.is_empty()).count()
    }

    /// The number of matches that are the first match of both players.
    fn count_first_matches(&self) -> usize {
        let mut count = 0;
        for (at, tie) in self.ties.iter().enumerate() {
            let [one, other] = tie.pair.map(|player| self.of_player[player][0]);
            if one == at && other == at {
                count += 1;
            }
        }
        count
    }

    /// The semi-finals, the final and the match for the third place.
    ///
    /// They are known if there are exactly two matches after which both players went on, and the four players went on
    /// to two matches. The winners of the semi-finals, as far as points decide, went on to the final.
    fn last_four(&self) -> Option<LastFour> {
        let semi_finals = self.semi_finals()?;

        // The last matches of all four players, and of the winners by points.
        let mut last_matches: Vec<usize> = Vec::new();
        let mut of_winners: Vec<usize> = Vec::new();
        for at in semi_finals {
            let tie = &self.ties[at];
            for player in tie.pair {
                last_matches.push(self.last_after(at, player)?);
            }
            if let Some(winner) = tie.winner_by_points() {
                of_winners.extend(self.last_after(at, tie.pair[winner]));
            }
        }

        last_matches.sort_unstable();
        let [earlier, second, third, later] = last_matches[..] else {
            return None;
        };
        if earlier == later || earlier != second || third != later {
            return None;
        }

        // If no semi-final has a winner by points, the final is the later match.
        let final_match = of_winners.first().copied().unwrap_or(later);
        if of_winners.iter().any(|&at| at != final_match) {
            return None;
        }

        let third_place = if final_match == later { earlier } else { later };
        Some(LastFour {
            semi_finals,
            final_match,
            third_place,
        })
    }

    /// The matches after which both players go on, if there are exactly two.
    fn semi_finals(&self) -> Option<[usize; 2]> {
        let mut of_both: Vec<usize> = Vec::new();
        for (at, tie) in self.ties.iter().enumerate() {
            if tie.goes_on == [true, true] {
                of_both.push(at);
            }
        }
        of_both.try_into().ok()
    }

    /// The last match of a player, if it is the next one after the match at `at`.
    fn last_after(&self, at: usize, player: usize) -> Option<usize> {
        match self.of_player[player][..] {
            [.., before, last] if before == at => Some(last),
            _ => None,
        }
    }

    /// Counts the matches that show a knock-out, and the matches that contradict one.
    fn count_evidence(&self, last_four: Option<&LastFour>) -> Evidence {
        let mut evidence = Evidence::default();
        for tie in &self.ties {
            if tie.goes_on == [true, true] {
                evidence.both += 1;
            }
            let Some(left) = tie.only_player_left() else {
                continue;
            };

            evidence.advances += 1;
            match tie.winner_by_points() {
                Some(winner) if winner == left => evidence.by_points += 1,
                Some(_) => evidence.contradictions += 1,
                None => {}
            }
        }

        // Both players of each semi-final go on, so both matches have been counted.
        if let Some(last_four) = last_four {
            evidence.both -= last_four.semi_finals.len();
        }
        evidence
    }

    /// `true` if both players of each match had equally many matches before it, and semi-finals before a match for the
    /// third place have winners by points.
    fn is_even(&self, last_four: Option<&LastFour>) -> bool {
        for (at, tie) in self.ties.iter().enumerate() {
            let [one, other] = tie.pair.map(|player| self.matches_before(at, player));
            if one != other {
                return false;
            }
        }

        let semi_finals: &[usize] = match last_four {
            Some(last_four) => &last_four.semi_finals,
            None => &[],
        };
        semi_finals
            .iter()
            .all(|&at| self.ties[at].winner_by_points().is_some())
    }

    /// The number of matches of a player before a match.
    fn matches_before(&self, at: usize, player: usize) -> Option<usize> {
        self.of_player[player].iter().position(|other| *other == at)
    }

    /// `true` if the rounds of the matches are their stages, counted from any number, or no match has a round. Three
    /// games of a round robin, from rounds far apart, may look like a tree.
    fn rounds_are_stages(&self) -> bool {
        let Some(first) = self.ties.first() else {
            return true;
        };
        let offset = first.rounds_before_stage();
        self.ties
            .iter()
            .all(|tie| tie.rounds_before_stage() == offset)
    }

    /// Decides the matches: a player who goes on has won, even with fewer points, since games may be missing.
    fn decide(&mut self) {
        if let Some(last_four) = self.last_four() {
            self.ties[last_four.third_place].is_for_third_place = true;

            // Both players of a semi-final go on; the winner is in the final.
            for at in last_four.semi_finals {
                let pair = self.ties[at].pair;
                let final_match = &self.ties[last_four.final_match];
                let winner = pair
                    .iter()
                    .position(|&player| final_match.has_player(player));
                self.ties[at].winner = winner;
            }
        }

        for tie in &mut self.ties {
            tie.winner = tie
                .winner
                .or(tie.only_player_left())
                .or(tie.winner_by_points());
        }
    }

    /// Numbers the stages by rounds, if the rounds of each player's matches ascend. Then a match has the right stage
    /// even if earlier matches of its players are missing.
    fn number_stages_by_rounds(&mut self) {
        let all_ascend = self.of_player.iter().all(|ties| self.rounds_ascend(ties));
        if !all_ascend {
            return;
        }

        let mut rounds: Vec<Option<u16>> = self.ties.iter().map(|tie| tie.round).collect();
        rounds.sort_unstable();
        rounds.dedup();
        for tie in &mut self.ties {
            let before = rounds.partition_point(|round| *round < tie.round);
            tie.stage = 1 + before as u32;
        }
    }

    /// `true` if all matches have rounds, each a later round than the match before it.
    fn rounds_ascend(&self, ties: &[usize]) -> bool {
        let mut before = None;
        for &at in ties {
            let round = self.ties[at].round;
            // A missing round is less than any other, so it fails here, too.
            if round <= before {
                return false;
            }
            before = round;
        }
        true
    }
}

impl Evidence {
    /// `true` if a whole tree of matches may be a knock-out.
    fn allows_whole(&self, ties: usize) -> bool {
        let few_go_on_together = self.both * TIES_FOR_BOTH <= ties;
        let few_contradict = self.contradictions * TIES_FOR_A_CONTRADICTION <= ties;
        few_go_on_together && few_contradict
    }

    /// `true` if matches are of a knock-out of which other matches are missing.
    fn shows_part(&self, ties: usize) -> bool {
        if !self.allows_whole(ties) {
            return false;
        }

        let faults = self.both + self.contradictions;
        let has_few_faults = faults * TIES_FOR_A_FAULT <= ties;
        let is_connected = 2 * self.advances >= ties;
        has_few_faults && is_connected && self.by_points >= MIN_WINNERS
    }

    /// `true` if matches of one game each are of a knock-out, and not some games of a Swiss.
    fn shows_single_games(&self) -> bool {
        self.both == 0 && self.contradictions == 0 && 2 * self.by_points >= self.advances
    }
}
