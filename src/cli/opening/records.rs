//! The numbers of an opening report, for programs.

use std::collections::BTreeMap;

use serde::Serialize;

use stamma::query::Counts;
use stamma::storage::Heading;
use stamma::study::opening::{
    KeyGameReason, OpeningMove, OpeningPlayers, OpeningReport, OpeningRoot, PiecePlacement,
    Placements,
};

#[derive(Debug, Serialize)]
pub(super) struct Report {
    games: u64,
    all_games: u64,
    #[serde(flatten)]
    results: Results,
    undated: u64,
    unrated: u64,
    duplicates: u64,
    not_chess: u64,
    names: Vec<Name>,
    root: Option<Root>,
    years: Vec<Year>,
    ratings: Vec<Band>,
    least_games: u64,
    left_out: u64,
    lines: Vec<Line>,
    games_with_material: u64,
    games_with_ending: u64,
    endings: Vec<Ending>,
    sampled: u64,
    placements: Vec<Placement>,
    white_players: Vec<Player>,
    black_players: Vec<Player>,
    key_games: Vec<KeyGame>,
    novelty_games: u64,
    novelties: u64,
    novelty_years: Vec<NoveltyYear>,
    novelty_list: Vec<Novelty>,
}

#[derive(Debug, Serialize)]
struct Results {
    white: u64,
    draws: u64,
    black: u64,
    unknown: u64,
}

#[derive(Debug, Serialize)]
struct Name {
    eco: String,
    name: String,
    games: u64,
}

#[derive(Debug, Serialize)]
struct Root {
    fen: String,
    moves: String,
    eco: Option<String>,
    name: Option<String>,
    sampled_games: u64,
}

#[derive(Debug, Serialize)]
struct Year {
    year: u16,
    games: u64,
    all_games: u64,
    #[serde(flatten)]
    results: Results,
}

#[derive(Debug, Serialize)]
struct Band {
    from: Option<u16>,
    below: Option<u16>,
    games: u64,
    all_games: u64,
    #[serde(flatten)]
    results: Results,
}

#[derive(Debug, Serialize)]
struct Line {
    moves: String,
    san: Option<String>,
    games: u64,
    of_games: u64,
    /// The games that the moves after this one leave in the opening.
    of_opening: u64,
    #[serde(flatten)]
    results: Results,
    average_elo: Option<i64>,
    performance: Option<i64>,
    fen: Option<String>,
}

#[derive(Debug, Serialize)]
struct Ending {
    white_pieces: String,
    black_pieces: String,
    games: u64,
    #[serde(flatten)]
    results: Results,
}

#[derive(Debug, Serialize)]
struct Placement {
    moves: u32,
    games: u64,
    /// By the letters of FEN: the games in which such a piece is on a square.
    pieces: BTreeMap<char, BTreeMap<String, u64>>,
}

#[derive(Debug, Serialize)]
struct Player {
    name: String,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    opponent_elo: Option<i64>,
    performance: Option<i64>,
    last_date: Option<String>,
}

#[derive(Debug, Serialize)]
struct KeyGame {
    reason: &'static str,
    #[serde(flatten)]
    game: Game,
}

#[derive(Debug, Serialize)]
struct Game {
    game: i64,
    white: Option<String>,
    black: Option<String>,
    white_elo: Option<i64>,
    black_elo: Option<i64>,
    result: String,
    date: Option<String>,
    event: Option<String>,
}

#[derive(Debug, Serialize)]
struct NoveltyYear {
    year: u16,
    novelties: u64,
    mean_ply: f64,
}

#[derive(Debug, Serialize)]
struct Novelty {
    ply: u32,
    #[serde(rename = "move")]
    played: Option<String>,
    number: Option<String>,
    games_before: u64,
    games_after: u64,
    #[serde(flatten)]
    game: Game,
}

impl Report {
    pub(super) fn new(report: &OpeningReport) -> Report {
        let names = report.names.iter().cloned();
        let [white_players, black_players] = report.players.each_ref().map(players);
        Report {
            games: report.counts.all_games(),
            all_games: report.all,
            results: Results::new(&report.counts),
            undated: report.undated,
            unrated: report.unrated,
            duplicates: report.duplicates,
            not_chess: report.apart,
            names: names.map(|(eco, name, games)| Name { eco, name, games }).collect(),
            root: report.root.as_ref().map(Root::new),
            years: years(report),
            ratings: bands(report),
            least_games: report.lines.least_games,
            left_out: report.lines.left_out,
            lines: report.lines.moves.iter().map(Line::new).collect(),
            games_with_material: report.endings.known,
            games_with_ending: report.endings.games,
            endings: endings(report),
            sampled: report.sampled,
            placements: report.placements.iter().map(Placement::new).collect(),
            white_players,
            black_players,
            key_games: key_games(report),
            novelty_games: report.novelties.games,
            novelties: report.novelties.all,
            novelty_years: novelty_years(report),
            novelty_list: novelties(report),
        }
    }
}

impl Results {
    fn new(counts: &Counts) -> Results {
        let Counts { white, draws, black, unfinished, .. } = *counts;
        Results { white, draws, black, unknown: unfinished }
    }
}

impl Root {
    fn new(root: &OpeningRoot) -> Root {
        let (eco, name) = root.opening.clone().unzip();
        let moves = root.line.join(" ");
        Root { fen: root.position.fen(), moves, eco, name, sampled_games: root.games }
    }
}

impl Line {
    fn new(OpeningMove { played: one, of_opening }: &OpeningMove) -> Line {
        let counted = &one.counted;
        Line {
            moves: one.line.join(" "),
            san: counted.san().map(str::to_owned),
            games: counted.counts.all_games(),
            of_games: one.of_games,
            of_opening: *of_opening,
            results: Results::new(&counted.counts),
            average_elo: counted.average_elo().map(whole),
            performance: counted.performance().map(whole),
            fen: one.after.first().map(|position| position.fen()),
        }
    }
}

impl Placement {
    fn new(placements: &Placements) -> Placement {
        let pieces = placements.pieces.iter().map(|PiecePlacement { piece, squares }| {
            let squares = squares.iter().map(|(square, games)| (square.to_string(), *games));
            (char::from(piece.fen_letter()), squares.collect())
        });
        Placement { moves: placements.moves, games: placements.games, pieces: pieces.collect() }
    }
}

impl Game {
    fn new(game: i64, heading: &Heading) -> Game {
        let Heading { white, black, white_elo, black_elo, result, date, event, .. } =
            heading.clone();
        Game { game, white, black, white_elo, black_elo, result, date, event }
    }
}

fn whole(points: f64) -> i64 {
    points.round() as i64
}

fn years(report: &OpeningReport) -> Vec<Year> {
    let years = report.years.iter().map(|year| Year {
        year: year.year,
        games: year.counts.all_games(),
        all_games: year.of,
        results: Results::new(&year.counts),
    });
    years.collect()
}

fn bands(report: &OpeningReport) -> Vec<Band> {
    let bands = report.bands.iter().map(|band| Band {
        from: band.from,
        below: band.below,
        games: band.counts.all_games(),
        all_games: band.of,
        results: Results::new(&band.counts),
    });
    bands.collect()
}

fn endings(report: &OpeningReport) -> Vec<Ending> {
    let endings = report.endings.list.iter().map(|ending| {
        let [white_pieces, black_pieces] = ending.pieces.clone();
        let (games, results) = (ending.counts.all_games(), Results::new(&ending.counts));
        Ending { white_pieces, black_pieces, games, results }
    });
    endings.collect()
}

fn players(players: &OpeningPlayers) -> Vec<Player> {
    let players = players.list.iter().map(|player| Player {
        name: player.name.clone(),
        games: player.score.all_games(),
        won: player.score.won,
        drawn: player.score.drawn,
        lost: player.score.lost,
        opponent_elo: player.score.opponent_elo.mean().map(whole),
        performance: player.score.performance().map(whole),
        last_date: player.score.last.map(|date| date.to_string()),
    });
    players.collect()
}

fn key_games(report: &OpeningReport) -> Vec<KeyGame> {
    let games = report.key_games.iter().map(|key| {
        let reason = match key.reason {
            KeyGameReason::Rating => "rating",
            KeyGameReason::Decisive => "decisive",
            KeyGameReason::Recent => "recent",
        };
        KeyGame { reason, game: Game::new(key.game.get(), &key.heading) }
    });
    games.collect()
}

fn novelty_years(report: &OpeningReport) -> Vec<NoveltyYear> {
    let years = report.novelties.years.iter().map(|year| NoveltyYear {
        year: year.year,
        novelties: year.novelties,
        mean_ply: year.mean_ply,
    });
    years.collect()
}

fn novelties(report: &OpeningReport) -> Vec<Novelty> {
    let novelties = report.novelties.list.iter().map(|one| Novelty {
        ply: one.novelty.ply.get(),
        played: one.played.as_ref().map(|played| played.san.clone()),
        number: one.played.as_ref().map(|played| played.number.clone()),
        games_before: one.novelty.before,
        games_after: one.novelty.after,
        game: Game::new(one.novelty.game.get(), &one.heading),
    });
    novelties.collect()
}
