//! A spelling of a player's name with facts about its games, and the kinds of evidence that join spellings.

/// A spelling of a player's name, and facts about the games that have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spelling<'n> {
    /// The spelling as it is written.
    pub text: &'n str,
    /// The number of games that have the spelling.
    pub games: u32,
    /// The year of the first game; 0 for unknown.
    pub first_year: u16,
    /// The year of the last game.
    pub last_year: u16,
    /// The FIDE id in the tags of these games; 0 for none.
    pub fide_id: u32,
    /// The player of the user's list, as a number from 1; 0 for none.
    pub listed: u32,
    /// The player to which the user has assigned the spelling, as a number from 1; 0 for none.
    pub decided: u32,
    /// The player to which an earlier run has joined the spelling, as a number from 1; 0 for none.
    pub applied: u32,
    /// `true` if the user has excluded the spelling from joining.
    pub is_alone: bool,
}

/// Why a spelling belongs to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameSource {
    /// A decision of the user.
    File,
    /// The list of the user.
    List,
    /// Equal FIDE ids.
    FideId,
    /// A join of an earlier run.
    Applied,
    /// Copies of one game.
    Twins,
    /// The form of the name.
    Form,
}

impl NameSource {
    /// The name of the evidence in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            NameSource::File => "file",
            NameSource::List => "list",
            NameSource::FideId => "FIDE id",
            NameSource::Applied => "applied",
            NameSource::Twins => "twins",
            NameSource::Form => "form",
        }
    }

    /// `true` for evidence that a user or an earlier run has given, so that the names need not be alike.
    pub(super) const fn is_given(self) -> bool {
        matches!(
            self,
            NameSource::File | NameSource::List | NameSource::Applied
        )
    }
}
