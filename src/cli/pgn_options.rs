//! Options for the form of PGN output.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Outcome;
use super::args::formats::GameForm;
use super::args::movetext::MovetextArguments;
use super::args::usage::{Checked, refuse_first};
use super::args::values::problem_file;
use super::changes::Changes;
use super::output::create_if_any;
use super::remarks::Remarks;
use super::same_file::is_same_file;
use stamma::error::{Error, Result};
use stamma::export::{Comments, FilledTags, Nags, PgnForm, PgnWriter, Tags, Variations};
use stamma::storage::OpeningTable;

/// The parts of games to write, their form, and the repairs.
#[derive(Args, Debug)]
pub(super) struct PgnOptions {
    /// The comments to write
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Comments::Keep)]
    comments: Comments,
    /// How to treat variations
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Variations::Keep)]
    variations: Variations,
    /// The form of NAGs
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Nags::Keep)]
    nags: Nags,
    /// The tags to write: all, none, roster (the seven of the standard), or names like White,Black,ECO. With * for all
    /// others, names are an order, and those behind - are left out: 'White,Black,*,-Annotator'
    #[arg(
        long,
        value_name = "LIST",
        default_value = "all",
        allow_hyphen_values = true
    )]
    tags: Tags,
    /// Write only what the PGN standard allows, and report what was left out or changed
    #[arg(long)]
    strict: bool,
    /// Repair results, dates and missing tags
    #[arg(long)]
    fix: bool,
    /// Write tags where they are missing, from the moves: eco (ECO), opening (Opening, Variation, SubVariation),
    /// plycount (PlyCount)
    #[arg(
        long,
        value_enum,
        value_name = "TAGS",
        value_delimiter = ',',
        ignore_case = true,
        hide_possible_values = true
    )]
    fill: Vec<FilledTags>,
    /// Write tags where they are missing or say something else: eco, opening, plycount
    #[arg(
        long,
        value_enum,
        value_name = "TAGS",
        value_delimiter = ',',
        ignore_case = true,
        hide_possible_values = true
    )]
    replace: Vec<FilledTags>,
    /// Write a JSON object for each problem of the input, and for everything repaired, left out or changed
    #[arg(long, value_name = "FILE", value_parser = problem_file)]
    problems: Option<PathBuf>,
    /// Write every change: as comma-separated values if FILE ends with .csv, otherwise as a JSON object per line
    #[arg(long, value_name = "FILE", value_parser = problem_file)]
    report: Option<PathBuf>,
    #[command(flatten)]
    movetext: MovetextArguments,
}

impl PgnOptions {
    /// The options for the library.
    fn pgn_form(&self) -> PgnForm {
        PgnForm {
            comments: self.comments,
            variations: self.variations,
            nags: self.nags,
            tags: self.tags.clone(),
            strict: self.strict,
            fix: self.fix,
            fill: self.fill.clone(),
            replace: self.replace.clone(),
            cut: self.movetext.cut(),
            movetext: self.movetext.form(),
        }
    }

    /// The writer for these options, with a table of openings.
    pub(super) fn writer<'w>(
        &self,
        written: &'w GameForm,
        openings: OpeningTable,
    ) -> PgnWriter<'w> {
        PgnWriter {
            style: written.style(),
            form: self.pgn_form(),
            openings,
            names: None,
        }
    }

    /// These options, with tags repaired and the tags of the opening filled in.
    pub(super) fn cleaning(mut self) -> PgnOptions {
        self.fix = true;
        self.fill.extend([FilledTags::Eco, FilledTags::Opening]);
        self
    }

    /// Refuses options that only PGN supports.
    ///
    /// # Errors
    /// When such an option is given.
    pub(super) fn check_not_pgn(&self) -> Checked {
        refuse_first([
            (
                self.comments != Comments::Keep,
                "--comments needs --format pgn",
            ),
            (
                self.variations != Variations::Keep,
                "--variations needs --format pgn",
            ),
            (self.nags != Nags::Keep, "--nags needs --format pgn"),
            (self.tags != Tags::All, "--tags needs --format pgn"),
            (self.strict, "--strict needs --format pgn"),
            (self.fix, "--fix needs --format pgn"),
            (!self.fill.is_empty(), "--fill needs --format pgn"),
            (!self.replace.is_empty(), "--replace needs --format pgn"),
            (self.problems.is_some(), "--problems needs --format pgn"),
            (self.report.is_some(), "--report needs --format pgn"),
        ])?;
        self.movetext.check_not_pgn()
    }

    /// `true` if commands in comments are written.
    pub(super) fn writes_commands(&self) -> bool {
        matches!(self.comments, Comments::Keep | Comments::CommandsOnly)
    }

    /// With `--strict`, refuses options that the PGN standard does not allow.
    ///
    /// # Errors
    /// When such an option is given.
    pub(super) fn check_strict(&self, written: &GameForm) -> Checked {
        if !self.strict {
            return Ok(());
        }

        // The rows are rules of the export format: PGN §8.2.3, §10, and §8.1.1 for both rows on tags.
        refuse_first([
            (
                !written.style().is_canonical(),
                "--strict cannot be used with --notation and --pieces: the standard has SAN in English only",
            ),
            (
                matches!(self.nags, Nags::Suffixes | Nags::Glyphs),
                "--strict cannot be used with --nags suffixes or glyphs: the standard has numbers",
            ),
            (
                self.tags == Tags::None,
                "--strict cannot be used with --tags none: each game has the seven tag roster",
            ),
            (
                matches!(self.tags, Tags::Ordered { .. }),
                "--strict cannot be used with * in --tags: the seven tag roster comes first",
            ),
        ])?;
        self.movetext.check_strict()
    }

    /// Calls `run` with a collector of remarks, which writes to files if they are requested.
    pub(super) fn with_remarks(
        &self,
        run: impl FnOnce(&mut Remarks<'_>) -> Result<Outcome>,
    ) -> Result<Outcome> {
        let mut problems = create_if_any(self.problems.as_deref())?;
        let mut report = create_if_any(self.report.as_deref())?;

        let named_report = self.report.as_deref().zip(report.as_mut());
        let changes = Changes::new(named_report)?;
        let outcome = run(&mut Remarks::new(problems.as_mut(), changes))?;

        for file in [problems, report].into_iter().flatten() {
            file.finish(outcome)?;
        }
        Ok(outcome)
    }

    /// Refuses a file of remarks that is the file of games, and two files of remarks that are one file.
    pub(super) fn refuse_logs_in(&self, output: Option<&Path>) -> Result<()> {
        if let (Some(problems), Some(report)) = (&self.problems, &self.report)
            && is_same_file(problems, report)
        {
            return Err(Error::WouldOverwriteInput(report.clone()));
        }

        for log in self.logs() {
            if output.is_some_and(|output| is_same_file(log, output)) {
                return Err(Error::WouldOverwriteInput(log.to_owned()));
            }
        }
        Ok(())
    }

    /// The paths of the files that receive remarks.
    pub(super) fn logs(&self) -> impl Iterator<Item = &Path> {
        [&self.problems, &self.report]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
    }
}
