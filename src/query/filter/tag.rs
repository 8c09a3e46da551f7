//! Queries for tag pairs.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::game::TagPair;

/// A tag that a game must have, with any value or with a value that satisfies a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagQuery {
    name: String,
    value: ValueQuery,
}

/// A condition on the value of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ValueQuery {
    Any,
    Is(String),
    Contains(String),
    /// Compares with a text. If the text is a number, numbers are compared.
    Compared(Comparison, String),
}

/// A comparison with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The signs of comparisons. Signs of two characters are first, since `<` also begins `<=` and `<>`.
const SIGNS: [(&str, Comparison); 6] = [
    ("<>", Comparison::Different),
    ("!=", Comparison::Different),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

/// The error for a text that does not name a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give a tag and its value, like TimeControl=300+3 or 'TimeControl>=300', or a tag alone")]
pub struct ParseTagQueryError;

impl FromStr for TagQuery {
    type Err = ParseTagQueryError;

    /// Parses `NAME=VALUE`, where the value is the rest of the text, `NAME<>VALUE`, `NAME>=VALUE` and so on,
    /// `NAME~TEXT` for values that contain a text, or `NAME`.
    fn from_str(text: &str) -> Result<TagQuery, ParseTagQueryError> {
        let end = text.find(['=', '<', '>', '!', '~']).unwrap_or(text.len());
        let (padded_name, condition) = text.split_at(end);

        let name = padded_name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(ParseTagQueryError);
        }

        let value = ValueQuery::parse(condition).ok_or(ParseTagQueryError)?;
        Ok(TagQuery {
            name: name.to_owned(),
            value,
        })
    }
}

impl ValueQuery {
    /// Parses the text after the name of a tag; `None` for an unknown sign or a missing value.
    fn parse(text: &str) -> Option<ValueQuery> {
        if text.is_empty() {
            return Some(ValueQuery::Any);
        }
        if let Some(value) = text.strip_prefix('=') {
            return Some(ValueQuery::Is(value.to_owned()));
        }
        if let Some(part) = text.strip_prefix('~') {
            if part.is_empty() {
                return None;
            }
            return Some(ValueQuery::Contains(part.to_owned()));
        }

        let (sign, comparison) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign))?;
        let value = text[sign.len()..].trim();
        if value.is_empty() {
            return None;
        }
        Some(ValueQuery::Compared(*comparison, value.to_owned()))
    }
}

impl fmt::Display for TagQuery {
    /// Formats the query in the form that parsing accepts.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, value) = match &self.value {
            ValueQuery::Any => ("", ""),
            ValueQuery::Is(value) => ("=", value.as_str()),
            ValueQuery::Contains(part) => ("~", part.as_str()),
            ValueQuery::Compared(comparison, value) => (comparison.sign(), value.as_str()),
        };

        let name = &self.name;
        write!(formatter, "{name}{sign}{value}")
    }
}

impl TagQuery {
    /// The name of the tag.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The exact value that the tag must have; `None` for other conditions.
    pub(super) fn exact_value(&self) -> Option<&str> {
        match &self.value {
            ValueQuery::Is(value) => Some(value),
            ValueQuery::Any | ValueQuery::Contains(_) | ValueQuery::Compared(..) => None,
        }
    }

    /// `true` if at least one tag pair of a game matches.
    pub(super) fn is_among(&self, tags: &[TagPair<'_>]) -> bool {
        let is_match = |tag: &TagPair<'_>| tag.name == self.name && self.has_value(&tag.value);
        tags.iter().any(is_match)
    }

    /// `true` if the value of a tag with this name matches.
    fn has_value(&self, value: &str) -> bool {
        match &self.value {
            ValueQuery::Any => true,
            ValueQuery::Is(wanted) => wanted == value,
            ValueQuery::Contains(part) => value.contains(&**part),
            ValueQuery::Compared(comparison, operand) => match self.compare(value, operand) {
                Some(order) => comparison.holds(order),
                None => false,
            },
        }
    }

    /// The order of a value and an operand. They are compared as numbers if the operand is a number, otherwise as
    /// texts. `None` if the operand is a number and the value has none.
    fn compare(&self, value: &str, operand: &str) -> Option<Ordering> {
        // 2017.04 is a month in a date, although it parses as a number.
        let is_date = self.name.ends_with("Date");
        match operand.parse::<f64>() {
            Ok(operand_number) if !is_date => {
                let number = leading_number(self.numeric_part(value))?;
                number.partial_cmp(&operand_number)
            }
            _ => Some(value.cmp(operand)),
        }
    }

    /// The part of a value that is compared as a number: the seconds of the first period of a time control (PGN
    /// §9.6.1).
    fn numeric_part<'v>(&self, value: &'v str) -> &'v str {
        if self.name != "TimeControl" {
            return value;
        }

        let period = value.split(':').next().unwrap_or_default();
        match period.split_once('/') {
            Some((_, seconds)) => seconds,
            None => period,
        }
    }
}

impl Comparison {
    /// The first sign of the comparison.
    fn sign(self) -> &'static str {
        let mut signs = SIGNS.iter();
        match signs.find(|(_, comparison)| *comparison == self) {
            Some(&(sign, _)) => sign,
            None => "",
        }
    }

    /// `true` if a value and an operand in this order satisfy the comparison.
    fn holds(self, order: Ordering) -> bool {
        match self {
            Comparison::Different => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::AtMost => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::AtLeast => order.is_ge(),
        }
    }
}

/// The number with which a text begins: `300` of `300+3`.
fn leading_number(text: &str) -> Option<f64> {
    let trimmed = text.trim_start();
    let unsigned = trimmed.strip_prefix(['-', '+']).unwrap_or(trimmed);
    let is_of_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let rest = unsigned.trim_start_matches(is_of_number);

    // The sign belongs to the number, so only the rest is cut off.
    let number = trimmed.strip_suffix(rest)?;
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! matches {
        ($($name:ident: $query:literal, $value:literal => $is:literal;)*) => {$(
            #[test]
            fn $name() {
                let query: TagQuery = $query.parse().expect("a query");
                assert_eq!(query.to_string(), $query);
                assert_eq!(query.is_among(&[TagPair::new(query.name(), $value)]), $is);
            }
        )*};
    }

    matches! {
        any: "TimeControl", "" => true;
        the_value: "Round=1", "1" => true;
        not_its_beginning: "Round=1", "12" => false;
        a_value_with_signs: "Site=a>=b=c", "a>=b=c" => true;
        at_least: "TimeControl>=300", "300+3" => true;
        less: "TimeControl<300", "300+3" => false;
        more_digits: "TimeControl>=300", "1800" => true;
        of_a_period: "TimeControl>=5400", "40/7200:3600" => true;
        no_number: "TimeControl>=0", "-" => false;
        negative: "WhiteRatingDiff<0", "-5" => true;
        plus: "WhiteRatingDiff>4", "+5" => true;
        as_texts: "UTCDate>=2017.04", "2017.04.01" => true;
        earlier_texts: "EventDate<2017.04", "2016.12.31" => true;
        another: "Termination<>Abandoned", "Normal" => true;
        not_another: "Termination<>Normal", "Normal" => false;
        another_number: "Round<>1", "1.2" => true;
        a_part: "Event~Rated", "Casual, not Rated" => true;
        no_part: "Event~rated", "Rated Blitz" => false;
    }

    #[test]
    fn a_tag_that_is_missing_matches_nothing() {
        for text in ["Round", "Round<>1", "Round>0", "Round~1"] {
            let query: TagQuery = text.parse().expect("a query");
            assert!(!query.is_among(&[]), "{text}");
        }
    }

    #[test]
    fn no_queries() {
        for text in ["", "=1", "a b=1", "Elo>", "Elo<>", "Elo~", "Elo!1"] {
            assert_eq!(text.parse::<TagQuery>(), Err(ParseTagQueryError), "{text}");
        }
    }
}
