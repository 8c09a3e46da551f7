//! The evaluations of a game: a graph, the accuracy of each side, and the bad moves.

use std::io::{self, Write};

use super::position::ShownPosition;
use crate::cli::printable::printable;
use crate::cli::terminal::has_plain_letters;
use stamma::board::Color;
use stamma::export::EvaluatedMainline;
use stamma::game::{Judgement, Ply, win_percent};
use stamma::report::{counted, sparkline};

/// The maximum width of the graph, in columns.
const MAX_GRAPH_COLUMNS: usize = 60;

/// The maximum number of half-moves of a better line.
const MAX_BETTER_PLIES: usize = 6;

/// Writes the graph, the accuracy of each side, and a line for each bad move.
pub(super) fn write_evaluations(
    mainline: &EvaluatedMainline,
    shown: &[ShownPosition],
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "\nWhite's chances  {}", graph(mainline))?;
    write_accuracy(mainline, out)?;
    for (ply, _, judgement) in mainline.evaluations.judgements() {
        if let Some(line) = bad_move(mainline, shown, ply, judgement) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// White's chances to win after each half-move.
fn graph(mainline: &EvaluatedMainline) -> String {
    let mut chances = Vec::new();
    for ply in 1..=mainline.plies() {
        // A position without an evaluation leaves a gap in the graph.
        let evaluation = mainline.evaluations.get(Ply::new(ply));
        chances.push(evaluation.map(win_percent));
    }
    sparkline(&chances, MAX_GRAPH_COLUMNS, has_plain_letters())
}

/// Writes a line for each side: the accuracy, if all moves are evaluated, and the numbers of bad moves.
fn write_accuracy(mainline: &EvaluatedMainline, out: &mut impl Write) -> io::Result<()> {
    let both_accuracies = mainline.evaluations.accuracy(mainline.plies());

    for (side, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let accuracy = match both_accuracies {
            Some(both) => {
                let of_side = both[usize::from(side == Color::Black)];
                format!(
                    "accuracy {:.0} %, {:.0} centipawns lost a move, ",
                    of_side.percent, of_side.centipawn_loss
                )
            }
            None => String::new(),
        };

        let bad_moves = Judgement::ALL.map(|judgement| counted_moves(mainline, side, judgement));
        writeln!(out, "{name}  {accuracy}{}", bad_moves.join(", "))?;
    }
    Ok(())
}

/// The number of a side's moves with a judgement, in words.
fn counted_moves(mainline: &EvaluatedMainline, side: Color, judgement: Judgement) -> String {
    let mut moves = 0;
    for (_, mover, judged) in mainline.evaluations.judgements() {
        if mover == side && judged == judgement {
            moves += 1;
        }
    }

    let plural = match judgement {
        Judgement::Inaccuracy => "inaccuracies",
        Judgement::Mistake => "mistakes",
        Judgement::Blunder => "blunders",
    };
    counted(moves, judgement.name(), plural)
}

/// A line about a bad move: the evaluations before and after the move, and the better line.
fn bad_move(
    mainline: &EvaluatedMainline,
    shown: &[ShownPosition],
    ply: Ply,
    judgement: Judgement,
) -> Option<String> {
    let position = shown.get(ply.get() as usize)?;
    let (played, _) = position.last.as_ref()?;
    let before = mainline.evaluations.get(ply.before())?.signed();
    let after = mainline.evaluations.get(ply)?.signed();

    let san = printable(played);
    let glyph = judgement.glyph();
    let mut line = format!("  {san}{glyph}  {before} to {after}");

    let better = mainline.better_line(ply);
    if !better.is_empty() {
        let end = better.len().min(MAX_BETTER_PLIES);
        let moves = better[..end].join(" ");
        line += &format!("; better {moves}");
    }
    Some(line)
}
