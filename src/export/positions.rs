//! Writes positions of a game's mainline as lines: FEN, EPD or JSON Lines.
//!
//! A conversion replays games on all threads, but numbers them on the writing thread. So lines are made without the
//! number of their game. The writing thread inserts the number, and omits repeated positions.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Serialize;

use super::epd::{EpdTexts, MoveOpcode};
use crate::board::{Move, MoveKind, Position};
use crate::game::{Game, Ply};
use crate::memory::{Inserted, KeySet, Memory};
use crate::notation::Uci;
use crate::pgn::Evaluation;
use crate::replay::{Mainline, PositionKey};
use crate::storage::GameId;

/// The positions of a game to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Positions {
    /// The last position.
    Last,
    /// The position after this many half-moves.
    After(Ply),
    /// The positions of the mainline, first and last included.
    Every {
        /// The numbers of half-moves before the positions to write.
        plies: RangeInclusive<u64>,
        /// `true` for quiet positions only: the side to move is not in check, and the move played there is no capture,
        /// no promotion and no null move. The last position, without a move, is not quiet.
        quiet: bool,
    },
}

impl Positions {
    /// All positions of the mainline.
    pub const ALL: Positions = Positions::Every {
        plies: 0..=u64::MAX,
        quiet: false,
    };
}

/// The format of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionFormat {
    /// A FEN.
    Fen,
    /// Four fields of a FEN and operations, among them the move played if there is an opcode for it.
    Epd(Option<MoveOpcode>),
    /// A JSON object.
    Json,
}

/// Writes positions of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionWriter {
    /// The format.
    pub format: PositionFormat,
    /// The positions to write.
    pub positions: Positions,
}

/// The lines of a game, without its number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionLines {
    text: String,
    lines: Vec<PositionLine>,
}

/// The place of a line in the text of all lines of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PositionLine {
    key: PositionKey,
    /// The offset at which the game's number is inserted; `None` if the format has no number.
    number_at: Option<usize>,
    end: usize,
}

/// The positions written so far, up to a limit of memory.
#[derive(Debug)]
pub struct DistinctPositions {
    keys: KeySet,
    repeated: u64,
    unchecked: u64,
}

impl DistinctPositions {
    /// An empty set of positions, which may use a quarter of the memory.
    pub fn new(memory: Memory) -> DistinctPositions {
        let keys = KeySet::new(memory.distinct_position_bytes());
        DistinctPositions {
            keys,
            repeated: 0,
            unchecked: 0,
        }
    }

    /// The number of different positions that are remembered.
    pub fn max_known(&self) -> u64 {
        self.keys.max_keys()
    }

    /// The number of lines that were left out because their positions had been written.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The number of lines that were written when memory was full. Their positions are not remembered, and may be
    /// written several times.
    pub fn unchecked(&self) -> u64 {
        self.unchecked
    }

    /// `false` for a position that has been written and is remembered.
    fn is_new(&mut self, key: PositionKey) -> bool {
        match self.keys.insert(key.0) {
            Inserted::New => true,
            Inserted::Known => {
                self.repeated += 1;
                false
            }
            Inserted::Full => {
                self.unchecked += 1;
                true
            }
        }
    }
}

impl PositionLines {
    /// Appends the lines with the number of their game; returns the number of appended lines. A line is omitted if
    /// `distinct` has its position already.
    pub fn write(
        &self,
        game: GameId,
        mut distinct: Option<&mut DistinctPositions>,
        out: &mut Vec<u8>,
    ) -> u64 {
        let number = game.get().to_string();
        let mut written = 0;
        let mut start = 0;

        for line in &self.lines {
            let line_start = start;
            start = line.end;
            if let Some(distinct) = &mut distinct
                && !distinct.is_new(line.key)
            {
                continue;
            }

            // Each line ends where the next begins, and its number is within it.
            let number_at = line.number_at.unwrap_or(line_start);
            out.extend_from_slice(&self.text.as_bytes()[line_start..number_at]);
            if line.number_at.is_some() {
                out.extend_from_slice(number.as_bytes());
            }
            out.extend_from_slice(&self.text.as_bytes()[number_at..line.end]);
            written += 1;
        }
        written
    }
}

impl PositionWriter {
    /// The lines of the requested positions that a game reaches; `None` if the game has no positions.
    pub fn lines(&self, game: &Game<'_>) -> Option<PositionLines> {
        let mut mainline = Mainline::of(game)?;
        let texts = GameTexts::new(game, mainline.position(), self.format);
        let mut lines = PositionLines::default();

        loop {
            let next = mainline.step();
            let ply = mainline.ply();
            let position = mainline.position();
            let next_move = next.map(|(_, mv)| mv);

            if self.positions.selects(position, ply, next_move) {
                // EPD has legal moves only, and no null moves.
                let played = next.filter(|(_, mv)| mv.kind != MoveKind::Null);
                let number_at = texts.write(position, ply, played, &mut lines.text);
                let key = PositionKey::new(position, game.variant);
                lines.lines.push(PositionLine {
                    key,
                    number_at,
                    end: lines.text.len(),
                });
            }

            match next_move {
                Some(mv) => mainline.play(mv),
                None => return Some(lines),
            }
        }
    }
}

/// Appends a line of EPD for each requested position that the game reaches, with the game's number in the database;
/// `false`, and no line, if the game has no positions.
pub fn write_epd(number: GameId, game: &Game<'_>, positions: Positions, out: &mut Vec<u8>) -> bool {
    let writer = PositionWriter {
        format: PositionFormat::Epd(None),
        positions,
    };

    let Some(lines) = writer.lines(game) else {
        return false;
    };

    lines.write(number, None, out);

    true
}

impl Positions {
    /// `true` for a position to write, in which `played` is the move played.
    fn selects(&self, position: &Position, ply: Ply, played: Option<Move>) -> bool {
        match self {
            Positions::Last => played.is_none(),
            Positions::After(after) => ply == *after,
            Positions::Every { plies, quiet } => {
                if !plies.contains(&u64::from(ply.get())) {
                    return false;
                }
                !quiet || played.is_some_and(|mv| is_quiet(position, mv))
            }
        }
    }
}

/// `true` if the side to move is not in check, and its move neither captures nor promotes.
fn is_quiet(position: &Position, mv: Move) -> bool {
    let is_plain = match mv.kind {
        MoveKind::Normal => {
            let captures = !position.is_free(mv.to);
            let promotes = mv.promotion.is_some();
            !captures && !promotes
        }
        MoveKind::Castle => true,
        MoveKind::EnPassant | MoveKind::Null => false,
    };

    is_plain && !position.is_check()
}

/// The texts that all lines of a game share.
struct GameTexts<'g> {
    format: PositionFormat,
    result: &'g str,
    castling: Uci,
    evaluations: BTreeMap<Ply, Evaluation>,
    epd: EpdTexts,
}

impl<'g> GameTexts<'g> {
    fn new(game: &'g Game<'_>, start: &Position, format: PositionFormat) -> GameTexts<'g> {
        GameTexts {
            format,
            result: game.result.as_str(),
            castling: Uci::of(start),
            evaluations: evaluations(game),
            epd: EpdTexts::new(game),
        }
    }

    /// Appends the line of a position, and returns the place of the game's number.
    fn write(
        &self,
        position: &Position,
        ply: Ply,
        played: Option<(&str, Move)>,
        out: &mut String,
    ) -> Option<usize> {
        let evaluation = self.evaluations.get(&ply).copied();
        let number_at = match self.format {
            PositionFormat::Fen => {
                out.push_str(&position.fen());
                None
            }
            PositionFormat::Epd(opcode) => {
                let played = opcode.zip(played.map(|(san, _)| san));
                Some(self.epd.write(position, ply, evaluation, played, out))
            }
            PositionFormat::Json => {
                out.push_str("{\"game\":");
                let number_at = out.len();
                let line = JsonLine {
                    ply: ply.get(),
                    fen: position.fen(),
                    uci: played.map(|(_, mv)| self.castling.text(mv)),
                    san: played.map(|(san, _)| san),
                    result: self.result,
                    eval_cp: evaluation.and_then(Evaluation::centipawns),
                    eval_mate: evaluation.and_then(Evaluation::mate),
                };
                let object = serde_json::to_string(&line).expect("texts and numbers are JSON");
                // The number of the game is the first member, so the brace of the other members is left out.
                out.push(',');
                out.push_str(&object[1..]);
                Some(number_at)
            }
        };

        out.push('\n');

        number_at
    }
}

/// The members of a JSON object behind the number of the game.
#[derive(Serialize)]
struct JsonLine<'g> {
    ply: u32,
    fen: String,
    uci: Option<String>,
    san: Option<&'g str>,
    result: &'g str,
    eval_cp: Option<i32>,
    eval_mate: Option<i32>,
}

/// The evaluations in comments of the mainline. The key is the number of half-moves before the evaluated position.
fn evaluations(game: &Game<'_>) -> BTreeMap<Ply, Evaluation> {
    let mut evaluations = BTreeMap::new();
    for (ply, commands) in game.annotations.mainline_commands() {
        if let Some(evaluation) = commands.evaluation {
            evaluations.entry(ply).or_insert(evaluation);
        }
    }
    evaluations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    fn lines(text: &str, format: PositionFormat, positions: Positions) -> PositionLines {
        let writer = PositionWriter { format, positions };
        writer.lines(&replay(text).game).expect("positions")
    }

    fn written(lines: &PositionLines, distinct: Option<&mut DistinctPositions>) -> String {
        let mut out = Vec::new();
        lines.write(GameId::new(12), distinct, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    macro_rules! quiet {
        ($($name:ident: $text:literal => $plies:expr;)*) => {$(
            #[test]
            fn $name() {
                let positions = Positions::Every { plies: 0..=u64::MAX, quiet: true };
                let lines = written(&lines($text, PositionFormat::Json, positions), None);
                let plies: Vec<u64> = lines
                    .lines()
                    .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
                    .map(|line| line["ply"].as_u64().expect("a number"))
                    .collect();
                assert_eq!(plies, $plies);
            }
        )*};
    }

    quiet! {
        the_last_position_has_no_move: "1. e4 e5 *" => [0, 1];
        a_capture: "1. e4 d5 2. exd5 c6 *" => [0, 1, 3];
        a_reply_to_check: "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. a3 *" => [0, 1, 2, 3, 6];
        a_move_out_of_check: "1. e4 d6 2. Bb5+ c6 3. Ba4 *" => [0, 1, 2, 4];
        a_move_that_gives_check: "1. e4 f6 2. Qh5+ *" => [0, 1, 2];
        en_passant: "1. e4 a6 2. e5 d5 3. exd6 *" => [0, 1, 2, 3];
        castling: "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *" => [0, 1, 2, 3, 4, 5, 6];
        a_promotion: "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q+ Kg7 2. Qb7+ *" => [2];
        a_null_move: "1. -- e5 2. d4 *" => [1, 2];
    }

    #[test]
    fn a_line_of_json() {
        let text = "1. e4 {[%eval 0.3]} e5 {[%eval #-2]} 1-0";
        let lines = lines(text, PositionFormat::Json, Positions::ALL);
        assert_eq!(
            written(&lines, None),
            "{\"game\":12,\"ply\":0,\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\",\
             \"uci\":\"e2e4\",\"san\":\"e4\",\"result\":\"1-0\",\"eval_cp\":null,\"eval_mate\":null}\n\
             {\"game\":12,\"ply\":1,\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\",\
             \"uci\":\"e7e5\",\"san\":\"e5\",\"result\":\"1-0\",\"eval_cp\":30,\"eval_mate\":null}\n\
             {\"game\":12,\"ply\":2,\"fen\":\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\",\
             \"uci\":null,\"san\":null,\"result\":\"1-0\",\"eval_cp\":null,\"eval_mate\":-2}\n"
        );
    }

    #[test]
    fn positions_are_left_out_while_there_is_memory() {
        let every = Positions::ALL;
        let lines = lines("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *", PositionFormat::Fen, every);
        let count_written = |distinct: &mut DistinctPositions| {
            let text = written(&lines, Some(distinct));
            text.lines().count()
        };

        let mut room_for_all = DistinctPositions::new(Memory::default());
        assert_eq!(count_written(&mut room_for_all), 4);
        assert_eq!(room_for_all.repeated(), 2);
        assert_eq!(room_for_all.unchecked(), 0);

        // Two positions are remembered: the others are written each time.
        let keys = KeySet::new(42);
        let mut room_for_two = DistinctPositions {
            keys,
            repeated: 0,
            unchecked: 0,
        };
        assert_eq!(count_written(&mut room_for_two), 4);
        assert_eq!(count_written(&mut room_for_two), 2);
        assert_eq!(room_for_two.repeated(), 6);
        assert_eq!(room_for_two.unchecked(), 4);
    }
}
