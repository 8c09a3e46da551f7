//! Detection of language and notation of real games in every language: whole and truncated, in files of one language
//! and of many, and up to a fault.
//!
//! With `--nocapture`, a table shows for each language the number of games, how many were reported as ambiguous, and
//! how many short ones were silently read as English, in which they are legal, too.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::rewritten::write_game;
use crate::support::corpus;
use crate::support::program::Workplace;
use stamma::board::{File, Move, Position, Rank, Role, Square};
use stamma::game::Annotations;
use stamma::notation::{LANGUAGES, Language, Notation, Style};
use stamma::replay::replay;
use stamma::storage::{Database, GameId, GameReader};

/// The minimum half-moves of a game that must be read correctly; a shorter game may have a problem.
const LONG_PLIES: usize = 20;

/// A game's text in a language and notation, and the expected reading.
struct ReletteredGame {
    code: &'static str,
    text: String,
    moves: String,
    /// Comments, NAGs and variations; `None` if the game has a fault after its moves.
    annotations: Option<Annotations>,
}

/// A game as imported.
struct ImportedGame {
    moves: String,
    annotations: Annotations,
    /// `true` if its letters are English.
    is_english: bool,
    problems: String,
}

/// The outcome of a game, for the table.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    games: usize,
    ambiguous: usize,
    /// Short, also legal in English, and silently read as English.
    english: usize,
}

/// Counts for each language.
type Table = BTreeMap<&'static str, Count>;

/// A game without faults as Stamma writes it, in English; `None` if it is not chess.
fn clean(text: &str) -> Option<String> {
    let game = replay(text);
    let is_faultless = game.game.is_played && game.game.rest.is_none();

    if is_faultless && game.plies() > 0 {
        Some(write_game(&game, &Style::pgn()))
    } else {
        None
    }
}

/// Games of several collections, and the openings of some.
fn originals(each: usize) -> Option<Vec<String>> {
    let collections = [
        ("archive-10k.pgn", each),
        ("suites/annotated-classics", each / 4),
        ("engines.pgn", each / 16),
    ];

    let mut whole = Vec::new();
    for (name, share) in collections {
        let games = corpus::games(name)?;
        let step = (games.len() / share.max(1)).max(1);
        let chosen = games.iter().step_by(step);
        whole.extend(chosen.filter_map(|text| clean(text)));
    }

    // Short games are those whose language may be ambiguous: openings of every length below `LONG_PLIES`.
    let mut openings = Vec::new();
    for (number, text) in whole.iter().enumerate() {
        openings.extend(opening(text, 1 + number % 19));
    }

    whole.extend(openings);
    Some(whole)
}

/// The first half-moves of a game as a separate game; `None` if it does not start from the usual position.
fn opening(text: &str, plies: usize) -> Option<String> {
    let game = replay(text);
    if game.start.is_some() {
        return None;
    }

    let moves: Vec<&str> = game.game.moves.split(' ').take(plies).collect();
    let opening = format!("[Event \"?\"]\n\n{} *\n\n", moves.join(" "));
    clean(&opening)
}

/// Texts in an order that is independent of their content, the same in every run.
fn scattered(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_by_cached_key(|text| {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        hasher.finish()
    });
    texts
}

fn relettered(text: &str, code: &'static str, style: &Style<'_>) -> ReletteredGame {
    let game = replay(text);
    ReletteredGame {
        code,
        text: write_game(&game, style),
        annotations: Some(game.game.annotations.into_owned()),
        moves: game.game.moves.into_owned(),
    }
}

fn style(language: &'static Language, notation: Notation) -> Style<'static> {
    Style {
        notation,
        letters: &language.letters,
        chess960: false,
    }
}

/// The notations of a language.
fn notations(language: &Language) -> &'static [Notation] {
    // Descriptive notation is English (`P-K4`), or of the languages that put the number first (`P4R`).
    let has_descriptive = language.codes[0] == "en" || language.letters.number_first();
    let all = &[
        Notation::San,
        Notation::Fide,
        Notation::Lan,
        Notation::Descriptive,
    ];

    if has_descriptive { all } else { &all[..3] }
}

fn imported(games: &[ReletteredGame]) -> Vec<ImportedGame> {
    let work = Workplace::new();
    let texts = games.iter().map(|game| &*game.text);
    work.import(texts.collect::<String>());

    let rows = work.query(
        "SELECT moves, language IS NULL,
            coalesce((SELECT group_concat(kind, ' ') FROM problem WHERE game_id = games.id), '')
         FROM games ORDER BY id",
    );

    // The annotations are read by the library, since they are JSON in the row.
    let database = Database::open(work.path("games.db")).expect("a database");
    let mut reader = GameReader::new(&database).expect("a database");
    let mut imported = Vec::new();
    for (id, row) in (1..).zip(rows.lines()) {
        let cells: Vec<&str> = row.splitn(3, '|').collect();
        let [moves, is_english, problems] = cells[..] else {
            panic!("{row}")
        };

        let game = reader.game(GameId::new(id)).expect("a database");
        let game = game.expect("a game");

        imported.push(ImportedGame {
            moves: moves.to_owned(),
            is_english: is_english == "1",
            problems: problems.to_owned(),
            annotations: game.annotations.into_owned(),
        });
    }

    imported
}

/// Imports games as one file, and counts the outcomes; returns the games that are read incorrectly.
fn count(games: &[ReletteredGame], table: &mut Table) -> Vec<String> {
    let imported = imported(games);
    assert_eq!(imported.len(), games.len());

    let mut wrong = Vec::new();
    for (game, found) in games.iter().zip(&imported) {
        let count = table.entry(game.code).or_default();
        count.games += 1;

        let is_ambiguous = found.problems.contains("ambiguous-language");
        count.ambiguous += usize::from(is_ambiguous);

        let is_short = game.moves.split(' ').count() < LONG_PLIES;
        if is_right(game, found) || (is_short && is_ambiguous) {
            continue;
        }

        // A few letters may be legal in English with another meaning, which nothing in the game contradicts.
        let is_english = found.is_english && found.problems.is_empty();
        if is_short && is_english {
            count.english += 1;
            continue;
        }

        wrong.push(format!(
            "{}: read as {} {:?} ({})\n{}",
            game.code, found.moves, found.annotations, found.problems, game.text
        ));
    }

    wrong
}

fn is_right(game: &ReletteredGame, found: &ImportedGame) -> bool {
    let is_rest_right = match &game.annotations {
        Some(annotations) => *annotations == found.annotations,
        None => !found.problems.is_empty(),
    };
    found.moves == game.moves && is_rest_right
}

#[expect(clippy::print_stderr, reason = "a table for the one who runs it")]
fn show(title: &str, table: &Table) {
    eprintln!(
        "{title:12} {:>8} {:>10} {:>8}",
        "games", "ambiguous", "english"
    );
    for (code, count) in table {
        eprintln!(
            "{code:12} {:>8} {:>10} {:>8}",
            count.games, count.ambiguous, count.english
        );
    }
}

fn assert_none(title: &str, table: &Table, wrong: &[String]) {
    show(title, table);
    let shown = &wrong[..wrong.len().min(10)];
    assert!(
        wrong.is_empty(),
        "{title}: {} wrong:\n{}",
        wrong.len(),
        shown.join("\n")
    );
}

/// Every language in its notations, a file each, the shortest games first.
fn files_of_one_language(each: usize) {
    let Some(mut originals) = originals(each) else {
        return;
    };
    originals.sort_by_cached_key(|text| replay(text).plies());

    let (mut table, mut wrong) = (Table::new(), Vec::new());
    for language in LANGUAGES {
        for &notation in notations(language) {
            let style = style(language, notation);
            let code = language.codes[0];
            let games: Vec<ReletteredGame> = originals
                .iter()
                .map(|text| relettered(text, code, &style))
                .collect();

            wrong.extend(count(&games, &mut table));
        }
    }

    assert_none("one language", &table, &wrong);
}

/// Every game in another language and notation than the game before.
fn files_of_many_languages(each: usize) {
    let Some(originals) = originals(each).map(scattered) else {
        return;
    };
    let (mut table, mut wrong) = (Table::new(), Vec::new());

    for round in 0..LANGUAGES.len() {
        let mut games = Vec::new();
        for (number, text) in originals.iter().enumerate() {
            let language = &LANGUAGES[(number * 5 + round) % LANGUAGES.len()];
            let notations = notations(language);
            let notation = notations[number / 7 % notations.len()];

            let style = style(language, notation);
            games.push(relettered(text, language.codes[0], &style));
        }

        wrong.extend(count(&games, &mut table));
    }

    assert_none("many", &table, &wrong);
}

/// The flaw of a game.
#[derive(Clone, Copy, Debug)]
enum Flaw {
    /// A move that no piece of its kind can make.
    Illegal,
    /// Two moves without a space between.
    Glued,
    /// A move with a word after it.
    Word,
    /// The text ends after the first letter of a move, and the next game begins.
    Cut,
}

const FLAWS: [Flaw; 4] = [Flaw::Illegal, Flaw::Glued, Flaw::Word, Flaw::Cut];

/// A game with a flaw at a half-move, if it is long enough and starts from the usual position.
fn flawed(
    text: &str,
    code: &'static str,
    style: &Style<'_>,
    flaw: Flaw,
    at: usize,
) -> Option<ReletteredGame> {
    let game = replay(text);
    if game.start.is_some() || game.played.len() < at + 2 {
        return None;
    }

    let (mut texts, before) = texts(&game.played, at, style);
    let tail = match flaw {
        Flaw::Illegal => illegal(&before, style)?,
        Flaw::Glued => texts.remove(at) + &texts.remove(at),
        Flaw::Word => texts.remove(at) + "hier",
        // An X may be a Vietnamese rook, and alone it marks the move before it as a capture.
        Flaw::Cut => texts[at].chars().take(1).find(|&c| c != 'X')?.to_string(),
    };

    let rest = texts.split_off(at);
    texts.push(tail);

    let end = match flaw {
        Flaw::Cut => String::new(),
        _ => format!(" {} *", rest.join(" ")),
    };

    let moves: Vec<&str> = game.game.moves.split(' ').take(at).collect();
    let text = format!("[Event \"?\"]\n\n{}{end}\n\n", texts.join(" "));
    Some(ReletteredGame {
        code,
        text,
        moves: moves.join(" "),
        annotations: None,
    })
}

/// The texts of moves, and the position before the move at a place.
fn texts(moves: &[Move], at: usize, style: &Style<'_>) -> (Vec<String>, Position) {
    let mut position = Position::start();
    let mut before = Position::start();

    let texts = moves.iter().enumerate().map(|(i, &mv)| {
        if i == at {
            before = position.clone();
        }
        let text = style.text(&position, mv);
        position.play(mv);
        text
    });

    (texts.collect(), before)
}

/// An illegal move of the queen, or else of a rook.
fn illegal(position: &Position, style: &Style<'_>) -> Option<String> {
    let us = position.turn();
    let mut roles = [Role::Queen, Role::Rook].into_iter();
    let role = roles.find(|&role| position.pieces(us, role).any())?;

    // A square of the fifth rank that no piece of this role can reach.
    let legal = position.legal_moves();
    let can_go = |to: Square| {
        let mut moves = legal.iter();
        moves.any(|mv| mv.role == role && mv.to == to)
    };
    let fifth_rank = File::ALL.map(|file| Square::at(file, Rank::FIVE));
    let to = fifth_rank.into_iter().find(|&to| !can_go(to))?;
    let from = position.pieces(us, role).into_iter().next()?;
    let letter = style.letters.letter(role);

    match style.notation {
        Notation::Lan => Some(format!("{letter}{from}-{to}")),
        Notation::Descriptive => None,
        _ => Some(format!("{letter}{to}")),
    }
}

/// Games with flaws among games without, one file each.
fn files_with_flaws(each: usize) {
    let Some(originals) = originals(each).map(scattered) else {
        return;
    };
    let (mut table, mut wrong) = (Table::new(), Vec::new());

    for language in LANGUAGES {
        for &notation in notations(language) {
            let style = style(language, notation);
            let code = language.codes[0];
            let mut games = Vec::new();

            for (number, text) in originals.iter().enumerate() {
                if number % 2 == 0 {
                    games.push(relettered(text, code, &style));
                    continue;
                }

                // Behind enough moves that the language is known before the flaw.
                let at = LONG_PLIES + number % 23;
                let flaw = FLAWS[number / 2 % FLAWS.len()];
                games.extend(flawed(text, code, &style, flaw, at));
            }

            wrong.extend(count(&games, &mut table));
        }
    }

    assert_none("with flaws", &table, &wrong);
}

#[test]
fn games_of_one_language() {
    files_of_one_language(200);
}

#[test]
fn games_of_many_languages() {
    files_of_many_languages(200);
}

#[test]
fn games_with_flaws() {
    files_with_flaws(200);
}

#[test]
#[ignore = "minutes: all games"]
fn all_games_of_one_language() {
    files_of_one_language(10_000);
}

#[test]
#[ignore = "minutes: all games"]
fn all_games_of_many_languages() {
    files_of_many_languages(10_000);
}

#[test]
#[ignore = "minutes: all games"]
fn all_games_with_flaws() {
    files_with_flaws(10_000);
}
