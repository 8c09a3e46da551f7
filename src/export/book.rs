//! Opening books in Polyglot's format, from the openings of games.
//!
//! A book consists of entries of sixteen bytes, big-endian: the position's key (8), the move (2), its weight (2), and
//! four bytes for learning, which are zero here. Programs find a key by binary search, so entries are sorted by it, and
//! play moves with a frequency proportional to their weights.

use std::cmp::Reverse;
use std::io::{self, Write};

use rayon::slice::ParallelSliceMut;

use crate::board::{Color, Move, MoveKind, Role};
use crate::error::Result;
use crate::game::Ply;
use crate::pgn::Termination;
use crate::storage::{
    Database, GameId, GameSet, InDatabase, IndexedLines, PlayedGame, replay_stored,
};
use crate::threads;

/// The moves played in the openings of games. Each move has the number of its games and its score.
#[derive(Debug, Default)]
pub struct Book {
    played: Vec<PlayedMove>,
    /// The length of the list at which equal moves are merged.
    limit: usize,
}

/// The result of [`Book::write`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookSize {
    /// The number of positions with at least one move.
    pub positions: u64,
    /// The number of entries, one for each move.
    pub moves: u64,
}

/// The selection of moves for a book.
#[derive(Clone, Debug, Default)]
pub struct BookMoves {
    /// The number of half-moves of each game.
    pub max_ply: Ply,
    /// The games whose moves of White are selected, and the games whose moves of Black are selected. `None` selects
    /// both sides of all games.
    pub sides: Option<[GameSet; 2]>,
}

impl BookMoves {
    /// `true` if the moves of a side in a game are selected.
    fn selects(&self, game: i64, side: Color) -> bool {
        let Some([white, black]) = &self.sides else {
            return true;
        };

        let games = if side.is_white() { white } else { black };
        games.contains(GameId::new(game))
    }
}

/// A move in a position, with the games in which it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlayedMove {
    key: u64,
    mv: u16,
    games: u32,
    /// The score of the side to move, in half points.
    points: u32,
}

/// The minimum number of moves to add before equal moves are merged: 24 MiB of them.
const MIN_ADDED: usize = 1 << 20;

/// Room for the moves of a game, which nearly no game exceeds.
const GAME_PLIES: u32 = 400;

/// The code for a null move. Books have no null moves, and no other move has this code.
const NULL_MOVE: u16 = 0;

impl Book {
    /// Collects moves of some games, or of all, that follow the rules of chess.
    ///
    /// A position that occurs twice in a game counts once, with the move played first. `progress` is called regularly
    /// with the number of games done.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub fn gather(
        database: &Database,
        games: Option<&GameSet>,
        moves: &BookMoves,
        mut progress: impl FnMut(u64),
    ) -> Result<Book> {
        let mut book = Book::default();
        let mut done = 0;
        let read = |games: &[PlayedGame]| (games.len() as u64, opening_moves(games, moves));
        let add = |(game_count, played): (u64, Vec<PlayedMove>)| {
            book.add(&played);
            done += game_count;
            progress(done);
            Ok::<(), rusqlite::Error>(())
        };

        let all_ids = (1, i64::MAX);
        let gathered = replay_stored(
            &database.connection,
            all_ids,
            games,
            IndexedLines::Mainline,
            read,
            add,
        );
        gathered.in_database(database)?;

        book.merge_equal();
        Ok(book)
    }

    /// Writes the moves that were played in at least `min_games` games and have a weight.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, min_games: u32, out: &mut impl Write) -> io::Result<BookSize> {
        let mut size = BookSize::default();
        for position in self.played.chunk_by(|a, b| a.key == b.key) {
            let entries = entries(position, min_games);
            if entries.is_empty() {
                continue;
            }

            size.positions += 1;
            size.moves += entries.len() as u64;
            for (mv, weight) in entries {
                out.write_all(&position[0].key.to_be_bytes())?;
                out.write_all(&mv.to_be_bytes())?;
                out.write_all(&weight.to_be_bytes())?;
                // The field `learn` of the format.
                out.write_all(&[0; 4])?;
            }
        }
        Ok(size)
    }

    /// Adds moves. Equal moves are merged from time to time, so memory is proportional to the number of different
    /// moves.
    fn add(&mut self, played: &[PlayedMove]) {
        if self.played.len() + played.len() > self.limit {
            self.merge_equal();
            // Half as many moves again until the next merge, so that sorting stays a constant share of the work.
            let more = played.len() + MIN_ADDED.max(self.played.len() / 2);
            self.limit = self.played.len() + more;
            self.played.reserve_exact(more);
        }

        self.played.extend_from_slice(played);
    }

    /// Sorts the moves, and merges equal ones.
    fn merge_equal(&mut self) {
        threads::install(|| self.played.par_sort_unstable_by_key(sort_key));
        self.played.dedup_by(merge_if_equal);
    }
}

/// The sort key of entries: position, then move.
fn sort_key(played: &PlayedMove) -> (u64, u16) {
    (played.key, played.mv)
}

/// Merges an entry into the earlier entry if both have equal positions and moves; `true` if it was merged.
fn merge_if_equal(later: &mut PlayedMove, earlier: &mut PlayedMove) -> bool {
    if sort_key(later) != sort_key(earlier) {
        return false;
    }

    earlier.games = earlier.games.saturating_add(later.games);
    earlier.points = earlier.points.saturating_add(later.points);
    true
}

/// The moves of a position with their weights, the greatest weight first.
///
/// Weights are scores in half points. If the greatest score exceeds sixteen bits, all scores are scaled down.
fn entries(played: &[PlayedMove], min_games: u32) -> Vec<(u16, u16)> {
    let is_kept = |candidate: &&PlayedMove| candidate.games >= min_games;
    let kept_points = played.iter().filter(is_kept).map(|kept| kept.points);
    let max_points = kept_points.max().unwrap_or(0);

    let max_weight = u64::from(u16::MAX);
    let scale = u64::from(max_points).max(max_weight);
    let mut entries = Vec::new();
    for kept in played.iter().filter(is_kept) {
        let points = u64::from(kept.points);
        let weight = (points * max_weight / scale) as u16;
        if weight > 0 {
            entries.push((kept.mv, weight));
        }
    }

    entries.sort_unstable_by_key(|&(mv, weight)| (Reverse(weight), mv));
    entries
}

/// The opening moves of some games, merged by position.
fn opening_moves(games: &[PlayedGame], moves: &BookMoves) -> Vec<PlayedMove> {
    let mut merged = Vec::new();
    for game in games.iter().filter(|game| !game.variant.plays_apart()) {
        let mut played = opening_moves_of_game(game, moves);
        // The sort is stable, so the first visit of a position is still the first.
        played.sort_by_key(|played| played.key);
        played.dedup_by_key(|played| played.key);

        // Null moves are omitted after the first visits have been chosen. Otherwise, a later visit of the position
        // would take the place of a first visit with a null move.
        merged.extend(played.into_iter().filter(|played| played.mv != NULL_MOVE));
    }

    merged.sort_unstable_by_key(sort_key);
    merged.dedup_by(merge_if_equal);
    merged
}

/// The opening moves of a game, in order.
fn opening_moves_of_game(game: &PlayedGame, moves: &BookMoves) -> Vec<PlayedMove> {
    let Some(mut line) = game.mainline() else {
        return Vec::new();
    };

    let capacity = moves.max_ply.get().min(GAME_PLIES);
    let mut played = Vec::with_capacity(capacity as usize);
    let mut last = None;
    while line.ply() < moves.max_ply
        && let Some((_, mv)) = line.step()
    {
        let position = line.position();
        if moves.selects(game.id.get(), position.turn()) {
            played.push(PlayedMove {
                key: position.polyglot_key(last),
                mv: polyglot_move(mv),
                games: 1,
                points: points(game.facts.result, position.turn()),
            });
        }

        line.play(mv);
        last = Some(mv);
    }
    played
}

/// The score of the side to move, in half points.
fn points(result: Termination, turn: Color) -> u32 {
    let has_won = match result {
        Termination::WhiteWins => turn.is_white(),
        Termination::BlackWins => !turn.is_white(),
        Termination::Draw => return 1,
        Termination::Unknown => return 0,
    };
    if has_won { 2 } else { 0 }
}

/// A move as books encode it: target (bits 0 to 5), origin (6 to 11), promotion (12 to 14: 0 none, 1 knight to 4
/// queen). Castling is king takes own rook.
fn polyglot_move(mv: Move) -> u16 {
    if mv.kind == MoveKind::Null {
        return NULL_MOVE;
    }

    let target = mv.to.index();
    let origin = mv.from.index();
    let promotion = mv.promotion.map_or(0, Role::index);
    (target | origin << 6 | promotion << 12) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Annotations, GameFacts, Variant};

    fn game(moves: &str, result: Termination) -> PlayedGame {
        let facts = GameFacts {
            result,
            ..GameFacts::default()
        };
        let (variant, moves) = (Variant::Standard, moves.to_owned());
        PlayedGame {
            id: GameId::new(1),
            variant,
            fen: None,
            moves,
            annotations: Annotations::default(),
            facts,
        }
    }

    fn book_of(games: &[PlayedGame], moves: &BookMoves) -> Book {
        Book {
            played: opening_moves(games, moves),
            limit: 0,
        }
    }

    fn book(games: &[PlayedGame], max_ply: u32) -> Book {
        book_of(
            games,
            &BookMoves {
                max_ply: Ply::new(max_ply),
                sides: None,
            },
        )
    }

    /// The entries as keys, moves and weights.
    fn written(book: &Book, min_games: u32) -> Vec<(u64, u16, u16)> {
        let mut bytes = Vec::new();
        let size = book.write(min_games, &mut bytes).expect("memory");

        // An entry has a key, a move, a weight, and four bytes for learning, all big-endian.
        let number = |bytes: &[u8]| bytes.iter().fold(0, |n, &byte| n << 8 | u64::from(byte));
        let mut entries = Vec::new();
        for entry in bytes.chunks(16) {
            let key = number(&entry[..8]);
            let mv = number(&entry[8..10]) as u16;
            let weight = number(&entry[10..12]) as u16;
            assert_eq!(number(&entry[12..]), 0);
            entries.push((key, mv, weight));
        }

        assert!(entries.is_sorted_by_key(|entry| entry.0));
        assert_eq!(size.moves as usize, entries.len());
        entries
    }

    const START: u64 = 0x463b_9618_1691_fc9c;
    const E4: u16 = 0o1434;
    const D4: u16 = 0o1333;

    #[test]
    fn weighs_wins_twice_and_draws_once() {
        use Termination::{BlackWins, Draw, Unknown, WhiteWins};
        let results = [WhiteWins, WhiteWins, Draw, BlackWins, Unknown];
        let mut games = results.map(|result| game("e4", result)).to_vec();
        games.extend([
            game("d4", WhiteWins),
            game("c4", BlackWins),
            game("Nf3", Unknown),
        ]);

        let of_games = book(&games, 9);

        // The second number is the least number of games.
        assert_eq!(written(&of_games, 1), [(START, E4, 5), (START, D4, 2)]);
        assert_eq!(written(&of_games, 5), [(START, E4, 5)]);
        assert_eq!(written(&of_games, 6), []);
    }

    #[test]
    fn looks_at_the_first_half_moves() {
        let games = [game("e4 e5 Nf3", Termination::Draw)];
        let moves_up_to = |ply| written(&book(&games, ply), 1).len();

        assert_eq!(moves_up_to(1), 1);
        assert_eq!(moves_up_to(2), 2);
        assert_eq!(moves_up_to(3), 3);
        assert_eq!(moves_up_to(4), 3);
    }

    #[test]
    fn takes_the_moves_of_chosen_sides() {
        let mut games = [
            game("e4 e5 Nf3", Termination::Draw),
            game("d4 d5", Termination::Draw),
        ];
        games[1].id = GameId::new(2);
        let set = |game| GameSet::from_iter([GameId::new(game)]);
        let written_of = |sides| {
            let moves = BookMoves {
                max_ply: Ply::new(9),
                sides: Some(sides),
            };
            written(&book_of(&games, &moves), 1)
        };

        // White's moves of the first game, and Black's move of the second.
        let one_side_of_each = written_of([set(1), set(2)]);
        assert_eq!(one_side_of_each.len(), 3);
        let is_of_start = |entry: &&(u64, u16, u16)| entry.0 == START;
        let of_start: Vec<_> = one_side_of_each.iter().filter(is_of_start).collect();
        assert_eq!(of_start, [&(START, E4, 1)]);

        let black_of_first = written_of([GameSet::default(), set(1)]);
        assert_eq!(black_of_first.len(), 1);
    }

    #[test]
    fn a_position_counts_once_a_game() {
        // The start position comes back after four half-moves.
        let games = [game("Nf3 Nf6 Ng1 Ng8 e4", Termination::WhiteWins)];

        let moves = written(&book(&games, 9), 1);

        let is_of_start = |entry: &&(u64, u16, u16)| entry.0 == START;
        let of_start: Vec<_> = moves.iter().filter(is_of_start).collect();
        assert_eq!(of_start, [&(START, 0o0625, 2)]);
    }

    #[test]
    fn null_moves_are_left_out() {
        let games = [game("-- e5", Termination::Draw)];
        assert_eq!(written(&book(&games, 9), 1).len(), 1);
    }

    #[test]
    fn other_rules_are_left_out() {
        let mut games = [game("e4", Termination::Draw)];
        games[0].variant = Variant::ThreeCheck;

        let moves = written(&book(&games, 9), 1);

        assert_eq!(moves, []);
    }

    #[test]
    fn weights_have_sixteen_bits() {
        let played = |mv, points| PlayedMove {
            key: 1,
            mv,
            games: 9,
            points,
        };
        let moves = [
            played(7, 1),
            played(8, 131_070),
            played(9, 65_535),
            played(10, u32::MAX / 9),
        ];

        assert_eq!(entries(&moves[..1], 1), [(7, 1)]);
        assert_eq!(entries(&moves[1..3], 1), [(8, 65_535), (9, 32_767)]);
        assert_eq!(entries(&moves[..2], 1), [(8, 65_535)]);
        assert_eq!(entries(&moves[3..], 1), [(10, 65_535)]);
    }

    #[test]
    fn codes_of_moves() {
        use crate::board::Square;

        // In octal: promotion, origin's rank and file, target's rank and file.
        let castling = Move::castle(Square::E1, Square::H1);
        assert_eq!(polyglot_move(castling), 0o0407);
        let promotion = Move::promotion(Square::A7, Square::B8, Role::Queen);
        assert_eq!(polyglot_move(promotion), 0o46071);
        assert_eq!(polyglot_move(Move::NULL), NULL_MOVE);
    }

    #[test]
    fn gathering_in_parts_changes_nothing() {
        let texts = ["e4 e5", "d4 d5", "e4 c5", "e4 e5"];
        let games = texts.map(|text| game(text, Termination::Draw));

        // A limit of 0 merges equal moves at each call.
        let mut parts = Book::default();
        for game in &games {
            parts.limit = 0;
            parts.add(&book(std::slice::from_ref(game), 9).played);
        }
        parts.limit = 0;
        parts.add(&[]);

        assert_eq!(parts.played, book(&games, 9).played);
    }
}
