//! Why a request has no answer.

use std::path::{Path, PathBuf};

use hyper::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use stamma::error::{Error, StoreFault};

/// A request that cannot be answered, with a sentence for its sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) status: StatusCode,
    pub(super) sentence: String,
}

/// A failure as JSON.
#[derive(Serialize, JsonSchema)]
pub(super) struct FailureAnswer {
    /// What is wrong.
    pub(super) error: String,
}

impl Failure {
    /// The request asks for something that has no meaning.
    pub(super) fn bad_request(sentence: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::BAD_REQUEST,
            sentence: sentence.into(),
        }
    }

    /// There is nothing of this name or number.
    pub(super) fn not_found(sentence: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::NOT_FOUND,
            sentence: sentence.into(),
        }
    }

    /// The server does not do this for this client.
    pub(super) fn forbidden(sentence: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::FORBIDDEN,
            sentence: sentence.into(),
        }
    }

    /// The server could answer at another time, or a smaller request.
    pub(super) fn unavailable(sentence: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::SERVICE_UNAVAILABLE,
            sentence: sentence.into(),
        }
    }

    /// The failure without the folder of a database in its sentence: only the owner of a server may know its folders.
    pub(super) fn without_folder(self, database: &Path) -> Failure {
        let mut sentence = self.sentence;
        let absolute = std::path::absolute(database);
        for path in absolute.iter().map(PathBuf::as_path).chain([database]) {
            let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) else {
                continue;
            };
            let begin = folder.join("").display().to_string();
            sentence = sentence.replace(&begin, "");
        }
        Failure { sentence, ..self }
    }

    /// The answer would take more work than a request may cause.
    pub(super) fn too_much_work() -> Failure {
        Failure::unavailable("this takes more work than one answer may; ask for less")
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Interrupted => Failure::too_much_work(),
            Error::Busy(_)
            | Error::Locked { .. }
            | Error::Replaced(_)
            | Error::LogOfOther { .. }
            | Error::NoDatabase(_)
            | Error::NotADatabase(_)
            | Error::NotAFile(_)
            | Error::UnreleasedDatabase { .. }
            | Error::NewerDatabase { .. } => Failure::unavailable(error.to_string()),
            Error::Fen(_)
            | Error::NotAPosition { .. }
            | Error::Moves(_)
            | Error::NoSuchSource(_)
            | Error::SeveralSources { .. }
            | Error::Sql(_)
            | Error::Condition(_) => Failure::bad_request(error.to_string()),
            Error::Store {
                fault: StoreFault::NoPositions,
                ..
            } => Failure::bad_request(error.to_string()),
            Error::NoSuchGame(_) | Error::NoSuchPlayer(_) => Failure::not_found(error.to_string()),
            _ => Failure {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                sentence: error.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_not_told() {
        let path = Path::new("/home/a/chess/games.db");
        let failure = Failure::from(Error::Busy(path.to_owned())).without_folder(path);
        assert!(
            failure.sentence.starts_with("games.db: another program"),
            "{}",
            failure.sentence
        );
        let log = |end: &str| PathBuf::from(format!("/home/a/chess/games.db{end}"));
        let left = Error::LogOfOther {
            database: path.to_owned(),
            log: log("-wal"),
            index: log("-shm"),
        };
        let sentence = Failure::from(left).without_folder(path).sentence;
        assert!(!sentence.contains("/home"), "{sentence}");
        let plain = Failure::bad_request("limit=x is not understood");
        assert_eq!(plain.clone().without_folder(Path::new("games.db")), plain);
    }
}
