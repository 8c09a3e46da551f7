//! Plain counts of a player's games: every position of every game, by its EPD.

use std::collections::{BTreeMap, BTreeSet};

use crate::novelties::date;
use rusqlite::Connection;
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
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
    epds: Vec<String>,
}

impl Play {
    pub(super) fn is_dated(&self) -> bool {
        !self.date.is_empty()
    }
}

/// The games of a player with one colour, and the moves of all games.
pub(super) struct Twin {
    /// The earliest first.
    pub(super) own: Vec<Play>,
    own_turn: char,
    recent_since: Option<String>,
    /// The places of the games with each position.
    pub(super) positions: BTreeMap<String, Vec<usize>>,
    /// The fewest half-moves before it.
    pub(super) ply: BTreeMap<String, u32>,
    /// The moves of the player's games in each position, at the first visit.
    pub(super) moves: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
    /// The number of all games of the database with each move, at the first visit.
    pub(super) all_moves: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Twin {
    /// The games against which a side is prepared with `color`.
    pub(super) fn read(connection: &Connection, name: &str, color: Color) -> Twin {
        let (own, other) = if color.is_white() { ("black", "white") } else { ("white", "black") };
        let sql = format!(
            "SELECT id, moves, fen, date, result, {other}_elo, {own}, ply_count FROM games
            WHERE (variant IS NULL OR variant = 'chess960')
            AND id IN (SELECT id FROM game WHERE final_key IS NOT NULL) ORDER BY id"
        );
        let mut select = connection.prepare(&sql).expect("the view of a database");
        let mut rows = select.query([]).expect("rows");
        let mut all_moves: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        let mut plays = Vec::new();
        let win = if color.is_white() { "0-1" } else { "1-0" };
        while let Some(row) = rows.next().expect("a row") {
            let text = |at| row.get::<_, Option<String>>(at).expect("a text").unwrap_or_default();
            let fen = row.get::<_, Option<String>>(2).expect("a text");
            let (sans, epds) = replayed(&text(1), fen.as_deref());
            let mut seen = BTreeSet::new();
            for (epd, san) in epds.iter().zip(&sans) {
                if seen.insert(epd) {
                    let moves = all_moves.entry(epd.clone()).or_default();
                    *moves.entry(san.clone()).or_default() += 1;
                }
            }
            if text(6) != name || fen.is_some() || sans.is_empty() {
                continue;
            }
            let half_points = match &*text(4) {
                "1/2-1/2" => Some(1),
                result if result == win => Some(2),
                "1-0" | "0-1" => Some(0),
                _ => None,
            };
            let date =
                Some(date(&text(3))).filter(|date| !date.starts_with('9')).unwrap_or_default();
            let elo = row.get::<_, Option<u32>>(5).expect("a number").map(u64::from);
            let plies: u32 = row.get(7).expect("a number");
            let game = row.get(0).expect("a number");
            plays.push(Play {
                game,
                date,
                half_points,
                opponent_elo: elo.filter(|&elo| elo > 0),
                plies,
                sans: sans.into_iter().take(PLIES).collect(),
                epds: epds.into_iter().take(PLIES + 1).collect(),
            });
        }
        plays.sort_by_key(|play| (play.date.clone(), play.game));
        let last = plays.last().map(|play| play.date.clone()).filter(|date| !date.is_empty());
        let recent_since = last.map(|last| {
            let year: u32 = last[..4].parse().expect("a year");
            // An unknown month or day counts as the first.
            let part = |at: usize| last[at..at + 2].parse::<u32>().expect("a number").max(1);
            format!("{:04}{:02}{:02}", year - 2, part(4), part(6))
        });
        let mut twin = Twin {
            own: plays,
            own_turn: if color.is_white() { 'b' } else { 'w' },
            recent_since,
            positions: BTreeMap::new(),
            ply: BTreeMap::new(),
            moves: BTreeMap::new(),
            all_moves,
        };
        twin.count();
        twin
    }

    fn count(&mut self) {
        for (place, play) in self.own.iter().enumerate() {
            let mut seen = BTreeSet::new();
            for (ply, epd) in play.epds.iter().enumerate() {
                let least = self.ply.entry(epd.clone()).or_insert(u32::MAX);
                *least = (*least).min(ply as u32);
                if seen.insert(epd) {
                    self.positions.entry(epd.clone()).or_default().push(place);
                    let moves = self.moves.entry(epd.clone()).or_default();
                    if let Some(san) = play.sans.get(ply) {
                        moves.entry(san.clone()).or_default().push(place);
                    }
                }
            }
        }
    }

    pub(super) fn is_recent(&self, game: &Play) -> bool {
        let first = |date: &str| date.replace("0000", "0101");
        let mut date = first(&game.date);
        if date.ends_with("00") {
            date.replace_range(6.., "01");
        }
        game.is_dated() && self.recent_since.as_ref().is_some_and(|since| date >= *since)
    }

    pub(super) fn is_own_turn(&self, epd: &str) -> bool {
        epd.split(' ').nth(1) == Some(self.own_turn.to_string().as_str())
    }

    /// The games of others with a move, and with any move, in a position.
    pub(super) fn others(&self, epd: &str, san: &str) -> (u64, u64) {
        let own = |san: &str| {
            self.moves
                .get(epd)
                .and_then(|moves| moves.get(san))
                .map_or(0, |games| games.len() as u64)
        };
        let all = &self.all_moves[epd];
        let of = all.iter().map(|(san, games)| games - own(san)).sum();
        (all.get(san).map_or(0, |games| games - own(san)), of)
    }

    pub(super) fn finished(&self, places: &[usize]) -> u64 {
        places.iter().filter(|&&place| self.own[place].half_points.is_some()).count() as u64
    }

    pub(super) fn per_cent(&self, places: &[usize]) -> Option<f64> {
        let finished = self.finished(places);
        let points: u64 = places.iter().filter_map(|&place| self.own[place].half_points).sum();
        (finished > 0).then(|| 50.0 * points as f64 / finished as f64)
    }

    /// The position after a move.
    pub(super) fn after(&self, epd: &str, san: &str) -> String {
        after(epd, san)
    }

    /// The position after some moves from the start.
    pub(super) fn after_all(&self, line: &[String]) -> String {
        line.iter().fold(START.to_owned(), |epd, san| after(&epd, san))
    }

    /// The half-moves up to the last known position of each game.
    pub(super) fn known_plies(&self, is_known: impl Fn(&str, usize) -> bool) -> Vec<u32> {
        let known = |play: &Play| {
            let known = play.epds.iter().filter(|epd| is_known(epd, self.positions[*epd].len()));
            known.map(|epd| self.ply[epd]).max().unwrap_or(0)
        };
        self.own.iter().map(known).collect()
    }
}

/// The positions before the first one with several moves; none if no position has several.
pub(super) fn shared_way(known: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut way = BTreeSet::new();
    let mut here = START.to_owned();
    while let Some(only) =
        known.get(&here).filter(|moves| moves.len() == 1).and_then(BTreeSet::first)
    {
        let next = after(&here, only);
        way.insert(std::mem::replace(&mut here, next));
    }
    match known.get(&here).is_some_and(|moves| moves.len() > 1) {
        true => way,
        false => BTreeSet::new(),
    }
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
    let (p, n, z) = (per_cent / 100.0, games as f64, 1.959_963_985_f64);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let width = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (100.0 * (middle + width)).min(100.0)
}

pub(super) fn epd_of(fen: &str) -> String {
    epd(&position(fen))
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Chess960).expect("a legal position")
}

fn epd(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

fn after(epd_before: &str, san: &str) -> String {
    let before = position(&format!("{epd_before} 0 1"));
    let san: SanPlus = san.parse().expect("a move");
    epd(&before
        .clone()
        .play(san.san.to_move(&before).expect("a legal move"))
        .expect("a legal move"))
}

fn replayed(moves: &str, fen: Option<&str>) -> (Vec<String>, Vec<String>) {
    let mut position = fen.map_or_else(Chess::default, |fen| {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(CastlingMode::Chess960)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .expect("a legal position")
    });
    let mut epds = vec![epd(&position)];
    let mut sans = Vec::new();
    for text in moves.split_ascii_whitespace() {
        let san: SanPlus = text.parse().expect(text);
        let mv = san.san.to_move(&position).expect(text);
        sans.push(SanPlus::from_move(position.clone(), mv).to_string());
        position = position.play(mv).expect(text);
        epds.push(epd(&position));
    }
    (sans, epds)
}
