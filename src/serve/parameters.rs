//! The parameters of a request: the part of its address after the question mark.

use std::str::FromStr;

use super::failure::Failure;

/// Names with their values in the order of the address, decoded.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(super) fn read(query: &str) -> Parameters {
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
        Parameters(pairs.collect())
    }

    /// The first value of a parameter.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    }

    /// The names that have occurred before in the address, each time that they occur again.
    pub(super) fn repeated(&self) -> impl Iterator<Item = &str> {
        let names = self.0.iter().map(|(name, _)| name.as_str());
        let repeated = names.enumerate().filter(|(at, name)| {
            let mut earlier = self.0[..*at].iter();
            earlier.any(|(other, _)| other == name)
        });
        repeated.map(|(_, name)| name)
    }

    /// The first value of a parameter that must be given, and not be blank.
    pub(super) fn required(&self, name: &str) -> Result<&str, Failure> {
        self.get(name)
            .filter(|value| !value.trim().is_empty())
            .ok_or_else(|| Failure::bad_request(format!("the parameter {name} is missing")))
    }

    /// The first value, parsed; `None` without one, or if it is empty.
    pub(super) fn parsed<T: FromStr>(&self, name: &str) -> Result<Option<T>, Failure> {
        let Some(text) = self.get(name).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        match text.trim().parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => {
                let sentence = format!("{name}={text} is not understood");
                Err(Failure::bad_request(sentence))
            }
        }
    }

    /// The value as a number of rows from 1 on: `default` without a value, and never more than `max`.
    pub(super) fn rows(&self, name: &str, default: usize, max: usize) -> Result<usize, Failure> {
        let rows = self.parsed(name)?.unwrap_or(default);
        if rows == 0 {
            let sentence = format!("{name}: give a number from 1 on");
            return Err(Failure::bad_request(sentence));
        }
        Ok(rows.min(max))
    }

    /// All parameters except some.
    pub(super) fn without(&self, is_left_out: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        self.0
            .iter()
            .filter(|(name, _)| !is_left_out(name))
            .cloned()
            .collect()
    }
}
