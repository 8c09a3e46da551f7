//! The position index from end to end: its size, the import that builds it, look-ups, the exactness of answers, and
//! growth with larger databases. The output is a table of figures, each with its limit if it has one; the exit code is
//! 1 if a limit is exceeded.
//!
//! `STAMMA_CORPUS=DIR cargo bench --bench index [-- --file FILE] [--growth FILE] [--runs N] [--only PART,...] [--peer
//! 'NAME=COMMAND']...`. Every part checks its answers: the numbers of games against the `Event` tags, counts and lists
//! against `pgn-reader` and `shakmaty` playing the file.
//!
//! # Peers
//!
//! A peer is a shell command in which `{pgn}` is replaced by the file and `{out}` by an output path, in a folder that
//! is removed after each run; its programs are found in `PATH`. All run in turn with Stamma. They do different work,
//! and none builds an index of positions:
//!
//! - Scid 4.7.4 (Debian's `scid`, no display needed) replays every mainline, with two threads, and
//!   omits Chess960 games;
//! - Scoutfish replays every mainline on one thread, stores the moves and no headings, and omits
//!   games that begin with a FEN; it writes beside the file, so it is given a link; it crashes on
//!   archive.pgn, but not on human.pgn;
//! - OCGDB replays every mainline on all threads and stores games as rows of SQLite, their moves in two
//!   bytes each; games of variants are omitted;
//! - `cp` gives the time of reading and writing the text.
//!
//! ```sh
//! --peer 'scid=echo "set base [sc_base create [lindex \$argv 1]]; sc_base import \$base [lindex \$argv 0]; sc_base close \$base; exit" > {out}.tcl && /usr/games/tkscid {out}.tcl {pgn} {out}'
//! --peer 'scoutfish=ln -s {pgn} {out}.pgn && scoutfish make {out}.pgn'
//! --peer 'ocgdb=ocgdb -create -pgn {pgn} -db {out}.ocgdb.db3 -o moves2'
//! --peer 'cp=cp {pgn} {out}'
//! ```

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::process::ExitCode;

use clap::Parser;

mod index {
    pub(crate) mod bench;
    pub(crate) mod distinct;
    pub(crate) mod exactness;
    pub(crate) mod growth;
    pub(crate) mod import;
    pub(crate) mod lookups;
    pub(crate) mod memory;
    pub(crate) mod neighbors;
    pub(crate) mod replayed;
    pub(crate) mod samples;
    pub(crate) mod size;
    pub(crate) mod stored;
    pub(crate) mod table;
    pub(crate) mod update;
}
#[path = "../chess/benches/peer/mod.rs"]
mod peer;
#[allow(dead_code, reason = "other benches compare with other programs")]
mod process;
mod questions;
#[path = "../chess/tests/support/random.rs"]
#[allow(dead_code, reason = "the tests draw more than positions")]
mod random;
mod timing;
mod truth;
#[allow(dead_code, reason = "other benches measure more")]
mod usage;

use index::bench::{Arguments, Bench, Part};
use index::table::Table;
use index::{exactness, growth, import, lookups, memory, size, update};

type Measure = fn(&Bench, &mut Table);

/// The parts, in the order of the table.
const PARTS: [(Part, Measure); 8] = [
    (Part::Size, size::measure),
    (Part::Import, import::measure),
    (Part::Peers, import::measure_peers),
    (Part::Memory, memory::measure),
    (Part::Lookups, lookups::measure),
    (Part::Exactness, exactness::measure),
    (Part::Growth, growth::measure),
    (Part::Update, update::measure),
];

fn main() -> ExitCode {
    let Some(bench) = Bench::new(Arguments::parse()) else {
        return ExitCode::SUCCESS;
    };
    println!("{}, {} games", bench.pgn.display(), bench.games());
    let mut table = Table::begin();
    for (part, measure) in PARTS {
        if bench.wants(part) {
            measure(&bench, &mut table);
        }
    }
    println!("{} limits missed", table.missed());
    if table.missed() == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
