//! The order of the positions of a repertoire: how deep each is in it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The depth of each position, given the number of half-moves that its own move counters name, and the positions that
/// one move leads to from each.
///
/// A position is deeper than all from which a move leads to it, so that the deepest position that a game reaches is
/// where it leaves the repertoire. Where moves lead back, as in a repetition, the least deep position of the circle
/// comes first, and the move back to it does not count.
pub(super) fn depths(own: &[u32], moves: &[Vec<u32>]) -> Vec<u32> {
    let mut depths = own.to_vec();
    let mut before = vec![0_u32; own.len()];
    moves
        .iter()
        .flatten()
        .for_each(|&to| before[to as usize] += 1);
    let mut is_done = vec![false; own.len()];
    let entry = |depths: &[u32], node: usize| Reverse((depths[node], node));
    let ready = (0..own.len()).filter(|&node| before[node] == 0);
    let mut ready: BinaryHeap<_> = ready.map(|node| entry(&depths, node)).collect();
    let mut all: BinaryHeap<_> = (0..own.len()).map(|node| entry(&depths, node)).collect();
    while let Some(Reverse((_, node))) = ready.pop().or_else(|| all.pop()) {
        if std::mem::replace(&mut is_done[node], true) {
            continue;
        }
        for &to in &moves[node] {
            let to = to as usize;
            before[to] -= 1;
            if is_done[to] {
                continue;
            }
            depths[to] = depths[to].max(depths[node].saturating_add(1));
            match before[to] {
                0 => ready.push(entry(&depths, to)),
                _ => all.push(entry(&depths, to)),
            }
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::depths;

    macro_rules! depths {
        ($($name:ident: $own:expr, $moves:expr => $depths:expr;)*) => {$(
            #[test]
            fn $name() {
                let moves: &[&[u32]] = &$moves;
                let moves: Vec<Vec<u32>> = moves.iter().map(|to| to.to_vec()).collect();
                assert_eq!(depths(&$own, &moves), $depths);
            }
        )*};
    }

    depths! {
        a_line: [0, 0, 0], [&[1], &[2], &[]] => [0, 1, 2];
        a_longer_way: [0, 1, 2, 1, 2, 3], [&[1, 3], &[2], &[], &[4], &[5], &[2]] => [0, 1, 4, 1, 2, 3];
        move_counters: [10, 0, 7], [&[1], &[2], &[]] => [10, 11, 12];
        two_lines: [4, 9], [&[], &[]] => [4, 9];
        a_circle: [0, 1, 2, 3], [&[1], &[2], &[3], &[0]] => [0, 1, 2, 3];
        a_circle_behind_a_move: [0, 1, 2, 3], [&[1], &[2], &[3], &[1]] => [0, 1, 2, 3];
    }
}
