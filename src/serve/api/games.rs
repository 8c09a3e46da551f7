//! `/api/1/games`: the games of a query, page by page.

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Joined, Route, Weight, schema_of,
};
use stamma::answer::{EvaluationRef, FoundGame, Games};
use stamma::query::{Hit, Query};
use stamma::storage::PositionEvaluation;

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/games",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The games of a query, page by page",
        parameters: &[
            (
                "fen",
                "a position that games must reach; fields at its end may be left out",
            ),
            (
                "play",
                "moves from there in UCI notation, separated by commas",
            ),
            (
                "limit",
                "the number of games of a page, at most 500 (default: 50)",
            ),
            ("cursor", "the page, as `next` of the page before it has it"),
        ],
        has_filters: true,
        schema: Some(schema_of::<Games>),
    },
};

const DEFAULT_ROWS: usize = 50;
const MAX_ROWS: usize = 500;

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let (query, _) = joined.game_query()?;
    let parameters = joined.request.parameters;
    let limit = parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?;

    // A cursor is the number of games before the page.
    let before: usize = parameters.parse("cursor")?.unwrap_or(0);
    let page = if joined.has_several() {
        read_joined_page(joined, &query, before, limit)?
    } else {
        joined.single(|request| read_page(request, &query, before, limit))?
    };

    let end = before.saturating_add(page.games.len());
    let next = if page.has_more {
        Some(end.to_string())
    } else {
        None
    };

    let evaluation = read_evaluation(joined)?;
    Answer::json(&Games {
        games: page.games,
        next,
        evaluation: EvaluationRef::new(evaluation.as_ref()),
        index_plies: joined.plies_of(&query),
    })
}

/// The evaluation of the position, if the request has exactly one position.
fn read_evaluation(joined: &Joined<'_>) -> Result<Option<PositionEvaluation>, Failure> {
    let positions = joined.request.positions()?.unwrap_or_default();
    let [position] = positions.as_slice() else {
        return Ok(None);
    };

    let one_position = [Some(position.clone())];
    let mut evaluations = joined.evaluations(&one_position)?;
    Ok(evaluations.pop().flatten())
}

/// The games of a page, and whether there is another page.
struct Page {
    games: Vec<FoundGame>,
    has_more: bool,
}

/// The page of one database behind the first `before` games.
fn read_page(
    request: &DatabaseRequest<'_>,
    query: &Query,
    before: usize,
    limit: usize,
) -> Result<Page, Failure> {
    let database = request.database;
    let mut results = database.query_watched(query, request.watch)?;
    let mut hits = results.hits()?;
    hits.pass(before)?;

    let mut games = Vec::new();
    for hit in hits.by_ref().take(limit) {
        let game = FoundGame::read(database, hit?)?;
        games.push(game);
    }

    let is_full = games.len() == limit;
    let has_more = is_full && hits.next().transpose()?.is_some();
    Ok(Page { games, has_more })
}

/// The page of several databases behind the first `before` games.
fn read_joined_page(
    joined: &Joined<'_>,
    query: &Query,
    before: usize,
    limit: usize,
) -> Result<Page, Failure> {
    // One hit more than the page has shows that there is another page.
    let hit_limit = before.saturating_add(limit).saturating_add(1);
    let limited = query.clone().limit(hit_limit);
    let mut hits: Vec<(usize, Hit)> = joined.query(&limited, |results| {
        let all_hits = results.hits(|_, hits| Ok(hits));
        all_hits.skip(before).collect()
    })?;

    let has_more = hits.len() > limit;
    hits.truncate(limit);

    // Games are read after the query, which holds the locks of all snapshots.
    let mut games = Vec::with_capacity(hits.len());
    for (database, hit) in hits {
        let mut game =
            joined.run_one(database, |request| FoundGame::read(request.database, hit))?;
        game.game.game.database = joined.name_of(database);
        games.push(game);
    }
    Ok(Page { games, has_more })
}
