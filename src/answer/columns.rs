//! Rows of answers as cells: the fields of nested objects become columns of their own, `last: {game: 7}` the column
//! `last_game`, and a list of games a cell with their numbers.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// The columns of a row, in the order of its fields. Lists other than of games have no columns.
pub fn columns<R: JsonSchema>() -> Vec<String> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<R>();

    let mut columns = Vec::new();
    add_columns(&schema, "", &mut columns);
    columns
}

fn add_columns(schema: &Schema, prefix: &str, columns: &mut Vec<String>) {
    let Some(fields) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, field) in fields {
        let column = format!("{prefix}{name}");
        match object_of(field) {
            Some(nested) => add_columns(&nested, &format!("{column}_"), columns),
            None if is_list(field) && !is_list_of_games(field) => {}
            None => columns.push(column),
        }
    }
}

/// The schema of an object that a field has, or may have beside null.
fn object_of(field: &Value) -> Option<Schema> {
    let choices = field.get("anyOf").and_then(Value::as_array);
    let alone = std::slice::from_ref(field);
    let mut schemas = choices.map_or(alone, Vec::as_slice).iter();
    let object = schemas.find(|schema| schema.get("properties").is_some())?;
    Schema::try_from(object.clone()).ok()
}

fn is_list(field: &Value) -> bool {
    let is_array = |kind: &Value| kind == "array";
    match field.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_array),
        Some(kind) => is_array(kind),
        None => false,
    }
}

fn is_list_of_games(field: &Value) -> bool {
    field.pointer("/items/properties/game").is_some()
}

/// The cells of a row below some columns; empty where it has no value.
///
/// # Errors
/// When the row is no object.
pub fn cells<R: Serialize>(row: &R, columns: &[String]) -> Result<Vec<String>> {
    let value = serde_json::to_value(row).map_err(|error| Error::Output(error.into()))?;
    let Value::Object(fields) = value else {
        return Err(Error::Output(std::io::Error::other("a row is no object")));
    };

    let mut flat = Map::new();
    flatten(fields, "", &mut flat);
    let cell = |column: &String| flat.get(column).map(text_of).unwrap_or_default();
    Ok(columns.iter().map(cell).collect())
}

fn flatten(fields: Map<String, Value>, prefix: &str, flat: &mut Map<String, Value>) {
    for (name, value) in fields {
        match value {
            Value::Object(nested) => flatten(nested, &format!("{prefix}{name}_"), flat),
            value => {
                flat.insert(format!("{prefix}{name}"), value);
            }
        }
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(games) => {
            let numbers: Vec<String> = games.iter().map(|game| game["game"].to_string()).collect();
            numbers.join(" ")
        }
        other => other.to_string(),
    }
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
        last: Option<Place>,
    }

    #[test]
    fn nested_fields_are_columns() {
        let columns = columns::<Row>();
        assert_eq!(columns, ["game", "date", "won", "best", "last_game", "last_date"]);

        let place = |game| Place { game, date: Some("1972.07.11".to_owned()) };
        let best = vec![place(8), place(9)];
        let row = Row { place: place(1), won: true, names: Vec::new(), best, last: Some(place(2)) };
        let written = cells(&row, &columns).expect("cells");
        assert_eq!(written, ["1", "1972.07.11", "true", "8 9", "2", "1972.07.11"]);

        let place = Place { game: 3, date: None };
        let row = Row { place, won: false, names: Vec::new(), best: Vec::new(), last: None };
        assert_eq!(cells(&row, &columns).expect("cells"), ["3", "", "false", "", "", ""]);
    }
}
