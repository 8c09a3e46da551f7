//! Tag pairs (PGN §8.1).

use std::borrow::Cow;

/// A tag pair: `[White "Fischer, Robert James"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagPair<'t> {
    /// The name.
    pub name: Cow<'t, str>,
    /// The value, without quotes and escapes.
    pub value: Cow<'t, str>,
}

impl<'t> TagPair<'t> {
    /// A tag pair with this name and value.
    pub fn new(name: impl Into<Cow<'t, str>>, value: impl Into<Cow<'t, str>>) -> TagPair<'t> {
        TagPair {
            name: name.into(),
            value: value.into(),
        }
    }

    /// This pair with texts that are borrowed from it.
    pub fn borrowed(&self) -> TagPair<'_> {
        TagPair::new(&*self.name, &*self.value)
    }

    /// This pair with owned texts.
    pub fn into_owned(self) -> TagPair<'static> {
        TagPair::new(self.name.into_owned(), self.value.into_owned())
    }
}

/// The value of the first tag with this name.
pub fn tag_value<'a>(tags: &'a [TagPair<'_>], name: &str) -> Option<&'a str> {
    tags.iter()
        .find(|tag| tag.name == name)
        .map(|tag| &*tag.value)
}
