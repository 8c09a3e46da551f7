//! The annotations of a game, read from their JSON text (`docs/annotations.md`).

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// The strings at one number of half-moves, as `replay/annotations.rs` says them.
pub(crate) struct At<'j> {
    pub(crate) ply: u32,
    pub(crate) texts: Vec<Cow<'j, str>>,
}

/// All annotations, by half-moves played.
#[derive(Default)]
pub(crate) struct Annotations<'j>(pub(crate) Vec<At<'j>>);

impl<'j> Annotations<'j> {
    pub(crate) fn read(json: Option<&'j str>) -> serde_json::Result<Annotations<'j>> {
        json.map_or_else(|| Ok(Annotations(Vec::new())), serde_json::from_str)
    }

    /// The same for whoever wants variations alone: nothing where there are none, or where somebody has
    /// written what are no annotations.
    pub(crate) fn with_variations(json: Option<&'j str>) -> Annotations<'j> {
        // A parenthesis may be written by its number, too.
        let may_have_one = |json: &&str| json.contains("\"(\"") || json.contains("\\u");
        Annotations::read(json.filter(may_have_one)).unwrap_or_default()
    }

    /// All strings, each with the half-moves of the mainline before it.
    pub(crate) fn strings(&self) -> impl Iterator<Item = (u32, &str)> {
        self.0.iter().flat_map(|at| at.texts.iter().map(|text| (at.ply, text.as_ref())))
    }
}

impl<'j> Deserialize<'j> for Annotations<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Annotations<'j>, D::Error> {
        deserializer.deserialize_map(ByPly)
    }
}

struct ByPly;

impl<'j> Visitor<'j> for ByPly {
    type Value = Annotations<'j>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("arrays of strings by half-moves")
    }

    fn visit_map<M: MapAccess<'j>>(self, mut map: M) -> Result<Annotations<'j>, M::Error> {
        let mut annotations = Vec::new();
        while let Some((ply, texts)) = map.next_entry::<u32, Vec<Text<'j>>>()? {
            annotations.push(At { ply, texts: texts.into_iter().map(|text| text.0).collect() });
        }
        annotations.sort_by_key(|at| at.ply);
        Ok(Annotations(annotations))
    }
}

/// A string that is copied only where it has escapes.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Text<'j>(#[serde(borrow)] Cow<'j, str>);
