//! Options as they were spelled on the command line.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use super::formats::GamesRead;
use super::game_query::GameQuery;

/// The options that select and read games, as typed: a text for each value, like `--elo 2600`, in the order of the
/// names of options. Defaults are not included.
///
/// This type adds no option to a command. A field of this type must precede the fields whose options it copies, since
/// the parser of each field removes the values of its options.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct SpelledOptions(pub(in crate::cli) Vec<String>);

/// The id of the option for the size limit of games.
const MAX_GAME: &str = "max_game";

impl FromArgMatches for SpelledOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SpelledOptions, Error> {
        let known = GamesRead::augment_args(GameQuery::augment_args(Command::new("games")));
        let mut ids = vec![MAX_GAME.to_owned()];
        for argument in known.get_arguments() {
            ids.push(argument.get_id().to_string());
        }
        ids.sort_unstable();

        let mut options = Vec::new();
        for id in &ids {
            if matches.value_source(id) == Some(ValueSource::CommandLine) {
                options.extend(option_texts(matches, id));
            }
        }
        Ok(SpelledOptions(options))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = SpelledOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SpelledOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// An option with each of its values; an option without values has the value `true`.
fn option_texts(matches: &ArgMatches, id: &str) -> Vec<String> {
    // clap derives ids from the names of fields.
    let name = id.replace('_', "-");

    let mut texts = Vec::new();
    for value in matches.get_raw(id).into_iter().flatten() {
        texts.push(format!("--{name} {}", value.to_string_lossy()));
    }
    texts
}
