//! Spellings joined to names, by all evidence.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::evidence::{DECIDED, Evidence};
use super::findings::{FoundSpelling, JoinedName, ProposedName};
use super::spellings::{PlayerEvidence, Spellings};
use crate::cleaning::names::{
    NameEvidence, NameReason, NameReasons, NameSource, PersonName, Proposal, Spelling,
    TextSpelling, group_events, group_names, group_sites,
};
use crate::storage::NameTable;

/// Spellings that are one name, each with the evidence and the difference.
struct Group {
    /// The best of their forms, unless a name has been given.
    canonical: String,
    members: Vec<(u32, NameSource, NameReasons)>,
}

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
        let Joining {
            spellings,
            evidence,
            ..
        } = self;
        let texts = spellings.texts.iter().zip(&spellings.games).enumerate();
        let all: Vec<Spelling<'_>> = texts
            .map(|(at, (text, games))| Spelling {
                text,
                games: games.games,
                first_year: games.first_year,
                last_year: games.last_year,
                fide_id: known.fide_ids[at],
                listed: evidence.listed.numbers[at],
                decided: evidence.decided.numbers[at],
                applied: evidence.applied.numbers[at],
                is_alone: evidence.alone.contains(&(at as u32)),
            })
            .collect();
        let games = NameEvidence {
            twins: &known.twins,
            met: &known.met,
        };
        let found = group_names(&all, persons, &games);
        let groups = found.groups.into_iter().map(|group| Group {
            canonical: group.canonical,
            members: group
                .members
                .iter()
                .map(|member| (member.spelling, member.source, member.reasons))
                .collect(),
        });
        let joined = self.joined(groups.collect());
        let proposed = self.proposed(&found.proposals, &joined);
        (joined, proposed)
    }

    /// Joins events or sites, by their words and by what has been given.
    pub(super) fn texts(&self) -> Vec<JoinedName> {
        let texts = self.spellings.texts.iter().zip(&self.spellings.games);
        let texts: Vec<TextSpelling<'_>> = texts
            .map(|(text, games)| TextSpelling {
                text,
                games: games.games,
            })
            .collect();
        let found = match self.table {
            NameTable::Event => group_events(&texts),
            NameTable::Player | NameTable::Site => group_sites(&texts),
        };
        let mut group_of: HashMap<u32, usize, RandomState> = HashMap::default();
        for (number, group) in found.iter().enumerate() {
            group_of.extend(group.members.iter().map(|&member| (member, number)));
        }
        // A name that has been given to one of a group is given to those of the group that have no other.
        let mut named: HashMap<(Option<&str>, Option<usize>), Vec<u32>, RandomState> =
            HashMap::default();
        for index in 0..texts.len() as u32 {
            let group = group_of.get(&index).copied();
            let members: &[u32] = group.map_or(&[], |group| &found[group].members);
            let own = self.evidence.name(&[index]);
            let others = members.iter().copied();
            let others: Vec<u32> = others
                .filter(|member| !self.evidence.alone.contains(member))
                .collect();
            let name = own.or_else(|| self.evidence.name(&others));
            let key = if name.is_some() {
                (name, None)
            } else {
                (None, group)
            };
            if key != (None, None) {
                named.entry(key).or_default().push(index);
            }
        }
        let groups = named.into_iter().map(|((_, group), mut members)| {
            members.sort_by_key(|&index| (std::cmp::Reverse(self.games(index)), index));
            let canonical = group.map_or(String::new(), |group| found[group].canonical.clone());
            let member = |index| (index, NameSource::Form, NameReasons::default());
            Group {
                canonical,
                members: members.into_iter().map(member).collect(),
            }
        });
        self.joined(groups.collect())
    }

    /// Groups with their canonical names, each of which belongs to one group alone.
    fn joined(&self, mut groups: Vec<Group>) -> Vec<JoinedName> {
        groups.extend(self.singles(&groups));
        groups.sort_by_key(|group| {
            let games: u64 = group
                .members
                .iter()
                .map(|(index, ..)| self.games(*index))
                .sum();
            (
                std::cmp::Reverse(games),
                group.members.first().map(|(index, ..)| *index),
            )
        });
        let owners: HashMap<&str, u32, RandomState> = self
            .spellings
            .texts
            .iter()
            .map(String::as_str)
            .zip(0..)
            .collect();
        let mut taken: HashSet<String, RandomState> = HashSet::default();
        let mut joined = Vec::with_capacity(groups.len());
        // Names that have been given come first.
        for is_given in [true, false] {
            for group in &groups {
                let members: Vec<u32> = group.members.iter().map(|(index, ..)| *index).collect();
                let given = self.evidence.name(&members);
                if given.is_some() != is_given {
                    continue;
                }
                let is_free = |name: &&str| {
                    let is_own = owners.get(name).is_none_or(|owner| members.contains(owner));
                    !name.is_empty() && !taken.contains(*name) && (is_given || is_own)
                };
                let texts = members.iter().map(|&index| self.text(index));
                let mut names = given
                    .into_iter()
                    .chain([group.canonical.as_str()])
                    .chain(texts);
                let Some(name) = names.find(is_free).map(str::to_owned) else {
                    continue;
                };
                taken.insert(name.clone());
                joined.push(self.named(group, name));
            }
        }
        joined.sort_by_key(|joined| std::cmp::Reverse(joined.games()));
        joined.retain(|name| {
            let only = name.spellings.first().filter(|_| name.spellings.len() == 1);
            only.is_none_or(|only| only.text != name.name || only.source == DECIDED)
        });
        joined
    }

    /// Spellings that are alone, and have been given a name.
    fn singles(&self, groups: &[Group]) -> Vec<Group> {
        let in_groups: HashSet<u32, RandomState> = groups
            .iter()
            .flat_map(|group| group.members.iter().map(|(index, ..)| *index))
            .collect();
        let is_given = |index: &u32| {
            let name = self.evidence.name(&[*index]);
            let has_row = self.evidence.rows.contains_key(index);
            has_row || name.is_some_and(|name| name != self.text(*index))
        };
        let alone =
            (0..self.spellings.texts.len() as u32).filter(|index| !in_groups.contains(index));
        let single = |index| Group {
            canonical: String::new(),
            members: vec![(index, NameSource::Form, NameReasons::default())],
        };
        alone.filter(is_given).map(single).collect()
    }

    fn named(&self, group: &Group, name: String) -> JoinedName {
        let spelling = |(index, source, reasons): &(u32, NameSource, NameReasons)| {
            let (source, why) = self.reason(*index, &name, *source, *reasons);
            FoundSpelling {
                source,
                why,
                ..self.spelling(*index)
            }
        };
        let spellings = group.members.iter().map(spelling).collect();
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
        match self
            .evidence
            .rows
            .get(&index)
            .filter(|row| row.source != DECIDED)
        {
            Some(row)
                if source == NameSource::Applied
                    || self.evidence.applied.name(index) == Some(name) =>
            {
                (row.source.clone(), row.why.clone())
            }
            _ if source == NameSource::Applied => {
                (NameSource::Form.as_str().to_owned(), reasons.to_string())
            }
            _ => (source.as_str().to_owned(), reasons.to_string()),
        }
    }

    fn proposed(&self, proposals: &[Proposal], joined: &[JoinedName]) -> Vec<ProposedName> {
        let mut names: HashMap<&str, &JoinedName, RandomState> = HashMap::default();
        for name in joined {
            names.extend(
                name.spellings
                    .iter()
                    .map(|spelling| (spelling.text.as_str(), name)),
            );
        }
        let group_of = |index: u32| names.get(self.text(index)).copied();
        let games = |index: u32| group_of(index).map_or(self.games(index), JoinedName::games);
        let name = |index: u32| group_of(index).map_or(self.text(index), |group| &group.name);
        let mut seen: HashSet<(&str, &str), RandomState> = HashSet::default();
        let mut proposed: Vec<(u64, ProposedName)> = Vec::new();
        for Proposal {
            a,
            b,
            source,
            reasons,
        } in proposals
        {
            // Of initials, each player whom they may mean is proposed.
            let is_short =
                reasons.has(NameReason::Initials) || reasons.has(NameReason::NoGivenName);
            let letters = |index: u32| {
                if is_short {
                    name(index).chars().count()
                } else {
                    0
                }
            };
            let rank = |index: u32| (letters(index), games(index), std::cmp::Reverse(index));
            let is_more = rank(*a) >= rank(*b);
            let (a, b) = if is_more { (*a, *b) } else { (*b, *a) };
            if name(a) == name(b) || !seen.insert((name(a), name(b))) {
                continue;
            }
            let spelling = FoundSpelling {
                text: name(b).to_owned(),
                games: games(b).try_into().unwrap_or(u32::MAX),
                source: source.as_str().to_owned(),
                why: reasons.to_string(),
                ..self.spelling(b)
            };
            let proposal = ProposedName {
                table: self.table,
                name: name(a).to_owned(),
                spelling,
            };
            proposed.push((games(a), proposal));
        }
        proposed.sort_by(|(a, one), (b, other)| {
            b.cmp(a).then_with(|| {
                (&one.name, &one.spelling.text).cmp(&(&other.name, &other.spelling.text))
            })
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
