//! Evaluation signs and their NAGs, one table for reading and writing.

/// Signs with their NAGs (PGN §10).
///
/// A longer sign precedes its suffixes, since a text is compared with one sign after another. Where several signs have
/// one NAG, the first sign is written. Where a sign has a NAG for White and a NAG for Black, it is read as the NAG for
/// White. 142 and 146 are not in the standard, but programs write them.
pub(crate) const SIGNS: &[(&str, u8)] = &[
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("+/-", 16),
    ("-/+", 17),
    ("+=", 14),
    ("=+", 15),
    ("+/=", 14),
    ("=/+", 15),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("□", 7),
    ("⨀", 22),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("⇆", 132),
    ("⊕", 138),
    ("⌓", 142),
    ("N", 146),
];

/// The signs that may follow a move directly: all but the letter, which would be a piece there.
pub(crate) const GLUED_SIGNS: &[(&str, u8)] = SIGNS.split_at(SIGNS.len() - 1).0;

/// The NAG of a separate sign.
pub fn sign_nag(text: &str) -> Option<u8> {
    let &(_, nag) = SIGNS.iter().find(|(sign, _)| *sign == text)?;
    Some(nag)
}

/// The sign that a NAG is written as.
pub fn nag_sign(nag: u8) -> Option<&'static str> {
    let &(sign, _) = SIGNS.iter().find(|(_, other)| *other == nag)?;
    Some(sign)
}

/// The sign shown for a NAG, even if it reads back as another NAG: book signs do not distinguish White from Black, nor
/// degrees of an advantage in space or time.
pub fn shown_sign(nag: u8) -> Option<&'static str> {
    let shown = match nag {
        8 => "□",
        11 | 12 => "=",
        20 => "+-",
        21 => "-+",
        23 => "⨀",
        24..=29 => "○",
        30 | 31 | 33..=35 => "⟳",
        37..=39 => "↑",
        41 => "→",
        44..=47 => "=∞",
        130 | 131 | 133..=135 => "⇆",
        136 | 137 | 139 => "⊕",
        140 => "∆",
        145 => "RR",
        _ => return nag_sign(nag),
    };
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_sign_is_read_as_its_nag() {
        let is_read_back = |nag: &u8| nag_sign(*nag).and_then(sign_nag) == Some(*nag);
        let written: Vec<u8> = (0..=255).filter(is_read_back).collect();

        let known = [
            1, 2, 3, 4, 5, 6, 7, 10, 13, 14, 15, 16, 17, 18, 19, 22, 32, 36, 40, 132, 138, 142, 146,
        ];
        assert_eq!(written, known);
    }

    #[test]
    fn shown_signs_cover_both_sides() {
        for (nag, sign) in [
            (11, "="),
            (44, "=∞"),
            (22, "⨀"),
            (23, "⨀"),
            (36, "↑"),
            (37, "↑"),
            (41, "→"),
        ] {
            assert_eq!(shown_sign(nag), Some(sign));
        }
        for nag in 0..=255 {
            assert!(
                nag_sign(nag).is_none_or(|sign| shown_sign(nag) == Some(sign)),
                "${nag}"
            );
        }
        assert_eq!([0, 9, 42, 50, 110, 255].map(shown_sign), [None; 6]);
    }

    #[test]
    fn longer_signs_precede_their_suffixes() {
        for (i, (sign, _)) in SIGNS.iter().enumerate() {
            let mut later_signs = SIGNS[i + 1..].iter();
            let hidden = later_signs.find(|(later, _)| later.ends_with(sign));
            assert_eq!(hidden, None, "{sign}");
        }
    }
}
