//! The answers of explorers, with their fields in the order and the types that clients know.

use schemars::JsonSchema;
use serde::Serialize;

use super::explored::Explored;
use super::ids::id;
use super::named::{Named, named};
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
    opening: Option<Named>,
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
    opening: Option<Named>,
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

/// Which of the fields that not all routes have are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    pub(super) recent_games: bool,
    pub(super) top_games: bool,
    pub(super) history: bool,
    /// The speed of games, and whether they were rated.
    pub(super) speeds: bool,
    /// The side of a player, whose opponents and performance are told in place of the ratings of the side to move.
    pub(super) player: Option<Color>,
}

impl Reply {
    /// The answer for a position, whose moves have been counted and whose games were found.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn new(
        joined: &Joined<'_>,
        wanted: &ExplorerParameters,
        explored: &Explored,
        fields: Fields,
    ) -> Result<Reply, Failure> {
        let Explored { moves, featured } = explored;
        let teller = Teller {
            joined,
            wanted,
            featured,
            fields,
        };
        // Only games with a result are counted, and a move without any would be none.
        let mut counted: Vec<&MoveCount> = moves
            .iter()
            .filter(|counted| counted.played.is_some() && counted.counts.finished() > 0)
            .collect();
        counted.sort_by_key(|counted| std::cmp::Reverse(counted.counts.finished()));
        let total = counted
            .iter()
            .fold(Counted::default(), |sum, counted| Counted {
                white: sum.white + counted.counts.white,
                draws: sum.draws + counted.counts.draws,
                black: sum.black + counted.counts.black,
            });
        let [recent_games, top_games] = teller.game_lists(moves)?;
        Ok(Reply {
            total,
            moves: counted
                .into_iter()
                .take(wanted.moves)
                .map(|counted| teller.reply_move(counted))
                .collect::<Result<_, Failure>>()?,
            recent_games,
            top_games,
            opening: named(joined.openings(), wanted.line.positions_back()),
            queue_position: None,
            history: fields.history.then(|| history(featured, wanted.since)),
            index_plies: joined.indexed_plies(),
        })
    }
}

/// No history begins earlier, unless a game does.
const EARLIEST_MONTH: (u16, u8) = (1900, 1);
/// The most games of both lists together, and the most of the best-rated ones beside the latest.
const MAX_SHOWN: usize = 8;
const MAX_SHOWN_TOP: usize = 4;
/// The least mean rating of a best-rated game beside the latest ones.
const LEAST_TOP_RATING: u32 = 2000;

impl ReplyGame {
    fn mean_rating(&self) -> u32 {
        u32::midpoint(self.white.rating.into(), self.black.rating.into())
    }
}

/// What is needed to tell of moves and games.
struct Teller<'a, 'q> {
    joined: &'a Joined<'q>,
    wanted: &'a ExplorerParameters,
    featured: &'a FeaturedGames<GameOfDatabase>,
    fields: Fields,
}

impl Teller<'_, '_> {
    fn reply_move(&self, counted: &MoveCount) -> Result<ReplyMove, Failure> {
        let (san, uci) = counted
            .played
            .as_ref()
            .map(|(san, mv)| (san.clone(), mv.to_string()))
            .unwrap_or_default();
        let after = counted.positions_after(std::slice::from_ref(&self.wanted.line.here));
        let single = self.featured.single(counted);
        let player = self.fields.player.map(|player| record(counted, player));
        let results = Counted {
            white: counted.counts.white,
            draws: counted.counts.draws,
            black: counted.counts.black,
        };
        Ok(ReplyMove {
            uci,
            san,
            average_rating: match player {
                None => counted.average_elo().map(rating),
                Some(_) => None,
            },
            average_opponent_rating: player.and_then(|player| player.opponents).map(rating),
            performance: player
                .and_then(|player| player.performance)
                .map(|points| points.round() as i64),
            results,
            game: single.map(|game| self.game(game)).transpose()?.flatten(),
            opening: named(self.joined.openings(), &after),
        })
    }

    /// The latest and the best-rated games, as far as they are wanted.
    fn game_lists(&self, moves: &[MoveCount]) -> Result<[Option<Vec<GameWithMove>>; 2], Failure> {
        let Teller {
            wanted,
            featured,
            fields,
            ..
        } = *self;
        let mut top = Vec::new();
        if fields.top_games {
            let most = if fields.recent_games {
                MAX_SHOWN_TOP
            } else {
                wanted.top_games
            };
            top = self.listed(featured.top().take(most), moves)?;
        }
        if !fields.recent_games {
            return Ok([None, fields.top_games.then_some(top)]);
        }

        // Both lists together have each game once.
        top.retain(|one| wanted.has_top && one.game.mean_rating() >= LEAST_TOP_RATING);
        let mut recent = self.listed(featured.recent(), moves)?;
        recent.retain(|one| top.iter().all(|other| other.game.id != one.game.id));
        recent.truncate(wanted.recent_games.min(MAX_SHOWN - top.len()));
        top.truncate(wanted.top_games);
        Ok([Some(recent), fields.top_games.then_some(top)])
    }

    /// Some games, each with its move.
    fn listed(
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

    fn game_with_move(
        &self,
        (game, code): (GameOfDatabase, u16),
        moves: &[MoveCount],
    ) -> Result<Option<GameWithMove>, Failure> {
        let mut played = moves.iter().filter_map(|counted| counted.played.as_ref());
        let Some((_, mv)) = played.find(|(_, mv)| mv.code() == code) else {
            return Ok(None);
        };
        let game = self.game(game)?;
        Ok(game.map(|game| GameWithMove {
            uci: mv.to_string(),
            game,
        }))
    }

    fn game(&self, game: GameOfDatabase) -> Result<Option<ReplyGame>, Failure> {
        let GameOfDatabase { database, game } = game;
        self.joined.run_one(database, |request| {
            let Some(heading) = request.database.heading(game)? else {
                return Ok(None);
            };
            let event = heading.event.as_deref();
            let online = OnlineGame::read(request.database, game, event)?;
            let number = || id(request.pool.number, game.get());
            let mut shown = reply_game(online.lichess_id.clone().unwrap_or_else(number), heading);
            if self.fields.speeds {
                shown.speed = online.speed.map(speed_name);
                shown.mode = online
                    .is_rated
                    .map(|is_rated| if is_rated { "rated" } else { "casual" });
            }
            Ok(Some(shown))
        })
    }
}

fn reply_game(id: String, heading: Heading) -> ReplyGame {
    let date: Option<PartialDate> = heading.date.and_then(|date| PartialDate::from_tag(&date));
    let player = |name: Option<String>, elo: Option<i64>| Player {
        name: name.unwrap_or_else(|| "?".to_owned()),
        rating: elo.and_then(|elo| u16::try_from(elo).ok()).unwrap_or(0),
    };
    ReplyGame {
        id,
        winner: match heading.result.as_str() {
            "1-0" => Some("white"),
            "0-1" => Some("black"),
            _ => None,
        },
        speed: None,
        mode: None,
        black: player(heading.black, heading.black_elo),
        white: player(heading.white, heading.white_elo),
        year: date.map_or(0, PartialDate::year),
        month: date.and_then(|date| Some(month(date.year(), date.known_month()?))),
    }
}

/// The name of a speed as explorers write it.
fn speed_name(speed: Speed) -> &'static str {
    match speed {
        Speed::Ultrabullet => "ultraBullet",
        other => other.as_str(),
    }
}

/// The record of one side in the games of a move.
#[derive(Clone, Copy, Debug)]
struct Record {
    opponents: Option<f64>,
    performance: Option<f64>,
}

/// The record of a player with a colour, whose own move it is or the opponent's.
fn record(counted: &MoveCount, player: Color) -> Record {
    let counts = &counted.counts;
    if counted.mover == player {
        let opponents = counts.opponent_elo.mean();
        return Record {
            opponents,
            performance: counted.performance(),
        };
    }
    // The index counts the score against rated opponents for the side to move; here it is that of all games.
    let (games, score) = (counts.finished(), 2 * counts.wins(player) + counts.draws);
    let opponents = counts.mover_elo.mean();
    let sum = opponents.map(|mean| (mean * games as f64).round() as u64);
    let performance = sum.and_then(|sum| performance(Ratings { games, sum }, score));
    Record {
        opponents,
        performance,
    }
}

/// The results of all months from the first to the last with games, or from the month that was asked for.
fn history(featured: &FeaturedGames<GameOfDatabase>, since: Option<PartialDate>) -> Vec<Month> {
    let months = &featured.months;
    let (Some((&first, _)), Some((&last, _))) = (months.first_key_value(), months.last_key_value())
    else {
        return Vec::new();
    };
    let since = since.and_then(|date| Some((date.year(), date.known_month()?)));
    let mut all = Vec::new();
    let mut here = since.map_or(first, |since| since.max(EARLIEST_MONTH).min(first));
    while here <= last {
        let [white, draws, black] = months.get(&here).copied().unwrap_or_default();
        let results = Counted {
            white,
            draws,
            black,
        };
        all.push(Month {
            month: month(here.0, here.1),
            results,
        });
        here = if here.1 == 12 {
            (here.0 + 1, 1)
        } else {
            (here.0, here.1 + 1)
        };
    }
    all
}

fn month(year: u16, month: u8) -> String {
    format!("{year:04}-{month:02}")
}

fn rating(mean: f64) -> u16 {
    // Floats beyond the range become its ends.
    mean.round() as u16
}
