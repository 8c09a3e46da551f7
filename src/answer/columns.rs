//! Rows of answers as cells. Each field of a nested object is a column: `last: {game: 7}` has the column `last_game`. A
//! list of games is a cell with the numbers of the games.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// A column of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the column.
    pub name: String,
    /// The type of the values in JSON Schema: `string`, `integer`, `number` or `boolean`; `games` for a list of games.
    pub kind: String,
    /// `true` if the column may have no value.
    pub is_nullable: bool,
    /// The meaning of the values.
    pub meaning: String,
}

/// The columns of a row by their names.
pub fn columns<R: JsonSchema>() -> Vec<String> {
    fields::<R>().into_iter().map(|field| field.name).collect()
}

/// The columns of a row, in the order of its fields. A list has a column only if it is a list of games.
pub fn fields<R: JsonSchema>() -> Vec<Field> {
    // With inlined schemas, the schema of a nested object is found at its field, without a reference to resolve.
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<R>();

    let mut fields = Vec::new();
    add_fields(schema.as_value(), "", false, &mut fields);
    fields
}

/// Adds the columns of an object's fields. `prefix` precedes their names. If the object may be null, so may each field.
fn add_fields(schema: &Value, prefix: &str, may_be_null: bool, fields: &mut Vec<Field>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };

    for (name, property) in properties {
        let column = format!("{prefix}{name}");
        let mut kinds = json_types(property);
        let is_nullable = may_be_null || kinds.contains(&"null");

        if let Some(nested) = nested_object(property) {
            // If a nested object is null, its fields have no value.
            let is_optional = property.get("anyOf").is_some() || kinds.contains(&"null");
            let nested_prefix = format!("{column}_");
            add_fields(nested, &nested_prefix, may_be_null || is_optional, fields);
            continue;
        }

        if kinds.contains(&"array") {
            let is_list_of_games = property.pointer("/items/properties/game").is_some();
            if !is_list_of_games {
                continue;
            }
            kinds = vec!["games"];
        }

        kinds.retain(|kind| *kind != "null");
        let kind = kinds.first().copied().unwrap_or_default();

        // The description is the comment of the field in the source of its type.
        let description = property.get("description").and_then(Value::as_str);
        let meaning = description.unwrap_or_default();

        fields.push(Field {
            name: column,
            kind: kind.to_owned(),
            is_nullable,
            meaning: meaning.to_owned(),
        });
    }
}

/// The schema of the object in a field, which may be null; `None` if the field is not an object.
fn nested_object(property: &Value) -> Option<&Value> {
    // An optional object is `anyOf` the object and null.
    let schemas = match property.get("anyOf") {
        Some(Value::Array(choices)) => choices.as_slice(),
        _ => std::slice::from_ref(property),
    };

    let is_object = |schema: &&Value| schema.get("properties").is_some();
    schemas.iter().find(is_object)
}

/// The JSON types of a field. JSON Schema has a single type or a list of types.
fn json_types(property: &Value) -> Vec<&str> {
    let Some(kind) = property.get("type") else {
        return Vec::new();
    };

    match kind {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        Value::String(kind) => vec![kind.as_str()],
        _ => Vec::new(),
    }
}

/// The cells of a row, one for each column; a cell is empty if the row has no value for its column.
///
/// # Errors
/// When the row is no object.
pub fn cells<R: Serialize>(row: &R, columns: &[String]) -> Result<Vec<String>> {
    let value = serde_json::to_value(row).map_err(|error| Error::Output(error.into()))?;
    let Value::Object(fields) = value else {
        let error = std::io::Error::other("a row is no object");
        return Err(Error::Output(error));
    };

    let mut cells = vec![String::new(); columns.len()];
    let mut at = 0;
    fill_cells(fields, "", columns, &mut at, &mut cells);
    Ok(cells)
}

/// Fills the cells of an object's fields. There is a cell for each column, and `at` is the index of the next column.
///
/// The fields are in the order of the columns, but a column may have no field. So the column of a field is searched
/// from `at` on, and all fields together pass over the columns once.
fn fill_cells(
    fields: Map<String, Value>,
    prefix: &str,
    columns: &[String],
    at: &mut usize,
    cells: &mut [String],
) {
    for (name, value) in fields {
        if let Value::Object(nested) = value {
            fill_cells(nested, &format!("{prefix}{name}_"), columns, at, cells);
            continue;
        }

        let is_named = |column: &String| column.strip_prefix(prefix) == Some(name.as_str());
        let Some(skipped) = columns[*at..].iter().position(is_named) else {
            // A list that is not of games, and a nested object that is null, have no column.
            debug_assert!(
                value.is_null() || value.is_array(),
                "no column {prefix}{name}"
            );
            continue;
        };

        *at += skipped;
        cells[*at] = cell_text(value);
        *at += 1;
    }
}

/// A value as the text of a cell; empty for null.
fn cell_text(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(games) => game_numbers(&games),
        other => other.to_string(),
    }
}

/// The numbers of a list of games, separated by blanks.
fn game_numbers(games: &[Value]) -> String {
    let mut numbers = Vec::with_capacity(games.len());
    for game in games {
        numbers.push(game["game"].to_string());
    }
    numbers.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, JsonSchema)]
    struct Place {
        game: u64,
        date: Option<String>,
    }

    #[derive(Serialize, JsonSchema)]
    struct Row {
        #[serde(flatten)]
        place: Place,
        won: bool,
        names: Vec<String>,
        best: Vec<Place>,
        worst: Option<Vec<Place>>,
        last: Option<Place>,
    }

    #[test]
    fn nested_fields_are_columns() {
        let columns = columns::<Row>();

        // `names` is a list of texts, and has no column.
        assert_eq!(
            columns,
            [
                "game",
                "date",
                "won",
                "best",
                "worst",
                "last_game",
                "last_date"
            ]
        );
    }

    #[test]
    fn optional_fields_and_fields_of_optional_objects_may_have_no_value() {
        let mut nullable = Vec::new();
        for field in fields::<Row>() {
            if field.is_nullable {
                nullable.push(field.name);
            }
        }

        assert_eq!(nullable, ["date", "worst", "last_game", "last_date"]);
    }

    #[test]
    fn cells_stand_below_their_columns() {
        let columns = columns::<Row>();
        let place = |game| Place {
            game,
            date: Some("1972.07.11".to_owned()),
        };
        let full = Row {
            place: place(1),
            won: true,
            names: Vec::new(),
            best: vec![place(8), place(9)],
            worst: Some(vec![place(7)]),
            last: Some(place(2)),
        };
        let without_values = Row {
            place: Place {
                game: 3,
                date: None,
            },
            won: false,
            names: Vec::new(),
            best: Vec::new(),
            worst: None,
            last: None,
        };

        let full_cells = cells(&full, &columns).expect("cells");
        let empty_cells = cells(&without_values, &columns).expect("cells");

        assert_eq!(
            full_cells,
            ["1", "1972.07.11", "true", "8 9", "7", "2", "1972.07.11"]
        );
        assert_eq!(empty_cells, ["3", "", "false", "", "", "", ""]);
    }
}
