//! The parameters of a request: the part of its address after the request mark.

use std::str::FromStr;

use super::failure::Failure;

/// Names with their values in the order of the address, decoded.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(super) fn read(query: &str) -> Parameters {
        Parameters(
            form_urlencoded::parse(query.as_bytes())
                .into_owned()
                .collect(),
        )
    }

    /// The first value of a parameter.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    }

    /// The names that are given again.
    pub(super) fn repeated(&self) -> impl Iterator<Item = &str> {
        let names = self.0.iter().map(|(name, _)| name.as_str());
        names.enumerate().filter_map(|(at, name)| {
            self.0[..at]
                .iter()
                .any(|(other, _)| other == name)
                .then_some(name)
        })
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
        let refused = |_| Failure::bad_request(format!("{name}={text} is not understood"));
        text.trim().parse().map(Some).map_err(refused)
    }

    /// The value as a number of rows from 1 on: `usual` without one, and never more than `most`.
    pub(super) fn rows(&self, name: &str, usual: usize, most: usize) -> Result<usize, Failure> {
        match self.parsed(name)?.unwrap_or(usual) {
            0 => Err(Failure::bad_request(format!(
                "{name}: give a number from 1 on"
            ))),
            rows => Ok(rows.min(most)),
        }
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
