//! The games as PGN, with a comment at the place where a game leaves the repertoire.

use std::io::Write;

use super::answer::{Answer, RowCounts};
use crate::cli::damaged;
use stamma::error::{Error, Result};
use stamma::export::{add_comment, write_pgn};
use stamma::notation::Style;
use stamma::storage::GameReader;
use stamma::study::repertoire::{DepartureKind, Repertoire, RepertoireHit};

/// Writes the games within the limit.
pub(super) fn write(answer: &Answer<'_>, out: &mut impl Write) -> Result<RowCounts> {
    let Answer {
        database,
        repertoire,
        ..
    } = *answer;
    let games = answer.games();
    let listed = games.iter().take(answer.arguments.limit());

    let mut reader = GameReader::new(database)?;
    let style = Style::pgn();
    let mut text = Vec::new();
    let mut written = 0;
    for hit in listed {
        let Some(mut game) = reader.game(hit.game)? else {
            continue;
        };
        if let Some((ply, next)) = hit.place(database, repertoire)? {
            // If the game continues, the comment follows the move that leaves the repertoire.
            let comment_ply = ply + u32::from(next.is_some());
            add_comment(&mut game, comment_ply, &comment(repertoire, hit));
        }

        text.clear();
        write_pgn(&game, &style, &mut text).map_err(damaged(database, hit.game.get()))?;
        out.write_all(&text).map_err(Error::Output)?;
        written += 1;
    }
    Ok(RowCounts {
        written,
        all: games.len(),
    })
}

/// The comment at the place where a game leaves the repertoire.
fn comment(repertoire: &Repertoire, hit: &RepertoireHit) -> String {
    match hit.kind {
        DepartureKind::Opponent => "leaves the repertoire: no answer to this move".to_owned(),
        DepartureKind::Own => {
            let moves = repertoire_moves(repertoire, hit.position);
            format!("leaves the repertoire, which has {moves}")
        }
        DepartureKind::EndOfLine => "the line of the repertoire has ended".to_owned(),
        DepartureKind::EndOfGame => "the game ends in the repertoire".to_owned(),
        DepartureKind::Return => "goes back in the repertoire".to_owned(),
    }
}

/// The moves of the repertoire in a position, like `3. Bb5 or Bc4`.
fn repertoire_moves(repertoire: &Repertoire, position: usize) -> String {
    let mut sans = Vec::new();
    for mv in &repertoire.positions()[position].moves {
        sans.push(mv.san.as_str());
    }

    let number = repertoire.move_number(position);
    format!("{number} {}", sans.join(" or "))
}
