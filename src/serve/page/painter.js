// A board to put things on: pieces for a position, pieces and signs for a pattern.

import { Chessboard } from "/page/cm-chessboard/src/Chessboard.js";
import { EXTENSION_POINT, Extension } from "/page/cm-chessboard/src/model/Extension.js";

import { announce } from "./announce.js";
import { BoardCells } from "./board-cells.js";
import { drawCoordinates, hideFromReaders } from "./board.js";
import { h } from "./elements.js";
import { icon } from "./icons.js";
import { pieceFile } from "./looks.js";
import { NO_PIECES, SQUARES } from "./placement.js";
import { pieceImage } from "./promotion.js";
import { t } from "./words.js";

/**
 * A piece or a condition that can be put on a square.
 * @typedef {{ token: string, name: string, image: string }} Brush
 */

/** A board with a palette. A square has a token, or none. */
export class Painter {
  /**
   * @param {{ label: string, brushes: Brush[][], onChange: (tokens: Map<string, string>) => void, other?: Brush }} options
   *   `other` is shown for tokens that no brush paints
   */
  constructor({ label, brushes, onChange, other = null }) {
    this.brushes = brushes.flat();
    this.other = other;
    this.onChange = onChange;
    this.brush = this.brushes[0];
    this.tokens = new Map();
    this.picture = h("div", { class: "board-picture" });
    this.cells = new BoardCells(
      label,
      (square) => this.paint(square),
      () => {},
    );
    this.palette = h(
      "div",
      { class: "palette", role: "toolbar", "aria-label": t("What to put on the board") },
      brushes.map((row) =>
        h(
          "div",
          { class: "palette-row" },
          row.map((brush) => this.button(brush)),
        ),
      ),
    );
    this.element = h(
      "div",
      { class: "painter" },
      h("div", { class: "board" }, this.picture, this.cells.element),
      this.palette,
    );
    this.listen();
  }

  /** Draws the board; its element must be in the page by then. */
  start() {
    this.chessboard = new Chessboard(this.picture, settings());
    hideFromReaders(this.chessboard);
    this.show(this.tokens);
  }

  /** Shows tokens on their squares. @param {Map<string, string>} tokens */
  show(tokens) {
    this.tokens = new Map(tokens);
    if (!this.chessboard) return;
    const { state, view } = this.chessboard;
    for (const square of SQUARES) state.position.setPiece(square, this.brushOf(square)?.image ?? null);
    view.redrawPieces();
    this.cells.name((square) => [square, this.brushOf(square)?.name].filter(Boolean).join(" "));
  }

  close() {
    this.chessboard?.destroy();
    this.chessboard = null;
  }

  brushOf(square) {
    const token = this.tokens.get(square);
    return token ? (this.brushes.find((brush) => brush.token === token) ?? this.other) : null;
  }

  /** Puts the brush's token on a square, or takes it away if it is there. */
  paint(square) {
    const isThere = this.tokens.get(square) === this.brush.token;
    this.put(square, isThere ? "" : this.brush.token);
    announce(`${square} ${this.brushOf(square)?.name ?? t("cleared")}`);
  }

  put(square, token) {
    const tokens = new Map(this.tokens);
    if (token) tokens.set(square, token);
    else tokens.delete(square);
    this.show(tokens);
    this.onChange(this.tokens);
  }

  button(brush) {
    const button = h(
      "button",
      {
        type: "button",
        class: "brush",
        "aria-label": brush.name,
        title: brush.name,
        "aria-pressed": String(brush === this.brush),
        onclick: () => this.choose(brush),
      },
      brush.image ? pieceImage(brush.image) : icon("erase"),
    );
    button.dataset.token = brush.token;
    return button;
  }

  choose(brush) {
    this.brush = brush;
    for (const button of this.palette.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.token === brush.token));
    }
  }

  /** A press paints; a press that moves paints all squares it comes over. With the right button, both clear. */
  listen() {
    let token = null;
    this.picture.addEventListener("pointerdown", (event) => {
      const { square } = event.target.dataset;
      if (!square) return;
      event.preventDefault();
      if (event.button === 2) this.put(square, "");
      else this.paint(square);
      token = this.tokens.get(square) ?? "";
      addEventListener("pointerup", () => (token = null), { once: true });
    });
    this.picture.addEventListener("pointermove", (event) => {
      const square = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.square;
      if (token === null || !event.buttons || !square) return;
      if ((this.tokens.get(square) ?? "") !== token) this.put(square, token);
    });
  }
}

/** Draws coordinates again after the board was drawn anew. */
class Coordinates extends Extension {
  constructor(chessboard) {
    super(chessboard);
    this.registerExtensionPoint(EXTENSION_POINT.afterRedrawBoard, () => drawCoordinates(chessboard.view, false));
  }
}

function settings() {
  return {
    position: NO_PIECES,
    style: {
      cssClass: "stamma",
      showCoordinates: false,
      pieces: { file: pieceFile(), tileSize: 40 },
      animationDuration: 0,
    },
    extensions: [{ class: Coordinates }],
  };
}
