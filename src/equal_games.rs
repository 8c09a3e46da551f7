//! Detection of games that equal an earlier game, by a 64-bit key of each game.

use crate::cleaning::names::canonical_round;
use crate::cleaning::twins::SHORT_PLIES;
use crate::columns::words;
use crate::error::{Error, Result};
use crate::game::{Game, PartialDate, tag_value};
use crate::memory::{Inserted, KeySet, Memory};

/// The keys of the games so far.
pub(crate) struct EqualGames(KeySet);

impl EqualGames {
    /// The keys before the first game. The keys take up to a quarter of the memory.
    pub(crate) fn new(memory: Memory) -> EqualGames {
        EqualGames(KeySet::new(memory.equal_games_bytes()))
    }

    /// Adds the key of a game; returns `false` if an earlier game has it.
    ///
    /// # Errors
    /// If the memory allows no more games.
    pub(crate) fn insert(&mut self, key: u64) -> Result<bool> {
        match self.0.insert(key) {
            Inserted::New => Ok(true),
            Inserted::Known => Ok(false),
            Inserted::Full => Err(Error::TooManyGames(self.0.max_keys())),
        }
    }
}

/// The key by which equal games are recognized; `None` for a game that equals no other game.
///
/// Equal games have the same variant, start and moves. Below [`SHORT_PLIES`] half-moves, they also have the same words
/// in the names of both players, and the same day, round and result. A game without moves, a game that could not be
/// played, and a short game whose players or day are unknown equal no other game.
///
/// `completed` returns the game with the tags to compare. It is called for short games only.
pub(crate) fn key<'g, 't>(
    game: &'g Game<'t>,
    completed: impl FnOnce(&'g Game<'t>) -> Game<'g>,
) -> Option<u64> {
    // Only whether the game is short matters, so counting stops at the limit.
    let plies = game
        .moves
        .split_ascii_whitespace()
        .take(SHORT_PLIES as usize)
        .count();
    if !game.is_played || plies == 0 {
        return None;
    }

    let mut hasher = blake3::Hasher::new();
    let mut hash_text = |text: &str| {
        // No byte of UTF-8 is 0xff, so it separates the texts.
        hasher.update(text.as_bytes()).update(&[0xff]);
    };

    hash_text(game.variant.name().unwrap_or_default());
    hash_text(game.start.as_deref().unwrap_or_default());
    hash_text(&game.moves);
    hash_text(game.rest.as_deref().unwrap_or_default());

    if plies < SHORT_PLIES as usize {
        hash_tags(&completed(game), &mut hash_text)?;
    }

    let hash = hasher.finalize();
    let first_bytes = hash.as_bytes().first_chunk()?;
    Some(u64::from_le_bytes(*first_bytes))
}

/// Hashes the tags that are compared in short games; `None` if a player or the day is unknown.
fn hash_tags(game: &Game<'_>, hash_text: &mut impl FnMut(&str)) -> Option<()> {
    for name in ["White", "Black"] {
        let mut player = words(tag_value(&game.tags, name)?);
        player.sort_unstable();
        if player.is_empty() {
            return None;
        }

        hash_text(&player.join(" "));
    }

    let date = PartialDate::from_tag(tag_value(&game.tags, "Date")?)?;
    if !date.is_day() {
        return None;
    }
    hash_text(&date.to_string());

    let round = tag_value(&game.tags, "Round").unwrap_or("?");
    hash_text(&canonical_round(round));
    hash_text(tag_value(&game.tags, "Result").unwrap_or("*"));

    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::replay;

    const LONG: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
        9. h3 Nb8 10. d4 Nbd7";
    const TAGS: &str = "[White \"Tal, Mikhail\"]\n[Black \"Müller\"]\n[Date \"1960.05.07\"]\n\n";

    macro_rules! are_equal {
        ($($name:ident: $one:expr, $other:expr => $are:expr;)*) => {$(
            #[test]
            fn $name() {
                let key = |text: &str| key(&replay(text).game, Game::borrowed);
                let one = key($one.as_ref());
                let other = key($other.as_ref());

                let are_equal = one.is_some() && one == other;
                assert_eq!(are_equal, $are);
            }
        )*};
    }

    are_equal! {
        whatever_the_tags: LONG, format!("{TAGS}{LONG} {{annotated}} 1-0") => true;
        another_move: LONG, LONG.replace("h3", "h4") => false;
        one_move_more: LONG, format!("{LONG} 11. Nbd2") => false;
        another_illegal_rest: format!("{LONG} 11. Qh8"), format!("{LONG} 11. Qa8") => false;
        another_start: LONG,
            format!("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 9\"]\n\n{LONG}") => false;
        short_without_names: "1. e4 *", "1. e4 *" => false;
        short_with_equal_tags: format!("{TAGS}1. e4 *"), format!("{TAGS}1. e4 1-0") => true;
        short_with_names_in_another_order: format!("{TAGS}1. e4 *"),
            format!("{}1. e4 *", TAGS.replace("Tal, Mikhail", "Mikhail TAL").replace("ü", "u")) => true;
        short_with_another_name: format!("{TAGS}1. e4 *"), format!("{}1. e4 *", TAGS.replace("Tal, M", "Tal M")) => true;
        short_with_an_initial: format!("{TAGS}1. e4 *"), format!("{}1. e4 *", TAGS.replace("Mikhail", "M")) => false;
        short_on_another_day: format!("{TAGS}1. e4 *"), format!("{}1. e4 *", TAGS.replace("07", "08")) => false;
        short_of_another_result: format!("{TAGS}1. e4 1-0").replace("\n\n", "\n[Result \"1-0\"]\n\n"),
            format!("{TAGS}1. e4 0-1").replace("\n\n", "\n[Result \"0-1\"]\n\n") => false;
        short_of_another_round: TAGS.replace("\n\n", "\n[Round \"1\"]\n\n1. e4 *"),
            TAGS.replace("\n\n", "\n[Round \"2\"]\n\n1. e4 *") => false;
        short_of_the_same_round: TAGS.replace("\n\n", "\n[Round \"01\"]\n\n1. e4 *"),
            TAGS.replace("\n\n", "\n[Round \"1.\"]\n\n1. e4 *") => true;
        short_of_an_unknown_day: format!("{}1. e4 *", TAGS.replace("07", "??")),
            format!("{}1. e4 *", TAGS.replace("07", "??")) => false;
        without_moves: format!("{TAGS}1-0"), format!("{TAGS}1-0") => false;
        of_no_variant_we_play: format!("[Variant \"Atomic\"]\n\n{LONG}"), format!("[Variant \"Atomic\"]\n\n{LONG}") => false;
    }

    #[test]
    fn the_memory_limits_the_games() {
        let mut games = EqualGames(KeySet::new(42));

        let are_new = [1, 2, 1, 2].map(|key| games.insert(key).expect("room"));
        assert_eq!(are_new, [true, true, false, false]);

        let full = games.insert(3);
        assert!(matches!(full, Err(Error::TooManyGames(2))));
    }
}
