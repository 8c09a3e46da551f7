//! A report on an opening.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{EvaluationRef, GameRef, OpeningRef, Results, Score, database_name, rounded};
use crate::study::opening;
use crate::study::opening::{KeyGameReason, OpeningPlayers, PiecePlacement};

/// A report on an opening: its games, results, main lines, endgames, players and novelties.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OpeningReport {
    /// The results of its games.
    #[serde(flatten)]
    pub results: Results,
    /// The number of all games with moves of chess that match the filter.
    pub all_games: u64,
    /// Games without a year.
    pub undated: u64,
    /// Games without both ratings.
    pub unrated: u64,
    /// Games left out as duplicates.
    pub duplicates: u64,
    /// Games left out because they have no moves of chess.
    pub not_chess: u64,
    /// The most frequent names of the opening.
    pub names: Vec<OpeningName>,
    /// The position with which the opening begins.
    pub root: Option<OpeningRoot>,
    /// The games by years.
    pub years: Vec<OpeningYear>,
    /// The games by bands of ratings.
    pub ratings: Vec<RatingBand>,
    /// The minimum number of games of a move in `lines`.
    pub min_games: u64,
    /// The number of moves that were left out because they have fewer games.
    pub left_out: u64,
    /// The main lines.
    pub lines: Vec<OpeningLineMove>,
    /// The games whose last material is known.
    pub games_with_material: u64,
    /// The games that reach an endgame.
    pub games_with_ending: u64,
    /// The endgames.
    pub endings: Vec<Ending>,
    /// The games that were replayed for `root` and `placements`.
    pub sampled: u64,
    /// The squares of pieces after some moves.
    pub placements: Vec<Placement>,
    /// The best players with White.
    pub white_players: Vec<OpeningPlayer>,
    /// The best players with Black.
    pub black_players: Vec<OpeningPlayer>,
    /// The games to study first.
    pub key_games: Vec<KeyGame>,
    /// The games whose novelties were looked for.
    pub novelty_games: u64,
    /// The number of novelties in these games.
    pub novelty_count: u64,
    /// The novelties by years.
    pub novelty_years: Vec<NoveltyYear>,
    /// Some novelties.
    pub novelties: Vec<OpeningNovelty>,
}

/// A name of the opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpeningName {
    /// The name.
    #[serde(flatten)]
    pub opening: OpeningRef,
    /// The number of games.
    pub games: u64,
}

/// The position with which an opening begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpeningRoot {
    /// The position.
    pub fen: String,
    /// The moves that lead to the position.
    pub moves: String,
    /// The name of the position.
    #[serde(flatten)]
    pub opening: OpeningRef,
    /// The games of the sample that reach the position.
    pub sampled_games: u64,
}

/// The games of a year.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpeningYear {
    /// The year.
    pub year: u16,
    /// The games with the opening.
    #[serde(flatten)]
    pub results: Results,
    /// All games of the year.
    pub all_games: u64,
}

/// The games of a band of ratings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RatingBand {
    /// The minimum average Elo of both players.
    pub from: Option<u16>,
    /// The Elo below which the band ends.
    pub below: Option<u16>,
    /// The games with the opening.
    #[serde(flatten)]
    pub results: Results,
    /// All games of the band.
    pub all_games: u64,
}

/// A move of the main lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpeningLineMove {
    /// The moves up to this move.
    pub moves: String,
    /// The move; null where games end.
    pub san: Option<String>,
    /// The results of its games.
    #[serde(flatten)]
    pub results: Results,
    /// The games in the position before the move.
    pub of_games: u64,
    /// The number of games with the move that stay in the opening; the others transpose to another opening.
    pub of_opening: u64,
    /// The average Elo of the side to move.
    pub average_elo: Option<i64>,
    /// The performance rating of the side to move.
    pub performance: Option<i64>,
    /// The position after the move.
    pub fen: Option<String>,
    /// The evaluation of the position.
    #[serde(flatten)]
    pub evaluation: EvaluationRef,
}

/// The material with which games end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Ending {
    /// White's pieces without king and pawns.
    pub white_pieces: String,
    /// Black's pieces without king and pawns.
    pub black_pieces: String,
    /// The results of the games.
    #[serde(flatten)]
    pub results: Results,
}

/// The squares of pieces after some moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Placement {
    /// The number of moves of both sides.
    pub moves: u32,
    /// The games of the sample with at least this number of moves.
    pub games: u64,
    /// For each piece, by its FEN letter, and each square: the number of games with the piece on the square.
    pub pieces: BTreeMap<char, BTreeMap<String, u64>>,
}

/// A player of the opening.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OpeningPlayer {
    /// The name.
    pub name: String,
    /// The games.
    #[serde(flatten)]
    pub score: Score,
}

/// A game to study.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct KeyGame {
    /// `rating`, `decisive` or `recent`.
    pub reason: &'static str,
    /// The game.
    #[serde(flatten)]
    pub game: GameRef,
}

/// The novelties of a year.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NoveltyYear {
    /// The year.
    pub year: u16,
    /// The number of novelties.
    pub novelties: u64,
    /// The average number of half-moves up to the novelties.
    pub average_ply: f64,
}

/// A novelty in the opening.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OpeningNovelty {
    /// The game.
    #[serde(flatten)]
    pub game: GameRef,
    /// The half-moves up to the new position.
    pub ply: u32,
    /// The number of the move, `12.` or `12...`.
    pub move_number: Option<String>,
    /// The move.
    pub san: Option<String>,
    /// The earlier games with the position before the novelty.
    pub games_before: u64,
    /// The later games with the new position.
    pub games_after: u64,
}

impl OpeningReport {
    /// The answer for a report. With `databases`, the names of several databases, each game has the name of its
    /// database.
    pub fn new(report: &opening::OpeningReport, databases: Option<&[String]>) -> OpeningReport {
        let [white_players, black_players] = report.players.each_ref().map(opening_players);

        let mut key_games = Vec::with_capacity(report.key_games.len());
        for key_game in &report.key_games {
            key_games.push(KeyGame::new(key_game, databases));
        }

        let novelty_years = report.novelties.years.iter();
        let mut novelties = Vec::with_capacity(report.novelties.list.len());
        for novelty in &report.novelties.list {
            novelties.push(OpeningNovelty::new(novelty, databases));
        }

        OpeningReport {
            results: (&report.counts).into(),
            all_games: report.all,
            undated: report.undated,
            unrated: report.unrated,
            duplicates: report.duplicates,
            not_chess: report.apart,
            names: opening_names(&report.names),
            root: report.root.as_ref().map(OpeningRoot::from),
            years: report.years.iter().map(OpeningYear::from).collect(),
            ratings: report.bands.iter().map(RatingBand::from).collect(),
            min_games: report.lines.min_games,
            left_out: report.lines.left_out,
            lines: line_moves(&report.lines.moves),
            games_with_material: report.endings.known,
            games_with_ending: report.endings.games,
            endings: report.endings.list.iter().map(Ending::from).collect(),
            sampled: report.sampled,
            placements: report.placements.iter().map(Placement::from).collect(),
            white_players,
            black_players,
            key_games,
            novelty_games: report.novelties.games,
            novelty_count: report.novelties.all,
            novelty_years: novelty_years.map(NoveltyYear::from).collect(),
            novelties,
        }
    }
}

/// The names of an opening, each with its ECO code and the number of its games.
fn opening_names(names: &[(String, String, u64)]) -> Vec<OpeningName> {
    let mut listed = Vec::with_capacity(names.len());
    for (eco, name, games) in names {
        listed.push(OpeningName {
            opening: OpeningRef {
                eco: Some(eco.clone()),
                opening: Some(name.clone()),
            },
            games: *games,
        });
    }
    listed
}

fn line_moves(moves: &[opening::OpeningMove]) -> Vec<OpeningLineMove> {
    moves.iter().map(OpeningLineMove::from).collect()
}

/// The best players with one color.
fn opening_players(players: &OpeningPlayers) -> Vec<OpeningPlayer> {
    let mut listed = Vec::with_capacity(players.list.len());
    for player in &players.list {
        listed.push(OpeningPlayer {
            name: player.name.clone(),
            score: (&player.score).into(),
        });
    }
    listed
}

impl From<&opening::OpeningRoot> for OpeningRoot {
    fn from(root: &opening::OpeningRoot) -> OpeningRoot {
        let (eco, opening) = root.opening.clone().unzip();
        OpeningRoot {
            fen: root.position.fen(),
            moves: root.line.join(" "),
            opening: OpeningRef { eco, opening },
            sampled_games: root.games,
        }
    }
}

impl From<&opening::OpeningYear> for OpeningYear {
    fn from(year: &opening::OpeningYear) -> OpeningYear {
        OpeningYear {
            year: year.year,
            results: (&year.counts).into(),
            all_games: year.all_games,
        }
    }
}

impl From<&opening::OpeningBand> for RatingBand {
    fn from(band: &opening::OpeningBand) -> RatingBand {
        RatingBand {
            from: band.from,
            below: band.below,
            results: (&band.counts).into(),
            all_games: band.all_games,
        }
    }
}

impl From<&opening::OpeningMove> for OpeningLineMove {
    fn from(found: &opening::OpeningMove) -> OpeningLineMove {
        let counted = &found.played.counted;
        let after = found.played.after.first();

        OpeningLineMove {
            moves: found.played.line.join(" "),
            san: counted.san().map(str::to_owned),
            results: (&counted.counts).into(),
            of_games: found.played.of_games,
            of_opening: found.of_opening,
            average_elo: counted.average_elo().map(rounded),
            performance: counted.performance().map(rounded),
            fen: after.map(|position| position.fen()),
            evaluation: EvaluationRef::new(found.evaluation.as_ref()),
        }
    }
}

impl From<&opening::OpeningEnding> for Ending {
    fn from(ending: &opening::OpeningEnding) -> Ending {
        let [white_pieces, black_pieces] = ending.pieces.clone();
        Ending {
            white_pieces,
            black_pieces,
            results: (&ending.counts).into(),
        }
    }
}

impl From<&opening::Placements> for Placement {
    fn from(placements: &opening::Placements) -> Placement {
        let mut pieces = BTreeMap::new();
        for PiecePlacement { piece, squares } in &placements.pieces {
            let mut games_by_square = BTreeMap::new();
            for (square, games) in squares {
                games_by_square.insert(square.to_string(), *games);
            }

            // A FEN letter includes the colour: `N` is a white knight, `n` a black knight.
            let letter = char::from(piece.fen_letter());
            pieces.insert(letter, games_by_square);
        }

        Placement {
            moves: placements.moves,
            games: placements.games,
            pieces,
        }
    }
}

impl KeyGame {
    fn new(key: &opening::KeyGame, databases: Option<&[String]>) -> KeyGame {
        let reason = match key.reason {
            KeyGameReason::Rating => "rating",
            KeyGameReason::Decisive => "decisive",
            KeyGameReason::Recent => "recent",
        };
        let game = GameRef {
            database: database_name(databases, key.game.database),
            ..GameRef::new(key.game.game, key.heading.clone())
        };

        KeyGame { reason, game }
    }
}

impl From<&opening::OpeningNoveltyYear> for NoveltyYear {
    fn from(year: &opening::OpeningNoveltyYear) -> NoveltyYear {
        NoveltyYear {
            year: year.year,
            novelties: year.novelties,
            average_ply: year.mean_ply,
        }
    }
}

impl OpeningNovelty {
    fn new(found: &opening::OpeningNovelty, databases: Option<&[String]>) -> OpeningNovelty {
        let novelty = &found.novelty.novelty;
        let game = GameRef {
            database: database_name(databases, found.novelty.database),
            ..GameRef::new(novelty.game, found.heading.clone())
        };

        // A game that has changed since its novelty was found may have no such move.
        let played = found.played.as_ref();

        OpeningNovelty {
            game,
            ply: novelty.ply.get(),
            move_number: played.map(|played| played.number.clone()),
            san: played.map(|played| played.san.clone()),
            games_before: novelty.before,
            games_after: novelty.after,
        }
    }
}
