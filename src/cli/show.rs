//! `stamma show`: shows a game for reading.

mod evaluations;
mod movetext;
mod position;

use std::collections::BTreeSet;
use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::diagrams::{drawn, drawn_width, has_colors};
use super::output::styled_output;
use super::printable::printable;
use super::terminal::{dash, terminal_width};
use super::{Outcome, args};
use evaluations::write_evaluations;
use movetext::{Paragraph, paragraphs, wrapped};
use position::{ShownPosition, positions};
use stamma::board::{Position, Setup};
use stamma::error::{Error, Result};
use stamma::export::EvaluatedMainline;
use stamma::game::Game;
use stamma::notation::{Diagram, Signs, way_of};
use stamma::report::counted;
use stamma::storage::{Database, GameId, GameReader, Heading};

/// The minimum number of moves for a graph that have an evaluation before and after the move.
const MIN_EVALUATED_MOVES: usize = 2;

pub(super) fn run(arguments: &args::Show) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    let id = GameId::new(arguments.game);
    let stored_game = GameReader::new(&database)?.game(id)?;
    let game = stored_game.ok_or(Error::NoSuchGame(arguments.game))?;
    let heading = database.heading(id)?.unwrap_or_default();

    let shown = positions(&game);
    let plies = requested_plies(arguments, &shown)?;
    let boards: Vec<&ShownPosition> = plies.iter().map(|&ply| &shown[ply]).collect();
    let evaluated = evaluated_mainline(&database, &game)?;

    // Everything is read from the database before the output begins, so that an error leaves no partial output.
    let mut out = styled_output()?;
    write_head(arguments.game, &game, &heading, &mut out).map_err(Error::Output)?;

    let start = shown.first().map(|first| &first.setup);
    write_moves(&game, start, &mut out).map_err(Error::Output)?;

    if let Some(evaluated) = &evaluated {
        write_evaluations(evaluated, &shown, &mut out).map_err(Error::Output)?;
    }
    if let Some(signs) = arguments.boards.signs() {
        let flipped = arguments.flip;
        write_boards(&boards, signs, flipped, &mut out).map_err(Error::Output)?;
    }

    out.flush().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

/// The evaluations of the mainline; `None` if there are too few for a graph.
fn evaluated_mainline(database: &Database, game: &Game<'_>) -> Result<Option<EvaluatedMainline>> {
    let read = |position: &Position| database.evaluation(position);
    let Some(mainline) = EvaluatedMainline::read(game, read)? else {
        return Ok(None);
    };

    // A single evaluation, as at a diagram, makes no graph.
    if mainline.evaluations.evaluated_moves() < MIN_EVALUATED_MOVES {
        return Ok(None);
    }
    Ok(Some(mainline))
}

/// The numbers of half-moves after which a board is requested.
fn requested_plies(arguments: &args::Show, shown: &[ShownPosition]) -> Result<BTreeSet<usize>> {
    let game = arguments.game;
    let is_requested = !arguments.ply.is_empty() || arguments.every.is_some();

    // A game whose movetext is kept as text has no positions.
    let Some(last) = shown.len().checked_sub(1) else {
        if is_requested {
            return Err(Error::NotPlayed(game));
        }
        return Ok(BTreeSet::new());
    };

    let mut plies = BTreeSet::new();
    for &ply in &arguments.ply {
        let index = ply as usize;
        if index > last {
            return Err(Error::NoSuchPly {
                game,
                plies: last as u32,
                ply,
            });
        }
        plies.insert(index);
    }

    if let Some(every) = arguments.every {
        let every = every as usize;
        plies.extend((every..last).step_by(every));
    }
    if plies.is_empty() || arguments.every.is_some() {
        plies.insert(last);
    }
    Ok(plies)
}

/// Writes the players and the result, the event, the opening and the start position.
fn write_head(id: i64, game: &Game<'_>, heading: &Heading, out: &mut impl Write) -> io::Result<()> {
    let white = player(game, "White", "WhiteElo");
    let black = player(game, "Black", "BlackElo");
    writeln!(out, "{white} {} {black}  {}", dash(), game.result.as_str())?;

    let place = joined([
        known_tag(game, "Event"),
        known_tag(game, "Site"),
        known_tag(game, "Date"),
        known_tag(game, "Round").map(|round| format!("round {round}")),
    ]);
    if !place.is_empty() {
        writeln!(out, "{place}")?;
    }

    // The tags take precedence over the opening by the moves.
    let eco = known_tag(game, "ECO").or_else(|| printable_text(heading.opening_eco.as_deref()));
    let opening = known_tag(game, "Opening").or_else(|| printable_text(heading.opening.as_deref()));
    let length = if game.is_played {
        let plies = game.moves.split_ascii_whitespace().count() as u64;
        Some(counted(plies, "half-move", "half-moves"))
    } else {
        None
    };
    let description = joined([
        Some(format!("game {id}")),
        known_tag(game, "Variant"),
        eco,
        opening,
        length,
    ]);
    writeln!(out, "{description}")?;

    if let Some(fen) = &game.start {
        writeln!(out, "from {}", printable(fen))?;
    }
    writeln!(out)
}

/// The name of a player, with the rating in parentheses if it is known.
fn player(game: &Game<'_>, name_tag: &str, elo_tag: &str) -> String {
    let name = known_tag(game, name_tag).unwrap_or_else(|| "?".to_owned());
    match known_tag(game, elo_tag) {
        Some(elo) => format!("{name} ({elo})"),
        None => name,
    }
}

/// The value of a tag; `None` if it is missing or unknown.
fn known_tag(game: &Game<'_>, name: &str) -> Option<String> {
    let value = printable(game.tag(name)?);
    if is_known(&value) {
        Some(value.into_owned())
    } else {
        None
    }
}

/// A text for a terminal, if there is one.
fn printable_text(text: Option<&str>) -> Option<String> {
    text.map(|text| printable(text).into_owned())
}

/// The present parts, separated by commas.
fn joined<const N: usize>(parts: [Option<String>; N]) -> String {
    let present: Vec<String> = parts.into_iter().flatten().collect();
    present.join(", ")
}

/// `true` if the value of a tag is known: it has a character other than in `?`, `-` and `????.??.??`.
fn is_known(value: &str) -> bool {
    value.contains(|letter: char| !matches!(letter, '?' | '-' | '.' | ' '))
}

/// Writes the movetext in paragraphs. Without a start position, the movetext is written as it is stored.
fn write_moves(game: &Game<'_>, start: Option<&Setup>, out: &mut impl Write) -> io::Result<()> {
    let width = terminal_width().min(movetext::MAX_COLUMNS);

    let paragraphs = match start {
        Some(start) => paragraphs(game, start),
        None => {
            writeln!(
                out,
                "This game is kept as text; its variant or its start is not played here.\n"
            )?;
            vec![Paragraph::plain(game.rest.as_deref().unwrap_or_default())]
        }
    };

    for paragraph in paragraphs {
        writeln!(out, "{}", wrapped(&paragraph, width, has_colors()))?;
    }
    Ok(())
}

/// Boards side by side, as many as fit, each below its moves.
fn write_boards(
    shown: &[&ShownPosition],
    signs: Signs,
    flipped: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    /// The number of blanks between two boards.
    const GAP: usize = 4;
    let column_width = drawn_width() + GAP;
    // A row of boards has no gap after its last board.
    let boards_in_row = ((terminal_width() + GAP) / column_width).max(1);

    for row in shown.chunks(boards_in_row) {
        writeln!(out)?;
        let boards: Vec<Vec<String>> = row
            .iter()
            .map(|shown| board_lines(shown, signs, flipped))
            .collect();

        // All boards have as many lines as the first, and a row has a board.
        for line in 0..boards[0].len() {
            let mut text = String::new();
            for lines in &boards {
                text += &padded(&lines[line], column_width);
            }
            writeln!(out, "{}", text.trim_end())?;
        }
    }

    if let [only] = shown {
        writeln!(out, "\n{}", only.setup)?;
    }
    Ok(())
}

/// The lines of a board, below the move that led to the position.
fn board_lines(shown: &ShownPosition, signs: Signs, flipped: bool) -> Vec<String> {
    let moved = shown.last.as_ref().and_then(|(_, mv)| way_of(*mv));
    let diagram = Diagram {
        setup: &shown.setup,
        signs,
        flipped,
        moved,
    };

    let played = shown.last.as_ref().map_or("start", |(text, _)| text);
    let mut lines = vec![format!("  {played}")];
    lines.extend(drawn(&diagram).lines().map(str::to_owned));
    lines
}

/// A line of a board, padded to the width of a column; escape sequences for colours have no width.
fn padded(line: &str, column: usize) -> String {
    let width = anstream::adapter::strip_str(line).to_string().width();
    let padding = " ".repeat(column.saturating_sub(width));
    format!("{line}{padding}")
}
