// Placeholders of a part of the page: it waits, it is empty, or a request failed.

import { isAborted } from "./api.js";
import { fill, h } from "./elements.js";
import { t } from "./words.js";

const PATIENCE_MILLISECONDS = 200;
/** Most answers are there earlier, and what is shown and replaced at once flickers. */
const EMPTY_PATIENCE_MILLISECONDS = 80;

/** Lines in the place of what will come. @param {number} [lines] */
export function skeleton(lines = 6) {
  const bars = Array.from({ length: lines }, () => h("span", { class: "skeleton-line" }));
  return h("div", { class: "skeleton", role: "status" }, h("span", { class: "unseen" }, t("Loading…")), bars);
}

/** @param {string} title @param {...unknown} more */
export function emptyState(title, ...more) {
  return h("div", { class: "state" }, h("p", { class: "state-title" }, title), more);
}

/** @param {Error} error @param {(() => void) | null} [again] */
export function errorState(error, again = null) {
  return h(
    "div",
    { class: "state state-error", role: "alert" },
    h("p", { class: "state-title" }, t("That did not work")),
    h("p", {}, sentence(error.message)),
    again && mayPass(error) && h("button", { type: "button", onclick: again }, t("Try again")),
  );
}

/** Whether the same question may have an answer later. */
function mayPass(error) {
  return !(error.status >= 400 && error.status < 500);
}

/** A message of the server as a sentence. */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, ".")}`;
}

/**
 * Fills a part of the page with an answer: what was there stays, paler, until the answer is there; if there was
 * nothing, a skeleton shows that it comes, unless it comes at once.
 * @template T
 * @param {HTMLElement} element
 * @param {Promise<T>} answer
 * @param {(answer: T) => unknown} draw what to put in
 * @param {{ again?: () => void, lines?: number }} [how]
 */
export async function fillWith(element, answer, draw, { again, lines } = {}) {
  const late = setTimeout(() => wait(element, lines), element.childElementCount ? PATIENCE_MILLISECONDS : EMPTY_PATIENCE_MILLISECONDS);
  element.setAttribute("aria-busy", "true");
  try {
    const drawn = draw(await answer);
    fill(element, drawn);
    settle(element);
  } catch (error) {
    if (isAborted(error)) return;
    fill(element, errorState(error, again));
    settle(element);
  } finally {
    clearTimeout(late);
  }
}

function wait(element, lines) {
  if (element.childElementCount) element.classList.add("waiting");
  else fill(element, skeleton(lines));
}

function settle(element) {
  element.removeAttribute("aria-busy");
  element.classList.remove("waiting");
}
