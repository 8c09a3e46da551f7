//! Players found by name as people type it: the games found beside the games of all spellings, and games of others.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench player_names [-- --database FILE]`. `archive.pgn` is imported, unless a
//! database of it is given. `player_names/truth.tsv` has some 200 frequent players, each with the spellings that are
//! the player's, chosen by reading all spellings of the family name. Each is typed as "Firstname Surname", "surname
//! firstname" and "Surname F.", and `stamma player` must count all of these spellings and no others.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

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

    let arguments: Vec<String> = std::env::args().collect();
    let given = arguments
        .iter()
        .position(|argument| argument == "--database");
    let given = given
        .and_then(|at| arguments.get(at + 1))
        .map(PathBuf::from);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = given.unwrap_or_else(|| imported(&corpus.join("archive.pgn"), folder.path()));

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

fn measure(
    database: &Database,
    players: &[Player<'_>],
    form: &str,
    typed: fn(&Player<'_>) -> String,
) {
    let begin = Instant::now();
    let (mut all, mut right, mut wrong) = (0, 0, 0);
    let mut faults: BTreeMap<std::cmp::Reverse<u64>, String> = BTreeMap::new();

    for player in players {
        let name = typed(player);
        let mut games = found(database, &name);
        let (mut missing, mut others) = (0, 0);

        for &spelling in &player.spellings {
            let exact: u64 = found(database, &format!("={spelling}")).values().sum();
            all += exact;
            match games.remove(spelling) {
                Some(games) => right += games,
                None => missing += exact,
            }
        }
        for (spelling, games) in games {
            if !player.doubtful.contains(&&*spelling) {
                others += games;
            }
        }
        wrong += others;
        if missing + others > 0 {
            let fault = format!("{name}: {missing} missing, {others} of others");
            faults.insert(std::cmp::Reverse(missing + others), fault);
        }
    }

    let found_share = 100.0 * right as f64 / all as f64;
    let others_share = 100.0 * wrong as f64 / (right + wrong) as f64;
    println!(
        "{form:18} {right} of {all} games found ({found_share:.2} %), {wrong} of others ({others_share:.2} %), {:.1} s",
        begin.elapsed().as_secs_f64()
    );
    for fault in faults.values().take(8) {
        println!("    {fault}");
    }
    assert!(
        found_share >= MIN_FOUND && others_share <= MAX_OTHERS,
        "{form}"
    );
}
