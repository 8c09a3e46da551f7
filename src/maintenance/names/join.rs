//! Groups of spellings that are one name, by all evidence, and the selection of the canonical name.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::evidence::{DECIDED, Evidence};
use super::findings::{FoundSpelling, JoinedName, ProposedName};
use super::spellings::{PlayerEvidence, Spellings};
use crate::cleaning::names::{
    Member, NameEvidence, NameGroup, NameReason, NameReasons, NameSource, PersonName, Proposal,
    Spelling, TextGroup, TextSpelling, group_events, group_names, group_sites,
};
use crate::storage::NameTable;

/// A member without evidence but its form.
fn member_by_form(index: u32) -> Member {
    Member {
        spelling: index,
        source: NameSource::Form,
        reasons: NameReasons::default(),
    }
}

/// The indexes of the spellings of a group.
fn indexes_of(group: &NameGroup) -> impl Iterator<Item = u32> {
    group.members.iter().map(|member| member.spelling)
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

        let joined = self.joined_names(grouped.groups);
        let proposed = self.proposed_names(&grouped.proposals, &joined);
        (joined, proposed)
    }

    /// Joins events or sites, by their words and by the names that they have been given.
    pub(super) fn texts(&self) -> Vec<JoinedName> {
        let mut texts: Vec<TextSpelling<'_>> = Vec::with_capacity(self.spellings.texts.len());
        for (text, games) in self.spellings.texts.iter().zip(&self.spellings.games) {
            texts.push(TextSpelling {
                text,
                games: games.games,
            });
        }
        let by_words = match self.table {
            NameTable::Event => group_events(&texts),
            NameTable::Player | NameTable::Site => group_sites(&texts),
        };

        let mut groups = Vec::new();
        for ((_, group), mut indexes) in self.by_name(&by_words) {
            // The most frequent spelling comes first.
            indexes.sort_by_key(|&index| (Reverse(self.games(index)), index));

            let canonical = match group {
                Some(group) => by_words[group].canonical.clone(),
                None => String::new(),
            };
            groups.push(NameGroup {
                canonical,
                members: indexes.into_iter().map(member_by_form).collect(),
            });
        }
        self.joined_names(groups)
    }

    /// Spellings by the name that they have been given, or by the number of their group.
    ///
    /// A name that has been given to a spelling of a group is given to all spellings of the group that have no other
    /// name.
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
            let mut name = self.evidence.name(&[index]);
            if name.is_none()
                && let Some(group) = group
            {
                name = self.name_of_group(&groups[group]);
            }

            let key = match (name, group) {
                (Some(name), _) => (Some(name), None),
                (None, Some(group)) => (None, Some(group)),
                (None, None) => continue,
            };
            by_name.entry(key).or_default().push(index);
        }
        by_name
    }

    /// The name that the spellings of a group have been given, except the spellings that are joined with no other.
    fn name_of_group(&self, group: &TextGroup) -> Option<&str> {
        let mut members = group.members.clone();
        members.retain(|member| !self.evidence.alone.contains(member));
        self.evidence.name(&members)
    }

    /// Groups with their canonical names. Each name belongs to one group only.
    fn joined_names(&self, mut groups: Vec<NameGroup>) -> Vec<JoinedName> {
        groups.extend(self.single_groups(&groups));
        // The group with most games has the first choice of a name.
        groups.sort_by_key(|group| {
            let games: u64 = indexes_of(group).map(|index| self.games(index)).sum();
            (Reverse(games), indexes_of(group).next())
        });

        let texts = self.spellings.texts.iter().map(String::as_str);
        let owners: HashMap<&str, u32, RandomState> = texts.zip(0..).collect();
        let mut used: HashSet<String, RandomState> = HashSet::default();
        let mut joined = Vec::with_capacity(groups.len());

        // Names that have been given come first.
        for is_given in [true, false] {
            for group in &groups {
                let members: Vec<u32> = indexes_of(group).collect();
                let given = self.evidence.name(&members);
                if given.is_some() != is_given {
                    continue;
                }

                // A name that is the spelling of another group is used only if it has been given.
                let is_usable = |name: &&str| {
                    let is_free = !name.is_empty() && !used.contains(*name);
                    let is_own = owners.get(name).is_none_or(|owner| members.contains(owner));
                    is_free && (is_given || is_own)
                };
                let canonical = std::iter::once(group.canonical.as_str());
                let texts = members.iter().map(|&index| self.text(index));
                let mut names = given.into_iter().chain(canonical).chain(texts);

                if let Some(name) = names.find(is_usable).map(str::to_owned) {
                    used.insert(name.clone());
                    joined.push(self.joined_name(group, name));
                }
            }
        }

        joined.sort_by_key(|joined| Reverse(joined.games()));
        joined.retain(is_informative);
        joined
    }

    /// Groups of one spelling each, for spellings outside the groups that have been given a name.
    fn single_groups(&self, groups: &[NameGroup]) -> Vec<NameGroup> {
        let in_groups: HashSet<u32, RandomState> = groups.iter().flat_map(indexes_of).collect();

        let mut singles = Vec::new();
        for index in 0..self.spellings.texts.len() as u32 {
            if in_groups.contains(&index) {
                continue;
            }

            let has_row = self.evidence.rows.contains_key(&index);
            let name = self.evidence.name(&[index]);
            let has_other_name = name.is_some_and(|name| name != self.text(index));
            if has_row || has_other_name {
                singles.push(NameGroup {
                    canonical: String::new(),
                    members: vec![member_by_form(index)],
                });
            }
        }
        singles
    }

    /// The name of a group with all spellings of the group.
    fn joined_name(&self, group: &NameGroup, name: String) -> JoinedName {
        let mut spellings = Vec::with_capacity(group.members.len());
        for member in &group.members {
            let (source, why) = self.source_and_reason(member, &name);
            spellings.push(FoundSpelling {
                source,
                why,
                ..self.spelling(member.spelling)
            });
        }

        JoinedName {
            table: self.table,
            name,
            spellings,
        }
    }

    /// The strongest evidence that a member of a group has a name, and the reason, both as texts. The reason is the
    /// differences from the most frequent spelling, or the stored reason of an earlier join.
    fn source_and_reason(&self, member: &Member, name: &str) -> (String, String) {
        let Member {
            spelling: index,
            source,
            reasons,
        } = *member;
        if self.evidence.decided.name(index) == Some(name) {
            return (DECIDED.to_owned(), String::new());
        }
        if self.evidence.listed.name(index) == Some(name) {
            return (NameSource::List.as_str().to_owned(), String::new());
        }

        // The evidence and the reason of an earlier join are retained.
        let is_applied = source == NameSource::Applied;
        let has_earlier_name = self.evidence.applied.name(index) == Some(name);
        if let Some(row) = self.evidence.rows.get(&index)
            && row.source != DECIDED
            && (is_applied || has_earlier_name)
        {
            return (row.source.clone(), row.why.clone());
        }

        let source = if is_applied { NameSource::Form } else { source };
        (source.as_str().to_owned(), reasons.to_string())
    }

    /// The proposed pairs of names, each pair once. Spellings that have been joined are proposed together.
    fn proposed_names(&self, proposals: &[Proposal], joined: &[JoinedName]) -> Vec<ProposedName> {
        let names = PresentNames::new(self, joined);

        let mut seen: HashSet<(&str, &str), RandomState> = HashSet::default();
        let mut proposed: Vec<(u64, ProposedName)> = Vec::new();
        for proposal in proposals {
            let (canonical, other) = names.canonical_first(proposal);
            let name = names.name(canonical);
            let other_name = names.name(other);
            let is_new = name != other_name && seen.insert((name, other_name));
            if !is_new {
                continue;
            }

            let spelling = FoundSpelling {
                text: other_name.to_owned(),
                games: names.games(other).try_into().unwrap_or(u32::MAX),
                source: proposal.source.as_str().to_owned(),
                why: proposal.reasons.to_string(),
                ..self.spelling(other)
            };
            let proposed_name = ProposedName {
                table: self.table,
                name: name.to_owned(),
                spelling,
            };
            proposed.push((names.games(canonical), proposed_name));
        }

        // Proposals with equal numbers of games are sorted by name, so that every run has one order.
        proposed.sort_by(|(a, one), (b, other)| {
            let by_games = b.cmp(a);
            let by_name = one.name.cmp(&other.name);
            let by_spelling = one.spelling.text.cmp(&other.spelling.text);
            by_games.then(by_name).then(by_spelling)
        });
        proposed.into_iter().map(|(_, proposal)| proposal).collect()
    }

    /// A spelling with its games, without evidence.
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

    /// The text of a spelling.
    fn text(&self, index: u32) -> &str {
        &self.spellings.texts[index as usize]
    }

    /// The number of games of a spelling.
    fn games(&self, index: u32) -> u64 {
        u64::from(self.spellings.games[index as usize].games)
    }
}

/// The canonical names that spellings have after they have been joined.
struct PresentNames<'j> {
    joining: &'j Joining<'j>,
    /// By spelling; spellings that have not been joined are their own names.
    joined: HashMap<&'j str, &'j JoinedName, RandomState>,
}

impl<'j> PresentNames<'j> {
    /// Indexes joined names by their spellings.
    fn new(joining: &'j Joining<'j>, names: &'j [JoinedName]) -> PresentNames<'j> {
        let mut joined: HashMap<&str, &JoinedName, RandomState> = HashMap::default();
        for name in names {
            for spelling in &name.spellings {
                joined.insert(&spelling.text, name);
            }
        }
        PresentNames { joining, joined }
    }

    /// The joined name of a spelling; `None` if it has not been joined.
    fn joined(&self, index: u32) -> Option<&'j JoinedName> {
        self.joined.get(self.joining.text(index)).copied()
    }

    /// The name of a spelling.
    fn name(&self, index: u32) -> &'j str {
        match self.joined(index) {
            Some(joined) => &joined.name,
            None => self.joining.text(index),
        }
    }

    /// The number of games of a spelling's name.
    fn games(&self, index: u32) -> u64 {
        match self.joined(index) {
            Some(joined) => joined.games(),
            None => self.joining.games(index),
        }
    }

    /// The spellings of a proposal. The first is the spelling whose name is proposed as canonical.
    fn canonical_first(&self, proposal: &Proposal) -> (u32, u32) {
        // The longer name is proposed as canonical, so that initials are proposed for each player whom they may mean.
        let reasons = proposal.reasons;
        let is_short = reasons.has(NameReason::Initials) || reasons.has(NameReason::NoGivenName);
        let rank = |index: u32| {
            let letters = if is_short {
                self.name(index).chars().count()
            } else {
                0
            };
            (letters, self.games(index), Reverse(index))
        };

        if rank(proposal.a) >= rank(proposal.b) {
            (proposal.a, proposal.b)
        } else {
            (proposal.b, proposal.a)
        }
    }
}

/// `false` for a name whose only spelling equals the name, unless the user has decided so.
fn is_informative(name: &JoinedName) -> bool {
    match &name.spellings[..] {
        [only] => only.text != name.name || only.source == DECIDED,
        _ => true,
    }
}
