// Elements of the page. Texts are always text nodes, so that no name of a game is read as HTML, and none of them changes
// the direction of others.

import { tamed, turns } from "./bidi.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an HTML element.
 * @param {string} tag
 * @param {Object<string, unknown>} [properties] attributes; listeners as `onclick`; CSS variables as `--name`.
 *   Those that are null, undefined or false are left out.
 * @param {...(Node | string | number | null | undefined | false | Array)} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/**
 * Makes an SVG element, as `h` makes one of HTML.
 * @returns {SVGElement}
 */
export function svg(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

/**
 * Replaces what is in an element.
 * @param {Element} element
 * @param {...unknown} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
  element.append(...nodes(children));
  return element;
}

function setProperty(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("--")) element.style.setProperty(name, String(value));
  else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "value") element.value = value;
  else element.setAttribute(name, value === true ? "" : READ.has(name) ? tamed(value) : String(value));
}

/** Attributes that people read. */
const READ = new Set(["title", "aria-label", "alt", "placeholder", "label"]);

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (child instanceof Node ? child : textNode(tamed(child))));
}

/** A text, in an element of its own if it has words from right to left. */
function textNode(text) {
  if (!turns(text)) return document.createTextNode(text);
  const element = document.createElement("bdi");
  element.textContent = text;
  return element;
}
