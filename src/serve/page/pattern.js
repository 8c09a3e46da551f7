// Patterns as text and as squares of a board.

import { pieceName, spriteName } from "./placement.js";

const PIECES = [..."KQRBNP"];
const brush = (letter) => ({ token: letter, name: pieceName(letter), image: spriteName(letter) });

/** What can be painted for a pattern. @type {import("./painter.js").Brush[][]} */
export const PATTERN_BRUSHES = [
  [
    ...PIECES.map(brush),
    { token: "A", name: "any white piece", image: "any-white" },
    { token: "_", name: "empty square", image: "empty" },
  ],
  [
    ...PIECES.map((letter) => brush(letter.toLowerCase())),
    { token: "a", name: "any black piece", image: "any-black" },
    { token: "!", name: "any piece", image: "any-piece" },
  ],
];

/** How a choice such as `[NB]` is shown, which is written, not painted. @type {import("./painter.js").Brush} */
export const CHOICE = { token: "[]", name: "one of several", image: "one-of" };

/** What can be painted for a position. @type {import("./painter.js").Brush[][]} */
export const PIECE_BRUSHES = [PIECES.map(brush), PIECES.map((letter) => brush(letter.toLowerCase()))];

/**
 * The squares of a pattern that matter.
 * @param {string} text
 * @returns {Map<string, string>} tokens by squares
 */
export function squaresOfPattern(text) {
  const tokens = new Map();
  text
    .trim()
    .split(" ")[0]
    .split("/")
    .slice(0, 8)
    .forEach((row, index) => {
      tokensOfRow(row)
        .slice(0, 8)
        .forEach((token, file) => {
          if (token !== "?") tokens.set("abcdefgh"[file] + (8 - index), token);
        });
    });
  return tokens;
}

/**
 * Squares as a pattern, as short as it can be.
 * @param {Map<string, string>} tokens
 * @param {string} turn "w", "b" or nothing
 */
export function patternOfSquares(tokens, turn) {
  if (!tokens.size) return "";
  const rows = [..."87654321"].map((rank) => {
    const row = [..."abcdefgh"].map((file) => tokens.get(file + rank) ?? "?").join("");
    return row.replace(/\?+$/, "") || "*";
  });
  while (rows.at(-1) === "*") rows.pop();
  return rows.join("/") + (turn ? ` ${turn}` : "");
}

/** The side to move of a pattern: "w", "b" or nothing. @param {string} text */
export function turnOfPattern(text) {
  return /\s([wb])\s*$/.exec(text)?.[1] ?? "";
}

function tokensOfRow(row) {
  const tokens = row.match(/\[[^\]]*\]|./g) ?? [];
  const spread = tokens.flatMap((token) => (/[1-8]/.test(token) ? Array(Number(token)).fill("_") : [token]));
  const rest = 8 - spread.filter((token) => token !== "*").length;
  const star = spread.indexOf("*");
  return spread.flatMap((token, index) =>
    token === "*" ? Array(index === star ? Math.max(0, rest) : 0).fill("?") : [token],
  );
}
