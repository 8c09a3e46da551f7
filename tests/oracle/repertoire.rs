//! Repertoires, compared with a plain reader that looks up every position of every game in a set of positions.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::novelties::database;
use crate::support::corpus;
use crate::support::index_oracle::epd;
use crate::support::program::{Workplace, games};
use crate::support::start_position::start_position;
use rusqlite::Connection;
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, Chess, Move, Position as _};
use stamma::board::Color;
use stamma::query::{Filter, Watch};
use stamma::storage::Database;
use stamma::study::repertoire::{
    DepartureKind, Repertoire, RepertoireHits, RepertoireQuery, RepertoireReader,
    RepertoireStrategy,
};

/// A game: its positions, and the moves between them.
struct Played {
    game: i64,
    result: String,
    elo: [Option<u64>; 2],
    positions: Vec<Chess>,
    moves: Vec<Move>,
}

fn read(connection: &Connection) -> Vec<Played> {
    let sql = "SELECT id, moves, fen, result, white_elo, black_elo FROM games
        WHERE (variant IS NULL OR variant = 'chess960')
        AND id IN (SELECT id FROM game WHERE final_key IS NOT NULL) ORDER BY id";
    let mut select = connection.prepare(sql).expect("the view of a database");

    let rows = select.query_map([], |row| {
        let moves: Option<String> = row.get(1)?;
        let fen: Option<String> = row.get(2)?;
        let (positions, moves) = line(&moves.unwrap_or_default(), fen.as_deref());

        // SQLite has no unsigned numbers.
        let elo = |column| -> rusqlite::Result<Option<u64>> {
            let elo: Option<i64> = row.get(column)?;
            Ok(elo.map(i64::cast_unsigned))
        };

        Ok(Played {
            game: row.get(0)?,
            result: row.get(3)?,
            elo: [elo(4)?, elo(5)?],
            positions,
            moves,
        })
    });

    rows.expect("rows").map(|row| row.expect("a row")).collect()
}

fn line(moves: &str, fen: Option<&str>) -> (Vec<Chess>, Vec<Move>) {
    let mut position = start_position(fen);
    // One position more than moves.
    let mut positions = vec![position.clone()];
    let mut played = Vec::new();
    for text in moves.split_ascii_whitespace() {
        let san: SanPlus = text.parse().expect(text);
        let mv = san.san.to_move(&position).expect(text);
        position = position.play(mv).expect(text);
        positions.push(position.clone());
        played.push(mv);
    }

    (positions, played)
}

/// A plain repertoire: positions in the order in which its text has them.
#[derive(Default)]
struct Plain {
    text: String,
    positions: Vec<Chess>,
    by_epd: HashMap<String, usize>,
    moves: Vec<Vec<(Move, usize)>>,
}

impl Plain {
    fn add(&mut self, position: &Chess) -> usize {
        let next = self.positions.len();
        let at = *self.by_epd.entry(epd(position)).or_insert(next);

        if at == next {
            self.positions.push(position.clone());
            self.moves.push(Vec::new());
        }

        at
    }

    /// Writes the moves of a position and all that follow. The first move is the mainline.
    fn grow(&mut self, tree: &Tree<'_>, position: &Chess, ply: usize) {
        let from = self.add(position);
        if !self.moves[from].is_empty() {
            return;
        }

        let moves = tree.moves(position, ply);
        let mut mainline = None;

        for (number, mv) in moves.iter().enumerate() {
            let san = SanPlus::from_move(position.clone(), *mv);
            let next = position.clone().play(*mv).expect("a legal move");

            // The text has the mainline's move first, then its variations, each with all that follows.
            let is_mainline = number == 0;
            if !is_mainline {
                self.text.push('(');
            }
            self.text += &format!("{san} ");

            let to = self.add(&next);
            self.moves[from].push((*mv, to));

            if is_mainline {
                mainline = Some(next);
            } else {
                self.grow(tree, &next, ply + 1);
                self.text += ") ";
            }
        }

        if let Some(next) = mainline {
            self.grow(tree, &next, ply + 1);
        }
    }

    /// The depth of each position: the longest way to it by any legal moves between positions.
    fn depths(&self, own: &[usize]) -> Vec<usize> {
        let mut depths = own.to_vec();

        // A longest way has fewer moves than there are positions, unless moves lead in a circle.
        for _ in 0..=self.positions.len() {
            let mut is_same = true;
            for (from, position) in self.positions.iter().enumerate() {
                for mv in position.legal_moves() {
                    let next = position.clone().play(mv).expect("a legal move");
                    let Some(&to) = self.by_epd.get(&epd(&next)) else {
                        continue;
                    };

                    if depths[to] <= depths[from] {
                        depths[to] = depths[from] + 1;
                        is_same = false;
                    }
                }
            }

            if is_same {
                return depths;
            }
        }

        panic!("moves lead in a circle");
    }
}

/// The moves of games by position, from which a repertoire grows.
struct Tree<'g> {
    played: HashMap<String, BTreeMap<String, usize>>,
    side: shakmaty::Color,
    min_games: usize,
    max_plies: usize,
    _games: &'g [Played],
}

impl<'g> Tree<'g> {
    fn new(games: &'g [Played], side: shakmaty::Color, min_games: usize, max_plies: usize) -> Self {
        let mut played: HashMap<String, BTreeMap<String, usize>> = HashMap::new();
        for game in games {
            for (position, mv) in game.positions.iter().zip(&game.moves).take(max_plies) {
                let san = San::from_move(position, *mv).to_string();
                let games_by_san = played.entry(epd(position)).or_default();
                *games_by_san.entry(san).or_default() += 1;
            }
        }

        Tree {
            played,
            side,
            min_games,
            max_plies,
            _games: games,
        }
    }

    /// The most played move of the side, or two of three popular moves of its opponent.
    fn moves(&self, position: &Chess, ply: usize) -> Vec<Move> {
        if ply >= self.max_plies {
            return Vec::new();
        }
        let Some(played) = self.played.get(&epd(position)) else {
            return Vec::new();
        };

        let mut popular: Vec<(&String, usize)> =
            played.iter().map(|(san, games)| (san, *games)).collect();
        popular.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
        popular.retain(|(_, games)| *games >= self.min_games);

        let is_own = position.turn() == self.side;
        let mut moves = Vec::new();

        for (number, (san, _)) in popular.into_iter().enumerate() {
            // Every third reply is left out, so that opponents leave the repertoire, too.
            let is_chosen = if is_own { number == 0 } else { number % 3 != 2 };
            if is_chosen {
                let san: San = san.parse().expect("SAN");
                moves.push(san.to_move(position).expect("a legal move"));
            }
        }

        moves
    }
}

/// Where a game leaves: the position, how, and the move.
type Place = (String, DepartureKind, Option<String>);

/// The counts of a position and a move: games that leave there, all games with this move, the side's wins, draws and
/// losses, and the sum of its ratings.
type Count = [u64; 6];

/// The first visits of a game to positions of a repertoire: the places of the positions, and the half-moves before
/// them.
fn visits(repertoire: &Plain, game: &Played) -> Vec<(usize, usize)> {
    let mut visits: Vec<(usize, usize)> = Vec::new();
    for (ply, position) in game.positions.iter().enumerate() {
        let Some(&at) = repertoire.by_epd.get(&epd(position)) else {
            continue;
        };

        // A game may come back to a position.
        let is_first = visits.iter().all(|(known, _)| *known != at);
        if is_first {
            visits.push((at, ply));
        }
    }

    visits
}

/// How a game leaves a repertoire after a visit; `None` if its next position is of the repertoire, too.
fn departure(
    repertoire: &Plain,
    game: &Played,
    side: shakmaty::Color,
    (at, ply): (usize, usize),
) -> Option<Place> {
    let position = &repertoire.positions[at];
    if repertoire.moves[at].is_empty() {
        return Some((epd(position), DepartureKind::EndOfLine, None));
    }
    let Some(mv) = game.moves.get(ply) else {
        return Some((epd(position), DepartureKind::EndOfGame, None));
    };

    // A move that is not written in the repertoire may transpose into it.
    let next = &game.positions[ply + 1];
    if repertoire.by_epd.contains_key(&epd(next)) {
        return None;
    }

    let kind = if position.turn() == side {
        DepartureKind::Own
    } else {
        DepartureKind::Opponent
    };
    let san = San::from_move(position, *mv).to_string();
    Some((epd(position), kind, Some(san)))
}

/// The place where each game leaves, and the counts of each place.
fn plain(
    plain: &Plain,
    games: &[Played],
    side: shakmaty::Color,
    own: &[usize],
) -> (BTreeMap<i64, Place>, HashMap<Place, Count>) {
    let depths = plain.depths(own);
    let won = if side.is_white() { "1-0" } else { "0-1" };
    let lost = if side.is_white() { "0-1" } else { "1-0" };

    let mut places = BTreeMap::new();
    let mut counts: HashMap<Place, Count> = HashMap::new();

    for game in games {
        let visits = visits(plain, game);
        for &visit in &visits {
            if let Some(place) = departure(plain, game, side, visit) {
                counts.entry(place).or_default()[1] += 1;
            }
        }

        // A game leaves once: at the deepest of its positions, of equally deep ones at the last in the text.
        let Some(&deepest) = visits.iter().max_by_key(|(at, _)| (depths[*at], *at)) else {
            continue;
        };
        let place = departure(plain, game, side, deepest)
            .expect("the deepest position leads to none of the repertoire");
        let count = counts.get_mut(&place).expect("a place that is counted");

        count[0] += 1;
        count[2] += u64::from(game.result == won);
        count[3] += u64::from(game.result == "1/2-1/2");
        count[4] += u64::from(game.result == lost);
        count[5] += game.elo[usize::from(side.is_black())].unwrap_or(0);
        places.insert(game.game, place);
    }

    (places, counts)
}

/// The position of a FEN as shakmaty writes it.
fn shakmaty_epd(fen: &str) -> String {
    let fen = Fen::from_ascii(fen.as_bytes()).expect("a FEN");
    let position = fen
        .into_position(CastlingMode::Chess960)
        .expect("a legal position");

    epd(&position)
}

fn hits(database: &Database, repertoire: &Repertoire, query: &RepertoireQuery) -> RepertoireHits {
    RepertoireHits::read(database, repertoire, query, &Watch::new()).expect("an answer")
}

/// The places and counts of an answer, in the form of [`plain`].
fn places_and_counts(
    repertoire: &Repertoire,
    hits: &RepertoireHits,
) -> (BTreeMap<i64, Place>, HashMap<Place, Count>) {
    let epds: Vec<String> = repertoire
        .positions()
        .iter()
        .map(|one| shakmaty_epd(&one.position.fen()))
        .collect();

    let mut counts = HashMap::new();
    let mut departures = HashMap::new();

    for one in &hits.departures {
        let (code, san) = match &one.played {
            Some((san, mv)) => {
                // The plain reader writes moves without marks of check and mate.
                let unmarked = san.trim_end_matches(['+', '#']).to_owned();
                (Some(mv.code()), Some(unmarked))
            }
            None => (None, None),
        };

        let place = (epds[one.position].clone(), one.kind, san);
        let of = &one.counts;
        let side = repertoire.side();

        let count = [
            of.all_games(),
            one.all.all_games(),
            of.wins(side),
            of.draws,
            of.wins(!side),
            of.mover_elo.sum,
        ];

        assert_eq!(
            counts.insert(place.clone(), count),
            None,
            "{place:?} is there twice"
        );

        departures.insert((one.position, one.kind, code), place);
    }

    let mut places = BTreeMap::new();
    for hit in hits.each(repertoire) {
        // A line that has ended counts its games together, whatever they play next.
        let is_end = hit.kind == DepartureKind::EndOfLine;
        let code = hit.code.filter(|_| !is_end);

        let place = &departures[&(hit.position, hit.kind, code)];
        places.insert(hit.game.get(), place.clone());
    }

    (places, counts)
}

/// Compares a repertoire that grows from the games of a file with the plain reader, for both sides.
fn compare(file: &Path, min_games: usize, max_plies: usize, min_hits: usize) {
    let work = Workplace::new();
    let database = database(&work, file);
    let games = read(&Connection::open(work.path("games.db")).expect("a database"));

    for side in [shakmaty::Color::White, shakmaty::Color::Black] {
        // A repertoire of the moves that are frequent in the games themselves, so that many games leave it somewhere.
        let tree = Tree::new(&games, side, min_games, max_plies);
        let mut grown = Plain::default();
        grown.grow(&tree, &Chess::default(), 0);

        let mut reader = RepertoireReader::new();
        reader.read("grown.pgn", &format!("{}*\n", grown.text));

        let repertoire = reader.finish(None).expect("a repertoire");
        assert_eq!(repertoire.remarks(), []);
        assert_eq!(repertoire.side() == Color::White, side.is_white());
        assert_eq!(repertoire.positions().len(), grown.positions.len());

        // The half-moves to each position by its first line.
        let mut own = Vec::new();
        for position in &grown.positions {
            let full_moves = position.fullmoves().get() as usize - 1;
            own.push(2 * full_moves + usize::from(position.turn().is_black()));
        }

        let (places, counts) = plain(&grown, &games, side, &own);
        assert!(places.len() >= min_hits, "{}", places.len());

        let query = |strategy, whole| RepertoireQuery {
            strategy,
            whole,
            ..RepertoireQuery::default()
        };

        // By the games themselves, and by the lists of the index.
        for strategy in [RepertoireStrategy::Replay, RepertoireStrategy::Lists] {
            let hits = hits(&database, &repertoire, &query(strategy, true));
            assert_eq!(hits.hits, places.len() as u64);

            let (found_places, found_counts) = places_and_counts(&repertoire, &hits);
            for (game, place) in &places {
                assert_eq!(
                    found_places.get(game),
                    Some(place),
                    "game {game}, {strategy:?}"
                );
            }

            for (place, count) in &counts {
                assert_eq!(
                    found_counts.get(place),
                    Some(count),
                    "{place:?}, {strategy:?}"
                );
            }

            assert_eq!(found_places.len(), places.len());
            assert_eq!(found_counts.len(), counts.len());
        }

        compare_strategies(&database, &repertoire);
    }
}

/// Compares both strategies, among some games only, and without games that leave on the way that all lines share.
fn compare_strategies(database: &Database, repertoire: &Repertoire) {
    for condition in ["id % 3 = 0", "id % 100 = 7", "id < 0"] {
        let query = |strategy| RepertoireQuery {
            filter: Filter {
                condition: Some(condition.to_owned()),
                ..Filter::default()
            },
            strategy,
            ..RepertoireQuery::default()
        };

        let replayed = hits(database, repertoire, &query(RepertoireStrategy::Replay));
        let listed = hits(database, repertoire, &query(RepertoireStrategy::Lists));
        assert_eq!(replayed.departures, listed.departures);

        let each = |hits: &RepertoireHits| hits.each(repertoire).collect::<Vec<_>>();
        assert_eq!(each(&replayed), each(&listed));
        assert_eq!(replayed.hits, each(&replayed).len() as u64);
    }
}

#[test]
fn historical_games() {
    compare(&games(), 2, 16, 60);
}

#[test]
fn ten_thousand_games() {
    let Some(path) = corpus::path("archive-10k.pgn") else {
        return;
    };
    compare(&path, 12, 20, 5_000);
}

/// A list of the positions of a repertoire, with its moves, has the same answers as the PGN.
#[test]
fn a_list_of_positions() {
    let work = Workplace::new();
    let database = database(&work, &games());
    let games = read(&Connection::open(work.path("games.db")).expect("a database"));
    let tree = Tree::new(&games, shakmaty::Color::White, 2, 12);
    let mut grown = Plain::default();

    grown.grow(&tree, &Chess::default(), 0);
    let mut list = "# A repertoire for White\n".to_owned();

    for (position, moves) in grown.positions.iter().zip(&grown.moves) {
        let own_move = match &moves[..] {
            [(mv, _)] if position.turn().is_white() => Some(San::from_move(position, *mv)),
            _ => None,
        };

        list += &epd(position);
        if let Some(san) = own_move {
            list += &format!(" bm {san};");
        }
        list.push('\n');
    }

    let read = |text: &str| {
        let mut reader = RepertoireReader::new();
        reader.read("repertoire", text);
        reader.finish(Some(Color::White)).expect("a repertoire")
    };

    let tree = read(&grown.text);
    let list = read(&list);
    assert_eq!(tree.positions().len(), list.positions().len());

    let query = RepertoireQuery {
        whole: true,
        ..RepertoireQuery::default()
    };

    let (of_tree, _) = places_and_counts(&tree, &hits(&database, &tree, &query));
    let (of_list, _) = places_and_counts(&list, &hits(&database, &list, &query));
    assert_eq!(of_tree, of_list);
}
