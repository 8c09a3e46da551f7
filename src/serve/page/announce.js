// Announcements for screen readers.

import { tamed } from "./bidi.js";

let pending = 0;

/**
 * Says a sentence to a screen reader, also when it is the same as before.
 * @param {string} sentence
 */
export function announce(sentence) {
  const element = document.getElementById("announcer");
  if (!element) return;
  element.textContent = "";
  clearTimeout(pending);
  pending = setTimeout(() => (element.textContent = tamed(sentence)), 60);
}
