//! The schemas of all answers, for the description of the interface and for other languages.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::{Crosstable, Novelties, Player, PlayerRow, Tournaments};

/// JSON Schemas (draft 2020-12) of all answers by the names of their types, which refer to each other as components of an
/// OpenAPI description.
pub fn schemas() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();

    generator.subschema_for::<Crosstable>();
    generator.subschema_for::<Novelties>();
    generator.subschema_for::<Player>();
    generator.subschema_for::<PlayerRow>();
    generator.subschema_for::<Tournaments>();
    generator.take_definitions(true)
}
