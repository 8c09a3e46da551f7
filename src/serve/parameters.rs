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
        let (_, value) = self.0.iter().find(|(other, _)| other == name)?;
        Some(value)
    }

    /// The names of parameters that are given again, once for each repetition.
    pub(super) fn repeated_names(&self) -> Vec<&str> {
        let mut repeated = Vec::new();
        for (at, (name, _)) in self.0.iter().enumerate() {
            let is_repeated = self.0[..at].iter().any(|(earlier, _)| earlier == name);
            if is_repeated {
                repeated.push(name.as_str());
            }
        }
        repeated
    }

    /// The first value of a parameter that must be given, and not be blank.
    pub(super) fn required(&self, name: &str) -> Result<&str, Failure> {
        let value = self.get(name).unwrap_or_default();
        if value.trim().is_empty() {
            let sentence = format!("the parameter {name} is missing");
            return Err(Failure::bad_request(sentence));
        }
        Ok(value)
    }

    /// The first value, parsed; `None` if it is missing or empty.
    pub(super) fn parse<T: FromStr>(&self, name: &str) -> Result<Option<T>, Failure> {
        let text = self.get(name).unwrap_or_default();
        if text.is_empty() {
            return Ok(None);
        }

        match text.trim().parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => {
                let sentence = format!("{name}={text} is not understood");
                Err(Failure::bad_request(sentence))
            }
        }
    }

    /// The value as a number of rows from 1 on: `default` without a value, and `max` for a larger value.
    pub(super) fn rows(&self, name: &str, default: usize, max: usize) -> Result<usize, Failure> {
        let rows = self.parse(name)?.unwrap_or(default);
        if rows == 0 {
            let sentence = format!("{name}: give a number from 1 on");
            return Err(Failure::bad_request(sentence));
        }
        Ok(rows.min(max))
    }

    /// All parameters but the excluded ones, with their values.
    pub(super) fn without(&self, is_left_out: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let mut others = self.0.clone();
        others.retain(|(name, _)| !is_left_out(name));
        others
    }
}
