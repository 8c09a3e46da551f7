//! Ids of games for explorers: eight letters and digits, as clients require them.
//!
//! An id has the number of the database in three digits, and then the number of the game in five digits. The digits, in
//! base 62, are 0 to 9, A to Z and a to z. Game 1 of the first database is `00000001`, game 62 of the second
//! `00100010`. So every number below 62 to the power of 5 has one id, and every id one number.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE: i64 = DIGITS.len() as i64;
const LENGTH: usize = 8;
/// The number of games of a database that have ids: five digits.
const MAX_GAMES: i64 = BASE.pow(5);
/// The number of databases whose games have ids: three digits.
const MAX_DATABASES: i64 = BASE.pow(3);

/// The id of a game in a database. A game whose number is too large for an id has the id of game 0, which never exists.
pub(in crate::serve) fn id(database: u32, game: i64) -> String {
    let database = i64::from(database);
    let has_id = (0..MAX_GAMES).contains(&game) && database < MAX_DATABASES;
    let mut rest = if has_id {
        database * MAX_GAMES + game
    } else {
        0
    };

    // The last digit is the remainder, which is below `BASE`, as `rest` is not negative.
    let mut id = [b'0'; LENGTH];
    for digit in id.iter_mut().rev() {
        let value = (rest % BASE) as usize;
        *digit = DIGITS[value];
        rest /= BASE;
    }
    id.iter().map(|&digit| char::from(digit)).collect()
}

/// The number of the game with an id in its database; `None` for a text that is no id.
pub(in crate::serve) fn game(id: &str) -> Option<i64> {
    Some(value_of_id(id)? % MAX_GAMES)
}

/// The number of the database of an id, which may have an ending.
pub(in crate::serve) fn database(id: &str) -> Option<u32> {
    let database = value_of_id(id.trim_end_matches(".pgn"))? / MAX_GAMES;
    u32::try_from(database).ok()
}

/// The value of an id as a number in base 62; `None` for a text that is no id.
fn value_of_id(id: &str) -> Option<i64> {
    if id.len() != LENGTH {
        return None;
    }

    let mut number = 0;
    for letter in id.bytes() {
        let digit = DIGITS.iter().position(|&digit| digit == letter)?;
        number = number * BASE + digit as i64;
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_numbers_stand_for_each_other() {
        for (number, in_database, text) in [
            (0, 0, "00000000"),
            (1, 0, "00000001"),
            (61, 0, "0000000z"),
            (62, 1, "00100010"),
            (MAX_GAMES - 1, 0, "000zzzzz"),
            (MAX_GAMES - 1, 62 * 62 * 62 - 1, "zzzzzzzz"),
        ] {
            assert_eq!(id(in_database, number), text);
            assert_eq!(game(text), Some(number));
            assert_eq!(database(text), Some(in_database));
        }

        for number in (1..MAX_GAMES).step_by(1_234_567) {
            let text = id(7, number);
            assert_eq!(game(&text), Some(number));
            assert_eq!(database(&text), Some(7));
        }
    }

    #[test]
    fn other_texts_are_no_ids() {
        for text in [
            "",
            "1",
            "0000001",
            "000000001",
            "0000000_",
            "ä000000",
            "0000 001",
        ] {
            assert_eq!(game(text), None, "{text}");
        }
    }

    #[test]
    fn games_without_an_id_have_the_id_of_game_0() {
        assert_eq!(id(0, -1), "00000000");
        assert_eq!(id(0, MAX_GAMES), "00000000");
        assert_eq!(id(u32::MAX, 1), "00000000");
    }
}
