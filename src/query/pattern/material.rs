//! Material queries: an exact set of pieces, or conditions on their numbers.

use super::flip::Mirror;
use super::measure::{Comparison, Measure, single_bishops_agree};
use super::parse_error::ParsePatternError;
use crate::board::{Color, Piece, Role};
use crate::replay::Placement;

/// A query for material.
///
/// A text without a comparison is an exact set of pieces, such as `KRPkr`. Kings are always present and may be missing
/// in the text.
///
/// Other texts are lists of conditions, separated by blanks or commas, all of which must hold. A condition is a
/// measure, a sign and a number. The measures are a letter (`Q>=1`, `q=0`), `pieces` (all pieces, kings included),
/// `white` and `black` (the pieces of a side), `pawns`, and `difference` (White's points minus Black's: pawns 1,
/// knights and bishops 3, rooks 5, queens 9). The signs are `=` (or `==`), `!=` (or `<>`), `<`, `<=`, `>` and `>=`.
/// `bishops=same` and `bishops=opposite` mean that each side has one bishop, on squares of one colour or of different
/// colours.
///
/// ```
/// use stamma::query::Material;
/// assert_eq!(Material::parse("KRPkr"), Material::parse("RPr"));
/// assert!(Material::parse("Q>=1, q=0 difference>-3").is_ok());
/// assert!(Material::parse("Q>").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material {
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Measured(Measure, Comparison, i32),
    /// Each side has one bishop: on squares of one colour, or of different colours.
    BishopsAgree(bool),
}

const WHAT: &str = "material";
const MEASURES: &str =
    "a piece (KQRBNP, kqrbnp), `pieces`, `white`, `black`, `pawns`, `difference` or `bishops`";

impl Material {
    /// Parses a material query.
    ///
    /// # Errors
    /// The first place that cannot be parsed, or more pieces than a side can have.
    pub fn parse(text: &str) -> Result<Material, ParsePatternError> {
        let has_comparison = text.contains(['=', '<', '>', '!']);
        let conditions = if has_comparison {
            Reader { text, at: 0 }.conditions()?
        } else {
            exact_conditions(text)?
        };
        Ok(Material { conditions })
    }

    /// `true` if the material matches.
    pub(super) fn holds(&self, placement: &Placement) -> bool {
        self.conditions.iter().all(|condition| match condition {
            Condition::Measured(measure, comparison, number) => {
                let value = measure.value(placement.material());
                comparison.holds(value, *number)
            }
            Condition::BishopsAgree(agree) => single_bishops_agree(placement) == Some(*agree),
        })
    }

    /// `true` if the material may match when the count of each kind is within `bounds`.
    pub(super) fn may_hold(&self, bounds: impl Fn(Piece) -> (u32, u32)) -> bool {
        let may_be_one = |color: Color| {
            let role = Role::Bishop;
            let (least, greatest) = bounds(Piece { color, role });
            (least..=greatest).contains(&1)
        };

        self.conditions.iter().all(|condition| match condition {
            Condition::Measured(measure, comparison, number) => {
                let range = measure.range(&bounds);
                comparison.may_hold(range, *number)
            }
            // The squares of bishops are unknown without a replay, their numbers are not.
            Condition::BishopsAgree(_) => may_be_one(Color::White) && may_be_one(Color::Black),
        })
    }

    /// The greatest number of pieces of a kind with which the material may match when the count of each kind is within
    /// `bounds`.
    pub(super) fn max_count(&self, piece: Piece, bounds: impl Fn(Piece) -> (u32, u32)) -> u32 {
        let mut max = u32::MAX;
        for condition in &self.conditions {
            let Condition::Measured(measure, comparison, number) = condition else {
                continue;
            };
            let Some(limit) = comparison.max_left(*number) else {
                continue;
            };
            if let Some(count) = measure.max_count(piece, &bounds, limit) {
                max = max.min(count);
            }
        }
        max
    }

    /// The material as a mirror shows it.
    pub(super) fn mirrored(&self, mirror: Mirror) -> Material {
        if !mirror.colors {
            return self.clone();
        }

        let recolored = |condition: &Condition| match condition {
            Condition::Measured(measure, comparison, number) => {
                Condition::Measured(measure.recolored(), *comparison, *number)
            }
            Condition::BishopsAgree(agree) => Condition::BishopsAgree(*agree),
        };
        Material {
            conditions: self.conditions.iter().map(recolored).collect(),
        }
    }
}

/// The maximum number of a side's pieces and pawns beside the king.
pub(super) const MAX_PIECES_BESIDE_KING: u32 = 15;

/// The conditions for exactly the pieces of a text.
fn exact_conditions(text: &str) -> Result<Vec<Condition>, ParsePatternError> {
    let fault = |at, fault: String| Err(ParsePatternError::at(WHAT, text, at, fault));

    let mut pieces: Vec<Piece> = Vec::new();
    for (at, letter) in text.char_indices() {
        if letter.is_ascii_whitespace() {
            continue;
        }
        let Some(piece) = u8::try_from(letter).ok().and_then(Piece::from_fen_letter) else {
            let wrong = format!(
                "`{letter}` is no piece (KQRBNP, kqrbnp), and there is no comparison such as `Q>=1`"
            );
            return fault(at, wrong);
        };
        pieces.push(piece);

        // Checked letter by letter, so that the error has the place of the first piece too many.
        let of_side = pieces.iter().filter(|other| other.color == piece.color);
        let (kings, others): (Vec<&Piece>, Vec<&Piece>) =
            of_side.partition(|piece| piece.role == Role::King);
        let side = piece.color.name();
        if kings.len() > 1 {
            return fault(at, format!("{side} has one king"));
        }
        if others.len() > MAX_PIECES_BESIDE_KING as usize {
            return fault(at, format!("{side} has more than sixteen pieces"));
        }
    }

    if pieces.is_empty() {
        let expected = format!("it is empty; expected pieces, such as `KRPkr`, or {MEASURES}");
        return fault(0, expected);
    }
    Ok(exact_counts(&pieces))
}

/// The conditions that the number of each kind of piece is the number in `pieces`. Kings are not counted.
fn exact_counts(pieces: &[Piece]) -> Vec<Condition> {
    let mut conditions = Vec::new();
    // Most games end with pawns, so pawns rule most games out and come first.
    for role in Role::ALL {
        if role == Role::King {
            continue;
        }
        for color in Color::ALL {
            let kind = Piece { color, role };
            let number = pieces.iter().filter(|&&piece| piece == kind).count() as i32;
            let measure = Measure::count(|piece| piece == kind);
            conditions.push(Condition::Measured(measure, Comparison::Equal, number));
        }
    }
    conditions
}

/// A parser of conditions, from left to right.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// Parses all conditions.
    fn conditions(mut self) -> Result<Vec<Condition>, ParsePatternError> {
        let mut conditions = Vec::new();
        loop {
            self.skip(|letter| letter == ',' || letter.is_ascii_whitespace());
            if self.rest().is_empty() {
                return Ok(conditions);
            }
            conditions.push(self.condition()?);
        }
    }

    /// The text that has not been parsed.
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips matching characters and returns them.
    fn skip(&mut self, is_passed: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|letter| !is_passed(letter));
        let length = end.unwrap_or(rest.len());

        self.at += length;
        &rest[..length]
    }

    /// An error at a byte of the text.
    fn fault<T>(&self, at: usize, fault: String) -> Result<T, ParsePatternError> {
        Err(ParsePatternError::at(WHAT, self.text, at, fault))
    }

    /// Parses a condition, such as `Q>=1`.
    fn condition(&mut self) -> Result<Condition, ParsePatternError> {
        let start = self.at;
        let word = self.skip(|letter| letter.is_alphabetic());
        if word == "bishops" {
            return self.bishops();
        }
        let Some(measure) = Measure::from_word(word) else {
            let found = self.word_at(start);
            let wrong = format!("`{found}` cannot be counted; expected {MEASURES}");
            return self.fault(start, wrong);
        };

        let comparison = self.comparison()?;
        let number = self.number()?;
        Ok(Condition::Measured(measure, comparison, number))
    }

    /// The text from a place up to the next blank.
    fn word_at(&self, start: usize) -> &'t str {
        let mut words = self.text[start..].split_ascii_whitespace();
        words.next().unwrap_or_default()
    }

    /// Parses the sign of a comparison, with blanks around it.
    fn comparison(&mut self) -> Result<Comparison, ParsePatternError> {
        self.skip(|letter| letter.is_ascii_whitespace());
        let rest = self.rest();
        let found = Comparison::SIGNS
            .iter()
            .find(|(sign, _)| rest.starts_with(sign));
        let Some((sign, comparison)) = found else {
            let expected = "expected `=`, `!=`, `<`, `<=`, `>` or `>=`";
            return self.fault(self.at, expected.to_owned());
        };

        self.at += sign.len();
        self.skip(|letter| letter.is_ascii_whitespace());
        Ok(*comparison)
    }

    /// Parses a whole number.
    fn number(&mut self) -> Result<i32, ParsePatternError> {
        let start = self.at;
        let digits = self.skip(|letter| letter == '-' || letter == '+' || letter.is_alphanumeric());
        match digits.parse::<i32>() {
            Ok(number) => Ok(number),
            Err(_) => {
                let found = self.word_at(start);
                let wrong = format!("`{found}` is no number; expected one, such as 3");
                self.fault(start, wrong)
            }
        }
    }

    /// Parses the rest of a condition after the word `bishops`.
    fn bishops(&mut self) -> Result<Condition, ParsePatternError> {
        let start = self.at;
        let comparison = self.comparison()?;
        let word = self.skip(|letter| letter.is_alphanumeric());
        match (comparison, word) {
            (Comparison::Equal, "opposite") => Ok(Condition::BishopsAgree(false)),
            (Comparison::Equal, "same") => Ok(Condition::BishopsAgree(true)),
            _ => {
                let expected = "expected `=opposite` or `=same` after `bishops`";
                self.fault(start, expected.to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn holds(text: &str, fen: &str) -> bool {
        let position = Position::from_fen(fen).expect("a legal position");
        let placement = Placement::from(&position);
        let material = Material::parse(text).expect("material");
        material.holds(&placement)
    }

    macro_rules! hold {
        ($($name:ident: $text:expr, $fen:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(holds($text, $fen), $expected);
            }
        )*};
    }

    const ROOKS: &str = "4k3/4r3/8/8/8/8/4P3/R3K3 w - -";
    const BISHOPS: &str = "4kb2/8/8/8/8/8/4P3/2B1K3 w - -";

    hold! {
        exactly_these: "KRPkr", ROOKS => true;
        in_any_order: "rk PKR", ROOKS => true;
        without_kings: "RPr", ROOKS => true;
        one_too_few: "KRPPkr", ROOKS => false;
        one_too_many: "KRkr", ROOKS => false;
        other_colors: "KRkrp", ROOKS => false;
        all_hold: "R>=1 q=0 pieces<=5", ROOKS => true;
        one_does_not: "R>=1,q=0,pieces<5", ROOKS => false;
        with_blanks: "R >= 1 , q = 0", ROOKS => true;
        sides: "white=3 black=2 pawns=1", ROOKS => true;
        difference: "difference=1", ROOKS => true;
        difference_less: "difference>-1 difference!=0", ROOKS => true;
        opposite: "bishops=same", BISHOPS => true;
        not_same: "bishops=opposite", BISHOPS => false;
        no_bishops: "bishops=opposite", ROOKS => false;
    }

    macro_rules! faults {
        ($($name:ident: $text:expr => $place:expr, $part:expr;)*) => {$(
            #[test]
            fn $name() {
                let error = Material::parse($text).expect_err("no material");
                assert_eq!(error.place, $place, "{error}");
                assert!(error.fault.contains($part), "{error}");
            }
        )*};
    }

    faults! {
        nothing: "" => 1, "it is empty";
        no_piece: "KRxk" => 3, "`x` is no piece";
        two_kings: "KRKk" => 3, "White has one king";
        too_many: "qqqqqqqqqqqqqqqq" => 16, "more than sixteen";
        word: "Q>=1 queens=1" => 6, "`queens=1` cannot be counted";
        no_sign: "Q=1 q" => 6, "expected `=`";
        no_number: "Q>=" => 4, "no number";
        letters: "Q>=one" => 4, "`one` is no number";
        bishops: "bishops>1" => 8, "=opposite";
        no_measure: ">1" => 1, "cannot be counted";
        two_signs: "Q=!1" => 3, "`!1` is no number";
    }
}
