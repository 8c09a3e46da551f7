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

    let options = (joined.request.state.options.search_options)();
    let paths = joined.request.state.routes.iter().map(|route| {
        (
            route.path.to_owned(),
            operations(route, &options, &mut schemas),
        )
    });
    let paths: Map<String, Value> = paths.collect();
    Answer::json(&json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Stamma",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Positions, games and players of chess databases. Routes are read with GET, except those that are about a text, which is sent with POST.",
        },
        "paths": paths,
        "components": { "schemas": schemas.take_definitions(true) },
    }))
}

fn operations(route: &Route, options: &[SearchOption], schemas: &mut SchemaGenerator) -> Value {
    let mut operation = operation(route, options, schemas);
    if !route.takes_text() {
        return json!({ "get": operation });
    }
    let content = json!({ PGN: { "schema": { "type": "string" } } });
    operation["requestBody"] = json!({ "required": true, "content": content });
    json!({ "post": operation })
}

fn operation(route: &Route, options: &[SearchOption], schemas: &mut SchemaGenerator) -> Value {
    let Description {
        summary,
        parameters,
        has_filters,
        schema,
    } = &route.description;
    let mut all = Vec::new();
    if route.path.contains("{id}") {
        all.push(
            json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }),
        );
    }
    let db = (
        "db",
        "the database, by the name of its file (default: all, joined)",
    );
    let own = std::iter::once(&db).chain(parameters.iter());
    all.extend(own.map(|(name, description)| parameter(name, description, "string", false)));
    if *has_filters {
        // A route may have an option of its own in the place of one of a search.
        let others = options
            .iter()
            .filter(|option| !route.description.has_own(&option.name));
        all.extend(others.map(|option| {
            let kind = if option.is_flag { "boolean" } else { "string" };
            parameter(&option.name, &option.help, kind, option.is_repeated)
        }));
    }
    let content = match (&route.handler, schema) {
        (Handler::OfEngine(content_type, _), Some(schema_of)) => {
            json!({ *content_type: { "schema": schema_of(schemas) } })
        }
        (Handler::Streamed(content_type, _) | Handler::OfEngine(content_type, _), _) => {
            json!({ *content_type: {} })
        }
        (_, None) => json!({ "*/*": {} }),
        (_, Some(schema_of)) => json!({ JSON: { "schema": schema_of(schemas) } }),
    };
    let failure = match route.interface {
        Interface::Own => {
            json!({ JSON: { "schema": { "$ref": "#/components/schemas/FailureAnswer" } } })
        }
        Interface::Explorer => json!({ "text/plain": {} }),
    };
    let told = |description: &str| json!({ "description": description, "content": failure });
    json!({
        "summary": summary,
        "parameters": all,
        "responses": {
            "200": { "description": "The answer", "content": content },
            "400": told("A parameter is wrong"),
            "404": told("There is nothing of this name or number"),
            "503": told("The answer takes too much work, or the server is busy"),
        },
    })
}

fn parameter(name: &str, description: &str, kind: &str, is_repeated: bool) -> Value {
    let one = json!({ "type": kind });
    let schema = if is_repeated {
        json!({ "type": "array", "items": one })
    } else {
        one
    };
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}
