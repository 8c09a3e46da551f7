// Patterns as text and as squares of a board.

import { pieceName, spriteName } from "./placement.js";
import { t } from "./words.js";

const PIECES = [..."KQRBNP"];
/** Names are made when they are asked for, since languages are loaded after this module. */
const named = (token, image, name) => ({
  token,
  image,
  get name() {
    return name();
  },
});
const brush = (letter) => named(letter, spriteName(letter), () => pieceName(letter));

/** The brushes for a pattern. @type {import("./painter.js").Brush[][]} */
export const PATTERN_BRUSHES = [
  [
    ...PIECES.map(brush),
    named("A", "any-white", () => t("any white piece")),
    named("_", "empty", () => t("empty square")),
  ],
  [
    ...PIECES.map((letter) => brush(letter.toLowerCase())),
    named("a", "any-black", () => t("any black piece")),
    named("!", "any-piece", () => t("any piece")),
  ],
];

/** The brush that shows a choice such as `[NB]`, which is typed, not painted. @type {import("./painter.js").Brush} */
export const CHOICE = named("[]", "one-of", () => t("one of several"));

/** The brushes for a position. @type {import("./painter.js").Brush[][]} */
export const PIECE_BRUSHES = [
  [...PIECES.map(brush), named("", null, () => t("eraser"))],
  PIECES.map((letter) => brush(letter.toLowerCase())),
];

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
