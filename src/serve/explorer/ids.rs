//! Ids of games for explorers: eight letters and digits, as clients require them.
//!
//! The id of a game is its number in base 62, with the digits 0 to 9, A to Z and a to z, and zeros in front: game 1 is
//! `00000001`, game 62 is `00000010`. So every number below 62 to the power of 8 has one id, and every id one number.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH: usize = 8;
const IDS: i64 = 62_i64.pow(LENGTH as u32);

/// The id of a game; games that another program has given a number without one have that of game 0, which there is
/// never.
pub(in crate::serve) fn id(game: i64) -> String {
    let mut rest = if (0..IDS).contains(&game) { game } else { 0 };
    let mut id = [b'0'; LENGTH];
    for digit in id.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    id.iter().map(|&digit| char::from(digit)).collect()
}

/// The number of the game with an id; `None` for a text that is no id.
pub(in crate::serve) fn game(id: &str) -> Option<i64> {
    if id.len() != LENGTH {
        return None;
    }
    id.bytes().try_fold(0, |number, letter| {
        let digit = DIGITS.iter().position(|&digit| digit == letter)?;
        Some(number * 62 + digit as i64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_numbers_stand_for_each_other() {
        for (number, text) in [
            (0, "00000000"),
            (1, "00000001"),
            (61, "0000000z"),
            (62, "00000010"),
            (IDS - 1, "zzzzzzzz"),
        ] {
            assert_eq!(id(number), text);
            assert_eq!(game(text), Some(number));
        }
        for number in (1..IDS).step_by(1_234_567_891_011) {
            assert_eq!(game(&id(number)), Some(number));
        }
    }

    #[test]
    fn other_texts_are_no_ids() {
        for text in ["", "1", "0000001", "000000001", "0000000_", "ä000000", "0000 001"] {
            assert_eq!(game(text), None, "{text}");
        }
        assert_eq!([id(-1), id(IDS)], ["00000000", "00000000"]);
    }
}
