//! Problems in the data, with codes that stay stable across versions.

use crate::game::Ply;
use std::fmt;

/// A kind of problem. The column `problem.kind` has its [code](ProblemKind::code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProblemKind {
    /// A move text that matches no legal move; the game is kept up to it.
    IllegalMove,
    /// A move text that matches several legal moves; the game is kept up to it.
    AmbiguousMove,
    /// A text among the moves that is not a move: kept as a comment, or, in the place of a move, ends the line.
    UnknownToken,
    /// A line of the tag section, or part of one, that is not a tag pair and is kept as text; or a tag pair without
    /// `]`.
    InvalidTag,
    /// A tag whose name has occurred before; both are kept.
    RepeatedTag,
    /// An invalid date.
    InvalidDate,
    /// An Elo that is not a number.
    InvalidElo,
    /// A `Result` tag that is not a result in any spelling.
    InvalidResult,
    /// A `FEN` tag without `SetUp "1"`; the game starts from it anyway.
    MissingSetUp,
    /// A `FEN` tag that is not the FEN of a legal position; the moves are kept as text.
    InvalidFen,
    /// A game of a variant with other moves than chess; its moves are kept as text.
    UnsupportedVariant,
    /// A comment without its `}`.
    UnclosedComment,
    /// A variation without its `)`.
    UnclosedVariation,
    /// A variation nested in more than a thousand others; it is kept as text.
    DeepVariation,
    /// A `)` without its `(`.
    StrayParenthesis,
    /// A `}` without its `{`.
    StrayBrace,
    /// A `$` without a number from 0 to 255.
    InvalidNag,
    /// A NAG preceded by a backslash, which is ignored.
    EscapedNag,
    /// A game without a termination marker.
    MissingTerminator,
    /// A termination marker that differs from the `Result` tag.
    ResultMismatch,
    /// A result that contradicts the mate, stalemate or insufficient material on the board.
    ResultContradictsBoard,
    /// Moves that are legal, but different, in several languages.
    AmbiguousLanguage,
    /// A move with letters of another language than the moves before it.
    MixedLanguage,
    /// A false check, mate or capture mark.
    FalseMark,
    /// A move that was understood, although misspelt or incomplete.
    ImpreciseMove,
    /// A game without any move.
    NoMoves,
    /// A game that breaks off in the last line of its source.
    TruncatedGame,
    /// Bytes that represent no character in the encoding of the game, reported once per game.
    UndecodableByte,
    /// A game whose encoding was guessed from its words, reported once per game.
    DoubtfulEncoding,
    /// Text after the termination marker; it is kept as text.
    TextAfterEnd,
    /// Text between games that is not an escape line; it is kept in its place.
    TextBetweenGames,
    /// A game, or a text between games, that exceeds the size limit; it is left out.
    TooLarge,
    /// A game on which Stamma itself fails; it is kept as text.
    Bug,
}

impl ProblemKind {
    /// All kinds.
    pub const ALL: [ProblemKind; 33] = [
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
        ProblemKind::Bug,
    ];

    /// Returns `true` if a move text could not be followed; in a replay as English SAN, the line ends there.
    pub const fn loses_line(self) -> bool {
        matches!(
            self,
            ProblemKind::IllegalMove | ProblemKind::AmbiguousMove | ProblemKind::UnknownToken
        )
    }

    /// The effect of the problem on the text.
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
            | ProblemKind::Bug
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

    /// The meaning of the kind, in one sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            ProblemKind::IllegalMove => {
                "a move text that matches no legal move; the game is kept up to it"
            }
            ProblemKind::AmbiguousMove => {
                "a move text that matches several legal moves; the game is kept up to it"
            }
            ProblemKind::UnknownToken => {
                "a text among the moves that is not a move: kept as a comment, or, in the place of a move, ends the line"
            }
            ProblemKind::InvalidTag => {
                "a line of the tag section, or part of one, that is not a tag pair and is kept as text; or a tag pair without ]"
            }
            ProblemKind::RepeatedTag => "a tag whose name has occurred before; both are kept",
            ProblemKind::InvalidDate => "an invalid date",
            ProblemKind::InvalidElo => "an Elo that is not a number",
            ProblemKind::InvalidResult => "a Result tag that is not a result in any spelling",
            ProblemKind::MissingSetUp => {
                "a FEN tag without SetUp 1; the game starts from it anyway"
            }
            ProblemKind::InvalidFen => {
                "a FEN tag that is not the FEN of a legal position; the moves are kept as text"
            }
            ProblemKind::UnsupportedVariant => {
                "a game of a variant with other moves than chess; its moves are kept as text"
            }
            ProblemKind::UnclosedComment => "a comment without its }",
            ProblemKind::UnclosedVariation => "a variation without its )",
            ProblemKind::DeepVariation => {
                "a variation nested in more than a thousand others; it is kept as text"
            }
            ProblemKind::StrayParenthesis => "a ) without its (",
            ProblemKind::StrayBrace => "a } without its {",
            ProblemKind::InvalidNag => "a $ without a number from 0 to 255",
            ProblemKind::EscapedNag => "a NAG preceded by a backslash, which is ignored",
            ProblemKind::MissingTerminator => "a game without a termination marker",
            ProblemKind::ResultMismatch => "a termination marker that differs from the Result tag",
            ProblemKind::ResultContradictsBoard => {
                "a result that contradicts the mate, stalemate or insufficient material on the board"
            }
            ProblemKind::AmbiguousLanguage => {
                "moves that are legal, but different, in several languages"
            }
            ProblemKind::MixedLanguage => {
                "a move with letters of another language than the moves before it"
            }
            ProblemKind::FalseMark => "a false check, mate or capture mark",
            ProblemKind::ImpreciseMove => {
                "a move that was understood, although misspelt or incomplete"
            }
            ProblemKind::NoMoves => "a game without any move",
            ProblemKind::TruncatedGame => "a game that breaks off in the last line of its source",
            ProblemKind::UndecodableByte => {
                "bytes that represent no character in the encoding of the game, reported once per game"
            }
            ProblemKind::DoubtfulEncoding => {
                "a game whose encoding was guessed from its words, reported once per game"
            }
            ProblemKind::TextAfterEnd => "text after the termination marker; it is kept as text",
            ProblemKind::TextBetweenGames => {
                "text between games that is not an escape line; it is kept in its place"
            }
            ProblemKind::TooLarge => {
                "a game, or a text between games, that exceeds the size limit; it is left out"
            }
            ProblemKind::Bug => "a game on which Stamma itself fails; it is kept as text",
        }
    }

    /// The kind with a code.
    pub fn from_code(code: &str) -> Option<ProblemKind> {
        ProblemKind::ALL
            .into_iter()
            .find(|kind| kind.code() == code)
    }

    /// The stable code, as hyphenated lower-case words.
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
            ProblemKind::Bug => "bug",
        }
    }
}

/// The effect of a problem on the text that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Stamma could not read the text as intended, or may have misunderstood it.
    Unread,
    /// The text is doubtful, and kept unchanged.
    Kept,
    /// The text was understood, and is written in the standard's form.
    Repaired,
}

impl Effect {
    /// The name in the documentation.
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

/// A problem of a game, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The byte offset of the problem in the game's text.
    pub at: usize,
    /// The number of mainline half-moves before the problem.
    pub ply: Ply,
    /// The offending text, usually truncated to [`Problem::TEXT_BYTES`].
    pub text: String,
    /// A description in one sentence.
    pub message: String,
}

impl Problem {
    /// The length to which offending texts are truncated.
    pub const TEXT_BYTES: usize = 120;
}

/// The beginning of a text, cut at a character boundary.
pub fn excerpt(text: &str) -> &str {
    &text[..text.floor_char_boundary(Problem::TEXT_BYTES)]
}
