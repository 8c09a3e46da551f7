//! Filters as JSON objects. A database stores the filter of an import with its sources.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde_json::Value;

use super::{Filter, Mover, NameQuery, PlayersAre, QualityFilter, StartKind, Winner};

impl Filter {
    /// The conditions as a JSON object with the names of the fields. Equal filters have equal texts. `None` if every
    /// game matches.
    pub(crate) fn to_json(&self) -> Option<String> {
        // Named one by one, so that the compiler reports a new field that is not stated here.
        let Filter {
            players,
            white,
            black,
            event,
            site,
            since,
            until,
            results,
            openings,
            eco,
            elo,
            white_elo,
            black_elo,
            mean_elo,
            mean_elo_groups,
            winner,
            plies,
            quality,
            start,
            complete,
            no_bad_results,
            endings,
            titles,
            variants,
            speeds,
            players_are,
            annotated,
            comments,
            tags,
            line,
            condition,
            unique,
            sample,
        } = self;
        let kind_of_players = match players_are {
            Some(PlayersAre::Humans) => Some("humans"),
            Some(PlayersAre::Engines) => Some("engines"),
            None => None,
        };
        let rating_of_winner = match winner {
            Some(Winner::HigherRated) => Some("higher-rated"),
            Some(Winner::LowerRated) => Some("lower-rated"),
            None => None,
        };

        let mut stated = Stated(BTreeMap::new());
        stated.insert_list("player", players.iter().map(typed_name));
        stated.insert_list("white", white.iter().map(typed_name));
        stated.insert_list("black", black.iter().map(typed_name));
        stated.insert_list("event", event.iter().map(typed_name));
        stated.insert_list("site", site.iter().map(typed_name));
        stated.insert("since", *since);
        stated.insert("until", *until);
        stated.insert_list("result", results.iter().map(|result| result.as_str()));
        stated.insert_list("opening", openings.iter().map(typed_name));
        stated.insert_list("eco", eco);
        stated.insert("elo", *elo);
        stated.insert("white_elo", *white_elo);
        stated.insert("black_elo", *black_elo);
        stated.insert("mean_elo", *mean_elo);
        stated.insert_list("mean_elo_groups", mean_elo_groups);
        stated.insert("winner", rating_of_winner);
        stated.insert("plies", *plies);
        stated.insert_quality(*quality);
        stated.insert("start", start.map(StartKind::as_str));
        stated.insert("complete", complete.then_some(true));
        stated.insert("no_bad_results", no_bad_results.then_some(true));
        stated.insert_list("ending", endings.iter().map(|ending| ending.as_str()));
        stated.insert_list("title", titles.iter().map(|title| title.as_str()));
        stated.insert_list("variant", variants);
        stated.insert_list("speed", speeds.iter().map(|speed| speed.as_str()));
        stated.insert("players_are", kind_of_players);
        stated.insert("annotated", annotated.then_some(true));
        stated.insert_list("comment", comments);
        stated.insert_list("tag", tags);
        stated.insert("line", line.as_ref().map(|line| line.san()));
        stated.insert("where", condition.as_ref());
        stated.insert("unique", unique.then_some(true));
        stated.insert("sample", sample.map(|sample| sample.fraction.get()));
        stated.insert("seed", sample.map(|sample| sample.seed));

        let Stated(object) = stated;
        if object.is_empty() {
            return None;
        }
        Some(Value::from_iter(object).to_string())
    }
}

/// The conditions of a filter by their names. The map is sorted, so that equal filters have equal texts.
struct Stated(BTreeMap<String, Value>);

impl Stated {
    /// Inserts a condition, if there is one.
    fn insert(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value.to_string().into());
        }
    }

    /// Inserts the conditions on moves and clocks.
    fn insert_quality(&mut self, quality: QualityFilter) {
        let QualityFilter {
            blunder,
            swing,
            accuracy,
            white_accuracy,
            black_accuracy,
            time_left,
            blunder_time,
        } = quality;

        self.insert("blunder", blunder.map(Mover::as_str));
        self.insert("swing", swing);
        self.insert("accuracy", accuracy);
        self.insert("white_accuracy", white_accuracy);
        self.insert("black_accuracy", black_accuracy);
        self.insert("time_left", time_left);
        self.insert("blunder_time", blunder_time);
    }

    /// Inserts a condition with several values, if there are any. The order of the values does not matter to a filter.
    fn insert_list(&mut self, name: &str, values: impl IntoIterator<Item = impl Display>) {
        let mut texts: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
        texts.sort_unstable();
        texts.dedup();
        if !texts.is_empty() {
            self.0.insert(name.to_owned(), texts.into());
        }
    }
}

/// The text that a user types for a name query.
fn typed_name(query: &NameQuery) -> String {
    let sign = if query.is_exact { "=" } else { "" };
    let text = &query.text;
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::super::Bounds;
    use super::*;

    #[test]
    fn equal_filters_are_equal_texts() {
        assert_eq!(Filter::default().to_json(), None);

        let filter = |elo: &str, eco: [&str; 2]| Filter {
            elo: Some(elo.parse::<Bounds>().expect("bounds")),
            eco: eco.map(|codes| codes.parse().expect("codes")).to_vec(),
            players: vec!["=Tal, Mikhail".into(), "spassky".into()],
            ..Filter::default()
        };
        let stated = filter("2000", ["B90", "A"]).to_json();
        let expected =
            r#"{"eco":["A00-A99","B90"],"elo":"2000..","player":["=Tal, Mikhail","spassky"]}"#;
        assert_eq!(stated.as_deref(), Some(expected));

        let written_otherwise = filter("2000..", ["A00-A99", "B90-B90"]);
        assert_eq!(stated, written_otherwise.to_json());
        let other_elo = filter("=2000", ["A", "B90"]);
        assert_ne!(stated, other_elo.to_json());
    }
}
