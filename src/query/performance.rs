//! Performance ratings.

use crate::index::Ratings;

/// FIDE's rating differences for scores from 50 to 100 per cent (Rating Regulations, B.02 8.1.1). A score below 50 per
/// cent has the negative difference of the opponents' score.
const DIFFERENCES: [u16; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The mean rating of the opponents plus the difference of FIDE's table for the score. The score is rounded to whole
/// per cents, and halves are rounded away from 50.
///
/// `None` without opponents.
pub fn performance(opponents: Ratings, half_points: u64) -> Option<f64> {
    let mean = opponents.mean()?;
    let all_half_points = 2 * opponents.games;
    let lost = all_half_points.checked_sub(half_points)?;

    // The better score is above 50 per cent, so adding a half rounds halves away from 50.
    let better = half_points.max(lost);
    let per_cent = (200 * better + all_half_points) / (2 * all_half_points).max(1);
    let row = per_cent.checked_sub(50)? as usize;
    let difference = f64::from(*DIFFERENCES.get(row)?);

    if half_points < lost {
        Some(mean - difference)
    } else {
        Some(mean + difference)
    }
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
