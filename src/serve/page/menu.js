// Menus: a button that opens a list of things to do.

import { h } from "./elements.js";
import { icon } from "./icons.js";

/** The least distance to the edge of the window. */
const MARGIN = 10;

/**
 * A menu. It closes when one of its buttons was pressed, by Escape, and by a click elsewhere.
 * @param {string} label
 * @param {string} sign the name of an icon
 * @param {() => unknown[]} entries made when the menu is opened
 */
export function menu(label, sign, entries) {
  const list = h("div", { class: "menu-list" });
  const summary = h("summary", { class: "button icon-button", "aria-label": label, title: label }, icon(sign));
  const details = h("details", { class: "menu" }, summary, list);
  const closeOutside = (event) => {
    if (!details.contains(event.target)) details.open = false;
  };
  details.addEventListener("toggle", () => {
    if (details.open) {
      list.replaceChildren(...entries().flat().filter(Boolean));
      placeList(summary, list);
    }
    if (details.open) document.addEventListener("pointerdown", closeOutside);
    else document.removeEventListener("pointerdown", closeOutside);
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation();
    details.open = false;
    summary.focus();
  });
  list.addEventListener("click", (event) => {
    if (event.target.closest("button:not(.stays), a")) details.open = false;
  });
  return details;
}

/** Opens the list upwards where there is more room, and never beyond the edge of the page. */
function placeList(summary, list) {
  const { top, bottom, right } = summary.getBoundingClientRect();
  const below = innerHeight - bottom;
  const isUpwards = below < list.offsetHeight + MARGIN && top > below;
  list.classList.toggle("upwards", isUpwards);
  list.style.maxHeight = `${(isUpwards ? top : below) - MARGIN}px`;
  list.style.right = `${Math.min(0, right - list.offsetWidth - MARGIN)}px`;
}

/** Something to do. @param {string} words @param {() => void} onclick @param {{ key?: string, disabled?: boolean }} [more] */
export function menuButton(words, onclick, { key = null, disabled = false } = {}) {
  return h("button", { type: "button", class: "menu-entry", onclick, disabled }, words, key && h("kbd", {}, key));
}

/** Somewhere to go. @param {string} words @param {string} href */
export function menuLink(words, href) {
  return h("a", { class: "menu-entry", href }, words);
}

/** A choice of several. @param {string} words @param {[string, string][]} options @param {string} chosen @param {(value: string) => void} onChoose */
export function menuChoice(words, options, chosen, onChoose) {
  const select = h(
    "select",
    { onchange: () => onChoose(select.value) },
    options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)),
  );
  return h("label", { class: "menu-entry menu-choice" }, h("span", {}, words), select);
}

/** A heading of a part of a menu. @param {string} words */
export function menuHead(words) {
  return h("p", { class: "menu-head" }, words);
}
