//! The page on answers and the classes of the Python package are made from the types of the answers.

use std::fmt::Write;

use super::manual::assert_generated;
use stamma::answer::{self, Field, fields};

/// A row of answers: its class in Python, the command that prints it, and its fields.
struct Row {
    class: Option<&'static str>,
    command: &'static str,
    what: &'static str,
    fields: Vec<Field>,
}

fn rows() -> Vec<Row> {
    let row = |class, command, what, fields| Row {
        class,
        command,
        what,
        fields,
    };
    vec![
        row(
            Some("Hit"),
            "stamma search",
            "A game that a search has found.",
            fields::<answer::FoundGame>(),
        ),
        row(
            Some("MoveCount"),
            "stamma moves",
            "A move that was played in a position; `line` is in trees of moves only.",
            fields::<answer::Move>(),
        ),
        row(
            None,
            "stamma moves --depth N",
            "A move of a tree.",
            fields::<answer::TreeMove>(),
        ),
        row(
            Some("PlayerRow"),
            "stamma player",
            "A part of a player's record.",
            fields::<answer::PlayerRow>(),
        ),
        row(
            Some("HeadToHeadGame"),
            "stamma head-to-head",
            "A game of two players.",
            fields::<answer::HeadToHeadGame>(),
        ),
        row(
            None,
            "stamma novelties",
            "A novelty.",
            fields::<answer::Novelty>(),
        ),
        row(
            None,
            "stamma events",
            "A tournament.",
            fields::<answer::Tournament>(),
        ),
        row(
            None,
            "stamma crosstable",
            "A player of a tournament.",
            fields::<answer::PlayerStanding>(),
        ),
        row(
            None,
            "stamma repertoire",
            "A way in which games leave a repertoire.",
            fields::<answer::Departure>(),
        ),
        row(
            None,
            "stamma repertoire --list lines",
            "A line of a repertoire.",
            fields::<answer::RepertoireLine>(),
        ),
        row(
            None,
            "stamma repertoire --list games",
            "A game in a repertoire.",
            fields::<answer::RepertoireGame>(),
        ),
        row(
            None,
            "stamma repertoire --list mistakes",
            "A bad move in a repertoire.",
            fields::<answer::RepertoireMistake>(),
        ),
    ]
}

const INTRODUCTION: &str = "# Answers as JSON and CSV

Each query has one answer, in several forms:

- `--format json` prints all of it as one JSON object. [`stamma serve`](serve.md) sends the same object.
- `--format jsonl` prints its rows, a JSON object per line.
- `--format csv` prints the rows as comma-separated values. The fields of a nested object are columns of their own:
  `last.game` is the column `last_game`. A list of games is a cell with their numbers.
- The [Python package](python.md) returns the rows as named tuples.

A field has the same name and meaning in every answer:

| field | value |
|---|---|
| `game` | the number of a game in its database, or in the one that `database` names |
| `white`, `black` beside `game` | the players |
| `games`, `white`, `draws`, `black`, `unfinished` | numbers of games: all, White won, drawn, Black won, without a result |
| `wins`, `draws`, `losses` | numbers of games as a player sees them |
| `score` | points in per cent of the games with a result |
| `white_elo`, `average_elo`, `opponent_elo`, `performance` | ratings |
| `date`, `first_date`, `last_date` | dates as the Date tag has them: `1972.07.??` |
| `ply` | half-moves from the start of a game |
| `san`, `uci`, `move_number` | a move, and its number: `12.` or `12...` |
| `color` | `white` or `black` |
| `eco`, `opening` | the code and the name of an opening |
| `fen` | a position |

`/api/1/openapi.json` of a server has the schemas of all answers. This page is written by `STAMMA_BLESS=1 cargo test
--test docs` from the same types.
";

#[test]
fn the_page_has_the_fields_of_all_rows() {
    let mut page = INTRODUCTION.to_owned();
    for row in rows() {
        let _ = write!(
            page,
            "\n## `{}`\n\n{}\n\n| field | type | value |\n|---|---|---|\n",
            row.command, row.what
        );
        for field in &row.fields {
            let kind = if field.is_nullable {
                format!("{}, null", field.kind)
            } else {
                field.kind.clone()
            };
            let meaning = field.meaning.replace('\n', " ").replace('|', "\\|");
            let _ = writeln!(page, "| `{}` | {kind} | {meaning} |", field.name);
        }
    }

    assert_generated("docs/answers.md", &page);
}

#[test]
fn classes_of_python_have_the_fields_of_rows() {
    let mut module = "\"\"\"The rows of answers. Written by `STAMMA_BLESS=1 cargo test --test docs` from the types of the program.\"\"\"

from __future__ import annotations

from typing import NamedTuple, Optional
"
    .to_owned();
    for row in rows() {
        let Some(class) = row.class else { continue };
        let mut fields = row.fields;
        if class == "MoveCount" {
            // Moves of a tree have the same class.
            let line = answer::fields::<answer::TreeMove>().swap_remove(0);
            fields.push(Field {
                is_nullable: true,
                ..line
            });
        }

        let _ = write!(
            module,
            "\n\nclass {class}(NamedTuple):\n    \"\"\"{}\"\"\"\n\n",
            row.what
        );
        for field in fields {
            let kind = match &*field.kind {
                "string" => "str",
                "integer" => "int",
                "number" => "float",
                "boolean" => "bool",
                other => panic!("{class}.{}: {other}", field.name),
            };
            let kind = if field.is_nullable {
                format!("Optional[{kind}]")
            } else {
                kind.to_owned()
            };
            let meaning = field.meaning.replace('\n', " ");
            let _ = writeln!(module, "    #: {meaning}\n    {}: {kind}", field.name);
        }
    }

    assert_generated("python/src/stamma/_answers.py", &module);
}
