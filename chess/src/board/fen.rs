//! FEN to and from a [`Setup`] (PGN §16.1), with X-FEN or Shredder-FEN castling.
//!
//! Reading accepts one to six fields; missing fields default to a fresh game with White to move. `KQkq` means the
//! outermost rook of that side, a file letter the rook on that file; both work in standard chess and Chess960. Writing
//! gives six fields, with `KQkq` wherever the outermost rook castles.
//!
//! A FEN of Three-check has one more field, the checks of each side: the checks left, before the half-move clock
//! (`3+3`), or the checks given, at the end (`+0+0`). The field is skipped, since a [`Setup`] has no place for it.

use std::fmt;

use super::{
    Bitboard, CastlingSide, Color, File, Piece, Position, Rank, Role, Setup, SetupFaults, Square,
};

/// An error in the text of a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text is empty.
    #[error("the FEN is empty")]
    Empty,
    /// The board does not have eight ranks.
    #[error("the board of the FEN has {0} ranks instead of 8")]
    Ranks(usize),
    /// A rank does not have eight squares.
    #[error("rank {rank} of the FEN's board has {squares} squares instead of 8")]
    Squares {
        /// The rank.
        rank: Rank,
        /// The number of squares found.
        squares: usize,
    },
    /// A character of the board is neither a piece nor a digit.
    #[error("`{0}` on the FEN's board is no piece (KQRBNP, kqrbnp) and no number of empty squares")]
    Piece(char),
    /// A character of the board is neither a digit nor one of the given piece letters.
    #[error(
        "`{found}` on the FEN's board is no piece in the letters {letters}, and no number of empty squares"
    )]
    Letter {
        /// The character.
        found: char,
        /// The letters of king, queen, rook, bishop, knight and pawn.
        letters: String,
    },
    /// The second field is neither `w` nor `b`.
    #[error("the FEN's side to move is `{0}`, not `w` or `b`")]
    Turn(String),
    /// The third field contains something other than castling rights.
    #[error("the FEN's castling rights `{0}` are not like `KQkq`, `HAha` or `-`")]
    Castling(String),
    /// The fourth field is neither a square nor a dash.
    #[error("the FEN's en passant square `{0}` is no square of the third or sixth rank and no `-`")]
    EnPassant(String),
    /// The fifth or sixth field is not a number.
    #[error("the FEN's {field} `{text}` is no number")]
    Number {
        /// The name of the field.
        field: &'static str,
        /// The text of the field.
        text: String,
    },
    /// The FEN has more than six fields.
    #[error("the FEN has something after its sixth field: `{0}`")]
    TooLong(String),
    /// The FEN is well-formed, but its position is not legal.
    #[error("no legal position: {0}")]
    Position(#[from] SetupFaults),
}

impl Setup {
    /// Parses a FEN of one to six fields, or seven in Three-check.
    ///
    /// # Errors
    /// The first malformed field.
    pub fn from_fen(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_ascii_whitespace().peekable();
        let mut setup = Setup::EMPTY;

        let board = fields.next().ok_or(FenError::Empty)?;
        setup.pieces = read_board(board)?;

        if let Some(field) = fields.next() {
            setup.turn = match field {
                "w" | "W" => Color::White,
                "b" | "B" => Color::Black,
                _ => return Err(FenError::Turn(field.to_owned())),
            };
        }
        if let Some(field) = fields.next() {
            setup.castling = read_castling(field, &setup)?;
        }
        if let Some(field) = fields.next() {
            setup.en_passant = read_en_passant(field)?;
        }

        fields.next_if(|field| is_checks_left(field));
        if let Some(field) = fields.next() {
            setup.halfmove_clock = read_number("half-move clock", field)?;
        }
        if let Some(field) = fields.next() {
            setup.fullmove_number = read_number("move number", field)?;
        }
        fields.next_if(|field| is_checks_given(field));

        match fields.next() {
            Some(rest) => Err(FenError::TooLong(rest.to_owned())),
            None => Ok(setup),
        }
    }
}

impl Position {
    /// Parses a FEN and sets up its position; impossible castling rights and en passant squares are dropped.
    ///
    /// # Errors
    /// The first malformed field, or all faults of the position.
    ///
    /// ```
    /// use stamma_chess::board::Position;
    /// let start = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
    /// assert_eq!(start.key(), 0x463b96181691fc9c);
    /// # Ok::<(), stamma_chess::board::FenError>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        let setup = Setup::from_fen(text)?;
        Ok(Position::try_from(&setup)?)
    }

    /// The FEN of this position: six fields, X-FEN castling rights, en passant only if legal.
    pub fn fen(&self) -> String {
        self.setup().to_string()
    }
}

/// Parses the first field: the pieces by square.
fn read_board(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(FenError::Ranks(ranks));
    }

    let mut pieces = [None; 64];
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut squares = 0;
        for letter in row.chars() {
            if matches!(letter, '1'..='8') {
                squares += letter as usize - '0' as usize;
                continue;
            }

            let piece = u8::try_from(letter)
                .ok()
                .and_then(Piece::from_fen_letter)
                .ok_or(FenError::Piece(letter))?;
            // Squares beyond the h-file are counted on, for the message.
            if let Some(&file) = File::ALL.get(squares) {
                pieces[Square::at(file, rank).index()] = Some(piece);
            }
            squares += 1;
        }

        if squares != 8 {
            return Err(FenError::Squares { rank, squares });
        }
    }
    Ok(pieces)
}

fn read_castling(text: &str, setup: &Setup) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for letter in text.bytes() {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let home = Bitboard::home_rank(color);
        let candidates = setup.squares_of(color, Role::Rook) & home;
        let king = (setup.squares_of(color, Role::King) & home).first();

        let rook = match letter.to_ascii_lowercase() {
            b'k' => outermost(candidates, king, CastlingSide::King),
            b'q' => outermost(candidates, king, CastlingSide::Queen),
            letter => match File::from_ascii(letter) {
                Some(file) => Some(Square::at(file, Rank::ONE.of_side(color))),
                None => return Err(FenError::Castling(text.to_owned())),
            },
        };
        if let Some(rook) = rook {
            rooks = rooks.with(rook);
        }
    }
    Ok(rooks)
}

/// The outermost rook on one side of the king.
fn outermost(rooks: Bitboard, king: Option<Square>, side: CastlingSide) -> Option<Square> {
    let king = king?;
    let rook = match side {
        CastlingSide::King => rooks.last()?,
        CastlingSide::Queen => rooks.first()?,
    };

    // With all rooks on the other side of the king, there is none on this side.
    (CastlingSide::of_rook(king, rook) == side).then_some(rook)
}

/// Parses the en passant square; `None` for `-`.
fn read_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }

    let square = match text.as_bytes() {
        &[file, rank @ (b'3' | b'6')] => Square::from_ascii(file, rank),
        _ => None,
    };
    match square {
        Some(square) => Ok(Some(square)),
        None => Err(FenError::EnPassant(text.to_owned())),
    }
}

/// Returns `true` for the checks left in Three-check: `3+3`.
fn is_checks_left(field: &str) -> bool {
    match field.as_bytes() {
        [white, b'+', black] => white.is_ascii_digit() && black.is_ascii_digit(),
        _ => false,
    }
}

/// Returns `true` for the checks given in Three-check: `+0+0`.
fn is_checks_given(field: &str) -> bool {
    field.strip_prefix('+').is_some_and(is_checks_left)
}

/// Parses a counter; some programs write `-` for an unknown one.
fn read_number(field: &'static str, text: &str) -> Result<u32, FenError> {
    match text {
        "-" => Ok(0),
        _ => text.parse().map_err(|_| FenError::Number {
            field,
            text: text.to_owned(),
        }),
    }
}

/// Writes the FEN.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = String::with_capacity(80);
        self.write_fields(&mut fields);
        write!(
            f,
            "{fields} {} {}",
            self.halfmove_clock, self.fullmove_number
        )
    }
}

impl Setup {
    /// Appends the first four fields of the FEN, with which an EPD begins, too (PGN §16.2.3).
    pub fn write_fields(&self, fields: &mut String) {
        self.write_board(fields);

        fields.push(' ');
        fields.push(self.turn.letter());

        fields.push(' ');
        self.write_castling(fields);

        fields.push(' ');
        match self.en_passant {
            Some(square) => {
                fields.push(char::from(square.file().letter()));
                fields.push(char::from(square.rank().digit()));
            }
            None => fields.push('-'),
        }
    }

    /// Writes the ranks from the eighth to the first, through a byte buffer, because a FEN is written for every game.
    fn write_board(&self, fields: &mut String) {
        // 64 squares and 7 slashes.
        let mut text = [b'/'; 71];
        let mut length = 0;
        for rank in Rank::ALL.into_iter().rev() {
            // The number of empty squares before this one; their digit is the last byte of the text.
            let mut empty = 0;
            for file in File::ALL {
                let letter = self.pieces[Square::at(file, rank).index()].map(Piece::fen_letter);
                if let Some(letter) = letter {
                    text[length] = letter;
                } else if empty > 0 {
                    length -= 1;
                    text[length] = b'1' + empty;
                } else {
                    text[length] = b'1';
                }
                empty = if letter.is_some() { 0 } else { empty + 1 };
                length += 1;
            }

            if rank > Rank::ONE {
                text[length] = b'/';
                length += 1;
            }
        }
        fields.push_str(str::from_utf8(&text[..length]).unwrap_or_default());
    }

    fn write_castling(&self, fields: &mut String) {
        if self.castling.is_empty() {
            return fields.push('-');
        }
        for color in Color::ALL {
            let home = Bitboard::home_rank(color);
            let rooks = self.squares_of(color, Role::Rook) & home;
            let king = (self.squares_of(color, Role::King) & home).first();

            for rook in (self.castling & home).descending() {
                let side = king.map(|king| CastlingSide::of_rook(king, rook));
                let is_outermost =
                    |&side: &CastlingSide| outermost(rooks, king, side) == Some(rook);
                let letter = match side.filter(is_outermost) {
                    Some(CastlingSide::King) => b'k',
                    Some(CastlingSide::Queen) => b'q',
                    None => rook.file().letter(),
                };

                let cased = if color.is_white() {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                };
                fields.push(char::from(cased));
            }
        }
    }
}
