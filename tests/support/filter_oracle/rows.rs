//! Attributes of games from the rows of a database, read by SQL.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::games::{play, start};
use super::{Known, known_variant};

/// The games of the view `games`.
pub(crate) fn read_rows(connection: &Connection) -> Vec<Known> {
    let sql = "SELECT games.*, names FROM games JOIN game USING (id)
        LEFT JOIN tag_order ON tag_order.id = tag_order_id ORDER BY id";
    let mut select = connection.prepare(sql).expect("the view of a database");
    let rows = select.query_map([], |row| Ok(known(connection, row)));

    let games = rows.expect("rows").map(|game| game.expect("a row"));
    games.collect()
}

fn text(row: &Row<'_>, column: &str) -> Option<String> {
    let value = row.get_ref(column).expect("a column");
    value.as_str().ok().map(str::to_owned)
}

fn number(row: &Row<'_>, column: &str) -> Option<u32> {
    let value = row.get_ref(column).expect("a column").as_i64().ok();
    value.and_then(|value| u32::try_from(value).ok())
}

fn is_null(row: &Row<'_>, column: &str) -> bool {
    row.get_ref(column).expect("a column") == ValueRef::Null
}

fn known(connection: &Connection, row: &Row<'_>) -> Known {
    let own = pairs(connection, text(row, "tags").as_deref());
    let first = |name: &str| {
        let pair = own.iter().flatten().find(|(other, _)| other == name);
        pair.map(|(_, value)| value.clone())
    };
    // The column store has ratings of 16 bits.
    let rating = |column: &str| number(row, column).filter(|elo| (1..=65_535).contains(elo));

    // The moves of an unsupported variant are text only, and cannot be replayed.
    let variant = text(row, "variant").map_or(Some("standard"), |name| known_variant(&name));
    let moves = text(row, "moves").unwrap_or_default();
    let sans: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    let position = start(text(row, "fen").as_deref()).filter(|_| variant.is_some());
    let played = position
        .map(|position| play(position, &sans))
        .unwrap_or_default();

    // A game without a final position is in no index of positions.
    let is_chess = matches!(variant, Some("standard" | "chess960"));
    let is_replayed = !is_null(row, "final_key");
    let positions = if is_chess && is_replayed {
        played.positions
    } else {
        Vec::new()
    };

    let annotations = text(row, "annotations");
    let strings = strings(connection, annotations.as_deref());
    let comments = strings.iter().filter_map(|text| text.strip_prefix('{'));
    let result = text(row, "result").filter(|result| is_result(result));

    Known {
        id: row.get("id").expect("a number"),
        tags: tags(row, own.clone()).unwrap_or_default(),
        event: text(row, "event"),
        site: text(row, "site"),
        white: text(row, "white"),
        black: text(row, "black"),
        date: text(row, "date"),
        eco: text(row, "eco"),
        opening: text(row, "opening"),
        result: result.unwrap_or_else(|| "*".to_owned()),
        elo: ["white_elo", "black_elo"].map(rating),
        plies: number(row, "ply_count").unwrap_or(0),
        time_control: first("TimeControl"),
        titles: [first("WhiteTitle"), first("BlackTitle")],
        variant: variant.unwrap_or("other").to_owned(),
        endings: endings(row),
        starts_from_standard: is_null(row, "fen"),
        fen: text(row, "fen"),
        is_complete: is_replayed && is_null(row, "rest"),
        moves: played.moves,
        positions,
        has_signs_or_variations: strings.iter().any(|text| text.starts_with(['$', '('])),
        mainline_comments: mainline_comments(annotations.as_deref()),
        comments: comments.map(str::to_owned).collect(),
    }
}

fn is_result(text: &str) -> bool {
    ["1-0", "0-1", "1/2-1/2"].contains(&text)
}

fn endings(row: &Row<'_>) -> Vec<&'static str> {
    const ON_BOARD: [&str; 3] = ["checkmate", "stalemate", "insufficient-material"];
    const BY_RULE: [(&str, &str); 4] = [
        ("threefold", "threefold_ply"),
        ("fivefold", "fivefold_ply"),
        ("fifty-moves", "fifty_moves_ply"),
        ("seventy-five-moves", "seventy_five_moves_ply"),
    ];

    // One ending on the board, and any number by the rules of repetition and of fifty moves.
    let mut endings = Vec::new();
    let on_board = text(row, "ending").unwrap_or_default();
    endings.extend(ON_BOARD.into_iter().filter(|ending| *ending == on_board));
    for (ending, column) in BY_RULE {
        if !is_null(row, column) {
            endings.push(ending);
        }
    }
    endings
}

/// The pairs of a JSON object; `None` if it is not one.
fn pairs(connection: &Connection, json: Option<&str>) -> Option<Vec<(String, String)>> {
    let Some(json) = json else {
        return Some(Vec::new());
    };

    let sql = "SELECT key, value FROM json_each(?1)";
    let mut select = connection.prepare_cached(sql).expect("SQL");

    // A key of an array and a value that is no text are errors of a row.
    let rows = select.query_map([json], |row| Ok((row.get(0)?, row.get(1)?)));
    let pairs: rusqlite::Result<_> = rows.expect("a query").collect();
    pairs.ok()
}

/// The strings of annotations.
fn strings(connection: &Connection, json: Option<&str>) -> Vec<String> {
    let sql = "SELECT text.value FROM json_each(?1) AS at, json_each(at.value) AS text
        WHERE text.type NOT IN ('integer', 'real', 'null')";
    let mut select = connection.prepare_cached(sql).expect("SQL");

    let object = json.unwrap_or("{}");
    let rows = select.query_map([object], |row| row.get(0));
    // Other programs may have written anything into the column: JSON that is none has no strings.
    let texts: rusqlite::Result<_> = rows.expect("a query").collect();
    texts.unwrap_or_default()
}

/// The comments of the mainline, each with the number of half-moves before it; clock times are arrays of seconds.
fn mainline_comments(json: Option<&str>) -> Vec<(u32, String)> {
    let object: serde_json::Value = serde_json::from_str(json.unwrap_or("{}")).unwrap_or_default();

    let mut comments = Vec::new();
    for (key, values) in object.as_object().into_iter().flatten() {
        let values = values.as_array().cloned().unwrap_or_default();
        // The clocks of all moves are one array, the first one behind the first move.
        if key.trim() == "clk" {
            for (at, seconds) in values.iter().enumerate() {
                if let Some(seconds) = seconds.as_f64() {
                    comments.push((at as u32 + 1, format!("[%clk {seconds}]")));
                }
            }
            continue;
        }

        // Comments in parentheses belong to variations, not to the mainline.
        let mut depth = 0;
        for text in values.iter().filter_map(serde_json::Value::as_str) {
            match text {
                "(" => depth += 1,
                ")" => depth -= 1,
                text if depth == 0 && text.starts_with('{') => {
                    let ply = key.parse().expect("a number");
                    comments.push((ply, text[1..].to_owned()));
                }
                _ => {}
            }
        }
    }
    comments
}

/// All tag pairs, in order; `None` if the texts are not tags.
fn tags(row: &Row<'_>, own: Option<Vec<(String, String)>>) -> Option<Vec<(String, String)>> {
    let mut own = own?;
    let names = names(&text(row, "names")?)?;

    let mut tags: Vec<(String, String)> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        // A repeated tag has its first value in a column, and the others in the JSON.
        let left = names[at..].iter().filter(|other| *other == name).count();
        let in_json = own.iter().filter(|(other, _)| other == name).count();
        let value = if in_json >= left {
            let place = own.iter().position(|(other, _)| other == name)?;
            let (_, value) = own.remove(place);
            Some(value)
        } else {
            in_column(row, name)
        };

        if let Some(value) = value {
            tags.push((name.clone(), value));
        }
    }
    Some(tags)
}

/// The names of tags in their order; one whose value is in the array of values is in an array of its own.
fn names(json: &str) -> Option<Vec<String>> {
    let values: Vec<serde_json::Value> = serde_json::from_str(json).ok()?;

    let mut names = Vec::new();
    for value in &values {
        let name = value.get(0).unwrap_or(value);
        names.push(name.as_str()?.to_owned());
    }
    Some(names)
}

/// The value of a tag that has a column.
fn in_column(row: &Row<'_>, name: &str) -> Option<String> {
    match name {
        "Result" => {
            let result = text(row, "result");
            Some(result.unwrap_or_else(|| "*".to_owned()))
        }
        "Event" | "Site" | "Date" | "Round" | "White" | "Black" | "ECO" | "FEN" => {
            text(row, &name.to_lowercase())
        }
        "WhiteElo" => number(row, "white_elo").map(|elo| elo.to_string()),
        "BlackElo" => number(row, "black_elo").map(|elo| elo.to_string()),
        _ => None,
    }
}
