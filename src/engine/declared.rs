//! The options that an engine declares during the handshake, and the values that it accepts.

use super::failure::{EngineFailure, beginning};

/// The maximum number of declared options that are kept. Further options are ignored.
pub(super) const MAX_OPTIONS: usize = 1000;
/// The maximum size of a value. A longer value is not sent: the engine may not read while it writes.
const MAX_VALUE_BYTES: usize = 4096;

/// An option that an engine declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredOption {
    pub(super) name: String,
    kind: OptionKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionKind {
    Check,
    Spin { min: i64, max: i64 },
    Combo(Vec<String>),
    Button,
    Text,
}

impl DeclaredOption {
    /// Reads the rest of an `option` line; `None` if the type of the option is unknown.
    pub(super) fn read(line: &str) -> Option<DeclaredOption> {
        let declaration = line.trim().strip_prefix("name ")?;
        // A name may have several words, such as `Clear Hash`.
        let (name, rest) = declaration.split_once(" type ")?;

        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let (type_name, parameters) = words.split_first()?;
        let kind = match *type_name {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: number_behind(parameters, "min").unwrap_or(i64::MIN),
                max: number_behind(parameters, "max").unwrap_or(i64::MAX),
            },
            "combo" => OptionKind::Combo(texts_behind(parameters, "var")),
            "button" => OptionKind::Button,
            "string" => OptionKind::Text,
            _ => return None,
        };

        Some(DeclaredOption {
            name: beginning(name.trim()),
            kind,
        })
    }

    /// Returns `true` for the name of this option. UCI compares names without regard to case.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.trim())
    }

    /// The command that sets the option.
    ///
    /// # Errors
    /// When the option does not accept the value.
    pub(super) fn command(&self, value: &str) -> Result<String, EngineFailure> {
        let name = &self.name;
        let wrong = |why: String| EngineFailure::WrongValue {
            name: name.clone(),
            why,
        };

        // A second line would be another command.
        let is_one_line = !value.contains(char::is_control);
        if value.len() > MAX_VALUE_BYTES || !is_one_line {
            let why = format!("give one line of at most {MAX_VALUE_BYTES} bytes");
            return Err(wrong(why));
        }

        match &self.kind {
            OptionKind::Check if !matches!(value, "true" | "false") => {
                return Err(wrong("give true or false".to_owned()));
            }
            OptionKind::Spin { min, max } => {
                let fits = value
                    .parse()
                    .is_ok_and(|number: i64| (*min..=*max).contains(&number));
                if !fits {
                    return Err(wrong(format!("give a number from {min} to {max}")));
                }
            }
            OptionKind::Combo(choices) => {
                let is_choice = choices
                    .iter()
                    .any(|choice| choice.eq_ignore_ascii_case(value));
                if !is_choice {
                    return Err(wrong(format!("give one of {}", choices.join(", "))));
                }
            }
            OptionKind::Button if value.is_empty() => {
                return Ok(format!("setoption name {name}"));
            }
            OptionKind::Button => {
                return Err(wrong("this is a button, without a value".to_owned()));
            }
            OptionKind::Check | OptionKind::Text => {}
        }

        Ok(format!("setoption name {name} value {value}"))
    }
}

/// The number right behind the first `key`; `None` without the key or a number.
fn number_behind(words: &[&str], key: &str) -> Option<i64> {
    let at = words.iter().position(|word| *word == key)?;
    words.get(at + 1)?.parse().ok()
}

/// The texts behind each `key`, which may have several words.
fn texts_behind(words: &[&str], key: &str) -> Vec<String> {
    let parts = words.split(|word| *word == key);
    // The first part stands before all keys.
    parts.skip(1).map(|part| part.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(line: &str) -> DeclaredOption {
        DeclaredOption::read(line).expect("an option")
    }

    #[test]
    fn values_are_compared_with_what_is_declared() {
        let hash = option("name Hash type spin default 16 min 1 max 1024");
        let ponder = option("name Ponder type check default false");
        let style = option("name Style type combo default Normal var Solid var Very Risky");
        let clear = option("name Clear Hash type button");
        let path = option("name SyzygyPath type string default <empty>");
        assert!(clear.has_name("clear hash"));

        let set_hash = hash.command("64").expect("a command");
        assert_eq!(set_hash, "setoption name Hash value 64");
        let press_clear = clear.command("").expect("a command");
        assert_eq!(press_clear, "setoption name Clear Hash");
        assert!(style.command("very risky").is_ok());
        assert!(path.command("/tables:/more").is_ok());

        let too_small = hash.command("0").expect_err("too small").to_string();
        assert_eq!(too_small, "option Hash: give a number from 1 to 1024");
        let no_choice = style.command("Wild").expect_err("no choice").to_string();
        assert_eq!(no_choice, "option Style: give one of Solid, Very Risky");
        for (option, value) in [
            (&hash, "many"),
            (&hash, "99999999999999999999"),
            (&ponder, "yes"),
            (&clear, "1"),
            (&path, "/tables\nquit"),
        ] {
            assert!(option.command(value).is_err(), "{value}");
        }
    }

    #[test]
    fn odd_declarations_are_passed_over() {
        for line in [
            "",
            "name",
            "name Hash",
            "name Hash type",
            "name Hash type slider",
            "type spin",
        ] {
            assert_eq!(DeclaredOption::read(line), None, "{line}");
        }
    }
}
