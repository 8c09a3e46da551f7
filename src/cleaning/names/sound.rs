//! The sound of a folded word, by which transliterations of one name are equal.

/// Spellings of one sound. The first match counts, so longer spellings come first; capitals are sounds of several
/// letters, which no later rule touches.
const SOUNDS: &[(&[u8], u8)] = &[
    (b"tzsch", b'C'),
    (b"shch", b'S'),
    (b"dsch", b'J'),
    (b"tsch", b'C'),
    (b"tch", b'C'),
    (b"tsh", b'C'),
    (b"sch", b'S'),
    (b"dzh", b'J'),
    (b"ch", b'C'),
    (b"cz", b'C'),
    (b"sh", b'S'),
    (b"sz", b'S'),
    (b"zh", b'Z'),
    (b"kh", b'H'),
    (b"gh", b'g'),
    (b"ph", b'f'),
    (b"th", b't'),
    (b"dj", b'J'),
    (b"ck", b'k'),
    (b"ks", b'x'),
    (b"tz", b'T'),
    (b"ts", b'T'),
    (b"ou", b'u'),
    (b"ue", b'u'),
    (b"oe", b'o'),
    (b"ae", b'a'),
    (b"w", b'v'),
    (b"y", b'i'),
    (b"j", b'i'),
    (b"q", b'k'),
];

/// Words up to this length in bytes keep their spelling: `Li` and `Liu`, `Wu` and `Vu` are different names.
const MAX_SHORT_WORD: usize = 3;

/// The sound of a folded word; equal for transliterations of one name.
///
/// ```
/// use stamma::cleaning::names::sound;
/// assert_eq!(sound("kortschnoj"), sound("korchnoi"));
/// assert_eq!(sound("jussupow"), sound("yusupov"));
/// assert_ne!(sound("li"), sound("liu"));
/// ```
pub fn sound(word: &str) -> String {
    if word.len() <= MAX_SHORT_WORD || !word.is_ascii() {
        return word.to_owned();
    }

    let mut sounds = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((&letter, after)) = rest.split_first() {
        // A comparison of first letters is cheaper than a call for each spelling.
        let mut spellings = SOUNDS
            .iter()
            .filter(|(spelling, _)| spelling.first() == Some(&letter));
        let first_match = spellings.find(|(spelling, _)| rest.starts_with(spelling));

        // `J` and `Y` begin a name as consonants.
        let begins_as_consonant = sounds.is_empty() && matches!(letter, b'j' | b'y');
        let (sound, next) = if begins_as_consonant {
            (b'j', after)
        } else if let Some((spelling, sound)) = first_match {
            (*sound, rest.get(spelling.len()..).unwrap_or_default())
        } else {
            (sound_of_letter(letter, after), after)
        };
        push_sound(sound, &mut sounds);
        rest = next;
    }

    unify_last_sounds(&mut sounds);
    sounds.into_iter().map(char::from).collect()
}

/// The sound of a letter that is no part of a longer spelling. The next letter decides the sound of `c`.
fn sound_of_letter(letter: u8, after: &[u8]) -> u8 {
    if letter != b'c' {
        return letter;
    }

    // `c` is soft before a front vowel, and at the end of a name.
    match after.first() {
        None | Some(b'e' | b'i' | b'y') => b'C',
        Some(_) => b'k',
    }
}

/// Adds a sound. Doubled sounds are one. Of a weak vowel, `i` or `e`, beside another vowel only the other one remains.
/// `h` is silent before consonants.
fn push_sound(sound: u8, sounds: &mut Vec<u8>) {
    let Some(&last) = sounds.last() else {
        sounds.push(sound);
        return;
    };
    if last == sound {
        return;
    }

    let is_weak = |letter: u8| matches!(letter, b'i' | b'e');
    if is_vowel(last) && is_weak(sound) {
        return;
    }

    let hides_last = is_weak(last) && is_vowel(sound);
    if hides_last && sounds.len() == 1 {
        // A weak vowel that begins a name is a consonant before another vowel.
        sounds[0] = b'j';
        sounds.push(sound);
        return;
    }

    let is_silent_h = last == b'h' && !is_vowel(sound) && sounds.len() > 1;
    if hides_last || is_silent_h {
        sounds.pop();
        push_sound(sound, sounds);
        return;
    }
    sounds.push(sound);
}

/// Unifies the last sounds: `-off` is `-ov`, a last `h` is silent. Then `H`, the sound of `kh`, becomes a plain `h`.
fn unify_last_sounds(sounds: &mut Vec<u8>) {
    if sounds.len() > 2 && sounds.last() == Some(&b'h') {
        sounds.pop();
    }

    if let Some(last) = sounds.last_mut()
        && *last == b'f'
    {
        *last = b'v';
    }

    for sound in sounds {
        if *sound == b'H' {
            *sound = b'h';
        }
    }
}

const fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u')
}

/// The first sound of a word and its consonants: equal for most spellings of a name, and for some other names.
pub(super) fn skeleton(sound: &str) -> String {
    let mut letters = sound.chars();
    let first = letters.next();
    let rest = letters.filter(|letter| !matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u'));
    let bones: String = first.into_iter().chain(rest).collect();

    if bones.len() < 2 {
        sound.to_owned()
    } else {
        bones
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! alike {
        ($($name:ident: $a:literal, $b:literal => $alike:literal;)*) => {
            $(#[test] fn $name() { assert_eq!(sound($a) == sound($b), $alike, "{} {}", sound($a), sound($b)); })*
        };
    }

    alike! {
        german_umlaut: "mueller", "muller" => true;
        danish_letter: "soerensen", "sorensen" => true;
        german_slavic: "kortschnoj", "korchnoi" => true;
        ending_off: "smirnoff", "smirnov" => true;
        ending_skij: "petrovskij", "petrovsky" => true;
        serbian_ending: "matanovic", "matanovich" => true;
        alekseev: "alekseev", "alexeyev" => true;
        henkin: "khenkin", "henkin" => true;
        ehlvest: "ehlvest", "elvest" => true;
        karpov_and_kasparov: "karpov", "kasparov" => false;
        ivanov_and_ivanova: "ivanov", "ivanova" => false;
        short_words: "wu", "vu" => false;
        jansson_and_johnson: "jansson", "johnson" => false;
        barria_and_barrio: "barria", "barrio" => false;
        moll_and_moal: "moll", "moal" => false;
        kruglyakov_and_kruglikov: "kruglyakov", "kruglikov" => false;
        ioseliani: "ioseliani", "yoseliani" => true;
        ljubomir: "ljubomir", "lubomir" => true;
        georgiev: "georgiev", "georgijev" => true;
        mikhail: "mikhail", "mihail" => true;
        polgar_and_portisch: "polgar", "portisch" => false;
    }
}
