//! An independent oracle for the position index: shakmaty replays every game of a database into a map of all positions,
//! with which the answers are compared.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use stamma::board::Position;
use stamma::query::{MoveCount, PositionSearch, Visited};

use super::corpus::fewer;
use super::program::Workplace;

/// The counts of the games in which a move was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) results: BTreeMap<String, u64>,
    /// Number and sum.
    pub(crate) mover_elo: (u64, u64),
    /// Number and sum, in finished games.
    pub(crate) opponent_elo: (u64, u64),
    /// The mover's score in those.
    pub(crate) half_points: u64,
    pub(crate) years: Option<(u16, u16)>,
}

/// A game that reaches a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reaching {
    pub(crate) game: i64,
    /// The number of half-moves along the line at the first visit.
    pub(crate) ply: u32,
    pub(crate) in_variation: bool,
}

/// All attributes of a position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The games, in order.
    pub(crate) games: Vec<Reaching>,
    /// Counts by SAN, `None` where games end.
    pub(crate) moves: BTreeMap<Option<String>, Counted>,
}

/// All positions by their EPD, with the en passant square of legal captures only.
pub(crate) fn replay_all(connection: &Connection) -> HashMap<String, Known> {
    let sql = "SELECT id, moves, fen, result, white_elo, black_elo, date, CASE WHEN EXISTS
        (SELECT 1 FROM counter WHERE name = 'index_variations') THEN annotations END FROM games
        WHERE variant IS NULL OR variant = 'chess960' ORDER BY id";
    let mut select = connection.prepare(sql).expect("the view of a database");
    let mut rows = select.query([]).expect("rows");

    let mut known: HashMap<String, Known> = HashMap::new();
    while let Some(row) = rows.next().expect("a row") {
        let text = |column| {
            let text = row.get_ref(column).expect("a column").as_str().ok();
            text.map(str::to_owned)
        };
        let elo = |column| {
            let elo = row.get_ref(column).expect("a column").as_i64().ok();
            elo.and_then(|elo| u64::try_from(elo).ok())
        };
        let game = Facts {
            id: row.get(0).expect("a number"),
            result: text(3).unwrap_or_default(),
            elo: [elo(4), elo(5)],
            year: text(6).and_then(|date| date.get(..4)?.parse().ok()),
        };

        let moves = text(1).unwrap_or_default();
        let fen = text(2);
        let mainline = game.walk(&moves, fen.as_deref(), &mut known);
        let annotations = text(7).and_then(|json| serde_json::from_str(&json).ok());
        game.walk_variations(&mainline, annotations.unwrap_or_default(), &mut known);
    }
    known
}

struct Facts {
    id: i64,
    result: String,
    elo: [Option<u64>; 2],
    year: Option<u16>,
}

impl Facts {
    /// Passes the positions of the mainline, including the first and the last.
    fn walk(
        &self,
        moves: &str,
        fen: Option<&str>,
        known: &mut HashMap<String, Known>,
    ) -> Vec<Chess> {
        let mut position = match fen {
            None => Chess::default(),
            Some(fen) => {
                let fen = Fen::from_ascii(fen.as_bytes()).expect("a FEN");
                fen.into_position(CastlingMode::Chess960)
                    .expect("a legal position")
            }
        };

        let mut sans = moves.split(' ').filter(|san| !san.is_empty());
        let mut line = Vec::new();
        loop {
            let text = sans.next();
            let after = text.and_then(|text| played(&position, text));
            // A move that cannot be played ends the game here.
            let san = text.filter(|_| after.is_some()).map(str::to_owned);
            let here = known.entry(epd(&position)).or_default();
            self.visit(here, &position, line.len(), san);

            line.push(std::mem::take(&mut position));
            match after {
                Some(after) => position = after,
                None => return line,
            }
        }
    }

    fn walk_variations(
        &self,
        mainline: &[Chess],
        annotations: BTreeMap<u32, Vec<String>>,
        known: &mut HashMap<String, Known>,
    ) {
        for (ply, texts) in annotations {
            // Annotations behind the last move that could be played belong to no position.
            let Some(line) = mainline.get(..=ply as usize) else {
                return;
            };
            let mut texts = texts.iter().map(String::as_str);
            while let Some(text) = texts.next() {
                if text == "(" {
                    self.variation(line, 1, &mut texts, known);
                }
            }
        }
    }

    /// A variation of a line, which is on its own after this many positions.
    fn variation<'t>(
        &self,
        around: &[Chess],
        since: usize,
        texts: &mut impl Iterator<Item = &'t str>,
        known: &mut HashMap<String, Known>,
    ) {
        // A variation replaces the last move of the line around it.
        let since = since.max(around.len() - 1);
        let mut line = around[..since].to_vec();
        // Nothing after an illegal move can be played.
        let mut is_lost = false;
        while let Some(text) = texts.next() {
            // The first character tells what is no move.
            match &text[..1] {
                "(" if is_lost => skip_variation(texts),
                "(" => self.variation(&line, since, texts, known),
                ")" => return,
                "{" | "$" | "%" => {}
                _ if is_lost => {}
                _ => match played(line.last().expect("a start"), text) {
                    Some(position) => {
                        let there = known.entry(epd(&position)).or_default();
                        self.suggest(there, line.len());
                        line.push(position);
                    }
                    None => is_lost = true,
                },
            }
        }
    }

    fn is_noted(&self, known: &Known) -> bool {
        known.games.last().is_some_and(|last| last.game == self.id)
    }

    fn suggest(&self, known: &mut Known, ply: usize) {
        if !self.is_noted(known) {
            known.games.push(Reaching {
                game: self.id,
                ply: ply as u32,
                in_variation: true,
            });
        }
    }

    fn visit(&self, known: &mut Known, position: &Chess, ply: usize, next: Option<String>) {
        // Only the first visit of a game counts.
        if self.is_noted(known) {
            return;
        }
        known.games.push(Reaching {
            game: self.id,
            ply: ply as u32,
            in_variation: false,
        });

        let counted = known.moves.entry(next).or_default();
        let games = counted.results.entry(self.result.clone()).or_default();
        *games += 1;

        let is_white = position.turn().is_white();
        let [white_elo, black_elo] = self.elo;
        let (own_elo, opponent_elo) = if is_white {
            (white_elo, black_elo)
        } else {
            (black_elo, white_elo)
        };
        add(&mut counted.mover_elo, own_elo);
        // A performance needs a result, and the rating of the opponent.
        if self.result != "*" {
            add(&mut counted.opponent_elo, opponent_elo);
            counted.half_points += match (opponent_elo, self.result.as_str()) {
                (None, _) => 0,
                (_, "1/2-1/2") => 1,
                // Half-points: two for a win.
                (_, result) => 2 * u64::from((result == "1-0") == is_white),
            };
        }

        if let Some(year) = self.year {
            let (first, last) = counted.years.unwrap_or((year, year));
            counted.years = Some((first.min(year), last.max(year)));
        }
    }
}

/// The position after a move in SAN, if it is legal.
fn played(position: &Chess, text: &str) -> Option<Chess> {
    // A null move is illegal in check, where the other side could take the king.
    if text == "--" {
        return position.clone().swap_turn().ok();
    }

    let san = SanPlus::from_ascii(text.as_bytes()).ok()?;
    let mv = san.san.to_move(position).ok()?;
    position.clone().play(mv).ok()
}

/// Counts a rating, if it is known, in a number and a sum.
fn add((games, sum): &mut (u64, u64), elo: Option<u64>) {
    if let Some(elo) = elo {
        *games += 1;
        *sum += elo;
    }
}

fn skip_variation<'t>(texts: &mut impl Iterator<Item = &'t str>) {
    let mut depth = 1;
    while depth > 0 {
        match texts.next() {
            Some("(") => depth += 1,
            Some(")") => depth -= 1,
            Some(_) => {}
            None => return,
        }
    }
}

/// The fields of a FEN without its clocks, with an en passant square only if a pawn can capture there.
pub(crate) fn epd(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// The SAN of a counted move, and its counts. Results without a game are left out, as in the oracle.
fn counted(count: &MoveCount) -> (Option<String>, Counted) {
    let counts = &count.counts;
    let mut results = BTreeMap::new();
    for (result, games) in [
        ("1-0", counts.white),
        ("1/2-1/2", counts.draws),
        ("0-1", counts.black),
        ("*", counts.unfinished),
    ] {
        if games > 0 {
            results.insert(result.to_owned(), games);
        }
    }

    let counted = Counted {
        results,
        mover_elo: (counts.mover_elo.games, counts.mover_elo.sum),
        opponent_elo: (counts.opponent_elo.games, counts.opponent_elo.sum),
        half_points: counts.half_points,
        years: counts.years,
    };
    let san = count.played.as_ref().map(|(san, _)| san.clone());
    (san, counted)
}

fn reaching(found: &Visited) -> Reaching {
    assert!(!found.in_variation || found.next.is_none());
    Reaching {
        game: found.game.get(),
        ply: found.ply.get(),
        in_variation: found.in_variation,
    }
}

/// Asserts that `games.db` passes the full check, and that its answers for every tenth position, and for each position of
/// several games, are those of the oracle.
pub(crate) fn is_whole(work: &Workplace) {
    work.stamma("check games.db --full").success();
    let connection = Connection::open(work.path("games.db")).expect("a database");
    compare(&connection, &replay_all(&connection), 10);
}

/// Compares the answers for all positions of the oracle, or for one in `step` and all that occur in several games.
pub(crate) fn compare(connection: &Connection, known: &HashMap<String, Known>, step: usize) {
    let search = PositionSearch::new(connection).expect("an index");
    let mut positions: Vec<(&String, &Known)> = known.iter().collect();
    // The order of a hash map is random, and the steps must choose the same positions in every run.
    positions.sort_by_key(|(epd, _)| *epd);

    // Most positions occur in one game, so a step passes over them; those of many games have the larger postings.
    let is_frequent = |(_, known): &(&String, &Known)| known.games.len() > 5;
    let (often, seldom): (Vec<_>, Vec<_>) = positions.into_iter().partition(is_frequent);

    let seldom = seldom.into_iter().step_by(step * fewer(8));
    let often = often.into_iter().step_by(fewer(4));
    for (epd, known) in seldom.chain(often) {
        compare_position(connection, &search, epd, known);
    }
}

fn compare_position(connection: &Connection, search: &PositionSearch, epd: &str, known: &Known) {
    let position = [Position::from_fen(epd).expect("a legal position")];

    // The games, in order.
    let found = search.games(connection, &position, usize::MAX);
    let visits = found.expect("an answer");
    let games: Vec<Reaching> = visits.iter().map(reaching).collect();
    assert_eq!(games, known.games, "{epd}");

    // Their number, which is counted without a list of them.
    let count = search.count(connection, &position).expect("an answer");
    assert_eq!(count, known.games.len() as u64, "{epd}");

    // The moves, the most frequent first, with their statistics.
    let moves = search.moves(connection, &position).expect("an answer");
    let by_games = |count: &MoveCount| Reverse(count.counts.all_games());
    assert!(moves.is_sorted_by_key(by_games), "{epd}: {moves:?}");
    assert_eq!(moves.len(), known.moves.len(), "{epd}: {moves:?}");

    let counted_moves: Vec<_> = moves.iter().map(counted).collect();
    for (san, expected) in &known.moves {
        let found = counted_moves.iter().find(|(other, _)| other == san);
        let counted = found.map(|(_, counted)| counted);
        assert_eq!(counted, Some(expected), "{epd} {san:?}");
    }
}
