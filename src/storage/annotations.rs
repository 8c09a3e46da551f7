//! The JSON text of a game's annotations, which `docs/annotations.md` specifies.
//!
//! The text is an object. Its keys are the number of half-moves of the mainline already played (`"0"` is before the
//! first move); its values are arrays of strings, in the order of the game. The first character of a string gives its
//! kind: `{` is a comment, `$` a NAG, `(` and `)` the ends of a variation, `%` an escape line; anything else is a move
//! of a variation.
//!
//! ```json
//! {"0": ["{Played in Paris."], "3": ["$1", "(", "d4", "exd4", "{a gambit", ")"]}
//! ```
//!
//! The clock times of a whole game are an array of seconds: see `clocks.rs`.
//!
//! The arrays are flat, since people nest variations deeper than JSON parsers allow.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::clocks::{ClockComments, ClockForm, Clocks};
use super::json::write_escaped;
use crate::game::{Annotation, Annotations, Ply};

/// Appends the JSON text of annotations; nothing if there are none.
pub(super) fn write_annotations(annotations: &Annotations, json: &mut Vec<u8>) {
    write_with_clocks(&Clocks::of(annotations), annotations, json);
}

/// Appends the JSON text of annotations, with `clocks` as an array and other clock times as comments.
fn write_with_clocks(clocks: &Clocks, annotations: &Annotations, json: &mut Vec<u8>) {
    if annotations.is_empty() {
        return;
    }

    json.push(b'{');
    let begin = json.len();
    clocks.write(json);
    let has_clocks = json.len() > begin;

    let mut last = None;
    let mut last_clock = None;
    for (ply, annotation) in annotations.iter() {
        // A clock time in the array is the first annotation at its half-move, and is not written again.
        if clocks.has(ply) && last_clock.replace(ply) != Some(ply) {
            continue;
        }

        if last == Some(ply) {
            json.push(b',');
        } else {
            let before_key = match last {
                Some(_) => "],\"",
                None if has_clocks => ",\"",
                None => "\"",
            };
            json.extend_from_slice(before_key.as_bytes());
            json.extend_from_slice(ply.to_string().as_bytes());
            json.extend_from_slice(b"\":[");
            last = Some(ply);
        }

        json.push(b'"');
        write_annotation(annotation, json);
        json.push(b'"');
    }

    if last.is_some() {
        json.push(b']');
    }
    json.push(b'}');
}

/// The JSON text of annotations with clock times as comments, whether or not they are an array in `json`.
pub(super) fn without_clock_arrays(json: &str) -> Cow<'_, str> {
    // Stamma writes the array before all other keys. Another program may write it behind them.
    let may_have_array = json.contains("\"clk\"") || json.contains("\" clk \"");
    if !may_have_array {
        return Cow::Borrowed(json);
    }

    let Ok(annotations) = read_annotations(Some(json)) else {
        return Cow::Borrowed(json);
    };

    let mut full = Vec::new();
    write_with_clocks(&Clocks::default(), &annotations, &mut full);
    match String::from_utf8(full) {
        Ok(full) => Cow::Owned(full),
        Err(_) => Cow::Borrowed(json),
    }
}

/// Appends the content of the string for an annotation.
fn write_annotation(annotation: Annotation<'_>, json: &mut Vec<u8>) {
    let (mark, text) = match annotation {
        Annotation::Move(san) => ("", san),
        Annotation::Comment(text) => ("{", text),
        Annotation::EscapedLine(text) => ("%", text),
        Annotation::BeginVariation => ("(", ""),
        Annotation::EndVariation => (")", ""),
        Annotation::Nag(nag) => {
            json.push(b'$');
            json.extend_from_slice(nag.to_string().as_bytes());
            return;
        }
    };

    json.extend_from_slice(mark.as_bytes());
    write_escaped(json, text);
}

/// Parses the annotations of a row; a missing text has none.
///
/// # Errors
/// When the text has another format.
pub(crate) fn read_annotations(json: Option<&str>) -> serde_json::Result<Annotations> {
    let stored: Option<Stored> = json.map(serde_json::from_str).transpose()?;
    Ok(stored.unwrap_or_default().0)
}

/// Parses annotations for their variations: empty if there is no variation, or the text has another format.
pub(crate) fn read_variations(json: Option<&str>) -> Annotations {
    let Some(json) = json else {
        return Annotations::default();
    };

    // Most games have no variation: a search for its string is faster than parsing. Another program may have written
    // the parenthesis as an escape.
    let may_have_variation = json.contains("\"(\"") || json.contains("\\u");
    if !may_have_variation {
        return Annotations::default();
    }
    read_annotations(Some(json)).unwrap_or_default()
}

/// Parses a single string; `None` for an empty string and for a `$` without the number of a NAG.
fn parse_annotation(text: &str) -> Option<Annotation<'_>> {
    let first = *text.as_bytes().first()?;
    // A first character of several bytes has no rest here: it begins a move.
    let rest = text.get(1..);

    let annotation = match first {
        b'{' => Annotation::Comment(rest?),
        b'%' => Annotation::EscapedLine(rest?),
        b'$' => {
            let nag = rest?.parse().ok()?;
            Annotation::Nag(nag)
        }
        b'(' => Annotation::BeginVariation,
        b')' => Annotation::EndVariation,
        _ => Annotation::Move(text),
    };
    Some(annotation)
}

/// Annotations as stored.
#[derive(Default)]
struct Stored(Annotations);

impl<'j> Deserialize<'j> for Stored {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Stored, D::Error> {
        deserializer.deserialize_map(ByPly)
    }
}

struct ByPly;

impl<'j> Visitor<'j> for ByPly {
    type Value = Stored;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("arrays of strings by half-moves")
    }

    fn visit_map<M: MapAccess<'j>>(self, mut map: M) -> Result<Stored, M::Error> {
        let mut stored = Annotations::default();
        let mut is_in_order = true;
        let mut clocks = Annotations::default();
        // Annotations whose keys another program has put out of order, each with its key.
        let mut parts = Vec::new();

        while let Some(key) = map.next_key()? {
            let ply = match key {
                Key::Ply(ply) => ply,
                Key::Clocks(form) => {
                    clocks = map.next_value_seed(ClockComments(form))?;
                    continue;
                }
            };

            is_in_order &= stored.last_ply().is_none_or(|last| last <= ply);
            if is_in_order {
                let into = &mut stored;
                map.next_value_seed(Texts { ply, into })?;
            } else {
                let mut part = Annotations::default();
                let into = &mut part;
                map.next_value_seed(Texts { ply, into })?;
                parts.push(part);
            }
        }

        if is_in_order && clocks.is_empty() {
            return Ok(Stored(stored));
        }
        // A clock time comes before other annotations at its half-move.
        parts.insert(0, stored);
        let merged = merge_by_ply(&clocks, &parts);
        Ok(Stored(merged))
    }
}

/// A key of the object.
enum Key {
    Ply(Ply),
    Clocks(ClockForm),
}

impl<'j> Deserialize<'j> for Key {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(KeyVisitor)
    }
}

struct KeyVisitor;

impl Visitor<'_> for KeyVisitor {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of half-moves, or \"clk\"")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        if let Some(form) = ClockForm::of_key(key) {
            return Ok(Key::Clocks(form));
        }
        let Ok(number) = key.parse() else {
            return Err(E::custom("a key is no number of half-moves"));
        };
        Ok(Key::Ply(Ply::new(number)))
    }
}

/// All annotations in the order of their half-moves. The sort is stable, so that `first` comes first at each half-move.
fn merge_by_ply(first: &Annotations, others: &[Annotations]) -> Annotations {
    let mut merged: Vec<(Ply, Annotation<'_>)> = first.iter().collect();
    for annotations in others {
        merged.extend(annotations.iter());
    }

    merged.sort_by_key(|(ply, _)| *ply);
    merged.into_iter().collect()
}

/// The strings of one key.
struct Texts<'a> {
    ply: Ply,
    into: &'a mut Annotations,
}

impl<'j> DeserializeSeed<'j> for Texts<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'j>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'j> Visitor<'j> for Texts<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of strings")
    }

    fn visit_seq<S: SeqAccess<'j>>(self, mut texts: S) -> Result<(), S::Error> {
        while let Some(Text(text)) = texts.next_element()? {
            let Some(annotation) = parse_annotation(&text) else {
                return Err(S::Error::custom(format!("{text:?} is no annotation")));
            };
            self.into.push(self.ply, annotation);
        }
        Ok(())
    }
}

/// A string that is copied only where it has escapes.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Text<'j>(#[serde(borrow)] Cow<'j, str>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games::annotations;

    fn json(annotations: &Annotations) -> String {
        let mut json = Vec::new();
        write_annotations(annotations, &mut json);
        String::from_utf8(json).expect("JSON is UTF-8")
    }

    #[test]
    fn strings_of_a_ply_are_together() {
        let written = annotations(&[(0, "{first"), (2, "$1 ( d4 {\"ä\" ) %x")]);
        let expected = r#"{"0":["{first"],"2":["$1","(","d4","{\"ä\"",")","%x"]}"#;
        assert_eq!(json(&written), expected);

        let read = read_annotations(Some(expected)).expect("annotations");
        assert_eq!(read, written);
        assert_eq!(json(&Annotations::default()), "");
    }

    macro_rules! comes_back {
        ($($name:ident: $annotations:expr => $json:expr;)*) => {$(
            #[test]
            fn $name() {
                let written: Annotations = $annotations
                    .into_iter()
                    .map(|(ply, one)| (Ply::new(ply), one))
                    .collect();
                assert_eq!(json(&written), $json);

                let read = read_annotations(Some($json)).expect("annotations");
                assert_eq!(read, written);

                let mut full = Vec::new();
                write_with_clocks(&Clocks::default(), &written, &mut full);
                let full = String::from_utf8(full).expect("JSON is UTF-8");
                assert_eq!(without_clock_arrays($json), full);
                assert!(!full.contains("clk \""));
            }
        )*};
    }

    use Annotation::{Comment, Nag};

    comes_back! {
        clocks: (1..=4).map(|ply| (ply, Comment(" [%clk 0:05:00] "))) =>
            r#"{" clk ":[300,300,300,300]}"#;
        clocks_of_one_side: [1, 3, 5, 7].map(|ply| (ply, Comment("[%clk 1:00:00.5]"))) =>
            r#"{"clk":[3600.5,null,3600.5,null,3600.5,null,3600.5]}"#;
        clocks_and_others: [
            (0, Comment("[%clk 0:00:09]")),
            (1, Comment("[%clk 0:00:08]")),
            (1, Nag(1)),
            (2, Nag(2)),
            (2, Comment("[%clk 0:00:07]")),
            (3, Comment("[%clk 0:00:06]")),
            (3, Comment("[%clk 0:00:05]")),
            (4, Comment(" [%clk 0:00:04] ")),
            (5, Comment("[%clk 0:00:03]")),
            (6, Comment("[%clk 0:00:02]")),
        ] => concat!(
            r#"{"clk":[8,null,6,null,3,2],"0":["{[%clk 0:00:09]"],"1":["$1"],"2":["$2","{[%clk 0:00:07]"],"#,
            r#""3":["{[%clk 0:00:05]"],"4":["{ [%clk 0:00:04] "]}"#
        );
        few_clocks: (1..=3).map(|ply| (ply, Comment("[%clk 0:05:00]"))) =>
            r#"{"1":["{[%clk 0:05:00]"],"2":["{[%clk 0:05:00]"],"3":["{[%clk 0:05:00]"]}"#;
        clocks_far_apart: [1, 2, 9, 10].map(|ply| (ply, Comment("[%clk 0:05:00]"))) => concat!(
            r#"{"1":["{[%clk 0:05:00]"],"2":["{[%clk 0:05:00]"],"9":["{[%clk 0:05:00]"],"#,
            r#""10":["{[%clk 0:05:00]"]}"#
        );
    }

    #[test]
    fn arrays_of_clock_times_may_be_behind_other_keys() {
        let full = r#"{"0":["{a"],"1":["{[%clk 0:05:00]","$1"]}"#;
        for json in [
            r#"{"0":["{a"],"1":["$1"],"clk":[300]}"#,
            r#"{"0":["{a"],"clk" : [300],"1":["$1"]}"#,
            r#"{ "clk":[300],"0":["{a"],"1":["$1"]}"#,
        ] {
            assert_eq!(without_clock_arrays(json), full);
        }

        // A comment is no key.
        let comment = r#"{"0":["{\"clk\""]}"#;
        assert_eq!(without_clock_arrays(comment), comment);
    }

    #[test]
    fn keys_may_be_in_any_order() {
        let read = read_annotations(Some(r#"{"2":["d4"],"1":["$1"],"3":["$2"],"1":["$3"]}"#));
        let read = read.expect("annotations");
        assert_eq!(read, annotations(&[(1, "$1 $3"), (2, "d4"), (3, "$2")]));
    }

    #[test]
    fn annotations_are_read_for_their_variations_only() {
        let is_read = |json: &str| !read_variations(Some(json)).is_empty();

        assert!(is_read(r#"{"1":["(","d4",")"]}"#));
        assert!(is_read(r#"{"1":["\u0028","d4",")"]}"#));
        assert!(!is_read(r#"{"1":["$1"]}"#));
        assert!(read_variations(None).is_empty());
    }

    macro_rules! refuses {
        ($($name:ident: $json:expr;)*) => {$(
            #[test]
            fn $name() {
                assert!(read_annotations(Some($json)).is_err());
                assert!(read_variations(Some($json)).is_empty());
            }
        )*};
    }

    refuses! {
        no_json: "no JSON";
        an_array: "[]";
        a_number_of_no_nag: r#"{"1":["$300"]}"#;
        an_empty_string: r#"{"1":["(","",")"]}"#;
        a_key_of_no_ply: r#"{"x":["$1"]}"#;
        a_clock_that_is_text: r#"{"clk":["300"]}"#;
        a_negative_clock: r#"{"clk":[-1]}"#;
        a_clock_without_end: r#"{"clk":[1e9]}"#;
    }
}
