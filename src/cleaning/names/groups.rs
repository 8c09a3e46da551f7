//! Groups spellings that are one player's, by all evidence there is.
//!
//! Spellings that differ only in punctuation, order, titles and countries are one form. Forms are joined by a list of
//! the user's, by FIDE ids, by twins (one game under two spellings) and, where a family name leaves no choice, by their
//! form alone. Two forms that met each other in a game, or whose games lie a lifetime apart, are never joined. Joins
//! that are likely but not sure are proposed.

use std::cmp::Reverse;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::PersonName;
use super::compare::{NameReason, NameReasons, Verdict, compare};
use super::display::canonical_spelling;
use super::separation::{Separation, lesser_first};
use super::spelling::{NameSource, Spelling};
use crate::cleaning::disjoint_sets::DisjointSets;

/// Two spellings, by their indexes, and the number of games that have both.
pub type SpellingPair = (u32, u32, u32);

/// Evidence from games, beside the spellings.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameEvidence<'e> {
    /// Spellings of one player in copies of one game.
    pub twins: &'e [SpellingPair],
    /// Spellings that met each other in a game.
    pub met: &'e [(u32, u32)],
}

/// A spelling in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The index of the spelling.
    pub spelling: u32,
    /// The evidence that joined the spelling to the group.
    pub source: NameSource,
    /// The differences from the most frequent spelling of the group.
    pub reasons: NameReasons,
}

/// Spellings of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameGroup {
    /// The canonical spelling of the name.
    pub canonical: String,
    /// The spellings of the group, the most frequent first.
    pub members: Vec<Member>,
}

/// Two spellings that may be one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The more frequent spelling.
    pub a: u32,
    /// The less frequent spelling.
    pub b: u32,
    /// The evidence for one player.
    pub source: NameSource,
    /// The differences between the spellings.
    pub reasons: NameReasons,
}

/// Groups that are sure, and pairs for the user to decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameGroups {
    /// Groups of two spellings and more.
    pub groups: Vec<NameGroup>,
    /// Pairs that are likely, but not sure, to be one player.
    pub proposals: Vec<Proposal>,
}

/// Joins the spellings of a collection; `names` are their texts taken apart by [`parse_names`](super::parse_names).
///
/// # Panics
/// When there is not one name for each spelling, or the evidence has an index beyond the spellings.
pub fn group_names(
    spellings: &[Spelling<'_>],
    names: &[PersonName],
    evidence: &NameEvidence<'_>,
) -> NameGroups {
    assert_eq!(spellings.len(), names.len(), "each spelling has one name");

    let mut joining = Joining::new(spellings, names, evidence.met);
    joining.join_forms();
    joining.join_equal(NameSource::File, |spelling| spelling.decided);
    joining.join_equal(NameSource::List, |spelling| spelling.listed);
    joining.join_equal(NameSource::FideId, |spelling| spelling.fide_id);
    joining.join_twins(evidence.twins);
    joining.join_by_form();

    // Earlier joins come last: if the choice between forms depended on them, each run would join more.
    joining.join_equal(NameSource::Applied, |spelling| spelling.applied);

    joining.finish()
}

/// The share of a form's twins that must speak for one player.
const CLEAR_SHARE: f32 = 0.9;
/// At least one in this number of games must be a twin if a form may be several players.
const PART_OF_TWINS: u32 = 3;
/// The most forms of a family name that is so rare that an initial identifies a player.
const MAX_RARE_FORMS: usize = 6;
/// The most forms of a family name in which names that sound alike are one player's.
const MAX_FORMS_BY_SOUND: usize = 2 * MAX_RARE_FORMS;
/// The most forms of a group that are compared with another group form by form.
const MAX_COMPARED: usize = 60;
/// The most forms of a family that are compared with a form by their names.
const MAX_COMPARED_OF_FAMILY: usize = 4 * MAX_COMPARED;
/// The fewest twins for which forms with unlike names are proposed.
const MIN_TWINS_OF_UNLIKE: u32 = 3;
/// The most years between the games of two forms that are joined by their names alone.
const MAX_YEARS_APART: u16 = 10;

/// For each form, other forms with the number of games that both forms share.
type Votes = HashMap<u32, Vec<(u32, u32)>, RandomState>;

/// Groups while they grow. An index is the index of a spelling; a root names its group.
struct Joining<'s> {
    spellings: &'s [Spelling<'s>],
    names: &'s [PersonName],
    sets: DisjointSets,
    /// The forms of each group, by its root.
    forms: HashMap<u32, Vec<u32>, RandomState>,
    /// For the first spelling of each form, the evidence that joined the form to another form; `None` if nothing did.
    sources: Vec<Option<NameSource>>,
    separation: Separation,
    proposals: Vec<Proposal>,
}

impl<'s> Joining<'s> {
    fn new(
        spellings: &'s [Spelling<'s>],
        names: &'s [PersonName],
        met: &[(u32, u32)],
    ) -> Joining<'s> {
        let key = |index: u32| names[index as usize].key();
        let is_listed = |index: u32| spellings[index as usize].listed > 0;

        // Without a list, players with different keys are never compared.
        let is_needed = |&(a, b): &(u32, u32)| {
            let are_compared = key(a) == key(b) || (is_listed(a) && is_listed(b));
            a != b && are_compared
        };
        let needed = met.iter().copied().filter(is_needed);
        let separation = Separation::new(spellings, names, needed);

        Joining {
            spellings,
            names,
            sets: DisjointSets::new(spellings.len()),
            forms: HashMap::default(),
            sources: vec![None; spellings.len()],
            separation,
            proposals: Vec::new(),
        }
    }

    /// The root of a spelling's group.
    fn root(&mut self, spelling: u32) -> u32 {
        self.sets.root(spelling)
    }

    fn name(&self, spelling: u32) -> &'s PersonName {
        &self.names[spelling as usize]
    }

    fn spelling(&self, spelling: u32) -> &'s Spelling<'s> {
        &self.spellings[spelling as usize]
    }

    /// Makes one form of spellings that differ only in punctuation, order, titles and countries.
    fn join_forms(&mut self) {
        let mut first_of: HashMap<String, u32, RandomState> = HashMap::default();
        for index in self.sets.indexes() {
            let name = self.name(index);
            if !name.is_person() {
                continue;
            }

            let key = form_key(name);
            match first_of.get(&key) {
                Some(&first) if self.separation.add_to_form(first, index) => {
                    self.sets.attach(index, first);
                }
                Some(_) => {
                    self.forms.insert(index, vec![index]);
                }
                None => {
                    first_of.insert(key, index);
                    self.forms.insert(index, vec![index]);
                }
            }
        }

        self.separation.finish_forms();
    }

    /// Joins spellings with equal numbers, unless the number is 0.
    fn join_equal(&mut self, source: NameSource, number: impl Fn(&Spelling<'_>) -> u32) {
        let mut first_of: HashMap<u32, u32, RandomState> = HashMap::default();
        for (index, spelling) in (0_u32..).zip(self.spellings) {
            let number = number(spelling);
            if number == 0 {
                continue;
            }

            match first_of.get(&number) {
                Some(&first) => {
                    self.join(first, index, source, Verdict::Possible);
                }
                None => {
                    first_of.insert(number, index);
                }
            }
        }
    }

    /// Joins spellings under which copies of one game name a player. Two forms are joined if nearly all twins of each
    /// of them speak for the other.
    fn join_twins(&mut self, twins: &[SpellingPair]) {
        let pairs = self.count_twins(twins);

        // For each form, the forms with which it shares games.
        let mut votes_of = Votes::default();
        for &(a, b, games) in &pairs {
            votes_of.entry(a).or_default().push((b, games));
            votes_of.entry(b).or_default().push((a, games));
        }

        for &(a, b, games) in &pairs {
            let (verdict, reasons) = self.verdict(a, b);
            if verdict == Verdict::Different {
                let are_others =
                    reasons.has(NameReason::OtherGiven) || reasons.has(NameReason::OtherNumber);
                if games >= MIN_TWINS_OF_UNLIKE && !are_others {
                    self.propose(a, b, NameSource::Twins, reasons);
                }
                continue;
            }

            let is_accepted =
                self.speak_for(a, b, games, &votes_of) && self.speak_for(b, a, games, &votes_of);
            let is_joined = is_accepted && self.join(a, b, NameSource::Twins, Verdict::Possible);
            if !is_joined {
                self.propose(a, b, NameSource::Twins, reasons);
            }
        }
    }

    /// `true` if the twins of two forms, `games` of them, are evidence enough that `form` is the player of `other`.
    fn speak_for(&self, form: u32, other: u32, games: u32, votes_of: &Votes) -> bool {
        self.are_votes_clear(form, other, games, votes_of)
            && self.may_be_bare(form, other)
            && self.speak_for_all_games(form, other, games)
    }

    /// Pairs of forms with the number of games that have both, the most frequent pair first.
    fn count_twins(&mut self, twins: &[SpellingPair]) -> Vec<SpellingPair> {
        let mut votes: HashMap<(u32, u32), u32, RandomState> = HashMap::default();
        for &(a, b, games) in twins {
            let mine = self.root(a);
            let yours = self.root(b);

            let are_persons = self.forms.contains_key(&mine) && self.forms.contains_key(&yours);
            if mine != yours && are_persons {
                *votes.entry(lesser_first(mine, yours)).or_default() += games;
            }
        }

        let mut pairs: Vec<SpellingPair> = Vec::with_capacity(votes.len());
        for ((a, b), games) in votes {
            pairs.push((a, b, games));
        }

        // The order of a hash map differs from run to run, so a tie is broken by the indexes.
        pairs.sort_unstable_by_key(|&(a, b, games)| (Reverse(games), a, b));
        pairs
    }

    /// `false` if a form is a family name alone and has games outside the years of another form: other players of the
    /// family may have games under it.
    fn may_be_bare(&self, form: u32, other: u32) -> bool {
        let is_bare = self.name(form).given().next().is_none();
        !is_bare || self.separation.is_within(form, other)
    }

    /// `false` if the twins of a form do not show whose its other games are. That is so if the form has only initials
    /// with a frequent family name, so that namesakes may have games under it, if it has games outside the years of the
    /// other form, which has a full given name, and if few of its games are twins.
    fn speak_for_all_games(&self, form: u32, other: u32, twins: u32) -> bool {
        let has_less_given =
            self.separation.lacks_full_given(form) && !self.separation.lacks_full_given(other);
        let has_namesakes = self.separation.is_frequent(form);
        let has_other_years = !self.separation.is_within(form, other);

        let is_doubtful = has_less_given && has_namesakes && has_other_years;
        let are_many_twins = PART_OF_TWINS * twins >= self.spelling(form).games;
        !is_doubtful || are_many_twins
    }

    /// `true` if nearly all twins of a form speak for `other`, or for forms that may be the player of `other`.
    fn are_votes_clear(&self, form: u32, other: u32, games: u32, votes_of: &Votes) -> bool {
        let mut against = 0;
        // The form is in a pair, and each pair has voted for both of its forms.
        for &(rival, votes) in &votes_of[&form] {
            if rival != other && self.are_rivals(form, other, rival) {
                against += votes;
            }
        }

        games as f32 >= CLEAR_SHARE * (games + against) as f32
    }

    /// `true` if a form may be the player of `b`, and `b` cannot be the player of `a`.
    fn are_rivals(&self, form: u32, a: u32, b: u32) -> bool {
        let may_be = |x: u32, y: u32| self.verdict(x, y).0 > Verdict::Different;
        may_be(form, b) && !may_be(a, b)
    }

    /// The verdict on two spellings by their form, and the differences between them.
    fn verdict(&self, a: u32, b: u32) -> (Verdict, NameReasons) {
        let comparison = compare(self.name(a), self.name(b));
        (comparison.verdict, comparison.reasons)
    }

    /// Joins forms of one family name where the family name leaves no choice.
    fn join_by_form(&mut self) {
        let mut roots: Vec<u32> = self.forms.keys().copied().collect();
        roots.sort_unstable();

        let mut by_name: HashMap<&str, Vec<u32>, RandomState> = HashMap::default();
        for root in roots {
            let family_name = self.name(root).main_sound();
            by_name.entry(family_name).or_default().push(root);
        }

        let mut families: Vec<Vec<u32>> = by_name
            .into_values()
            .filter(|family| family.len() > 1)
            .collect();

        // The order of a hash map differs from run to run.
        families.sort_unstable();
        for family in &families {
            self.join_family(family);
        }
    }

    /// Joins forms of one family name, and proposes pairs that are likely but not sure.
    fn join_family(&mut self, family: &[u32]) {
        let likely = self.join_same(family);

        for &(a, b, reasons) in &likely {
            if self.root(a) == self.root(b) {
                continue;
            }

            let is_joined = self.leaves_no_choice(a, b, family)
                && self.join(a, b, NameSource::Form, Verdict::Likely);
            if is_joined || family.len() > MAX_COMPARED {
                continue;
            }

            let (mine, yours) = (self.root(a), self.root(b));
            if mine != yours && !self.is_vetoed(mine, yours) {
                self.propose(mine, yours, NameSource::Form, reasons);
            }
        }
    }

    /// Joins forms of a family whose names are equal, and returns the pairs that are only likely to be one player.
    fn join_same(&mut self, family: &[u32]) -> Vec<(u32, u32, NameReasons)> {
        // Names of a frequent family that sound alike may be two players: Hofmann and Hoffmann.
        let is_frequent = family.len() > MAX_FORMS_BY_SOUND;
        let mut likely = Vec::new();

        for (at, &a) in family.iter().enumerate() {
            // A limit, as the time grows with the square of the family.
            let others = family.iter().skip(at + 1).take(MAX_COMPARED_OF_FAMILY);
            for &b in others {
                if !self.may_share_initial(a, b) {
                    continue;
                }

                let (verdict, reasons) = self.verdict(a, b);
                let is_by_sound = reasons.has(NameReason::Transliteration);
                match verdict {
                    Verdict::Same if !(is_frequent && is_by_sound) => {
                        self.join(a, b, NameSource::Form, Verdict::Same);
                    }
                    Verdict::Same | Verdict::Likely => likely.push((a, b, reasons)),
                    Verdict::Possible | Verdict::Different => {}
                }
            }
        }

        likely
    }

    /// `true` if two spellings have equal [initials](Joining::initial), or the initial of one spelling is unknown.
    fn may_share_initial(&self, a: u32, b: u32) -> bool {
        let initials = self.initial(a).zip(self.initial(b));
        initials.is_none_or(|(mine, yours)| mine == yours)
    }

    /// The first letter of the given names; `None` without given names, or if the order of the name is unknown. Letters
    /// that may be transliterations of one letter are returned as one.
    fn initial(&self, spelling: u32) -> Option<u8> {
        let name = self.name(spelling);
        if !name.is_order_known() {
            return None;
        }

        let letter = name.given().next()?.bytes().next()?;
        let representative = match letter {
            b'y' | b'j' | b'e' | b'i' => b'i',
            b'h' | b'c' | b't' => b'k',
            b'w' => b'v',
            letter => letter,
        };
        Some(representative)
    }

    /// `true` if two forms of a family must be one player: no third form may be the player of only one of them, their
    /// years are near, and the family name is so rare that other players with these initials are unlikely.
    fn leaves_no_choice(&self, a: u32, b: u32, family: &[u32]) -> bool {
        let (_, reasons) = self.verdict(a, b);
        if reasons.has(NameReason::SimilarFamily) || reasons.has(NameReason::FamilyPart) {
            return false;
        }

        // With full first names, an additional second name does not mean another player.
        let has_second = reasons.has(NameReason::SecondName)
            && !reasons.has(NameReason::Initials)
            && self.has_full_given(a)
            && self.has_full_given(b);
        let is_rare = family.len() <= MAX_RARE_FORMS || has_second;

        let years_apart = self.separation.years_apart(a, b);
        let is_near = years_apart.is_none_or(|years| years <= MAX_YEARS_APART);
        if !is_rare || !is_near {
            return false;
        }

        let is_rival = |&rival: &u32| {
            let is_other = rival != a && rival != b;
            is_other && (self.are_rivals(a, b, rival) || self.are_rivals(b, a, rival))
        };
        !family.iter().any(is_rival)
    }

    /// `true` if the first given name is more than an initial.
    fn has_full_given(&self, spelling: u32) -> bool {
        let first = self.name(spelling).given().next();
        first.is_some_and(|word| word.len() > 1)
    }

    /// `true` if two forms cannot be one player, whatever their names.
    fn is_vetoed(&self, a: u32, b: u32) -> bool {
        self.separation.are_apart(a, b, NameSource::Form)
    }

    /// Joins the groups of two spellings, unless a form of one cannot be the player of a form of the other. Returns
    /// `true` if the spellings are in one group then.
    fn join(&mut self, a: u32, b: u32, source: NameSource, min_verdict: Verdict) -> bool {
        let (mine, yours) = (self.root(a), self.root(b));
        if mine == yours {
            return true;
        }

        if source.is_given() {
            // `join_forms` makes no forms of names that are not a person's.
            self.forms.entry(mine).or_insert_with(|| vec![mine]);
            self.forms.entry(yours).or_insert_with(|| vec![yours]);
        } else if self.verdict(a, b).0 < min_verdict {
            return false;
        }

        let (Some(my_forms), Some(your_forms)) = (self.forms.get(&mine), self.forms.get(&yours))
        else {
            return false;
        };
        for &my_form in my_forms.iter().take(MAX_COMPARED) {
            for &your_form in your_forms.iter().take(MAX_COMPARED) {
                if !self.can_be_one(my_form, your_form, source) {
                    return false;
                }
            }
        }

        if let Some(moved) = self.forms.remove(&yours) {
            self.forms.entry(mine).or_default().extend(moved);
        }
        self.sets.attach(yours, mine);
        self.sources[yours as usize] = Some(source);
        true
    }

    /// `true` if two forms can be one player by the evidence of `source`. The names must be alike, unless the source
    /// [is given](NameSource::is_given).
    fn can_be_one(&self, a: u32, b: u32, source: NameSource) -> bool {
        if self.separation.are_apart(a, b, source) {
            return false;
        }
        if source == NameSource::Form && self.separation.are_namesakes_by_country(a, b) {
            return false;
        }
        source.is_given() || self.verdict(a, b).0 > Verdict::Different
    }

    /// Proposes to join two spellings, unless they cannot be one player.
    fn propose(&mut self, a: u32, b: u32, source: NameSource, reasons: NameReasons) {
        if self.is_vetoed(a, b) {
            return;
        }

        let is_more = self.spelling(a).games >= self.spelling(b).games;
        let (a, b) = if is_more { (a, b) } else { (b, a) };
        self.proposals.push(Proposal {
            a,
            b,
            source,
            reasons,
        });
    }

    /// The groups of two spellings and more, and the proposals that no join has settled.
    fn finish(mut self) -> NameGroups {
        let mut members: Vec<(u32, u32)> = Vec::with_capacity(self.spellings.len());
        for index in self.sets.indexes() {
            members.push((self.root(index), index));
        }
        members.sort_unstable();

        let mut groups = Vec::new();
        for group in members.chunk_by(|a, b| a.0 == b.0) {
            if group.len() > 1 {
                groups.push(self.group(group));
            }
        }

        // A later join may have settled an earlier proposal.
        let mut proposals = std::mem::take(&mut self.proposals);
        proposals.retain(|proposal| self.root(proposal.a) != self.root(proposal.b));

        NameGroups { groups, proposals }
    }

    /// The group of these spellings, each with the root of the group before it.
    fn group(&self, members: &[(u32, u32)]) -> NameGroup {
        let mut spellings: Vec<u32> = members.iter().map(|&(_, spelling)| spelling).collect();
        spellings.sort_by_key(|&spelling| (Reverse(self.spelling(spelling).games), spelling));

        // A group is a run of `chunk_by`, which has at least one member.
        let lead = spellings[0];
        let best = spellings
            .iter()
            .copied()
            .max_by_key(|&spelling| self.precedence(spelling))
            .unwrap_or(lead);

        NameGroup {
            canonical: canonical_spelling(self.spelling(best).text, self.name(best)),
            members: spellings
                .into_iter()
                .map(|spelling| self.member(spelling, lead))
                .collect(),
        }
    }

    /// A spelling as a member of a group, with the evidence that joined it and its differences from `lead`, the most
    /// frequent spelling of the group.
    fn member(&self, spelling: u32, lead: u32) -> Member {
        let (form, lead_form) = (
            self.separation.form_of(spelling),
            self.separation.form_of(lead),
        );
        if form == lead_form {
            return Member {
                spelling,
                source: NameSource::Form,
                reasons: NameReasons::default(),
            };
        }

        // The root of a group was joined to nothing: the lead's join says why both are in one group.
        let joined_by = |form: u32| self.sources[form as usize];
        let source = joined_by(form)
            .or_else(|| joined_by(lead_form))
            .unwrap_or(NameSource::Form);
        let (_, reasons) = self.verdict(lead, spelling);
        Member {
            spelling,
            source,
            reasons,
        }
    }

    /// The key by which the canonical spelling is chosen, the greatest first: full given names before initials, small
    /// letters before capitals, a comma, then the number of games.
    fn precedence(&self, spelling: u32) -> impl Ord + use<> {
        let written = self.spelling(spelling);

        let given = self.name(spelling).given().next();
        // A few letters may be the beginning of a longer name.
        let full = given.map_or(0, |word| word.len().min(4));
        let has_small_letters = written.text.contains(char::is_lowercase);
        let has_comma = written.text.contains(',');
        (
            full,
            has_small_letters,
            has_comma,
            written.games,
            Reverse(spelling),
        )
    }
}

/// The key of a name's form: equal for spellings that differ only in punctuation, order, titles and countries.
pub(super) fn form_key(name: &PersonName) -> String {
    let family: String = name.family().collect();
    let given: Vec<&str> = name.given().collect();
    format!(
        "{family}|{}|{}|{}|{}|{}|{}",
        given.join(" "),
        name.mark(),
        name.number().map_or(-1, i64::from),
        name.generation(),
        name.birth_year(),
        name.country_mark().unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::super::parse_names;
    use super::*;

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn evidence_of_a_spelling_that_is_not_there_is_a_bug() {
        let spellings = [spelling("Kasparov, Garry"), spelling("Kasparov,G")];
        grouped(
            &spellings,
            &NameEvidence {
                twins: &[(0, 2, 5)],
                met: &[],
            },
        );
    }

    #[test]
    #[should_panic(expected = "each spelling has one name")]
    fn a_spelling_without_a_name_is_a_bug() {
        let spellings = [spelling("Kasparov, Garry"), spelling("Kasparov,G")];
        group_names(
            &spellings,
            &parse_names(&["Kasparov, Garry"]),
            &NameEvidence::default(),
        );
    }

    fn spelling(text: &str) -> Spelling<'_> {
        Spelling {
            text,
            games: 10,
            first_year: 1980,
            last_year: 1990,
            ..Spelling::default()
        }
    }

    /// Groups as texts, and proposals.
    fn grouped(
        spellings: &[Spelling<'_>],
        evidence: &NameEvidence<'_>,
    ) -> (Vec<(String, usize)>, usize) {
        let texts: Vec<&str> = spellings.iter().map(|spelling| spelling.text).collect();
        let names = parse_names(&texts);

        let found = group_names(spellings, &names, evidence);

        let groups = found.groups.into_iter();
        let sizes = groups.map(|group| (group.canonical, group.members.len()));
        (sizes.collect(), found.proposals.len())
    }

    macro_rules! groups {
        ($($name:ident: $spellings:expr, $twins:expr, $met:expr => $groups:expr, $proposals:literal;)*) => {
            $(#[test] fn $name() {
                let spellings: Vec<Spelling<'_>> = $spellings.into_iter().map(spelling).collect();
                let (twins, met): (Vec<SpellingPair>, Vec<(u32, u32)>) = ($twins, $met);
                let (groups, proposals) = grouped(&spellings, &NameEvidence { twins: &twins, met: &met });
                let expected: Vec<(&str, usize)> = $groups;
                let found: Vec<(&str, usize)> = groups.iter().map(|(name, count)| (name.as_str(), *count)).collect();
                assert_eq!((found, proposals), (expected, $proposals));
            })*
        };
    }

    groups! {
        punctuation: ["Kasparov, Garry", "Kasparov,Garry", "GM Kasparov Garry (RUS)"], vec![], vec![]
            => vec![("Kasparov, Garry", 3)], 0;
        initial_of_a_rare_name: ["Kasparov, Garry", "Kasparov,G"], vec![], vec![] => vec![("Kasparov, Garry", 2)], 0;
        initial_of_two_players: ["Polgar, Judit", "Polgar, Jozsef", "Polgar,J"], vec![], vec![] => vec![], 2;
        initial_and_twins: ["Polgar, Judit", "Polgar, Jozsef", "Polgar,J"], vec![(0, 2, 5)], vec![]
            => vec![("Polgar, Judit", 2)], 0;
        initial_and_twins_of_both: ["Polgar, Judit", "Polgar, Jozsef", "Polgar,J"], vec![(0, 2, 5), (1, 2, 3)], vec![]
            => vec![], 4;
        opponents: ["Kasparov, Garry", "Kasparov,G"], vec![(0, 1, 5)], vec![(1, 0)] => vec![], 0;
        slip_with_twins: ["Alatortsev, Vladimir", "Alatsortev V"], vec![(0, 1, 1)], vec![]
            => vec![("Alatortsev, Vladimir", 2)], 0;
        slip_alone: ["Alatortsev, Vladimir", "Alatsortev V"], vec![], vec![] => vec![], 0;
        transliteration: ["Kortschnoj, Viktor", "Korchnoi, Viktor"], vec![], vec![] => vec![("Kortschnoj, Viktor", 2)], 0;
        other_numbers: ["Grigoryan,K1", "Grigoryan,K2"], vec![(0, 1, 9)], vec![] => vec![], 0;
        other_players_with_one_game: ["Kuzmin, Gennadi", "Kuzmin, Alexey"], vec![(0, 1, 9)], vec![] => vec![], 0;
        another_mark: ["Wang, Zihao", "Wang,Zihao(JS)"], vec![], vec![] => vec![], 0;
        initials_long_apart: ["Shapiro, D", "Shapiro,D"], vec![], vec![] => vec![("Shapiro, D", 2)], 0;
        teams: ["Stoltz/Monosson", "Stoltz / Monosson"], vec![], vec![] => vec![], 0;
    }

    /// The names of a frequent family, none of which begins with A, and others before them.
    fn with_namesakes<'n>(family: &'n [String], others: &[&'n str]) -> Vec<Spelling<'n>> {
        let namesakes = family.iter().map(String::as_str);
        others
            .iter()
            .copied()
            .chain(namesakes)
            .map(spelling)
            .collect()
    }

    fn namesakes(family: &str) -> Vec<String> {
        let given = [
            "Boris", "Carlos", "Diego", "Emil", "Felix", "Gustavo", "Hugo", "Ines",
        ];
        let second = ["B", "C", "D", "E"];
        let all = given
            .iter()
            .flat_map(|given| second.map(|second| format!("{family}, {given} {second}")));
        all.collect()
    }

    #[test]
    fn players_of_two_countries_in_a_frequent_family() {
        let family = namesakes("Ivanov");
        let names = [
            "Ivanov Alexander V. (USA)",
            "Ivanov Alexander V. (RUS)",
            "Ivanov Alexander V. (URS)",
        ];
        let spellings = with_namesakes(&family, &names);
        let (groups, _) = grouped(&spellings, &NameEvidence::default());
        assert_eq!(groups, [("Ivanov, Alexander V".to_owned(), 2)]);

        let (groups, _) = grouped(&spellings[..3], &NameEvidence::default());
        assert_eq!(
            groups,
            [("Ivanov, Alexander V".to_owned(), 3)],
            "a rare name"
        );
    }

    #[test]
    fn a_twin_of_initials_does_not_speak_for_decades() {
        let family = namesakes("Fernandez");
        let mut spellings = with_namesakes(&family, &["Fernandez, A.", "Fernandez, Aguado"]);
        spellings[0].first_year = 1962;
        spellings[0].last_year = 1996;
        spellings[0].games = 21;
        spellings[1].first_year = 1988;
        spellings[1].last_year = 1988;
        spellings[1].games = 2;
        let evidence = |twins| NameEvidence { twins, met: &[] };

        let (by_one_twin, _) = grouped(&spellings, &evidence(&[(0, 1, 1)]));
        assert_eq!(by_one_twin, []);

        let joined = [("Fernandez, Aguado".to_owned(), 2)];
        let (by_many_twins, _) = grouped(&spellings, &evidence(&[(0, 1, 8)]));
        assert_eq!(by_many_twins, joined);

        spellings[0].first_year = 1987;
        spellings[0].last_year = 1989;
        let (within_years, _) = grouped(&spellings, &evidence(&[(0, 1, 1)]));
        assert_eq!(within_years, joined);
    }

    #[test]
    fn a_lifetime_apart() {
        let mut spellings = [spelling("Lasker, Emanuel"), spelling("Lasker,Emanuel")];
        spellings[0].first_year = 1889;
        spellings[0].last_year = 1909;

        let found = grouped(&spellings, &NameEvidence::default());

        assert_eq!(found, (vec![], 0));
    }

    #[test]
    fn initials_and_family_names_long_apart() {
        let mut initials = [spelling("Shapiro, D"), spelling("Shapiro,D")];
        initials[1].first_year = 1925;
        initials[1].last_year = 1946;
        let found = grouped(&initials, &NameEvidence::default());
        assert_eq!(found, (vec![], 0));

        let twins = NameEvidence {
            twins: &[(0, 1, 1)],
            ..NameEvidence::default()
        };
        let mut bare = [spelling("Nielsen, Axel"), spelling("Nielsen")];
        let (groups, _) = grouped(&bare, &twins);
        assert_eq!(groups.len(), 1);

        // Other players of the family may have the later games.
        bare[1].last_year = 2000;
        let found = grouped(&bare, &twins);
        assert_eq!(found, (vec![], 1));
    }

    #[test]
    fn names_of_a_frequent_family_that_sound_alike() {
        let given = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "K", "L", "M"];
        let others: Vec<String> = given
            .iter()
            .map(|letter| format!("Hoffmann, {letter}va"))
            .collect();
        let nothing = NameEvidence::default();

        let mut spellings = vec![spelling("Hoffmann, Michael"), spelling("Hofmann, Michael")];
        let (groups, _) = grouped(&spellings, &nothing);
        assert_eq!(groups.len(), 1, "a rare family");

        spellings.extend(others.iter().map(|name| spelling(name)));
        let found = grouped(&spellings, &nothing);
        assert_eq!(found, (vec![], 1), "a frequent family");

        // A second initial proves nothing, a second name does.
        let pairs = [
            ("Rowe, D", "Rowe, DC", 0),
            ("Rowe, Duane", "Rowe, Duane C", 1),
        ];
        for (one, other, expected) in pairs {
            let mut namesakes: Vec<String> = others
                .iter()
                .map(|name| name.replace("Hoffmann", "Rowe"))
                .collect();
            namesakes.retain(|name| !name.contains(", D"));
            let mut spellings = vec![spelling(one), spelling(other)];
            spellings.extend(namesakes.iter().map(|name| spelling(name)));

            let (groups, _) = grouped(&spellings, &nothing);

            assert_eq!(groups.len(), expected, "{one}");
        }
    }

    #[test]
    fn what_keeps_spellings_apart() {
        let base = [
            spelling("Kasparov, Garry"),
            spelling("Kasparov,Garry"),
            spelling("KASPAROV, GARRY"),
        ];
        let count = |spellings: &[Spelling<'_>], met: &[(u32, u32)]| -> usize {
            let evidence = NameEvidence {
                met,
                ..NameEvidence::default()
            };
            grouped(spellings, &evidence)
                .0
                .iter()
                .map(|(_, members)| members)
                .sum()
        };
        assert_eq!(count(&base, &[]), 3);
        // A spelling that met one of a form is kept out of the form.
        assert_eq!(count(&base, &[(1, 2)]), 2);

        let mut of_two_ids = base;
        of_two_ids[0].fide_id = 1;
        of_two_ids[1].fide_id = 2;
        assert_eq!(count(&of_two_ids, &[]), 2);

        let mut listed_twice = base;
        listed_twice[0].listed = 1;
        listed_twice[1].listed = 2;
        assert_eq!(count(&listed_twice, &[]), 2);

        let mut decided_apart = base;
        decided_apart[0].decided = 1;
        decided_apart[2].decided = 2;
        assert_eq!(count(&decided_apart, &[]), 2);

        let mut alone = base;
        alone[1].is_alone = true;
        assert_eq!(count(&alone, &[]), 2);

        // A decision of the user overrides the years of the games.
        let mut decided_together = base;
        decided_together[0].decided = 1;
        decided_together[2].decided = 1;
        decided_together[2].first_year = 1800;
        decided_together[2].last_year = 1810;
        assert_eq!(count(&decided_together, &[]), 3);
    }

    #[test]
    fn lists_and_ids() {
        let mut spellings = [
            spelling("Lowenfisch G"),
            spelling("Levenfish, Grigory"),
            spelling("Levenfis,Gr"),
        ];
        spellings[0].listed = 7;
        spellings[1].listed = 7;
        spellings[1].fide_id = 99;
        spellings[2].fide_id = 99;

        let (groups, _) = grouped(&spellings, &NameEvidence::default());

        assert_eq!(groups, [("Levenfish, Grigory".to_owned(), 2)]);
    }
}
