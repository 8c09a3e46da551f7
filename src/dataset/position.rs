//! Positions as rows: in memory, in temporary files, and as columns.

use std::borrow::Cow;

use parquet::errors::ParquetError;

use super::column::ColumnBuffer;
use super::table::{Column, Packing, SchemaOptions, TableSchema};
use crate::board::{Move, MoveKind, Position, Role, Square};
use crate::game::{Game, GameFacts};
use crate::notation::{Uci, uci};
use crate::pgn::Termination;
use crate::replay::{Mainline, Replay, Visit};

/// The bytes of a row in a temporary file.
pub(super) const ROW_BYTES: usize = 26;

/// The bit of [`PositionRow::next`] for castling that is written as a step of the king.
const KING_STEP: u16 = 1 << 15;

/// The bits of the year in [`PositionRow::facts`].
const YEAR_BITS: u32 = 14;

/// The sign of a key as a signed number. With this bit inverted, unsigned keys have the order of signed numbers.
const SIGN_BIT: u64 = 1 << 63;

/// A position of a game. Rows are ordered as in files: by key as a signed number, game, ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PositionRow {
    /// The key with [`SIGN_BIT`] inverted, so that keys are in the order of signed numbers.
    pub(super) key: u64,
    pub(super) game: i64,
    pub(super) ply: u16,
    /// [`Move::code`] of the move played in the position, with [`KING_STEP`]; [`Visit::END`] at the end of the game.
    pub(super) next: u16,
    /// 0 for unknown.
    pub(super) white_elo: u16,
    /// 0 for unknown.
    pub(super) black_elo: u16,
    /// The result in the highest two bits. The year in the other bits, 0 for unknown.
    pub(super) facts: u16,
}

/// The values that are equal in the rows of all positions of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameValues {
    game: i64,
    white_elo: u16,
    black_elo: u16,
    facts: u16,
}

impl GameValues {
    pub(super) fn new(game: i64, facts: &GameFacts) -> GameValues {
        let known = |number: Option<std::num::NonZeroU16>| number.map_or(0, |number| number.get());
        let result = match facts.result {
            Termination::WhiteWins => 0,
            Termination::BlackWins => 1,
            Termination::Draw => 2,
            Termination::Unknown => 3,
        };
        GameValues {
            game,
            white_elo: known(facts.white_elo),
            black_elo: known(facts.black_elo),
            facts: result << YEAR_BITS | known(facts.year),
        }
    }

    /// The row of a position.
    pub(super) fn row(&self, key: u64, ply: u16, next: u16) -> PositionRow {
        let GameValues {
            game,
            white_elo,
            black_elo,
            facts,
        } = *self;
        PositionRow {
            key: key ^ SIGN_BIT,
            game,
            ply,
            next,
            white_elo,
            black_elo,
            facts,
        }
    }
}

/// The maximum number of half-moves before a position of a data set: the column has 16 bits with a sign.
pub(super) const MAX_PLY: u16 = i16::MAX as u16;

/// The mainline of a game: its moves, and its positions at their first visits.
pub(super) struct Played<'r> {
    visits: Cow<'r, [Visit]>,
    pub(super) moves: Cow<'r, [Move]>,
    castling: Uci,
}

impl<'r> Played<'r> {
    /// The mainline of a game that has been replayed.
    pub(super) fn from_replay(replay: &'r Replay<'_>) -> Played<'r> {
        let castling = match &replay.start {
            Some(start) => Uci::of(start),
            None => Uci::of(&Position::start()),
        };
        Played {
            visits: Cow::from(&replay.visits),
            moves: Cow::from(&replay.played),
            castling,
        }
    }

    /// The mainline of a stored game, found by replaying the game.
    pub(super) fn by_replaying(game: &Game<'_>) -> Played<'static> {
        let Some(mainline) = Mainline::of(game) else {
            let castling = Uci::of(&Position::start());
            return Played {
                visits: Cow::default(),
                moves: Cow::default(),
                castling,
            };
        };

        let castling = Uci::of(mainline.position());
        let (visits, moves) = mainline.visits_and_moves(game.variant);
        Played {
            visits: visits.into(),
            moves: moves.into(),
            castling,
        }
    }

    /// `true` if the game has positions. The start position is enough.
    pub(super) fn has_positions(&self) -> bool {
        !self.visits.is_empty()
    }

    /// The code of a legal move in a position of the game, played or not.
    pub(super) fn code_of(&self, mv: Move) -> u16 {
        move_code(mv, self.castling)
    }

    /// The code of the move after `ply` half-moves.
    pub(super) fn code(&self, ply: u16) -> u16 {
        let next = self.moves.get(usize::from(ply));
        next.map_or(Visit::END, |&mv| move_code(mv, self.castling))
    }
}

/// Calls `each` with the row of each position of a game up to `max_ply` half-moves, at its first visit.
pub(super) fn each_row(
    played: &Played<'_>,
    game_values: &GameValues,
    max_ply: u16,
    mut each: impl FnMut(PositionRow),
) {
    for visit in &*played.visits {
        if visit.ply > max_ply {
            break;
        }

        let next = played.code(visit.ply);
        each(game_values.row(visit.key.0, visit.ply, next));
    }
}

/// The code of a move in [`PositionRow::next`]. `castling` is the castling notation of the game.
pub(super) fn move_code(mv: Move, castling: Uci) -> u16 {
    // In standard chess, UCI writes castling as a step of the king by two squares: `e1g1`.
    let is_king_step = mv.kind == MoveKind::Castle && !castling.king_takes_rook();
    if is_king_step {
        mv.code() | KING_STEP
    } else {
        mv.code()
    }
}

/// The UCI text of a move by its code; `None` for the code of no move.
fn uci_text(code: u16) -> Option<String> {
    const PROMOTIONS: [Option<Role>; 8] = [
        None,
        Some(Role::Knight),
        Some(Role::Bishop),
        Some(Role::Rook),
        Some(Role::Queen),
        None,
        None,
        None,
    ];
    let square = |bits: u16| Square::new((bits & 63) as u8);
    let from = square(code);
    let to = square(code >> 6);

    match code {
        Visit::END => None,
        0 => Some("0000".to_owned()),
        _ if code & KING_STEP != 0 => Some(uci(Move::castle(from, to))),
        _ => {
            // The UCI text of a move does not name the moving piece, so any role is correct here.
            let mv = Move {
                promotion: PROMOTIONS[usize::from(code >> 12 & 7)],
                ..Move::normal(Role::Queen, from, to)
            };
            Some(uci(mv))
        }
    }
}

/// A row of the table `positions` before it is sorted.
pub(super) trait Row: Copy + Ord + Send + Sync {
    /// The bytes of a row in a temporary file; the first eight are its key.
    const BYTES: usize;

    /// The values of the row except the FEN.
    fn position(&self) -> &PositionRow;

    /// The FEN; `None` if rows have no FEN.
    fn fen(&self) -> Option<String>;

    /// Writes the row for a temporary file. `out` has [`Row::BYTES`] bytes.
    fn write(&self, out: &mut [u8]);

    /// Reads the [`Row::BYTES`] bytes that [`Row::write`] has written.
    fn read(bytes: &[u8]) -> Self;
}

impl Row for PositionRow {
    const BYTES: usize = ROW_BYTES;

    fn position(&self) -> &PositionRow {
        self
    }

    fn fen(&self) -> Option<String> {
        None
    }

    fn write(&self, out: &mut [u8]) {
        out[..8].copy_from_slice(&self.key.to_le_bytes());
        out[8..16].copy_from_slice(&self.game.to_le_bytes());

        let rest = [
            self.ply,
            self.next,
            self.white_elo,
            self.black_elo,
            self.facts,
        ];
        for (out, part) in out[16..].chunks_exact_mut(2).zip(rest) {
            out.copy_from_slice(&part.to_le_bytes());
        }
    }

    fn read(bytes: &[u8]) -> PositionRow {
        let long = |at: usize| {
            bytes[at..]
                .first_chunk()
                .map_or(0, |bytes: &[u8; 8]| u64::from_le_bytes(*bytes))
        };
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);

        PositionRow {
            key: long(0),
            game: long(8).cast_signed(),
            ply: short(16),
            next: short(18),
            white_elo: short(20),
            black_elo: short(22),
            facts: short(24),
        }
    }
}

impl PositionRow {
    /// The key as a signed number, as the column `zobrist` has it.
    fn zobrist(&self) -> i64 {
        (self.key ^ SIGN_BIT).cast_signed()
    }

    pub(super) fn result(&self) -> Termination {
        match self.facts >> YEAR_BITS {
            0 => Termination::WhiteWins,
            1 => Termination::BlackWins,
            2 => Termination::Draw,
            _ => Termination::Unknown,
        }
    }

    fn year(&self) -> u16 {
        self.facts & ((1 << YEAR_BITS) - 1)
    }
}

/// The optional parts of the table `positions`.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionColumns {
    pub(super) has_fen: bool,
    /// `true` if the column of keys has a bloom filter.
    pub(super) has_bloom_filter: bool,
}

/// The schema of the table `positions`.
pub(super) fn schema(
    optional: PositionColumns,
    notes: Vec<(&str, String)>,
) -> Result<TableSchema, ParquetError> {
    let mut columns = vec![
        Column::int64("zobrist").required(),
        Column::int64("game_id").required(),
        Column::int16("ply").required(),
        Column::text("uci"),
        Column::text("Result").required(),
        Column::int16("WhiteElo"),
        Column::int16("BlackElo"),
        Column::int16("year"),
    ];
    if optional.has_fen {
        // Rows are sorted by key, so similar FENs are far from each other. Large pages compress them better.
        columns.push(Column::text("fen").required().packed(Packing::Lengths));
    }

    let bloom = if optional.has_bloom_filter {
        Some("zobrist")
    } else {
        None
    };
    let options = SchemaOptions {
        sorted_by: &[0, 1, 2],
        bloom,
        notes,
    };
    TableSchema::new(columns, &options)
}

/// A cache of the UCI texts of moves, by code.
pub(super) struct MoveTexts(Vec<Option<Option<String>>>);

impl MoveTexts {
    pub(super) fn new() -> MoveTexts {
        // One text for each code of 16 bits.
        MoveTexts(vec![None; usize::from(u16::MAX) + 1])
    }

    /// The UCI text of a move; `None` for the code of no move.
    pub(super) fn get(&mut self, code: u16) -> Option<&[u8]> {
        let text = self.0[usize::from(code)].get_or_insert_with(|| uci_text(code));
        text.as_deref().map(str::as_bytes)
    }
}

/// Adds a row to the columns of the schema.
pub(super) fn push(row: &impl Row, columns: &mut [ColumnBuffer], moves: &mut MoveTexts) {
    let known = |number: u16| (number > 0).then_some(i32::from(number));

    let [
        zobrist,
        game,
        ply,
        uci,
        result,
        white_elo,
        black_elo,
        year,
        fen @ ..,
    ] = columns
    else {
        panic!("`schema` has these eight columns, and the FEN after them");
    };

    let position = row.position();
    zobrist.long(Some(position.zobrist()));
    game.long(Some(position.game));
    ply.int(Some(position.ply.into()));
    uci.text(moves.get(position.next));
    result.text(Some(position.result().as_str().as_bytes()));
    white_elo.int(known(position.white_elo));
    black_elo.int(known(position.black_elo));
    year.int(known(position.year()));

    match (fen, row.fen()) {
        ([], None) => {}
        ([column], Some(text)) => column.text(Some(text.as_bytes())),
        _ => panic!("rows and columns both have a FEN, or neither has"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    fn rows(text: &str, max_ply: u16) -> Vec<(u16, Option<String>)> {
        let replay = replay(text);
        let played = Played::from_replay(&replay);
        let game_values = GameValues::new(7, &GameFacts::default());

        let mut rows = Vec::new();
        let add = |row: PositionRow| rows.push((row.ply, super::uci_text(row.next)));
        each_row(&played, &game_values, max_ply, add);
        rows
    }

    #[test]
    fn a_position_is_there_once_with_the_move_of_its_first_visit() {
        // After four half-moves, the start position is there again.
        let rows = rows("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *", MAX_PLY);

        let text = |text: &str| Some(text.to_owned());
        let expected = [
            (0, text("g1f3")),
            (1, text("g8f6")),
            (2, text("f3g1")),
            (3, text("f6g8")),
            (5, None),
        ];
        assert_eq!(rows, expected);
    }

    const COLUMNS: PositionColumns = PositionColumns {
        has_fen: false,
        has_bloom_filter: false,
    };

    /// Adds a row to the columns of a schema.
    fn push_row(columns: &mut [ColumnBuffer]) {
        let row = GameValues::new(7, &GameFacts::default()).row(1, 0, Visit::END);
        push(&row, columns, &mut MoveTexts::new());
    }

    #[test]
    fn a_row_is_in_all_columns() {
        let schema = schema(COLUMNS, Vec::new()).expect("a schema");
        let mut columns = schema.buffers();
        push_row(&mut columns);

        for encoded in schema.encode(columns).expect("columns") {
            assert_eq!(encoded.close.rows_written, 1);
        }
    }

    #[test]
    #[should_panic(expected = "`schema` has these eight columns")]
    fn a_row_without_its_columns_is_a_bug() {
        let schema = schema(COLUMNS, Vec::new()).expect("a schema");
        let mut columns = schema.buffers();
        push_row(&mut columns[..7]);
    }

    #[test]
    #[should_panic(expected = "rows and columns both have a FEN")]
    fn a_row_without_the_fen_of_its_columns_is_a_bug() {
        let with_fen = PositionColumns {
            has_fen: true,
            ..COLUMNS
        };
        let mut columns = schema(with_fen, Vec::new()).expect("a schema").buffers();
        push_row(&mut columns);
    }

    #[test]
    fn positions_end_at_the_limit() {
        assert_eq!(rows("1. e4 e5 2. Nf3 *", 1).len(), 2);
        assert_eq!(rows("[Variant \"Atomic\"]\n\n1. e4 *", 9), []);
    }

    #[test]
    fn rows_come_back_from_bytes() {
        let row = PositionRow {
            key: 0x0123_4567_89ab_cdef,
            game: i64::MAX,
            ply: 1,
            next: 2,
            white_elo: 3,
            black_elo: 4,
            facts: 5,
        };
        let mut bytes = [0; ROW_BYTES];
        row.write(&mut bytes);
        assert_eq!(PositionRow::read(&bytes), row);
    }

    #[test]
    fn all_moves_have_their_text() {
        let start = Position::start();
        let moves = [
            (Move::normal(Role::Pawn, Square::E2, Square::E4), "e2e4"),
            (
                Move::promotion(Square::A7, Square::B8, Role::Knight),
                "a7b8n",
            ),
            (
                Move::promotion(Square::H2, Square::H1, Role::Queen),
                "h2h1q",
            ),
            (Move::castle(Square::E1, Square::A1), "e1c1"),
        ];
        for (mv, expected) in moves {
            let code_of_move = move_code(mv, Uci::of(&start));
            assert_eq!(uci_text(code_of_move).as_deref(), Some(expected));
        }

        // In Chess960, the king takes his own rook.
        let fen = "rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w KQkq - 0 1";
        let shuffled = Position::from_fen(fen).expect("a legal position");
        let castling = Move::castle(Square::E1, Square::H1);
        let castles = move_code(castling, Uci::of(&shuffled));
        assert_eq!(uci_text(castles).as_deref(), Some("e1h1"));
    }
}
