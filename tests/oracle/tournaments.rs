//! Crosstables of past tournaments, compared with their published standings.

use crate::support::corpus;
use crate::support::program::Workplace;
use memchr::memmem;
use stamma::query::{Filter, NameQuery};
use stamma::storage::Database;
use stamma::study::tournament::{Crosstable, System, Tournament, Tournaments};

/// A tournament with its published standings: the event as the archive names it, its site, and its year.
struct Published {
    event: &'static str,
    site: &'static str,
    year: u16,
    system: System,
    /// The first players and their points, by a word of the name. Players with equal points are in any order.
    standings: &'static [(&'static str, f64)],
}

const fn published(
    event: &'static str,
    site: &'static str,
    year: u16,
    system: System,
    standings: &'static [(&'static str, f64)],
) -> Published {
    Published {
        event,
        site,
        year,
        system,
        standings,
    }
}

const DOUBLE: System = System::RoundRobin(2);
const SINGLE: System = System::RoundRobin(1);

#[rustfmt::skip]
const PUBLISHED: &[Published] = &[
    published("St Petersburg prel", "St Petersburg", 1914, SINGLE, &[("Capablanca", 8.0), ("Lasker", 6.5), ("Tarrasch", 6.5), ("Alekhine", 6.0), ("Marshall", 6.0), ("Bernstein", 5.0), ("Rubinstein", 5.0), ("Nimzowitsch", 4.0), ("Blackburne", 3.5), ("Janowsky", 3.5), ("Gunsberg", 1.0)]),
    published("New York", "New York", 1927, System::RoundRobin(4), &[("Capablanca", 14.0), ("Alekhine", 11.5), ("Nimzowitsch", 10.5), ("Vidmar", 10.0), ("Spielmann", 8.0), ("Marshall", 6.0)]),
    published("World Championship 18th", "NLD/URS", 1948, System::RoundRobin(5), &[("Botvinnik", 14.0), ("Smyslov", 11.0), ("Keres", 10.5), ("Reshevsky", 10.5), ("Euwe", 4.0)]),
    published("Candidats Tournament", "Budapest", 1950, DOUBLE, &[("Boleslavsky", 12.0), ("Bronstein", 12.0), ("Smyslov", 10.0), ("Keres", 9.5), ("Najdorf", 9.0), ("Kotov", 8.5), ("Stahlberg", 8.0), ("Flohr", 7.0), ("Lilienthal", 7.0), ("Szabo", 7.0)]),
    published("Candidats Tournament", "Zuerich", 1953, DOUBLE, &[("Smyslov", 18.0), ("Bronstein", 16.0), ("Keres", 16.0), ("Reshevsky", 16.0), ("Petrosian", 15.0), ("Geller", 14.5), ("Najdorf", 14.5), ("Kotov", 14.0), ("Taimanov", 14.0), ("Averbakh", 13.5), ("Boleslavsky", 13.5), ("Szabo", 13.0), ("Gligoric", 12.5), ("Euwe", 11.5), ("Stahlberg", 8.0)]),
    published("Candidats Tournament", "Bled/Zagreb/Belgrade", 1959, System::RoundRobin(4), &[("Tal", 20.0), ("Keres", 18.5), ("Petrosian", 15.5), ("Smyslov", 15.0), ("Fischer", 12.5), ("Gligoric", 12.5), ("Olafsson", 10.0), ("Benko", 8.0)]),
    published("Piatigorsky Cup", "Los Angeles", 1963, DOUBLE, &[("Keres", 8.5), ("Petrosian", 8.5), ("Najdorf", 7.5), ("Olafsson", 7.5), ("Reshevsky", 7.0), ("Gligoric", 6.0), ("Benko", 5.5), ("Panno", 5.5)]),
    published("Santa Monica", "Santa Monica", 1966, DOUBLE, &[("Spassky", 11.5), ("Fischer", 11.0), ("Larsen", 10.0), ("Portisch", 9.5), ("Unzicker", 9.5), ("Petrosian", 9.0), ("Reshevsky", 9.0), ("Najdorf", 8.0), ("Ivkov", 6.5), ("Donner", 6.0)]),
    published("Linares", "Linares", 1998, DOUBLE, &[("Anand", 7.5), ("Shirov", 7.0), ("Kasparov", 6.5), ("Kramnik", 6.5)]),
    published("SuperGM", "Linares ESP", 2000, DOUBLE, &[("Kasparov", 6.0), ("Kramnik", 6.0), ("Anand", 4.5), ("Khalifman", 4.5), ("Leko", 4.5), ("Shirov", 4.5)]),
    published("SuperGM", "Linares ESP", 2001, DOUBLE, &[("Kasparov", 7.5), ("Grischuk", 4.5), ("Karpov", 4.5), ("Leko", 4.5), ("Polgar", 4.5), ("Shirov", 4.5)]),
    published("Mtel Masters", "Sofia BUL", 2005, DOUBLE, &[("Topalov", 6.5), ("Anand", 5.5)]),
    published("WCh-FIDE", "San Luis ARG", 2005, DOUBLE, &[("Topalov", 10.0), ("Anand", 8.5), ("Svidler", 8.5), ("Morozevich", 7.0), ("Leko", 6.5), ("Adams", 5.5), ("Kasimdzhanov", 5.5), ("Polgar", 4.5)]),
    published("WCh", "Mexico City MEX", 2007, DOUBLE, &[("Anand", 9.0), ("Gelfand", 8.0), ("Kramnik", 8.0), ("Leko", 7.0), ("Svidler", 6.5), ("Aronian", 6.0), ("Morozevich", 6.0), ("Grischuk", 5.5)]),
    published("XXVI SuperGM", "Linares ESP", 2009, DOUBLE, &[("Grischuk", 8.0), ("Ivanchuk", 8.0), ("Carlsen", 7.5), ("Anand", 7.0)]),
    published("75th Tata Steel GpA", "Wijk aan Zee NED", 2013, SINGLE, &[("Carlsen", 10.0), ("Aronian", 8.5), ("Anand", 8.0), ("Karjakin", 8.0), ("Leko", 7.5), ("Nakamura", 7.0), ("Harikrishna", 6.5)]),
    published("FIDE Candidates", "London ENG", 2013, DOUBLE, &[("Carlsen", 8.5), ("Kramnik", 8.5), ("Aronian", 8.0), ("Svidler", 8.0), ("Gelfand", 6.5), ("Grischuk", 6.5), ("Ivanchuk", 6.0), ("Radjabov", 4.0)]),
    published("Supreme Masters 2013", "Sandnes NOR", 2013, SINGLE, &[("Karjakin", 6.0), ("Carlsen", 5.5), ("Nakamura", 5.5), ("Anand", 5.0), ("Aronian", 5.0), ("Svidler", 5.0), ("Wang", 4.5), ("Topalov", 4.0)]),
    published("FIDE Candidates 2014", "Khanty-Mansiysk RUS", 2014, DOUBLE, &[("Anand", 8.5), ("Karjakin", 7.5), ("Andreikin", 7.0), ("Kramnik", 7.0), ("Mamedyarov", 7.0), ("Aronian", 6.5), ("Svidler", 6.5), ("Topalov", 6.0)]),
    published("2nd Sinquefield Cup 2014", "Saint Louis USA", 2014, DOUBLE, &[("Caruana", 8.5), ("Carlsen", 5.5), ("Topalov", 5.0), ("Aronian", 4.0), ("Vachier", 4.0), ("Nakamura", 3.0)]),
    published("FIDE Candidates 2016", "Moscow RUS", 2016, DOUBLE, &[("Karjakin", 8.5), ("Anand", 7.5), ("Caruana", 7.5), ("Aronian", 7.0), ("Giri", 7.0), ("Nakamura", 7.0), ("Svidler", 7.0), ("Topalov", 4.5)]),
    published("FIDE Candidates 2018", "Berlin GER", 2018, DOUBLE, &[("Caruana", 9.0), ("Karjakin", 8.0), ("Mamedyarov", 8.0), ("Ding", 7.5), ("Grischuk", 6.5), ("Kramnik", 6.5), ("So", 6.0), ("Aronian", 4.5)]),
    // Two halves, a year apart: taken as one.
    published("FIDE Candidates 2020", "Yekaterinburg RUS", 2020, DOUBLE, &[("Nepomniachtchi", 8.5), ("Vachier", 8.0), ("Caruana", 7.5), ("Giri", 7.5), ("Ding", 7.0), ("Grischuk", 7.0), ("Alekseenko", 5.5), ("Wang", 5.0)]),
    published("Moscow Grand Prix 2017", "Moscow RUS", 2017, System::Swiss, &[("Ding", 6.0), ("Mamedyarov", 5.5)]),
    published("Geneva Grand Prix 2017", "Geneva SUI", 2017, System::Swiss, &[("Radjabov", 6.0), ("Grischuk", 5.5), ("Nepomniachtchi", 5.5)]),
    published("Palma De Mallorca GP 2017", "Palma de Mallorca ESP", 2017, System::Swiss, &[("Aronian", 5.5), ("Jakovenko", 5.5)]),
    published("FIDE Chess.com Grand Swiss", "Douglas ENG", 2019, System::Swiss, &[("Caruana", 8.0), ("Wang", 8.0)]),
    published("FIDE Grand Swiss 2021", "Riga LAT", 2021, System::Swiss, &[("Firouzja", 8.0), ("Caruana", 7.5)]),
];

/// Knock-outs of which the archive lacks games and matches: the winner, the other finalist, and the losers of the
/// semi-finals, in any order unless a match for the third place was played.
#[rustfmt::skip]
const KNOCK_OUTS: &[(&str, &str, u16, [&str; 4])] = &[
    ("FIDE-Wch k.o.", "Groningen", 1997, ["Anand", "Adams", "Gelfand", "Short"]),
    ("FIDE-Wch k.o.", "Las Vegas", 1999, ["Khalifman", "Akopian", "Adams", "Nisipeanu"]),
    ("FIDE WCh KO", "Moscow RUS", 2001, ["Ponomariov", "Ivanchuk", "Anand", "Svidler"]),
    ("FIDE WCh KO", "Tripoli LBA", 2004, ["Kasimdzhanov", "Adams", "Radjabov", "Topalov"]),
    ("World Cup", "Khanty-Mansiysk RUS", 2007, ["Kamsky", "Shirov", "Carlsen", "Karjakin"]),
    ("World Cup", "Khanty-Mansiysk RUS", 2009, ["Gelfand", "Ponomariov", "Karjakin", "Malakhov"]),
    ("FIDE World Cup 2011", "Khanty-Mansiysk RUS", 2011, ["Svidler", "Grischuk", "Ivanchuk", "Ponomariov"]),
    ("FIDE World Cup 2013", "Tromso NOR", 2013, ["Kramnik", "Andreikin", "Tomashevsky", "Vachier"]),
    ("FIDE World Cup 2015", "Baku AZE", 2015, ["Karjakin", "Svidler", "Eljanov", "Giri"]),
    ("FIDE World Cup 2017", "Tbilisi GEO", 2017, ["Aronian", "Ding", "So", "Vachier"]),
    ("FIDE World Cup 2019", "Khanty-Mansiysk RUS", 2019, ["Radjabov", "Ding", "Vachier", "Yu"]),
    ("FIDE World Cup 2021", "Krasnaya Polyana RUS", 2021, ["Duda", "Karjakin", "Carlsen", "Fedoseev"]),
    ("FIDE World Cup 2023", "Baku AZE", 2023, ["Carlsen", "Praggnanandhaa", "Caruana", "Abasov"]),
];

#[test]
fn published_knock_outs() {
    let Some(archive) = corpus::read("archive.pgn") else {
        return;
    };
    let work = Workplace::new();
    let path = work.path("games.db");

    let is_listed = |name: &[u8]| {
        let mut events = KNOCK_OUTS.iter().map(|(event, ..)| event.as_bytes());
        events.any(|event| event == name)
    };
    work.import(games_of(&archive, is_listed));
    let database = Database::open(&path).expect("a database");

    for &(event, site, year, expected) in KNOCK_OUTS {
        let published = published(event, site, year, System::KnockOut, &[]);
        let tournament = tournament(&database, &published);
        let crosstable = Crosstable::read(&[&database], &tournament).expect("a crosstable");
        assert_eq!(crosstable.system, System::KnockOut, "{event} {year}");

        let first = crosstable.standings.iter().take(4);
        let mut found: Vec<&str> = first
            .filter_map(|one| one.name.split([' ', ',']).next())
            .collect();
        let mut expected = expected.to_vec();

        // Without a match for the third place, the losers of the semi-finals are equal.
        let mut matches = crosstable.matches.iter();
        if !matches.any(|one| one.is_for_third_place) {
            found[2..].sort_unstable();
            expected[2..].sort_unstable();
        }
        assert_eq!(found, expected, "{event} {year}");
    }
}

#[test]
fn published_standings() {
    let Some(archive) = corpus::read("archive.pgn") else {
        return;
    };
    let work = Workplace::new();
    let path = work.path("games.db");

    let is_listed = |name: &[u8]| {
        let mut events = PUBLISHED.iter().map(|published| published.event.as_bytes());
        events.any(|event| event == name)
    };
    work.import(games_of(&archive, is_listed));
    let database = Database::open(&path).expect("a database");

    for published in PUBLISHED {
        let tournament = tournament(&database, published);
        let crosstable = Crosstable::read(&[&database], &tournament).expect("a crosstable");
        let Published { event, year, .. } = published;

        assert_eq!(crosstable.system, published.system, "{event} {year}");

        let first = crosstable.standings.iter().take(published.standings.len());
        let mut found: Vec<(&str, f64)> = Vec::new();

        for standing in first {
            let words: Vec<&str> = standing.name.split([' ', ',']).collect();
            let mut names = published.standings.iter().map(|(name, _)| *name);

            let name = names.find(|name| words.contains(name));
            let name = name.unwrap_or_else(|| panic!("{event} {year}: {}", standing.name));
            found.push((name, standing.points()));
        }

        let mut expected = published.standings.to_vec();
        sort_by_points(&mut found);
        sort_by_points(&mut expected);
        assert_eq!(found, expected, "{event} {year}");
    }
}

/// Sorts standings by descending points, then by name, as sources order players with equal points by other rules.
fn sort_by_points(standings: &mut [(&str, f64)]) {
    standings.sort_by(|(name, points), (other_name, other_points)| {
        let by_points = other_points.total_cmp(points);
        by_points.then(name.cmp(other_name))
    });
}

fn tournament(database: &Database, published: &Published) -> Tournament {
    let name = |text: &str| {
        vec![NameQuery {
            text: text.to_owned(),
            is_exact: true,
        }]
    };

    let filter = Filter {
        event: name(published.event),
        site: name(published.site),
        ..Filter::default()
    };
    let tournaments = Tournaments::read(&[database], &filter).expect("tournaments");
    let mut list = tournaments.list;

    // An event of several years is several tournaments, except the one that was interrupted for a year.
    if published.event != "FIDE Candidates 2020" {
        list.retain(|tournament| tournament.is_of_year(published.year));
        assert_eq!(list.len(), 1, "{} {}", published.event, published.year);
    }

    Tournament::join(list).expect(published.event)
}

/// The games of some events, cut from the archive by plain search, so that its other games need no import.
fn games_of(archive: &[u8], is_listed: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let head = b"\n[Event \"";
    let heads = memmem::find_iter(archive, head);

    // The first game has no line break before its tag.
    let mut starts = vec![0];
    starts.extend(heads.map(|at| at + 1));
    starts.push(archive.len());

    let mut games = Vec::new();
    for range in starts.windows(2) {
        let game = &archive[range[0]..range[1]];

        // The name stands behind the head, without the line break before it.
        let value = game.get(head.len() - 1..).unwrap_or_default();
        let name = value.split(|byte| *byte == b'"').next();
        if is_listed(name.unwrap_or_default()) {
            games.extend_from_slice(game);
        }
    }

    assert!(!games.is_empty());

    games
}
