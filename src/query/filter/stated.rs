//! Filters as JSON objects. A database stores the filter of an import with its sources.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde_json::Value;

use super::{Filter, Mover, NameQuery, PlayersAre, QualityFilter, StartKind, Winner};

impl Filter {
    /// The conditions as a JSON object with the names of the fields. Equal filters have equal texts. `None` if every game
    /// matches.
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
        stated.list("player", players.iter().map(name));
        stated.list("white", white.iter().map(name));
        stated.list("black", black.iter().map(name));
        stated.list("event", event.iter().map(name));
        stated.list("site", site.iter().map(name));
        stated.value("since", *since);
        stated.value("until", *until);
        stated.list("result", results.iter().map(|result| result.as_str()));
        stated.list("opening", openings.iter().map(name));
        stated.list("eco", eco);
        stated.value("elo", *elo);
        stated.value("white_elo", *white_elo);
        stated.value("black_elo", *black_elo);
        stated.value("mean_elo", *mean_elo);
        stated.list("mean_elo_groups", mean_elo_groups);
        stated.value("winner", rating_of_winner);
        stated.value("plies", *plies);
        stated.quality(*quality);
        stated.value("start", start.map(StartKind::as_str));
        stated.value("complete", complete.then_some(true));
        stated.value("no_bad_results", no_bad_results.then_some(true));
        stated.list("ending", endings.iter().map(|ending| ending.as_str()));
        stated.list("title", titles.iter().map(|title| title.as_str()));
        stated.list("variant", variants);
        stated.list("speed", speeds.iter().map(|speed| speed.as_str()));
        stated.value("players_are", kind_of_players);
        stated.value("annotated", annotated.then_some(true));
        stated.list("comment", comments);
        stated.list("tag", tags);
        stated.value("line", line.as_ref().map(|line| line.san()));
        stated.value("where", condition.as_ref());
        stated.value("unique", unique.then_some(true));
        stated.value("sample", sample.map(|sample| sample.fraction.get()));
        stated.value("seed", sample.map(|sample| sample.seed));

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
    /// States a condition, if there is one.
    fn value(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value.to_string().into());
        }
    }

    /// States the conditions on moves and clocks.
    fn quality(&mut self, quality: QualityFilter) {
        let QualityFilter {
            blunder,
            swing,
            accuracy,
            white_accuracy,
            black_accuracy,
            time_left,
            blunder_time,
        } = quality;

        self.value("blunder", blunder.map(Mover::as_str));
        self.value("swing", swing);
        self.value("accuracy", accuracy);
        self.value("white_accuracy", white_accuracy);
        self.value("black_accuracy", black_accuracy);
        self.value("time_left", time_left);
        self.value("blunder_time", blunder_time);
    }

    /// States a condition with several values, if there are any. The order of the values does not matter to a filter.
    fn list(&mut self, name: &str, values: impl IntoIterator<Item = impl Display>) {
        let mut texts: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
        texts.sort_unstable();
        texts.dedup();
        if !texts.is_empty() {
            self.0.insert(name.to_owned(), texts.into());
        }
    }
}

/// The name as it is typed.
fn name(query: &NameQuery) -> String {
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
