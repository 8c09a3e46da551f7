//! The canonical spelling of a player's name: `Family, Given` and marks of namesakes, without titles and ratings.

use super::PersonName;
use super::fold::fold_words;
use super::person::split_last_initial;

/// The spelling of a name as `Family, Given`. Its letters keep their accents and their case.
pub(super) fn canonical_spelling(text: &str, name: &PersonName) -> String {
    if !name.is_person() {
        return text.trim().to_owned();
    }

    let mut pieces = pieces(text);
    let family_words: Vec<&str> = name.family().collect();
    let given_words: Vec<&str> = name.given().collect();
    let family = take_words(&mut pieces, &family_words);
    let given = take_words(&mut pieces, &given_words);
    // Characters that no name has, such as control characters, may hide the family name.
    if family.is_empty() {
        return text.trim().to_owned();
    }

    let marks = namesake_marks(name);
    if given.is_empty() {
        format!("{family}{marks}")
    } else {
        format!("{family}, {given}{marks}")
    }
}

/// The marks of namesakes as they are written behind a name: generation, number, letters and country.
fn namesake_marks(name: &PersonName) -> String {
    let generation = match name.generation() {
        1 => " Sr",
        2 => " Jr",
        3 => " III",
        4 => " IV",
        _ => "",
    };
    let mut marks = generation.to_owned();

    if let Some(number) = name.number() {
        marks.push_str(&number.to_string());
    }
    if name.mark() > 0 {
        let letters = name.mark().to_be_bytes();
        marks.push_str(&format!(" ({})", String::from_utf8_lossy(&letters)));
    }
    if let Some(country) = name.country_mark() {
        marks.push(' ');
        marks.push_str(country);
    }
    marks
}

/// The words of a text with their hyphens, each as written and folded.
fn pieces(text: &str) -> Vec<(&str, String)> {
    let separators = [' ', ',', '.', '(', ')', '[', ']', '_', ';', '"', '\t'];
    let mut pieces = Vec::new();

    for word in text.split(separators).filter(|word| !word.is_empty()) {
        let bare = word.trim_end_matches(|letter: char| letter.is_ascii_digit());

        match split_last_initial(bare) {
            // "JohnJ" is "John J".
            Some((first, initial)) => {
                pieces.push((first, fold_words(first)));
                pieces.push((initial, fold_words(initial)));
            }
            None => pieces.push((bare, fold_words(word))),
        }
    }
    pieces
}

/// Removes the pieces that have these words from a list, and joins them in the order of the words.
fn take_words(pieces: &mut Vec<(&str, String)>, words: &[&str]) -> String {
    let mut taken: Vec<&str> = Vec::new();
    let mut rest = words;

    while let Some((first, after)) = rest.split_first() {
        let has_first = |(_, folded): &(&str, String)| begins_with_word(folded, first);
        let Some(at) = pieces.iter().position(has_first) else {
            rest = after;
            continue;
        };

        let (piece, folded) = pieces.remove(at);
        taken.push(piece);
        let count = words_in_piece(&folded, rest);
        rest = rest.get(count..).unwrap_or_default();
    }

    taken.join(" ")
}

/// `true` if a folded piece begins with a word: the piece is the word, with or without digits behind it, or several
/// words or initials of which it is the first.
fn begins_with_word(folded: &str, word: &str) -> bool {
    let bare = folded.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let first = folded.split(' ').next();

    if bare == word || first == Some(word) {
        return true;
    }

    let is_initial = word.len() == 1;
    let may_be_initials = matches!(bare.len(), 2..=3);
    is_initial && may_be_initials && bare.starts_with(word)
}

/// The number of leading words of `words` in a piece that begins with the first of these words: at least one.
fn words_in_piece(folded: &str, words: &[&str]) -> usize {
    if folded.contains(' ') {
        return folded.split(' ').count();
    }

    // Initials that are written together are one piece.
    let initials = folded
        .chars()
        .zip(words)
        .take_while(|(letter, word)| word.len() == 1 && word.starts_with(*letter));
    initials.count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! written {
        ($($name:ident: $text:literal => $canonical:literal;)*) => {
            $(#[test] fn $name() {
                assert_eq!(canonical_spelling($text, &PersonName::parse($text)), $canonical);
            })*
        };
    }

    written! {
        space: "Kasparov,Garry" => "Kasparov, Garry";
        title: "GM Kasparov,Garry (RUS)" => "Kasparov, Garry";
        rating: "GM Kasparov Garry (RUS) 2800" => "Kasparov, Garry";
        order: "U. Andersson" => "Andersson, U";
        hyphen: "Jousset,Jean-michel" => "Jousset, Jean-michel";
        cluster: "Green, SL." => "Green, SL";
        number: "Grigoryan,K1" => "Grigoryan, K1";
        mark: "Wang,Zihao(JS)" => "Wang, Zihao (JS)";
        particles: "van den Brink,Nienke" => "van den Brink, Nienke";
        accents: "Müller,Karsten" => "Müller, Karsten";
        apostrophe: "O'Kelly de Galway Alberic" => "O'Kelly, de Galway Alberic";
        initial_behind_a_name: "Cox,JohnJ" => "Cox, John J";
        initial_behind_a_name_and_a_number: "Ivanov,IgorV2" => "Ivanov, Igor V2";
        jun_is_a_name: "Xie Jun" => "Xie, Jun";
        junior: "Stevik,Patrik Jun." => "Stevik, Patrik Jr";
        control_character: "St\u{6}hlberg Gideon" => "St\u{6}hlberg Gideon";
        account: "Ahmed_2011" => "Ahmed_2011";
        country: "Sokolov,Iv NED" => "Sokolov, Iv NED";
        two_players: "Giri,Anish:Vujatovic,Rajko" => "Giri,Anish:Vujatovic,Rajko";
        no_given: "Lutz (GER)" => "Lutz";
        team: "Stoltz/Monosson" => "Stoltz/Monosson";
    }
}
