//! The JSON text of a game's annotations, which `docs/annotations.md` specifies.
//!
//! The text is an object. Its keys are the number of half-moves of the mainline already played (`"0"` is before the
//! first move), its values are arrays of strings, in the order of the game. The first character of a string gives its
//! kind: `{` is a comment, `$` a NAG, `(` and `)` the ends of a variation, `%` an escape line; anything else is a move
//! of a variation.
//!
//! ```json
//! {"0": ["{Played in Paris."], "3": ["$1", "(", "d4", "exd4", "{a gambit", ")"]}
//! ```
//!
//! The arrays are flat, since people nest variations deeper than JSON parsers allow.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::json::write_escaped;
use crate::game::{Annotation, Annotations};

/// Appends the JSON text of annotations; nothing if there are none.
pub(super) fn write_annotations(annotations: &Annotations, json: &mut Vec<u8>) {
    let mut last = None;
    for (ply, annotation) in annotations.iter() {
        if last == Some(ply) {
            json.push(b',');
        } else {
            let before = if last.is_none() { "{\"" } else { "],\"" };
            json.extend_from_slice(before.as_bytes());
            json.extend_from_slice(ply.to_string().as_bytes());
            json.extend_from_slice(b"\":[");
            last = Some(ply);
        }
        json.push(b'"');
        write_annotation(annotation, json);
        json.push(b'"');
    }
    if last.is_some() {
        json.extend_from_slice(b"]}");
    }
}

fn write_annotation(annotation: Annotation<'_>, json: &mut Vec<u8>) {
    let (mark, text) = match annotation {
        Annotation::Move(san) => ("", san),
        Annotation::Comment(text) => ("{", text),
        Annotation::EscapedLine(text) => ("%", text),
        Annotation::BeginVariation => ("(", ""),
        Annotation::EndVariation => (")", ""),
        Annotation::Nag(nag) => {
            json.push(b'$');
            return json.extend_from_slice(nag.to_string().as_bytes());
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
    // A parenthesis may also be written as an escape.
    let may_have_one = |json: &&str| json.contains("\"(\"") || json.contains("\\u");
    read_annotations(json.filter(may_have_one)).unwrap_or_default()
}

/// Parses a single string.
fn annotation(text: &str) -> Option<Annotation<'_>> {
    let rest = text.get(1..);
    match text.as_bytes().first()? {
        b'{' => rest.map(Annotation::Comment),
        b'%' => rest.map(Annotation::EscapedLine),
        b'$' => rest?.parse().ok().map(Annotation::Nag),
        b'(' => Some(Annotation::BeginVariation),
        b')' => Some(Annotation::EndVariation),
        _ => Some(Annotation::Move(text)),
    }
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
        let (mut stored, mut is_in_order) = (Annotations::default(), true);
        // Annotations whose keys another program has put out of order, each with its key.
        let mut parts = Vec::new();
        while let Some(ply) = map.next_key::<u32>()? {
            is_in_order &= stored.last_ply().is_none_or(|last| last <= ply);
            if is_in_order {
                map.next_value_seed(Texts { ply, into: &mut stored })?;
            } else {
                let mut part = Annotations::default();
                map.next_value_seed(Texts { ply, into: &mut part })?;
                parts.push(part);
            }
        }
        Ok(Stored(if is_in_order { stored } else { in_order(&stored, &parts) }))
    }
}

fn in_order(first: &Annotations, others: &[Annotations]) -> Annotations {
    let all = std::iter::once(first).chain(others);
    let mut all: Vec<(u32, Annotation<'_>)> = all.flat_map(Annotations::iter).collect();
    all.sort_by_key(|(ply, _)| *ply);
    all.into_iter().collect()
}

/// The strings of one key.
struct Texts<'a> {
    ply: u32,
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
            let read = annotation(&text);
            let read =
                read.ok_or_else(|| S::Error::custom(format!("{text:?} is no annotation")))?;
            self.into.push(self.ply, read);
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
    use crate::game::tests::annotations;

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
        assert_eq!(read_annotations(Some(expected)).expect("annotations"), written);
        assert_eq!(json(&Annotations::default()), "");
    }

    #[test]
    fn keys_may_be_in_any_order() {
        let read = read_annotations(Some(r#"{"2":["d4"],"1":["$1"],"3":["$2"],"1":["$3"]}"#));
        let read = read.expect("annotations");
        assert_eq!(read, annotations(&[(1, "$1 $3"), (2, "d4"), (3, "$2")]));
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
    }
}
