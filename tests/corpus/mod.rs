//! Where the third-party files are: `STAMMA_CORPUS` names their folder; without it, tests that need
//! them are skipped.

use std::path::Path;

/// The bytes of a file of the corpus; says so and gives nothing when there is no corpus.
#[expect(clippy::print_stderr, reason = "a skipped test tells the one who runs it")]
pub(crate) fn read(name: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("STAMMA_CORPUS") else {
        eprintln!("skipped: STAMMA_CORPUS is not set");
        return None;
    };
    let path = Path::new(&folder).join(name);
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The text of a file of the corpus; see [`read`].
#[allow(dead_code, reason = "not every test that reads the corpus reads text")]
pub(crate) fn read_text(name: &str) -> Option<String> {
    read(name).map(|bytes| String::from_utf8(bytes).expect(name))
}
