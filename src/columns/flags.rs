//! Bit-packed flags of a game.

use super::{EndingKind, Speed, Title};
use crate::game::Variant;
use crate::pgn::Termination;

/// Bit-packed flags of a game. From the lowest bit on: the game exists (1 bit), it has positions (1), it starts from
/// the standard position (1), it is annotated (1), it has a comment in words (1), its result (2), its ending on the
/// board (2), draws by fifty moves, seventy-five moves, threefold and fivefold repetition (1 each), its variant (3),
/// its speed (3), White's title and Black's (4 each), whether White and Black are programs (1 each).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameFlags(pub(super) u32);

/// A field of [`GameFlags`]: its lowest bit, and its width in bits.
#[derive(Clone, Copy)]
struct Field(u32, u32);

const EXISTS: Field = Field(0, 1);
const IS_PLAYED: Field = Field(1, 1);
const STARTS_FROM_STANDARD: Field = Field(2, 1);
const IS_ANNOTATED: Field = Field(3, 1);
const HAS_WORDS: Field = Field(4, 1);
const RESULT: Field = Field(5, 2);
const BOARD_ENDING: Field = Field(7, 2);
const FIFTY_MOVES: Field = Field(9, 1);
const SEVENTY_FIVE_MOVES: Field = Field(10, 1);
const THREEFOLD: Field = Field(11, 1);
const FIVEFOLD: Field = Field(12, 1);
const VARIANT: Field = Field(13, 3);
const SPEED: Field = Field(16, 3);
const WHITE_TITLE: Field = Field(19, 4);
const BLACK_TITLE: Field = Field(23, 4);
const WHITE_ENGINE: Field = Field(27, 1);
const BLACK_ENGINE: Field = Field(28, 1);

impl GameFlags {
    /// The flags of a game that exists, with all else unset.
    pub(super) fn of_game() -> GameFlags {
        GameFlags::default().with(EXISTS, 1)
    }

    /// The flags with the value of a column.
    pub(crate) fn from_value(value: u64) -> GameFlags {
        GameFlags(value as u32)
    }

    /// The flags with another value of a field.
    fn with(self, Field(at, bits): Field, value: u32) -> GameFlags {
        let mask = ((1 << bits) - 1) << at;
        GameFlags(self.0 & !mask | value << at & mask)
    }

    /// The value of a field.
    fn get(self, Field(at, bits): Field) -> u32 {
        self.0 >> at & ((1 << bits) - 1)
    }

    /// `is_played` is `true` if the game has positions.
    pub(super) fn with_positions(self, is_played: bool) -> GameFlags {
        self.with(IS_PLAYED, is_played.into())
    }

    /// `starts_from_standard` is `true` if the game starts from the standard position.
    pub(super) fn with_standard_start(self, starts_from_standard: bool) -> GameFlags {
        self.with(STARTS_FROM_STANDARD, starts_from_standard.into())
    }

    /// `is_annotated` is `true` if the game has comments in words, NAGs or variations.
    pub(super) fn with_annotations(self, is_annotated: bool) -> GameFlags {
        self.with(IS_ANNOTATED, is_annotated.into())
    }

    /// `has_words` is `true` if a comment has words.
    pub(super) fn with_words(self, has_words: bool) -> GameFlags {
        self.with(HAS_WORDS, has_words.into())
    }

    pub(super) fn with_result(self, result: Termination) -> GameFlags {
        self.with(RESULT, result_code(result))
    }

    /// `board` is the value of the column `ending`.
    pub(super) fn with_board_ending(self, board: Option<&str>) -> GameFlags {
        let kinds = [
            EndingKind::Checkmate,
            EndingKind::Stalemate,
            EndingKind::InsufficientMaterial,
        ];

        // `ends_by` reads these codes. They begin with 1; 0 means that the column has none of these values.
        let place = kinds.iter().position(|kind| Some(kind.as_str()) == board);
        let code = place.map_or(0, |place| place as u32 + 1);

        self.with(BOARD_ENDING, code)
    }

    /// `draws` is `true` for each rule by which the game could be drawn: fifty moves, seventy-five moves, threefold
    /// repetition, fivefold repetition.
    pub(super) fn with_draws(self, draws: [bool; 4]) -> GameFlags {
        let [fifty_moves, seventy_five_moves, threefold, fivefold] = draws;
        self.with(FIFTY_MOVES, fifty_moves.into())
            .with(SEVENTY_FIVE_MOVES, seventy_five_moves.into())
            .with(THREEFOLD, threefold.into())
            .with(FIVEFOLD, fivefold.into())
    }

    pub(super) fn with_variant(self, variant: Variant) -> GameFlags {
        self.with(VARIANT, variant_code(variant))
    }

    pub(super) fn with_speed(self, speed: Option<Speed>) -> GameFlags {
        self.with(SPEED, speed.map_or(0, |speed| speed as u32))
    }

    pub(super) fn with_titles(self, white: Option<Title>, black: Option<Title>) -> GameFlags {
        let code = |title: Option<Title>| title.map_or(0, |title| title.code().into());

        self.with(WHITE_TITLE, code(white))
            .with(BLACK_TITLE, code(black))
    }

    pub(super) fn with_engines(self, [white, black]: [bool; 2]) -> GameFlags {
        self.with(WHITE_ENGINE, white.into())
            .with(BLACK_ENGINE, black.into())
    }

    /// `true` if the game exists.
    pub(crate) fn exists(self) -> bool {
        self.get(EXISTS) == 1
    }

    /// `true` if the game has positions.
    pub(crate) fn is_played(self) -> bool {
        self.get(IS_PLAYED) == 1
    }

    /// `true` if the game has positions of chess or of a variant that Stamma plays.
    pub(crate) fn has_boards(self) -> bool {
        self.is_played() && self.variant() != Variant::Other
    }

    /// `true` if the game starts from the standard position.
    pub(crate) fn starts_from_standard(self) -> bool {
        self.get(STARTS_FROM_STANDARD) == 1
    }

    /// `true` if the game has comments in words, NAGs or variations.
    pub(crate) fn is_annotated(self) -> bool {
        self.get(IS_ANNOTATED) == 1
    }

    /// `true` if a comment has words.
    pub(crate) fn has_words(self) -> bool {
        self.get(HAS_WORDS) == 1
    }

    pub(crate) fn result(self) -> Termination {
        match self.get(RESULT) {
            1 => Termination::WhiteWins,
            2 => Termination::BlackWins,
            3 => Termination::Draw,
            _ => Termination::Unknown,
        }
    }

    pub(crate) fn ends_by(self, kind: EndingKind) -> bool {
        let (field, code) = match kind {
            // The column `ending` has at most one of these values, so a single field stores them.
            EndingKind::Checkmate => (BOARD_ENDING, 1),
            EndingKind::Stalemate => (BOARD_ENDING, 2),
            EndingKind::InsufficientMaterial => (BOARD_ENDING, 3),
            // Several of these draws may be possible in one game, so each has a field.
            EndingKind::FiftyMoves => (FIFTY_MOVES, 1),
            EndingKind::SeventyFiveMoves => (SEVENTY_FIVE_MOVES, 1),
            EndingKind::Threefold => (THREEFOLD, 1),
            EndingKind::Fivefold => (FIVEFOLD, 1),
        };

        self.get(field) == code
    }

    pub(crate) fn variant(self) -> Variant {
        match self.get(VARIANT) {
            0 => Variant::Standard,
            1 => Variant::Chess960,
            2 => Variant::KingOfTheHill,
            3 => Variant::ThreeCheck,
            _ => Variant::Other,
        }
    }

    pub(crate) fn has_speed(self, speed: Speed) -> bool {
        self.get(SPEED) == speed as u32
    }

    /// `true` if one of the players has a title.
    pub(crate) fn has_title(self, title: Title) -> bool {
        let code: u32 = title.code().into();
        self.get(WHITE_TITLE) == code || self.get(BLACK_TITLE) == code
    }

    /// `true` if one of the players is a program.
    pub(crate) fn has_engine(self) -> bool {
        self.get(WHITE_ENGINE) == 1 || self.get(BLACK_ENGINE) == 1
    }
}

/// The value of the field for a result, in two bits.
fn result_code(result: Termination) -> u32 {
    match result {
        Termination::Unknown => 0,
        Termination::WhiteWins => 1,
        Termination::BlackWins => 2,
        Termination::Draw => 3,
    }
}

/// The value of the field for a variant, in three bits.
fn variant_code(variant: Variant) -> u32 {
    match variant {
        Variant::Standard => 0,
        Variant::Chess960 => 1,
        Variant::KingOfTheHill => 2,
        Variant::ThreeCheck => 3,
        Variant::Other => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_touch_each_other() {
        let full = GameFlags::of_game()
            .with_positions(true)
            .with_standard_start(true)
            .with_annotations(true)
            .with_words(true)
            .with_result(Termination::Draw)
            .with_board_ending(Some("insufficient-material"))
            .with_draws([true; 4])
            .with_variant(Variant::Other)
            .with_speed(Some(Speed::Correspondence))
            .with_titles(Some(Title::Bot), Some(Title::Gm))
            .with_engines([true, true]);

        assert!(full.exists() && full.is_played() && full.starts_from_standard());
        assert!(full.is_annotated() && full.has_words());
        assert_eq!(full.result(), Termination::Draw);
        let ends = EndingKind::ALL.map(|kind| full.ends_by(kind));
        assert_eq!(ends, [false, false, true, true, true, true, true]);
        assert_eq!(full.variant(), Variant::Other);
        assert!(full.has_speed(Speed::Correspondence));
        assert!(full.has_title(Title::Bot) && full.has_title(Title::Gm));
        assert!(!full.has_title(Title::Im));

        let black_engine = full.with_engines([false, true]);
        assert!(full.has_engine() && black_engine.has_engine());

        // The flags of programs begin at bit 27, and the titles at bit 19.
        let below_engines = full.0 & ((1 << 27) - 1);
        let human = full.with_engines([false, false]);
        assert!(!human.has_engine());
        assert_eq!(human.0, below_engines);

        let below_titles = full.0 & ((1 << 19) - 1);
        let without_titles = human.with_titles(None, None);
        assert_eq!(without_titles.0, below_titles);
    }
}
