//! Which of the players that a name matches is meant, and who the others are.
//!
//! "kasparov" matches Garry in six spellings, Sergey, and Tatiana Kasparova. Spellings of one player are joined as far as
//! names, years and ratings allow; the player with the most games is the one who is meant. An initial is counted with the full
//! name that it stands for. One that may stand for several names is counted with the name that was typed, or with a player
//! who has most of the games; else it is listed as a player of its own.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use super::NameQuery;
use super::filter::Numbers;
use super::spellings::Spellings;
use crate::cleaning::names::{
    Comparison, NameReason, PersonName, Verdict, compare, fold_words, parse_names,
};
use crate::columns::{Column, ColumnStore, GameFlags, NameKind, nearly_named};
use crate::game::PartialDate;

/// Years between the games of two spellings with full given names that no player bridges.
const LIFETIME: u64 = 60;
/// The same for initials, which many players have.
const LIFETIME_OF_INITIALS: u64 = 15;
/// The years that two spellings must share for their ratings to be compared.
const COMPARED_YEARS: u64 = 3;
/// Points between the ratings of a player and those of an initial that stands for somebody else.
const OTHER_STRENGTH: u64 = 400;
/// A spelling with a number is counted with a name without it if it has at least this part of its games.
const PART_OF_NUMBERED: u64 = 5;
/// An initial that may stand for two players is counted with one who has this many times as many games as the other.
const TIMES_AS_MANY: u64 = 3;

/// A player with all spellings of the name.
#[derive(Clone, Debug, Default)]
pub(super) struct Person {
    /// The canonical name of the most frequent spelling.
    pub(super) name: String,
    /// The numbers of the spellings.
    pub(super) numbers: Numbers,
    /// The games in all spellings.
    pub(super) games: u64,
    /// Spellings without a full given name that are counted here though they may be another player's, with their games.
    pub(super) by_initials: Vec<(String, u64)>,
}

/// The players that a name matches.
#[derive(Debug, Default)]
pub(super) struct Persons {
    /// The one who is meant. Without games, all names that match.
    pub(super) meant: Person,
    /// The others, those with the most games first.
    pub(super) others: Vec<Person>,
}

impl Persons {
    /// Finds the players that a name matches. An exact name is one player.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn read(connection: &Connection, query: &NameQuery) -> rusqlite::Result<Persons> {
        let numbers = query.numbers(connection, NameKind::Player)?;
        if query.is_exact || numbers.is_empty() {
            let meant = Person { numbers, ..Person::default() };
            return Ok(Persons { meant, others: Vec::new() });
        }

        let nearly = nearly_named(connection, &query.text)?.into_iter().map(i64::cast_unsigned);
        let nearly: Numbers = nearly.filter(|number| !numbers.contains(number)).collect();

        let seen = Seen::read(connection, &numbers.union(&nearly).copied().collect())?;
        let is_near = |spelling: &Spelled| spelling.numbers.iter().all(|at| nearly.contains(at));
        let (near, spelled): (Vec<Spelled>, Vec<Spelled>) =
            spelled(connection, &seen)?.into_iter().partition(is_near);
        let mut joining = Joining::new(&spelled, &seen, is_full_name(&query.text));
        joining.join();

        let mut people = joining.people();
        if people.is_empty() {
            let meant = Person { numbers, ..Person::default() };
            return Ok(Persons { meant, others: Vec::new() });
        }

        let meant = people.remove(0);
        people.extend(near.into_iter().map(Person::from));
        sort(&mut people);
        Ok(Persons { meant, others: people })
    }
}

/// Brings players into the order of their games, the most first.
fn sort(people: &mut [Person]) {
    people.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
}

/// `true` if no word of a typed name is an initial.
fn is_full_name(text: &str) -> bool {
    let words = fold_words(text);
    words.contains(' ') && words.split(' ').all(|word| word.chars().count() > 2)
}

/// What the games say about spellings.
#[derive(Default)]
struct Seen {
    facts: HashMap<u64, Facts>,
    /// Pairs of names that met in a game, the lesser number first.
    met: HashSet<(u64, u64)>,
}

/// The games of a spelling: how many, when, and how strong the player was.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    games: u64,
    years: Range,
    elo: Range,
}

/// The least and the greatest of some numbers above 0; both are 0 without any.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    least: u64,
    greatest: u64,
}

impl Range {
    fn add(&mut self, number: u64) {
        if number > 0 {
            self.least = if self.least == 0 { number } else { self.least.min(number) };
            self.greatest = self.greatest.max(number);
        }
    }

    fn join(&mut self, other: Range) {
        self.add(other.least);
        self.add(other.greatest);
    }

    /// The distance between two ranges; 0 where they overlap, and where one is unknown.
    fn gap(self, other: Range) -> u64 {
        if self.greatest == 0 || other.greatest == 0 {
            return 0;
        }
        let before = other.least.saturating_sub(self.greatest);
        before.max(self.least.saturating_sub(other.greatest))
    }
}

impl Range {
    /// The length of what two ranges have in common; 0 if one is unknown.
    fn shared(self, other: Range) -> u64 {
        self.greatest.min(other.greatest).saturating_sub(self.least.max(other.least))
    }
}

impl Facts {
    fn join(&mut self, other: Facts) {
        self.games += other.games;
        self.years.join(other.years);
        self.elo.join(other.elo);
    }
}

impl Seen {
    fn read(connection: &Connection, numbers: &Numbers) -> rusqlite::Result<Seen> {
        let column_store = ColumnStore::new(connection)?;
        let mut games = column_store.games(GameFlags::exists)?;
        column_store.retain(&mut games, [Column::White, Column::Black], |[white, black]| {
            numbers.contains(&white) || numbers.contains(&black)
        })?;

        let columns =
            [Column::White, Column::Black, Column::WhiteElo, Column::BlackElo, Column::Date];
        let mut seen = Seen::default();
        column_store.each_of(
            &games,
            columns,
            |_, [white, black, white_elo, black_elo, date]| {
                let year = PartialDate::from_code(date).map_or(0, |date| date.year().into());

                for (number, elo) in [(white, white_elo), (black, black_elo)] {
                    if numbers.contains(&number) {
                        let facts = seen.facts.entry(number).or_default();
                        facts.games += 1;
                        facts.years.add(year);
                        facts.elo.add(elo);
                    }
                }

                if white != black && numbers.contains(&white) && numbers.contains(&black) {
                    seen.met.insert((white.min(black), white.max(black)));
                }
            },
        )?;

        Ok(seen)
    }
}

/// A name: all spellings of one canonical name.
struct Spelled {
    name: String,
    person: PersonName,
    numbers: Vec<u64>,
    facts: Facts,
    given: Given,
}

impl From<Spelled> for Person {
    fn from(Spelled { name, numbers, facts, .. }: Spelled) -> Person {
        let numbers = numbers.into_iter().collect();
        Person { name, numbers, games: facts.games, by_initials: Vec::new() }
    }
}

/// How much of the given names a spelling has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// A full given name, or the name of no person.
    Full,
    /// Initials or two letters of a name.
    Initials,
    Nothing,
    /// A number tells which of several players it is.
    Numbered,
}

impl Given {
    fn of(name: &PersonName) -> Given {
        match name.given().next() {
            _ if !name.is_person() => Given::Full,
            _ if name.number().is_some() => Given::Numbered,
            None => Given::Nothing,
            Some(word) if word.chars().count() > 2 => Given::Full,
            Some(_) => Given::Initials,
        }
    }
}

/// The names with games, in the order in which they are joined: full names first, then initials, and names without a given
/// name last; of each kind, the most frequent first.
fn spelled(connection: &Connection, seen: &Seen) -> rusqlite::Result<Vec<Spelled>> {
    let mut numbers: Vec<u64> = seen.facts.keys().copied().collect();
    numbers.sort_unstable();

    let mut spellings = Spellings::new(connection, NameKind::Player)?;
    let mut joined: Vec<(u64, Vec<u64>, Facts)> = Vec::new();
    let mut places: HashMap<u64, usize> = HashMap::new();
    for number in numbers {
        let first = spellings.number(number)?;
        let place = *places.entry(first).or_insert(joined.len());
        if place == joined.len() {
            joined.push((first, Vec::new(), Facts::default()));
        }
        if let Some((_, numbers, facts)) = joined.get_mut(place) {
            numbers.push(number);
            facts.join(seen.facts.get(&number).copied().unwrap_or_default());
        }
    }

    let mut names = Vec::with_capacity(joined.len());
    for (first, ..) in &joined {
        names.push(spellings.name(*first)?);
    }
    let texts: Vec<&str> = names.iter().map(String::as_str).collect();
    let persons = parse_names(&texts);

    let mut all: Vec<Spelled> = Vec::with_capacity(joined.len());
    for ((name, person), (_, numbers, facts)) in names.into_iter().zip(persons).zip(joined) {
        let given = Given::of(&person);
        all.push(Spelled { name, person, numbers, facts, given });
    }
    all.sort_by_key(|spelling| {
        let letters = if spelling.given == Given::Initials { letters(&spelling.person) } else { 0 };
        let kind = spelling.given as u8;
        (kind, std::cmp::Reverse(letters), std::cmp::Reverse(spelling.facts.games))
    });
    Ok(all)
}

/// How many letters the given names of a name have.
fn letters(name: &PersonName) -> usize {
    name.given().map(|word| word.chars().count()).sum()
}

/// Players who grow spelling by spelling.
struct Joining<'s> {
    spelled: &'s [Spelled],
    met: &'s HashSet<(u64, u64)>,
    /// Whether the given name was typed in full.
    is_full_name: bool,
    players: Vec<Player>,
    /// The players by the sound of their family names.
    by_family: HashMap<u32, Vec<usize>>,
}

/// The places of a player's spellings among all.
struct Player {
    spelled: Vec<usize>,
    facts: Facts,
}

impl<'s> Joining<'s> {
    fn new(spelled: &'s [Spelled], seen: &'s Seen, is_full_name: bool) -> Joining<'s> {
        let (players, by_family) = (Vec::new(), HashMap::new());
        Joining { spelled, met: &seen.met, is_full_name, players, by_family }
    }

    fn join(&mut self) {
        for (at, spelling) in self.spelled.iter().enumerate() {
            let place = match self.player_of(spelling) {
                Some(place) => place,
                None => self.add_player(spelling),
            };
            if let Some(player) = self.players.get_mut(place) {
                player.spelled.push(at);
                player.facts.join(spelling.facts);
            }
        }
    }

    fn add_player(&mut self, spelling: &Spelled) -> usize {
        let place = self.players.len();
        self.players.push(Player { spelled: Vec::new(), facts: Facts::default() });
        self.by_family.entry(spelling.person.key()).or_default().push(place);
        place
    }

    /// The player whose name a spelling is.
    fn player_of(&self, spelling: &Spelled) -> Option<usize> {
        let namesakes = self.by_family.get(&spelling.person.key())?;
        let mut fitting: Vec<(u64, usize)> = Vec::new();
        for &place in namesakes {
            if let Some(player) = self.players.get(place)
                && self.fits(player, spelling)
            {
                fitting.push((player.facts.games, place));
            }
        }
        fitting.sort_by_key(|&(games, place)| (std::cmp::Reverse(games), place));

        let &(games, place) = fitting.first()?;
        let next = fitting.get(1).map_or(0, |(games, _)| *games);
        let is_clear = games >= TIMES_AS_MANY * next;
        let is_joined = is_clear || spelling.given == Given::Full || self.is_full_name;
        is_joined.then_some(place)
    }

    /// Whether a spelling may be a player's, by all other spellings and by the games.
    fn fits(&self, player: &Player, spelling: &Spelled) -> bool {
        let is_full = spelling.given == Given::Full;
        let lifetime = if is_full { LIFETIME } else { LIFETIME_OF_INITIALS };
        let is_of_other_time = player.facts.years.gap(spelling.facts.years) >= lifetime;
        // A player's rating grows: only those of the same years can be compared.
        let is_of_other_strength = !is_full
            && player.facts.years.shared(spelling.facts.years) >= COMPARED_YEARS
            && player.facts.elo.gap(spelling.facts.elo) >= OTHER_STRENGTH;

        if is_of_other_time || is_of_other_strength {
            return false;
        }

        let is_rare = PART_OF_NUMBERED * spelling.facts.games < player.facts.games;
        if spelling.given == Given::Numbered && is_rare {
            return false;
        }

        let mut is_one = false;
        for other in player.spelled.iter().filter_map(|&at| self.spelled.get(at)) {
            let agreement = agreement(other, spelling);
            if agreement == Agreement::Contradicts || self.have_met(other, spelling) {
                return false;
            }
            is_one |= agreement == Agreement::IsOne;
        }
        is_one
    }

    fn have_met(&self, a: &Spelled, b: &Spelled) -> bool {
        let met = |a: u64, b: u64| self.met.contains(&(a.min(b), a.max(b)));
        a.numbers.iter().any(|&a| b.numbers.iter().any(|&b| met(a, b)))
    }

    /// The players, those with the most games first.
    fn people(self) -> Vec<Person> {
        let mut people: Vec<Person> =
            self.players.iter().filter_map(|player| self.person(player)).collect();
        sort(&mut people);
        people
    }

    fn person(&self, player: &Player) -> Option<Person> {
        let spelled: Vec<&Spelled> =
            player.spelled.iter().filter_map(|&at| self.spelled.get(at)).collect();
        let is_full = |spelling: &&&Spelled| spelling.given == Given::Full;
        let has_full_name = self.is_full_name || spelled.iter().any(|spelling| is_full(&spelling));

        let mut by_initials: Vec<(String, u64)> = Vec::new();
        if has_full_name {
            let others = spelled.iter().filter(|spelling| !is_full(spelling));
            by_initials.extend(others.map(|other| (other.name.clone(), other.facts.games)));
        }
        by_initials.sort_by_key(|(_, games)| std::cmp::Reverse(*games));

        let most = spelled.iter().max_by_key(|spelling| spelling.facts.games)?;
        Some(Person {
            name: most.name.clone(),
            numbers: spelled.iter().flat_map(|spelling| &spelling.numbers).copied().collect(),
            games: player.facts.games,
            by_initials,
        })
    }
}

/// What the form of two spellings says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Agreement {
    /// They may be one player's.
    IsOne,
    /// They do not contradict each other, which is not enough to join them.
    MayBe,
    Contradicts,
}

fn agreement(a: &Spelled, b: &Spelled) -> Agreement {
    let first_letter = |name: &PersonName| {
        let given = name.given().next().filter(|_| name.is_order_known());
        given.and_then(|word| word.chars().next())
    };
    let letters = first_letter(&a.person).zip(first_letter(&b.person));
    if letters.is_some_and(|(a, b)| a != b) {
        return Agreement::Contradicts;
    }

    let Comparison { verdict, reasons } = compare(&a.person, &b.person);
    let is_other = verdict == Verdict::Different
        || reasons.has(NameReason::SimilarFamily)
        || reasons.has(NameReason::SimilarGiven);
    if is_other {
        return Agreement::Contradicts;
    }

    let is_part = reasons.has(NameReason::FamilyPart);
    if is_part && a.person.family().next() != b.person.family().next() {
        return Agreement::Contradicts;
    }
    if verdict >= Verdict::Likely {
        return Agreement::IsOne;
    }

    if reasons.has(NameReason::OtherNumber) {
        return if is_of_namesakes(a, b) { Agreement::IsOne } else { Agreement::Contradicts };
    }
    if reasons.has(NameReason::NoGivenName) { Agreement::IsOne } else { Agreement::MayBe }
}

/// Whether the numbers of two spellings are small, as they tell players of one name apart.
fn is_of_namesakes(a: &Spelled, b: &Spelled) -> bool {
    [a, b].iter().all(|spelling| spelling.person.number().is_none_or(|number| number < 10))
}
