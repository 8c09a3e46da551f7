// The piece placement of a FEN. No rules: the server has them.

import { t } from "./words.js";

/** The squares of a board from a8 to h1, as a reader sees them from White's side. */
export const SQUARES = [..."87654321"].flatMap((rank) => [..."abcdefgh"].map((file) => file + rank));

/** The starting position. */
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** A board without pieces. */
export const NO_PIECES = "8/8/8/8/8/8/8/8";

const ROLES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/**
 * The pieces of a FEN by their squares, as FEN letters.
 * @param {string} fen
 * @returns {Map<string, string>}
 */
export function piecesOf(fen) {
  const pieces = new Map();
  fen
    .split(" ")[0]
    .split("/")
    .forEach((row, index) => {
      let file = 0;
      for (const letter of row) {
        if (/\d/.test(letter)) file += Number(letter);
        else pieces.set("abcdefgh"[file++] + (8 - index), letter);
      }
    });
  return pieces;
}

/**
 * The board of a FEN with these pieces.
 * @param {Map<string, string>} pieces
 * @returns {string}
 */
export function placementOf(pieces) {
  const rows = [..."87654321"].map((rank) =>
    [..."abcdefgh"]
      .map((file) => pieces.get(file + rank) ?? "1")
      .join("")
      .replace(/1+/g, (ones) => ones.length),
  );
  return rows.join("/");
}

/** The name of a piece in a sprite: "wq" for Q. @param {string} letter */
export function spriteName(letter) {
  return (isWhite(letter) ? "w" : "b") + letter.toLowerCase();
}

/** The name of a piece in words: "white queen". @param {string} letter */
export function pieceName(letter) {
  return t(`${isWhite(letter) ? "white" : "black"} ${ROLES[letter.toLowerCase()]}`);
}

/** The side to move of a FEN. @param {string} fen @returns {"white" | "black"} */
export function turnOf(fen) {
  return fen.split(" ")[1] === "b" ? "black" : "white";
}

/** The number of the move to be played in a FEN. @param {string} fen */
export function moveNumberOf(fen) {
  return Number(fen.split(" ")[5] ?? 1) || 1;
}

function isWhite(letter) {
  return letter === letter.toUpperCase();
}
