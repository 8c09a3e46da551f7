// Tables of data and boxes with a heading, as several views show them.

import { h } from "./elements.js";
import { t } from "./words.js";

/**
 * A column: its heading, the class of its cells, and more about it. A heading in brackets is only for screen readers.
 * @typedef {[words: string, kind?: string, title?: string]} Column
 */

/**
 * A table of data.
 * @param {Column[]} columns
 * @param {HTMLElement[]} rows
 * @param {string} [kind] a class of the table
 */
export function dataTable(columns, rows, kind = "") {
  const head = columns.map(([words, className, title]) =>
    h("th", { scope: "col", class: className, title: title && t(title) }, heading(t(words))),
  );
  return h("table", { class: `data ${kind}` }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
}

/**
 * A row of cells, each with its class and what is in it.
 * @param {...[kind: string, ...content: unknown[]]} cells
 */
export function dataRow(...cells) {
  return h("tr", {}, cells.map(cell));
}

/**
 * A row all of which leads to an address: its first cell is the link.
 * @param {string} address
 * @param {[kind: string, ...content: unknown[]]} first
 * @param {...[kind: string, ...content: unknown[]]} others
 */
export function linkedRow(address, [kind, ...content], ...others) {
  const link = h("a", { href: address }, content);
  return h("tr", { class: "linked" }, h("td", { class: kind, title: link.textContent }, link), others.map(cell));
}

/** A part of the page with a heading. @param {string} title @param {...unknown} children */
export function box(title, ...children) {
  return h("section", { class: "box" }, h("h2", {}, title), children);
}

/** A colour of a chart or bar, with its words. @param {string} kind @param {string} words */
export function legend(kind, words) {
  return h("span", {}, h("span", { class: `swatch ${kind}` }), words);
}

function cell([kind, ...content]) {
  return h("td", { class: kind }, content);
}

/** The head of a column: words, or in brackets words for screen readers only. @param {string} words */
export function heading(words) {
  const hidden = /^\((.*)\)$/.exec(words);
  return hidden ? h("span", { class: "unseen" }, hidden[1]) : words;
}
