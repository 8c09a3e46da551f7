//! `stamma novelties`: how moves are numbered.

use crate::support::program::Workplace;
use serde_json::Value;

/// Two games that begin with Black's 31st move.
const LATE_STARTS: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 31\"]\n[Date \"2000.01.01\"]\n\n31... Kd7 32. e4 *\n\n\
     [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 31\"]\n[Date \"2001.01.01\"]\n\n31... Kd7 32. e3 *\n\n";

#[test]
fn moves_have_the_numbers_of_their_games() {
    let work = Workplace::new();
    work.import(LATE_STARTS);

    let table = work.output("novelties games.db");
    assert!(table.contains("  32. e3  "), "{table}");

    let csv = work.output("novelties games.db --format csv --min-games 0");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header").clone();

    let at = |column: &str| {
        header
            .iter()
            .position(|name| name == column)
            .expect("a column")
    };

    let columns = ["game", "ply", "san", "move_number"].map(at);
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.expect("a row");
        rows.push(columns.map(|column| row[column].to_owned()));
    }

    assert_eq!(rows, [["2", "2", "e3", "32."], ["1", "1", "Kd7", "31..."]]);
}

/// Another program may have written any number of half-moves, by which room is made for positions.
#[test]
fn wrong_numbers_of_half_moves_change_nothing() {
    let work = Workplace::new();
    work.import(LATE_STARTS);
    let expected = work.output("novelties games.db");

    for ply_count in [i64::MIN, i64::MAX / 4, i64::MAX] {
        let connection = rusqlite::Connection::open(work.path("games.db")).expect("a database");
        let sql = format!("UPDATE game SET ply_count = {ply_count}");
        connection.execute(&sql, []).expect("other numbers");

        assert_eq!(work.output("novelties games.db"), expected, "{ply_count}");
    }
}

#[test]
fn novelties_of_an_opening_have_the_numbers_of_their_games() {
    let work = Workplace::new();
    work.import(LATE_STARTS);

    let opening = "opening games.db 4k3/8/8/8/8/8/4P3/4K3";
    let json = work.output(&format!("{opening} --format json"));
    let report: Value = serde_json::from_str(&json).expect("JSON");

    let novelty = &report["novelties"][0];
    assert_eq!(novelty["san"], "e3");
    assert_eq!(novelty["move_number"], "32.");

    // 61 half-moves are before these games.
    let years = report["novelty_years"].as_array().expect("years");
    let plies: Vec<Option<f64>> = years
        .iter()
        .map(|year| year["average_ply"].as_f64())
        .collect();
    assert_eq!(plies, [Some(62.0), Some(63.0)]);

    let page = work.output(opening);
    assert!(page.contains("32. e3"), "{page}");
}
