//! The depth of each position in a repertoire, by which positions are ordered.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The depth of each position. `own` has the number of half-moves of each position, by its move counter. `moves` has,
/// for each position, the positions to which its moves lead.
///
/// A position is deeper than all positions from which a move leads to it, so a game leaves the repertoire at the
/// deepest position that it reaches. In a cycle of moves, such as a repetition, the least deep position comes first,
/// and the move back to this position is ignored.
pub(super) fn depths(own: &[u32], moves: &[Vec<u32>]) -> Vec<u32> {
    let mut depths = own.to_vec();
    let mut moves_to = vec![0_u32; own.len()];
    for &to in moves.iter().flatten() {
        moves_to[to as usize] += 1;
    }

    // This is Kahn's topological order. A position is ready when all moves to it are done. If no position is ready, all
    // remaining positions are in cycles or behind cycles, and the least deep position is next.
    let mut is_done = vec![false; own.len()];
    let mut ready = BinaryHeap::new();
    let mut all = BinaryHeap::new();
    for (node, &depth) in own.iter().enumerate() {
        if moves_to[node] == 0 {
            ready.push(Reverse((depth, node)));
        }
        all.push(Reverse((depth, node)));
    }

    while let Some(Reverse((_, node))) = ready.pop().or_else(|| all.pop()) {
        // A position is in a heap once for each depth that it has had.
        if is_done[node] {
            continue;
        }
        is_done[node] = true;

        for &to in &moves[node] {
            let to = to as usize;
            moves_to[to] -= 1;
            if is_done[to] {
                continue;
            }

            depths[to] = depths[to].max(depths[node].saturating_add(1));
            let entry = Reverse((depths[to], to));
            if moves_to[to] == 0 {
                ready.push(entry);
            } else {
                all.push(entry);
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
                let rows: &[&[u32]] = &$moves;
                let moves: Vec<Vec<u32>> = rows.iter().map(|to| to.to_vec()).collect();
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
