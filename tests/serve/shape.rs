//! JSON held to the schemas of a description.

use serde_json::{Value, json};

/// What is wrong with a value beside a schema of a description; names the place.
pub(crate) fn fault(api: &Value, schema: &Value, value: &Value) -> Option<String> {
    // References of the schema lead into the description.
    let whole = json!({ "allOf": [schema], "components": api["components"] });
    let validator = jsonschema::validator_for(&whole).expect("a schema");

    let fault = validator.iter_errors(value).next()?;
    let place = fault.instance_path();
    Some(format!("{place}: {fault}"))
}

#[test]
fn faults_are_found() {
    // An object with a list of whole numbers, by a reference as in the API's own description.
    let numbers = json!({
        "type": "array",
        "items": { "type": "integer" },
    });
    let object = json!({
        "type": "object",
        "required": ["a"],
        "properties": { "a": numbers },
    });
    let api = json!({ "components": { "schemas": { "S": object } } });
    let schema = json!({ "$ref": "#/components/schemas/S" });

    let right = json!({ "a": [1] });
    assert_eq!(fault(&api, &schema, &right), None);

    // No object, a field that is missing, and a number that is not whole.
    for wrong in [json!([]), json!({}), json!({ "a": [1.5] })] {
        assert!(fault(&api, &schema, &wrong).is_some(), "{wrong}");
    }
}
