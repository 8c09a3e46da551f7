// The choice of the piece that a pawn becomes.

import { h, svg } from "./elements.js";
import { pieceFile } from "./looks.js";
import { pieceName, spriteName } from "./placement.js";
import { t } from "./words.js";

/** The least side of a button, for fingers. */
const MIN_SIDE = 40;

/**
 * Asks which of several promotions is meant, on the squares of the file from the pawn's target on.
 * @param {import("./board.js").Move[]} moves
 * @param {(move: import("./board.js").Move) => void} play
 * @param {Element} target the square that the pawn goes to
 */
export function askForPromotion(moves, play, target) {
  const dialog = h("dialog", { class: "promotion", "aria-label": t("Promote to") });
  const choose = (move) => {
    dialog.close();
    play(move);
  };
  const close = () => dialog.close();
  dialog.append(...moves.map((move) => promotionButton(move, () => choose(move))));
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && close());
  dialog.addEventListener("close", () => {
    removeEventListener("resize", close);
    dialog.remove();
  });
  addEventListener("resize", close);
  document.body.append(dialog);
  dialog.showModal();
  placeAt(dialog, target, moves.length);
}

/** Puts the buttons over the squares from the target towards the middle of the board, the first one on the target. */
function placeAt(dialog, target, number) {
  const square = target.getBoundingClientRect();
  const board = target.closest(".cells").getBoundingClientRect();
  const side = Math.max(square.width, MIN_SIDE);
  const isAtTop = square.top - board.top < board.height / 2;
  const left = Math.min(square.left, document.documentElement.clientWidth - side);
  const top = isAtTop ? square.top : square.bottom - number * side;
  dialog.classList.toggle("upwards", !isAtTop);
  for (const [name, value] of [["--side", side], ["--left", left], ["--top", Math.max(top, 0)]]) {
    dialog.style.setProperty(name, `${value}px`);
  }
}

function promotionButton(move, onclick) {
  const letter = move.to[1] === "8" ? move.promotion.toUpperCase() : move.promotion;
  return h("button", { type: "button", onclick, "aria-label": pieceName(letter) }, pieceImage(spriteName(letter)));
}

/** A piece or a sign of the sprite as a picture. @param {string} name */
export function pieceImage(name) {
  return svg(
    "svg",
    { viewBox: "0 0 40 40", class: "piece-image", "aria-hidden": "true" },
    svg("use", { href: `${pieceFile()}#${name}` }),
  );
}
