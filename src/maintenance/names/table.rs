//! Canonical names by a table of decisions of the user.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::evidence::DECIDED;
use super::findings::table_of;
use crate::cleaning::names::{NameConflict, NameRow};
use crate::storage::{CanonicalName, NameTable};

/// The canonical name that each spelling of a table of decisions leads to, which may itself be a spelling of another
/// name.
type NextNames<'n> = HashMap<&'n str, &'n str, RandomState>;

/// The canonical names by a table of decisions for one kind of names; `None` if the table has no row of this kind.
///
/// If a canonical name is itself a spelling of another name, the other name is used. It is used also for the spellings
/// that had the first name `before`, so that proposals join whole groups. Rows that are only proposed are skipped.
///
/// # Errors
/// When rows contradict each other.
pub(super) fn decisions(
    rows: &[NameRow],
    table: NameTable,
    texts: &[String],
    before: &[CanonicalName],
) -> Result<Option<Vec<CanonicalName>>, NameConflict> {
    let rows_of_table: Vec<&NameRow> = rows
        .iter()
        .filter(|row| table_of(row.kind) == Some(table) && row.is_accepted)
        .collect();
    if rows_of_table.is_empty() {
        return Ok(None);
    }
    let mut names = next_names(&rows_of_table, before)?;

    // A canonical name that games have is a spelling, too. It is assigned to itself.
    let texts_by_form = texts_by_form(texts);
    let canonical: Vec<&str> = names.values().copied().collect();
    for name in canonical {
        if texts_by_form.contains_key(name) {
            names.entry(name).or_insert(name);
        }
    }

    let mut decisions = Vec::with_capacity(names.len());
    for &form in names.keys() {
        let name = end_of_chain(form, &names)?;
        // The decision for a spelling that no game has is stored for games that are imported later.
        let spellings = match texts_by_form.get(form) {
            Some(texts) => texts.as_slice(),
            None => std::slice::from_ref(&form),
        };

        for &spelling in spellings {
            decisions.push(CanonicalName {
                spelling: spelling.to_owned(),
                name: name.to_owned(),
                source: DECIDED.to_owned(),
                why: String::new(),
            });
        }
    }
    Ok(Some(decisions))
}

/// The names by the rows of a table, and by the rows before for spellings whose earlier name is a spelling now.
fn next_names<'n>(
    rows: &[&'n NameRow],
    before: &'n [CanonicalName],
) -> Result<NextNames<'n>, NameConflict> {
    let mut names = NextNames::default();
    for row in rows {
        if row.spelling == row.canonical {
            continue;
        }

        let earlier = names.insert(&row.spelling, &row.canonical);
        if let Some(one) = earlier
            && one != row.canonical
        {
            return Err(NameConflict::TwoNames {
                spelling: row.spelling.clone(),
                one: one.to_owned(),
                other: row.canonical.clone(),
            });
        }
    }
    for row in before {
        if names.contains_key(row.name.as_str()) && row.spelling != row.name {
            names.entry(&row.spelling).or_insert(&row.name);
        }
    }

    // A row that assigns a spelling to itself comes last. A row that assigns another name to this spelling is stronger.
    for row in rows {
        if row.spelling == row.canonical {
            names.entry(&row.spelling).or_insert(&row.canonical);
        }
    }
    Ok(names)
}

/// The canonical name at the end of a chain.
fn end_of_chain<'n>(spelling: &'n str, names: &NextNames<'n>) -> Result<&'n str, NameConflict> {
    let mut name = spelling;

    // A chain without a circle has at most all spellings.
    for _ in 0..=names.len() {
        match names.get(name) {
            Some(&next) if next != name => name = next,
            _ => return Ok(name),
        }
    }

    Err(NameConflict::Circle(spelling.to_owned()))
}

/// Names of the database by the form that they have in a table.
fn texts_by_form(texts: &[String]) -> HashMap<String, Vec<&str>, RandomState> {
    let mut by_form: HashMap<String, Vec<&str>, RandomState> = HashMap::default();
    for text in texts {
        let texts_of_form = by_form.entry(form_in_table(text)).or_default();
        texts_of_form.push(text);
    }
    by_form
}

/// A name as a table has it: tabs and line breaks separate cells and rows, and spaces around a cell are not
/// significant.
fn form_in_table(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cleaning::names::read_name_table;

    /// The spellings and names of players by a table, for a database with some texts and earlier names.
    fn decided(
        table: &str,
        texts: &[&str],
        before: &[(&str, &str)],
    ) -> Result<String, NameConflict> {
        let rows = read_name_table(table).expect("a table");
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        let before: Vec<CanonicalName> = before
            .iter()
            .map(|&(spelling, name)| CanonicalName {
                spelling: spelling.to_owned(),
                name: name.to_owned(),
                source: "form".to_owned(),
                why: String::new(),
            })
            .collect();

        let found = decisions(&rows, NameTable::Player, &texts, &before)?;

        let mut names: Vec<String> = found
            .unwrap_or_default()
            .into_iter()
            .map(|row| format!("{} is {}", row.spelling, row.name))
            .collect();
        names.sort();
        Ok(names.join("; "))
    }

    macro_rules! decides {
        ($($name:ident: $table:literal, $texts:expr, $before:expr => $names:literal;)*) => {
            $(#[test] fn $name() {
                assert_eq!(decided($table, &$texts, &$before).as_deref(), Ok($names));
            })*
        };
    }

    decides! {
        spelling: "Tal\tTal M\n", ["Tal M"], [] => "Tal M is Tal";
        name_that_games_have: "Tal\tTal M\n", ["Tal", "Tal M"], [] => "Tal M is Tal; Tal is Tal";
        spelling_that_no_game_has: "Tal\tTal M\n", [], [] => "Tal M is Tal";
        chain: "B\tA\nC\tB\n", ["A", "B"], [] => "A is C; B is C";
        earlier_name: "C\tB\n", ["A", "B"], [("A", "B")] => "A is C; B is C";
        earlier_name_of_another: "C\tB\n", ["A", "B"], [("A", "D")] => "B is C";
        own_name: "Tal\tTal\n", ["Tal"], [] => "Tal is Tal";
        own_name_and_another: "Tal\tTal\nTal, M\tTal\n", ["Tal"], [] => "Tal is Tal, M";
        tab_in_a_name: "Tal\tTal M\n", ["Tal\tM"], [] => "Tal\tM is Tal";
        proposal: "?player\tTal\tTal M\n", ["Tal M"], [] => "";
        other_kind: "site\tRome\tRoma\n", ["Roma"], [] => "";
    }

    #[test]
    fn contradictions_are_errors() {
        let two_names = NameConflict::TwoNames {
            spelling: "A".to_owned(),
            one: "B".to_owned(),
            other: "C".to_owned(),
        };
        assert_eq!(decided("B\tA\nC\tA\n", &[], &[]), Err(two_names));

        let circle = decided("B\tA\nA\tB\n", &[], &[]);
        assert!(matches!(circle, Err(NameConflict::Circle(_))), "{circle:?}");
    }
}
