//! Chess variants: standard chess, Chess960, and games with other rules.

/// The variant given by the `Variant` tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Standard chess, from any start position.
    #[default]
    Standard,
    /// Chess960, also called Fischer random chess.
    Chess960,
    /// The moves of chess; a king in the centre wins.
    KingOfTheHill,
    /// The moves of chess; the third check wins.
    ThreeCheck,
    /// A game with other moves than chess.
    Other,
}

impl Variant {
    /// Parses the value of a `Variant` tag in its many spellings; only letters and digits count.
    pub fn from_tag(value: &str) -> Variant {
        match folded_variant(value).as_str() {
            "" | "standard" | "normal" | "chess" | "fromposition" | "regular" => Variant::Standard,
            "chess960" | "960" | "fischerandom" | "fischerrandom" | "frc" | "chess9lx" => {
                Variant::Chess960
            }
            "kingofthehill" | "koth" => Variant::KingOfTheHill,
            "threecheck" | "3check" => Variant::ThreeCheck,
            _ => Variant::Other,
        }
    }

    /// The name in the column `game.variant`; `None` for standard chess.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Variant::Standard => None,
            Variant::Chess960 => Some("chess960"),
            Variant::KingOfTheHill => Some("king-of-the-hill"),
            Variant::ThreeCheck => Some("three-check"),
            Variant::Other => Some("other"),
        }
    }

    /// The variant with this [name](Variant::name), or a `Variant` tag's value that a user has written in its place.
    pub fn from_name(name: Option<&str>) -> Variant {
        name.map_or(Variant::Standard, Variant::from_tag)
    }

    /// Returns `true` if a position of the variant differs from the position of chess with an equal board.
    pub const fn plays_apart(self) -> bool {
        matches!(
            self,
            Variant::KingOfTheHill | Variant::ThreeCheck | Variant::Other
        )
    }

    /// The value that is combined into position keys to keep positions under other rules apart: an arbitrary number for
    /// each set of rules, which stays as it is because databases store the keys.
    ///
    /// Chess960 has the rules of chess: with kings and rooks at home, its positions are positions of standard chess.
    pub(crate) const fn salt(self) -> u64 {
        match self {
            Variant::Standard | Variant::Chess960 | Variant::Other => 0,
            Variant::KingOfTheHill => 0x8b1a_61f3_52c9_0d47,
            Variant::ThreeCheck => 0x35e7_c9d2_1f84_6ab9,
        }
    }
}

/// The letters and digits of a variant's name, in lower case.
pub fn folded_variant(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! reads {
        ($($name:ident: $value:expr => $variant:ident;)*) => {$(
            #[test]
            fn $name() {
                assert_eq!(Variant::from_tag($value), Variant::$variant);
            }
        )*};
    }

    reads! {
        empty: "" => Standard;
        standard: "Standard" => Standard;
        from_position: "From Position" => Standard;
        chess960: "Chess960" => Chess960;
        chess_960: "chess 960" => Chess960;
        fischerandom: "fischerandom" => Chess960;
        king_of_the_hill: "King of the Hill" => KingOfTheHill;
        three_check: "Three-check" => ThreeCheck;
        three_check_short: "3check" => ThreeCheck;
        king_of_the_hill_joined: "kingofthehill" => KingOfTheHill;
        fischerandom_capital: "Fischerandom" => Chess960;
        fischer_random_words: "Fischer Random" => Chess960;
        chess_of_lichess: "Chess 960" => Chess960;
        standard_lower: "standard" => Standard;
        crazyhouse: "Crazyhouse" => Other;
        atomic: "Atomic" => Other;
        antichess: "Antichess" => Other;
        horde: "Horde" => Other;
        in_russian: "Кригшпиль" => Other;
        no_letter: " - " => Standard;
        racing_kings: "Racing Kings" => Other;
    }
}
