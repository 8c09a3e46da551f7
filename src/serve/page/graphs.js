// Graphs of a game, half-move by half-move: evaluations and clocks.

import { h, svg } from "./elements.js";
import { clock, evaluation } from "./format.js";
import { shownSan } from "./san.js";
import { winningChance } from "./winning-chance.js";
import { t } from "./words.js";

const WIDTH = 600;
const HEIGHT = 90;

/** The glyphs of bad moves. */
const JUDGEMENTS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/**
 * The graph of evaluations, or nothing if there are none.
 * @param {any[]} nodes of the game
 * @param {(index: number) => void} onChoose
 */
export function evaluationGraph(nodes, onChoose) {
  const values = nodes.map((node) => winningChance(node.eval, node.mate));
  if (values.filter((value) => value !== null).length < 2) return null;
  const line = points(values);
  const area = `M0 ${HEIGHT / 2}L${line.map(pair).join("L")}L${line.at(-1)[0]} ${HEIGHT / 2}Z`;
  return graph(t("Evaluation"), nodes, onChoose, (node) => [evaluation(node), JUDGEMENTS[node.judgement]].filter(Boolean).join(" "), [
    svg("path", { class: "graph-area", d: area }),
    svg("path", { class: "graph-middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    svg("path", { class: "graph-line", d: `M${line.map(pair).join("L")}` }),
    ...["mistake", "blunder"].map((judgement) => marks(nodes, values, judgement)),
  ]);
}

/** Dots on the line of evaluations at the moves that are judged so. */
function marks(nodes, values, judgement) {
  const isMarked = values.map((value, index) => (nodes[index].judgement === judgement ? value : null));
  const dots = points(isMarked).map((point) => `M${pair(point)}h0`);
  return svg("path", { class: `graph-${judgement}`, d: dots.join("") });
}

/**
 * The graph of both clocks, or nothing if there are none.
 * @param {any[]} nodes of the game
 * @param {(index: number) => void} onChoose
 */
export function clockGraph(nodes, onChoose) {
  const times = nodes
    .map(({ clock: seconds }) => seconds)
    .filter((seconds) => seconds !== null && seconds !== undefined);
  if (times.length < 4) return null;
  const most = Math.max(...times, 1);
  const lines = [true, false].map((side) => {
    const values = nodes.map((node) => (node.isWhite === side && node.clock !== null ? node.clock / most : null));
    return svg("path", { class: side ? "clock-white" : "clock-black", d: `M${points(values).map(pair).join("L")}` });
  });
  return graph(
    t("Clocks: White solid, Black dashed"),
    nodes,
    onChoose,
    (node) => (node.clock === null ? "" : clock(node.clock)),
    lines,
  );
}

/** Shows which half-move is on the board. @param {HTMLElement} figure @param {number} index from 0, -1 before the first */
export function markGraph(figure, index) {
  const cursor = figure.querySelector(".graph-cursor");
  const x = figure.positionOf(Math.max(index, 0));
  cursor.setAttribute("d", index < 0 ? "" : `M${x} 0V${HEIGHT}`);
}

/** A graph that can be pointed at; keys walk through the game anyway. */
function graph(title, nodes, onChoose, valueOf, shapes) {
  const caption = h("figcaption", {}, h("span", {}, title), h("span", { class: "graph-value number" }));
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    shapes,
    svg("path", { class: "graph-cursor" }),
  );
  const figure = h("figure", { class: "graph" }, caption, picture);
  const indexAt = (event) => {
    const { left, width } = picture.getBoundingClientRect();
    return Math.max(0, Math.min(nodes.length - 1, Math.round(((event.clientX - left) / width) * (nodes.length - 1))));
  };
  const value = caption.lastElementChild;
  picture.addEventListener("pointermove", (event) => (value.textContent = words(nodes[indexAt(event)], valueOf)));
  picture.addEventListener("pointerleave", () => (value.textContent = ""));
  picture.addEventListener("click", (event) => onChoose(indexAt(event)));
  figure.positionOf = (index) => position(index, nodes.length);
  return figure;
}

function words(node, valueOf) {
  return `${node.number}${node.isWhite ? "." : "…"} ${shownSan(node.san)} ${valueOf(node)}`;
}

function points(values) {
  return values
    .map((value, index) => [position(index, values.length), value])
    .filter(([, value]) => value !== null)
    .map(([x, value]) => [x, (HEIGHT * (1 - value)).toFixed(1)]);
}

function position(index, length) {
  return Number(((WIDTH * index) / Math.max(1, length - 1)).toFixed(1));
}

function pair([x, y]) {
  return `${x} ${y}`;
}
