//! The answers of explorers, with their fields in the order and the types that clients know.

use schemars::JsonSchema;
use serde::Serialize;

use super::explored::Explored;
use super::ids::id;
use super::named::{ExplorerOpening, opening_of};
use super::parameters::ExplorerParameters;
use crate::serve::failure::Failure;
use crate::serve::route::Joined;
use stamma::board::Color;
use stamma::game::PartialDate;
use stamma::query::{
    FeaturedGames, GameOfDatabase, MoveCount, OnlineGame, Ratings, Speed, performance,
};
use stamma::storage::Heading;

/// The results of games.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
struct Counted {
    white: u64,
    draws: u64,
    black: u64,
}

/// The answer for a position.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reply {
    #[serde(flatten)]
    total: Counted,
    moves: Vec<ReplyMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recent_games: Option<Vec<GameWithMove>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_games: Option<Vec<GameWithMove>>,
    opening: Option<ExplorerOpening>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_position: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<Month>>,
    /// The last half-move after which positions are indexed, if not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    index_plies: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReplyMove {
    uci: String,
    san: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_rating: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_opponent_rating: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    performance: Option<i64>,
    #[serde(flatten)]
    results: Counted,
    game: Option<ReplyGame>,
    opening: Option<ExplorerOpening>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct GameWithMove {
    uci: String,
    #[serde(flatten)]
    game: ReplyGame,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ReplyGame {
    id: String,
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    black: Player,
    white: Player,
    year: u16,
    month: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Player {
    name: String,
    rating: u16,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Month {
    month: String,
    #[serde(flatten)]
    results: Counted,
}

/// The optional fields that a route writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    pub(super) recent_games: bool,
    pub(super) top_games: bool,
    pub(super) history: bool,
    /// `true` for the speed of games, and the mode: rated or casual.
    pub(super) speeds: bool,
    /// The side of a player. The ratings of the player's opponents and the performance are written in place of the
    /// ratings of the side to move.
    pub(super) player: Option<Color>,
}

impl Reply {
    /// The answer for a position whose moves have been counted and whose games have been found.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn new(
        joined: &Joined<'_>,
        options: &ExplorerParameters,
        explored: &Explored,
        fields: Fields,
    ) -> Result<Reply, Failure> {
        let Explored { moves, featured } = explored;
        let writer = ReplyWriter {
            joined,
            options,
            featured,
            fields,
        };

        // Only games with a result are counted, so a move whose games are all unfinished would be a row of zeros.
        let mut counted: Vec<&MoveCount> = moves
            .iter()
            .filter(|counted| counted.played.is_some() && counted.counts.finished() > 0)
            .collect();
        counted.sort_by_key(|counted| std::cmp::Reverse(counted.counts.finished()));

        let mut total = Counted::default();
        for move_count in &counted {
            total.white += move_count.counts.white;
            total.draws += move_count.counts.draws;
            total.black += move_count.counts.black;
        }

        let [recent_games, top_games] = writer.game_lists(moves)?;
        let mut rows = Vec::new();
        for move_count in counted.into_iter().take(options.moves) {
            rows.push(writer.reply_move(move_count)?);
        }

        let opening = opening_of(joined.openings(), options.line.positions_back());
        let history = fields
            .history
            .then(|| monthly_results(featured, options.since));

        Ok(Reply {
            total,
            moves: rows,
            recent_games,
            top_games,
            opening,
            // Lichess's explorer indexes the games of a player on request; here, no request waits in a queue.
            queue_position: None,
            history,
            index_plies: joined.indexed_plies(),
        })
    }
}

/// A history does not begin before this month, unless a game was played earlier.
const EARLIEST_MONTH: (u16, u8) = (1900, 1);
/// The last month of a year.
const DECEMBER: u8 = 12;
/// The maximum number of games of both lists together.
const MAX_SHOWN: usize = 8;
/// The maximum number of best-rated games of a route that also lists the latest games.
const MAX_SHOWN_TOP: usize = 4;
/// The least mean rating of a best-rated game of a route that also lists the latest games.
const MIN_TOP_RATING: u32 = 2000;

impl ReplyGame {
    /// The mean rating of both players, rounded down.
    fn mean_rating(&self) -> u32 {
        u32::midpoint(self.white.rating.into(), self.black.rating.into())
    }
}

/// Makes the rows of moves and games of a reply.
struct ReplyWriter<'a, 'q> {
    joined: &'a Joined<'q>,
    options: &'a ExplorerParameters,
    featured: &'a FeaturedGames<GameOfDatabase>,
    fields: Fields,
}

impl ReplyWriter<'_, '_> {
    /// The row of a move.
    fn reply_move(&self, counted: &MoveCount) -> Result<ReplyMove, Failure> {
        let (san, uci) = match &counted.played {
            Some((san, mv)) => (san.clone(), mv.to_string()),
            None => (String::new(), String::new()),
        };
        let here = std::slice::from_ref(&self.options.line.here);
        let after = counted.positions_after(here);
        let results = Counted {
            white: counted.counts.white,
            draws: counted.counts.draws,
            black: counted.counts.black,
        };

        // A route about a player has the record of the player in the place of the mean rating.
        let record = self
            .fields
            .player
            .map(|player| player_record(counted, player));
        let average_rating = match record {
            None => counted.average_elo().map(rounded_rating),
            Some(_) => None,
        };
        let opponents = record.and_then(|record| record.opponents);
        let performance = record.and_then(|record| record.performance);

        // A move that one game alone has played is shown with this game.
        let game = match self.featured.single(counted) {
            Some(game) => self.read_game(game)?,
            None => None,
        };

        Ok(ReplyMove {
            uci,
            san,
            average_rating,
            average_opponent_rating: opponents.map(rounded_rating),
            performance: performance.map(|points| points.round() as i64),
            results,
            game,
            opening: opening_of(self.joined.openings(), &after),
        })
    }

    /// The latest and the best-rated games; `None` for a list that the route does not have.
    fn game_lists(&self, moves: &[MoveCount]) -> Result<[Option<Vec<GameWithMove>>; 2], Failure> {
        let ReplyWriter {
            options,
            featured,
            fields,
            ..
        } = *self;

        let mut top = Vec::new();
        if fields.top_games {
            let max_top = if fields.recent_games {
                MAX_SHOWN_TOP
            } else {
                options.top_games
            };
            let best_rated = featured.top().take(max_top);
            top = self.games_with_moves(best_rated, moves)?;
        }
        if !fields.recent_games {
            return Ok([None, fields.top_games.then_some(top)]);
        }

        // A game of the list of best-rated games is not in the list of latest games.
        top.retain(|listed| options.has_top && listed.game.mean_rating() >= MIN_TOP_RATING);
        let mut recent = self.games_with_moves(featured.recent(), moves)?;
        recent.retain(|listed| top.iter().all(|other| other.game.id != listed.game.id));

        // The number of latest games depends on the number of all best-rated games, including the games that the
        // request does not show.
        let places_left = MAX_SHOWN.saturating_sub(top.len());
        recent.truncate(options.recent_games.min(places_left));
        top.truncate(options.top_games);
        Ok([Some(recent), fields.top_games.then_some(top)])
    }

    /// Games, each with its move.
    fn games_with_moves(
        &self,
        games: impl Iterator<Item = (GameOfDatabase, u16)>,
        moves: &[MoveCount],
    ) -> Result<Vec<GameWithMove>, Failure> {
        let mut listed = Vec::new();
        for game in games {
            listed.extend(self.game_with_move(game, moves)?);
        }
        Ok(listed)
    }

    /// A game with the move that it played, whose code is given; `None` if the move or the game is missing.
    fn game_with_move(
        &self,
        (game, code): (GameOfDatabase, u16),
        moves: &[MoveCount],
    ) -> Result<Option<GameWithMove>, Failure> {
        let mut played = moves.iter().filter_map(|counted| counted.played.as_ref());
        let Some((_, mv)) = played.find(|(_, mv)| mv.code() == code) else {
            return Ok(None);
        };

        let Some(game) = self.read_game(game)? else {
            return Ok(None);
        };
        Ok(Some(GameWithMove {
            uci: mv.to_string(),
            game,
        }))
    }

    /// A game of a reply; `None` if the game is missing.
    fn read_game(&self, game: GameOfDatabase) -> Result<Option<ReplyGame>, Failure> {
        let GameOfDatabase { database, game } = game;
        self.joined.run_one(database, |request| {
            let Some(heading) = request.database.heading(game)? else {
                return Ok(None);
            };
            let event = heading.event.as_deref();
            let online = OnlineGame::read(request.database, game, event)?;

            // Clients know games of Lichess by their ids there.
            let id = match &online.lichess_id {
                Some(id) => id.clone(),
                None => id(request.pool.number, game.get()),
            };
            let mut shown = reply_game(id, heading);
            if self.fields.speeds {
                shown.speed = online.speed.map(speed_name);
                shown.mode = online.is_rated.map(mode_name);
            }
            Ok(Some(shown))
        })
    }
}

/// A game without its speed and its mode.
fn reply_game(id: String, heading: Heading) -> ReplyGame {
    let winner = match heading.result.as_str() {
        "1-0" => Some("white"),
        "0-1" => Some("black"),
        _ => None,
    };
    let date = heading.date.as_deref().and_then(PartialDate::from_tag);
    let year = date.map_or(0, PartialDate::year);
    let known_month = date.and_then(PartialDate::known_month);

    ReplyGame {
        id,
        winner,
        speed: None,
        mode: None,
        black: reply_player(heading.black, heading.black_elo),
        white: reply_player(heading.white, heading.white_elo),
        year,
        month: known_month.map(|number| month_text(year, number)),
    }
}

/// A player of a game. Clients need a name and a rating, so an unknown name is `?` and an unknown rating 0.
fn reply_player(name: Option<String>, elo: Option<i64>) -> Player {
    let name = name.unwrap_or_else(|| "?".to_owned());
    let rating = elo.and_then(|elo| u16::try_from(elo).ok());
    Player {
        name,
        rating: rating.unwrap_or(0),
    }
}

/// The name of a speed as explorers write it.
fn speed_name(speed: Speed) -> &'static str {
    match speed {
        Speed::Ultrabullet => "ultraBullet",
        other => other.as_str(),
    }
}

fn mode_name(is_rated: bool) -> &'static str {
    if is_rated { "rated" } else { "casual" }
}

/// The record of a player in the games of a move.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The mean rating of the opponents.
    opponents: Option<f64>,
    performance: Option<f64>,
}

/// The record of a player with a colour. The move is the player's own or the opponent's.
fn player_record(counted: &MoveCount, player: Color) -> Record {
    let counts = &counted.counts;
    if counted.mover == player {
        return Record {
            opponents: counts.opponent_elo.mean(),
            performance: counted.performance(),
        };
    }

    // The index has the score against rated opponents for the side to move only. For the other side, the score of all
    // games stands in, and unrated opponents count with the mean of the rated ones.
    let games = counts.finished();
    let half_points = 2 * counts.wins(player) + counts.draws;
    let opponents = counts.mover_elo.mean();
    let performance = opponents.and_then(|mean| {
        let sum = (mean * games as f64).round() as u64;
        performance(Ratings { games, sum }, half_points)
    });
    Record {
        opponents,
        performance,
    }
}

/// The results of each month from the first to the last month with games.
///
/// The history begins earlier if the request asks for games since an earlier month.
fn monthly_results(
    featured: &FeaturedGames<GameOfDatabase>,
    since: Option<PartialDate>,
) -> Vec<Month> {
    let months = &featured.months;
    let first = months.first_key_value();
    let last = months.last_key_value();
    let (Some((&first, _)), Some((&last, _))) = (first, last) else {
        return Vec::new();
    };

    let since_month = since.and_then(|date| Some((date.year(), date.known_month()?)));
    let mut here = match since_month {
        Some(since) => since.max(EARLIEST_MONTH).min(first),
        None => first,
    };

    let mut history = Vec::new();
    while here <= last {
        // A month without games is in the history, too.
        let [white, draws, black] = months.get(&here).copied().unwrap_or_default();
        let (year, number) = here;
        history.push(Month {
            month: month_text(year, number),
            results: Counted {
                white,
                draws,
                black,
            },
        });

        here = if number == DECEMBER {
            (year + 1, 1)
        } else {
            (year, number + 1)
        };
    }
    history
}

/// A month as explorers write it: `2024-01`.
fn month_text(year: u16, month: u8) -> String {
    format!("{year:04}-{month:02}")
}

/// A mean rating, rounded.
fn rounded_rating(mean: f64) -> u16 {
    // The cast clamps floats that are out of range.
    mean.round() as u16
}
