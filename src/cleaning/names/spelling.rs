//! A spelling with what is known of it, and the evidence that joins it to others.

/// A spelling of a player's name, and what is known of its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spelling<'n> {
    /// As it is written.
    pub text: &'n str,
    /// How many games have it.
    pub games: u32,
    /// The year of the first of them; 0 for unknown.
    pub first_year: u16,
    /// The year of the last.
    pub last_year: u16,
    /// The FIDE id in their tags; 0 for none.
    pub fide_id: u32,
    /// The player of the user's list, as a number from 1; 0 for none.
    pub listed: u32,
    /// The player that the user has decided for, as a number from 1; 0 for none.
    pub decided: u32,
    /// The player to which it has been joined before, as a number from 1; 0 for none.
    pub applied: u32,
    /// `true` if the user has decided to join it with no other.
    pub is_alone: bool,
}

/// Why a spelling belongs to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameSource {
    /// A decision of the user.
    File,
    /// The list of the user.
    List,
    /// The same FIDE id.
    FideId,
    /// Joined before.
    Applied,
    /// The same game.
    Twins,
    /// The form of the name.
    Form,
}

impl NameSource {
    /// Its name in output.
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
}
