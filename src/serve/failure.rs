//! The failure of a request: a status, and a sentence for the sender.

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
    /// The reason, as a sentence.
    pub(super) error: String,
}

impl Failure {
    /// A parameter of the request is wrong.
    pub(super) fn bad_request(sentence: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::BAD_REQUEST,
            sentence: sentence.into(),
        }
    }

    /// The request names something that does not exist.
    pub(super) fn not_found(sentence: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::NOT_FOUND,
            sentence: sentence.into(),
        }
    }

    /// The client must not make this request.
    pub(super) fn forbidden(sentence: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::FORBIDDEN,
            sentence: sentence.into(),
        }
    }

    /// The server could answer this request later, or a smaller request now.
    pub(super) fn unavailable(sentence: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::SERVICE_UNAVAILABLE,
            sentence: sentence.into(),
        }
    }

    /// The failure without the folder of a database in its sentence: only the owner of a server may know its folders.
    pub(super) fn without_folder(self, database: &Path) -> Failure {
        // A message may have the path as it was given, or as the system completes it.
        let absolute = std::path::absolute(database);
        let paths = absolute.iter().map(PathBuf::as_path).chain([database]);

        let mut sentence = self.sentence;
        for path in paths {
            let Some(folder) = path.parent() else {
                continue;
            };
            if folder == Path::new("") {
                continue;
            }

            let with_separator = folder.join("").display().to_string();
            sentence = sentence.replace(&with_separator, "");
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
            // Another program writes to the file or has replaced it, so a later request may succeed.
            Error::Busy(_)
            | Error::Locked { .. }
            | Error::Replaced(_)
            | Error::LogOfOther { .. }
            | Error::NoDatabase(_)
            | Error::NotADatabase(_)
            | Error::NotAFile(_)
            | Error::UnreleasedDatabase { .. }
            | Error::NewerDatabase { .. } => Failure::unavailable(error.to_string()),
            // The request itself is wrong.
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
        let busy = Failure::from(Error::Busy(path.to_owned()));

        let sentence = busy.without_folder(path).sentence;
        assert!(
            sentence.starts_with("games.db: another program"),
            "{sentence}"
        );
    }

    #[test]
    fn folders_of_logs_are_not_told() {
        let path = Path::new("/home/a/chess/games.db");
        let left = Failure::from(Error::LogOfOther {
            database: path.to_owned(),
            log: PathBuf::from("/home/a/chess/games.db-wal"),
            index: PathBuf::from("/home/a/chess/games.db-shm"),
        });

        let sentence = left.without_folder(path).sentence;
        assert!(!sentence.contains("/home"), "{sentence}");
    }

    #[test]
    fn sentences_without_a_folder_stay_as_they_are() {
        let plain = Failure::bad_request("limit=x is not understood");

        let without_folder = plain.clone().without_folder(Path::new("games.db"));
        assert_eq!(without_folder, plain);
    }
}
