//! Suggestions for names in a filter that occur in no game, or in hardly any.
//!
//! Words are compared with words, folded as for look-ups, by their letters and by their sound. Names with more games
//! and fewer different letters rank as likelier.

use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;

use super::filter::{NameNumbers, has_address};
use super::player::name_of;
use super::sound::sound;
use super::unknown_words::{UnknownName, unknown_tags, unknown_variants};
use super::{Filter, NameQuery};
use crate::columns::{
    Column, ColumnStore, GameFlags, NameKind, canonical_name, has_canonical_names, named_as_person,
    spelled, words,
};
use crate::error::Result;
use crate::storage::{Database, InDatabase};
use crate::store_fault::StoreResult;

/// A name with more games is not questioned.
const FEW_GAMES: u64 = 3;
/// A name with few games is taken for a misspelling if another has this many times as many.
const TIMES_AS_MANY: u64 = 5;
/// The most names that are suggested.
const MOST_SUGGESTIONS: usize = 3;
/// The most names whose games are counted.
const MOST_CANDIDATES: usize = 500;
/// The least similarity of two words, 1 being equality, to be taken for one.
const LEAST_LIKENESS_OF_WORDS: f64 = 0.82;
/// The least similarity of a name, as the mean over the words of the query.
const LEAST_LIKENESS: f64 = 0.6;
/// The greatest distance in similarity from the best name.
const LIKENESS_BEHIND_BEST: f64 = 0.1;
/// The similarity of words that sound alike, however they are written.
const LIKENESS_OF_SOUND: f64 = 0.92;
/// The similarity of a word and its initial.
const LIKENESS_OF_INITIALS: f64 = 0.8;
/// A hundredth of similarity counts as much as about half as many games again.
const WEIGHT_OF_LIKENESS: f64 = 40.0;

/// The names of a filter that occur in no game, or in suspiciously few.
///
/// # Errors
/// When the database cannot be read.
pub fn unknown_names(database: &Database, filter: &Filter) -> Result<Vec<UnknownName>> {
    let connection = &database.connection;
    let unknown = || -> StoreResult<Vec<UnknownName>> {
        let mut unknown = find_unknown_names(connection, filter)?;
        unknown.extend(unknown_tags(connection, filter)?);
        unknown.extend(unknown_variants(connection, filter)?);
        Ok(unknown)
    };
    unknown().in_database(database)
}

/// The kind of a name, given as words of it: `player`, `event`, `site` or `opening`; `None` if no game has such a name.
///
/// # Errors
/// When the database cannot be read.
pub fn kind_of_name(database: &Database, text: &str) -> Result<Option<&'static str>> {
    let connection = &database.connection;
    for kind in [
        NameKind::Player,
        NameKind::Event,
        NameKind::Site,
        NameKind::Opening,
    ] {
        let name = NameQuery {
            text: text.to_owned(),
            is_exact: false,
        };
        let numbers = name.numbers(connection, kind);
        let is_name = numbers.and_then(|numbers| {
            Ok(few_games(connection, kind, &numbers)? > 0
                || kind == NameKind::Site && has_address(connection, &name)?)
        });
        if is_name.in_database(database)? {
            return Ok(Some(kind.table()));
        }
    }
    Ok(None)
}

/// A player's name in a filter that is also found in spellings with initials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameByInitials {
    /// The name as the filter has it.
    pub text: String,
    /// The spellings that do not have its words, with their games, the most frequent first.
    pub spellings: Vec<(String, u64)>,
}

/// The players' names in a filter that are found in spellings which do not have their words, such as `Carlsen,M` for
/// "magnus carlsen".
///
/// # Errors
/// When the database cannot be read.
pub fn names_by_initials(database: &Database, filter: &Filter) -> Result<Vec<NameByInitials>> {
    let connection = &database.connection;
    find_names_by_initials(connection, filter).in_database(database)
}

fn find_names_by_initials(
    connection: &Connection,
    filter: &Filter,
) -> StoreResult<Vec<NameByInitials>> {
    let mut found: Vec<NameByInitials> = Vec::new();

    for name in [&filter.players, &filter.white, &filter.black]
        .into_iter()
        .flatten()
    {
        let is_known = found.iter().any(|known| known.text == name.text);
        if name.is_exact || is_known {
            continue;
        }

        let ids = named_as_person(connection, &name.text)?;
        let mut candidates = Vec::new();
        for id in ids {
            let spelling = name_of(connection, NameKind::Player, id.cast_unsigned())?;
            candidates.push(Candidate {
                id,
                name: spelling,
                likeness: 1.0,
            });
        }

        let games = games_of(connection, NameKind::Player, &candidates)?;
        let with_games = |Candidate { id, name, .. }: Candidate| {
            games
                .get(&id)
                .filter(|games| **games > 0)
                .map(|&games| (name, games))
        };
        let mut spellings: Vec<(String, u64)> =
            candidates.into_iter().filter_map(with_games).collect();
        spellings.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));

        if !spellings.is_empty() {
            found.push(NameByInitials {
                text: name.text.clone(),
                spellings,
            });
        }
    }

    Ok(found)
}

fn find_unknown_names(connection: &Connection, filter: &Filter) -> StoreResult<Vec<UnknownName>> {
    let mut unknown: Vec<UnknownName> = Vec::new();
    for (kind, queries) in [
        (NameKind::Player, &filter.players),
        (NameKind::Player, &filter.white),
        (NameKind::Player, &filter.black),
        (NameKind::Event, &filter.event),
        (NameKind::Site, &filter.site),
        (NameKind::Opening, &filter.openings),
    ] {
        for name in queries {
            let NameQuery { text, is_exact } = name;
            let is_said = unknown
                .iter()
                .any(|said| said.kind == kind.table() && said.text == *text);
            let numbers = name.numbers(connection, kind)?;
            let games = few_games(connection, kind, &numbers)?;
            if is_said || games > if *is_exact { 0 } else { FEW_GAMES } {
                continue;
            }
            if kind == NameKind::Site && games == 0 && has_address(connection, name)? {
                continue;
            }
            let mut suggestions = suggestions(connection, kind, text, &numbers)?;
            if games > 0 {
                suggestions
                    .retain(|(_, many)| many.is_some_and(|many| many >= TIMES_AS_MANY * games));
            }
            if games == 0 || !suggestions.is_empty() {
                unknown.push(UnknownName {
                    kind: kind.table(),
                    text: text.clone(),
                    games,
                    suggestions,
                });
            }
        }
    }
    Ok(unknown)
}

/// The number of games with one of some names, if it is small. Sites and openings have no index: a known one counts as having many
/// games.
fn few_games(
    connection: &Connection,
    kind: NameKind,
    numbers: &NameNumbers,
) -> rusqlite::Result<u64> {
    let sql = match kind {
        NameKind::Player => "SELECT 1 FROM game WHERE white_id = ?1 OR black_id = ?1 LIMIT ?2",
        NameKind::Event => "SELECT 1 FROM game WHERE event_id = ?1 LIMIT ?2",
        NameKind::Site | NameKind::Opening if numbers.is_empty() => return Ok(0),
        NameKind::Site | NameKind::Opening => return Ok(u64::MAX),
    };
    let mut select = connection.prepare_cached(sql)?;
    let mut games = 0;
    for number in numbers {
        let mut rows = select.query([number.cast_signed(), FEW_GAMES.cast_signed() + 1])?;
        while rows.next()?.is_some() {
            games += 1;
        }
        if games > FEW_GAMES {
            break;
        }
    }
    Ok(games)
}

/// A name to suggest.
struct Candidate {
    id: i64,
    name: String,
    /// 0 to 1.
    likeness: f64,
}

fn suggestions(
    connection: &Connection,
    kind: NameKind,
    text: &str,
    found: &NameNumbers,
) -> StoreResult<Vec<(String, Option<u64>)>> {
    let mut candidates = candidates(connection, kind, &Wanted::new(text))?;
    candidates.retain(|candidate| !found.contains(&candidate.id.cast_unsigned()));
    candidates.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then(a.id.cmp(&b.id)));
    let best = candidates
        .first()
        .map_or(0.0, |candidate| candidate.likeness);
    candidates.retain(|candidate| candidate.likeness >= best - LIKENESS_BEHIND_BEST);
    candidates.truncate(MOST_CANDIDATES);
    if kind != NameKind::Opening && has_canonical_names(connection, kind)? {
        candidates = in_all_spellings(connection, kind, candidates)?;
    }
    let games = games_of(connection, kind, &candidates)?;
    // Spellings of one name count as one.
    let mut names: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    for candidate in candidates {
        let Some(&games) = games.get(&candidate.id).filter(|games| **games > 0) else {
            continue;
        };
        let (likeness, all) = names.entry(candidate.name).or_default();
        (*likeness, *all) = (likeness.max(candidate.likeness), *all + games);
    }
    let weighed = names.into_iter().map(|(name, (likeness, games))| {
        let weight = (games as f64).ln() + WEIGHT_OF_LIKENESS * likeness;
        (weight, name, games)
    });
    let mut weighed: Vec<(f64, String, u64)> = weighed.collect();
    weighed.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    weighed.truncate(MOST_SUGGESTIONS);
    Ok(weighed
        .into_iter()
        .map(|(_, name, games)| (name, Some(games)))
        .collect())
}

/// Each name under its canonical one, in all spellings of that.
fn in_all_spellings(
    connection: &Connection,
    kind: NameKind,
    candidates: Vec<Candidate>,
) -> rusqlite::Result<Vec<Candidate>> {
    let mut likenesses: HashMap<String, f64> = HashMap::new();
    for Candidate { id, likeness, .. } in candidates {
        let name = canonical_name(connection, kind, id)?.unwrap_or_default();
        let best = likenesses.entry(name).or_default();
        *best = best.max(likeness);
    }
    let mut all = Vec::new();
    for (name, likeness) in likenesses {
        let ids = spelled(connection, kind, &name)?.into_iter();
        all.extend(ids.map(|id| Candidate {
            id,
            name: name.clone(),
            likeness,
        }));
    }
    Ok(all)
}

/// Names that are similar to a text.
fn candidates(
    connection: &Connection,
    kind: NameKind,
    wanted: &Wanted,
) -> rusqlite::Result<Vec<Candidate>> {
    let mut candidates = Vec::new();
    let mut select = connection.prepare(&format!("SELECT id, name FROM {}", kind.table()))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let Ok(name) = row.get_ref(1)?.as_str() else {
            continue;
        };
        if !wanted.may_be_like(name) {
            continue;
        }
        let likeness = wanted.likeness(name);
        if likeness >= LEAST_LIKENESS {
            candidates.push(Candidate {
                id: row.get(0)?,
                name: name.to_owned(),
                likeness,
            });
        }
    }
    Ok(candidates)
}

/// The number of games with some names.
fn games_of(
    connection: &Connection,
    kind: NameKind,
    candidates: &[Candidate],
) -> StoreResult<HashMap<i64, u64, foldhash::fast::RandomState>> {
    let mut games: HashMap<i64, u64, _> = candidates
        .iter()
        .map(|candidate| (candidate.id, 0))
        .collect();
    if candidates.is_empty() {
        return Ok(games);
    }
    let columns = match kind {
        NameKind::Player => [Column::White, Column::Black],
        NameKind::Event => [Column::Event, Column::GameFlags],
        NameKind::Site => [Column::Site, Column::GameFlags],
        NameKind::Opening => [Column::Opening, Column::GameFlags],
    };
    let column_store = ColumnStore::new(connection)?;
    let all = column_store.games(GameFlags::exists)?;
    column_store.each_of(&all, columns, |_, values| {
        let names = if kind == NameKind::Player { 2 } else { 1 };
        for name in &values[..names] {
            if let Some(games) = games.get_mut(&name.cast_signed()) {
                *games += 1;
            }
        }
    })?;
    Ok(games)
}

/// The words of a name in a query.
struct Wanted(Vec<Word>);

struct Word {
    text: String,
    sound: String,
    letters: Letters,
}

impl Wanted {
    fn new(text: &str) -> Wanted {
        let words = words(text).into_iter();
        Wanted(words.map(Word::new).collect())
    }

    /// `true` if a name has most of the letters of one of the words; this rules nearly all names out.
    fn may_be_like(&self, name: &str) -> bool {
        let letters = match name.is_ascii() {
            true => Letters::of(name),
            false => words(name)
                .iter()
                .fold(Letters(0), |all, word| all.or(Letters::of(word))),
        };
        self.0
            .iter()
            .any(|word| word.letters.are_mostly_in(letters))
    }

    /// The similarity of a name, 0 to 1: the mean, over the words, of the similarity to the name's most similar word.
    /// Initials alone prove nothing.
    fn likeness(&self, name: &str) -> f64 {
        let words = words(name);
        let likest = |wanted: &Word| {
            let likeness = words.iter().map(|word| wanted.likeness(word));
            likeness.fold(0.0, f64::max)
        };
        let likenesses: Vec<f64> = self.0.iter().map(likest).collect();
        match likenesses
            .iter()
            .any(|&likeness| likeness > LIKENESS_OF_INITIALS)
        {
            true => likenesses.iter().sum::<f64>() / likenesses.len() as f64,
            false => 0.0,
        }
    }
}

impl Word {
    fn new(text: String) -> Word {
        Word {
            sound: sound(&text),
            letters: Letters::of(&text),
            text,
        }
    }

    /// The similarity to another word; a prefix is as similar as the whole word, as in look-ups.
    fn likeness(&self, word: &str) -> f64 {
        let wanted = self.text.as_str();
        if word.starts_with(wanted) {
            return 1.0;
        }
        if wanted.starts_with(word) && word.chars().nth(1).is_none() {
            return LIKENESS_OF_INITIALS;
        }
        // The comparison is slow, and nearly all words have other letters.
        if !self.letters.are_mostly_in(Letters::of(word)) {
            return 0.0;
        }
        let heard = if self.sound == sound(word) {
            LIKENESS_OF_SOUND
        } else {
            0.0
        };
        let likeness = strsim::jaro_winkler(wanted, word).max(heard);
        if likeness >= LEAST_LIKENESS_OF_WORDS {
            likeness
        } else {
            0.0
        }
    }
}

/// The letters and digits of a word as a bit set, by the last six bits of their numbers; letters that stand for one
/// sound in different languages share a bit.
#[derive(Clone, Copy, Debug)]
struct Letters(u64);

impl Letters {
    /// The letters of a folded word, or of an ASCII text.
    fn of(text: &str) -> Letters {
        let letters = text.chars().filter(|letter| letter.is_alphanumeric());
        let heard = |letter: char| match letter.to_ascii_lowercase() {
            'w' | 'f' => 'v',
            'y' | 'j' => 'i',
            'q' | 'c' => 'k',
            other => other,
        };
        let bit = |letter: char| 1 << (u32::from(heard(letter)) % u64::BITS);
        Letters(letters.fold(0, |all, letter| all | bit(letter)))
    }

    fn or(self, other: Letters) -> Letters {
        Letters(self.0 | other.0)
    }

    /// `true` if two thirds of them are among others.
    fn are_mostly_in(self, others: Letters) -> bool {
        3 * (self.0 & !others.0).count_ones() <= self.0.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! is_like {
        ($($name:ident: $wanted:expr, $found:expr => $is:expr;)*) => {$(
            #[test]
            fn $name() {
                let wanted = Wanted::new($wanted);
                let likeness = wanted.likeness($found);
                let is = wanted.may_be_like($found) && likeness >= LEAST_LIKENESS;
                assert_eq!(is, $is, "{likeness}");
            }
        )*};
    }

    is_like! {
        another_letter: "Karpow", "Karpov, Anatoly" => true;
        one_too_many: "Niemzowitsch", "Nimzowitsch, Aron" => true;
        one_too_few: "Fisher", "Fischer, Robert James" => true;
        two_exchanged: "Calrsen", "Carlsen,M" => true;
        a_beginning: "kaspr", "Kasparov, Garry" => true;
        another_alphabet: "Jusupow, Arthur", "Yusupov, Artur" => true;
        by_sound: "Wynawer", "Vinaver, Szymon" => true;
        accents: "Gonzales, Jose", "González, José" => true;
        an_initial: "Karpow, Anatoly", "Karpov,A" => true;
        the_other_way_round: "Anatoly Karpow", "Karpov, Anatoly" => true;
        a_word_too_many: "Karpov, Anatoli Jewgenjewitsch", "Karpov, Anatoly" => true;
        cyrillic: "Карпав", "Карпов, Анатолий" => true;
        a_first_name_alone: "Carlsen, Garry", "Carlsen, Magnus" => false;
        nothing_alike: "Xyzzy", "Karpov, Anatoly" => false;
        initials_alone: "Xqzzy", "Gazquez, X" => false;
        no_words: "?!", "Karpov, Anatoly" => false;
    }
}
