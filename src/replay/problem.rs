//! What can be wrong with the data, as codes that stay the same from version to version.

use std::fmt;

/// A kind of fault in a source. Its [code](ProblemKind::code) stands in the column `problem.kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProblemKind {
    /// A move text that no legal move meets; the game is kept up to it.
    IllegalMove,
    /// A move text that several legal moves meet; the game is kept up to it.
    AmbiguousMove,
    /// A text among the moves that is no move: kept as a comment, or in the place of a move, where the line ends.
    UnknownToken,
    /// A line of the tag section, or a part of one, that is no tag pair, which is kept as text; a tag pair without `]`.
    InvalidTag,
    /// A tag whose name another has had before it; both are kept.
    RepeatedTag,
    /// A date that is none.
    InvalidDate,
    /// An Elo that is no number.
    InvalidElo,
    /// A `Result` tag that is no result in any form.
    InvalidResult,
    /// A `FEN` tag without `SetUp "1"`; the game starts from it all the same.
    MissingSetUp,
    /// A `FEN` tag that is no FEN or no legal position; the moves are kept as text.
    InvalidFen,
    /// A game of a variant with other moves than chess; its moves are kept as text.
    UnsupportedVariant,
    /// A comment without its `}`.
    UnclosedComment,
    /// A variation without its `)`.
    UnclosedVariation,
    /// A variation inside more than a thousand others; it is kept as text.
    DeepVariation,
    /// A `)` without its `(`.
    StrayParenthesis,
    /// A `}` without its `{`.
    StrayBrace,
    /// A `$` without a number from 0 to 255.
    InvalidNag,
    /// A NAG with a backslash before it, which is read without.
    EscapedNag,
    /// A game without a terminator at its end.
    MissingTerminator,
    /// The terminator says something else than the `Result` tag.
    ResultMismatch,
    /// Mate, stalemate, or too little to mate with stands on the board, and the result is another.
    ResultContradictsBoard,
    /// The moves are legal in several languages, and are not the same in all of them.
    AmbiguousLanguage,
    /// A move with letters of another language than the moves before it.
    MixedLanguage,
    /// A check, mate or capture is said that is none.
    FalseMark,
    /// A move that was understood, though it is misspelt or says too little.
    ImpreciseMove,
    /// A game without any move.
    NoMoves,
    /// A game that breaks off in the last line of its source.
    TruncatedGame,
    /// Bytes that stand for no character in the encoding of the game, said once for each game.
    UndecodableByte,
    /// A game of which the encoding was taken by the look of its words, said once for each game.
    DoubtfulEncoding,
    /// Text after the terminator; it is kept as text.
    TextAfterEnd,
    /// Text that belongs to no game and is no `%` line; it is kept in its place.
    TextBetweenGames,
    /// A game, or a text between games, of more bytes than are read; it is left out.
    TooLarge,
}

impl ProblemKind {
    /// All kinds.
    pub const ALL: [ProblemKind; 32] = [
        ProblemKind::IllegalMove,
        ProblemKind::AmbiguousMove,
        ProblemKind::UnknownToken,
        ProblemKind::InvalidTag,
        ProblemKind::RepeatedTag,
        ProblemKind::InvalidDate,
        ProblemKind::InvalidElo,
        ProblemKind::InvalidResult,
        ProblemKind::MissingSetUp,
        ProblemKind::InvalidFen,
        ProblemKind::UnsupportedVariant,
        ProblemKind::UnclosedComment,
        ProblemKind::UnclosedVariation,
        ProblemKind::DeepVariation,
        ProblemKind::StrayParenthesis,
        ProblemKind::StrayBrace,
        ProblemKind::InvalidNag,
        ProblemKind::EscapedNag,
        ProblemKind::MissingTerminator,
        ProblemKind::ResultMismatch,
        ProblemKind::ResultContradictsBoard,
        ProblemKind::AmbiguousLanguage,
        ProblemKind::MixedLanguage,
        ProblemKind::FalseMark,
        ProblemKind::ImpreciseMove,
        ProblemKind::NoMoves,
        ProblemKind::TruncatedGame,
        ProblemKind::UndecodableByte,
        ProblemKind::DoubtfulEncoding,
        ProblemKind::TextAfterEnd,
        ProblemKind::TextBetweenGames,
        ProblemKind::TooLarge,
    ];

    /// `true` when a move text could not be followed; in a replay as English SAN, a line ends there.
    pub const fn loses_line(self) -> bool {
        matches!(
            self,
            ProblemKind::IllegalMove | ProblemKind::AmbiguousMove | ProblemKind::UnknownToken
        )
    }

    /// What becomes of the text.
    pub const fn effect(self) -> Effect {
        match self {
            ProblemKind::IllegalMove
            | ProblemKind::AmbiguousMove
            | ProblemKind::UnknownToken
            | ProblemKind::InvalidTag
            | ProblemKind::InvalidFen
            | ProblemKind::UnsupportedVariant
            | ProblemKind::UnclosedComment
            | ProblemKind::UnclosedVariation
            | ProblemKind::DeepVariation
            | ProblemKind::StrayParenthesis
            | ProblemKind::StrayBrace
            | ProblemKind::InvalidNag
            | ProblemKind::AmbiguousLanguage
            | ProblemKind::TruncatedGame
            | ProblemKind::UndecodableByte
            | ProblemKind::DoubtfulEncoding
            | ProblemKind::TooLarge
            | ProblemKind::TextAfterEnd
            | ProblemKind::TextBetweenGames => Effect::Unread,
            ProblemKind::RepeatedTag
            | ProblemKind::InvalidDate
            | ProblemKind::InvalidElo
            | ProblemKind::InvalidResult
            | ProblemKind::ResultMismatch
            | ProblemKind::ResultContradictsBoard
            | ProblemKind::NoMoves => Effect::Kept,
            ProblemKind::MissingSetUp
            | ProblemKind::EscapedNag
            | ProblemKind::MissingTerminator
            | ProblemKind::MixedLanguage
            | ProblemKind::FalseMark
            | ProblemKind::ImpreciseMove => Effect::Repaired,
        }
    }

    /// The stable code, in lower-case words with hyphens.
    pub const fn code(self) -> &'static str {
        match self {
            ProblemKind::IllegalMove => "illegal-move",
            ProblemKind::AmbiguousMove => "ambiguous-move",
            ProblemKind::UnknownToken => "unknown-token",
            ProblemKind::InvalidTag => "invalid-tag",
            ProblemKind::RepeatedTag => "repeated-tag",
            ProblemKind::InvalidDate => "invalid-date",
            ProblemKind::InvalidElo => "invalid-elo",
            ProblemKind::InvalidResult => "invalid-result",
            ProblemKind::MissingSetUp => "fen-without-setup",
            ProblemKind::InvalidFen => "invalid-fen",
            ProblemKind::UnsupportedVariant => "unsupported-variant",
            ProblemKind::UnclosedComment => "unclosed-comment",
            ProblemKind::UnclosedVariation => "unclosed-variation",
            ProblemKind::DeepVariation => "deep-variation",
            ProblemKind::StrayParenthesis => "stray-parenthesis",
            ProblemKind::StrayBrace => "stray-brace",
            ProblemKind::InvalidNag => "invalid-nag",
            ProblemKind::EscapedNag => "escaped-nag",
            ProblemKind::MissingTerminator => "missing-terminator",
            ProblemKind::ResultMismatch => "result-mismatch",
            ProblemKind::ResultContradictsBoard => "result-contradicts-board",
            ProblemKind::AmbiguousLanguage => "ambiguous-language",
            ProblemKind::MixedLanguage => "mixed-language",
            ProblemKind::FalseMark => "false-mark",
            ProblemKind::ImpreciseMove => "imprecise-move",
            ProblemKind::NoMoves => "no-moves",
            ProblemKind::TruncatedGame => "truncated-game",
            ProblemKind::UndecodableByte => "undecodable-byte",
            ProblemKind::DoubtfulEncoding => "doubtful-encoding",
            ProblemKind::TextAfterEnd => "text-after-end",
            ProblemKind::TextBetweenGames => "text-between-games",
            ProblemKind::TooLarge => "too-large",
        }
    }
}

/// What becomes of a text with a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Stamma could not read it as what it was meant for, or is not sure to have understood it.
    Unread,
    /// It is doubtful, and kept as it is.
    Kept,
    /// It was understood, and is written in the form of the standard.
    Repaired,
}

impl Effect {
    /// The word in the documentation.
    pub const fn name(self) -> &'static str {
        match self {
            Effect::Unread => "unread",
            Effect::Kept => "kept",
            Effect::Repaired => "repaired",
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// One fault of one game, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of fault.
    pub kind: ProblemKind,
    /// Where it is, in bytes from the beginning of the game's text.
    pub at: usize,
    /// Half-moves of the mainline played before it.
    pub ply: u32,
    /// The offending text, mostly at most [`Problem::TEXT_BYTES`] of it.
    pub text: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

impl Problem {
    /// How much of an offending text is repeated in a problem.
    pub const TEXT_BYTES: usize = 120;
}

/// A problem with its place in its source.
#[derive(Clone, Debug)]
pub(crate) struct SourceProblem {
    /// The game's number in its batch, none for text between games.
    pub(crate) game: Option<usize>,
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    /// The line on which it begins, from 1.
    pub(crate) line: u64,
    /// The byte of the line, from 1.
    pub(crate) column: u64,
    pub(crate) problem: Problem,
}

/// The beginning of a text, cut where a character ends.
pub(crate) fn excerpt(text: &str) -> &str {
    &text[..text.floor_char_boundary(Problem::TEXT_BYTES)]
}
