//! The program as users meet it: the output, errors and files of each command.

mod after;
#[cfg(unix)]
mod analyze;
#[cfg(unix)]
mod analyze_hostile;
mod chosen;
mod convert;
mod convert_analyze;
mod csv;
#[cfg(feature = "dataset")]
mod dataset;
mod engines;
mod evaluated;
mod evaluated_answers;
mod export_epd;
mod fen_list;
mod files;
mod form;
mod key;
mod layout;
mod letters;
mod move_tree;
mod notable_games;
mod notations;
mod novelties;
mod opening_book;
mod opening_report;
#[cfg(feature = "dataset")]
mod parquet;
mod parquet_evaluations;
mod piped;
mod player;
mod position_like;
mod positions;
mod prepare;
mod repertoire;
mod search;
mod several;
mod show;
mod sql;
mod suggestions;
mod terminal;
mod tournaments;
mod typed;
mod usage;

#[path = "../support/mod.rs"]
mod support;
