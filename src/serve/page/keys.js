// Keys of the whole page, and the list of them.

import { h } from "./elements.js";
import { closeButton } from "./icons.js";
import { t } from "./words.js";

/** The keys of the views, as the list shows them. */
const LIST = [
  ["← →", "a half-move back, forward"],
  ["Home End", "to the start, to the end"],
  ["↑ ↓", "where there are variations: the one before, after; else scroll"],
  ["f", "flip the board"],
  ["m", "type a move"],
  ["s", "set up a position, paste a FEN or a PGN"],
  ["o, Ctrl-V", "open a PGN file; open a FEN or a PGN from the clipboard"],
  ["p", "play the moves by themselves, or stop"],
  ["c", "annotate the move: comment, signs, variations"],
  ["u", "undo the last change of comments and variations"],
  ["Tab, arrows, Enter", "on the board: choose the square of a piece, then the square it goes to"],
  ["a", "on the board: begin an arrow, and end it; twice on a square draws a circle. With Shift red, with Alt blue"],
  ["right button", "drag for an arrow, click for a circle. With Shift red, with Alt blue, with both yellow"],
  ["wheel, swipe", "on the board: a half-move back, forward"],
  ["1 to 8", "Explorer, Search, Players, Tournaments, Novelties, Repertoire, Database, My games"],
  ["?", "these keys"],
];
const VIEWS = {
  1: "#explorer",
  2: "#search",
  3: "#player",
  4: "#tournaments",
  5: "#novelties",
  6: "#repertoire",
  7: "#database",
  8: "#mine",
};

/**
 * Listens to keys that no field of the page takes.
 * @param {(key: string) => boolean} onViewKey returns whether the view knows the key
 */
export function startKeys(onViewKey) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (onViewKey(event.key) || onPageKey(event.key)) event.preventDefault();
  });
}

/** Shows the list of keys. */
export function showKeys() {
  const dialog = h(
    "dialog",
    { class: "keys", closedby: "any", "aria-labelledby": "keys-title" },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", { id: "keys-title" }, t("Keys")),
      closeButton(() => dialog.close()),
    ),
    h(
      "dl",
      {},
      LIST.map(([keys, words]) => [h("dt", {}, t(keys)), h("dd", {}, t(words))]),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function onPageKey(key) {
  if (key === "?") showKeys();
  else if (VIEWS[key]) location.hash = VIEWS[key];
  else return false;
  return true;
}

function isTyping(element) {
  return element.closest?.("input, textarea, select, dialog, [contenteditable]") !== null;
}
