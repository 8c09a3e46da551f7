//! The tag pairs of a game's text.

use std::borrow::Cow;

use super::utf8;
use crate::game::TagPair;
use crate::pgn::{Visitor, read_tags, unescape};

/// The tag pairs of a game's text, as a replay has them, without reading its movetext.
pub(crate) fn tags_of(text: &str) -> Vec<TagPair<'_>> {
    let mut tags = Tags(Vec::with_capacity(16));
    read_tags(text.as_bytes(), &mut tags);
    tags.0
}

/// The tag pair of a name and a raw value.
pub(super) fn tag_pair<'t>(name: &'t [u8], value: &'t [u8]) -> TagPair<'t> {
    let value = match unescape(value) {
        Cow::Borrowed(value) => Cow::Borrowed(utf8(value)),
        Cow::Owned(value) => Cow::Owned(utf8(&value).to_owned()),
    };
    TagPair::new(utf8(name), value)
}

struct Tags<'t>(Vec<TagPair<'t>>);

impl<'t> Visitor<'t> for Tags<'t> {
    fn tag(&mut self, name: &'t [u8], value: &'t [u8], _at: usize) {
        self.0.push(tag_pair(name, value));
    }
}
