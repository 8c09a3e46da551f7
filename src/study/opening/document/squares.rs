//! The endings that an opening leads to, and the squares of pieces.

use super::score::{bar, score};
use crate::board::{Color, Role};
use crate::report::{Column, Document, HeatBoard, Table};
use crate::report::{counted, grouped, per_cent};
use crate::study::opening::{OpeningReport, PiecePlacement, Placements};

pub(super) fn endings(report: &OpeningReport, document: &mut Document) {
    let endings = &report.endings;
    if endings.list.is_empty() {
        return;
    }
    document.heading("Endings");
    document.paragraph([format!(
        "{} of {} ({}) end with at most two pieces on each side beside king and pawns.",
        grouped(endings.games),
        counted(endings.known, "game", "games"),
        per_cent(endings.games, endings.known),
    )
    .into()]);
    let mut table = Table::new([
        Column::text("White–Black"),
        Column::number("games"),
        Column::number("share"),
        Column::text("results"),
        Column::number("White's score"),
    ]);
    table.rows.extend(endings.list.iter().map(|ending| {
        let [white, black] = &ending.pieces;
        vec![
            format!("{white}–{black}").into(),
            grouped(ending.counts.all_games()).into(),
            per_cent(ending.counts.all_games(), endings.games).into(),
            bar(&ending.counts),
            score(&ending.counts).into(),
        ]
    }));
    document.table(table);
    document.note("By the last position of each game; pawns are not compared.");
}

pub(super) fn placements(report: &OpeningReport, document: &mut Document) {
    if report.placements.is_empty() {
        return;
    }
    document.heading("Pieces");
    for placements in &report.placements {
        let Placements {
            moves,
            games,
            pieces,
        } = placements;
        document.subheading(format!(
            "After move {moves}, in {}",
            counted(*games, "game", "games")
        ));
        document.heat_boards(pieces.iter().map(|one| heat_board(one, *games)).collect());
    }
    document.note("The share of games, in per cent, in which such a piece is on the square.");
}

fn heat_board(placement: &PiecePlacement, games: u64) -> HeatBoard {
    let share = |part: u64| part as f64 / games as f64;
    let squares = placement.squares.iter();
    HeatBoard {
        piece: placement.piece,
        is_flipped: false,
        shares: squares
            .map(|&(square, part)| (square, share(part)))
            .collect(),
        caption: vec![name(placement.piece.color, placement.piece.role).into()],
    }
}

fn name(color: Color, role: Role) -> String {
    let role = match role {
        Role::King => "king",
        Role::Queen => "queen",
        Role::Rook => "rooks",
        Role::Bishop => "bishops",
        Role::Knight => "knights",
        Role::Pawn => "pawns",
    };
    format!(
        "{}'s {role}",
        if color.is_white() { "White" } else { "Black" }
    )
}
