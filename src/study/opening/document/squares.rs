//! The endings that an opening leads to, and the squares of pieces.

use super::score::{bar, score};
use crate::board::{Color, Role, Square};
use crate::report::{Column, Document, HeatBoard, Table};
use crate::report::{counted, grouped, per_cent};
use crate::study::opening::{OpeningReport, PiecePlacement, Placements};

pub(super) fn add_endings(report: &OpeningReport, document: &mut Document) {
    let endings = &report.endings;
    if endings.list.is_empty() {
        return;
    }

    document.heading("Endings");
    let text = format!(
        "{} of {} ({}) end with at most two pieces on each side beside king and pawns.",
        grouped(endings.games),
        counted(endings.known, "game", "games"),
        per_cent(endings.games, endings.known),
    );
    document.paragraph([text.into()]);

    let mut table = Table::new([
        Column::text("White–Black"),
        Column::number("games"),
        Column::number("share"),
        Column::text("results"),
        Column::number("White's score"),
    ]);
    for ending in &endings.list {
        let [white, black] = &ending.pieces;
        let counts = &ending.counts;
        table.rows.push(vec![
            format!("{white}–{black}").into(),
            grouped(counts.all_games()).into(),
            per_cent(counts.all_games(), endings.games).into(),
            bar(counts),
            score(counts).into(),
        ]);
    }
    document.table(table);
    document.note("By the last position of each game; pawns are not compared.");
}

pub(super) fn add_placements(report: &OpeningReport, document: &mut Document) {
    if report.placements.is_empty() {
        return;
    }

    document.heading("Pieces");
    for Placements {
        moves,
        games,
        pieces,
    } in &report.placements
    {
        let of_games = counted(*games, "game", "games");
        document.subheading(format!("After move {moves}, in {of_games}"));

        let boards = pieces.iter().map(|placement| heat_board(placement, *games));
        document.heat_boards(boards.collect());
    }
    document.note("The share of games, in per cent, in which such a piece is on the square.");
}

fn heat_board(placement: &PiecePlacement, games: u64) -> HeatBoard {
    let piece = placement.piece;
    let share = |&(square, part): &(Square, u64)| (square, part as f64 / games as f64);

    HeatBoard {
        piece,
        is_flipped: false,
        shares: placement.squares.iter().map(share).collect(),
        caption: vec![piece_name(piece.color, piece.role).into()],
    }
}

fn piece_name(color: Color, role: Role) -> String {
    let pieces = match role {
        Role::King => "king",
        Role::Queen => "queen",
        Role::Rook => "rooks",
        Role::Bishop => "bishops",
        Role::Knight => "knights",
        Role::Pawn => "pawns",
    };
    let side = color.name();
    format!("{side}'s {pieces}")
}
