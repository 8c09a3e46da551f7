// The board of the page: cm-chessboard draws and drags pieces; squares for keys and screen readers lie over it.

import { Arrows } from "/page/cm-chessboard/src/extensions/arrows/Arrows.js";
import { Chessboard, COLOR, INPUT_EVENT_TYPE } from "/page/cm-chessboard/src/Chessboard.js";
import { EXTENSION_POINT, Extension } from "/page/cm-chessboard/src/model/Extension.js";

import { announce } from "./announce.js";
import { BoardCells } from "./board-cells.js";
import { listenForShapes, listenForSwipes, listenForWheel } from "./board-hands.js";
import { h, svg } from "./elements.js";
import { pieceFile } from "./looks.js";
import { NO_PIECES, pieceName, piecesOf, turnOf } from "./placement.js";
import { askForPromotion } from "./promotion.js";
import { Shapes, colourOf, spokenShape, toggled } from "./shapes.js";
import { t } from "./words.js";

/** The arrow of a move that is pointed at. */
const POINTED = { class: "arrow-hint" };
const quick = matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * A legal move, as the server or `rules.js` says it.
 * @typedef {{ uci: string, from: string, to: string, promotion: string | null }} Move
 */

/** A board that shows positions, and accepts moves if it is given the legal moves. */
export class Board {
  /**
   * @param {{
   *   label: string, onMove?: (move: Move) => void, onTake?: (square: string) => void, isFlipped?: boolean,
   *   onShapes?: (shapes: string[]) => void, onStep?: (step: "back" | "forward") => void
   * }} options `onTake` hears of a piece that is taken up, `onShapes` of arrows and circles, `onStep` of the wheel and swipes
   */
  constructor({ label, onMove = null, onTake = () => {}, isFlipped = false, onShapes = null, onStep = null }) {
    this.onMove = onMove;
    this.onTake = onTake;
    this.onShapes = onShapes ?? ((shapes) => this.shapes.show(shapes));
    /** The colour with which the left button and fingers draw, if they do. @type {string | null} */
    this.pen = null;
    /** The square at which an arrow begins that is drawn by keys. @type {string | null} */
    this.drawnFrom = null;
    this.isEmpty = true;
    this.moves = [];
    /** The move that is pointed at. @type {{ from: string, to: string, kind?: string } | null} */
    this.pointed = null;
    /** The moves whose arrows are shown while no move is pointed at. @type {{ from: string, to: string, kind?: string }[]} */
    this.resting = [];
    this.selected = null;
    this.marked = { last: [], check: [] };
    this.cells = new BoardCells(
      label,
      (square) => this.choose(square),
      () => this.cancel(),
      (square, event) => this.drawByKey(square, event),
    );
    this.picture = h("div", { class: "board-picture" });
    this.shapes = new Shapes();
    this.element = h("div", { class: "board" }, this.picture, this.shapes.element, this.cells.element);
    this.isFlipped = isFlipped;
    this.chessboard = null;
    this.listen(onStep);
  }

  listen(onStep) {
    listenForShapes(this.picture, {
      sketch: (shape) => this.shapes.sketch(shape),
      draw: (shape) => this.draw(shape),
      colour: () => this.pen,
    });
    if (!onStep) return;
    const isFree = (square) => this.pen === null && !this.selected && !this.moves.some(({ from }) => from === square);
    listenForWheel(this.element, onStep);
    listenForSwipes(this.picture, { onStep, isFree });
  }

  /** Draws the board; its element must be in the page by then. */
  start() {
    this.chessboard = new Chessboard(this.picture, settings(this));
    hideFromReaders(this.chessboard);
    dragWithoutStyleAttributes(this.chessboard);
    this.cells.turn(this.isFlipped);
    this.shapes.turn(this.isFlipped);
    this.nameSquares(NO_PIECES);
  }

  /**
   * Shows a position.
   * @param {string} fen
   * @param {{ moves?: Move[], last?: string[], check?: boolean, animated?: boolean, shapes?: string[] }} [more]
   */
  show(fen, { moves = [], last = [], check = false, animated = true, shapes = [] } = {}) {
    this.moves = moves;
    this.drawnFrom = null;
    this.shapes.show(shapes);
    this.select(null);
    // Pieces move to their next squares, but do not fly in one by one.
    this.chessboard.setPosition(fen, animated && !quick && !this.isEmpty);
    this.isEmpty = false;
    this.nameSquares(fen);
    this.marked = { last, check: check ? [kingSquare(fen)] : [] };
    this.markSquares();
    this.allowInput(turnOf(fen));
  }

  /** Turns the board to White's or Black's side. @param {boolean} isFlipped */
  turn(isFlipped) {
    if (isFlipped === this.isFlipped) return;
    this.isFlipped = isFlipped;
    this.cells.turn(isFlipped);
    this.shapes.turn(isFlipped);
    this.chessboard.setOrientation(isFlipped ? COLOR.black : COLOR.white);
  }

  /** Draws the arrow of a move that is pointed at, in place of all others. @param {{ from: string, to: string } | null} move */
  point(move) {
    this.pointed = move;
    this.drawArrows();
  }

  /**
   * Draws the arrows that are shown while no move is pointed at. The last arrow lies over the others.
   * @param {{ from: string, to: string, kind: string }[]} moves `kind` is part of a class: "best", "played"
   */
  showArrows(moves) {
    this.resting = moves;
    this.drawArrows();
  }

  drawArrows() {
    this.chessboard.removeArrows();
    const arrows = this.pointed ? [this.pointed] : this.resting;
    for (const { from, to, kind } of arrows) {
      this.chessboard.addArrow(kind ? { class: `arrow-${kind}` } : POINTED, from, to);
    }
  }

  /** Adds an arrow or a circle, or takes it away if it is there. @param {string} shape */
  draw(shape) {
    const shapes = toggled(this.shapes.shapes, shape);
    this.shapes.show(shapes);
    this.onShapes(shapes);
    const words = spokenShape(shape);
    announce(shapes.includes(shape) ? words : t("{shape} taken away", { shape: words }));
  }

  /** The first key begins an arrow, the second one ends it; twice on one square draws a circle. */
  drawByKey(square, event) {
    if (!this.drawnFrom) {
      this.drawnFrom = square;
      this.cells.mark("drawing", [square]);
      announce(t("Arrow from {square}: choose its end and press a", { square }));
      return;
    }
    const letter = this.pen ?? colourOf(event);
    const from = this.drawnFrom;
    this.cancel();
    this.draw(letter + (from === square ? from : from + square));
  }

  cancel() {
    this.drawnFrom = null;
    this.cells.mark("drawing", []);
    this.select(null);
  }

  /** Takes the board out of the page. */
  close() {
    this.chessboard?.destroy();
    this.chessboard = null;
  }

  allowInput(turn) {
    this.chessboard.disableMoveInput();
    if (!this.onMove || !this.moves.length) return;
    const color = turn === "white" ? COLOR.white : COLOR.black;
    this.chessboard.enableMoveInput((event) => this.onInput(event), color);
  }

  onInput(event) {
    switch (event.type) {
      case INPUT_EVENT_TYPE.moveInputStarted:
        this.select(event.squareFrom);
        return this.moves.some(({ from }) => from === event.squareFrom);
      case INPUT_EVENT_TYPE.validateMoveInput:
        return this.play(event.squareFrom, event.squareTo);
      case INPUT_EVENT_TYPE.moveInputCanceled:
        this.select(null);
        return true;
      default:
        return true;
    }
  }

  /** By keys: the first square is where a piece is taken from, the second where it goes. */
  choose(square) {
    if (this.selected && this.moves.some(({ from, to }) => from === this.selected && to === square)) {
      this.play(this.selected, square);
    } else if (this.moves.some(({ from }) => from === square)) {
      this.select(square === this.selected ? null : square);
      if (this.selected) announce(t("{square} chosen, {count} squares to go to", { square, count: this.targets().length }));
    } else {
      const from = this.selected;
      announce(from ? t("No move from {from} to {square}", { from, square }) : t("No move from {square}", { square }));
    }
  }

  /** Returns whether the piece may stay on its new square. */
  play(from, to) {
    const moves = this.moves.filter((move) => move.from === from && move.to === to);
    this.select(null);
    if (moves.length > 1) askForPromotion(moves, (move) => this.onMove(move), this.cells.square(to));
    // The board puts the piece down first.
    else if (moves.length === 1) queueMicrotask(() => this.onMove(moves[0]));
    return moves.length === 1;
  }

  select(square) {
    this.selected = square;
    if (square) this.onTake(square);
    this.cells.mark("chosen", square ? [square] : []);
    this.cells.mark("target", square ? this.targets() : []);
  }

  targets() {
    return [...new Set(this.moves.filter(({ from }) => from === this.selected).map(({ to }) => to))];
  }

  nameSquares(fen) {
    const pieces = piecesOf(fen);
    this.cells.name((square) => (pieces.has(square) ? `${square} ${pieceName(pieces.get(square))}` : square));
    this.cells.mark("taken", pieces.keys());
  }

  markSquares() {
    for (const square of this.picture.querySelectorAll(".square")) {
      const name = square.dataset.square;
      square.classList.toggle("last", this.marked.last.includes(name));
      square.classList.toggle("check", this.marked.check.includes(name));
    }
  }
}

/** Marks squares again after the board was drawn anew. */
class Marks extends Extension {
  constructor(chessboard, { board }) {
    super(chessboard);
    this.registerExtensionPoint(EXTENSION_POINT.afterRedrawBoard, () => {
      board.markSquares();
      drawCoordinates(chessboard.view, board.isFlipped);
    });
  }
}

/** Letters and digits below the pieces, sized by attributes, since style attributes are forbidden. */
export function drawCoordinates({ coordinatesGroup: group, squareWidth: side }, isFlipped) {
  const sign = (text, x, y, tone, anchor) =>
    svg("text", { x, y, class: `coordinate ${tone}`, "font-size": side * 0.17, "text-anchor": anchor }, text);
  const tone = (index) => (index % 2 ? "on-light" : "on-dark");
  const places = Array.from({ length: 8 }, (_, index) => index);
  const end = 8 * side;
  group.replaceChildren(
    ...places.map((x) => sign("abcdefgh"[isFlipped ? 7 - x : x], (x + 0.96) * side, end - side * 0.05, tone(x), "end")),
    ...places.map((y) => sign(isFlipped ? y + 1 : 8 - y, side * 0.04, (y + 0.18) * side, tone(y + 1), "start")),
  );
}

function settings(board) {
  return {
    position: NO_PIECES,
    orientation: board.isFlipped ? COLOR.black : COLOR.white,
    assetsUrl: "/page/cm-chessboard/assets/",
    style: {
      cssClass: "stamma",
      showCoordinates: false,
      pieces: { file: pieceFile(), tileSize: 40 },
      animationDuration: quick ? 0 : 160,
    },
    extensions: [
      { class: Arrows, props: { headSize: 5, offsetTo: 0.4 } },
      { class: Marks, props: { board } },
    ],
  };
}

/** Hides the picture from screen readers: the squares over it say what is on it. */
export function hideFromReaders(chessboard) {
  chessboard.view.svg.removeAttribute("role");
  chessboard.view.svg.setAttribute("aria-hidden", "true");
}

/**
 * The page's Content-Security-Policy forbids style attributes, by which cm-chessboard moves the piece that is dragged;
 * the same through the element's `style` is allowed.
 */
function dragWithoutStyleAttributes(chessboard) {
  const input = chessboard.view.visualMoveInput;
  const create = input.createDraggablePiece.bind(input);
  const place = input.moveDraggablePiece.bind(input);
  input.createDraggablePiece = (piece) => withStyleProperties(() => create(piece));
  input.moveDraggablePiece = (x, y) => {
    input.draggablePiece.setAttribute = setStyle;
    place(x + scrollX, y + scrollY);
  };
}

/** Runs a function in which SVG elements set their style as a property. */
function withStyleProperties(run) {
  const prototype = SVGElement.prototype;
  prototype.setAttribute = setStyle;
  try {
    run();
  } finally {
    delete prototype.setAttribute;
  }
}

function setStyle(name, value) {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

function kingSquare(fen) {
  const king = turnOf(fen) === "white" ? "K" : "k";
  for (const [square, letter] of piecesOf(fen)) if (letter === king) return square;
  return "";
}
