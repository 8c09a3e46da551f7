//! Joins pairs of twins into groups of copies of one game.

use std::cmp::Reverse;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::alignment::{Alignment, align};
use super::candidates::{Buffers, Keyed, each_pair};
use super::evidence::{Finding, Pair, TwinKind};
use super::facts::{GameDate, GameFacts};
use super::fingerprint::Fingerprint;
use super::keep::{Preference, precedence};
use super::reasons::TwinReasons;
use crate::cleaning::disjoint_sets::DisjointSets;
use crate::cleaning::names::{PersonName, Round, TextKey};
use crate::threads;

/// Copies of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct TwinGroup {
    /// The index of the game that is kept.
    pub keep: u32,
    /// The indexes of all games of the group, in ascending order.
    pub games: Vec<u32>,
    /// The greatest [`TwinKind`] of a pair.
    pub kind: TwinKind,
    /// The probability of the weakest pair that the group needs.
    pub score: f32,
    /// The facts on which all joined pairs agree.
    pub why: TwinReasons,
}

/// Games to be searched for twins.
pub struct TwinSearch<'g> {
    /// The facts about each game.
    pub facts: &'g [GameFacts],
    /// The fingerprint of each game's moves.
    pub prints: &'g [Fingerprint],
    /// The names that `facts` point to.
    pub names: &'g [PersonName],
    /// The events and sites that `facts` point to.
    pub texts: &'g [TextKey],
    /// The rule by which the kept game of a group is chosen.
    pub preference: Preference,
    /// The least probability of a pair.
    pub min_score: f32,
}

/// The fewest half-moves of the shorter game for each edit. Games with more differences are hardly ever twins.
const MIN_PLIES_PER_EDIT: usize = 3;

/// The least probability of a pair by default.
const DEFAULT_SCORE: f32 = 0.6;

impl<'g> TwinSearch<'g> {
    /// A search with the default preference and score.
    pub fn new(
        facts: &'g [GameFacts],
        prints: &'g [Fingerprint],
        names: &'g [PersonName],
        texts: &'g [TextKey],
    ) -> TwinSearch<'g> {
        TwinSearch {
            facts,
            prints,
            names,
            texts,
            preference: Preference::default(),
            min_score: DEFAULT_SCORE,
        }
    }
}

/// The groups of twins, in the order of their first games.
///
/// `moves` writes the [codes](crate::board::Move::code) of a game's mainline into an empty vector; it is called from
/// all threads. With `new`, only groups that hold one of these new games are found.
///
/// # Panics
/// When a game has no fingerprint, or its facts point beyond the names or texts.
pub fn find_twins(
    search: &TwinSearch<'_>,
    new: Option<&[u32]>,
    moves: impl Fn(u32, &mut Vec<u16>) + Sync,
) -> Vec<TwinGroup> {
    join_twins(search, &candidate_pairs(search, new), moves)
}

/// Pairs of games that may be twins, the smaller index first, in ascending order. With `new`, each pair holds one of
/// these games.
///
/// Only the names, half-moves and years in the facts are read.
///
/// # Panics
/// When a game has no fingerprint, or its facts point beyond the names.
pub fn candidate_pairs(search: &TwinSearch<'_>, new: Option<&[u32]>) -> Vec<(u32, u32)> {
    let name_keys: Vec<u32> = search.names.iter().map(PersonName::key).collect();
    let keyed = Keyed {
        facts: search.facts,
        prints: search.prints,
        name_keys: &name_keys,
    };
    threads::install(|| keyed.pairs(new))
}

/// The groups of twins among pairs of games, in the order of their first games. All facts of these games must be known.
///
/// # Panics
/// When a game of a pair has no facts, or its facts point beyond the names or texts.
pub fn join_twins(
    search: &TwinSearch<'_>,
    pairs: &[(u32, u32)],
    moves: impl Fn(u32, &mut Vec<u16>) + Sync,
) -> Vec<TwinGroup> {
    threads::install(|| weigh_and_join(search, pairs, &moves))
}

/// Weighs the evidence for each pair, and joins the pairs of sufficient probability.
fn weigh_and_join(
    search: &TwinSearch<'_>,
    pairs: &[(u32, u32)],
    moves: &(impl Fn(u32, &mut Vec<u16>) + Sync),
) -> Vec<TwinGroup> {
    let mut twins = each_pair(pairs, |buffers, a, b| {
        let finding = search.compare(a, b, buffers, moves)?;
        if finding.score() >= search.min_score {
            Some(TwinPair { a, b, finding })
        } else {
            None
        }
    });

    // The surest pairs first: a join may rule out joins of pairs that are less sure.
    twins.sort_by(|a, b| {
        let by_weight = b.finding.weight.total_cmp(&a.finding.weight);
        by_weight.then((a.a, a.b).cmp(&(b.a, b.b)))
    });
    Joining::new(search, moves).into_groups(&twins)
}

impl TwinSearch<'_> {
    /// Sorts games by preference, the game to be kept first.
    pub fn sort_by_preference(&self, games: &mut [u32]) {
        games.sort_by_cached_key(|&game| {
            Reverse(precedence(self.preference, game, self.facts(game)))
        });
    }

    fn facts(&self, game: u32) -> &GameFacts {
        &self.facts[game as usize]
    }

    /// Compares two games; `None` where their moves have little in common.
    fn compare(
        &self,
        a: u32,
        b: u32,
        buffers: &mut Buffers,
        moves: &(impl Fn(u32, &mut Vec<u16>) + Sync),
    ) -> Option<Finding> {
        let facts = [self.facts(a), self.facts(b)];
        let alignment = self.align(a, b, facts, buffers, moves)?;

        let pair = self.pair(facts, alignment);
        Some(pair.weigh())
    }

    /// `true` if players and rounds show that two games are different games of one event.
    fn are_of_one_event(&self, a: u32, b: u32) -> bool {
        // Moves do not count here.
        let no_alignment = Alignment {
            prefix: 0,
            edits: 0,
            shorter: 0,
            longer: 0,
        };

        let facts = [self.facts(a), self.facts(b)];
        self.pair(facts, no_alignment).are_of_one_event()
    }

    /// The facts that [`are_of_one_event`](TwinSearch::are_of_one_event) compares.
    fn header(&self, game: u32) -> Header {
        let facts = self.facts(game);
        Header {
            players: [facts.white, facts.black],
            event: facts.event,
            site: facts.site,
            date: facts.date,
            round: facts.round,
        }
    }

    /// Two games as a pair, with the likeness of their texts.
    fn pair<'p>(&'p self, facts: [&'p GameFacts; 2], alignment: Alignment) -> Pair<'p> {
        let name = |index: u32| &self.names[index as usize];
        let text = |index: u32| self.texts[index as usize];
        let [a, b] = facts;
        let event = text(a.event).compare(text(b.event));
        let site = text(a.site).compare(text(b.site));
        let address = text(a.site).compare_addresses(text(b.site));

        Pair {
            facts,
            texts: [event, site],
            address,
            white: [name(a.white), name(b.white)],
            black: [name(a.black), name(b.black)],
            alignment,
        }
    }

    /// Aligns the moves of two games; `None` if they start differently or have little in common.
    fn align(
        &self,
        a: u32,
        b: u32,
        facts: [&GameFacts; 2],
        buffers: &mut Buffers,
        moves: &(impl Fn(u32, &mut Vec<u16>) + Sync),
    ) -> Option<Alignment> {
        let [first, second] = facts;
        if first.start != second.start {
            return None;
        }

        // The moves need not be read where their hashes are equal.
        let plies = facts.map(|facts| facts.plies as usize);
        if first.moves_hash == second.moves_hash && plies[0] == plies[1] {
            return Some(Alignment {
                prefix: plies[0],
                edits: 0,
                shorter: plies[0],
                longer: plies[0],
            });
        }

        buffers.a.clear();
        buffers.b.clear();
        moves(a, &mut buffers.a);
        moves(b, &mut buffers.b);

        let max_edits = plies[0].min(plies[1]) / MIN_PLIES_PER_EDIT;
        align(&buffers.a, &buffers.b, max_edits)
    }
}

/// The facts of a game that tell two games of one event apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    players: [u32; 2],
    event: u32,
    site: u32,
    date: GameDate,
    round: Round,
}

/// Two games that are twins by themselves, by their indexes.
#[derive(Clone, Copy)]
struct TwinPair {
    a: u32,
    b: u32,
    finding: Finding,
}

/// Groups that grow together pair by pair.
struct Joining<'s, 'g, M> {
    search: &'s TwinSearch<'g>,
    moves: &'s M,
    /// The games of each group, by the kept game as the root.
    sets: DisjointSets,
    /// By the kept game of a group of several games: a game for each header, at most [`MAX_HEADERS`].
    ///
    /// Thousands of copies of a game have one header. With all copies, each join would compare thousands of games.
    by_header: HashMap<u32, Vec<u32>, RandomState>,
}

/// The most headers of a group that are compared with the headers of another group.
const MAX_HEADERS: usize = 64;

impl<'s, 'g, M: Fn(u32, &mut Vec<u16>) + Sync> Joining<'s, 'g, M> {
    fn new(search: &'s TwinSearch<'g>, moves: &'s M) -> Joining<'s, 'g, M> {
        Joining {
            search,
            moves,
            sets: DisjointSets::new(search.facts.len()),
            by_header: HashMap::default(),
        }
    }

    /// The kept game of a game's group.
    fn root(&mut self, game: u32) -> u32 {
        self.sets.root(game)
    }

    /// Joins pairs, the surest first, and returns the groups.
    fn into_groups(mut self, pairs: &[TwinPair]) -> Vec<TwinGroup> {
        let joined = self.join_pairs(pairs);
        self.groups(&joined)
    }

    /// Joins pairs, and returns the pairs that joined two groups.
    fn join_pairs(&mut self, pairs: &[TwinPair]) -> Vec<TwinPair> {
        let mut buffers = Buffers::default();
        let mut joined = Vec::new();

        for pair in pairs {
            let mine = self.root(pair.a);
            let yours = self.root(pair.b);
            if mine == yours {
                continue;
            }

            let is_vetoed = self.is_vetoed(pair, (mine, yours), &mut buffers);
            if is_vetoed || self.are_of_one_event(mine, yours) {
                continue;
            }

            let (keep, other) = if self.precedence(mine) > self.precedence(yours) {
                (mine, yours)
            } else {
                (yours, mine)
            };

            self.sets.attach(other, keep);
            self.join_headers(keep, other);
            joined.push(*pair);
        }

        joined
    }

    /// Adds the headers of the group of `other` to the headers of the group of `keep`.
    fn join_headers(&mut self, keep: u32, other: u32) {
        let search = self.search;
        let added = self.by_header.remove(&other).unwrap_or_else(|| vec![other]);
        let games = self.by_header.entry(keep).or_insert_with(|| vec![keep]);

        for game in added {
            let header = search.header(game);
            let is_known = games.iter().any(|&known| search.header(known) == header);
            if !is_known && games.len() < MAX_HEADERS {
                games.push(game);
            }
        }
    }

    fn precedence(&self, game: u32) -> impl Ord + use<'s, 'g, M> {
        precedence(self.search.preference, game, self.search.facts(game))
    }

    /// `true` if two groups, given by their roots, hold different games of one event.
    fn are_of_one_event(&self, mine: u32, yours: u32) -> bool {
        for &a in self.headers_of(&mine) {
            for &b in self.headers_of(&yours) {
                if self.search.are_of_one_event(a, b) {
                    return true;
                }
            }
        }

        false
    }

    /// A game for each header of a group, by its root. A game that has not been joined yet is a group of its own.
    fn headers_of<'r>(&'r self, root: &'r u32) -> &'r [u32] {
        match self.by_header.get(root) {
            Some(games) => games,
            None => std::slice::from_ref(root),
        }
    }

    /// `true` if a pair joins two groups whose kept games, `roots`, are not twins themselves. An unfinished copy may be
    /// the beginning of two different games.
    fn is_vetoed(&self, pair: &TwinPair, roots: (u32, u32), buffers: &mut Buffers) -> bool {
        let is_pair_of_roots = (pair.a, pair.b) == roots || (pair.b, pair.a) == roots;
        if is_pair_of_roots {
            return false;
        }

        let finding = self.search.compare(roots.0, roots.1, buffers, self.moves);
        finding.is_none_or(|finding| finding.weight < 0.0)
    }

    /// The groups of the pairs that joined them, in the order of their first games.
    fn groups(mut self, joined: &[TwinPair]) -> Vec<TwinGroup> {
        let mut members: Vec<(u32, u32)> = Vec::with_capacity(2 * joined.len());
        for &TwinPair { a, b, .. } in joined {
            let root = self.root(a);
            members.extend([(root, a), (root, b)]);
        }
        members.sort_unstable();
        members.dedup();

        // Sorted by their kept games, as the members are.
        let runs = members.chunk_by(|a, b| a.0 == b.0);
        let mut groups: Vec<TwinGroup> = runs.map(new_group).collect();

        for pair in joined {
            let root = self.root(pair.a);
            // Each root of a pair has become a group above.
            if let Ok(at) = groups.binary_search_by_key(&root, |group| group.keep) {
                groups[at].add_finding(&pair.finding);
            }
        }

        groups.sort_unstable_by_key(|group| group.games.first().copied());
        groups
    }
}

/// A group of these games, each with the kept game before it, and of no pairs yet.
fn new_group(members: &[(u32, u32)]) -> TwinGroup {
    TwinGroup {
        // A run of `chunk_by` has at least one member.
        keep: members[0].0,
        games: members.iter().map(|(_, game)| *game).collect(),
        kind: TwinKind::Same,
        score: 1.0,
        why: TwinReasons::all(),
    }
}

impl TwinGroup {
    /// Adds the finding of a pair that joined the group.
    fn add_finding(&mut self, finding: &Finding) {
        self.kind = self.kind.max(finding.kind);
        self.score = self.score.min(finding.score());
        self.why = self.why.and(finding.why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPIES: u32 = 500;

    /// The number of games that stand for a group of copies whose headers `write` sets.
    fn headers_of_copies(write: impl Fn(u32, &mut GameFacts)) -> usize {
        let names = [
            PersonName::parse("Smith, John"),
            PersonName::parse("Jones, Bob"),
        ];
        let texts = [TextKey::new("Open")];
        let mut facts = Vec::new();
        for at in 0..COPIES {
            let mut game = GameFacts {
                moves_hash: 7,
                plies: 60,
                black: 1,
                ..GameFacts::default()
            };
            game.date = GameDate::parse("2020.01.01");
            write(at, &mut game);
            facts.push(game);
        }

        let prints = [];
        let search = TwinSearch::new(&facts, &prints, &names, &texts);
        let mut buffers = Buffers::default();
        let no_moves = |_, _: &mut Vec<u16>| {};
        let mut pairs = Vec::new();
        for game in 1..COPIES {
            let finding = search
                .compare(0, game, &mut buffers, &no_moves)
                .expect("equal moves");
            pairs.push(TwinPair {
                a: 0,
                b: game,
                finding,
            });
        }

        let mut joining = Joining::new(&search, &no_moves);
        assert_eq!(joining.join_pairs(&pairs).len(), pairs.len());
        let root = joining.root(0);
        joining.headers_of(&root).len()
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_player_beyond_the_names_is_a_bug() {
        headers_of_copies(|_, game| game.black = 2);
    }

    #[test]
    fn copies_with_one_header_are_compared_as_one_game() {
        let equal = headers_of_copies(|_, _| {});
        assert_eq!(equal, 1);

        // Annotations are no part of the header.
        let annotated = headers_of_copies(|at, game| game.annotations = at);
        assert_eq!(annotated, 1);

        let of_three_days = headers_of_copies(|at, game| game.date.day = (at % 3) as u8);
        assert_eq!(of_three_days, 3);
    }

    #[test]
    fn headers_that_all_differ_are_not_all_compared() {
        assert_eq!(
            headers_of_copies(|at, game| game.date.year = at as u16),
            MAX_HEADERS
        );
    }
}
