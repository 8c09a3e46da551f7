//! JSON held to a schema, as far as the description of the interface uses them.

use serde_json::Value;

/// What is wrong with a value beside a schema of a description; names the place.
pub(crate) fn fault(api: &Value, schema: &Value, value: &Value) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = api.pointer(reference.trim_start_matches('#'));
        return fault(api, target.unwrap_or_else(|| panic!("no schema {reference}")), value);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let faults: Vec<_> = choices.iter().map(|choice| fault(api, choice, value)).collect();
        let is_sound = faults.iter().any(Option::is_none);
        return (!is_sound).then(|| format!("{faults:?}"));
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    let is_of = |name: &Value| match name.as_str().expect("a type") {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type {other}"),
    };
    if !types.iter().any(is_of) {
        return Some(format!("{value} is not {types:?}"));
    }
    match value {
        Value::Array(values) if !schema["items"].is_null() => {
            values.iter().enumerate().find_map(|(at, value)| {
                Some(format!("{at}: {}", fault(api, &schema["items"], value)?))
            })
        }
        Value::Object(fields) => {
            let missing = schema["required"].as_array().into_iter().flatten();
            let missing =
                missing.filter_map(Value::as_str).find(|name| !fields.contains_key(*name));
            let of_field = |(name, value): (&String, &Value)| match schema["properties"].get(name) {
                Some(schema) => Some(format!("{name}: {}", fault(api, schema, value)?)),
                None => Some(format!("{name} is not described")),
            };
            missing
                .map(|name| format!("{name} is missing"))
                .or_else(|| fields.iter().find_map(of_field))
        }
        _ => None,
    }
}

#[test]
fn faults_are_found() {
    let api = serde_json::json!({
        "S": {
            "type": "object",
            "required": ["a", "b"],
            "properties": {
                "a": { "type": "array", "items": { "type": "integer" } },
                "b": { "type": ["string", "null"] },
                "c": { "anyOf": [{ "$ref": "#/S" }, { "type": "null" }] },
            },
        },
    });
    let is_sound = |text: &str| {
        let value = serde_json::from_str(text).expect("JSON");
        fault(&api, &api["S"], &value).is_none()
    };
    for sound in [r#"{"a":[],"b":null}"#, r#"{"a":[1],"b":"","c":{"a":[],"b":null,"c":null}}"#] {
        assert!(is_sound(sound), "{sound}");
    }
    for wrong in [
        "[]",
        r#"{"a":[]}"#,
        r#"{"a":[1.5],"b":""}"#,
        r#"{"a":null,"b":""}"#,
        r#"{"a":[],"b":1}"#,
        r#"{"a":[],"b":"","d":1}"#,
        r#"{"a":[],"b":"","c":{"a":[]}}"#,
    ] {
        assert!(!is_sound(wrong), "{wrong}");
    }
}
