//! Rows of answers as cells: the fields of nested objects become columns of their own, `last: {game: 7}` the column
//! `last_game`, and a list of games a cell with their numbers.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// A column of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The type of its values in JSON Schema: `string`, `integer`, `number` or `boolean`; `games` for a list of games.
    pub kind: String,
    /// Whether it may have no value.
    pub is_nullable: bool,
    /// What it means.
    pub meaning: String,
}

/// The columns of a row by their names.
pub fn columns<R: JsonSchema>() -> Vec<String> {
    fields::<R>().into_iter().map(|field| field.name).collect()
}

/// The columns of a row, in the order of its fields. Lists other than of games have no columns.
pub fn fields<R: JsonSchema>() -> Vec<Field> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<R>();

    let mut fields = Vec::new();
    add_fields(schema.as_value(), "", false, &mut fields);
    fields
}

/// Adds the fields of an object, which may be null itself.
fn add_fields(schema: &Value, prefix: &str, may_be_null: bool, fields: &mut Vec<Field>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    for (name, property) in properties {
        let name = format!("{prefix}{name}");
        if let Some(nested) = object_of(property) {
            let is_optional = property.get("anyOf").is_some() || kinds(property).contains(&"null");
            let may_be_null = may_be_null || is_optional;
            add_fields(nested, &format!("{name}_"), may_be_null, fields);
            continue;
        }

        let mut kinds = kinds(property);
        if kinds.contains(&"array") {
            if property.pointer("/items/properties/game").is_none() {
                continue;
            }
            kinds = vec!["games"];
        }

        let is_nullable = may_be_null || kinds.contains(&"null");
        kinds.retain(|kind| *kind != "null");
        let kind = kinds.first().copied().unwrap_or_default();
        let description = property.get("description").and_then(Value::as_str);
        fields.push(Field {
            name,
            kind: kind.to_owned(),
            is_nullable,
            meaning: description.unwrap_or_default().to_owned(),
        });
    }
}

/// The schema of an object that a field has, or may have beside null.
fn object_of(property: &Value) -> Option<&Value> {
    // An optional object is `anyOf` the object and null.
    let schemas = match property.get("anyOf") {
        Some(Value::Array(choices)) => &choices[..],
        _ => std::slice::from_ref(property),
    };

    let is_object = |schema: &&Value| schema.get("properties").is_some();
    schemas.iter().find(is_object)
}

/// The types of a field: JSON Schema has one type, or a list of them.
fn kinds(property: &Value) -> Vec<&str> {
    match property.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(kind)) => vec![kind.as_str()],
        _ => Vec::new(),
    }
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

    let mut cells = vec![String::new(); columns.len()];
    fill_cells(fields, "", columns, &mut 0, &mut cells);
    Ok(cells)
}

/// Fills the cells of an object's fields. Fields come in the order of columns, of which some may have no field: `at` is
/// the first column that is left.
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

        let is_named = |column: &String| column.strip_prefix(prefix) == Some(&*name);
        let Some(further) = columns[*at..].iter().position(is_named) else {
            // Lists, and objects that are null, have no column of their own.
            debug_assert!(
                value.is_null() || value.is_array(),
                "no column {prefix}{name}"
            );
            continue;
        };
        *at += further;
        cells[*at] = text_of(value);
        *at += 1;
    }
}

fn text_of(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
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
        assert_eq!(
            columns,
            ["game", "date", "won", "best", "last_game", "last_date"]
        );
        let nullable = fields::<Row>().into_iter().map(|field| field.is_nullable);
        assert_eq!(
            nullable.collect::<Vec<_>>(),
            [false, true, false, false, true, true]
        );

        let place = |game| Place {
            game,
            date: Some("1972.07.11".to_owned()),
        };
        let best = vec![place(8), place(9)];
        let row = Row {
            place: place(1),
            won: true,
            names: Vec::new(),
            best,
            last: Some(place(2)),
        };
        let written = cells(&row, &columns).expect("cells");
        assert_eq!(
            written,
            ["1", "1972.07.11", "true", "8 9", "2", "1972.07.11"]
        );

        let place = Place {
            game: 3,
            date: None,
        };
        let row = Row {
            place,
            won: false,
            names: Vec::new(),
            best: Vec::new(),
            last: None,
        };
        assert_eq!(
            cells(&row, &columns).expect("cells"),
            ["3", "", "false", "", "", ""]
        );
    }
}
