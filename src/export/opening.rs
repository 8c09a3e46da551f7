//! Fills in tags from the moves of a game: the opening tags, and the number of half-moves.

use super::form::{FilledTags, PgnForm};
use super::remark::{Remark, RemarkKind};
use crate::game::{Game, Variant};
use crate::openings::Openings;
use crate::replay::Mainline;

/// Writes the tags `ECO`, `Opening`, `Variation`, `SubVariation` and `PlyCount` as the form requests, with a remark on
/// each changed tag of the opening.
pub(super) fn write_tags(
    draft: &mut Game<'_>,
    form: &PgnForm,
    openings: &Openings,
    remarks: &mut Vec<Remark>,
) {
    write_ply_count(draft, form);
    write_opening(draft, form, openings, remarks);
}

/// Writes the number of half-moves of a game that could be played.
fn write_ply_count(draft: &mut Game<'_>, form: &PgnForm) {
    if !draft.is_played {
        return;
    }

    let is_missing = draft.tag("PlyCount").is_none();
    let is_replaced = form.replace.contains(&FilledTags::PlyCount);
    let is_filled = form.fill.contains(&FilledTags::PlyCount) && is_missing;
    if is_replaced || is_filled {
        let plies = draft.moves.split_ascii_whitespace().count();
        draft.set_tag("PlyCount", plies.to_string());
    }
}

fn write_opening(
    draft: &mut Game<'_>,
    form: &PgnForm,
    openings: &Openings,
    remarks: &mut Vec<Remark>,
) {
    let is_requested = |tags, name| {
        let is_missing = !has_known_value(draft, name);
        form.replace.contains(&tags) || (form.fill.contains(&tags) && is_missing)
    };
    let writes_eco = is_requested(FilledTags::Eco, "ECO");
    let writes_opening = is_requested(FilledTags::Opening, "Opening");
    if draft.variant != Variant::Standard || !(writes_eco || writes_opening) {
        return;
    }

    let Some(id) = Mainline::of(draft).and_then(|mainline| openings.of_mainline(mainline)) else {
        return;
    };
    let opening = openings.get(id);

    if writes_eco {
        set_tag(draft, "ECO", opening.eco, remarks);
    }
    if !writes_opening {
        return;
    }

    set_tag(draft, "Opening", opening.family(), remarks);
    let is_replaced = form.replace.contains(&FilledTags::Opening);
    let parts = [
        ("Variation", opening.variation()),
        ("SubVariation", opening.sub_variation()),
    ];
    for (name, value) in parts {
        if has_known_value(draft, name) && !is_replaced {
            continue;
        }
        match value {
            Some(value) => set_tag(draft, name, value, remarks),
            None => remove_tag(draft, name, remarks),
        }
    }
}

/// `true` if a game has a tag whose value is not unknown.
fn has_known_value(draft: &Game<'_>, name: &str) -> bool {
    match draft.tag(name) {
        Some(value) => !matches!(value.trim(), "" | "?" | "-"),
        None => false,
    }
}

fn set_tag(draft: &mut Game<'_>, name: &'static str, value: &str, remarks: &mut Vec<Remark>) {
    let before = draft.tag(name);
    if before == Some(value) {
        return;
    }

    let remark = Remark::of_tag(RemarkKind::OpeningTag, name, before, Some(value));
    remarks.push(remark);
    draft.set_tag(name, value.to_owned());
}

/// Leaves out a tag that would belong to another opening.
fn remove_tag(draft: &mut Game<'_>, name: &str, remarks: &mut Vec<Remark>) {
    let Some(before) = draft.tag(name) else {
        return;
    };

    let remark = Remark::of_tag(RemarkKind::OpeningTag, name, Some(before), None);
    remarks.push(remark);
    draft.tags.retain(|tag| tag.name != name);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    /// The remarks on a Najdorf with some tags.
    fn remarks_on(tags: &str, fill: &[FilledTags], replace: &[FilledTags]) -> String {
        let text = format!("{tags}\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. f3 *");
        let replay = replay(&text);
        let mut draft = replay.game.borrowed();
        let mut remarks = Vec::new();
        let form = PgnForm {
            fill: fill.to_vec(),
            replace: replace.to_vec(),
            ..PgnForm::default()
        };
        write_tags(&mut draft, &form, Openings::standard(), &mut remarks);

        let sentences: Vec<String> = remarks.iter().map(Remark::to_string).collect();
        sentences.join("; ").replace("opening-tag: ", "")
    }

    const ECO: FilledTags = FilledTags::Eco;
    const OPENING: FilledTags = FilledTags::Opening;

    macro_rules! tells {
        ($($name:ident: $tags:literal, $fill:expr, $replace:expr => $remarks:literal;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(remarks_on($tags, &$fill, &$replace), $remarks);
            }
        )*};
    }

    tells! {
        nothing_is_asked_for: "", [], [] => "";
        missing_tags: "", [ECO, OPENING], [] =>
            "ECO is added as \"B90\"; Opening is added as \"Sicilian Defense\"; Variation is added as \
             \"Najdorf Variation\"";
        a_code_that_is_there: "[ECO \"B20\"]\n", [ECO], [] => "";
        a_code_that_says_nothing: "[ECO \"?\"]\n", [ECO], [] => "ECO \"?\" is written as \"B90\"";
        a_code_is_replaced: "[ECO \"B20\"]\n", [], [ECO] => "ECO \"B20\" is written as \"B90\"";
        an_equal_code: "[ECO \"B90\"]\n", [], [ECO] => "";
        an_opening_that_is_there: "[Opening \"Sizilianisch\"]\n", [OPENING], [] => "";
        a_variation_that_is_there: "[Variation \"Najdorf\"]\n", [OPENING], [] =>
            "Opening is added as \"Sicilian Defense\"";
        an_opening_is_replaced: "[Opening \"French\"]\n[SubVariation \"Main\"]\n", [], [OPENING] =>
            "Opening \"French\" is written as \"Sicilian Defense\"; Variation is added as \"Najdorf \
             Variation\"; SubVariation \"Main\" is left out";
        another_variant: "[Variant \"Atomic\"]\n", [ECO, OPENING], [ECO] => "";
    }
}
