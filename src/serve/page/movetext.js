// The moves of a tree to click on, with comments, variations and NAGs: as a text, or in two columns.
//
// The text is made of blocks: a piece of the main line, or a variation. A block whose content is the same as before keeps
// its element, and many blocks are drawn in slices, so that a large tree never keeps the reader waiting.

import { fill, h } from "./elements.js";
import { moveNumber } from "./format.js";
import { GameTree } from "./game-tree.js";
import { NAGS, QUALITIES } from "./nags.js";
import { shownSan } from "./san.js";
import { slices } from "./slices.js";
import { t } from "./words.js";

/** A block of the main line has no more moves; a variation may. */
const MAX_BLOCK_MOVES = 160;
/** A variation of a variation is in the text of the other one if it has no more moves and none of its own. */
const MAX_INLINE_MOVES = 12;
/** Variations that are nested more deeply are not set in further. */
const MAX_INDENT = 6;

/**
 * A part of a block: a move, a comment or another text.
 * @typedef {{ kind: string, node?: any, text?: string, number?: string, key: string }} Part
 * @typedef {{ depth: number, isMain: boolean, parts: Part[], key: string }} Block
 */

/** The movetext of a tree. */
export class MoveText {
  /**
   * @param {{ label: string, onChoose: (node: any) => void, addressOf: (node: any) => string }} options
   */
  constructor({ label, onChoose, addressOf }) {
    this.onChoose = onChoose;
    this.addressOf = addressOf;
    this.element = h("div", { class: "movetext", role: "group", "aria-label": label, tabindex: -1 });
    this.element.addEventListener("click", (event) => this.onClick(event));
    for (const type of ["pointerover", "focusin"])
      this.element.addEventListener(type, (event) => this.giveAddress(event));
    /** The elements of blocks by their keys, and of moves by their numbers. */
    this.blocks = new Map();
    this.links = new Map();
    this.current = null;
    this.drawing = null;
    this.scrolling = 0;
  }

  /**
   * Draws a tree.
   * @param {import("./game-tree.js").GameTree} tree
   * @param {{ result?: string | null, problems?: Map<number, string[]>, isInColumns?: boolean, hint?: string | null }} [how]
   * @returns {Promise<void>} when all of it is there
   */
  draw(tree, { result = null, problems = new Map(), isInColumns = false, hint = null } = {}) {
    this.tree = tree;
    this.element.classList.toggle("in-columns", isInColumns);
    const plan = new Planner(tree, problems, isInColumns).plan(result);
    const drawing = this.replace(plan, hint);
    this.drawing = drawing;
    return drawing;
  }

  /** Marks the move that is on the board, and brings it into view. @param {any} node */
  mark(node) {
    this.current = node;
    this.element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = node && this.links.get(node.id);
    link?.setAttribute("aria-current", "step");
    // In the next frame the browser has laid the moves out anyway.
    cancelAnimationFrame(this.scrolling);
    this.scrolling = requestAnimationFrame(() => this.scrollTo(link ?? this.element.firstElementChild));
  }

  /** Puts the blocks of a plan in the place of those that are shown. */
  async replace(plan, hint) {
    // A block may have a hundred moves.
    const pause = slices(1);
    const before = this.blocks;
    const kept = new Map();
    let last = null;
    this.blocks = kept;
    if (!plan.length) {
      fill(this.element, hint && h("p", { class: "faint" }, hint));
      return;
    }
    const isTheSame = () => this.blocks === kept;
    const wanted = new Set(plan.map(({ key }) => key));
    for (const child of [...this.element.children]) if (!wanted.has(child.blockKey)) child.remove();
    for (const block of plan) {
      const element = before.get(block.key) ?? this.blockOf(block);
      kept.set(block.key, element);
      const place = last ? last.nextSibling : this.element.firstChild;
      if (place !== element) this.element.insertBefore(element, place);
      last = element;
      if (pause.isDue()) {
        await pause.rest();
        // Another tree may have been drawn meanwhile.
        if (!isTheSame()) return;
      }
    }
    if (this.current) this.mark(this.current);
  }

  blockOf({ key, depth, isMain, parts }) {
    const kind = isMain ? "block main-block" : "block variation";
    const element = h("div", { class: kind, "data-depth": isMain ? null : Math.min(depth, MAX_INDENT) });
    element.append(...spaced(parts, (part) => this.partOf(part, isMain)));
    element.blockKey = key;
    return element;
  }

  partOf(part, isMain) {
    if (part.kind === "move") return this.moveOf(part, isMain);
    if (part.kind === "filler") return h("span", { class: "filler", "aria-hidden": "true" }, "…");
    if (part.kind === "rest")
      return h("span", { class: "rest", title: t("From here on, the text has no legal moves") }, part.text);
    return h("span", { class: part.kind }, part.text);
  }

  moveOf({ node, number, faults }, isMain) {
    const quality = node.nags.map((nag) => QUALITIES[nag]).find(Boolean);
    const hasShapes = node.shapes?.length > 0;
    const link = h(
      "a",
      { href: "#", class: `san ${quality ?? ""}`, "data-node": node.id },
      shownSan(node.san),
      node.nags.map(nagOf),
      hasShapes && h("span", { class: "drawn", title: t("Arrows and circles") }, "◦"),
    );
    this.links.set(node.id, link);
    const flag = faults && h("span", { class: "fault", role: "img", title: faults, "aria-label": faults }, "⚑");
    const before = number && h("span", { class: "move-number" }, number);
    return h("span", { class: isMain ? "ply main" : "ply" }, before, link, flag);
  }

  onClick(event) {
    const link = event.target.closest?.("[data-node]");
    const isOther = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || isOther) return;
    event.preventDefault();
    this.onChoose(this.tree.nodes[Number(link.dataset.node)]);
  }

  /** A link gets its address when it is pointed at: addresses of thousands of moves would take long to write. */
  giveAddress(event) {
    const link = event.target.closest?.("[data-node]");
    if (link) link.href = this.addressOf(this.tree.nodes[Number(link.dataset.node)]);
  }

  /** Scrolls the movetext alone, never the page. */
  scrollTo(element) {
    if (!element) return;
    const box = this.element;
    const { top, bottom } = element.getBoundingClientRect();
    const outer = box.getBoundingClientRect();
    if (top < outer.top || bottom > outer.bottom - 8) box.scrollTop += top - outer.top - box.clientHeight / 3;
  }
}

/** Divides a tree into blocks. */
class Planner {
  constructor(tree, problems, isInColumns) {
    Object.assign(this, { tree, problems, isInColumns });
    /** @type {Block[]} */
    this.blocks = [];
    this.taken = new Map();
  }

  /** @param {string | null} result @returns {Block[]} */
  plan(result) {
    if (this.tree.comment) this.put(0, true, [textPart("comment", this.tree.comment)]);
    this.mainLine();
    if (this.tree.rest) this.put(0, true, [textPart("rest", this.tree.rest)]);
    if (result && this.blocks.length) this.put(0, true, [textPart("ending", result)]);
    return this.blocks;
  }

  mainLine() {
    let parts = [];
    let needsNumber = true;
    let moves = 0;
    const finish = () => {
      if (parts.length) this.put(0, true, parts);
      parts = [];
      moves = 0;
    };
    for (let node = this.tree.children[0]; node; node = node.next) {
      if (node.before) parts.push(textPart("comment", node.before));
      if (this.isInColumns && needsNumber && !node.isWhite) parts.push(this.filler(node));
      parts.push(this.movePart(node, needsNumber || node.isWhite || node.before, true));
      moves += 1;
      needsNumber = this.afterMove(node, parts);
      const variations = this.tree.childrenOf(node.previous).slice(1);
      const isFirst = this.tree.childrenOf(node.previous)[0] === node;
      const isFull = moves >= MAX_BLOCK_MOVES && !node.isWhite;
      if ((isFirst && variations.length) || isFull) finish();
      for (const variation of isFirst ? variations : []) this.variation(variation, 1);
      if (isFirst && variations.length) needsNumber = true;
    }
    finish();
  }

  /** A variation, with those of its moves that are long behind it, which may be nested deeply. */
  variation(first, depth) {
    const waiting = [{ node: first, depth, isNew: true }];
    while (waiting.length) {
      const { node, depth: level, isNew } = waiting.pop();
      const later = this.variationBlock(node, level, isNew);
      waiting.push(...later.toReversed());
    }
  }

  /** One block, up to the first move that long variations replace. Returns what comes after it. */
  variationBlock(first, depth, isNew) {
    const parts = [];
    let needsNumber = true;
    let node = first;
    if (isNew) parts.push(textPart("bracket", "("));
    while (node) {
      if (node.before) parts.push(textPart("comment", node.before));
      parts.push(this.movePart(node, needsNumber || node.isWhite || node.before, false));
      needsNumber = this.afterMove(node, parts);
      const isFirst = node === first && isNew;
      const siblings = isFirst ? [] : this.tree.childrenOf(node.previous).slice(1);
      const isShort = siblings.every(isInline);
      for (const sibling of isShort ? siblings : []) this.inline(sibling, parts);
      if (siblings.length) needsNumber = true;
      if (!isShort) {
        const rest = node.next ? [{ node: node.next, depth, isNew: false }] : [];
        if (!node.next) parts.push(textPart("bracket", ")"));
        this.put(depth, false, parts);
        return [...siblings.map((sibling) => ({ node: sibling, depth: depth + 1, isNew: true })), ...rest];
      }
      node = node.next;
    }
    parts.push(textPart("bracket", ")"));
    this.put(depth, false, parts);
    return [];
  }

  inline(first, parts) {
    parts.push(textPart("bracket", "("));
    let needsNumber = true;
    for (let node = first; node; node = node.next) {
      if (node.before) parts.push(textPart("comment", node.before));
      parts.push(this.movePart(node, needsNumber || node.isWhite || node.before, false));
      needsNumber = this.afterMove(node, parts);
    }
    parts.push(textPart("bracket", ")"));
  }

  /** Annotations and variations behind a move. Returns whether the next move needs its number. */
  afterMove(node, parts) {
    if (node.comment) parts.push(textPart("comment", node.comment));
    if (node.rest) parts.push(textPart("rest", node.rest));
    return Boolean(node.comment || node.rest);
  }

  movePart(node, hasNumber, isMain) {
    const number = hasNumber ? moveNumber(node.number, node.isWhite) : null;
    const faults = isMain ? (this.problems.get(node.ply)?.join("; ") ?? null) : null;
    const key = `${node.id}${node.san}${number ?? ""}${node.nags.join()}${node.shapes?.length ? "*" : ""}`;
    return { kind: "move", node, number, faults, key };
  }

  filler(node) {
    return { kind: "filler", key: `…${node.id}` };
  }

  /** Two blocks may have the same content only if they are texts. */
  put(depth, isMain, parts) {
    const content = `${depth}${isMain ? "m" : "v"}${this.isInColumns ? "c" : ""}|${parts.map(({ key }) => key).join(" ")}`;
    const times = this.taken.get(content) ?? 0;
    this.taken.set(content, times + 1);
    this.blocks.push({ depth, isMain, parts, key: times ? `${content}#${times}` : content });
  }
}

/** Parts with spaces between them, at which lines may end; brackets stand close. */
function spaced(parts, elementOf) {
  return parts.flatMap((part, index) => {
    const isClose = part.text === "(" || parts[index + 1]?.text === ")" || index === parts.length - 1;
    return isClose ? [elementOf(part)] : [elementOf(part), " "];
  });
}

function textPart(kind, text) {
  return { kind, text, key: `${kind}:${text}` };
}

/** Whether a variation is short, and has no variations. */
function isInline(first) {
  let moves = 0;
  for (let node = first; node; node = node.next) {
    moves += 1;
    if (moves > MAX_INLINE_MOVES || node.children.length > 1) return false;
  }
  return true;
}

function nagOf(number) {
  const [sign, words] = NAGS[number] ?? [` $${number}`, null];
  return h("span", { class: "nag", title: words ? t(words) : t("annotation {number}", { number }) }, sign);
}

/** The moves up to a node in words, for a line beside other things. @param {any} node */
export function lineText(node) {
  return GameTree.pathTo(node)
    .map(
      (one, index) => (index === 0 || one.isWhite ? `${moveNumber(one.number, one.isWhite)} ` : "") + shownSan(one.san),
    )
    .join(" ");
}
