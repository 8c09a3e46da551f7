//! Stamma reads PGN in bulk into one SQLite file with a position index, finds games by positions, patterns and
//! attributes, and writes them back as clean PGN. This is the library of the program `stamma`.
//!
//! # Data model
//!
//! - A **[`Database`]** is one SQLite file. It holds games, their sources, and their problems.
//! - A **source** is a file, or a member of an archive, that was [imported](mod@import). Importing it again adds nothing.
//! - A **game** has a number, tag pairs in their order, a mainline in SAN, and annotations: comments, NAGs, variations.
//!   No game is rejected: text that cannot be read as PGN is stored as text, with a **problem** that names its place.
//! - The **position index** lists, for each position, the games that reach it and the moves that were played there.
//! - **Columns** hold the values that a [`Filter`] compares: players, dates, ratings, results, ECO codes and more.
//! - A **[`Query`]** joins positions, a [pattern](query::PositionQuery), a filter, an order and a limit. [`Database::query`] answers it lazily:
//!   [hits](query::Results::hits), [games](query::Results::games), a [count](query::Results::count), and the
//!   [moves](query::Results::moves) played in the position, with their statistics.
//!
//! # A database and a query
//!
//! Import a file, print the games that reach a position with both ratings above 2600, and the moves played there:
//!
//! ```
//! use stamma::import::{ImportOptions, import};
//! use stamma::{Database, Filter, Query};
//!
//! fn main() -> stamma::Result<()> {
//! #   let folder = tempfile::tempdir().expect("a temporary folder");
//! #   std::fs::copy("tests/data/games/today.pgn", folder.path().join("games.pgn")).expect("games");
//! #   std::env::set_current_dir(&folder).expect("a folder");
//!     let mut database = Database::open_or_create("games.db")?;
//!     import(&mut database, ["games.pgn"], ImportOptions::default(), |_progress| {})?;
//!
//!     let position = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
//!     let rated = Filter { elo: Some((2601..).into()), ..Filter::default() };
//!     let mut results = database.query(&Query::new().position(position)?.filter(rated))?;
//! #   assert_eq!((results.count()?, results.moves()?.len()), (3, 1));
//!     for hit in results.hits()? {
//!         // Kasparov, Garry - Kramnik, Vladimir, 1/2-1/2, Braingames World Championship 2000.10.12
//!         println!("{}", database.heading(hit?.game)?.unwrap_or_default());
//!     }
//!     for played in results.moves()? {
//!         println!("{}: {} games", played.san().unwrap_or("(end)"), played.counts.all_games());
//!     }
//!     Ok(())
//! }
//! ```
//!
//! A position is a FEN, or moves such as `"1. e4 e5"`; transpositions are found. [`import`](import::import) returns a
//! [`Summary`](import::Summary), which names the files that could not be read; the others are imported.
//! [`Database::open`] opens a database for reading only, beside any number of other readers.
//!
//! # PGN without a database
//!
//! [`pgn`] cuts bytes into games and reads them with a visitor, [`replay`](mod@replay) plays them on a board in any
//! notation and language, [`export`] writes them, and [`convert`](mod@convert) does all of it with whole files.
//!
//! ```
//! use stamma::export::write_pgn;
//! use stamma::notation::Style;
//! use stamma::replay::replay;
//!
//! let replay = replay("[White \"Morphy\"]\n\n1.e2-e4 e7e5 {usual} 2.Ng1f3 1-0");
//! assert_eq!(replay.last.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
//! let mut pgn = Vec::new();
//! write_pgn(&replay.game, &Style::pgn(), &mut pgn)?;
//! assert!(pgn.ends_with(b"1. e4 e5 {usual} 2. Nf3 1-0\n\n"));
//! # Ok::<(), stamma::export::Unwritable>(())
//! ```
//!
//! # Modules
//!
//! | module | for |
//! |---|---|
//! | [`storage`] | opening databases, reading games by number |
//! | [`import`](mod@import), [`maintenance`] | files into a database; checking, merging, forgetting, tidying |
//! | [`query`] | positions, patterns, filters, players |
//! | [`export`], [`convert`](mod@convert) | games to PGN, JSON, EPD, opening books and pictures |
//! | [`report`] | tables, boards and charts as Markdown and HTML |
//! | [`study`] | tournaments, novelties, repertoires, preparation for opponents, reports on openings |
//! | `answer`, with the feature `program` | answers to queries as JSON and as rows, with their schemas |
//! | [`dataset`](mod@dataset) | games and positions to Parquet, for engines that query data sets |
//! | [`sql`] | these queries as SQL functions, for any connection |
//! | [`board`], [`notation`], [`game`], [`pgn`], [`replay`](mod@replay) | chess and PGN, without a database |
//! | [`input`] | files, archives, encodings |
//! | [`evaluations`], [`engine`] | evaluations of positions by engines: from files, or from a running engine |
//! | [`openings`] | names of openings by position |
//! | [`cleaning`] | duplicate games, spellings of names |
//!
//! # Features
//!
//! Stamma needs Rust 1.95 or newer. [`Database::connection`] gives a connection of rusqlite 0.40.
//!
//! | feature | adds |
//! |---|---|
//! | `program` (default) | the program `stamma`, with paths with wildcards and suggestions for misspelt names; includes `bundled` and `compressed` |
//! | `serve` (default) | `stamma serve`, an HTTP server; includes `program` |
//! | `bundled` | a compiled-in SQLite; without it, the library uses the SQLite that it is linked with or loaded into |
//! | `compressed` | compressed files and archives |
//! | `dataset` (default) | data sets of Parquet files |
//!
//! A program that needs only the library declares it like this:
//!
//! ```toml
//! stamma = { version = "0.1", default-features = false, features = ["bundled", "compressed"] }
//! ```
//!
//! # Threads and errors
//!
//! Imports, conversions and pattern searches use all threads of the current rayon pool. A failed run is an [`Error`]
//! with a sentence for people; wrong data is no error but a [`Problem`](replay::Problem), which is collected. No input
//! makes the library panic.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "program")]
pub mod answer;
pub mod cleaning;
mod columns;
pub mod convert;
#[cfg(feature = "dataset")]
pub mod dataset;
pub mod engine;
mod equal_games;
pub mod error;
pub mod evaluations;
pub mod export;
pub mod import;
mod index;
mod ingest;
pub mod input;
pub mod maintenance;
mod memory;
mod ordered;
pub mod query;
pub mod report;
#[cfg(test)]
mod sample_games;
mod source_problem;
pub mod sql;
pub mod storage;
mod store_fault;
pub mod study;
mod threads;

pub use error::{Error, Result};
pub use query::{Filter, Query, SortKey};
#[doc(inline)]
pub use stamma_chess::{board, bug, game, notation, openings, pgn, replay};
pub use storage::{Database, GameId};
