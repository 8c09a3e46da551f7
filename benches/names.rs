//! Canonical names in a database: the share of differing spellings that end in one name, and time.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench names [-- --sample N]`. `twins.pgn` and `twins.tsv` have pairs of games from
//! two sources, each with the difference between the spellings of its players. Both players of a pair must end in one
//! canonical name after `stamma dedupe` and `stamma names --apply`. `human.pgn` is named as a whole. Times are of the
//! whole command; `--sample N` prints N joined spellings of each file for review.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use rusqlite::Connection;

/// The program that is measured.
const STAMMA: &str = env!("CARGO_BIN_EXE_stamma");

fn main() {
    let Some(corpus) = std::env::var_os("STAMMA_CORPUS").map(PathBuf::from) else {
        println!("skipped: STAMMA_CORPUS is not set");
        return;
    };
    let sample = sample_argument();
    let folder = tempfile::tempdir().expect("a temporary folder");

    for name in ["twins", "human"] {
        let pgn = corpus.join(name).with_extension("pgn");
        let database = folder.path().join(name).with_extension("db");
        println!("{name}.pgn");
        apply(&pgn, &database);

        let connection = Connection::open(&database).expect("a database");
        if name == "twins" {
            report(&connection, &corpus.join("twins.tsv"));
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
    let [import, quiet, dedupe, names] = ["import", "-q", "dedupe", "names"].map(Path::new);
    let [apply, undo] = ["--apply", "--undo"].map(Path::new);

    run(&[import, quiet, database, file]);
    run(&[dedupe, database]);
    run(&[names, database, apply]);
    run(&[names, database, undo]);
    run(&[names, database, apply]);
}

fn run(arguments: &[&Path]) {
    let mut command = Command::new(STAMMA);
    command.args(arguments).stdout(Stdio::null());

    let begin = Instant::now();
    let output = command.output().expect("stamma runs");
    assert!(output.status.success(), "{arguments:?}");
    let seconds = begin.elapsed().as_secs_f64();
    println!("  stamma {} in {seconds:.2} s", arguments[0].display());

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

    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[2] != "twins" {
            continue;
        }
        let names = |at: usize| &players[&fields[at].parse().expect("a number")];
        let (first, second) = (names(0), names(1));
        for side in 0..2 {
            let is_one = first[side] == second[side];
            let relation = fields[7 + side].to_owned();
            counts.entry(relation).or_default()[usize::from(is_one)] += 1;
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
