//! `stamma show`

mod evaluations;
mod movetext;
mod position;

use std::borrow::Cow;
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

/// The fewest moves with evaluations before and behind them that a graph is drawn for.
const MIN_EVALUATED_MOVES: usize = 2;

pub(super) fn run(arguments: &args::Show) -> Result<Outcome> {
    let database = Database::open(&arguments.database)?;
    let game = GameReader::new(&database)?.game(GameId::new(arguments.game))?;
    let game = game.ok_or(Error::NoSuchGame(arguments.game))?;
    let heading = database
        .heading(GameId::new(arguments.game))?
        .unwrap_or_default();
    let shown = positions(&game);
    let wanted = wanted(arguments, &shown)?;
    let read = |position: &Position| database.evaluation(position);
    let evaluated = EvaluatedMainline::read(&game, read)?;
    // A single evaluation, as at a diagram, says nothing of how the game went.
    let evaluated =
        evaluated.filter(|mainline| mainline.evaluations.evaluated_moves() >= MIN_EVALUATED_MOVES);
    let mut out = styled_output()?;
    let mut write = || -> io::Result<()> {
        write_head(arguments.game, &game, &heading, &mut out)?;
        write_moves(&game, shown.first().map(|first| &first.setup), &mut out)?;
        if let Some(evaluated) = &evaluated {
            write_evaluations(evaluated, &shown, &mut out)?;
        }
        if let Some(signs) = arguments.boards.signs() {
            let boards: Vec<&ShownPosition> = wanted.iter().map(|&ply| &shown[ply]).collect();
            write_boards(&boards, signs, arguments.flip, &mut out)?;
        }
        out.flush()
    };
    write().map_err(Error::Output)?;
    Ok(Outcome::Done)
}

/// The half-moves after which a board is requested.
fn wanted(arguments: &args::Show, shown: &[ShownPosition]) -> Result<BTreeSet<usize>> {
    let game = arguments.game;
    let is_asked = !arguments.ply.is_empty() || arguments.every.is_some();
    let Some(last) = shown.len().checked_sub(1) else {
        return if is_asked {
            Err(Error::NotPlayed(game))
        } else {
            Ok(BTreeSet::new())
        };
    };
    let mut wanted: BTreeSet<usize> = arguments.ply.iter().map(|&ply| ply as usize).collect();
    if let Some(&ply) = arguments.ply.iter().find(|&&ply| ply as usize > last) {
        return Err(Error::NoSuchPly {
            game,
            plies: last as u32,
            ply,
        });
    }
    if let Some(every) = arguments.every {
        let every = every as usize;
        wanted.extend((every..last).step_by(every));
    }
    if wanted.is_empty() || arguments.every.is_some() {
        wanted.insert(last);
    }
    Ok(wanted)
}

fn write_head(id: i64, game: &Game<'_>, heading: &Heading, out: &mut impl Write) -> io::Result<()> {
    let known = |name| {
        game.tag(name)
            .map(printable)
            .filter(|value| is_known(value))
            .map(Cow::into_owned)
    };
    let player = |name, elo| {
        let rating = known(elo)
            .map(|elo| format!(" ({elo})"))
            .unwrap_or_default();
        known(name).unwrap_or_else(|| "?".to_owned()) + &rating
    };
    let (white, black) = (player("White", "WhiteElo"), player("Black", "BlackElo"));
    writeln!(out, "{white} {} {black}  {}", dash(), game.result.as_str())?;
    let round = known("Round").map(|round| format!("round {round}"));
    let place = [known("Event"), known("Site"), known("Date"), round];
    let place: Vec<String> = place.into_iter().flatten().collect();
    if !place.is_empty() {
        writeln!(out, "{}", place.join(", "))?;
    }
    let plies = game.moves.split_ascii_whitespace().count() as u64;
    let length = game
        .is_played
        .then(|| counted(plies, "half-move", "half-moves"));
    let number = Some(format!("game {id}"));
    let by_moves = |name: &Option<String>| name.as_deref().map(|name| printable(name).into_owned());
    let eco = known("ECO").or_else(|| by_moves(&heading.opening_eco));
    let opening = known("Opening").or_else(|| by_moves(&heading.opening));
    let what = [number, known("Variant"), eco, opening, length];
    writeln!(
        out,
        "{}",
        what.into_iter()
            .flatten()
            .collect::<Vec<String>>()
            .join(", ")
    )?;
    if let Some(fen) = &game.start {
        writeln!(out, "from {}", printable(fen))?;
    }
    writeln!(out)
}

/// `true` if the value of a tag is known: not `?`, `-` or `????.??.??`.
fn is_known(value: &str) -> bool {
    value.contains(|letter: char| !matches!(letter, '?' | '-' | '.' | ' '))
}

fn write_moves(game: &Game<'_>, start: Option<&Setup>, out: &mut impl Write) -> io::Result<()> {
    let width = terminal_width().min(movetext::MOST_COLUMNS);
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
    const GAP: usize = 4;
    let column = drawn_width() + GAP;
    let beside = ((terminal_width() + GAP) / column).max(1);
    for row in shown.chunks(beside) {
        writeln!(out)?;
        let columns: Vec<Vec<String>> = row
            .iter()
            .map(|shown| board_lines(shown, signs, flipped))
            .collect();
        for line in 0..columns[0].len() {
            let cells = columns.iter().map(|lines| padded(&lines[line], column));
            writeln!(out, "{}", cells.collect::<String>().trim_end())?;
        }
    }
    match shown {
        [only] => writeln!(out, "\n{}", only.setup),
        _ => Ok(()),
    }
}

fn board_lines(shown: &ShownPosition, signs: Signs, flipped: bool) -> Vec<String> {
    let moved = shown.last.as_ref().and_then(|(_, mv)| way_of(*mv));
    let diagram = Diagram {
        setup: &shown.setup,
        signs,
        flipped,
        moved,
    };
    let played = shown.last.as_ref().map_or("start", |(text, _)| text);
    let head = format!("  {played}");
    std::iter::once(head)
        .chain(drawn(&diagram).lines().map(str::to_owned))
        .collect()
}

/// A line of a board, padded to the width of a column; escape sequences for colours have no width.
fn padded(line: &str, column: usize) -> String {
    let width = anstream::adapter::strip_str(line).to_string().width();
    format!("{line}{}", " ".repeat(column.saturating_sub(width)))
}
