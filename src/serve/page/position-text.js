// A position that people typed or pasted.

import { ask } from "./api.js";
import { START } from "./placement.js";

const FEN = /^\s*[^\s/]+(\/[^\s/]+){7}(\s|$)/;

/**
 * Reads a FEN, moves or a PGN.
 * @param {string} text
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ fen: string | null, play: string }>} the start, and moves from there
 */
export async function readPosition(text, signal) {
  if (FEN.test(text)) {
    const { fen } = await ask("position", { fen: text.trim() }, { signal });
    return { fen, play: "" };
  }
  const { fen, play, problem } = await ask("pgn-line", { text }, { signal });
  if (problem) throw new Error(problem);
  return { fen: fen === START ? null : fen, play };
}
