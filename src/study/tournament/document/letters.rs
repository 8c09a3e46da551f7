//! The letters of a crosstable: Unicode or ASCII.

/// The letters with which a crosstable is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// All of Unicode: `½`, `■`, `–`.
    #[default]
    Unicode,
    /// ASCII alone: `=`, `x`, `-`.
    Ascii,
}

impl Letters {
    /// The first of two signs in Unicode, the second one in ASCII.
    pub(super) fn choose<S>(self, unicode: S, ascii: S) -> S {
        match self {
            Letters::Unicode => unicode,
            Letters::Ascii => ascii,
        }
    }
}
