//! The titles of players.

use std::str::FromStr;

macro_rules! titles {
    ($($variant:ident $text:literal $meaning:literal;)*) => {
        /// A title as the tags WhiteTitle and BlackTitle have it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Title {
            $(#[doc = $meaning] $variant,)*
        }

        impl Title {
            /// All titles.
            pub const ALL: &[Title] = &[$(Title::$variant),*];

            /// The letters of the title.
            pub const fn as_str(self) -> &'static str {
                match self { $(Title::$variant => $text,)* }
            }
        }
    };
}

titles! {
    Gm "GM" "Grandmaster";
    Im "IM" "International master";
    Fm "FM" "FIDE master";
    Cm "CM" "Candidate master";
    Nm "NM" "National master";
    Lm "LM" "Lichess master";
    Wgm "WGM" "Woman grandmaster";
    Wim "WIM" "Woman international master";
    Wfm "WFM" "Woman FIDE master";
    Wcm "WCM" "Woman candidate master";
    Wnm "WNM" "Woman national master";
    Bot "BOT" "A program, on Lichess";
}

impl Title {
    /// The code of the title in 4 bits; 0 means no title.
    pub(crate) fn code(self) -> u8 {
        self as u8 + 1
    }
}

/// The error for a text that is not a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give a title: GM, IM, FM, CM, NM, LM, WGM, WIM, WFM, WCM, WNM or BOT")]
pub struct ParseTitleError;

impl FromStr for Title {
    type Err = ParseTitleError;

    /// Parses the letters of a title, in upper or lower case.
    fn from_str(text: &str) -> Result<Title, ParseTitleError> {
        let mut titles = Title::ALL.iter();
        titles
            .find(|title| title.as_str().eq_ignore_ascii_case(text))
            .copied()
            .ok_or(ParseTitleError)
    }
}
