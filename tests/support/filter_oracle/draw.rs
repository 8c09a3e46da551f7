//! Draws queries from games, so that answers are neither always empty nor always everything.

use super::{Condition, FilterQuery, Known};
use crate::support::random::Random;

/// Conditions with a list of values, one of which is drawn.
const FIXED: [(&str, &[&str]); 19] = [
    ("--eco", &["B90", "B9", "B", "C-D", "A00-B2", "E99", "D15"]),
    (
        "--ending",
        &[
            "checkmate",
            "stalemate,checkmate",
            "insufficient-material",
            "threefold",
            "fivefold,fifty-moves",
            "fifty-moves",
            "seventy-five-moves",
        ],
    ),
    ("--title", &["GM", "IM,WGM", "BOT", "NM"]),
    (
        "--variant",
        &[
            "standard",
            "chess960",
            "three-check",
            "king of the hill",
            "atomic",
            "crazyhouse,chess960",
            "other",
            "Atomic,standard",
            "fischerandom",
            "antichess",
        ],
    ),
    (
        "--speed",
        &[
            "blitz",
            "bullet,ultrabullet",
            "rapid",
            "classical",
            "correspondence",
        ],
    ),
    ("--result", &["1-0", "0-1,1/2-1/2", "*", "1/2-1/2"]),
    (
        "--comment",
        &[
            "good move",
            "novelty",
            "ete",
            "nov*",
            "a good*",
            "better than nf6",
            "nf*",
            "clk",
            "0 05",
            "",
            "зевнул",
            "theoretical novelty indeed",
            "no and",
            "instead",
            "Tal",
            "uberrasch*",
            "eval 0",
            "move a",
            "nf3*",
        ],
    ),
    ("--blunder", &["white", "black", "any"]),
    ("--swing", &["300", "..50", "100..400", "=2000", "15"]),
    ("--accuracy", &["..90", "20", "..40", "0"]),
    ("--white-accuracy", &["..80", "50..95", "=100"]),
    ("--black-accuracy", &["..50", "60"]),
    ("--blunder-time", &["..10", "5..60", "60", "..30"]),
    ("--time-left", &["..10", "5..60", "60", "=0", "..8"]),
    ("--winner", &["higher-rated", "lower-rated"]),
    ("--start", &["standard", "standard", "fen", "odds"]),
    ("--complete", &[""]),
    (
        "--line",
        &[
            "e4 e5 Nf3",
            "e4 e5 Nf3 Nc6 Bb5",
            "d4 d5 c4",
            "Nf3 Nf6 Ng1 Ng8 e4",
            "e4",
            "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3",
            "Nf3 c5 e4 d6",
            "e4 c5 Nf3 d6 d4",
            "a3 a6 h3 h6 a4",
        ],
    ),
    (
        "--where",
        &[
            "white_elo BETWEEN 2000 AND 2600",
            "ply_count % 2 = 1",
            "white = black",
            "result = '1-0' OR result = '0-1'",
            "fen IS NOT NULL",
        ],
    ),
];

/// Conditions with a value of a game.
const DRAWN: [&str; 15] = [
    "--player",
    "--white",
    "--black",
    "--event",
    "--site",
    "--opening",
    "--since",
    "--until",
    "--elo",
    "--white-elo",
    "--black-elo",
    "--mean-elo",
    "--plies",
    "--annotated",
    "--tag",
];

/// A query of one to four conditions.
pub(crate) fn random_query(games: &[Known], random: &mut Random) -> FilterQuery {
    let count = 1 + random.below(4);
    let mut query = FilterQuery {
        is_exact: random.once_in(4),
        ..FilterQuery::default()
    };

    while query.conditions.len() < count {
        let condition = condition(games, random, query.is_exact);
        let has_option = |(option, _): &Condition| *option == condition.0;
        let is_repeated = query.conditions.iter().any(has_option);
        if !is_repeated || REPEATABLE.contains(&condition.0) {
            query.conditions.push(condition);
        }
    }

    // `--exact` needs a name, without which the command line refuses it.
    let mut options = query.conditions.iter().map(|(option, _)| option);
    let has_name = options.any(|option| NAMES.contains(option));
    query.is_exact &= has_name;
    query
}

/// The options that `--exact` affects.
const NAMES: [&str; 6] = [
    "--player",
    "--white",
    "--black",
    "--event",
    "--site",
    "--opening",
];

/// The options that may be repeated.
const REPEATABLE: [&str; 8] = [
    "--player",
    "--white",
    "--black",
    "--event",
    "--site",
    "--opening",
    "--tag",
    "--comment",
];

fn condition(games: &[Known], random: &mut Random, is_exact: bool) -> Condition {
    // Each option is as likely as any other.
    let at = random.below(FIXED.len() + DRAWN.len());
    if let Some((option, values)) = FIXED.get(at) {
        return (option, (*random.choose(values)).to_owned());
    }

    let option = DRAWN[at - FIXED.len()];
    let game = random.choose(games);
    let value = match option {
        "--player" | "--white" => name(game.white.as_deref(), is_exact, random),
        "--black" => name(game.black.as_deref(), is_exact, random),
        "--event" => name(game.event.as_deref(), is_exact, random),
        "--site" => name(game.site.as_deref(), is_exact, random),
        "--opening" => name(game.opening.as_deref(), is_exact, random),
        "--since" | "--until" => date(game, random),
        "--plies" => bounds(game.plies, random),
        "--annotated" => String::new(),
        "--tag" => tag(game, random),
        // The other options are about ratings.
        _ => {
            let elo = game.elo[random.below(2)];
            bounds(elo.unwrap_or(2222), random)
        }
    };
    (option, value)
}

/// A name, or prefixes of some of its words in another order.
fn name(name: Option<&str>, is_exact: bool, random: &mut Random) -> String {
    let name = name.unwrap_or("Nobody").replace('"', "");
    if is_exact {
        return name;
    }

    let mut words = Vec::new();
    for word in name.split(|letter: char| !letter.is_alphanumeric() && letter.is_ascii()) {
        let letters = 1 + random.below(word.chars().count().max(1));
        let beginning: String = word.chars().take(letters).collect();
        match random.below(5) {
            0 => words.push(beginning.to_uppercase()),
            1 => {}
            _ => words.push(beginning),
        }
    }
    words.reverse();
    words.join(" ")
}

/// A date in the year of a game, in one of the forms that the options accept.
fn date(game: &Known, random: &mut Random) -> String {
    let date = game.date.as_deref().unwrap_or("1951");
    let digits = date.chars().take(4).filter(char::is_ascii_digit);
    let mut year: String = digits.collect();
    if year.len() != 4 || year == "0000" {
        year = "1950".to_owned();
    }

    let month = 1 + random.below(12);
    let day = 1 + random.below(31);
    match random.below(4) {
        0 => year,
        1 => format!("{year}.{month:02}"),
        2 => format!("{year}-{month:02}-{day:02}"),
        _ => format!("{year}.{month:02}.??"),
    }
}

fn bounds(number: u32, random: &mut Random) -> String {
    let other = number + random.below(300) as u32;
    match random.below(5) {
        0 => format!("{number}.."),
        1 => format!("..{number}"),
        2 => format!("{number}..{other}"),
        3 => format!("={number}"),
        _ => number.to_string(),
    }
}

fn tag(game: &Known, random: &mut Random) -> String {
    if game.tags.is_empty() || random.once_in(20) {
        return "Annotator=Nobody".to_owned();
    }
    match random.below(20) {
        0 => return "WhiteElo>=2222".to_owned(),
        1 => return "Event<>Casual game".to_owned(),
        _ => {}
    }

    let (name, value) = random.choose(&game.tags);
    if random.once_in(4) {
        name.clone()
    } else {
        // Values are read without the spaces at either end.
        format!("{name}={}", value.trim())
    }
}
