//! Plain counts of a player's games: every position of every game, by its EPD.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::novelties::date;
use crate::support::index_oracle::epd;
use crate::support::start_position::start_position;
use rayon::prelude::*;
use rusqlite::Connection;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::Zobrist128;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use stamma::board::Color;

/// The EPD of the start position.
pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// The half-moves of each game that are compared.
const PLIES: usize = 60;

/// A game as one of its players sees it.
#[derive(Debug)]
pub(super) struct Play {
    pub(super) game: i64,
    /// A date by which texts can be sorted; empty without one.
    pub(super) date: String,
    pub(super) half_points: Option<u64>,
    pub(super) opponent_elo: Option<u64>,
    pub(super) plies: u32,
    pub(super) sans: Vec<String>,
    pub(super) epds: Vec<String>,
}

impl Play {
    pub(super) fn is_dated(&self) -> bool {
        !self.date.is_empty()
    }
}

/// A 128-bit hash of a position.
type Key = u128;

/// A row of a game.
struct Row {
    id: i64,
    moves: String,
    fen: Option<String>,
    date: String,
    result: String,
    /// The names of White and Black.
    names: [String; 2],
    elos: [Option<u32>; 2],
    plies: u32,
}

/// The games of a database, all of which are replayed once.
pub(super) struct Games {
    rows: Vec<Row>,
    /// The moves and positions of the games of some players, by the places of their rows.
    own: BTreeMap<usize, (Vec<String>, Vec<String>)>,
    /// The number of all games with each move, at the first visit, in the positions of these games.
    moves: HashMap<Key, BTreeMap<String, u64>>,
}

impl Games {
    /// Reads the games, for comparisons of some players.
    pub(super) fn read(connection: &Connection, names: &[String]) -> Games {
        let rows = rows(connection);
        let is_own = |row: &Row| {
            row.fen.is_none()
                && !row.moves.is_empty()
                && row.names.iter().any(|name| names.contains(name))
        };

        let mut own = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            if is_own(row) {
                own.insert(at, replay(&row.moves));
            }
        }

        // One replay of the database serves all players, and counts moves only where they were.
        let mut counted_keys: HashSet<Key> = HashSet::new();
        for (_, epds) in own.values() {
            counted_keys.extend(epds.iter().map(|epd| key_of(epd)));
        }

        let count = |mut moves: HashMap<Key, BTreeMap<String, u64>>, row: &Row| {
            count_moves(row, &counted_keys, &mut moves);
            moves
        };

        let moves = rows
            .par_iter()
            .fold(HashMap::new, count)
            .reduce(HashMap::new, merge);

        Games { rows, own, moves }
    }
}

fn rows(connection: &Connection) -> Vec<Row> {
    let sql = "SELECT id, moves, fen, date, result, white, black, white_elo, black_elo, ply_count
        FROM games WHERE (variant IS NULL OR variant = 'chess960')
        AND id IN (SELECT id FROM game WHERE final_key IS NOT NULL) ORDER BY id";
    let mut select = connection.prepare(sql).expect("the view of a database");

    let rows = select.query_map([], |row| {
        // Nothing and an empty text are the same here.
        let text = |at| {
            row.get::<_, Option<String>>(at)
                .map(Option::unwrap_or_default)
        };
        Ok(Row {
            id: row.get(0)?,
            moves: text(1)?,
            fen: row.get(2)?,
            date: text(3)?,
            result: text(4)?,
            names: [text(5)?, text(6)?],
            elos: [row.get(7)?, row.get(8)?],
            plies: row.get(9)?,
        })
    });

    rows.expect("rows").map(|row| row.expect("a row")).collect()
}

/// Counts the moves of a game in the positions of these keys, each at its first visit.
fn count_moves(row: &Row, keys: &HashSet<Key>, counts: &mut HashMap<Key, BTreeMap<String, u64>>) {
    let mut position = start_position(row.fen.as_deref());
    let mut seen = HashSet::new();

    for text in row.moves.split_ascii_whitespace() {
        let san: SanPlus = text.parse().expect(text);
        let mv = san.san.to_move(&position).expect(text);
        let key = key(&position);

        if keys.contains(&key) && seen.insert(key) {
            let san = SanPlus::from_move(position.clone(), mv).to_string();
            let moves = counts.entry(key).or_default();
            *moves.entry(san).or_default() += 1;
        }

        position = position.play(mv).expect(text);
    }
}

fn merge(
    one: HashMap<Key, BTreeMap<String, u64>>,
    other: HashMap<Key, BTreeMap<String, u64>>,
) -> HashMap<Key, BTreeMap<String, u64>> {
    let (mut all, fewer) = if one.len() < other.len() {
        (other, one)
    } else {
        (one, other)
    };

    for (key, moves) in fewer {
        let counts = all.entry(key).or_default();
        for (san, games) in moves {
            *counts.entry(san).or_default() += games;
        }
    }

    all
}

/// The games of a player with one colour, beside the games of all players.
pub(super) struct Twin<'g> {
    all: &'g Games,
    /// The games of the player, the earliest first.
    pub(super) own: Vec<Play>,
    own_turn: char,
    recent_since: Option<String>,
    /// The places of the games with each position.
    pub(super) positions: BTreeMap<String, Vec<usize>>,
    /// The minimum half-moves before each position.
    pub(super) ply: BTreeMap<String, u32>,
    /// The moves of the player's games in each position, at the first visit.
    pub(super) moves: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
}

impl<'g> Twin<'g> {
    /// The games against which a side is prepared with `color`.
    pub(super) fn new(all: &'g Games, name: &str, color: Color) -> Twin<'g> {
        let (own, other) = if color.is_white() { (1, 0) } else { (0, 1) };
        let win = if color.is_white() { "0-1" } else { "1-0" };
        let mut plays: Vec<Play> = Vec::new();
        for (&at, (sans, epds)) in &all.own {
            let row = &all.rows[at];
            if row.names[own] != name {
                continue;
            }

            // The player's score; none in a game without a result.
            let half_points = match &*row.result {
                "1/2-1/2" => Some(1),
                result if result == win => Some(2),
                "1-0" | "0-1" => Some(0),
                _ => None,
            };

            // A game without a year has a date of nines.
            let date = Some(date(&row.date)).filter(|date| !date.starts_with('9'));
            plays.push(Play {
                game: row.id,
                date: date.unwrap_or_default(),
                half_points,
                opponent_elo: row.elos[other].map(u64::from).filter(|&elo| elo > 0),
                plies: row.plies,
                sans: sans.clone(),
                epds: epds.clone(),
            });
        }

        // The two years before the last dated game are recent.
        plays.sort_by_key(|play| (play.date.clone(), play.game));
        let last = plays
            .last()
            .map(|play| play.date.clone())
            .filter(|date| !date.is_empty());

        let recent_since = last.map(|last| {
            let year: u32 = last[..4].parse().expect("a year");

            // An unknown month or day counts as the first.
            let field = |at: usize| last[at..at + 2].parse::<u32>().expect("a number").max(1);
            let (month, day) = (field(4), field(6));
            format!("{:04}{month:02}{day:02}", year - 2)
        });

        let mut twin = Twin {
            all,
            own: plays,
            own_turn: if color.is_white() { 'b' } else { 'w' },
            recent_since,
            positions: BTreeMap::new(),
            ply: BTreeMap::new(),
            moves: BTreeMap::new(),
        };

        twin.count();
        twin
    }

    fn count(&mut self) {
        for (place, play) in self.own.iter().enumerate() {
            let mut seen = BTreeSet::new();
            for (ply, epd) in play.epds.iter().enumerate() {
                let min_ply = self.ply.entry(epd.clone()).or_insert(u32::MAX);
                *min_ply = (*min_ply).min(ply as u32);

                // A position that comes back counts once for its game, with the move of the first visit.
                if !seen.insert(epd) {
                    continue;
                }

                let places = self.positions.entry(epd.clone()).or_default();
                places.push(place);

                let moves = self.moves.entry(epd.clone()).or_default();
                if let Some(san) = play.sans.get(ply) {
                    moves.entry(san.clone()).or_default().push(place);
                }
            }
        }
    }

    pub(super) fn is_recent(&self, game: &Play) -> bool {
        // An unknown month or day counts as the first.
        let mut date = game.date.replace("0000", "0101");
        if date.ends_with("00") {
            date.replace_range(6.., "01");
        }

        let Some(since) = &self.recent_since else {
            return false;
        };
        game.is_dated() && date >= *since
    }

    pub(super) fn is_own_turn(&self, epd: &str) -> bool {
        epd.split(' ').nth(1) == Some(self.own_turn.to_string().as_str())
    }

    /// The games of others with a move, and with any move, in a position.
    pub(super) fn others(&self, epd: &str, san: &str) -> (u64, u64) {
        let own_moves = self.moves.get(epd);
        let own = |san: &str| {
            let games = own_moves.and_then(|moves| moves.get(san));
            games.map_or(0, |games| games.len() as u64)
        };

        let all = self.all_moves(epd);
        let with_move = all.get(san).map_or(0, |games| games - own(san));
        let with_any_move = all.iter().map(|(san, games)| games - own(san)).sum();

        (with_move, with_any_move)
    }

    /// The number of all games with each move in a position of the player's games.
    pub(super) fn all_moves(&self, epd: &str) -> &BTreeMap<String, u64> {
        &self.all.moves[&key_of(epd)]
    }

    pub(super) fn finished(&self, places: &[usize]) -> u64 {
        places
            .iter()
            .filter(|&&place| self.own[place].half_points.is_some())
            .count() as u64
    }

    pub(super) fn per_cent(&self, places: &[usize]) -> Option<f64> {
        let finished = self.finished(places);
        let points: u64 = places
            .iter()
            .filter_map(|&place| self.own[place].half_points)
            .sum();
        (finished > 0).then(|| 50.0 * points as f64 / finished as f64)
    }

    /// The position after a move.
    pub(super) fn after(&self, epd: &str, san: &str) -> String {
        after(epd, san)
    }

    /// The position after some moves from the start.
    pub(super) fn after_all(&self, line: &[String]) -> String {
        line.iter()
            .fold(START.to_owned(), |epd, san| after(&epd, san))
    }

    /// The half-moves before the last known position of each game.
    pub(super) fn known_plies(&self, is_known: impl Fn(&str, usize) -> bool) -> Vec<u32> {
        let mut known_plies = Vec::new();
        for play in &self.own {
            // The last one in the order of the game, as games leave known positions and transpose back into them.
            let last_known = play
                .epds
                .iter()
                .rposition(|epd| is_known(epd, self.positions[epd].len()));
            known_plies.push(last_known.unwrap_or(0) as u32);
        }

        known_plies
    }
}

/// The positions before the first position with several moves; none if no position has several moves.
pub(super) fn shared_way(known: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut way = BTreeSet::new();
    let mut here = START.to_owned();

    let only_move = |epd: &String| {
        let moves = known.get(epd).filter(|moves| moves.len() == 1)?;
        moves.first()
    };

    while let Some(san) = only_move(&here) {
        let next = after(&here, san);
        way.insert(std::mem::replace(&mut here, next));
    }

    let has_choice = known.get(&here).is_some_and(|moves| moves.len() > 1);
    if has_choice { way } else { BTreeSet::new() }
}

/// The positions of a repertoire, with the moves of its lines.
pub(super) fn repertoire(lines: &[&[String]]) -> BTreeMap<String, BTreeSet<String>> {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in lines {
        let mut epd = START.to_owned();
        for san in *line {
            let next = after(&epd, san);
            known.entry(epd).or_default().insert(san.clone());
            epd = next;
        }

        known.entry(epd).or_default();
    }

    known
}

/// The upper bound of the Wilson score interval at 95 per cent, in per cent.
pub(super) fn upper_bound(per_cent: f64, games: u64) -> f64 {
    // The quantile of the normal distribution that leaves 2.5 per cent above it.
    let z = 1.959_963_985_f64;
    let z_squared = z * z;

    let proportion = per_cent / 100.0;
    let games = games as f64;
    let denominator = 1.0 + z_squared / games;

    let center = (proportion + z_squared / (2.0 * games)) / denominator;
    let variance = proportion * (1.0 - proportion) / games;
    let correction = z_squared / (4.0 * games * games);
    let half_width = z / denominator * (variance + correction).sqrt();

    (100.0 * (center + half_width)).min(100.0)
}

pub(super) fn epd_of(fen: &str) -> String {
    epd(&position(fen))
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Chess960)
        .expect("a legal position")
}

fn after(epd_before: &str, san: &str) -> String {
    // An EPD has no clocks.
    let before = position(&format!("{epd_before} 0 1"));
    let san: SanPlus = san.parse().expect("a move");
    let mv = san.san.to_move(&before).expect("a legal move");
    let position = before.play(mv).expect("a legal move");

    epd(&position)
}

fn key(position: &Chess) -> Key {
    position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0
}

fn key_of(epd: &str) -> Key {
    key(&position(&format!("{epd} 0 1")))
}

/// The first moves of a game, and the positions between them.
fn replay(moves: &str) -> (Vec<String>, Vec<String>) {
    let mut position = Chess::default();
    let mut sans = Vec::new();
    let mut epds = vec![epd(&position)];

    for text in moves.split_ascii_whitespace().take(PLIES) {
        let san: SanPlus = text.parse().expect(text);
        let mv = san.san.to_move(&position).expect(text);

        let written = SanPlus::from_move(position.clone(), mv);
        sans.push(written.to_string());

        position = position.play(mv).expect(text);
        epds.push(epd(&position));
    }

    (sans, epds)
}
