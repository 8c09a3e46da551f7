//! How a legal move is written, in each notation and with any letters.
//!
//! What is written is read back as the same move in the same position; PGN in English is written faster
//! by [`write_san`](super::write_san).

mod algebraic;
mod descriptive;
mod known;

pub(crate) use known::write_with_letters;

use super::language::PieceLetters;
use super::read::{Reading, System};
use super::uci::Uci;
use crate::board::{Move, MoveKind, Position, Role, Square};

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `Nf3`, `exd6`, `e8=Q+`, `O-O`: PGN §8.2.3.
    San,
    /// `Nf3`, `exd6 e.p.`, `e8Q+`, `0-0`: the FIDE Laws, appendix C. With `e.p.` it has a space in it.
    Fide,
    /// `Ng1-f3`, `e5xd6`, `e7-e8=Q+`, `O-O`.
    Lan,
    /// `Ng1xBf3`, `e5xd6ep`, `e7-e8=Q+`, `++` for double check and `mat` for mate, `0-0`.
    Full,
    /// `g1-f3`, `e5xd6`, `e7-e8=Q+`, `0-0`.
    Coordinate,
    /// `g1f3`, `e7e8q`, `e1g1`: as chess programs write.
    Uci,
    /// `7163`, `57581`, `5171`: as players by correspondence write.
    Iccf,
    /// `N-KB3`, `PxPep`, `P-K8=Q`, or `C3AR` and `P8R=D` where the language has the number first.
    Descriptive,
}

impl Notation {
    /// All of them.
    pub const ALL: [Notation; 8] = [
        Notation::San,
        Notation::Fide,
        Notation::Lan,
        Notation::Full,
        Notation::Coordinate,
        Notation::Uci,
        Notation::Iccf,
        Notation::Descriptive,
    ];

    /// The name by which it is chosen: `san`, `fide`, `lan`, and so on.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::San => "san",
            Notation::Fide => "fide",
            Notation::Lan => "lan",
            Notation::Full => "full",
            Notation::Coordinate => "coordinate",
            Notation::Uci => "uci",
            Notation::Iccf => "iccf",
            Notation::Descriptive => "descriptive",
        }
    }

    /// The notation with a name.
    pub fn from_name(name: &str) -> Option<Notation> {
        Notation::ALL.into_iter().find(|notation| notation.name() == name)
    }

    /// The system in which it is read again.
    pub const fn system(self) -> System {
        match self {
            Notation::Iccf => System::Numeric,
            Notation::Descriptive => System::Descriptive,
            _ => System::Algebraic,
        }
    }
}

/// How moves are to be written.
#[derive(Clone, Copy, Debug)]
pub struct Style<'l> {
    /// What squares and captures are written with.
    pub notation: Notation,
    /// What the pieces are written with; `uci` and `iccf` have no letters, or those of the standard.
    pub letters: &'l PieceLetters,
    /// Whether `uci` and `iccf` write castling as king takes rook even where king and rook stand as in
    /// standard chess.
    pub chess960: bool,
}

impl Style<'static> {
    /// PGN in English, as games are stored.
    pub fn pgn() -> Style<'static> {
        Style { notation: Notation::San, letters: PieceLetters::english(), chess960: false }
    }
}

impl<'l> Style<'l> {
    /// How to read what this writes. `uci` has the English letters of its standard.
    pub fn reading(&self) -> Reading<'l> {
        let letters = match self.notation {
            Notation::Uci => PieceLetters::english(),
            _ => self.letters,
        };
        Reading { letters, system: self.notation.system() }
    }

    /// The text of a legal move; `position` is before the move.
    ///
    /// ```
    /// use stamma::board::Position;
    /// use stamma::notation::{Notation, PieceLetters, San, Style};
    /// let position = Position::from_fen("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1")?;
    /// let mv = San::parse(b"bxa8=Q").unwrap().resolve(&position).unwrap().mv;
    /// let letters = PieceLetters::of_language("fr").unwrap();
    /// let text = |notation| Style { notation, letters, chess960: false }.text(&position, mv);
    /// assert_eq!(text(Notation::San), "bxa8=D+");
    /// assert_eq!(text(Notation::Fide), "bxa8D+");
    /// assert_eq!(text(Notation::Full), "b7xTa8=D+");
    /// assert_eq!(text(Notation::Descriptive), "PxT=D+");
    /// assert_eq!(text(Notation::Uci), "b7a8q");
    /// assert_eq!(text(Notation::Iccf), "27181");
    /// # Ok::<(), stamma::board::FenError>(())
    /// ```
    pub fn text(&self, position: &Position, mv: Move) -> String {
        let mut text = String::with_capacity(12);
        self.write(position, mv, &mut text);
        text
    }

    /// Appends the text of a legal move; `position` is before the move.
    pub fn write(&self, position: &Position, mv: Move, out: &mut String) {
        match self.notation {
            Notation::Uci => self.write_uci(mv, out),
            Notation::Iccf => self.write_iccf(mv, out),
            _ if mv.kind == MoveKind::Null => out.push_str("--"),
            Notation::Descriptive => descriptive::write(position, mv, self.letters, out),
            notation => algebraic::write(notation, position, mv, self.letters, out),
        }
    }

    fn write_uci(&self, mv: Move, out: &mut String) {
        Uci::new(self.chess960).write(mv, out);
    }

    /// The squares of `uci` as digits.
    fn write_iccf(&self, mv: Move, out: &mut String) {
        if mv.kind == MoveKind::Null {
            return out.push_str("--");
        }
        for square in [mv.from, Uci::new(self.chess960).target(mv)] {
            out.push((b'1' + square.file()) as char);
            out.push(square.rank_digit() as char);
        }
        out.push_str(match mv.promotion {
            Some(Role::Queen) => "1",
            Some(Role::Rook) => "2",
            Some(Role::Bishop) => "3",
            Some(Role::Knight) => "4",
            _ => "",
        });
    }
}

/// What a move does to the other king.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Threat {
    None,
    Check,
    DoubleCheck,
    Mate,
}

fn threat(position: &Position, mv: Move) -> Threat {
    let mut after = position.clone();
    after.play(mv);
    match (after.is_check(), after.checkers().more_than_one()) {
        (false, _) => Threat::None,
        (true, _) if !after.has_legal_move() => Threat::Mate,
        (true, true) => Threat::DoubleCheck,
        (true, false) => Threat::Check,
    }
}

fn push_square(square: Square, out: &mut String) {
    out.push(square.file_letter() as char);
    out.push(square.rank_digit() as char);
}
