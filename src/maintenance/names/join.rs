//! Which spellings of a table are one name, by all evidence, and how the name is written.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::evidence::{DECIDED, Evidence};
use super::findings::{FoundSpelling, JoinedName, ProposedName};
use super::spellings::{PlayerEvidence, Spellings};
use crate::cleaning::names::{
    NameEvidence, NameReason, NameReasons, NameSource, PersonName, Proposal, Spelling, TextGroup,
    TextSpelling, group_events, group_names, group_sites,
};
use crate::storage::NameTable;

/// Spellings that are one name, each with the evidence and the difference.
struct Group {
    /// The best of their forms, unless a name has been given.
    canonical: String,
    members: Vec<GroupMember>,
}

/// A spelling by its index, with the evidence and the difference.
type GroupMember = (u32, NameSource, NameReasons);

impl Group {
    /// The indexes of the spellings.
    fn indexes(&self) -> impl Iterator<Item = u32> {
        self.members.iter().map(|&(index, ..)| index)
    }
}

/// Spellings by the name that they have been given, or else by the number of their group.
type SpellingsByName<'n> = HashMap<(Option<&'n str>, Option<usize>), Vec<u32>, RandomState>;

/// The spellings of a table.
pub(super) struct Joining<'s> {
    pub(super) table: NameTable,
    pub(super) spellings: &'s Spellings,
    pub(super) evidence: &'s Evidence<'s>,
}

impl Joining<'_> {
    /// Joins players.
    pub(super) fn players(
        &self,
        persons: &[PersonName],
        known: &PlayerEvidence,
    ) -> (Vec<JoinedName>, Vec<ProposedName>) {
        let mut spellings = Vec::with_capacity(self.spellings.texts.len());
        for (at, text) in self.spellings.texts.iter().enumerate() {
            let games = self.spellings.games[at];
            spellings.push(Spelling {
                text,
                games: games.games,
                first_year: games.first_year,
                last_year: games.last_year,
                fide_id: known.fide_ids[at],
                listed: self.evidence.listed.numbers[at],
                decided: self.evidence.decided.numbers[at],
                applied: self.evidence.applied.numbers[at],
                is_alone: self.evidence.alone.contains(&(at as u32)),
            });
        }

        let evidence = NameEvidence {
            twins: &known.twins,
            met: &known.met,
        };
        let grouped = group_names(&spellings, persons, &evidence);

        let mut groups = Vec::with_capacity(grouped.groups.len());
        for group in grouped.groups {
            let members = group.members.iter();
            groups.push(Group {
                canonical: group.canonical,
                members: members
                    .map(|member| (member.spelling, member.source, member.reasons))
                    .collect(),
            });
        }

        let joined = self.joined(groups);
        let proposed = self.proposed(&grouped.proposals, &joined);
        (joined, proposed)
    }

    /// Joins events or sites, by their words and by the names that they have been given.
    pub(super) fn texts(&self) -> Vec<JoinedName> {
        let texts = self.spellings.texts.iter().zip(&self.spellings.games);
        let texts_with_games: Vec<TextSpelling<'_>> = texts
            .map(|(text, games)| TextSpelling {
                text,
                games: games.games,
            })
            .collect();
        let by_words = match self.table {
            NameTable::Event => group_events(&texts_with_games),
            NameTable::Player | NameTable::Site => group_sites(&texts_with_games),
        };

        let mut groups = Vec::new();
        for ((_, group), mut members) in self.by_name(&by_words) {
            members.sort_by_key(|&index| (Reverse(self.games(index)), index));
            let canonical = group.map_or(String::new(), |group| by_words[group].canonical.clone());
            let member = |index| (index, NameSource::Form, NameReasons::default());
            groups.push(Group {
                canonical,
                members: members.into_iter().map(member).collect(),
            });
        }
        self.joined(groups)
    }

    /// Spellings by the name that they have been given, or by the number of their group.
    ///
    /// A name that has been given to a spelling of a group is given to all spellings of the group that have no other name.
    fn by_name(&self, groups: &[TextGroup]) -> SpellingsByName<'_> {
        let mut group_of: HashMap<u32, usize, RandomState> = HashMap::default();
        for (number, group) in groups.iter().enumerate() {
            for &member in &group.members {
                group_of.insert(member, number);
            }
        }

        let mut by_name = SpellingsByName::default();
        for index in 0..self.spellings.texts.len() as u32 {
            let group = group_of.get(&index).copied();
            let name = self.evidence.name(&[index]).or_else(|| {
                let members = group.map_or(&[][..], |group| &groups[group].members);
                let mut others = members.to_vec();
                others.retain(|member| !self.evidence.alone.contains(member));
                self.evidence.name(&others)
            });

            let key = match (name, group) {
                (Some(name), _) => (Some(name), None),
                (None, Some(group)) => (None, Some(group)),
                (None, None) => continue,
            };
            by_name.entry(key).or_default().push(index);
        }
        by_name
    }

    /// Groups with their canonical names. Each name belongs to one group only.
    fn joined(&self, mut groups: Vec<Group>) -> Vec<JoinedName> {
        groups.extend(self.singles(&groups));
        groups.sort_by_key(|group| {
            let games: u64 = group.indexes().map(|index| self.games(index)).sum();
            (Reverse(games), group.indexes().next())
        });

        let texts = self.spellings.texts.iter().map(String::as_str);
        let owners: HashMap<&str, u32, RandomState> = texts.zip(0..).collect();
        let mut taken: HashSet<String, RandomState> = HashSet::default();
        let mut joined = Vec::with_capacity(groups.len());

        // Names that have been given come first.
        for is_given in [true, false] {
            for group in &groups {
                let members: Vec<u32> = group.indexes().collect();
                let given = self.evidence.name(&members);
                if given.is_some() != is_given {
                    continue;
                }

                // A name that is the spelling of another group is taken only if it has been given.
                let is_free = |name: &&str| {
                    let is_own = owners.get(name).is_none_or(|owner| members.contains(owner));
                    !name.is_empty() && !taken.contains(*name) && (is_given || is_own)
                };
                let canonical = std::iter::once(group.canonical.as_str());
                let texts = members.iter().map(|&index| self.text(index));
                let mut names = given.into_iter().chain(canonical).chain(texts);

                if let Some(name) = names.find(is_free).map(str::to_owned) {
                    taken.insert(name.clone());
                    joined.push(self.named(group, name));
                }
            }
        }

        joined.sort_by_key(|joined| Reverse(joined.games()));
        joined.retain(says_something);
        joined
    }

    /// Groups of one spelling each, for spellings outside the groups that have been given a name.
    fn singles(&self, groups: &[Group]) -> Vec<Group> {
        let in_groups: HashSet<u32, RandomState> = groups.iter().flat_map(Group::indexes).collect();

        let mut singles = Vec::new();
        for index in 0..self.spellings.texts.len() as u32 {
            if in_groups.contains(&index) {
                continue;
            }

            let has_row = self.evidence.rows.contains_key(&index);
            let name = self.evidence.name(&[index]);
            if has_row || name.is_some_and(|name| name != self.text(index)) {
                singles.push(Group {
                    canonical: String::new(),
                    members: vec![(index, NameSource::Form, NameReasons::default())],
                });
            }
        }
        singles
    }

    fn named(&self, group: &Group, name: String) -> JoinedName {
        let mut spellings = Vec::with_capacity(group.members.len());
        for &(index, source, reasons) in &group.members {
            let (source, why) = self.reason(index, &name, source, reasons);
            spellings.push(FoundSpelling {
                source,
                why,
                ..self.spelling(index)
            });
        }

        JoinedName {
            table: self.table,
            name,
            spellings,
        }
    }

    /// The evidence for a spelling, the strongest first, and how it differs.
    fn reason(
        &self,
        index: u32,
        name: &str,
        source: NameSource,
        reasons: NameReasons,
    ) -> (String, String) {
        if self.evidence.decided.name(index) == Some(name) {
            return (DECIDED.to_owned(), String::new());
        }
        if self.evidence.listed.name(index) == Some(name) {
            return (NameSource::List.as_str().to_owned(), String::new());
        }

        // An earlier join keeps the reason that it had.
        let is_applied = source == NameSource::Applied;
        let row = self.evidence.rows.get(&index);
        if let Some(row) = row.filter(|row| row.source != DECIDED)
            && (is_applied || self.evidence.applied.name(index) == Some(name))
        {
            return (row.source.clone(), row.why.clone());
        }

        let source = if is_applied { NameSource::Form } else { source };
        (source.as_str().to_owned(), reasons.to_string())
    }

    fn proposed(&self, proposals: &[Proposal], joined: &[JoinedName]) -> Vec<ProposedName> {
        let mut names: HashMap<&str, &JoinedName, RandomState> = HashMap::default();
        for name in joined {
            for spelling in &name.spellings {
                names.insert(&spelling.text, name);
            }
        }
        let group_of = |index: u32| names.get(self.text(index)).copied();
        let games = |index: u32| group_of(index).map_or(self.games(index), JoinedName::games);
        let name = |index: u32| group_of(index).map_or(self.text(index), |group| &group.name);

        let mut seen: HashSet<(&str, &str), RandomState> = HashSet::default();
        let mut proposed: Vec<(u64, ProposedName)> = Vec::new();
        for proposal in proposals {
            // The longer name is the canonical one, so that initials are proposed with each player whom they may mean.
            let reasons = proposal.reasons;
            let is_short =
                reasons.has(NameReason::Initials) || reasons.has(NameReason::NoGivenName);
            let rank = |index: u32| {
                let letters = if is_short {
                    name(index).chars().count()
                } else {
                    0
                };
                (letters, games(index), Reverse(index))
            };
            let (a, b) = if rank(proposal.a) >= rank(proposal.b) {
                (proposal.a, proposal.b)
            } else {
                (proposal.b, proposal.a)
            };
            if name(a) == name(b) || !seen.insert((name(a), name(b))) {
                continue;
            }

            let spelling = FoundSpelling {
                text: name(b).to_owned(),
                games: games(b).try_into().unwrap_or(u32::MAX),
                source: proposal.source.as_str().to_owned(),
                why: reasons.to_string(),
                ..self.spelling(b)
            };
            let proposed_name = ProposedName {
                table: self.table,
                name: name(a).to_owned(),
                spelling,
            };
            proposed.push((games(a), proposed_name));
        }

        proposed.sort_by(|(a, one), (b, other)| {
            let by_games = b.cmp(a);
            let by_name = one.name.cmp(&other.name);
            let by_spelling = one.spelling.text.cmp(&other.spelling.text);
            by_games.then(by_name).then(by_spelling)
        });
        proposed.into_iter().map(|(_, proposal)| proposal).collect()
    }

    fn spelling(&self, index: u32) -> FoundSpelling {
        let known = self.spellings.games[index as usize];
        FoundSpelling {
            text: self.text(index).to_owned(),
            games: known.games,
            first_year: known.first_year,
            last_year: known.last_year,
            ..FoundSpelling::default()
        }
    }

    fn text(&self, index: u32) -> &str {
        &self.spellings.texts[index as usize]
    }

    fn games(&self, index: u32) -> u64 {
        u64::from(self.spellings.games[index as usize].games)
    }
}

/// `false` for a single spelling that is its own name, unless the user has decided so.
fn says_something(name: &JoinedName) -> bool {
    match &name.spellings[..] {
        [only] => only.text != name.name || only.source == DECIDED,
        _ => true,
    }
}
