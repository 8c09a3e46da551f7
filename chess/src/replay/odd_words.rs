//! Words among the moves that are not moves: stray text, marks of tools, the rest of a nested comment.
//!
//! A text that is not a move in any language or system is separated from the moves, so that the line continues after
//! it. A misspelt move must not be taken for such a word, because the wrong side would make the next moves. A misspelt
//! move is recognized by a square in it, or by the move numbers: `2. oops Nc6 3. d4` lacks a move,
//! `2. oops Nf3 Nc6 3. d4` does not.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::script::{Event, MAX_MOVE_BYTES, MoveWords, Script};
use crate::board::Position;
use crate::notation::{MoveFault, Reading, San, UnreadMove, read};
use crate::pgn::{MAX_NUMBER_DIGITS, result_length};

/// The maximum number of distinct texts of a game that are examined; others count as moves, so that time stays linear.
const MAX_TEXTS: usize = 500;

/// The maximum length of a piece letter with a part of its move.
const MAX_FRAGMENT_BYTES: usize = 5;

/// The look of a text among the moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// A move, legal or not.
    Move,
    /// The beginning of a move, such as `Nf`, or a word with a square; move numbers decide whether it is a move.
    Fragment,
    /// Not like a move.
    Words,
}

impl<'t> Script<'t> {
    /// Separates words that are not moves under any of the readings; returns `false` if there are none.
    pub(super) fn set_words_apart(&mut self, readings: &[Reading<'_>]) -> bool {
        let mut texts = Texts {
            readings,
            known: HashMap::new(),
        };
        self.split_joined(&mut texts);

        let mut looks = self.looks(&mut texts);
        if looks.iter().flatten().all(|look| *look == Look::Move) {
            return false;
        }

        self.settle_by_numbers(&mut looks);
        let is_changed = self.take_out(&looks);
        self.join_adjacent_numbers();

        is_changed
    }

    /// Splits texts of several words of which only the first is a move: `Nf3 to` of `Nf3 to stop it`.
    fn split_joined(&mut self, texts: &mut Texts<'_>) {
        let text = self.text;

        for event in std::mem::take(&mut self.events) {
            let joined = match event {
                Event::Move(joined) if joined.words.contains(' ') => joined,
                event => {
                    self.events.push(event);
                    continue;
                }
            };

            if texts.is_read(&joined.words) {
                self.events.push(Event::Move(joined));
                continue;
            }

            let (first, others) = first_word(text, joined.range.clone());
            if texts.is_read(&text[first.clone()]) && !others.is_empty() {
                self.events.push(Event::Move(words_in(text, first)));
                self.events.push(Event::Move(words_in(text, others)));
            } else {
                self.events.push(Event::Move(joined));
            }
        }
    }

    /// The look of each event: `None` for an event that is not a text.
    fn looks(&self, texts: &mut Texts<'_>) -> Vec<Option<Look>> {
        let mut looks: Vec<Option<Look>> = Vec::with_capacity(self.events.len());
        for event in &self.events {
            looks.push(match event {
                Event::Move(text) => Some(texts.look(&text.words)),
                _ => None,
            });
        }

        // A short word between others may look like a pawn move: `de`, `ed`.
        for (i, event) in self.events.iter().enumerate() {
            let Event::Move(text) = event else {
                continue;
            };

            let is_lowercase = text.words.bytes().all(|byte| byte.is_ascii_lowercase());
            if is_lowercase && is_beside_words(&looks, i) {
                looks[i] = Some(Look::Words);
            }
        }

        looks
    }

    /// Decides by the surrounding move numbers whether a text takes the place of a move.
    fn settle_by_numbers(&self, looks: &mut [Option<Look>]) {
        // The runs of the open lines, the mainline first.
        let mut runs = vec![NumberedRun::default()];

        for (i, event) in self.events.iter().enumerate() {
            match event {
                Event::Move(text) => {
                    if let Some(run) = runs.last_mut() {
                        let numbered_ply = ply_before(self.text, text.range.start);
                        run.add(i, numbered_ply, looks);
                    }
                }
                Event::BeginVariation(_) => runs.push(NumberedRun::default()),
                Event::EndVariation(_) => {
                    let ended = runs.pop().unwrap_or_default();
                    ended.settle(None, looks);
                }
                _ => {}
            }
        }

        for run in runs {
            run.settle(None, looks);
        }
    }

    /// Turns texts that look like words into events of their own, and joins adjacent words; returns `true` if there are
    /// any.
    fn take_out(&mut self, looks: &[Option<Look>]) -> bool {
        let events = std::mem::take(&mut self.events);
        let mut is_changed = false;

        for (event, look) in events.into_iter().zip(looks) {
            match (event, look) {
                (Event::Move(text), Some(Look::Words)) => {
                    is_changed = true;
                    match self.events.last_mut() {
                        Some(Event::Words(before)) => before.end = text.range.end,
                        _ => self.events.push(Event::Words(text.range)),
                    }
                }
                (event, _) => self.events.push(event),
            }
        }

        is_changed
    }

    /// Joins words with adjacent numbers, unless these are move numbers.
    fn join_adjacent_numbers(&mut self) {
        let has_start = self
            .events
            .iter()
            .any(|event| matches!(event, Event::Tag(b"FEN", ..)));
        let start_ply = if has_start { None } else { Some(0) };

        // The number of half-moves in each open line, the mainline first, if known.
        let mut plies: Vec<Option<u64>> = vec![start_ply];

        for i in 0..self.events.len() {
            let ply = plies.last().copied().flatten();

            match &self.events[i] {
                Event::Move(text) => {
                    let played = ply_before(self.text, text.range.start).or(ply);
                    if let Some(line) = plies.last_mut() {
                        *line = played.map(|played| played + 1);
                    }
                }
                // A variation replaces the last move.
                Event::BeginVariation(_) => plies.push(ply.and_then(|ply| ply.checked_sub(1))),
                Event::EndVariation(_) if plies.len() > 1 => _ = plies.pop(),
                Event::Words(range) => {
                    let bounds = self.bounds_of_words(i);
                    let next_number = ply.map(|ply| ply / 2 + 1);
                    let widened = with_numbers(self.text, range.clone(), bounds, next_number);
                    self.events[i] = Event::Words(widened);
                }
                _ => {}
            }
        }
    }

    /// The text between the events before and after an event.
    fn bounds_of_words(&self, i: usize) -> Range<usize> {
        let start = match i.checked_sub(1) {
            Some(before) => self.end_of_event(before),
            None => 0,
        };
        let end = match self.events.get(i + 1) {
            Some(after) => start_of_event(after),
            None => self.text.len(),
        };

        start..end
    }

    /// The end of an event's text, after which at most its closing sign follows.
    fn end_of_event(&self, event: usize) -> usize {
        match &self.events[event] {
            Event::Move(MoveWords { range, .. }) | Event::Words(range) => range.end,
            // A result in a variation is a comment, whose text may be spelled differently in the game.
            Event::Comment(text, at) => {
                let result = self.text.get(*at..).and_then(result_length);
                at + result.unwrap_or(1 + text.len())
            }
            Event::EscapedLine(text, at) => at + 1 + text.len(),
            Event::Fault(_, text, at) | Event::Trailing(text, at) => at + text.len(),
            event => start_of_event(event),
        }
    }
}

/// A part of a text as the text of a move.
fn words_in<'t>(text: &'t str, range: Range<usize>) -> MoveWords<'t> {
    MoveWords {
        words: Cow::Borrowed(&text[range.clone()]),
        range,
        may_be_result: false,
    }
}

/// Returns `true` if the event before or after an event looks like words.
fn is_beside_words(looks: &[Option<Look>], i: usize) -> bool {
    let looks_like_words = |at: usize| looks.get(at) == Some(&Some(Look::Words));

    let is_behind_words = i.checked_sub(1).is_some_and(looks_like_words);
    let is_before_words = looks_like_words(i + 1);
    is_behind_words || is_before_words
}

/// The start of an event's text.
fn start_of_event(event: &Event<'_>) -> usize {
    match event {
        Event::Move(MoveWords { range, .. }) | Event::Words(range) => range.start,
        Event::Tag(_, _, at)
        | Event::Comment(_, at)
        | Event::EscapedLine(_, at)
        | Event::Trailing(_, at)
        | Event::Fault(_, _, at)
        | Event::Nag(_, at)
        | Event::Termination(_, at)
        | Event::Movetext(at)
        | Event::BeginVariation(at)
        | Event::EndVariation(at) => *at,
    }
}

/// The range of words including adjacent numbers that have no dot, are not the number of the next move, and lie within
/// bounds.
fn with_numbers(
    text: &str,
    words: Range<usize>,
    bounds: Range<usize>,
    next_number: Option<u64>,
) -> Range<usize> {
    let start = start_with_numbers(text, &words, bounds.start, next_number);
    let end = end_with_numbers(text, words.end, bounds.end, next_number);

    start..end
}

/// The start of words including the numbers before them.
fn start_with_numbers(
    text: &str,
    words: &Range<usize>,
    bound: usize,
    next_number: Option<u64>,
) -> usize {
    let mut start = words.start;

    // Each pass makes the range longer.
    while let Some(before) = text.get(bound..start) {
        let number = before.trim_end();
        let digits = trailing_digits(number);
        let number_at = number.len() - digits.len();

        let is_glued = number.len() == before.len() && start == words.start;
        let is_apart = !number[..number_at].ends_with(is_part_of_word);
        let is_move_number = !is_glued && may_be_move_number(digits, next_number);
        if digits.is_empty() || !is_apart || is_move_number {
            break;
        }

        start = bound + number_at;
    }

    start
}

/// The end of words including the numbers behind them.
fn end_with_numbers(text: &str, words_end: usize, bound: usize, next_number: Option<u64>) -> usize {
    let mut end = words_end;

    while let Some(behind) = text.get(end..bound) {
        let number = behind.trim_start();
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        let number_end = bound - number.len() + digits;

        let after = &text[number_end..];
        let has_dot = after.trim_start().starts_with(is_dot);
        let is_glued = number.len() == behind.len() || after.starts_with(is_part_of_word);
        let is_move_number = may_be_move_number(&number[..digits], next_number);
        if digits == 0 || is_glued || has_dot || is_move_number {
            break;
        }

        end = number_end;
    }

    end
}

/// Returns `true` if digits may be the number of the next move; in a game with an unknown start, any number may be.
fn may_be_move_number(digits: &str, next_number: Option<u64>) -> bool {
    next_number.is_none_or(|number| digits.parse() == Ok(number))
}

/// The digits at the end of a text.
fn trailing_digits(text: &str) -> &str {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
    &text[before.len()..]
}

fn is_dot(c: char) -> bool {
    matches!(c, '.' | '…')
}

/// Returns `true` for characters that do not separate a number from a word, and for the sign of a NAG.
fn is_part_of_word(c: char) -> bool {
    !c.is_whitespace() && !"(){}!?*;<".contains(c)
}

/// The texts of a line between two move numbers.
#[derive(Default)]
struct NumberedRun {
    /// The number of half-moves before the run, by its move number.
    first_ply: Option<u64>,
    /// The number of texts that look like moves.
    moves: u64,
    /// The events that do not look like moves.
    others: Vec<usize>,
}

impl NumberedRun {
    /// Adds the text of an event. `numbered_ply` is the number of half-moves before the text, by a move number right
    /// before it. Such a number ends this run, and begins the next run of the line.
    fn add(&mut self, event: usize, numbered_ply: Option<u64>, looks: &mut [Option<Look>]) {
        // A number that the moves have passed belongs to words: `2 minutes`.
        let is_words = looks[event] == Some(Look::Words);
        if let Some(ply) = numbered_ply
            && !(is_words && self.has_passed(ply))
        {
            let ended = std::mem::take(self);
            ended.settle(Some(ply), looks);
            self.first_ply = Some(ply);
        }

        match looks[event] {
            Some(Look::Move) | None => self.moves += 1,
            Some(Look::Fragment | Look::Words) => self.others.push(event),
        }
    }

    /// Returns `true` if the moves of the run go beyond a number of half-moves.
    fn has_passed(&self, ply: u64) -> bool {
        match self.first_ply {
            Some(first) => ply < first + self.moves,
            None => false,
        }
    }

    /// Decides the looks of the run's texts, given the number of half-moves before the next move number, if any.
    fn settle(self, next_ply: Option<u64>, looks: &mut [Option<Look>]) {
        let played = match (self.first_ply, next_ply) {
            (Some(first), Some(next)) => next.checked_sub(first),
            _ => None,
        };

        for i in self.others {
            let is_words = match played {
                Some(played) => played <= self.moves,
                None => looks[i] == Some(Look::Words),
            };
            looks[i] = Some(if is_words { Look::Words } else { Look::Move });
        }
    }
}

/// The number of half-moves before a move, by the move number right before it: `2.`, `2...`, `2`.
fn ply_before(text: &str, at: usize) -> Option<u64> {
    let before = text[..at].trim_end();
    let up_to_number = before.trim_end_matches(|c: char| is_dot(c) || c.is_whitespace());

    let dots = &before[up_to_number.len()..];
    let full_stops = dots.bytes().filter(|&byte| byte == b'.').count();
    let is_black = full_stops > 1 || dots.contains('…');

    let digits = trailing_digits(up_to_number);
    let up_to_digits = &up_to_number[..up_to_number.len() - digits.len()];
    let is_apart = match up_to_digits.chars().next_back() {
        Some(c) => c.is_whitespace() || "(){}".contains(c),
        None => true,
    };
    if !is_apart || digits.len() > MAX_NUMBER_DIGITS {
        return None;
    }

    let number: u64 = digits.parse().ok()?;
    let full_moves = number.checked_sub(1)?;
    Some(2 * full_moves + u64::from(is_black))
}

/// The first word of a part of a text, and the words after it, which may be none.
fn first_word(text: &str, part: Range<usize>) -> (Range<usize>, Range<usize>) {
    let words = text[part.clone()].trim_start();
    let start = part.end - words.len();

    let length = words.find(char::is_whitespace).unwrap_or(words.len());
    let others = words[length..].trim_start();
    let others_start = part.end - others.len();

    (start..start + length, others_start..part.end)
}

/// The texts of a game, with cached looks.
struct Texts<'r> {
    readings: &'r [Reading<'r>],
    known: HashMap<String, bool>,
}

impl Texts<'_> {
    /// The look of a text, independently of the position.
    fn look(&mut self, text: &str) -> Look {
        if San::parse(text.as_bytes()).is_some() {
            Look::Move
        } else if is_fragment(text) {
            Look::Fragment
        } else if self.is_read(text) {
            Look::Move
        } else if names_square(text) {
            Look::Fragment
        } else {
            Look::Words
        }
    }

    /// Returns `true` for a move text under any of the readings.
    fn is_read(&mut self, text: &str) -> bool {
        if text.len() > MAX_MOVE_BYTES {
            return false;
        }
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        if self.known.len() == MAX_TEXTS {
            return true;
        }

        // The grammars recognize move texts independently of the position.
        let start = Position::start();
        let no_move_text = UnreadMove {
            why: MoveFault::NoMoveText,
            meant: None,
        };
        let is_read = self
            .readings
            .iter()
            .any(|&reading| read(text, reading, &start).err() != Some(no_move_text));

        self.known.insert(text.to_owned(), is_read);
        is_read
    }
}

/// Returns `true` for a text without long words that contains a file and a rank, possibly in other letters.
fn names_square(text: &str) -> bool {
    // `Кр`, a file, a sign, a file.
    const MAX_LETTERS: usize = 5;

    let mut letters = 0;
    let mut has_square = false;

    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        letters = if c.is_alphabetic() { letters + 1 } else { 0 };
        if letters > MAX_LETTERS {
            return false;
        }

        let is_before_digit = chars.peek().is_some_and(char::is_ascii_digit);
        has_square |= may_be_file(c) && is_before_digit;
    }

    has_square
}

/// `true` for a letter that may be a file, possibly of another alphabet.
fn may_be_file(c: char) -> bool {
    let is_foreign = !c.is_ascii() && c.is_alphabetic();
    matches!(c, 'a'..='h' | 'A'..='H') || is_foreign
}

/// Returns `true` for an English piece letter with a part of its move: `Nf`, `Rx`, `N3`.
fn is_fragment(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['K', 'Q', 'R', 'B', 'N']) else {
        return false;
    };
    if rest.is_empty() || text.len() > MAX_FRAGMENT_BYTES {
        return false;
    }

    rest.bytes()
        .all(|byte| b"abcdefgh12345678x:-+#".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::ply_before;
    use crate::game::tests::shown;
    use crate::replay::Readings;

    /// The moves of a game, its annotations, and the codes of its problems.
    fn summary(text: &str) -> (String, String, String) {
        let game = Readings::default().replay(text).replay;
        let codes: Vec<&str> = game
            .problems
            .iter()
            .map(|problem| problem.kind.code())
            .collect();
        (
            game.game.moves.into_owned(),
            shown(&game.game.annotations),
            codes.join(" "),
        )
    }

    macro_rules! numbers {
        ($($name:ident: $text:literal => $ply:expr;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(ply_before($text, $text.len()), $ply);
            }
        )*};
    }

    numbers! {
        a_number_of_white: "12. " => Some(22);
        a_number_of_black: "12... " => Some(23);
        a_number_with_an_ellipsis: "12…" => Some(23);
        a_number_without_dots: "e4 12 " => Some(22);
        a_number_behind_a_bracket: "(12." => Some(22);
        a_number_in_a_word: "c12." => None;
        a_year: "1972." => None;
        a_number_of_no_move: "0." => None;
        no_number: "e4 " => None;
    }

    macro_rules! goes_on {
        ($($name:ident: $text:literal => $moves:literal, $annotations:literal, $codes:literal;)*) => {$(
            #[test]
            fn $name() {
                let (moves, annotations, codes) = summary($text);
                assert_eq!((moves.as_str(), annotations.as_str(), codes.as_str()), ($moves, $annotations, $codes));
            }
        )*};
    }

    goes_on! {
        a_word: "1. e4 oops e5 2. Nf3 *" => "e4 e5 Nf3", "1: {oops", "unknown-token";
        words_alone: "1. oops *" => "", "0: {oops", "unknown-token no-moves";
        several_words: "1. e4 e5 this was played in 1900 2. Nf3 *"
            => "e4 e5 Nf3", "2: {this was played in 1900", "unknown-token";
        words_behind_a_number: "1. e4 e5 2. oops Nf3 Nc6 3. d4 *"
            => "e4 e5 Nf3 Nc6 d4", "2: {oops", "unknown-token";
        a_word_in_the_place_of_a_move: "1. e4 e5 2. oops Nc6 3. d4 *" => "e4 e5", "", "unknown-token";
        a_fragment: "1. e4 e5 2. Nf Nc6 *" => "e4 e5", "", "unknown-token";
        a_word_with_a_square: "1. e4 e5 2. http://x.y/a1 Nf3 Nc6 3. d4 *"
            => "e4 e5 Nf3 Nc6 d4", "2: {http://x.y/a1", "unknown-token";
        a_word_with_a_square_at_the_end_of_a_move: "1. e4 e5 2. Nf3 Nc6 img_c6.png 3. d4 *"
            => "e4 e5 Nf3 Nc6 d4", "4: {img_c6.png", "unknown-token";
        a_word_with_a_square_in_the_place_of_a_move: "1. e4 e5 2. x-a1-y Nc6 3. d4 *" => "e4 e5", "", "unknown-token";
        an_illegal_move: "1. e4 e5 2. Nf9 Nc6 *" => "e4 e5", "", "unknown-token";
        an_illegal_move_behind_words: "1. e4 oops e5 2. Ke3 *" => "e4 e5", "1: {oops", "unknown-token illegal-move";
        in_a_variation: "1. e4 e5 (1... c5 oops 2. Nf3 d6) 2. d4 *"
            => "e4 e5 d4", "2: ( c5 {oops Nf3 d6 )", "unknown-token";
        nested_comments: "1. e4 {this {is a} nested {comment}} e5 *"
            => "e4 e5", "1: {this {is a {nested {comment", "unknown-token stray-brace";
        marks_of_tools: "1. e4 [%clk 0:01] e5 @@x@@ 2. Nf3<br> Nc6 *"
            => "e4 e5 Nf3 Nc6", "1: {[%clk 0:01], 2: {@@x@@, 3: {<br>",
               "unknown-token unknown-token unknown-token";
        escaped_nags: r"1. e4 \$14 {or} (1. d4 \$1 d5) e5 *"
            => "e4 e5", "1: $14 {or ( d4 $1 d5 )", "escaped-nag escaped-nag";
        words_behind_a_move: "1. e4 to be followed by d4 e5 *" => "e4", "1: {to be followed by",
            "unknown-token illegal-move";
        in_french: "1. e4 hélas e5 2. Cf3 Cc6 3. Fb5 *" => "e4 e5 Nf3 Nc6 Bb5", "1: {hélas", "unknown-token";
        a_nag_apart: "1. e4 $ 14 e5 *" => "e4 e5", "1: {$ 14", "invalid-nag";
        spaces_of_other_kinds: "1.\u{a0}e4\u{a0}e5 2. Nf3 *" => "e4 e5 Nf3", "", "";
        a_number_glued: "1. e4 e5 2. Nf3 Nc6 12s 3. Bb5 *" => "e4 e5 Nf3 Nc6 Bb5", "4: {12s", "unknown-token";
        a_number_before: "1. e4 e5 2. Nf3 Nc6 5 minutes 3. Bb5 *"
            => "e4 e5 Nf3 Nc6 Bb5", "4: {5 minutes", "unknown-token";
        numbers_around: "1. e4 e5 2. Nf3 Nc6 1 / 2 3. Bb5 *" => "e4 e5 Nf3 Nc6 Bb5", "4: {1 / 2", "unknown-token";
        a_number_that_was_due_before: "1. e4 e5 2. Nf3 Nc6 2 minutes 3. Bb5 *"
            => "e4 e5 Nf3 Nc6 Bb5", "4: {2 minutes", "unknown-token";
        numbers_on_two_lines: "1. e4 e5 ;in 12\n15 20 minutes\n 7 2. Nf3 *"
            => "e4 e5 Nf3", "2: {in 12 {15 20 minutes  7", "unknown-token";
        the_number_due: "1 e4 e5 2 oops Nf3 oops Nc6 oops 3 d4 *"
            => "e4 e5 Nf3 Nc6 d4", "2: {oops, 3: {oops, 4: {oops", "unknown-token unknown-token unknown-token";
        a_number_in_a_variation: "1. e4 e5 (1... c5 5 oops 2. Nf3 d6) 2. d4 *"
            => "e4 e5 d4", "2: ( c5 {5 oops Nf3 d6 )", "unknown-token";
        a_nag_before: "1. e4 $14 oops e5 *" => "e4 e5", "1: $14 {oops", "unknown-token";
        a_fraction: "1. e4 e5 1.5 2. Nf3 Nc6 *" => "e4 e5 Nf3 Nc6", "2: {1.5", "unknown-token";
        a_value: "1. e4 e5 +0.35 2. Nf3 0.00 Nc6 *"
            => "e4 e5 Nf3 Nc6", "2: {+0.35, 3: {0.00", "unknown-token unknown-token";
        a_value_in_brackets: "1. e4 e5 (0.00) 2. Nf3 *" => "e4 e5 Nf3", "2: ( {0.00 )", "unknown-token";
        numbers_before_castling: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4.0-0 Nf6 5.1/2-1/2"
            => "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6", "", "";
        a_result_with_spaces: "1. e4 e5 2. Nf3 Nc6 1 - 0" => "e4 e5 Nf3 Nc6", "", "";
        words_of_the_end: "1. e4 e5 Black resigns" => "e4 e5", "2: {Black resigns", "";
    }
}
