//! Replays the mainline of a stored game.

use super::repetition::Repetition;
use super::{PositionKey, Visit};
use crate::board::{FenError, Move, Position};
use crate::game::{Game, Ply, Variant};
use crate::notation::San;

/// The number of half-moves for which room is made: a game of forty moves.
const RESERVED_PLIES: usize = 80;

/// A game's mainline, played up to some move.
///
/// ```
/// use stamma_chess::replay::Mainline;
/// let mut line = Mainline::new(None, "e4 c5").expect("the usual start");
/// while let Some((_, mv)) = line.next().expect("moves of chess") {
///     line.play(mv);
/// }
/// assert_eq!(line.ply().get(), 2);
/// assert_eq!(line.position().fen(), "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
/// ```
#[derive(Clone, Debug)]
pub struct Mainline<'m> {
    position: Position,
    rest: std::str::SplitAsciiWhitespace<'m>,
    ply: Ply,
}

/// A text in a stored mainline that is not a legal move in its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text} cannot be played after {ply} half-moves")]
pub struct IllegalMove<'m> {
    /// The text.
    pub text: &'m str,
    /// The number of half-moves before it.
    pub ply: Ply,
}

impl<'m> Mainline<'m> {
    /// A mainline in SAN without move numbers, from a FEN or the standard start position.
    ///
    /// # Errors
    /// If the FEN is not the FEN of a legal position.
    pub fn new(fen: Option<&str>, moves: &'m str) -> Result<Mainline<'m>, FenError> {
        let position = match fen {
            Some(fen) => Position::from_fen(fen)?,
            None => Position::start(),
        };

        Ok(Mainline::from_position(position, moves))
    }

    /// The mainline of a game; `None` if the game has not been played or has no chess positions, whatever another
    /// program has written into it.
    pub fn of(game: &'m Game<'_>) -> Option<Mainline<'m>> {
        if !game.is_played || game.variant == Variant::Other {
            return None;
        }

        Mainline::new(game.start.as_deref(), &game.moves).ok()
    }

    /// A mainline from a given position.
    pub fn from_position(start: Position, moves: &'m str) -> Mainline<'m> {
        Mainline {
            position: start,
            rest: moves.split_ascii_whitespace(),
            ply: Ply::START,
        }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The number of half-moves played.
    pub fn ply(&self) -> Ply {
        self.ply
    }

    /// The next move and its text; `None` at the end.
    ///
    /// # Errors
    /// If the text is not a legal move here.
    #[inline]
    pub fn next(&self) -> Result<Option<(&'m str, Move)>, IllegalMove<'m>> {
        // The text is taken off the rest when the move is played.
        let Some(text) = self.rest.clone().next() else {
            return Ok(None);
        };

        let resolved = San::parse(text.as_bytes()).and_then(|san| san.resolve(&self.position).ok());
        match resolved {
            Some(resolved) => Ok(Some((text, resolved.mv))),
            None => Err(IllegalMove {
                text,
                ply: self.ply,
            }),
        }
    }

    /// Like [`Mainline::next`], but ends the line at a text that is not a move.
    #[inline]
    pub fn step(&self) -> Option<(&'m str, Move)> {
        self.next().ok().flatten()
    }

    /// Plays the move returned by [`Mainline::next`].
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.rest.next();
        self.position.play(mv);
        self.ply += 1;
    }

    /// Plays up to a position, which may be the current one; returns `false` at the end, or at a text that is not a
    /// move.
    pub fn find(&mut self, wanted: &Position) -> bool {
        let key = wanted.key();

        loop {
            if self.position.key() == key && self.position == *wanted {
                return true;
            }

            match self.step() {
                Some((_, mv)) => self.play(mv),
                None => return false,
            }
        }
    }

    /// Plays to the end, or to a text that is not a move, and returns each position at its first visit, as an import
    /// does.
    pub fn visits(self, variant: Variant) -> Vec<Visit> {
        self.visits_and_moves(variant).0
    }

    /// Plays to the end like [`Mainline::visits`], and returns the positions and all moves.
    pub fn visits_and_moves(mut self, variant: Variant) -> (Vec<Visit>, Vec<Move>) {
        let mut visits = Vec::with_capacity(RESERVED_PLIES);
        let mut moves = Vec::with_capacity(RESERVED_PLIES);
        let mut repetition = Repetition::with_capacity(RESERVED_PLIES);

        loop {
            let key = PositionKey::new(&self.position, variant);
            let earlier = repetition.visit(key, self.position.halfmove_clock());
            let next = self.step();

            if earlier == 0 {
                visits.push(Visit {
                    key,
                    check_key: self.position.check_key(),
                    next: next.map_or(Visit::END, |(_, mv)| mv.code()),
                    ply: Visit::stored_ply(self.ply),
                });
            }

            match next {
                Some((_, mv)) => {
                    moves.push(mv);
                    self.play(mv);
                }
                None => return (visits, moves),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    #[test]
    fn visits_are_those_of_the_first_replay() {
        let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. e4 Nxe4 5. Bb5 c6 6. O-O cxb5 *";
        let first = replay(text);

        let again = Mainline::new(None, &first.game.moves).expect("the usual start");

        assert_eq!(again.visits(Variant::Standard), first.visits);
        assert_eq!(first.visits.len(), 10);
    }

    #[test]
    fn finds_a_position_and_what_comes_next() {
        let mut line = Mainline::new(None, "e4 e5 Nf3").expect("the usual start");
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let wanted = Position::from_fen(fen).expect("a legal position");

        assert!(line.find(&wanted));

        assert_eq!(line.ply(), Ply::new(2));
        let next = line.next().expect("a legal move");
        let next_san = next.map(|(san, _)| san);
        assert_eq!(next_san, Some("Nf3"));
    }

    #[test]
    fn illegal_texts_are_reported() {
        let mut line = Mainline::new(None, "e4 Ke7").expect("the usual start");
        let empty = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a legal position");

        assert!(!line.find(&empty));

        let error = line.next().expect_err("Ke7 is not legal");
        assert_eq!(error.to_string(), "Ke7 cannot be played after 1 half-moves");
    }
}
