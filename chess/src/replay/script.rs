//! The text of a game in any notation, tokenized once for all readings.
//!
//! The words of one move are joined, move numbers are dropped, and results or words at the end of the game are
//! separated from moves.

use std::borrow::Cow;
use std::ops::Range;

use super::glyphs::{glyph_nag, is_harmless};
use super::utf8::utf8;
use crate::notation::is_continuation;
use crate::pgn::{Fault, MAX_NUMBER_DIGITS, Termination, Token, Visitor, read_words};

/// The maximum length of a move text. No word extends a longer text, which cannot be a move, so that time stays linear.
pub(super) const MAX_MOVE_BYTES: usize = 64;

/// The maximum number of words of a result, such as `Weiß gibt auf`.
const MAX_RESULT_WORDS: usize = 4;

/// A game's text as events, which each reading plays through.
pub(super) struct Script<'t> {
    pub(super) text: &'t str,
    pub(super) events: Vec<Event<'t>>,
    /// The number of open variations.
    depth: usize,
    /// `true` if the number of the next move has been read.
    is_numbered: bool,
}

/// The events of a [`Visitor`], with move texts prepared for reading.
pub(super) enum Event<'t> {
    Tag(&'t [u8], &'t [u8], usize),
    Movetext(usize),
    Move(MoveWords<'t>),
    /// Words that are not a move, by their range.
    Words(Range<usize>),
    Nag(u8, usize),
    Comment(&'t [u8], usize),
    BeginVariation(usize),
    EndVariation(usize),
    Termination(Termination, usize),
    Trailing(&'t [u8], usize),
    EscapedLine(&'t [u8], usize),
    Fault(Fault, &'t [u8], usize),
}

/// The text of one move.
pub(super) struct MoveWords<'t> {
    /// The words of the move, separated by single spaces.
    pub(super) words: Cow<'t, str>,
    /// The range of the words in the game's text.
    pub(super) range: Range<usize>,
    /// `true` if the words are the last of a game that has no result.
    pub(super) may_be_result: bool,
}

impl<'t> Script<'t> {
    /// Tokenizes a game's text.
    pub(super) fn new(text: &'t str) -> Script<'t> {
        let mut script = Script {
            text,
            events: Vec::with_capacity(text.len() / 4),
            depth: 0,
            is_numbered: false,
        };

        read_words(text.as_bytes(), &mut script);
        script.separate_end();

        script
    }

    /// The texts of all moves.
    pub(super) fn moves(&self) -> impl Iterator<Item = &MoveWords<'t>> {
        self.events.iter().filter_map(|event| match event {
            Event::Move(words) => Some(words),
            _ => None,
        })
    }

    /// Separates a result or words from the last move.
    fn separate_end(&mut self) {
        let has_termination = self
            .events
            .iter()
            .any(|event| matches!(event, Event::Termination(..)));
        let mut is_terminated = has_termination || self.separate_result_in_words();

        for i in (0..self.events.len()).rev() {
            let words = match &mut self.events[i] {
                Event::Move(words) => words,
                Event::BeginVariation(_) | Event::EndVariation(_) => return,
                _ => continue,
            };
            let at = words.range.start;

            self.events[i] = match meaning_at_end(&words.words) {
                Some(End::Result(termination)) if !is_terminated => {
                    is_terminated = true;
                    Event::Termination(termination, at)
                }
                Some(_) => {
                    let part = &self.text[words.range.clone()];
                    Event::Comment(part.as_bytes(), at)
                }
                None => {
                    words.may_be_result = !is_terminated;
                    return;
                }
            };
        }
    }

    /// Turns the last words of a game into a comment and a termination, and returns `true`, if together they are a
    /// result: `Black resigns`.
    fn separate_result_in_words(&mut self) -> bool {
        let is_move = |event: &Event<'_>| matches!(event, Event::Move(_));
        let Some(last) = self.events.iter().rposition(is_move) else {
            return false;
        };

        // In a variation, a result ends nothing.
        let is_bracket =
            |event: &Event<'_>| matches!(event, Event::BeginVariation(_) | Event::EndVariation(_));
        let is_in_variation = self.events[last..].iter().any(is_bracket);
        if is_in_variation {
            return false;
        }

        let Some((first, range, result)) = self.result_before(last) else {
            return false;
        };

        let at = range.start;
        let end = range.end;
        let words = Event::Comment(&self.text.as_bytes()[range], at);
        self.events
            .splice(first..=last, [words, Event::Termination(result, end)]);

        true
    }

    /// The longest result of two words or more that ends with the text of an event: its first event, its range in the
    /// text, and its meaning.
    fn result_before(&self, last: usize) -> Option<(usize, Range<usize>, Termination)> {
        let Event::Move(last_words) = &self.events[last] else {
            return None;
        };
        let end = last_words.range.end;

        let mut longest = None;
        for count in 1..MAX_RESULT_WORDS {
            let Some(first) = last.checked_sub(count) else {
                break;
            };
            let Event::Move(words) = &self.events[first] else {
                break;
            };

            let range = words.range.start..end;
            if let Some(result) = Termination::from_text(&self.text[range.clone()]) {
                longest = Some((first, range, result));
            }
        }

        longest
    }

    /// The word without its leading move number; `None` for a number alone.
    fn without_number<'w>(&mut self, word: &'w str, at: usize) -> Option<&'w str> {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = word.len() - rest.len();

        let had_number = std::mem::take(&mut self.is_numbered);
        let is_numbered = had_number || self.text[..at].trim_end().ends_with('.');

        match rest.chars().next() {
            // Four digits are a move in numeric notation.
            None if word.len() <= MAX_NUMBER_DIGITS => {
                self.is_numbered = true;
                None
            }
            // `12Nf3`. A word after a number keeps its digits: in `1. 2Cf3`, they name an origin.
            Some(c) if !is_numbered && c.is_alphabetic() && digits <= MAX_NUMBER_DIGITS => {
                Some(rest)
            }
            _ => Some(word),
        }
    }

    /// Adds castling that contains spaces, without them.
    fn push_castling(&mut self, word: &str, at: usize) {
        self.is_numbered = false;

        self.events.push(Event::Move(MoveWords {
            words: Cow::Owned(word.split_whitespace().collect()),
            range: at..at + word.len(),
            may_be_result: false,
        }));
    }

    /// Appends a word to the preceding move text, and returns `true`, if the word continues it.
    fn extend_move(&mut self, word: &str, at: usize) -> bool {
        let Some(Event::Move(last)) = self.events.last_mut() else {
            return false;
        };
        if last.words.len() > MAX_MOVE_BYTES || !is_continuation(&last.words, word) {
            return false;
        }

        let words = last.words.to_mut();
        words.push(' ');
        words.push_str(word);
        last.range.end = at + word.len();

        true
    }
}

/// Text at the end of a game that is not a move.
enum End {
    Result(Termination),
    Words,
}

/// The meaning of a text at the end of a game; `None` if it may be a move.
fn meaning_at_end(words: &str) -> Option<End> {
    const WORDS: &str = "resigns resigned resign white black mate mat matt checkmate pat patt \
        stalemate abandonne abandonnent abandon les blancs noirs aufgegeben gibt auf weiß weiss \
        schwarz abandona abandonan blancas negras abbandona сдались сдался мат пат time forfeit won \
        on lost wins etc usw";

    if let Some(result) = Termination::from_text(words) {
        return Some(End::Result(result));
    }

    let bare = words.trim_end_matches(['.', ',', ';']).to_lowercase();
    if WORDS.split(' ').any(|word| word == bare) {
        Some(End::Words)
    } else {
        None
    }
}

impl<'t> Visitor<'t> for Script<'t> {
    fn tag(&mut self, name: &'t [u8], value: &'t [u8], at: usize) {
        self.events.push(Event::Tag(name, value, at));
    }

    fn movetext(&mut self, at: usize) {
        self.events.push(Event::Movetext(at));
    }

    fn move_text(&mut self, token: Token<'t>, at: usize) {
        let word = utf8(token.text);

        if word.starts_with('0') && word.contains(char::is_whitespace) {
            return self.push_castling(word, at);
        }

        if self.extend_move(word, at) || is_harmless(word) {
            return;
        }

        let Some(bare) = self.without_number(word, at) else {
            return;
        };
        let bare_at = at + word.len() - bare.len();

        let event = match glyph_nag(Token::new(bare.as_bytes())) {
            Some(nag) => Event::Nag(nag, bare_at),
            None => Event::Move(MoveWords {
                words: Cow::Borrowed(bare),
                range: bare_at..bare_at + bare.len(),
                may_be_result: false,
            }),
        };
        self.events.push(event);
    }

    fn nag(&mut self, nag: u8, at: usize) {
        self.events.push(Event::Nag(nag, at));
    }

    fn comment(&mut self, text: &'t [u8], at: usize) {
        self.events.push(Event::Comment(text, at));
    }

    fn begin_variation(&mut self, at: usize) {
        self.depth += 1;
        self.events.push(Event::BeginVariation(at));
    }

    fn end_variation(&mut self, at: usize) {
        // The reader ends only variations that it has begun.
        self.depth -= 1;
        self.events.push(Event::EndVariation(at));
    }

    fn termination(&mut self, termination: Termination, at: usize) {
        // In a variation a result ends nothing; it may be a comment.
        let event = if self.depth == 0 {
            Event::Termination(termination, at)
        } else {
            Event::Comment(termination.as_str().as_bytes(), at)
        };

        self.events.push(event);
    }

    fn trailing(&mut self, text: &'t [u8], at: usize) {
        self.events.push(Event::Trailing(text, at));
    }

    fn escaped_line(&mut self, text: &'t [u8], at: usize) {
        self.events.push(Event::EscapedLine(text, at));
    }

    fn fault(&mut self, fault: Fault, text: &'t [u8], at: usize) {
        self.events.push(Event::Fault(fault, text, at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let script = Script::new(text);
        let words = script.events.iter().filter_map(|event| {
            Some(match event {
                Event::Move(words) => words.words.to_string(),
                Event::Nag(nag, _) => format!("${nag}"),
                Event::Comment(text, _) => format!("{{{}}}", utf8(text)),
                Event::BeginVariation(_) => "(".to_owned(),
                Event::EndVariation(_) => ")".to_owned(),
                Event::Termination(termination, _) => termination.as_str().to_owned(),
                Event::Fault(fault, ..) => format!("{fault:?}"),
                Event::Trailing(text, _) => format!("trailing {}", utf8(text)),
                Event::EscapedLine(text, _) => format!("%{}", utf8(text)),
                Event::Words(range) => format!("words {}", &text[range.clone()]),
                Event::Tag(..) | Event::Movetext(_) => return None,
            })
        });

        let shown: Vec<String> = words.collect();
        shown.join("|")
    }

    macro_rules! tells {
        ($($name:ident: $text:literal => $shown:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(shown($text), $shown);
            }
        )*};
    }

    tells! {
        usual: "1. e4 e5 2.Nf3 Nc6 {x} 1-0" => "e4|e5|Nf3|Nc6|{x}|1-0";
        dots: "1. P.4D C. 3FR 2. P pr PD" => "P.4D|C. 3FR|P pr PD";
        en_passant: "5. exd6 e. p. Kxd6 e.p. *" => "exd6 e. p.|Kxd6 e.p.|*";
        numbers_without_dots: "1 e4 e5 2 Cf3 2Cf3 12 Fb5" => "e4|e5|Cf3|Cf3|Fb5";
        digits: "1. 5254 5755 2. 6134 12. 57581+ 1-0" => "5254|5755|6134|57581+|1-0";
        brackets: "1. e8(Q) N(3)-B3 N(KN1)-KB3 (=) P-K8 (Q) exd6(ep)"
            => "e8(Q)|N(3)-B3|N(KN1)-KB3|{(=)}|P-K8|(Q)|exd6(ep)";
        castles: "1. Castles (KR) Castles KR O-O 0-0" => "Castles (KR)|Castles KR|O-O|0-0";
        variations: "1. e4 (1. d4 d5 (1... Nf6) ) e5" => "e4|(|d4|d5|(|Nf6|)|)|e5";
        glued_variation: "1. e4(d4) e5" => "e4|(|d4|)|e5";
        results_in_signs: "1. e4 e5 ½-½" => "e4|e5|1/2-1/2";
        results_in_points: "1. e4 e5 0.5-0.5" => "e4|e5|1/2-1/2";
        results_with_colons: "1. e4 e5 1:0" => "e4|e5|1-0";
        results_in_words: "1. e4 e5 remis" => "e4|e5|1/2-1/2";
        results_in_several_words: "1. e4 e5 Weiß gibt auf {x}" => "e4|e5|{Weiß gibt auf}|0-1|{x}";
        results_in_words_of_a_variation: "1. e4 (1. d4 White resigns)" => "e4|(|d4|White|resigns|)";
        results_with_spaces: "1. e4 Nc6 1 : 0" => "e4|Nc6|1-0";
        castles_with_spaces: "4. 0 - 0 Nf6 0 - 0" => "0-0|Nf6|0-0";
        castles_long_with_spaces: "4. 0 - 0 - 0 Nf6 0 - 0 - 0+" => "0-0-0|Nf6|0-0-0 +";
        castles_with_wide_dashes: "4 0 – 0 Nf6" => "0–0|Nf6";
        results_with_two_dashes: "1. e4 Nc6 1 -- 0" => "e4|Nc6|1-0";
        null_moves: "1 e4 -- 2 -- Nc6 3 -- 0-0" => "e4|--|--|Nc6|--|0-0";
        draws_with_spaces: "1. e4 Nc6 ½ – ½" => "e4|Nc6|1/2-1/2";
        words_and_a_result: "1. e4 e5 White resigns 0-1" => "e4|e5|{White}|{resigns}|0-1";
        and_so_on: "17. a5 etc." => "a5|{etc.}";
        judgements: "1. e4! e5 += 2. Nf3 N" => "e4|$1|e5|$14|Nf3|$146";
    }
}
