//! Arguments of `stamma names`, and options of other commands for a list of names.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::usage::{Checked, refuse_if};
use stamma::export::PlayerFact;
use stamma::storage::NameTable;

#[derive(Args, Debug)]
pub(in crate::cli) struct Names {
    /// The database
    pub(in crate::cli) database: PathBuf,
    /// Only names of this kind (default: all)
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<NamesOf>,
    /// A list of correct names: Scid's spelling file, FIDE's list as text or XML, or a table of kind, canonical name
    /// and spelling with tabs between them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) names_file: Option<PathBuf>,
    /// Assign canonical names: from a table that --format tsv has written or, without a file, all certain names
    #[arg(long, value_name = "FILE", num_args = 0..=1, value_hint = ValueHint::FilePath)]
    apply: Option<Option<PathBuf>>,
    /// With --apply: print the changes, and change nothing
    #[arg(short = 'n', long, requires = "apply")]
    pub(in crate::cli) dry_run: bool,
    /// Remove canonical names
    #[arg(long, conflicts_with_all = ["dry_run", "apply", "names_file", "format", "limit"])]
    pub(in crate::cli) undo: bool,
    /// The format of the list (default: table, and no list with --apply)
    #[arg(long, value_enum)]
    pub(in crate::cli) format: Option<NamesFormat>,
    /// The most names to list, 0 for all (default: 20 in a table, all in other formats)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// The number of names that a table lists by default.
const DEFAULT_NAMES_IN_TABLE: usize = 20;

impl Names {
    /// The tables of the requested kinds, by default all.
    pub(in crate::cli) fn tables(&self) -> Vec<NameTable> {
        if self.kind.is_empty() {
            return NameTable::ALL.to_vec();
        }

        // The tables are in their usual order, without repetition.
        let requested: Vec<NameTable> = self.kind.iter().map(|kind| kind.table()).collect();
        let mut tables = NameTable::ALL.to_vec();
        tables.retain(|table| requested.contains(table));
        tables
    }

    /// The canonical names to assign.
    pub(in crate::cli) fn applied(&self) -> Applied<'_> {
        match &self.apply {
            None => Applied::Nothing,
            Some(None) => Applied::Certain,
            Some(Some(path)) => Applied::Table(path),
        }
    }

    /// The format of the list; `None` if nothing is listed.
    pub(in crate::cli) fn listed(&self) -> Option<NamesFormat> {
        match self.format {
            Some(format) => Some(format),
            None if self.apply.is_some() => None,
            None => Some(NamesFormat::Table),
        }
    }

    /// The maximum number of names to list.
    pub(in crate::cli) fn limit(&self) -> usize {
        match self.limit {
            Some(0) => usize::MAX,
            Some(limit) => limit,
            None if self.listed() == Some(NamesFormat::Table) => DEFAULT_NAMES_IN_TABLE,
            None => usize::MAX,
        }
    }

    /// Refuses options for a list of names if a table is applied.
    ///
    /// # Errors
    /// When such an option is given.
    pub(in crate::cli) fn check(&self) -> Checked {
        let is_table = matches!(self.applied(), Applied::Table(_));
        let is_listed = self.names_file.is_some() || self.format.is_some() || !self.kind.is_empty();
        refuse_if(
            is_table && is_listed,
            "--apply FILE takes the names of that file as they are, without --names-file, --kind and --format",
        )
    }
}

/// The canonical names to assign to spellings.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) enum Applied<'a> {
    /// No names.
    Nothing,
    /// The certain names.
    Certain,
    /// The names of a table that the user has edited.
    Table(&'a PathBuf),
}

/// The options for the form of names, and for facts about players from a list.
#[derive(Args, Debug)]
pub(in crate::cli) struct NameTagArguments {
    /// The names of players, events and sites, and the form of rounds: canonical or written
    #[arg(long, value_enum, value_name = "WHICH", hide_possible_values = true)]
    pub(in crate::cli) names: Option<WhichNames>,
    /// A list of correct names: Scid's spelling file, FIDE's list as text or XML, or a table of kind, canonical name
    /// and spelling with tabs between them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) names_file: Option<PathBuf>,
    /// Write ratings at the date of the game from the list where there are none
    #[arg(long, requires = "names_file")]
    fill_elo: bool,
    /// Write titles from the list where there are none
    #[arg(long, requires = "names_file")]
    fill_title: bool,
    /// Write FIDE ids from the list where there are none
    #[arg(long, requires = "names_file")]
    fill_fide_id: bool,
}

impl NameTagArguments {
    /// Refuses canonical names in a conversion without a list of names.
    ///
    /// # Errors
    /// When canonical names are requested without a list.
    pub(super) fn check_conversion(&self) -> Checked {
        refuse_if(
            self.names == Some(WhichNames::Canonical) && self.names_file.is_none(),
            "--names canonical needs --names-file, where there is no database",
        )
    }

    /// Refuses a list of which an export would use nothing.
    ///
    /// # Errors
    /// When a list is given without a fact to fill in.
    pub(super) fn check_export(&self) -> Checked {
        refuse_if(
            self.names_file.is_some() && self.fill().is_empty(),
            "--names-file is for --fill-elo, --fill-title and --fill-fide-id; `stamma names` takes names from a list",
        )
    }

    /// The facts that are filled in.
    pub(in crate::cli) fn fill(&self) -> Vec<PlayerFact> {
        let mut facts = Vec::new();
        if self.fill_elo {
            facts.push(PlayerFact::Elo);
        }
        if self.fill_title {
            facts.push(PlayerFact::Title);
        }
        if self.fill_fide_id {
            facts.push(PlayerFact::FideId);
        }
        facts
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum WhichNames {
    /// Canonical names
    Canonical,
    /// As in the games
    Written,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NamesOf {
    /// Players
    Player,
    /// Events
    Event,
    /// Sites
    Site,
}

impl NamesOf {
    /// The table of names of this kind.
    fn table(self) -> NameTable {
        match self {
            NamesOf::Player => NameTable::Player,
            NamesOf::Event => NameTable::Event,
            NamesOf::Site => NameTable::Site,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum NamesFormat {
    /// For reading
    Table,
    /// Kind, canonical name, spelling and reason with tabs between them, to be edited; proposals begin with ?
    Tsv,
    /// A JSON object per line and name
    Jsonl,
}
