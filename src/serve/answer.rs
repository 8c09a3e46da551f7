//! Answers before they are sent: a status, a type and a body.

use hyper::StatusCode;
use serde::Serialize;

use super::failure::Failure;

/// An answer to a request.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) content_type: &'static str,
    pub(super) body: Vec<u8>,
    /// `true` for an answer that proxies must pass on at once.
    pub(super) is_unbuffered: bool,
}

pub(super) const JSON: &str = "application/json";
pub(super) const NDJSON: &str = "application/x-ndjson";
pub(super) const PGN: &str = "application/x-chess-pgn";
pub(super) const PLAIN: &str = "text/plain; charset=utf-8";

impl Answer {
    pub(super) fn new(content_type: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer {
            status: StatusCode::OK,
            content_type,
            body: body.into(),
            is_unbuffered: false,
        }
    }

    /// An answer with a value as compact JSON.
    pub(super) fn json(value: &impl Serialize) -> std::result::Result<Answer, Failure> {
        match serde_json::to_vec(value) {
            Ok(body) => Ok(Answer::new(JSON, body)),
            Err(error) => Err(Failure::unavailable(error.to_string())),
        }
    }
}
