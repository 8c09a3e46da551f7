//! A spelling as it is best written: `Family, Given`, without titles, countries and ratings.

use super::PersonName;
use super::fold::fold_words;
use super::person::split_last_initial;

/// The spelling of a name as `Family, Given`, its letters as they are.
pub(super) fn canonical_spelling(text: &str, name: &PersonName) -> String {
    if !name.is_person() {
        return text.trim().to_owned();
    }
    let mut pieces: Vec<(&str, String)> = pieces(text);
    let mut take = |words: &[&str]| take_words(&mut pieces, words);
    let family = take(&name.family().collect::<Vec<_>>());
    let given = take(&name.given().collect::<Vec<_>>());
    let suffix = match name.generation() {
        1 => " Sr",
        2 => " Jr",
        3 => " III",
        4 => " IV",
        _ => "",
    };
    let mut number = name
        .number()
        .map_or_else(String::new, |number| number.to_string());
    if name.mark() > 0 {
        number.extend([
            " (",
            &String::from_utf8_lossy(&name.mark().to_be_bytes()),
            ")",
        ]);
    }
    // Letters that are no letters of a name, such as control characters.
    if family.is_empty() {
        return text.trim().to_owned();
    }
    if let Some(country) = name.country_mark() {
        number.extend([" ", country]);
    }
    if given.is_empty() {
        return format!("{family}{suffix}{number}");
    }
    format!("{family}, {given}{suffix}{number}")
}

/// Words of a text with their hyphens, and folded.
fn pieces(text: &str) -> Vec<(&str, String)> {
    let outside = |letter: char| {
        matches!(
            letter,
            ' ' | ',' | '.' | '(' | ')' | '[' | ']' | '_' | ';' | '"' | '\t'
        )
    };
    let words = text.split(outside).filter(|word| !word.is_empty());
    let mut pieces = Vec::new();
    for word in words {
        let bare = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        match split_last_initial(bare) {
            // "JohnJ" is "John J".
            Some((first, initial)) => {
                pieces.extend([(first, fold_words(first)), (initial, fold_words(initial))]);
            }
            None => pieces.push((bare, fold_words(word))),
        }
    }
    pieces
}

/// The pieces that have these words, in their order; each is taken once.
fn take_words(pieces: &mut Vec<(&str, String)>, words: &[&str]) -> String {
    let mut taken: Vec<&str> = Vec::new();
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let found = pieces
            .iter()
            .position(|(_, folded)| has_word(folded, first));
        let Some(at) = found else {
            rest = after;
            continue;
        };
        let (piece, folded) = pieces.remove(at);
        let letters = if folded.contains(' ') {
            folded.split(' ').count()
        } else {
            count_of(&folded, rest)
        };
        taken.push(piece);
        rest = rest.get(letters.max(1)..).unwrap_or_default();
    }
    taken.join(" ")
}

/// Whether a folded piece has a word: alone, with a number, as one of several, or as one of its initials.
fn has_word(folded: &str, word: &str) -> bool {
    let bare = folded.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_cluster = word.len() == 1 && (2..=3).contains(&bare.len()) && bare.starts_with(word);
    bare == word || is_cluster || folded.split(' ').next() == Some(word)
}

/// How many words a piece stands for: initials that are written together are one piece.
fn count_of(folded: &str, words: &[&str]) -> usize {
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
