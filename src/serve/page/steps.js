// The buttons under a board that walk through moves.

import { h } from "./elements.js";
import { icon } from "./icons.js";

const BUTTONS = [
  ["start", "To the start", "Home"],
  ["back", "Back", "←"],
  ["forward", "Forward", "→"],
  ["end", "To the end", "End"],
  ["flip", "Flip the board", "f"],
];
const KEYS = { Home: "start", ArrowLeft: "back", ArrowRight: "forward", End: "end", f: "flip" };

/**
 * The buttons.
 * @param {(step: string) => void} onStep gets `start`, `back`, `forward`, `end` or `flip`
 * @param {...Node} more further buttons
 */
export function stepButtons(onStep, ...more) {
  return h(
    "div",
    { class: "steps", role: "toolbar", "aria-label": "Moves and board" },
    BUTTONS.map(([step, words, key]) =>
      h(
        "button",
        {
          type: "button",
          class: `step ${step}`,
          "aria-label": words,
          title: `${words} (${key})`,
          onclick: () => onStep(step),
        },
        icon(step),
      ),
    ),
    more,
  );
}

/** The step that a key means, or nothing. @param {string} key */
export function stepOfKey(key) {
  return KEYS[key] ?? null;
}
