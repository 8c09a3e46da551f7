// The moves of a game to click on, with comments, variations and NAGs.

import { h } from "./elements.js";
import { moveNumber } from "./format.js";

const NAGS = {
  1: ["!", "good move"],
  2: ["?", "mistake"],
  3: ["‼", "brilliant move"],
  4: ["⁇", "blunder"],
  5: ["⁉", "interesting move"],
  6: ["⁈", "dubious move"],
  7: ["□", "only move"],
  8: ["□", "only move"],
  9: ["⁇", "worst move"],
  10: ["=", "equal"],
  11: ["=", "equal"],
  13: ["∞", "unclear"],
  14: ["⩲", "White is slightly better"],
  15: ["⩱", "Black is slightly better"],
  16: ["±", "White is better"],
  17: ["∓", "Black is better"],
  18: ["+−", "White is winning"],
  19: ["−+", "Black is winning"],
  22: ["⨀", "zugzwang"],
  23: ["⨀", "zugzwang"],
  32: ["⟳", "lead in development"],
  33: ["⟳", "lead in development"],
  36: ["→", "initiative"],
  37: ["→", "initiative"],
  40: ["↑", "attack"],
  41: ["↑", "attack"],
  44: ["⯹", "compensation"],
  45: ["⯹", "compensation"],
  132: ["⇆", "counterplay"],
  133: ["⇆", "counterplay"],
  138: ["⊕", "time trouble"],
  139: ["⊕", "time trouble"],
  140: ["∆", "with the idea"],
  146: ["N", "novelty"],
};
const MISTAKES = { 2: "mistake", 4: "blunder", 6: "dubious", 1: "good", 3: "brilliant", 5: "interesting" };

/**
 * The movetext.
 * @param {import("./game-tree.js").GameTree} tree
 * @param {{ comment: string | null, rest: string | null, result: string, addressOf: (node: any) => string, problems?: Map<number, string[]> }} options
 * @returns {HTMLElement}
 */
export function movetext(tree, { comment, rest, result, addressOf, problems = new Map() }) {
  const context = { addressOf, problems };
  return h(
    "div",
    { class: "movetext", role: "group", "aria-label": "Moves of the game" },
    spaced([
      comment && commentOf(comment),
      line(tree.main, context),
      rest && restOf(rest),
      h("span", { class: "ending" }, result),
    ]),
  );
}

/** Marks the move that is on the board, and brings it into view. @param {HTMLElement} text @param {any} node */
export function markMove(text, node) {
  text.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const link = node && text.querySelector(`[data-node="${node.index}"]`);
  link?.setAttribute("aria-current", "step");
  scrollWithin(text, link ?? text.firstElementChild);
}

function line(nodes, context) {
  let needsNumber = true;
  return nodes.flatMap((node) => {
    const parts = move(node, needsNumber || node.isWhite || Boolean(node.before), context);
    needsNumber = Boolean(node.comment) || node.variations.length > 0;
    return parts;
  });
}

function move(node, hasNumber, context) {
  return [
    node.before && commentOf(node.before),
    link(node, hasNumber, context),
    node.comment && commentOf(node.comment),
    node.variations.map((variation) => variationOf(variation, node.isMain, context)),
  ];
}

function link(node, hasNumber, { addressOf, problems }) {
  const quality = node.nags.map((nag) => MISTAKES[nag]).find(Boolean);
  const faults = node.isMain ? problems.get(node.ply) : null;
  const properties = { href: addressOf(node), class: `san ${quality ?? ""}`, "data-node": node.index };
  return h(
    "span",
    { class: node.isMain ? "ply main" : "ply" },
    hasNumber && h("span", { class: "move-number" }, moveNumber(node.number, node.isWhite)),
    h("a", properties, node.san, node.nags.map(nag)),
    faults &&
      h("span", { class: "fault", role: "img", title: faults.join("; "), "aria-label": faults.join("; ") }, "⚑"),
  );
}

function nag(number) {
  const [sign, words] = NAGS[number] ?? [` $${number}`, `annotation ${number}`];
  return h("span", { class: "nag", title: words }, sign);
}

function variationOf(nodes, isBlock, context) {
  return h("span", { class: isBlock ? "variation block" : "variation" }, "(", spaced(line(nodes, context)), ")");
}

function commentOf(text) {
  return h("span", { class: "comment" }, text);
}

/** What comes after the last move that could be played. */
function restOf(text) {
  return h("span", { class: "rest", title: "From here on, the text has no legal moves" }, text);
}

/** Parts with spaces between them, at which lines may end. */
function spaced(parts) {
  return parts
    .flat(Infinity)
    .filter(Boolean)
    .flatMap((part) => [part, " "])
    .slice(0, -1);
}

/** Scrolls the movetext alone, never the page. */
function scrollWithin(box, element) {
  if (!element) return;
  const top = element.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (top < 0 || top > box.clientHeight - 40) box.scrollTop += top - box.clientHeight / 3;
}
