// White's chance to win by an evaluation, as the bar beside the board and the graph of a game show it.

/** Lichess' fit of results to centipawns. */
const CHANCE_PER_CENTIPAWN = 0.00368208;

/**
 * The chance from 0 to 1, or nothing without an evaluation. A mate is certain.
 * @param {number | null | undefined} centipawns from White's side
 * @param {number | null | undefined} mate in moves, positive if White mates
 */
export function winningChance(centipawns, mate) {
  if (mate !== null && mate !== undefined) return mate > 0 ? 1 : 0;
  if (centipawns === null || centipawns === undefined) return null;
  return 1 / (1 + Math.exp(-CHANCE_PER_CENTIPAWN * centipawns));
}
