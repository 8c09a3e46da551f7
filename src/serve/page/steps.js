// The buttons under a board that walk through moves.

import { h } from "./elements.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

const BUTTONS = [
  ["start", "To the start", "Home"],
  ["back", "Back", "←"],
  ["play", "Play the moves", "p"],
  ["forward", "Forward", "→"],
  ["end", "To the end", "End"],
  ["flip", "Flip the board", "f"],
];
const KEYS = { Home: "start", ArrowLeft: "back", ArrowRight: "forward", End: "end", f: "flip", p: "play" };

/**
 * The buttons.
 * @param {(step: string) => void} onStep gets `start`, `back`, `play`, `forward`, `end` or `flip`
 * @param {...Node} more further buttons
 */
export function stepButtons(onStep, ...more) {
  return h(
    "div",
    { class: "steps", role: "toolbar", "aria-label": t("Moves and board") },
    BUTTONS.map(([step, words, key]) =>
      h(
        "button",
        {
          type: "button",
          class: `step ${step}`,
          "aria-label": t(words),
          title: `${t(words)} (${key})`,
          onclick: () => onStep(step),
        },
        icon(step),
      ),
    ),
    more,
  );
}

/** Shows on the button whether moves play by themselves. @param {HTMLElement} buttons @param {boolean} isPlaying */
export function showPlaying(buttons, isPlaying) {
  const button = buttons.querySelector(".play");
  const words = isPlaying ? t("Stop playing") : t("Play the moves");
  button.replaceChildren(icon(isPlaying ? "pause" : "play"));
  button.setAttribute("aria-label", words);
  button.title = `${words} (p)`;
}

/** The step that a key means, or nothing. @param {string} key */
export function stepOfKey(key) {
  return KEYS[key] ?? null;
}
