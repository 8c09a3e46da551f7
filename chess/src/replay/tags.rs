//! Reads the tag pairs of a game's text, without a replay.

use std::borrow::Cow;

use super::utf8::{part_of, utf8};
use crate::game::TagPair;
use crate::pgn::{Visitor, read_tags, unescape};

/// The number of tag pairs for which room is made; many games have fewer.
pub(super) const RESERVED_TAGS: usize = 16;

/// The tag pairs of a game's text, as a replay has them, without reading its movetext.
pub fn tags_of(text: &str) -> Vec<TagPair<'_>> {
    let mut tags = Tags {
        text,
        tags: Vec::with_capacity(RESERVED_TAGS),
    };
    read_tags(text.as_bytes(), &mut tags);
    tags.tags
}

/// The tag pair of a name and a raw value, which are parts of a text.
#[inline]
pub(super) fn tag_pair<'t>(text: &'t str, name: &'t [u8], value: &'t [u8]) -> TagPair<'t> {
    let unescaped = match unescape(value) {
        Cow::Borrowed(value) => Cow::Borrowed(part_of(text, value)),
        Cow::Owned(value) => Cow::Owned(utf8(&value).to_owned()),
    };

    TagPair::new(part_of(text, name), unescaped)
}

struct Tags<'t> {
    text: &'t str,
    tags: Vec<TagPair<'t>>,
}

impl<'t> Visitor<'t> for Tags<'t> {
    fn tag(&mut self, name: &'t [u8], value: &'t [u8], _at: usize) {
        self.tags.push(tag_pair(self.text, name, value));
    }
}
