// The looks of boards: the colours and pieces that the reader has chosen.

import { choice, choose } from "./choices.js";

/** The colours of boards by their names; the style sheet has the colours themselves. */
export const BOARDS = { sage: "Sage", wood: "Wood", blue: "Blue" };

/** The sets of pieces, with the files that have them. */
export const PIECES = {
  stamma: ["Stamma", "/page/pieces.svg"],
  celtic: ["Celtic", "/page/pieces/celtic.svg"],
  spatial: ["Spatial", "/page/pieces/spatial.svg"],
};

/** The name of the set of pieces. */
export function chosenPieces() {
  const name = choice("pieces", "stamma");
  return PIECES[name] ? name : "stamma";
}

/** The file with the pieces. */
export function pieceFile() {
  return PIECES[chosenPieces()][1];
}

/** The name of the colours of boards. */
export function chosenBoard() {
  const name = choice("board", "sage");
  return BOARDS[name] ? name : "sage";
}

/** Chooses the colours of boards. @param {string} name */
export function chooseBoard(name) {
  choose("board", name);
  document.documentElement.dataset.board = name;
}
