//! Canonical names in a database: the share of differing spellings that end in one name, and time.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench names [-- --sample N]`. `twins.pgn` and `twins.tsv` have pairs of games from
//! two sources, each with the difference between the spellings of its players. Both players of a pair must end in one
//! canonical name after `stamma dedupe` and `stamma names --apply`. `human.pgn` is named as a whole. Times are of the
//! whole command; `--sample N` prints N joined spellings of each file for review.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::{Command, Stdio};

use rusqlite::Connection;

#[allow(dead_code, reason = "other benches read games with the peer")]
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;

use peer::{corpus_file, time};
use process::STAMMA;

fn main() {
    let sample = sample_argument();
    let folder = tempfile::tempdir().expect("a temporary folder");

    for name in ["twins", "human"] {
        let Some(pgn) = corpus_file(&format!("{name}.pgn")) else {
            return;
        };
        let database = folder.path().join(name).with_extension("db");
        println!("{name}.pgn");
        apply(&pgn, &database);

        // Only these games have a table of the truth.
        let connection = Connection::open(&database).expect("a database");
        if name == "twins" {
            report(&connection, &pgn.with_extension("tsv"));
        }
        if let Some(count) = sample {
            print_sample(&connection, count);
        }
    }
}

/// The number after `--sample`.
fn sample_argument() -> Option<i64> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--sample");
    arguments.nth(1)?.parse().ok()
}

/// Imports a file, marks its duplicates, and applies canonical names, undoes them and applies them again.
fn apply(file: &Path, database: &Path) {
    let mut import = Command::new(STAMMA);
    import.args(["import", "-q"]);
    import.arg(database);
    import.arg(file);
    run("import", &mut import);

    // Games that are marked as duplicates are evidence for names.
    for (name, option) in [
        ("dedupe", None),
        ("names", Some("--apply")),
        ("names", Some("--undo")),
        ("names", Some("--apply")),
    ] {
        let mut command = Command::new(STAMMA);
        command.arg(name);
        command.arg(database);
        command.args(option);
        run(name, &mut command);
    }
}

/// Runs a command of Stamma, and prints its time and what it says of joined names.
fn run(name: &str, command: &mut Command) {
    command.stdout(Stdio::null());

    let (output, taken) = time(|| command.output().expect("stamma runs"));
    // The exit code is 1 because some games have faults.
    let code = output.status.code();
    assert!(
        matches!(code, Some(0 | 1)),
        "{command:?} ends with {code:?}"
    );
    let seconds = taken.as_secs_f64();
    println!("  stamma {name} in {seconds:.2} s");

    for line in String::from_utf8_lossy(&output.stderr).lines() {
        if line.contains(" joined to ") {
            println!("    {line}");
        }
    }
}

/// The canonical names of the players of each game.
fn players(connection: &Connection) -> HashMap<i64, [String; 2]> {
    let sql = "SELECT id, coalesce(white_canonical, ''), coalesce(black_canonical, '') FROM games";
    let mut select = connection.prepare(sql).expect("SQL");
    let mut rows = select.query([]).expect("rows");

    let mut players = HashMap::new();
    while let Some(row) = rows.next().expect("a row") {
        let id = row.get(0).expect("a number");
        let white = row.get(1).expect("a name");
        let black = row.get(2).expect("a name");
        players.insert(id, [white, black]);
    }
    players
}

/// Prints, by kind of difference, the share of spellings that are one name.
fn report(connection: &Connection, table: &Path) {
    let players = players(connection);
    let table = std::fs::read_to_string(table).expect("a table");

    // By kind, the numbers of pairs that have different names, and one name.
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[2] != "twins" {
            continue;
        }

        // Imported into a new database, the games have the numbers that they have in the file.
        let names = |column: usize| {
            let id: i64 = fields[column].parse().expect("a number");
            &players[&id]
        };
        let first = names(0);
        let second = names(1);
        for side in 0..2 {
            let is_one = first[side] == second[side];
            let relation = fields[7 + side];
            let count = counts.entry(relation).or_default();
            count[usize::from(is_one)] += 1;
        }
    }

    for (relation, [apart, one]) in counts {
        let all = apart + one;
        let share = 100.0 * one as f64 / all as f64;
        println!("    {relation:12} {one:6} of {all:6} one name  {share:6.2} %");
    }
}

/// Prints evenly sampled spellings that have been joined, each with the most frequent spelling of its name.
fn print_sample(connection: &Connection, count: i64) {
    let sql = "WITH side AS (SELECT white_id AS player, date FROM game UNION ALL SELECT black_id, date FROM game),
        used AS (SELECT player.name AS spelling, count(*) AS games, min(nullif(substr(date, 1, 4), '????')) AS first,
            max(nullif(substr(date, 1, 4), '????')) AS last FROM side JOIN player ON player.id = side.player GROUP BY 1),
        ranked AS (SELECT player_name.*, games, first, last,
            row_number() OVER (PARTITION BY player_name.name ORDER BY games DESC, player_name.spelling) AS place
            FROM player_name JOIN used USING (spelling)),
        numbered AS (SELECT *, row_number() OVER (ORDER BY name, place) AS number, count(*) OVER () AS total
            FROM ranked WHERE place > 1)
        SELECT format('%s | %s %d %s-%s | %s %d %s-%s | %s %s', numbered.name, lead.spelling, lead.games, lead.first,
            lead.last, numbered.spelling, numbered.games, numbered.first, numbered.last, numbered.source, numbered.why)
        FROM numbered JOIN ranked AS lead ON lead.name = numbered.name AND lead.place = 1
        WHERE number * ?1 / total > (number - 1) * ?1 / total ORDER BY number";
    let mut select = connection.prepare(sql).expect("SQL");
    let rows = select
        .query_map([count], |row| row.get::<_, String>(0))
        .expect("rows");
    rows.for_each(|row| println!("join {}", row.expect("a row")));
}
