//! Players found by name as people type it: the games found beside the games of all spellings, and games of others.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench player_names [-- --database FILE]`. `archive.pgn` is imported, unless a
//! database of it is given. `player_names/truth.tsv` has some 200 frequent players, each with the spellings that are
//! the player's, chosen by reading all spellings of the family name. Each is typed as "Firstname Surname", "surname
//! firstname" and "Surname F.", and `stamma player` must count all of these spellings and no others.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use stamma::query::player::{PlayerQuery, PlayerRecord};
use stamma::query::{Filter, Watch};
use stamma::storage::Database;

/// The share of the players' games that must be found, in per cent.
const MIN_FOUND: f64 = 99.0;
/// The share of games of others among those found, in per cent.
const MAX_OTHERS: f64 = 0.5;
/// The number of players with faults to print.
const SHOWN: usize = 8;

struct Player<'t> {
    given: &'t str,
    family: &'t str,
    spellings: Vec<&'t str>,
    /// Spellings that may be another player's.
    doubtful: Vec<&'t str>,
}

fn main() {
    let Some(corpus) = std::env::var_os("STAMMA_CORPUS").map(PathBuf::from) else {
        println!("skipped: STAMMA_CORPUS is not set");
        return;
    };

    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = match database_argument() {
        Some(path) => path,
        None => imported(&corpus.join("archive.pgn"), folder.path()),
    };

    let database = Database::open(&path).expect("a database");
    let players = players(include_str!("player_names/truth.tsv"));
    for (form, typed) in [
        ("Firstname Surname", typed as fn(&Player<'_>) -> String),
        ("surname firstname", typed_backwards),
        ("Surname F.", typed_with_initial),
    ] {
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

fn imported(file: &Path, folder: &Path) -> PathBuf {
    let database = folder.join("archive.db");
    let mut import = Command::new(env!("CARGO_BIN_EXE_stamma"));
    import.args(["import", "-q"]).arg(&database).arg(file);
    let status = import.status().expect("stamma runs");
    // The exit code is 1 because some games have faults.
    assert!(status.code().is_some_and(|code| code < 2), "imported");
    database
}

fn players(table: &str) -> Vec<Player<'_>> {
    let mut players = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t').filter(|field| !field.is_empty());
        let given = fields.next().expect("a name");
        let family = fields.next().expect("a name");
        // Doubtful spellings follow a bar.
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

/// The games of spellings that are found for a typed name.
fn found(database: &Database, name: &str) -> HashMap<String, u64> {
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
        let mut games_found = found(database, name);

        for &spelling in &player.spellings {
            let exact_name = format!("={spelling}");
            let games: u64 = found(database, &exact_name).values().sum();
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

fn measure(
    database: &Database,
    players: &[Player<'_>],
    form: &str,
    typed: fn(&Player<'_>) -> String,
) {
    let begin = Instant::now();
    let mut total = Counts::default();
    let mut faults: BTreeMap<Reverse<u64>, String> = BTreeMap::new();

    for player in players {
        let name = typed(player);
        let counts = Counts::read(database, player, &name);
        total.add(counts);

        let Counts {
            missing, others, ..
        } = counts;
        if missing + others > 0 {
            let fault = format!("{name}: {missing} missing, {others} of others");
            faults.insert(Reverse(missing + others), fault);
        }
    }

    let Counts {
        all, right, others, ..
    } = total;
    let found_share = 100.0 * right as f64 / all as f64;
    let others_share = 100.0 * others as f64 / (right + others) as f64;
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{form:18} {right} of {all} games found ({found_share:.2} %), {others} of others ({others_share:.2} %), {seconds:.1} s"
    );
    for fault in faults.values().take(SHOWN) {
        println!("    {fault}");
    }
    assert!(
        found_share >= MIN_FOUND && others_share <= MAX_OTHERS,
        "{form}"
    );
}
