//! Routes: what is answered at which address.

use std::io;
use std::sync::Arc;

use super::answer::Answer;
use super::budget::Budget;
use super::failure::Failure;
use super::options::Options;
use super::parameters::Parameters;
use super::pool::Pool;
use super::prepared::Prepared;
use stamma::query::Watch;
use stamma::storage::Database;

/// A question, and everything that may be used for its answer.
pub(super) struct Question<'q> {
    pub(super) site: &'q Site,
    pub(super) route: &'static Route,
    pub(super) pool: &'q Pool,
    pub(super) database: &'q Database,
    pub(super) prepared: &'q Prepared,
    pub(super) watch: Watch<'q>,
    pub(super) budget: &'q Arc<Budget>,
    pub(super) parameters: &'q Parameters,
    /// The part of the path at `{id}`.
    pub(super) id: &'q str,
}

/// Writes a body piece by piece, and ends when the writer fails.
pub(super) type Writing = Box<dyn FnOnce(&Question<'_>, &mut dyn io::Write) -> stamma::Result<()>>;

/// What is served.
pub(super) struct Site {
    pub(super) pools: Vec<Pool>,
    pub(super) options: Options,
    /// All routes, for the description of the interface.
    pub(super) routes: &'static [Route],
}

/// How a question is answered.
#[derive(Clone, Copy)]
pub(super) enum Method {
    /// With a body that fits into memory.
    Whole(fn(&Question<'_>) -> Result<Answer, Failure>),
    /// Piece by piece, with a type.
    Streamed(&'static str, fn(&Question<'_>) -> Result<Writing, Failure>),
    /// With a body that fits into memory, about a text that is sent as the body of the request.
    OfText(fn(&Question<'_>, &str) -> Result<Answer, Failure>),
}

/// How much work an answer may be. Heavy answers leave connections to light ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Light,
    Heavy,
}

/// The interface to which a route belongs, which decides how failures are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interface {
    /// That of opening explorers: plain text.
    Explorer,
    /// Stamma's own: JSON.
    Own,
}

/// An address and its answer.
pub(super) struct Route {
    /// The path; a part `{id}` stands for any text.
    pub(super) path: &'static str,
    pub(super) interface: Interface,
    pub(super) weight: Weight,
    pub(super) method: Method,
    pub(super) description: Description,
}

/// What the description of the interface says of a route.
pub(super) struct Description {
    pub(super) summary: &'static str,
    /// Parameters beside `db`, each with a sentence.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// `true` if the options of `stamma search` are parameters, too.
    pub(super) has_filters: bool,
    /// The name of the answer's schema; empty for one that is no JSON.
    pub(super) schema: &'static str,
}

impl Description {
    /// `true` if a parameter is one of this route itself, and no option of a search.
    pub(super) fn has_own(&self, name: &str) -> bool {
        name == "db" || self.parameters.iter().any(|(own, _)| *own == name)
    }
}

impl Route {
    /// `true` if a request sends a text, by POST.
    pub(super) fn takes_text(&self) -> bool {
        matches!(self.method, Method::OfText(_))
    }

    /// The text at `{id}` if a path is one of this route; empty for a path without one.
    pub(super) fn matches<'p>(&self, path: &'p str) -> Option<&'p str> {
        let Some((before, after)) = self.path.split_once("{id}") else {
            return (self.path == path).then_some("");
        };
        let id = path.strip_prefix(before)?.strip_suffix(after)?;
        (!id.is_empty() && !id.contains('/')).then_some(id)
    }
}
