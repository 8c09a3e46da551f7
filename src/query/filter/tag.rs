//! Queries for tag pairs.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::game::TagPair;

/// A tag that a game must have, with any value or one that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagQuery {
    name: String,
    value: ValueQuery,
}

/// What is asked of the value of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ValueQuery {
    Any,
    Is(String),
    Contains(String),
    /// Compares with a text, as numbers if the text is one.
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

/// The signs of comparisons, those of two characters first.
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

    /// Parses `NAME=VALUE`, where the value is the rest of the text, `NAME<>VALUE`, `NAME>=VALUE` and so on, `NAME~TEXT` for
    /// values that contain a text, or `NAME`.
    fn from_str(text: &str) -> Result<TagQuery, ParseTagQueryError> {
        let end = text.find(['=', '<', '>', '!', '~']).unwrap_or(text.len());
        let (name, test) = text.split_at(end);
        let name = name.trim();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(ParseTagQueryError);
        }
        let value = ValueQuery::parse(test).ok_or(ParseTagQueryError)?;
        Ok(TagQuery {
            name: name.to_owned(),
            value,
        })
    }
}

impl ValueQuery {
    fn parse(text: &str) -> Option<ValueQuery> {
        if text.is_empty() {
            return Some(ValueQuery::Any);
        }
        if let Some(value) = text.strip_prefix('=') {
            return Some(ValueQuery::Is(value.to_owned()));
        }
        if let Some(part) = text.strip_prefix('~') {
            return (!part.is_empty()).then(|| ValueQuery::Contains(part.to_owned()));
        }
        let (sign, comparison) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign))?;
        let value = text[sign.len()..].trim();
        (!value.is_empty()).then(|| ValueQuery::Compared(*comparison, value.to_owned()))
    }
}

impl fmt::Display for TagQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.value {
            ValueQuery::Any => Ok(()),
            ValueQuery::Is(value) => write!(f, "={value}"),
            ValueQuery::Contains(part) => write!(f, "~{part}"),
            ValueQuery::Compared(comparison, value) => {
                let sign = SIGNS.iter().find(|(_, sign)| sign == comparison);
                write!(f, "{}{value}", sign.map_or("", |(sign, _)| sign))
            }
        }
    }
}

impl TagQuery {
    /// The name of the tag.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The exact value that is asked for, if one is.
    pub(super) fn exact_value(&self) -> Option<&str> {
        match &self.value {
            ValueQuery::Is(value) => Some(value),
            ValueQuery::Any | ValueQuery::Contains(_) | ValueQuery::Compared(..) => None,
        }
    }

    /// `true` if one of these tag pairs matches.
    pub(super) fn is_among(&self, tags: &[TagPair<'_>]) -> bool {
        tags.iter()
            .any(|tag| tag.name == self.name && self.has_value(&tag.value))
    }

    fn has_value(&self, value: &str) -> bool {
        match &self.value {
            ValueQuery::Any => true,
            ValueQuery::Is(wanted) => wanted == value,
            ValueQuery::Contains(part) => value.contains(&**part),
            ValueQuery::Compared(comparison, wanted) => {
                let order = self.compare(value, wanted);
                order.is_some_and(|order| comparison.holds(order))
            }
        }
    }

    /// The order of a value and a text that it is compared with: of numbers if the text is one, otherwise of texts. `None`
    /// for a value without a number. A month, such as 2017.04, is no number.
    fn compare(&self, value: &str, wanted: &str) -> Option<Ordering> {
        let wanted_number = wanted
            .parse::<f64>()
            .ok()
            .filter(|_| !self.name.ends_with("Date"));
        match wanted_number {
            Some(wanted) => number(self.measured(value))?.partial_cmp(&wanted),
            None => Some(value.cmp(wanted)),
        }
    }

    /// The part of a value that is compared as a number: the seconds of the first period of a time control (PGN §9.6.1).
    fn measured<'v>(&self, value: &'v str) -> &'v str {
        if self.name != "TimeControl" {
            return value;
        }
        let period = value.split(':').next().unwrap_or_default();
        period
            .split_once('/')
            .map_or(period, |(_, seconds)| seconds)
    }
}

impl Comparison {
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

/// The number that a text begins with.
fn number(text: &str) -> Option<f64> {
    let text = text.trim_start();
    let is_of_number = |(at, sign): (usize, char)| {
        sign.is_ascii_digit() || sign == '.' || (at == 0 && matches!(sign, '-' | '+'))
    };
    let end = text
        .char_indices()
        .find(|&sign| !is_of_number(sign))
        .map_or(text.len(), |(at, _)| at);
    text[..end].parse().ok()
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
        for query in ["Round", "Round<>1", "Round>0", "Round~1"] {
            assert!(
                !query.parse::<TagQuery>().expect("a query").is_among(&[]),
                "{query}"
            );
        }
    }

    #[test]
    fn no_queries() {
        for text in ["", "=1", "a b=1", "Elo>", "Elo<>", "Elo~", "Elo!1"] {
            assert_eq!(text.parse::<TagQuery>(), Err(ParseTagQueryError), "{text}");
        }
    }
}
