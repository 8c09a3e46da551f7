//! `stamma evaluations` of Parquet files, in the two forms that Lichess publishes.

use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::support::program::{Workplace, stderr_of, stdout_of};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
const AFTER_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";

enum Cells {
    Texts(Vec<Option<&'static str>>),
    Numbers(Vec<Option<i64>>),
}

/// The definition level of each cell: 1 with a value, 0 without.
fn definition_levels<T>(cells: &[Option<T>]) -> Vec<i16> {
    cells.iter().map(|cell| cell.is_some().into()).collect()
}

/// A file with optional columns, in row groups of two rows.
fn file(columns: &[(&str, Cells)]) -> Vec<u8> {
    const ROWS_OF_GROUP: usize = 2;

    let mut message = "message rows {".to_owned();
    for (name, cells) in columns {
        message += &match cells {
            Cells::Texts(_) => format!(" optional binary {name} (STRING);"),
            Cells::Numbers(_) => format!(" optional int64 {name};"),
        };
    }
    message += " }";

    let schema = Arc::new(parse_message_type(&message).expect("a schema"));
    let zstd = Compression::ZSTD(ZstdLevel::try_new(3).expect("a level"));
    let properties = Arc::new(WriterProperties::builder().set_compression(zstd).build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).expect("a file");

    let count = match &columns[0].1 {
        Cells::Texts(cells) => cells.len(),
        Cells::Numbers(cells) => cells.len(),
    };
    for first in (0..count).step_by(ROWS_OF_GROUP) {
        let rows = first..count.min(first + ROWS_OF_GROUP);
        let mut group = writer.next_row_group().expect("a row group");
        for (_, cells) in columns {
            let mut column = group.next_column().expect("a column").expect("a column");
            match cells {
                Cells::Texts(cells) => {
                    let cells = &cells[rows.clone()];
                    let levels = definition_levels(cells);
                    let texts: Vec<ByteArray> =
                        cells.iter().flatten().map(|&text| text.into()).collect();
                    column
                        .typed::<ByteArrayType>()
                        .write_batch(&texts, Some(&levels), None)
                        .expect("texts");
                }
                Cells::Numbers(cells) => {
                    let cells = &cells[rows.clone()];
                    let levels = definition_levels(cells);
                    let numbers: Vec<i64> = cells.iter().flatten().copied().collect();
                    column
                        .typed::<Int64Type>()
                        .write_batch(&numbers, Some(&levels), None)
                        .expect("numbers");
                }
            }

            column.close().expect("a column");
        }

        group.close().expect("a row group");
    }

    writer.into_inner().expect("a file")
}

/// A row for each line of play: two lines of a search, a shallower one, a mate, and a position that no game has.
fn of_searches() -> Vec<u8> {
    let other = "8/8/8/8/8/4k3/4p3/4K3 w - -";
    file(&[
        (
            "fen",
            Cells::Texts(vec![
                Some(START),
                Some(START),
                Some(START),
                Some(AFTER_E4),
                Some(other),
            ]),
        ),
        (
            "line",
            Cells::Texts(vec![
                Some("e2e4 e7e5 g1f3"),
                Some("d2d4"),
                Some("g1f3"),
                Some("e7e5"),
                None,
            ]),
        ),
        (
            "depth",
            Cells::Numbers(vec![Some(30), Some(30), Some(20), Some(25), Some(40)]),
        ),
        (
            "knodes",
            Cells::Numbers(vec![Some(9), Some(9), Some(900), Some(5), Some(1)]),
        ),
        (
            "cp",
            Cells::Numbers(vec![Some(31), Some(22), Some(-5), None, Some(0)]),
        ),
        (
            "mate",
            Cells::Numbers(vec![None, None, None, Some(-7), None]),
        ),
    ])
}

fn workplace() -> Workplace {
    let work = Workplace::new();
    work.import("[Result \"*\"]\n\n1. e4 e5 *\n");
    work
}

const STORED: &str = "SELECT group_concat(coalesce(centipawns, '#' || mate) || ' ' || coalesce(depth, '-') || ' '
    || coalesce(best_move, '-') || ' ' || coalesce(line, '-'), '; ') FROM (SELECT * FROM evaluation ORDER BY depth)";

#[test]
fn a_row_for_each_line_of_play() {
    let work = workplace();
    work.write("searches.parquet", of_searches());

    let run = work.stamma("evaluations games.db searches.parquet --line-moves 2");
    let stderr = stderr_of(&run.success());
    assert!(
        stderr.contains("5 evaluations, 4 of known positions, 2 stored"),
        "{stderr}"
    );

    // The deepest search, and of its lines the first.
    assert_eq!(work.query(STORED), "#-7 25 e7e5 e7e5; 31 30 e2e4 e2e4 e7e5");

    let sources = stdout_of(&work.stamma("evaluations games.db").success());
    assert!(
        sources.contains("file  searches.parquet          2"),
        "{sources}"
    );

    let run = work.stamma("evaluations games.db searches.parquet --line-moves 2");
    let stderr = stderr_of(&run.success());
    assert!(stderr.contains("0 stored"), "{stderr}");

    work.stamma("check games.db --full").success();
}

#[test]
fn it_stores_what_the_lines_of_json_store() {
    let lines = [
        format!(
            r#"{{"fen":"{START}","evals":[{{"pvs":[{{"cp":31,"line":"e2e4 e7e5 g1f3"}},{{"cp":22,"line":"d2d4"}}],"knodes":9,"depth":30}},{{"pvs":[{{"cp":-5,"line":"g1f3"}}],"knodes":900,"depth":20}}]}}"#
        ),
        format!(
            r#"{{"fen":"{AFTER_E4}","evals":[{{"pvs":[{{"mate":-7,"line":"e7e5"}}],"knodes":5,"depth":25}}]}}"#
        ),
    ];
    let rows = |name: &str, bytes: &[u8]| {
        let work = workplace();
        work.write(name, bytes);
        work.stamma(&format!("evaluations games.db {name} --line-moves 2"))
            .success();
        let of_rows = "SELECT group_concat(key || ' ' || data, '; ') FROM (SELECT * FROM evaluation_row ORDER BY key)";
        let of_lines = "SELECT group_concat(key || ' ' || line, '; ') FROM (SELECT * FROM evaluation_line ORDER BY key)";
        (work.query(of_rows), work.query(of_lines))
    };

    assert_eq!(
        rows("a.jsonl", lines.join("\n").as_bytes()),
        rows("a.parquet", &of_searches())
    );
}

/// The move is what a player has played, and not the best.
#[test]
fn a_row_for_each_position_of_games() {
    let work = workplace();
    let bytes = file(&[
        ("fen", Cells::Texts(vec![Some(START), Some(AFTER_E5)])),
        ("cp", Cells::Numbers(vec![Some(20), None])),
        ("mate", Cells::Numbers(vec![None, Some(3)])),
        ("move", Cells::Texts(vec![Some("a2a3"), None])),
    ]);
    work.write("moves.parquet", bytes);
    work.stamma("evaluations games.db moves.parquet").success();

    let sorted = "SELECT group_concat(score, '; ') FROM (
        SELECT coalesce(centipawns, '#' || mate) || coalesce(best_move, '') AS score FROM evaluation ORDER BY 1)";
    assert_eq!(work.query(sorted), "#3; 20");
}

#[test]
fn rows_that_are_no_evaluation_are_named() {
    let work = workplace();
    let bytes = file(&[
        (
            "fen",
            Cells::Texts(vec![Some(START), None, Some("no position"), Some(AFTER_E4)]),
        ),
        (
            "cp",
            Cells::Numbers(vec![Some(20), Some(20), Some(20), None]),
        ),
    ]);
    work.write("broken.parquet", bytes);

    let stderr = stderr_of(&work.stamma("evaluations games.db broken.parquet").code(1));
    for row in 2..=4 {
        let sentence = format!("broken.parquet, row {row}: this is no evaluation");
        assert!(stderr.contains(&sentence), "{stderr}");
    }
    assert!(
        stderr.contains("1 evaluation, 1 of known positions, 1 stored"),
        "{stderr}"
    );
}

#[test]
fn other_columns_are_refused() {
    let work = workplace();
    let texts = || Cells::Texts(vec![Some(START)]);

    for (columns, sentence) in [
        (
            vec![("movetext", texts())],
            "it has no column fen, so it has no evaluations",
        ),
        (
            vec![("fen", texts()), ("eval", Cells::Numbers(vec![Some(1)]))],
            "it has no column cp or mate, so it has no evaluations",
        ),
        (
            vec![("fen", texts()), ("cp", texts())],
            "its column cp is not a number",
        ),
    ] {
        work.write("other.parquet", file(&columns));
        let stderr = stderr_of(&work.stamma("evaluations games.db other.parquet").code(1));
        assert!(stderr.contains(sentence), "{stderr}");
    }

    // A file cut short is refused as one with games is.
    let mut bytes = of_searches();
    bytes.truncate(bytes.len() / 2);
    work.write("cut.parquet", bytes);

    let stderr = stderr_of(&work.stamma("evaluations games.db cut.parquet").code(1));
    assert!(stderr.contains("it is damaged or cut short"), "{stderr}");

    // And an import still wants games.
    work.write("searches.parquet", of_searches());
    let stderr = stderr_of(&work.stamma("import new.db searches.parquet"));
    assert!(
        stderr.contains("it has no column movetext, so it has no games"),
        "{stderr}"
    );
}
