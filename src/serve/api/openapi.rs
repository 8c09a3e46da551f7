//! `/api/1/openapi.json`: the description of both interfaces, from the routes and the options of a search.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::serve::answer::{Answer, JSON, PGN};
use crate::serve::failure::{Failure, FailureAnswer};
use crate::serve::options::SearchOption;
use crate::serve::route::{Description, Handler, Interface, Joined, Route, Weight};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/openapi.json",
    interface: Interface::Own,
    weight: Weight::Light,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "This description",
        parameters: &[],
        has_filters: false,
        schema: None,
    },
};

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut schemas = settings.into_generator();
    schemas.subschema_for::<FailureAnswer>();

    let state = joined.request.state;
    let options = (state.options.search_options)();
    let mut paths = Map::new();
    for route in state.routes {
        let operations = operations(route, &options, &mut schemas);
        paths.insert(route.path.to_owned(), operations);
    }

    // The schemas are complete only after all routes have added their schemas.
    let definitions = schemas.take_definitions(true);
    Answer::json(&json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Stamma",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Positions, games and players of chess databases. Routes are read with GET, except those that are about a text, which is sent with POST.",
        },
        "paths": paths,
        "components": { "schemas": definitions },
    }))
}

/// The path item of a route: its operation under `get` or `post`.
fn operations(route: &Route, options: &[SearchOption], schemas: &mut SchemaGenerator) -> Value {
    let mut operation = operation(route, options, schemas);
    if !route.takes_text() {
        return json!({ "get": operation });
    }

    // All texts that routes accept are PGN, or lists of FENs under the type of PGN.
    let schema = json!({ "type": "string" });
    let content = json!({ PGN: { "schema": schema } });
    operation["requestBody"] = json!({ "required": true, "content": content });
    json!({ "post": operation })
}

/// The operation of a route: summary, parameters and responses.
fn operation(route: &Route, options: &[SearchOption], schemas: &mut SchemaGenerator) -> Value {
    let failure = match route.interface {
        Interface::Own => {
            let reference = json!({ "$ref": "#/components/schemas/FailureAnswer" });
            json!({ JSON: { "schema": reference } })
        }
        Interface::Explorer => json!({ "text/plain": {} }),
    };
    let failed = |description: &str| json!({ "description": description, "content": failure });

    let content = content(route, schemas);
    json!({
        "summary": route.description.summary,
        "parameters": parameters(route, options),
        "responses": {
            "200": { "description": "The answer", "content": content },
            "400": failed("A parameter is wrong"),
            "404": failed("There is nothing of this name or number"),
            "503": failed("The answer takes too much work, or the server is busy"),
        },
    })
}

/// The parameters of a route: the part `{id}` of its path, the parameters of the route, and the options of a search.
fn parameters(route: &Route, options: &[SearchOption]) -> Vec<Value> {
    let description = &route.description;
    let mut all = Vec::new();
    if route.path.contains("{id}") {
        let schema = text_schema();
        let id = json!({ "name": "id", "in": "path", "required": true, "schema": schema });
        all.push(id);
    }

    let database = "the database, by the name of its file (default: all, joined)";
    all.push(parameter("db", database, &text_schema()));
    for (name, meaning) in description.parameters {
        all.push(parameter(name, meaning, &text_schema()));
    }

    if description.has_filters {
        for option in options {
            // A parameter of the route may replace an option of a search with this name.
            if description.has_own(&option.name) {
                continue;
            }
            let schema = option_schema(option);
            all.push(parameter(&option.name, &option.help, &schema));
        }
    }
    all
}

/// The content of an answer: its type, and its schema if it is JSON.
fn content(route: &Route, schemas: &mut SchemaGenerator) -> Value {
    let schema = route.description.schema.map(|schema_of| schema_of(schemas));
    let content_type = match (&route.handler, &schema) {
        (Handler::Streamed(content_type, _) | Handler::OfEngine(content_type, _), _) => {
            *content_type
        }
        (_, Some(_)) => JSON,
        // PGN, or a line of figures.
        (_, None) => "*/*",
    };

    match schema {
        Some(schema) => json!({ content_type: { "schema": schema } }),
        None => json!({ content_type: {} }),
    }
}

/// The description of a parameter in the query of a request.
fn parameter(name: &str, description: &str, schema: &Value) -> Value {
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

/// The schema of a text.
fn text_schema() -> Value {
    json!({ "type": "string" })
}

/// The schema of an option of a search: an array if the option may be repeated.
fn option_schema(option: &SearchOption) -> Value {
    let value = if option.is_flag {
        json!({ "type": "boolean" })
    } else {
        text_schema()
    };

    if option.is_repeated {
        json!({ "type": "array", "items": value })
    } else {
        value
    }
}
