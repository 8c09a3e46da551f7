//! Letters of signs.

/// Which letters a crosstable is written with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// All of Unicode: `½`, `■`, `–`.
    #[default]
    Unicode,
    /// Those of ASCII: `=`, `x`, `-`.
    Ascii,
}

impl Letters {
    /// The first of two signs, or the second of the letters of ASCII.
    pub(super) fn choose<S>(self, usual: S, plain: S) -> S {
        match self {
            Letters::Unicode => usual,
            Letters::Ascii => plain,
        }
    }
}
