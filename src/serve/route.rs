//! Routes: an address, the handler that answers it, and its description.

use std::io;
use std::sync::{Arc, Mutex};

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::answer::Answer;
use super::budget::Budget;
use super::databases::{Databases, NamedBy};
use super::engines::Engines;
use super::failure::Failure;
use super::options::Options;
use super::parameters::Parameters;
use super::pool::{Pool, Snapshot};
use super::prepared::Prepared;
use stamma::query::Watch;
use stamma::storage::Database;

/// A request for the answer of a route.
#[derive(Clone, Copy)]
pub(super) struct Request<'r> {
    pub(super) state: &'r AppState,
    pub(super) route: &'static Route,
    pub(super) parameters: &'r Parameters,
    /// The part of the path at `{id}`, without the name of a database.
    pub(super) id: &'r str,
    pub(super) budget: &'r Arc<Budget>,
    /// `true` if the request comes from this computer.
    pub(super) is_local: bool,
}

/// The databases of a request, which answer as if they were one.
pub(super) struct Joined<'q> {
    pub(super) request: Request<'q>,
    pub(super) snapshots: Vec<Mutex<Snapshot<'q>>>,
    /// The shared values of the first database.
    pub(super) first: Arc<Prepared>,
    /// `true` if answers have the names of databases.
    pub(super) has_names: bool,
}

/// A request to one database, with the snapshot of the database.
pub(super) struct DatabaseRequest<'q> {
    pub(super) common: Request<'q>,
    pub(super) pool: &'q Pool,
    pub(super) database: &'q Database,
    pub(super) prepared: &'q Prepared,
    pub(super) watch: Watch<'q>,
    /// The name of the database, if the request is for several databases, or names the database with a game.
    pub(super) name: Option<String>,
    /// The index of the database among the databases of the request.
    pub(super) index: usize,
}

/// A request for a change of a database. There is no snapshot, since the writer would wait for the end of the snapshot.
pub(super) struct ChangeRequest<'q> {
    pub(super) common: Request<'q>,
    pub(super) pool: &'q Pool,
}

/// Writes a body piece by piece, and ends when the writer fails.
pub(super) type Writing = Box<dyn FnOnce(&Joined<'_>, &mut dyn io::Write) -> stamma::Result<()>>;

/// Writes a body about a position piece by piece, without a database.
pub(super) type EngineWriting = Box<dyn FnOnce(&mut dyn io::Write) -> stamma::Result<()>>;

/// The state that all handlers share.
pub(super) struct AppState {
    pub(super) databases: Databases,
    pub(super) options: Options,
    /// The engines, if the server was started with one.
    pub(super) engines: Option<Arc<Engines>>,
    /// All routes, for the description of the interface.
    pub(super) routes: &'static [Route],
}

/// The function that answers a request, by its input and its kind of answer.
#[derive(Clone, Copy)]
pub(super) enum Handler {
    /// By all chosen databases together, with a body in memory.
    Whole(fn(&Joined<'_>) -> Result<Answer, Failure>),
    /// By all served databases together, even if one is chosen, with a body in memory.
    OfAll(fn(&Joined<'_>) -> Result<Answer, Failure>),
    /// By a single database, with a body in memory.
    OfOne(fn(&DatabaseRequest<'_>) -> Result<Answer, Failure>),
    /// By all chosen databases together, with a body that is sent piece by piece. The text is the content type.
    Streamed(&'static str, fn(&Joined<'_>) -> Result<Writing, Failure>),
    /// By an engine, with a body that is sent piece by piece. The text is the content type.
    OfEngine(
        &'static str,
        fn(&Request<'_>) -> Result<EngineWriting, Failure>,
    ),
    /// By all chosen databases together, for a text in the body of the request.
    OfText(fn(&Joined<'_>, &str) -> Result<Answer, Failure>),
    /// By a change of a single database, with a text in the body of the request. Only the page of this server may
    /// request it.
    Change(fn(&ChangeRequest<'_>, &str) -> Result<Answer, Failure>),
}

/// The expected work for an answer. Heavy answers have only half of the permits, so that they do not block light
/// answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Light,
    Heavy,
}

/// The interface to which a route belongs. It determines the form of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interface {
    /// The interface of opening explorers: failures are plain text.
    Explorer,
    /// Stamma's own interface: failures are JSON.
    Own,
}

/// An address with its handler.
pub(super) struct Route {
    /// The path; a part `{id}` matches any text.
    pub(super) path: &'static str,
    pub(super) interface: Interface,
    pub(super) weight: Weight,
    pub(super) handler: Handler,
    pub(super) description: Description,
}

/// Adds the schema of an answer to the schemas of a description, and returns a reference to it.
pub(super) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The schema of a type.
pub(super) fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The part of a route in the description of the interface.
pub(super) struct Description {
    pub(super) summary: &'static str,
    /// Parameters beside `db`, each with a sentence.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// `true` if the options of `stamma search` are parameters, too.
    pub(super) has_filters: bool,
    /// The schema of the answer; `None` for an answer that is no JSON.
    pub(super) schema: Option<SchemaOf>,
}

impl Description {
    /// `true` if a parameter belongs to this route, and is no option of a search.
    pub(super) fn has_own(&self, name: &str) -> bool {
        name == "db" || self.parameters.iter().any(|(own, _)| *own == name)
    }
}

impl Route {
    /// The way in which a request names its database.
    pub(super) fn named_by(&self) -> NamedBy {
        match self.handler {
            Handler::OfAll(_) | Handler::OfEngine(..) => NamedBy::Nothing,
            _ => NamedBy::Name,
        }
    }

    /// `true` if requests send a text, by POST.
    pub(super) fn takes_text(&self) -> bool {
        matches!(self.handler, Handler::OfText(_) | Handler::Change(_))
    }

    /// `true` if a request changes a database.
    pub(super) fn is_change(&self) -> bool {
        matches!(self.handler, Handler::Change(_))
    }

    /// The part of a path at `{id}`, empty for a route without `{id}`; `None` if the route does not match the path.
    pub(super) fn matches<'p>(&self, path: &'p str) -> Option<&'p str> {
        let Some((before, after)) = self.path.split_once("{id}") else {
            return (self.path == path).then_some("");
        };

        // An `{id}` is one part of the path: `/games/7/pgn` is not the game `7/pgn`.
        let id = path.strip_prefix(before)?.strip_suffix(after)?;
        if id.is_empty() || id.contains('/') {
            return None;
        }
        Some(id)
    }
}
