// The board as a table of squares: what a screen reader reads and what the arrow keys walk over. It lies over the
// picture of the board and lets the pointer through.

import { h } from "./elements.js";
import { SQUARES } from "./placement.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Sixty-four squares with names, of which one can have the focus. */
export class BoardCells {
  /**
   * @param {string} label what the board is for
   * @param {(square: string) => void} choose called by Enter and the space bar
   * @param {() => void} cancel called by Escape
   * @param {((square: string, event: KeyboardEvent) => void) | null} [draw] called by the letter a
   */
  constructor(label, choose, cancel, draw = null) {
    this.choose = choose;
    this.cancel = cancel;
    this.draw = draw;
    this.isFlipped = false;
    this.cells = new Map(SQUARES.map((square) => [square, cell(square)]));
    this.element = h("div", { class: "cells", role: "grid", "aria-label": label });
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.turn(false);
  }

  /** Puts the squares in order, seen from White's or from Black's side. @param {boolean} isFlipped */
  turn(isFlipped) {
    this.isFlipped = isFlipped;
    const order = isFlipped ? SQUARES.toReversed() : SQUARES;
    const rows = Array.from({ length: 8 }, (_, row) => order.slice(8 * row, 8 * row + 8));
    this.element.replaceChildren(...rows.map((squares) => this.row(squares)));
    this.makeReachable(order[isFlipped ? 3 + 8 * 6 : 4 + 8 * 6]);
  }

  /** Names each square. @param {(square: string) => string} nameOf */
  name(nameOf) {
    for (const [square, element] of this.cells) element.setAttribute("aria-label", nameOf(square));
  }

  /** The element of a square. @param {string} name */
  square(name) {
    return this.cells.get(name);
  }

  /** Gives squares a class, and takes it from all others. @param {string} name @param {Iterable<string>} squares */
  mark(name, squares) {
    const marked = new Set(squares);
    for (const [square, element] of this.cells) element.classList.toggle(name, marked.has(square));
  }

  row(squares) {
    return h(
      "div",
      { role: "row" },
      squares.map((square) => this.cells.get(square)),
    );
  }

  makeReachable(square) {
    for (const [name, element] of this.cells) element.tabIndex = name === square ? 0 : -1;
  }

  onKey(event) {
    const square = event.target.dataset?.square;
    if (!square || event.metaKey) return;
    const isDrawing = this.draw !== null && event.code === "KeyA";
    if ((event.ctrlKey || event.altKey) && !isDrawing) return;
    const step = STEPS[event.key];
    if (step) this.walk(square, step);
    else if (event.key === "Enter" || event.key === " ") this.choose(square);
    else if (event.key === "Escape") this.cancel();
    else if (isDrawing) this.draw(square, event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  walk(square, [right, down]) {
    const side = this.isFlipped ? -1 : 1;
    const file = "abcdefgh".indexOf(square[0]) + side * right;
    const rank = Number(square[1]) - side * down;
    const next = this.cells.get(`${"abcdefgh"[file]}${rank}`);
    if (!next) return;
    this.makeReachable(next.dataset.square);
    next.focus();
  }
}

function cell(square) {
  return h("div", { role: "gridcell", class: "cell", "data-square": square, tabindex: -1 });
}
