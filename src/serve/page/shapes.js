// Arrows and circles over a board, as `[%cal]` and `[%csl]` write them: "Gd4" is a green circle, "Rd1h5" a red arrow.

import { h, svg } from "./elements.js";
import { t } from "./words.js";

/** The colours by their letters. */
export const SHAPE_COLOURS = { G: "green", R: "red", Y: "yellow", B: "blue" };

const HEAD = 0.42;
const START_GAP = 0.12;

/** A picture over the board, which lets the pointer through. */
export class Shapes {
  constructor() {
    this.element = svg("svg", { class: "shapes", viewBox: "0 0 8 8", "aria-hidden": "true" });
    this.isFlipped = false;
    this.shapes = [];
    this.draft = null;
  }

  /** @param {boolean} isFlipped */
  turn(isFlipped) {
    this.isFlipped = isFlipped;
    this.draw();
  }

  /** @param {string[]} shapes */
  show(shapes) {
    this.shapes = shapes;
    this.draw();
  }

  /** Shows a shape that is being drawn, or none. @param {string | null} shape */
  sketch(shape) {
    if (this.draft === shape) return;
    this.draft = shape;
    this.draw();
  }

  draw() {
    const drawn = this.shapes.map((shape) => this.elementOf(shape));
    if (this.draft) drawn.push(this.elementOf(this.draft));
    this.element.replaceChildren(...drawn);
  }

  elementOf(shape) {
    const kind = `shape ${SHAPE_COLOURS[shape[0]] ?? "green"}`;
    const from = this.middleOf(shape.slice(1, 3));
    if (shape.length < 5) return svg("circle", { class: kind, cx: from.x, cy: from.y, r: 0.45, "data-shape": shape });
    return this.arrow(kind, shape, from, this.middleOf(shape.slice(3, 5)));
  }

  arrow(kind, shape, from, to) {
    const [x, y] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(x, y);
    const [right, down] = [x / length, y / length];
    const neck = { x: to.x - right * HEAD, y: to.y - down * HEAD };
    const wing = HEAD * 0.55;
    const corners = [
      [to.x, to.y],
      [neck.x - down * wing, neck.y + right * wing],
      [neck.x + down * wing, neck.y - right * wing],
    ];
    const line = { x1: from.x + right * START_GAP, y1: from.y + down * START_GAP, x2: neck.x, y2: neck.y };
    return svg(
      "g",
      { class: kind, "data-shape": shape },
      svg("line", line),
      svg("polygon", { points: corners.map((corner) => corner.join()).join(" ") }),
    );
  }

  middleOf(square) {
    const [file, rank] = ["abcdefgh".indexOf(square[0]), Number(square[1]) - 1];
    return this.isFlipped ? { x: 7.5 - file, y: rank + 0.5 } : { x: file + 0.5, y: 7.5 - rank };
  }
}

/**
 * Shapes after one has been drawn: the same one again takes it away, another colour replaces it.
 * @param {string[]} shapes
 * @param {string} drawn
 */
export function toggled(shapes, drawn) {
  const others = shapes.filter((shape) => shape.slice(1) !== drawn.slice(1));
  return shapes.includes(drawn) ? others : [...others, drawn];
}

/** A shape in words. @param {string} shape */
export function spokenShape(shape) {
  const colour = t(SHAPE_COLOURS[shape[0]]);
  const [from, to] = [shape.slice(1, 3), shape.slice(3, 5)];
  return to
    ? t("{colour} arrow from {from} to {to}", { colour, from, to })
    : t("{colour} circle on {from}", { colour, from });
}

/** The colour of a shape by the keys that are held while it is drawn. @param {MouseEvent | KeyboardEvent} event */
export function colourOf(event) {
  const isSecond = event.shiftKey || event.ctrlKey;
  if (event.altKey) return isSecond ? "Y" : "B";
  return isSecond ? "R" : "G";
}

/** The colours to choose from, for fingers. @param {(letter: string) => void} onChoose @param {string} chosen */
export function colourButtons(onChoose, chosen) {
  const group = h("span", { class: "shape-colours", role: "group", "aria-label": t("Colour of arrows and circles") });
  const mark = (letter) => {
    for (const button of group.children) button.setAttribute("aria-pressed", String(button.dataset.letter === letter));
  };
  for (const [letter, name] of Object.entries(SHAPE_COLOURS)) {
    const onclick = () => {
      mark(letter);
      onChoose(letter);
    };
    group.append(
      h("button", {
        type: "button",
        class: `shape-colour ${name}`,
        "data-letter": letter,
        "aria-label": t(name),
        title: t(name),
        onclick,
      }),
    );
  }
  mark(chosen);
  return group;
}
