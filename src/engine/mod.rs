//! Chess engines that speak the Universal Chess Interface (UCI), started as processes of their own.
//!
//! [`Engine`] is one process: it searches one position at a time, and streams the lines that it finds. [`search_all`] gives
//! positions to several processes side by side, and restarts a process that fails.
//!
//! An engine is not trusted. Each answer has a time limit, the output is bounded, moves are replayed, and scores are
//! converted to White's side. Any output that cannot be right ends the process, with an [`EngineFailure`].
//!
//! ```no_run
//! use stamma::board::Position;
//! use stamma::engine::{Engine, EngineFailure, EngineSettings, SearchLimit};
//!
//! let mut engine = Engine::start(&EngineSettings::new("stockfish"), &|| false)?;
//! let is_stopped = || false;
//! let found = engine.search(&Position::start(), SearchLimit::Depth(20), &is_stopped, &mut |line| {
//!     println!("{} at depth {}", line.score, line.depth);
//! })?;
//! # Ok::<(), EngineFailure>(())
//! ```
//!
//! | file | for |
//! |---|---|
//! | `process` | a child process, its lines, and its end |
//! | `declared` | the options that an engine declares, and values for them |
//! | `info` | a line of output, not yet compared with the position |
//! | `search` | limits and results of searches |
//! | `session` | one engine, from the handshake to the last answer |
//! | `pool` | several engines |

mod declared;
mod failure;
mod info;
mod pool;
mod process;
mod search;
mod session;

pub use failure::EngineFailure;
pub use info::Bound;
pub use pool::{PoolEnd, PoolEvent, search_all};
pub use search::{Search, SearchLimit, SearchLine};
pub use session::{Engine, EngineSettings};
