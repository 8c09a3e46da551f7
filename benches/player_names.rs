//! Players found by name as people type it: the games found beside the games of all spellings, and games of others.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench player_names [-- --database FILE]`. `archive.pgn` is imported, unless a
//! database of it is given. `player_names/truth.tsv` has some 200 frequent players, each with the spellings that are
//! the player's, chosen by reading all spellings of the family name. Each is typed as "Firstname Surname", "surname
//! firstname" and "Surname F.", and `stamma player` must count all of these spellings and no others.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Instant;

use stamma::query::player::{PlayerQuery, PlayerRecord};
use stamma::query::{Filter, Watch};
use stamma::storage::Database;

#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;

use peer::corpus_file;
use process::named_or_imported;

/// The share of the players' games that must be found, in per cent.
const MIN_FOUND: f64 = 99.0;
/// The share of games of others among those found, in per cent.
const MAX_OTHERS: f64 = 0.5;
/// The number of players with faults to print.
const SHOWN: usize = 8;

/// The name of a player as people type it.
type Typed = fn(&Player<'_>) -> String;

/// A player of the table.
struct Player<'t> {
    given: &'t str,
    family: &'t str,
    spellings: Vec<&'t str>,
    /// Spellings that may be another player's.
    doubtful: Vec<&'t str>,
}

fn main() {
    let Some(pgn) = corpus_file("archive.pgn") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = named_or_imported(database_argument(), &pgn, folder.path());
    let database = Database::open(&path).expect("a database");
    let players = players(include_str!("player_names/truth.tsv"));

    let forms: [(&str, Typed); 3] = [
        ("Firstname Surname", typed),
        ("surname firstname", typed_backwards),
        ("Surname F.", typed_with_initial),
    ];
    for (form, typed) in forms {
        measure(&database, &players, form, typed);
    }
}

/// The path after `--database`.
fn database_argument() -> Option<PathBuf> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--database");
    arguments.nth(1).map(PathBuf::from)
}

fn typed(player: &Player<'_>) -> String {
    format!("{} {}", player.given, player.family)
}

fn typed_backwards(player: &Player<'_>) -> String {
    format!("{} {}", player.family, player.given).to_lowercase()
}

fn typed_with_initial(player: &Player<'_>) -> String {
    let initial = player.given.chars().next().unwrap_or_default();
    format!("{} {initial}.", player.family)
}

/// The players of the table, in which tabs separate given name, family name, the player's spellings, a bar and doubtful
/// spellings.
fn players(table: &str) -> Vec<Player<'_>> {
    let mut players = Vec::new();
    for line in table.lines() {
        if line.starts_with('#') {
            continue;
        }

        let mut fields = line.split('\t').filter(|field| !field.is_empty());
        let given = fields.next().expect("a name");
        let family = fields.next().expect("a name");
        let spellings = fields.by_ref().take_while(|field| *field != "|").collect();
        players.push(Player {
            given,
            family,
            spellings,
            doubtful: fields.collect(),
        });
    }
    players
}

/// The games of each spelling that a typed name finds.
fn games_by_spelling(database: &Database, name: &str) -> HashMap<String, u64> {
    let query = PlayerQuery {
        player: name.into(),
        opponent: None,
        filter: Filter::default(),
        limit: usize::MAX,
    };
    let record = PlayerRecord::read(database, &query, &Watch::new()).expect("a record");

    let mut games = HashMap::new();
    for (spelling, score) in record.spellings.rows {
        games.insert(spelling, score.all_games());
    }
    games
}

/// The games of a player, or of all players, by what a typed name finds.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// The games of all spellings of the player.
    all: u64,
    /// The games of these spellings that are found.
    right: u64,
    /// The games of these spellings that are not found.
    missing: u64,
    /// The games of other players that are found.
    others: u64,
}

impl Counts {
    /// Compares the spellings that a name finds with the spellings of its player.
    fn read(database: &Database, player: &Player<'_>, name: &str) -> Counts {
        let mut counts = Counts::default();
        let mut games_found = games_by_spelling(database, name);

        for &spelling in &player.spellings {
            // A name behind `=` finds this spelling alone.
            let exact_name = format!("={spelling}");
            let games: u64 = games_by_spelling(database, &exact_name).values().sum();
            counts.all += games;
            match games_found.remove(spelling) {
                Some(games) => counts.right += games,
                None => counts.missing += games,
            }
        }

        // Only spellings that are not the player's are left.
        for (spelling, games) in games_found {
            if !player.doubtful.contains(&&*spelling) {
                counts.others += games;
            }
        }
        counts
    }

    fn add(&mut self, other: Counts) {
        self.all += other.all;
        self.right += other.right;
        self.missing += other.missing;
        self.others += other.others;
    }
}

/// Counts what the names of all players find in one form, and prints the sums and the worst players.
///
/// # Panics
/// If a limit is exceeded.
fn measure(database: &Database, players: &[Player<'_>], form: &str, typed: Typed) {
    let begin = Instant::now();
    let mut total = Counts::default();
    // The most faults come first; of players with equally many, one is kept.
    let mut faults: BTreeMap<Reverse<u64>, String> = BTreeMap::new();

    for player in players {
        let name = typed(player);
        let counts = Counts::read(database, player, &name);
        total.add(counts);

        let Counts {
            missing, others, ..
        } = counts;
        let wrong = missing + others;
        if wrong > 0 {
            let fault = format!("{name}: {missing} missing, {others} of others");
            faults.insert(Reverse(wrong), fault);
        }
    }

    let Counts {
        all, right, others, ..
    } = total;
    let found = right + others;
    let found_share = 100.0 * right as f64 / all as f64;
    let others_share = 100.0 * others as f64 / found as f64;
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{form:18} {right} of {all} games found ({found_share:.2} %), {others} of others ({others_share:.2} %), {seconds:.1} s"
    );
    for fault in faults.values().take(SHOWN) {
        println!("    {fault}");
    }

    let is_right = found_share >= MIN_FOUND && others_share <= MAX_OTHERS;
    assert!(is_right, "{form}");
}
