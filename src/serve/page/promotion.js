// Which piece a pawn becomes.

import { h, svg } from "./elements.js";
import { pieceName, spriteName } from "./placement.js";

/**
 * Asks which of several promotions is meant.
 * @param {import("./board.js").Move[]} moves
 * @param {(move: import("./board.js").Move) => void} play
 */
export function askForPromotion(moves, play) {
  const dialog = h("dialog", { class: "promotion", "aria-label": "Promote to" });
  const choose = (move) => {
    dialog.close();
    play(move);
  };
  dialog.append(...moves.map((move) => promotionButton(move, () => choose(move))));
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
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
    svg("use", { href: `/page/pieces.svg#${name}` }),
  );
}
