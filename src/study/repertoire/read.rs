//! Files of a repertoire: PGN with variations, or lists of FENs and EPDs.

use super::game::RepertoireGame;
use super::graph::{Graph, NodeId};
use super::{MAX_POSITIONS, Repertoire, RepertoireError, RepertoireRemark};
use crate::board::{Color, Move, Position};
use crate::game::{Annotation, Lines, Step, Variant};
use crate::notation::{Epd, PieceLetters, Reading, San, System, read};
use crate::pgn::{Span, split};
use crate::query::expand_partial_fen;
use crate::query::leaves_moves;
use crate::replay::{Readings, Replay};

/// The opcodes of EPD whose operands are moves of the repertoire: the best, the supplied and the predicted move.
const MOVE_OPCODES: [&str; 3] = ["bm", "sm", "pm"];

/// Reads a repertoire from one or several files.
///
/// ```
/// use stamma::board::Color;
/// use stamma::study::repertoire::RepertoireReader;
///
/// let mut reader = RepertoireReader::new();
/// reader.read("white.pgn", "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *");
/// let repertoire = reader.finish(None)?;
/// assert_eq!((repertoire.side(), repertoire.positions().len()), (Color::White, 6));
/// # Ok::<(), stamma::study::repertoire::RepertoireError>(())
/// ```
#[derive(Debug)]
pub struct RepertoireReader {
    max_positions: usize,
    /// The number of positions on the lines of lists, repetitions included. A line with a partial FEN may match many
    /// positions.
    listed: usize,
    graph: Graph,
    readings: Readings,
    games: Vec<RepertoireGame>,
    remarks: Vec<RepertoireRemark>,
}

impl Default for RepertoireReader {
    fn default() -> RepertoireReader {
        RepertoireReader::new()
    }
}

impl RepertoireReader {
    /// A reader without positions.
    pub fn new() -> RepertoireReader {
        RepertoireReader {
            max_positions: MAX_POSITIONS,
            listed: 0,
            graph: Graph::default(),
            readings: Readings::default(),
            games: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Sets the limit of positions. Reading stops beyond the limit, and the repertoire is rejected.
    pub fn max_positions(self, max_positions: usize) -> RepertoireReader {
        RepertoireReader {
            max_positions: max_positions.min(MAX_POSITIONS),
            ..self
        }
    }

    /// `true` if there are more positions than the limit.
    fn is_too_large(&self) -> bool {
        let positions = self.graph.nodes.len().max(self.listed);
        positions > self.max_positions
    }

    /// Adds the positions of a file with this name: the positions of all lines of PGN, or of a list with a FEN or an
    /// EPD on each line. Places that cannot be read become [remarks](Repertoire::remarks).
    pub fn read(&mut self, file: &str, text: &str) {
        let without_bom = text.trim_start_matches('\u{feff}');
        if is_list(without_bom) {
            self.read_list(file, without_bom);
        } else {
            self.read_pgn(file, without_bom);
        }
    }

    /// The places in the files so far that could not be read.
    pub fn remarks(&self) -> &[RepertoireRemark] {
        &self.remarks
    }

    /// The repertoire for a side. Without a side, it is for the side that has a single move in nearly all of its
    /// positions.
    ///
    /// # Errors
    /// When there is no position, there are too many positions, or the side is unclear.
    pub fn finish(self, side: Option<Color>) -> Result<Repertoire, RepertoireError> {
        if self.is_too_large() {
            return Err(RepertoireError::TooManyPositions(self.max_positions));
        }

        let RepertoireReader {
            mut graph,
            games,
            remarks,
            ..
        } = self;
        graph.join_listed();
        graph.link_listed();
        Repertoire::new(graph, side, games, remarks)
    }

    /// Adds the positions of a list, one FEN or EPD on a line.
    fn read_list(&mut self, file: &str, text: &str) {
        for (number, line) in (1..).zip(text.lines()) {
            // `finish` returns the error.
            if self.is_too_large() {
                return;
            }

            let trimmed = line.trim();
            if is_remark(trimmed) {
                continue;
            }
            if let Err(message) = self.read_line(trimmed) {
                self.remarks.push(RepertoireRemark {
                    file: file.to_owned(),
                    line: number,
                    message,
                });
            }
        }
    }

    /// Adds the positions of a line of a list, and the positions after its moves. The error is a remark on the line.
    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let epd = Epd::read(line);
        let positions = expand_partial_fen(&epd.fen, None).map_err(|error| error.to_string())?;
        self.listed += positions.len();

        let mut moves: Vec<&str> = Vec::new();
        for operation in &epd.operations {
            if MOVE_OPCODES.contains(&operation.opcode) {
                moves.extend(operation.operands.iter().map(|operand| operand.text()));
            }
        }

        // A move must be legal in at least one of the positions that the line matches.
        let mut are_legal = vec![false; moves.len()];
        for position in positions {
            let node = self.graph.find_or_add(&position);
            self.graph.nodes[node as usize].is_listed = true;

            for (text, is_legal) in moves.iter().zip(&mut are_legal) {
                let Some(mv) = operand_move(text, &position) else {
                    continue;
                };
                *is_legal = true;
                let to = self.graph.play(node, mv);
                self.graph.nodes[to as usize].is_listed = true;
            }
        }

        for (text, is_legal) in moves.iter().zip(are_legal) {
            if !is_legal {
                return Err(format!("{text} is not a legal move in this position"));
            }
        }
        Ok(())
    }

    /// Adds the lines of all games of a PGN file.
    fn read_pgn(&mut self, file: &str, text: &str) {
        let mut lines = LineNumbers {
            text,
            at: 0,
            line: 1,
        };
        for span in split(text.as_bytes()) {
            let Span::Game(range) = span else { continue };
            if self.is_too_large() {
                return;
            }

            let line = lines.line_at(range.start);
            let game = &text[range];
            self.read_game(file, line, game);
            self.games.push(RepertoireGame {
                file: file.to_owned(),
                line,
                text: game.to_owned(),
            });
        }
    }

    /// Adds the lines of a game, and remarks on the places that cannot be read.
    fn read_game(&mut self, file: &str, line: usize, text: &str) {
        let replay = self.readings.replay(text).replay;
        let mut lines = LineNumbers { text, at: 0, line };
        let mut remark = |at: usize, message: String| {
            // A remark on the whole game refers to the first line of the game.
            let line = if at == 0 { line } else { lines.line_at(at) };
            self.remarks.push(RepertoireRemark {
                file: file.to_owned(),
                line,
                message,
            });
        };

        // A problem that leaves the moves as they are, such as a wrong tag, does not matter to a repertoire.
        for problem in &replay.problems {
            if !leaves_moves(problem.kind) {
                remark(problem.at, problem.message.clone());
            }
        }

        let variant = replay.game.variant;
        if variant.plays_apart() {
            let name = match variant {
                Variant::Other => "a variant",
                _ => variant.name().unwrap_or("a variant"),
            };
            let message = format!("this is a game of {name}; a repertoire is of chess");
            remark(0, message);
            return;
        }
        if !replay.game.is_played {
            return;
        }

        let null_moves = add_lines(&mut self.graph, &replay);
        if null_moves > 0 {
            let message = "null moves in this game end their lines of the repertoire";
            remark(0, message.to_owned());
        }
    }
}

/// Adds the positions of a game's mainline and variations; returns the number of null moves, which end their lines.
fn add_lines(graph: &mut Graph, replay: &Replay<'_>) -> usize {
    let start = replay.start.clone().unwrap_or_default();
    let root = graph.find_or_add(&start);

    // The node of a line is `None` behind a null move or a text that is no legal move. A null move is not a choice of a
    // player, so the moves behind it are not part of the repertoire.
    let mut lines: Lines<Option<NodeId>> = Lines::new(Some(root));
    let mut null_moves = 0;
    for (_, step) in replay.game.steps() {
        match step {
            Step::Mainline(san) | Step::Annotation(Annotation::Move(san)) => {
                let here = *lines.here();
                let mv = here.and_then(|node| resolve(san, &graph.nodes[node as usize].position));
                let next = match (here, mv) {
                    (Some(node), Some(mv)) if mv != Move::NULL => Some(graph.play(node, mv)),
                    _ => None,
                };
                null_moves += usize::from(mv == Some(Move::NULL));
                lines.play(|line| *line = next);
            }
            Step::Annotation(Annotation::BeginVariation) => lines.begin_variation(),
            Step::Annotation(Annotation::EndVariation) => _ = lines.end_variation(),
            Step::Annotation(_) => {}
        }
    }
    null_moves
}

/// The legal move that a SAN denotes; `None` for any other text.
fn resolve(san: &str, position: &Position) -> Option<Move> {
    let resolved = San::parse(san.as_bytes())?.resolve(position).ok()?;
    Some(resolved.mv)
}

/// The legal move of an EPD operand, in SAN or in the coordinate notation of engines.
fn operand_move(text: &str, position: &Position) -> Option<Move> {
    let reading = Reading {
        letters: PieceLetters::english(),
        system: System::Algebraic,
    };
    let mv = read(text, reading, position).ok()?.mv();
    if mv == Move::NULL {
        return None;
    }
    Some(mv)
}

/// The minimum number of slashes in the first word of a list. A FEN has seven, while the first word of PGN hardly has
/// three.
const MIN_BOARD_SLASHES: usize = 3;

/// `true` for a list of positions: its first line that is no remark begins with ranks of a board.
fn is_list(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let Some(first) = lines.find(|line| !is_remark(line)) else {
        return false;
    };
    let board = first.split_whitespace().next().unwrap_or_default();
    board.matches('/').count() >= MIN_BOARD_SLASHES
}

/// `true` for an empty line, or a line that is a comment.
fn is_remark(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

/// Finds the line numbers of offsets. Offsets must not decrease, so the text is read only once for all remarks.
struct LineNumbers<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl LineNumbers<'_> {
    /// The number of the line at an offset.
    fn line_at(&mut self, offset: usize) -> usize {
        let end = offset.clamp(self.at, self.text.len());
        let passed = &self.text.as_bytes()[self.at..end];
        let newlines = passed.iter().filter(|&&byte| byte == b'\n').count();

        self.at = end;
        self.line += newlines;
        self.line
    }
}
