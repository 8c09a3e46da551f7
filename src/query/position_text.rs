//! Positions as people write them: as FEN, or as the moves that lead to the position.

use super::after::{Reached, follow};
use super::expand_partial_fen;
use crate::board::{FenError, Position};
use crate::error::Error;
use crate::notation::PieceLetters;
use crate::replay::{Problem, Readings};

/// The error for a text that is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadPositionError {
    /// A FEN with a fault.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// Moves, one of which cannot be followed.
    #[error("{}", .0.message)]
    Moves(Problem),
    /// Something else, such as a name.
    #[error("`{0}` is neither a FEN nor moves")]
    Neither(String),
}

impl From<ReadPositionError> for Error {
    fn from(error: ReadPositionError) -> Error {
        match error {
            ReadPositionError::Fen(fault) => Error::Fen(fault),
            ReadPositionError::Moves(problem) => Error::Moves(problem.message),
            // Only a look-up in a database shows whether the text is a name, so `meant` is unknown here.
            ReadPositionError::Neither(text) => Error::NotAPosition { text, meant: None },
        }
    }
}

/// Parses a text into positions: the positions that a FEN matches, as by [`expand_partial_fen`], or the position after
/// moves from the start. Without given letters, the letters are detected.
///
/// # Errors
/// When a FEN has a fault, a move cannot be followed, or the text is neither.
///
/// ```
/// use stamma::query::read_positions;
/// let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
/// assert_eq!(read_positions("1. e4 c5", None), read_positions(fen, None));
/// assert!(read_positions("fischer", None).is_err());
/// ```
pub fn read_positions(
    text: &str,
    letters: Option<(&str, &PieceLetters)>,
) -> Result<Vec<Position>, ReadPositionError> {
    if is_like_fen(text) {
        let letters_of_fen = letters.map(|(_, letters)| letters);
        let positions = expand_partial_fen(text, letters_of_fen)?;
        return Ok(positions);
    }

    let readings = Readings::new(letters, None);
    let reached = moves_in_place_of_fen(text, &readings)?;
    let position = reached.map(|reached| reached.position);
    Ok(position.into_iter().collect())
}

/// The position after moves given in place of a FEN; `None` for a text in the form of a FEN, valid or not.
///
/// # Errors
/// When a move cannot be followed, or the text has none.
pub fn moves_in_place_of_fen(
    text: &str,
    readings: &Readings,
) -> Result<Option<Reached>, ReadPositionError> {
    if is_like_fen(text) {
        return Ok(None);
    }

    let (reached, plies) = follow(None, text, readings);
    let has_moves = plies > 0;
    match reached {
        Ok(reached) if has_moves => Ok(Some(reached)),
        // A name is not reported as an illegal move.
        Err(problem) if has_moves || is_like_move(text) => Err(ReadPositionError::Moves(problem)),
        _ => Err(ReadPositionError::Neither(text.trim().to_owned())),
    }
}

/// `true` if a text begins with ranks of a board, or is empty.
fn is_like_fen(text: &str) -> bool {
    let Some(board) = text.split_whitespace().next() else {
        return true;
    };

    // A draw has slashes, too.
    let is_draw = matches!(board, "1/2-1/2" | "1/2");
    board.contains('/') && !is_draw
}

/// `true` if a text begins with a number and a dot, with castling, or with a word that contains a square.
fn is_like_move(text: &str) -> bool {
    let trimmed = text.trim_start();
    let behind_number = trimmed.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let has_number = behind_number != trimmed;
    let is_numbered = has_number && behind_number.starts_with('.');

    // A date such as 1972.07.23 is numbered, too, but has a digit behind the dot. Moves that begin with a digit, as in
    // ICCF notation, are not recognized here.
    let move_text = behind_number.trim_start_matches(['.', ' ']);
    let word = move_text.split_whitespace().next().unwrap_or_default();
    if !word.starts_with(char::is_alphabetic) {
        return false;
    }

    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let has_square = word.as_bytes().windows(2).any(is_square);
    let is_castling = word.starts_with("O-O");
    is_numbered || has_square || is_castling
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! reads {
        ($($name:ident: $text:expr => $fen:expr;)*) => {$(
            #[test]
            fn $name() {
                let positions = read_positions($text, None).expect($text);
                let fens: Vec<String> = positions.iter().map(Position::fen).collect();
                assert_eq!(fens, [$fen]);
            }
        )*};
    }

    const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

    reads! {
        a_fen: SICILIAN => SICILIAN;
        moves: "1. e4 c5" => SICILIAN;
        moves_without_numbers: "e4 c5" => SICILIAN;
        moves_of_engines: "e2e4 c7c5" => SICILIAN;
        descriptive_moves: "1. P-K4 P-QB4" => SICILIAN;
        a_german_move: "Sf3" => "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
    }

    #[test]
    fn letters_are_those_that_are_given() {
        let french = PieceLetters::of_language("fr").expect("a language");
        let read = |text: &str| read_positions(text, Some(("fr", french)));

        assert!(read("Cf3").is_ok());
        assert!(read("Sf3").is_err());
    }

    macro_rules! refuses {
        ($($name:ident: $text:expr => $sentence:expr;)*) => {$(
            #[test]
            fn $name() {
                let error = read_positions($text, None).expect_err($text).to_string();
                assert!(error.starts_with($sentence), "{error}");
            }
        )*};
    }

    refuses! {
        nothing: "" => "the FEN is empty";
        too_few_ranks: "8/8 w" => "the board of the FEN has 2 ranks";
        an_illegal_move: "1. e4 e5 2. Nf4" => "2. Nf4: ";
        an_illegal_first_move: "Nf4" => "1. Nf4: ";
        a_word_among_moves: "e4 fischer" => "1... fischer: ";
        a_name: "fischer" => "`fischer` is neither a FEN nor moves";
        a_name_like_a_rook: "Tal" => "`Tal` is neither";
        several_words: "bobby fischer" => "`bobby fischer` is neither";
        a_year: "1972" => "`1972` is neither";
        a_day: "1972.07.23" => "`1972.07.23` is neither";
        a_code: "B90" => "`B90` is neither";
        a_result: "1-0" => "`1-0` is neither";
        a_draw: "1/2-1/2" => "`1/2-1/2` is neither";
        the_end_of_a_game: "resigns" => "`resigns` is neither";
    }
}
