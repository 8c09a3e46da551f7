//! `/api/1/player`: the record of a player.

use crate::serve::answer::Answer;
use crate::serve::failure::Failure;
use crate::serve::route::{
    DatabaseRequest, Description, Handler, Interface, Joined, Route, Weight, schema_of,
};
use stamma::answer::{self, PlayerGame};
use stamma::query::NameQuery;
use stamma::query::player::{PlayerQuery, PlayerRecord};

pub(in crate::serve) const ROUTE: Route = Route {
    path: "/api/1/player",
    interface: Interface::Own,
    weight: Weight::Heavy,
    handler: Handler::Whole(answer),
    description: Description {
        summary: "The record of a player by colour, opening, opponent and year",
        parameters: &[
            (
                "name",
                "words or word prefixes of the name, or the exact name behind =",
            ),
            ("against", "the name of an opponent"),
            (
                "limit",
                "the most rows of each list, at most 1000 (default: 50)",
            ),
        ],
        has_filters: true,
        schema: Some(schema_of::<answer::Player>),
    },
};

const DEFAULT_ROWS: usize = 50;
const MAX_ROWS: usize = 1000;

fn answer(joined: &Joined<'_>) -> Result<Answer, Failure> {
    let query = read_query(joined)?;

    // Games are listed for a single database only.
    if joined.has_several() {
        let record = joined_record(joined, &query)?;
        let answer = answer::Player::new(&query, &record, Vec::new());
        return Answer::json(&answer);
    }

    joined.single(|request| {
        let record = read(request, &query)?;
        let latest_games = PlayerGame::read_latest(request.database, &record)?;
        let answer = answer::Player::new(&query, &record, latest_games);
        Answer::json(&answer)
    })
}

fn read_query(joined: &Joined<'_>) -> Result<PlayerQuery, Failure> {
    let parameters = joined.request.parameters;
    let player_text = parameters.required("name")?;
    let player = name_query(player_text)?;
    let opponent = match parameters.get("against").unwrap_or_default() {
        "" => None,
        text => Some(name_query(text)?),
    };

    Ok(PlayerQuery {
        player,
        opponent,
        filter: joined.game_options()?.filter,
        limit: parameters.rows("limit", DEFAULT_ROWS, MAX_ROWS)?,
    })
}

fn read(request: &DatabaseRequest<'_>, query: &PlayerQuery) -> Result<PlayerRecord, Failure> {
    let record = PlayerRecord::read(request.database, query, &request.watch)?;
    Ok(record)
}

/// The record in several databases of the player with the most games whose name matches.
fn joined_record(joined: &Joined<'_>, query: &PlayerQuery) -> Result<PlayerRecord, Failure> {
    // A row that is rare in one database may be among the first of all databases.
    let without_limit = PlayerQuery {
        limit: usize::MAX,
        ..query.clone()
    };
    let mut records = joined.run(|request| read(request, &without_limit))?;
    let Some(frequent_name) = PlayerRecord::most_frequent_name(&records) else {
        return Ok(PlayerRecord::joined(&records, query.limit));
    };

    let player = if query.player.is_exact {
        query.player.clone()
    } else {
        NameQuery::from(frequent_name.as_str())
    };
    let by_name = PlayerQuery {
        player,
        ..without_limit
    };

    // In another database, the text of the request may first fit somebody else.
    for (database, record) in records.iter_mut().enumerate() {
        let mut names = record.names.rows.iter();
        let is_of_player = names.any(|(name, _)| *name == frequent_name);
        if !is_of_player {
            *record = joined.run_one(database, |request| read(request, &by_name))?;
        }
    }
    Ok(PlayerRecord::joined(&records, query.limit))
}

/// The query for a name.
///
/// # Errors
/// When the text has no letter and no digit.
pub(in crate::serve) fn name_query(text: &str) -> Result<NameQuery, Failure> {
    let name = NameQuery::from(text.trim());

    let has_word = name.text.contains(char::is_alphanumeric);
    if !name.is_exact && !has_word {
        return Err(Failure::bad_request("a name has a letter or a digit"));
    }
    Ok(name)
}
