//! All routes.

use super::api;
use super::route::Route;

/// All routes; of two that match a path, the first answers.
pub(super) static ROUTES: &[Route] = &[
    api::databases::ROUTE,
    api::position::ROUTE,
    api::moves::ROUTE,
    api::games::ROUTE,
    api::count::ROUTE,
    api::game::ROUTE,
];
