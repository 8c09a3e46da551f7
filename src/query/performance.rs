//! Performance ratings.

use crate::index::Ratings;

/// FIDE's rating differences for scores from 50 to 100 per cent (Rating Regulations, B.02 8.1.1);
/// below 50 they are the same, and negative.
const DIFFERENCES: [u16; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The mean rating of the opponents plus the difference of FIDE's table for the score, which is rounded to whole per
/// cents, with halves away from 50.
///
/// `None` without opponents.
pub fn performance(opponents: Ratings, half_points: u64) -> Option<f64> {
    let most = 2 * opponents.games;
    let lost = most.checked_sub(half_points)?;
    let better = half_points.max(lost);
    let per_cent = (200 * better + most) / (2 * most).max(1);
    let difference = f64::from(*DIFFERENCES.get(per_cent.checked_sub(50)? as usize)?);
    let sign = if half_points < lost { -1.0 } else { 1.0 };
    opponents.mean().map(|mean| mean + sign * difference)
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! performs {
        ($($name:ident: $games:expr, $half_points:expr => $expected:expr;)*) => {$(
            #[test]
            fn $name() {
                let opponents = Ratings { games: $games, sum: 2500 * $games };
                assert_eq!(performance(opponents, $half_points), $expected);
            }
        )*};
    }

    performs! {
        nobody: 0, 0 => None;
        even: 2, 2 => Some(2500.0);
        all_won: 3, 6 => Some(3300.0);
        all_lost: 3, 0 => Some(1700.0);
        // 3 of 4 points are 75 per cent.
        three_of_four: 4, 6 => Some(2693.0);
        one_of_four: 4, 2 => Some(2307.0);
        // 5 of 8 points are 62.5 per cent, rounded to 63.
        rounded: 8, 10 => Some(2595.0);
        rounded_below: 8, 6 => Some(2405.0);
        // 2 of 3 points are 66.7 per cent.
        two_of_three: 3, 4 => Some(2625.0);
    }
}
