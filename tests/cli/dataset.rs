//! Data sets of Parquet files.

mod runs;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;
use stamma::board::Position;

use crate::support::program::{Workplace, games, stderr_of};

type Row = BTreeMap<String, Field>;

/// The files below a folder, with their contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("a path in it").to_owned();
                found.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }

    found
}

/// The rows of all files of a table.
fn rows(data: &Path, table: &str) -> Vec<Row> {
    let tables = files(data)
        .into_keys()
        .filter(|path| path.starts_with(table));
    let mut rows = Vec::new();
    for path in tables {
        let file = File::open(data.join(path)).expect("a file");
        let reader = SerializedFileReader::new(file).expect("a Parquet file");

        for row in reader.get_row_iter(None).expect("rows") {
            let row = row.expect("a row");
            let cells = row.get_column_iter();
            let owned = cells.map(|(name, value)| (name.clone(), value.clone()));
            rows.push(owned.collect());
        }
    }

    rows
}

/// Each table's rows and digest, added up over all parts.
fn sums(data: &Path) -> BTreeMap<String, (u64, u128)> {
    let mut sums = BTreeMap::new();
    for (path, text) in files(data) {
        if !path.starts_with("_manifest") {
            continue;
        }

        let manifest: Value = serde_json::from_slice(&text).expect("JSON");
        for (table, entry) in manifest["tables"].as_object().expect("tables") {
            let hexadecimal = entry["digest"].as_str().expect("a digest");
            let digest = u128::from_str_radix(hexadecimal, 16).expect("a number");
            let rows = entry["rows"].as_u64().expect("a number of rows");

            // A digest is a sum over rows, so that parts add up to the whole.
            let sum: &mut (u64, u128) = sums.entry(table.clone()).or_default();
            sum.0 += rows;
            sum.1 = sum.1.wrapping_add(digest);
        }
    }

    sums
}

fn int(row: &Row, column: &str) -> Option<i64> {
    let value = match &row[column] {
        Field::Null => return None,
        Field::Long(value) => *value,
        // A date is the number of days since 1970.
        Field::Int(value) | Field::Date(value) => i64::from(*value),
        Field::Short(value) => i64::from(*value),
        other => panic!("{column} is {other:?}"),
    };
    Some(value)
}

fn text<'r>(row: &'r Row, column: &str) -> Option<&'r str> {
    match &row[column] {
        Field::Null => None,
        Field::Str(text) => Some(text),
        other => panic!("{column} is {other:?}"),
    }
}

fn dataset(work: &Workplace, arguments: &str) -> PathBuf {
    let run = work.stamma(&format!("dataset -q {arguments}"));
    let code = run.get_output().status.code();
    assert!(
        matches!(code, Some(0 | 1)),
        "{arguments} ended with {code:?}"
    );

    let mut words = arguments.split(' ').skip_while(|word| *word != "-o");
    work.path(words.nth(1).expect("a folder behind -o"))
}

/// Games with what columns have to hold.
const GAMES: &str = "[Event \"Rated Blitz\"]\n[Site \"https://lichess.org/abcd1234\"]\n\
    [Date \"2017.04.01\"]\n[Round \"-\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\
    [WhiteElo \"1500\"]\n[BlackElo \"1501?\"]\n[WhiteRatingDiff \"+5\"]\n[BlackRatingDiff \"-12\"]\n\
    [UTCDate \"2017.04.01\"]\n[UTCTime \"11:32:01\"]\n[ECO \"B00\"]\n[Opening \"King's Pawn\"]\n\
    [TimeControl \"300+0\"]\n[Termination \"Normal\"]\n[Annotator \"x\"]\n[Annotator \"y\"]\n\n\
    1. e4 {[%clk 0:05:00] [%eval 0.35]} e5 {[%clk 0:04:59.5] [%eval #-3]} 2. Nf3 Nc6 3. Ng1 Nb8 1-0\n\n\
    [Event \"?\"]\n[Date \"1999.??.??\"]\n[White \"Cat\"]\n[Black \"Dog\"]\n[Result \"1/2-1/2\"]\n\
    [Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1\"]\n\n\
    1. Ng3 Ng6 2. e4 1/2-1/2\n";

#[test]
fn values_of_tags_are_in_columns_of_their_types() {
    let work = Workplace::new();
    work.write("in.pgn", GAMES);

    let data = dataset(&work, "in.pgn -o data");
    let rows = rows(&data, "games");
    let [first, second] = &rows[..] else {
        panic!("two games")
    };

    // A rating with a question mark is no number, and stays among the other tags.
    assert_eq!(text(first, "Site"), Some("https://lichess.org/abcd1234"));
    assert_eq!(int(first, "WhiteElo"), Some(1500));
    assert_eq!(int(first, "BlackElo"), None);
    assert_eq!(int(first, "WhiteRatingDiff"), Some(5));
    assert_eq!(int(first, "BlackRatingDiff"), Some(-12));
    // Days since 1970.
    assert_eq!(int(first, "UTCDate"), Some(17257));
    assert_eq!(text(first, "UTCTime"), Some("11:32:01"));
    assert_eq!(text(first, "opening_eco"), Some("C20"));
    assert_eq!(int(first, "ply_count"), Some(6));
    assert_eq!(int(first, "byte_offset"), Some(0));
    assert_eq!(text(first, "source"), Some("in.pgn"));

    let movetext = "1. e4 {[%clk 0:05:00] [%eval 0.35]} 1... e5 {[%clk 0:04:59.5] [%eval #-3]} \
        2. Nf3 Nc6 3. Ng1 Nb8 1-0";
    assert_eq!(text(first, "movetext"), Some(movetext));
    assert_eq!(
        first["tags"].to_string(),
        "{\"BlackElo\" -> \"1501?\", \"Annotator\" -> \"x\", \"Annotator\" -> \"y\"}"
    );

    assert_eq!(text(second, "Date"), Some("1999.??.??"));
    assert_eq!(text(second, "Variant"), Some("Chess960"));
    assert_eq!(text(second, "Event"), Some("?"));
    assert_eq!(text(second, "Site"), None);
    assert_eq!(second["tags"].to_string(), "{\"SetUp\" -> \"1\"}");
}

#[test]
fn a_position_is_there_once_in_a_game() {
    let work = Workplace::new();
    work.write("in.pgn", GAMES);

    let data = dataset(&work, "in.pgn -o data --fen");
    let game = rows(&data, "games")
        .iter()
        .find_map(|game| int(game, "game_id"));
    let mut positions = rows(&data, "positions");
    positions.retain(|row| int(row, "game_id") == game);
    positions.sort_by_key(|row| int(row, "ply"));

    let mut shown = Vec::new();
    for row in &positions {
        let fen = text(row, "fen").expect("a FEN");
        let position = Position::from_fen(fen).expect("a legal position");
        assert_eq!(int(row, "zobrist"), Some(position.key().cast_signed()));
        assert_eq!(fen.split(' ').count(), 4);

        let ply = int(row, "ply").expect("a ply");
        shown.push((ply, text(row, "uci").unwrap_or("end")));
    }

    // The position after the sixth half-move is that after the second.
    let expected = [
        (0, "e2e4"),
        (1, "e7e5"),
        (2, "g1f3"),
        (3, "b8c6"),
        (4, "f3g1"),
        (5, "c6b8"),
    ];

    assert_eq!(shown, expected);

    let row = &positions[0];
    assert_eq!(text(row, "Result"), Some("1-0"));
    assert_eq!(int(row, "WhiteElo"), Some(1500));
    assert_eq!(int(row, "BlackElo"), None);
    assert_eq!(int(row, "year"), Some(2017));
}

#[test]
fn plies_have_what_a_database_knows() {
    let work = Workplace::new();
    work.import("[Result \"*\"]\n\n1. e4 {[%eval 0.5]} e5 *\n\n[Variant \"Three-check\"]\n[Result \"*\"]\n\n1. e4 *\n");
    work.write(
        "known.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 31; acd 30; pv d4 d5;\n\
        rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - dm 7; acd 12;\n",
    );
    work.stamma("evaluations games.db known.epd").success();

    let data = dataset(&work, "games.db -o data --with-plies --evaluations --fen");
    let shown: Vec<String> = rows(&data, "plies")
        .iter()
        .map(|row| {
            let cells = [
                "ply",
                "san",
                "eval_cp",
                "position_cp",
                "position_mate",
                "position_depth",
                "best_move",
            ];
            cells.map(|column| row[column].to_string()).join(" ")
        })
        .collect();

    insta::assert_snapshot!(shown.join("\n"), @r#"
    0 "e4" 50 31 null 30 "d2d4"
    1 "e5" null 50 null null null
    2 null null null 7 12 null
    0 "e4" null null null null null
    1 null null null null null null
    "#);

    let run = work.stamma("dataset in.pgn -o files --with-plies --evaluations");
    let stderr = stderr_of(&run.code(2));
    assert!(
        stderr.contains("--evaluations needs a database"),
        "{stderr}"
    );

    let stderr = stderr_of(&work.stamma("dataset games.db -o data --with-plies").code(2));
    assert!(stderr.contains("with plies, with evaluations"), "{stderr}");
}

#[test]
fn plies_have_clocks_and_evaluations() {
    let work = Workplace::new();
    work.write("in.pgn", GAMES);

    let data = dataset(&work, "in.pgn -o data --with-plies --max-ply 2");
    let plies = rows(&data, "plies");
    let shown: Vec<String> = plies
        .iter()
        .map(|row| {
            let cells = [
                "ply",
                "san",
                "uci",
                "clock",
                "eval_cp",
                "eval_mate",
                "Result",
            ];
            cells.map(|column| row[column].to_string()).join(" ")
        })
        .collect();

    insta::assert_snapshot!(shown.join("\n"), @r#"
    0 "e4" "e2e4" 300.0 35 null "1-0"
    1 "e5" "e7e5" 299.5 null -3 "1-0"
    2 "Nf3" "g1f3" null null null "1-0"
    0 "Ng3" "f1g3" null null null "1/2-1/2"
    1 "Ng6" "f8g6" null null null "1/2-1/2"
    2 "e4" "e2e4" null null null "1/2-1/2"
    "#);
}

#[test]
fn the_layout_of_lichess_has_its_columns_alone() {
    let work = Workplace::new();
    work.write("in.pgn", GAMES);

    let data = dataset(&work, "in.pgn -o data --schema lichess");
    let paths: Vec<PathBuf> = files(&data)
        .into_keys()
        .filter(|path| !path.starts_with("_manifest"))
        .collect();
    let [success, path] = &paths[..] else {
        panic!("one table, but {paths:?}")
    };

    assert_eq!(success, Path::new("_SUCCESS"));

    // The columns of the sets that Lichess publishes, and two more for games from other starts.
    let file = File::open(data.join(path)).expect("a file");
    let reader = SerializedFileReader::new(file).expect("Parquet");
    let schema = reader.metadata().file_metadata().schema();
    let columns: Vec<&str> = schema
        .get_fields()
        .iter()
        .map(|field| field.name())
        .collect();

    assert_eq!(
        columns.join(" "),
        "Event Site White Black Result WhiteTitle BlackTitle WhiteElo BlackElo \
        WhiteRatingDiff BlackRatingDiff UTCDate UTCTime ECO Opening Termination TimeControl movetext \
        FEN Variant"
    );

    let time = &rows(&data, "games")[0]["UTCTime"];
    assert_eq!(time, &Field::TimeMillis(((11 * 60 + 32) * 60 + 1) * 1000));
}

#[test]
fn the_layout_of_lichess_keeps_start_positions_and_variants() {
    let work = Workplace::new();
    let setup = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
        [FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n1. O-O O-O *\n\n";
    work.write("in.pgn", format!("{GAMES}{setup}"));
    dataset(&work, "in.pgn -o data --schema lichess");

    // The games as they are read back from the data set.
    let out = work.output("convert data");
    assert!(out.contains("[Variant \"Chess960\"]"), "{out}");
    assert!(
        out.contains("\n9. O-O O-O *\n") || out.contains("O-O"),
        "{out}"
    );
    assert!(out.contains("[SetUp \"1\"]\n[FEN \"bqnb1rkr/"), "{out}");
    assert_eq!(
        out.matches("[SetUp ").count(),
        out.matches("[FEN ").count(),
        "{out}"
    );

    // A start that was lost would make its moves illegal.
    work.stamma("convert data -o again.pgn --problems problems.jsonl");
    let problems = work.read("problems.jsonl");
    assert!(!problems.contains("illegal-move"), "{problems}");
    assert!(!problems.contains("fen-without-setup"), "{problems}");
}

macro_rules! is_the_same_from_a_database {
    ($($name:ident: $options:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            let path = games();
            let path = path.display();
            work.stamma(&format!("import -q games.db {path}"));

            let from_pgn = sums(&dataset(&work, &format!("{path} -o pgn {}", $options)));
            let from_database = sums(&dataset(&work, &format!("games.db -o db {}", $options)));
            assert!(from_pgn["games"].0 > 0);
            assert_eq!(from_pgn, from_database);
        }
    )*};
}

is_the_same_from_a_database! {
    of_all_games: "--with-plies";
    of_a_player: "--player fischer";
    of_high_ratings: "--elo 2600 --max-ply 20";
    of_a_pattern: "--material KRPkr";
    of_a_variant: "--variant chess960 --with-plies";
    of_lichess: "--schema lichess";
}

#[test]
fn games_of_any_kind_are_the_same_from_a_database() {
    let work = Workplace::new();
    let text = format!(
        "{GAMES}\n1. e4 (1. d4 d5 {{so}}) e5 $1 2. Qh7 broken *\n\n% between games\n\n\
        [Event \"Atomic\"]\n[Variant \"Atomic\"]\n\n1. e4 e5\n2. Nf3 *\n\n[Event \"none\"]\n\n*\n"
    );
    work.import(&text);

    let from_pgn = sums(&dataset(&work, "in.pgn -o pgn --with-plies"));
    assert_eq!(
        from_pgn,
        sums(&dataset(&work, "games.db -o db --with-plies"))
    );
    assert!(from_pgn["problems"].0 > 0);
}

/// Many games in one file, so that it can be cut.
fn one_file(work: &Workplace) {
    // In the order of their names.
    let mut text: Vec<u8> = Vec::new();
    for (path, content) in files(&games()) {
        let is_pgn = path.extension().is_some_and(|extension| extension == "pgn");
        if is_pgn {
            text.extend(content);
            text.extend(b"\n\n");
        }
    }

    work.write("all.pgn", text);
}

#[test]
fn shards_add_up_to_the_whole() {
    let work = Workplace::new();
    one_file(&work);

    let options = "--input-encoding latin1 --input-pieces en";
    let whole = sums(&dataset(&work, &format!("all.pgn -o whole {options}")));
    let data = work.path("parts");

    for shard in [3, 1, 4, 2] {
        assert!(!data.join("_SUCCESS").exists(), "before shard {shard}");
        dataset(
            &work,
            &format!("all.pgn -o parts --shard {shard}/4 {options}"),
        );
    }
    assert!(data.join("_SUCCESS").exists());
    assert_eq!(sums(&data), whole);

    let games = rows(&data, "games");
    let mut ids: Vec<_> = games.iter().map(|game| int(game, "game_id")).collect();
    ids.sort_unstable();
    ids.dedup();

    assert_eq!(ids.len(), games.len());

    let before = files(&data);
    dataset(
        &work,
        &format!("all.pgn -o parts --shard 2/4 {options} --threads 1"),
    );
    assert!(
        files(&data) == before,
        "a shard that is written twice is the same"
    );
}

#[test]
fn shards_of_a_database_add_up_to_the_whole() {
    let work = Workplace::new();
    work.stamma(&format!("import -q games.db {}", games().display()));

    let whole = sums(&dataset(&work, "games.db -o whole"));
    for shard in 1..=3 {
        dataset(&work, &format!("games.db -o parts --shard {shard}/3"));
    }

    assert_eq!(sums(&work.path("parts")), whole);
    assert!(work.path("parts/_SUCCESS").exists());
}

#[test]
fn the_same_run_writes_the_same_bytes() {
    let work = Workplace::new();
    let path = games();
    let arguments = format!("{} --fen --with-plies --bloom", path.display());
    let one = files(&dataset(&work, &format!("{arguments} -o one --threads 1")));
    let other = files(&dataset(
        &work,
        &format!("{arguments} -o other --threads 4 --memory 128M"),
    ));

    assert!(one == other);
    assert!(one.keys().all(|path| !path.starts_with("_temporary")));
}

#[test]
fn a_damaged_manifest_is_named() {
    let work = Workplace::new();
    work.write("in.pgn", GAMES);
    let data = dataset(&work, "in.pgn -o data --buckets 1");
    // JSON that is cut off, as after a full disk.
    let folder = data.join("_manifest");
    let manifests = files(&folder);
    let name = manifests.keys().next().expect("a manifest");
    fs::write(folder.join(name), "{\"rows\": ").expect("a file");

    let run = work.stamma("dataset in.pgn -o data --buckets 1 --elo 1000..");
    let stderr = stderr_of(&run.failure());
    assert!(stderr.contains("this could not be read"), "{stderr}");
    assert!(stderr.contains(&*name.to_string_lossy()), "{stderr}");
}

#[test]
fn files_are_named_by_the_options_that_change_rows() {
    let work = Workplace::new();
    work.write("in.pgn", GAMES);

    let named = |options: &str| {
        let folder = options.replace([' ', '='], "_");
        let data = dataset(
            &work,
            &format!("in.pgn -o data{folder} {options} --buckets 1"),
        );
        let manifests = files(&data.join("_manifest")).into_keys();
        manifests
            .map(|path| path.display().to_string())
            .collect::<String>()
    };

    let name = named("--elo 1000..2000 --result 1-0");
    for same in [
        "--result=1-0 --threads 1 --elo 1000..2000",
        "--elo 1000..2000 --memory 128M --result 1-0",
    ] {
        assert_eq!(named(same), name, "{same}");
    }

    let others = [
        "--result 1-0",
        "--elo 1000.. --result 1-0",
        "--elo 1000..2000 --result 1-0 --exact --white Ann",
        "--elo 1000..2000 --result 1-0 --max-game 1M",
        "--elo 1000..2000 --result 1-0 --input-pieces en",
        "--elo 1000..2000 --result 1-0 --id-salt x",
    ];
    for other in others {
        assert_ne!(named(other), name, "{other}");
    }
}

#[test]
fn positions_are_counted_as_by_a_search() {
    let work = Workplace::new();
    let path = games();
    work.stamma(&format!("import -q games.db {}", path.display()));

    let data = dataset(&work, "games.db -o data --buckets 4");
    let positions = rows(&data, "positions");

    for moves in [
        "e4",
        "e4 c5",
        "d4 Nf6 c4 e6",
        "e4 e5 Nf3 Nc6 Bb5",
        "h4 h5 a4 a5",
    ] {
        let mut position = Position::start();
        for san in moves.split(' ') {
            let san = stamma::notation::San::parse(san.as_bytes()).expect("a move");
            let resolved = san.resolve(&position).expect("a legal move");
            position.play(resolved.mv);
        }

        let key = position.key().cast_signed();
        // The keys are unsigned numbers in columns of signed ones.
        let is_here = |row: &&Row| int(row, "zobrist") == Some(key);
        let count = positions.iter().filter(is_here).count();

        let search = ["search", "games.db", "--format", "count", moves];
        let found = crate::support::program::stdout_of(&work.run(search));
        assert_eq!(found.trim(), count.to_string(), "{moves}");
    }
}

#[test]
fn files_are_sorted_and_divided_by_key() {
    let work = Workplace::new();
    let data = dataset(&work, &format!("{} -o data --buckets 4", games().display()));

    for bucket in 0..4 {
        let rows = rows(&data, &format!("positions/bucket={bucket}"));
        assert!(!rows.is_empty());

        let order = |row: &Row| (int(row, "zobrist"), int(row, "game_id"), int(row, "ply"));
        assert!(rows.is_sorted_by_key(order));

        // The first two bits of a signed key are a number from -2 to 1.
        let bucket_of = |row: &Row| {
            let key = int(row, "zobrist").expect("a key");
            (key >> 62) + 2
        };

        assert!(rows.iter().all(|row| bucket_of(row) == bucket));
    }
}

/// The bytes of a column's pages in the first row group. The last page ends with them.
fn page_bytes(path: &Path, column: &str) -> std::ops::Range<usize> {
    let file = File::open(path).expect("a file");
    let reader = SerializedFileReader::new(file).expect("Parquet");
    let group = reader.metadata().row_group(0);

    let chunk = group
        .columns()
        .iter()
        .find(|one| one.column_path().string() == column)
        .expect("the column");
    let (start, length) = chunk.byte_range();
    let end = start + length;

    start as usize..end as usize
}

#[test]
fn a_flipped_bit_in_a_page_is_an_error() {
    let work = Workplace::new();
    let data = dataset(
        &work,
        &format!("{} -o data --part-name all", games().display()),
    );
    let path = data.join("games/all.parquet");
    let whole = fs::read(&path).expect("a file");
    work.stamma("convert data/games/all.parquet").success();

    for column in ["movetext", "White", "tags.key_value.value"] {
        let bytes = page_bytes(&path, column);
        for at in [bytes.end - 1, bytes.end - 9] {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(&path, flipped).expect("a file");

            let run = work.stamma("convert data/games/all.parquet").code(2);
            let stderr = stderr_of(&run);
            assert!(stderr.contains("data/games/all.parquet"), "{stderr}");
            assert!(stderr.contains("checksum"), "{column}, {at}: {stderr}");
        }
    }
}

#[test]
fn parts_of_one_form_join_a_data_set() {
    let work = Workplace::new();
    work.write("one.pgn", GAMES);
    work.write("other.pgn", GAMES.replace("Ann", "Eve"));
    dataset(&work, "one.pgn -o data");

    let data = dataset(&work, "other.pgn -o data");
    assert_eq!(rows(&data, "games").len(), 4);

    let refused = work
        .stamma("dataset other.pgn -o data --buckets 2")
        .failure();
    insta::assert_snapshot!(stderr_of(&refused), @"stamma: data: this data set has the schema stamma-1 with 16 buckets of positions, not the schema stamma-1 with 2 buckets of positions; choose another folder");
}

macro_rules! refused {
    ($($name:ident: $arguments:literal, @$message:literal;)*) => {$(
        #[test]
        fn $name() {
            let work = Workplace::new();
            work.import(GAMES);
            work.write("full/notes.txt", "mine");
            work.write("pgn.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00");
            let refused = work.stamma(concat!("dataset ", $arguments)).failure();
            insta::assert_snapshot!(stderr_of(&refused), @$message);
        }
    )*};
}

refused! {
    a_folder_with_other_files: "in.pgn -o full", @"stamma: full: this folder has other files, and is no data set; choose an empty folder or a new one";
    a_database_beside_files: "games.db in.pgn -o data", @"stamma: games.db: this is a database, which is read alone; give each database a run of its own";
    a_shard_of_a_compressed_file: "pgn.gz -o data --shard 1/2", @"stamma: pgn.gz: this cannot be cut into shards; decompress it to a file, or give --shard several files, each of which goes to one shard";
    a_shard_that_is_none: "in.pgn -o data --shard 3/2", @"
    error: invalid value '3/2' for '--shard <K/N>': give the number of the shard and the number of shards, like 1/8

    For more information, try '--help'.
    ";
    buckets_that_are_no_power_of_two: "in.pgn -o data --buckets 12", @"
    error: invalid value '12' for '--buckets <N>': give a power of two from 1 to 4096

    For more information, try '--help'.
    ";
    positions_in_the_layout_of_lichess: "in.pgn -o data --schema lichess --fen", @"
    error: --max-ply, --fen, --with-plies and --bloom are for positions, and --schema lichess has none

    Usage: stamma dataset [OPTIONS] --output <FOLDER> <DATABASE|PATH>...

    For more information, try '--help'.
    ";
    duplicates_without_a_database: "in.pgn -o data --unique", @"stamma: a mark of duplicates can be asked for in a database only; `stamma import` creates one";
    no_games: "full -o data", @"stamma: full: there is no .pgn file in this folder";
}
