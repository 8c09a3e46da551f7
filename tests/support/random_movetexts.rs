//! Random games as loose PGN: moves, null moves, comments, NAGs and variations in any order.

use proptest::prelude::*;
use stamma::board::Position;
use stamma::notation::{San, san};

/// A comment that can be written in braces or after a semicolon.
pub(crate) fn comment() -> impl Strategy<Value = String> {
    "[ -~é♞Ж]{0,150}".prop_map(|text| {
        if text.contains('}') {
            format!(";{text}\n")
        } else {
            format!("{{{text}}}")
        }
    })
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Move(prop::sample::Index),
    NullMove,
    Comment(String),
    Nag(u8),
    Variation(Vec<Item>),
}

pub(crate) fn item() -> impl Strategy<Value = Item> {
    let leaf = prop_oneof![
        6 => any::<prop::sample::Index>().prop_map(Item::Move),
        1 => Just(Item::NullMove),
        1 => comment().prop_map(Item::Comment),
        1 => any::<u8>().prop_map(Item::Nag),
    ];
    // At most four levels of variations, about 40 items in all, and 8 in a variation.
    leaf.prop_recursive(4, 40, 8, |inner| {
        let items = prop::collection::vec(inner, 0..8);
        items.prop_map(Item::Variation)
    })
}

/// Writes items as loose PGN, playing the moves.
pub(crate) fn write_items(items: &[Item], mut position: Position, text: &mut String) {
    // A variation replaces the last move, so it begins before this move.
    let mut previous = position.clone();
    for item in items {
        match item {
            Item::Move(index) => {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    continue;
                }
                let mv = *index.get(&moves);
                text.push_str(&san(&position, mv));
                previous.clone_from(&position);
                position.play(mv);
            }

            Item::NullMove => {
                // In check, a null move is illegal.
                let Ok(null) = San::Null.resolve(&position) else {
                    continue;
                };
                text.push_str("--");
                previous.clone_from(&position);
                position.play(null.mv);
            }

            Item::Comment(comment) => text.push_str(comment),
            Item::Nag(nag) => text.push_str(&format!("${nag}")),
            Item::Variation(items) => {
                text.push('(');
                write_items(items, previous.clone(), text);
                text.push(')');
            }
        }
        text.push(' ');
    }
}
