//! Knock-outs: tournaments of matches whose losers leave.
//!
//! Collections lack games and whole matches of most knock-outs, so that their matches are no complete tree. What tells
//! them from other tournaments is left: hardly a loser of a match plays another, most matches have several games, and
//! many of them are the first of both players, while a gauntlet or a simultaneous display has one player in all.

use std::collections::HashMap;

use super::TournamentGame;
use crate::board::Color;

/// A match of a knock-out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tie {
    pub(super) pair: [usize; 2],
    /// The half points of each.
    pub(super) half_points: [u32; 2],
    /// The stage, 1 for the first matches.
    pub(super) stage: u32,
    /// The place of the winner in the pair: the one who went on, or the one with more points.
    pub(super) winner: Option<usize>,
    /// `true` if both had lost the match before.
    pub(super) is_for_third_place: bool,
    /// Which of the two have a later match.
    goes_on: [bool; 2],
    games: u32,
    /// The round of the first game.
    round: Option<u16>,
}

/// The matches of a knock-out in their order; `None` if the games are not of one.
pub(super) fn ties(players: usize, games: &[TournamentGame]) -> Option<Vec<Tie>> {
    let mut bracket = Bracket::new(players, games);
    if !bracket.is_knock_out() {
        return None;
    }
    bracket.decide();
    bracket.number_stages_by_rounds();
    Some(bracket.ties)
}

const LEAST_PLAYERS: usize = 4;
/// One of so many players has a match that is the first of both, at least.
const MOST_PLAYERS_FOR_A_FIRST_MATCH: usize = 4;
/// One of so many games, at most, is played after a later match of one of its players.
const GAMES_FOR_A_RETURN: usize = 10;
/// One of so many matches, at most, has two players who go on.
const TIES_FOR_BOTH: usize = 20;
/// One of so many matches, at most, has a winner with fewer points: games are missing, or points were no matter.
const TIES_FOR_A_CONTRADICTION: usize = 5;
/// The same of both kinds together, where matches are missing.
const TIES_FOR_A_FAULT: usize = 12;
/// So many winners by points have gone on, at least, where matches are missing.
const LEAST_WINNERS: usize = 4;

/// The matches of all pairs that met.
struct Bracket {
    ties: Vec<Tie>,
    /// The matches of each player, by their places in `ties`.
    of_player: Vec<Vec<usize>>,
    games: usize,
    /// Games of a match after a later match of one of the players.
    returns: usize,
}

/// The end of a knock-out with a match for the third place, by places in the list of matches.
struct LastFour {
    semi_finals: [usize; 2],
    last: usize,
    third_place: usize,
}

/// How many of the matches speak for a knock-out, and against it.
#[derive(Default)]
struct Evidence {
    /// Matches of which one player goes on.
    advances: usize,
    /// Those of them that this player won by points.
    by_points: usize,
    /// Those of them that this player lost by points.
    contradictions: usize,
    /// Matches of which both go on, without those before a match for the third place.
    both: usize,
}

impl Tie {
    fn has(&self, player: usize) -> bool {
        self.pair.contains(&player)
    }

    /// The place in the pair of the one with more points.
    fn winner_by_points(&self) -> Option<usize> {
        let [one, other] = self.half_points;
        (one != other).then_some(usize::from(one < other))
    }

    /// The place in the pair of the only one who goes on.
    fn only_one_left(&self) -> Option<usize> {
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
        for game in games
            .iter()
            .filter(|game| game.players[0] != game.players[1])
        {
            let [white, black] = game.players;
            let pair = [white.min(black), white.max(black)];
            let at = *places
                .entry(pair)
                .or_insert_with(|| bracket.begin(pair, game));
            bracket.add(at, game);
        }
        let of_player = &bracket.of_player;
        for (at, tie) in bracket.ties.iter_mut().enumerate() {
            tie.goes_on = tie.pair.map(|player| of_player[player].last() != Some(&at));
        }
        bracket
    }

    /// Begins a match; gives back its place.
    fn begin(&mut self, pair: [usize; 2], game: &TournamentGame) -> usize {
        let before = pair
            .iter()
            .filter_map(|&player| self.of_player[player].last());
        let stage = 1 + before.map(|&at| self.ties[at].stage).max().unwrap_or(0);
        let at = self.ties.len();
        pair.iter()
            .for_each(|&player| self.of_player[player].push(at));
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

    fn add(&mut self, at: usize, game: &TournamentGame) {
        let tie = &mut self.ties[at];
        tie.games += 1;
        for (side, player) in Color::ALL.into_iter().zip(game.players) {
            let half_points = game.half_points(side).unwrap_or(0);
            tie.half_points[usize::from(player != tie.pair[0])] += half_points;
        }
        let is_last = |player: &usize| self.of_player[*player].last() == Some(&at);
        self.games += 1;
        self.returns += usize::from(!game.players.iter().all(is_last));
    }

    fn is_knock_out(&self) -> bool {
        let ties = self.ties.len();
        let players = self
            .of_player
            .iter()
            .filter(|ties| !ties.is_empty())
            .count();
        let first_matches = self.first_matches();
        if players < LEAST_PLAYERS
            || ties > players
            || first_matches < 2
            || first_matches * MOST_PLAYERS_FOR_A_FIRST_MATCH < players
            || self.returns * GAMES_FOR_A_RETURN > self.games
        {
            return false;
        }
        let last_four = self.last_four();
        let evidence = self.evidence(last_four.as_ref());
        let is_whole = ties - usize::from(last_four.is_some()) == players - 1;
        let several = self.ties.iter().filter(|tie| tie.games > 1).count();
        match (is_whole, 2 * several > ties) {
            (true, true) => evidence.allows_whole(ties),
            (false, true) => evidence.shows_part(ties),
            (true, false) => {
                evidence.shows_single_games()
                    && self.is_even(last_four.as_ref())
                    && self.rounds_are_stages()
            }
            (false, false) => false,
        }
    }

    /// The number of matches that are the first of both players.
    fn first_matches(&self) -> usize {
        let is_first =
            |(at, tie): &(usize, &Tie)| tie.pair.iter().all(|&p| self.of_player[p][0] == *at);
        self.ties.iter().enumerate().filter(is_first).count()
    }

    /// The end, if there are just two matches of which both players went on, to one match each: the winners, as far as
    /// points tell them, to the same.
    fn last_four(&self) -> Option<LastFour> {
        let both = |&at: &usize| self.ties[at].goes_on == [true, true];
        let found: Vec<usize> = (0..self.ties.len()).filter(both).collect();
        let semi_finals = <[usize; 2]>::try_from(found).ok()?;
        let next = |at: usize, player: usize| {
            let (&last, earlier) = self.of_player[player].split_last()?;
            (earlier.last() == Some(&at)).then_some(last)
        };
        let mut after: Vec<usize> = Vec::new();
        let mut finals: Vec<usize> = Vec::new();
        for at in semi_finals {
            let tie = &self.ties[at];
            for player in tie.pair {
                after.push(next(at, player)?);
            }
            finals.extend(
                tie.winner_by_points()
                    .and_then(|place| next(at, tie.pair[place])),
            );
        }
        after.sort_unstable();
        let (earlier, later) = (after[0], after[3]);
        if earlier == later || after != [earlier, earlier, later, later] {
            return None;
        }
        let last = finals.first().copied().unwrap_or(later);
        let third_place = if last == later { earlier } else { later };
        finals.iter().all(|at| *at == last).then_some(LastFour {
            semi_finals,
            last,
            third_place,
        })
    }

    fn evidence(&self, last_four: Option<&LastFour>) -> Evidence {
        let mut evidence = Evidence::default();
        for tie in &self.ties {
            evidence.both += usize::from(tie.goes_on == [true, true]);
            let Some(left) = tie.only_one_left() else {
                continue;
            };
            evidence.advances += 1;
            match tie.winner_by_points() {
                Some(winner) if winner == left => evidence.by_points += 1,
                Some(_) => evidence.contradictions += 1,
                None => {}
            }
        }
        evidence.both -= last_four.map_or(0, |last_four| last_four.semi_finals.len());
        evidence
    }

    /// `true` if players of all matches had equally many before, and semi-finals before a match for the third place
    /// have winners.
    fn is_even(&self, last_four: Option<&LastFour>) -> bool {
        let before =
            |at: usize, player: usize| self.of_player[player].iter().position(|other| *other == at);
        let is_even = |(at, tie): (usize, &Tie)| {
            let [one, other] = tie.pair.map(|player| before(at, player));
            one == other
        };
        let is_decided = |at: &usize| self.ties[*at].winner_by_points().is_some();
        self.ties.iter().enumerate().all(is_even)
            && last_four.is_none_or(|last_four| last_four.semi_finals.iter().all(is_decided))
    }

    /// `true` if the rounds of the matches are their stages, from any number on, or no match has a round.
    fn rounds_are_stages(&self) -> bool {
        let before_first = |tie: &Tie| {
            tie.round
                .map(|round| i64::from(round) - i64::from(tie.stage))
        };
        let first = self.ties.first().and_then(before_first);
        self.ties.iter().all(|tie| before_first(tie) == first)
    }

    /// Decides the matches: who goes on has won, even with fewer points, since games may be missing.
    fn decide(&mut self) {
        if let Some(LastFour {
            semi_finals,
            last,
            third_place,
        }) = self.last_four()
        {
            self.ties[third_place].is_for_third_place = true;
            for at in semi_finals {
                let pair = self.ties[at].pair;
                self.ties[at].winner = pair.iter().position(|&p| self.ties[last].has(p));
            }
        }
        for tie in &mut self.ties {
            tie.winner = tie
                .winner
                .or(tie.only_one_left())
                .or(tie.winner_by_points());
        }
    }

    /// Numbers the stages by rounds, if those of each player's matches ascend: a player of whom a match is missing is
    /// in the right stage then.
    fn number_stages_by_rounds(&mut self) {
        let round = |at: &usize| self.ties[*at].round;
        let ascend = |ties: &Vec<usize>| {
            ties.is_sorted_by(|one, other| round(one) < round(other))
                && ties.iter().all(|at| round(at).is_some())
        };
        if !self.of_player.iter().all(ascend) {
            return;
        }
        let mut rounds: Vec<Option<u16>> = self.ties.iter().map(|tie| tie.round).collect();
        rounds.sort_unstable();
        rounds.dedup();
        for tie in &mut self.ties {
            tie.stage = 1 + rounds.partition_point(|round| *round < tie.round) as u32;
        }
    }
}

impl Evidence {
    /// `true` if a whole tree of matches may be a knock-out.
    fn allows_whole(&self, ties: usize) -> bool {
        self.both * TIES_FOR_BOTH <= ties && self.contradictions * TIES_FOR_A_CONTRADICTION <= ties
    }

    /// `true` if matches, of which others are missing, are of a knock-out.
    fn shows_part(&self, ties: usize) -> bool {
        self.allows_whole(ties)
            && (self.both + self.contradictions) * TIES_FOR_A_FAULT <= ties
            && self.by_points >= LEAST_WINNERS
            && 2 * self.advances >= ties
    }

    /// `true` if matches of one game each are of a knock-out, and not some games of a Swiss.
    fn shows_single_games(&self) -> bool {
        self.both == 0 && self.contradictions == 0 && 2 * self.by_points >= self.advances
    }
}
