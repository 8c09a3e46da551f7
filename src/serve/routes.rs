//! All routes.

use super::route::Route;
use super::{api, explorer};

/// All routes; of two that match a path, the first answers.
pub(super) static ROUTES: &[Route] = &[
    explorer::masters::ROUTE,
    explorer::masters::OLDER_ROUTE,
    explorer::lichess::ROUTE,
    explorer::lichess::HISTORY_ROUTE,
    explorer::player::ROUTE,
    explorer::player::OLDER_ROUTE,
    explorer::pgn::ROUTE,
    explorer::pgn::OLDER_ROUTE,
    explorer::monitor::ROUTE,
    api::databases::ROUTE,
    api::position::ROUTE,
    api::moves::ROUTE,
    api::transpositions::ROUTE,
    api::games::ROUTE,
    api::command::ROUTE,
    api::count::ROUTE,
    api::pgn::GAME_ROUTE,
    api::game::ROUTE,
    api::pgn::ROUTE,
    api::pgn_line::ROUTE,
    api::player::ROUTE,
    api::tournaments::ROUTE,
    api::crosstable::ROUTE,
    api::novelties::ROUTE,
    api::repertoire::ROUTE,
    api::opening::ROUTE,
    api::prepare::ROUTE,
    api::prepare::REPERTOIRE_ROUTE,
    api::suggest::ROUTE,
    api::openings::ROUTE,
    api::statistics::ROUTE,
    api::problems::ROUTE,
    api::sql::ROUTE,
    api::openapi::ROUTE,
];
