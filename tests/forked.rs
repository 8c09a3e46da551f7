//! Do processes that were forked get answers, as those of Python's `multiprocessing` are?

#![cfg(unix)]
#![expect(unsafe_code, reason = "processes are forked by calls of the system")]

mod support;

use std::path::Path;

use rusqlite::Connection;
use support::program::Workplace;

/// How long a child waits for an answer before the system ends it, in seconds.
const PATIENCE: u32 = 60;

/// Queries that share their work between threads: each asks of more games than one thread takes at once.
const QUERIES: [&str; 2] = [
    "SELECT count(*) FROM position_like('', 'Q>=1', '', '')",
    "SELECT count(*) FROM position_like('', '', 'O-O O-O', '')",
];

fn answers(database: &Path) -> Vec<i64> {
    let connection = Connection::open(database).expect("a database");
    stamma::sql::register(&connection).expect("functions of SQL");

    let mut answers = Vec::new();
    for query in QUERIES {
        let answer = connection.query_row(query, [], |row| row.get(0));
        answers.push(answer.expect("an answer"));
    }
    answers
}

/// Runs `work` in a child, and says how the child ended: 0 when `work` was true.
fn in_child(work: impl FnOnce() -> bool) -> i32 {
    // SAFETY: the child has this thread alone, needs none of the others, and ends without coming back.
    match unsafe { libc::fork() } {
        0 => {
            // SAFETY: it has the alarm of the system end this process, and nothing handles that.
            unsafe { libc::alarm(PATIENCE) };
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            // SAFETY: it ends this process at once.
            unsafe { libc::_exit(i32::from(!done.unwrap_or(false))) }
        }
        child => {
            assert!(child > 0, "no process could be forked");
            let mut status = 0;
            // SAFETY: the child is one of this process, and the status is written to a variable that lives.
            assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
            status
        }
    }
}

#[test]
fn a_child_and_its_child_have_threads_of_their_own() {
    let work = Workplace::with_historical_games();
    let database = work.path("games.db");
    let expected = answers(&database);
    assert!(expected.iter().all(|&games| games > 0), "{expected:?}");
    let status = in_child(|| {
        answers(&database) == expected
            && answers(&database) == expected
            && in_child(|| answers(&database) == expected) == 0
    });
    assert_eq!(status, 0, "the child was ended, or had another answer");
    assert_eq!(answers(&database), expected);
}
