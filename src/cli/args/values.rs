//! Values that a shell can offer: those of a list, which the option may go beyond.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

/// Reads values as `read` does, which says in its own words what is none, and names some for shells.
pub(super) fn offered<R: TypedValueParser>(
    names: impl IntoIterator<Item = &'static str>,
    read: R,
) -> SuggestedValues<R> {
    SuggestedValues { names: names.into_iter().collect(), read }
}

#[derive(Clone)]
pub(super) struct SuggestedValues<R> {
    names: Vec<&'static str>,
    read: R,
}

impl<R: TypedValueParser> TypedValueParser for SuggestedValues<R> {
    type Value = R::Value;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        value: &OsStr,
    ) -> Result<R::Value, Error> {
        self.read.parse_ref(command, option, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}
