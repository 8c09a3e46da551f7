//! Attributes of games from PGN, read by pgn-reader and shakmaty.

use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

use super::games::{play, start};
use super::{Known, known_variant};
use crate::support::opening_oracle::opening;

/// The games of a text, numbered from one.
pub(crate) fn read_pgn(text: &str) -> Vec<Known> {
    // By default, pgn-reader hands over a comment of more than 255 bytes in parts.
    let mut reader = Reader::build(text.as_bytes())
        .set_supported_comment_length(1 << 20)
        .finish();
    let mut games = Vec::new();
    while let Some(text) = reader.read_game(&mut Texts).expect("PGN") {
        games.push(known(games.len() as i64 + 1, text));
    }
    games
}

/// The contents of a game's text.
#[derive(Default)]
struct Text {
    tags: Vec<(String, String)>,
    sans: Vec<String>,
    comments: Vec<String>,
    mainline_comments: Vec<(u32, String)>,
    has_signs_or_variations: bool,
    depth: usize,
    outcome: Option<Outcome>,
}

struct Texts;

impl Visitor for Texts {
    type Tags = Text;
    type Movetext = Text;
    type Output = Text;

    fn begin_tags(&mut self) -> ControlFlow<Text, Text> {
        ControlFlow::Continue(Text::default())
    }

    fn tag(&mut self, text: &mut Text, name: &[u8], value: RawTag<'_>) -> ControlFlow<Text> {
        let name = String::from_utf8(name.to_vec()).expect("a name");
        text.tags
            .push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, text: Text) -> ControlFlow<Text, Text> {
        ControlFlow::Continue(text)
    }

    fn san(&mut self, text: &mut Text, san: SanPlus) -> ControlFlow<Text> {
        if text.depth == 0 {
            text.sans.push(san.to_string());
        }
        ControlFlow::Continue(())
    }

    fn nag(&mut self, text: &mut Text, _nag: Nag) -> ControlFlow<Text> {
        text.has_signs_or_variations = true;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, text: &mut Text, comment: RawComment<'_>) -> ControlFlow<Text> {
        let comment = String::from_utf8_lossy(comment.as_bytes()).into_owned();
        if text.depth == 0 {
            text.mainline_comments
                .push((text.sans.len() as u32, comment.clone()));
        }
        text.comments.push(comment);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, text: &mut Text) -> ControlFlow<Text, Skip> {
        text.has_signs_or_variations = true;
        text.depth += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, text: &mut Text) -> ControlFlow<Text> {
        text.depth -= 1;
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, text: &mut Text, outcome: Outcome) -> ControlFlow<Text> {
        text.outcome = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, text: Text) -> Text {
        text
    }
}

fn known(id: i64, text: Text) -> Known {
    let first = |name: &str| {
        let pair = text.tags.iter().find(|(other, _)| other == name);
        pair.map(|(_, value)| value.clone())
    };
    let elo = |name: &str| first(name).and_then(|elo| rating(&elo));

    let variant = first("Variant").map_or(Some("standard"), |name| known_variant(&name));
    // A FEN of the standard position is no other start.
    let fen = first("FEN").filter(|fen| *fen != STANDARD_START);
    let termination = text.outcome.map(|outcome| outcome.to_string());
    let result = first("Result").or(termination);
    let mut known = Known {
        id,
        event: first("Event"),
        site: first("Site"),
        white: first("White"),
        black: first("Black"),
        date: first("Date"),
        eco: first("ECO"),
        result: result.unwrap_or_else(|| "*".to_owned()),
        elo: [elo("WhiteElo"), elo("BlackElo")],
        time_control: first("TimeControl"),
        titles: [first("WhiteTitle"), first("BlackTitle")],
        variant: variant.unwrap_or("other").to_owned(),
        starts_from_standard: fen.is_none(),
        fen: fen.clone(),
        ..Known::default()
    };

    // The movetext of an unsupported variant is not parsed.
    if variant.is_some() {
        let played = play(start(fen.as_deref()).expect("a legal start"), &text.sans);
        known.plies = played.moves.len() as u32;
        known.is_complete = played.moves.len() == text.sans.len();
        known.moves = played.moves;
        known.endings = played.endings;
        known.comments = text.comments;
        known.mainline_comments = text.mainline_comments;
        known.has_signs_or_variations = text.has_signs_or_variations;

        // Only games under the rules of chess are in the position index.
        if matches!(variant, Some("standard" | "chess960")) {
            known.positions = played.positions;
        }
        if variant == Some("standard") {
            let opening = opening(&known.positions);
            known.opening = opening.map(|(_, name)| name.to_owned());
        }
    }

    known.tags = text.tags;
    known
}

const STANDARD_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A rating of at most four digits, without a leading zero.
fn rating(text: &str) -> Option<u32> {
    let elo: u32 = text.parse().ok()?;
    let is_plain = elo.to_string() == text;
    let is_rating = (1..10_000).contains(&elo) && is_plain;
    is_rating.then_some(elo)
}
