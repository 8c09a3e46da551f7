// The moves of a position: how often, with what results, by whom.

import { tamed } from "./bidi.js";
import { h } from "./elements.js";
import { count, counted, evaluation, percent } from "./format.js";
import { resultBar } from "./result-bar.js";
import { shownSan } from "./san.js";
import { dataRow, dataTable, linkedRow } from "./tables.js";
import { t } from "./words.js";

/** @type {import("./tables.js").Column[]} */
const COLUMNS = [
  ["Move", "move"],
  ["Eval", "eval", "Evaluation of the position after the move, from White's side"],
  ["Games", "number"],
  ["+", "number others", "More games that reach the position by other moves"],
  ["(Share)", "share"],
  ["Results", "results"],
  ["Elo", "number elo", "Average Elo of who plays it"],
  ["Perf.", "number performance", "Performance"],
  ["Last", "number year", "Year last played"],
  ["Opening", "opening"],
];

/**
 * The moves as a table. Each is a link to the position after it.
 * @param {any} answer of `moves`
 * @param {{ addressOfMove: (uci: string) => string, onPoint: (uci: string | null) => void }} options
 */
export function movesTable(answer, { addressOfMove, onPoint }) {
  const total = gamesOf(answer);
  const context = { total, opening: answer.opening ?? "", addressOfMove, onPoint };
  const rows = answer.moves.filter((move) => move.uci).map((move) => rowOf(move, context));
  const table = dataTable(COLUMNS, rows, "moves-table");
  const sum = h("abbr", { title: t("All moves") }, "Σ");
  const foot = dataRow(
    ["move", sum],
    ["eval", evaluationOf(answer)],
    ["number", count(total)],
    ["others"],
    ["share"],
    ["results", resultBar(answer)],
    ["elo"],
    ["performance"],
    ["year"],
    ["opening"],
  );
  table.append(h("tfoot", {}, foot));
  // Most databases have no evaluations.
  const isEvaluated = [answer, ...answer.moves].some((one) => evaluationOf(one) !== "");
  table.classList.toggle("without-evaluations", !isEvaluated);
  return table;
}

/** An evaluation as text: "+0.35", "#-3"; nothing without one. */
function evaluationOf({ eval_cp: centipawns, eval_mate: mate }) {
  return evaluation({ eval: centipawns, mate });
}

/**
 * Adds the games that reach the next positions by other moves: to the moves of the table, and as rows of moves that were
 * not played here.
 * @param {HTMLElement} table
 * @param {{ uci: string, san: string, games: number }[]} reached
 * @param {{ addressOfMove: (uci: string) => string, onPoint: (uci: string | null) => void }} options
 */
export function addTranspositions(table, reached, { addressOfMove, onPoint }) {
  for (const { uci, san, games } of reached) {
    const row = table.querySelector(`[data-uci="${uci}"]`);
    if (row) addOthers(row, games - Number(row.dataset.games));
    else table.tBodies[0].append(pointing(unplayedRow(san, games, addressOfMove(uci)), uci, onPoint));
  }
}

function addOthers(row, others) {
  if (others <= 0) return;
  const words = t("{count} more by other moves", { count: counted(others, "game") });
  const cell = row.querySelector(".others");
  cell.title = words;
  cell.textContent = `+${count(others)}`;
}

function unplayedRow(san, games, address) {
  const words = t("not played here; others reach the position by other moves");
  const row = linkedRow(address, ["move", shownSan(san)], ["eval"], ["number"], ["number others", `+${count(games)}`], ["faint", words]);
  row.classList.add("unplayed");
  row.lastElementChild.colSpan = COLUMNS.length - 4;
  return row;
}

function rowOf(move, { total, opening, addressOfMove, onPoint }) {
  const played = gamesOf(move);
  const row = linkedRow(
    addressOfMove(move.uci),
    ["move", shownSan(move.san)],
    ["eval", evaluationOf(move)],
    ["number", count(played)],
    ["number others"],
    ["number share faint", percent(played, total)],
    ["results", resultBar(move)],
    ["number elo", move.average_elo ?? ""],
    ["number performance", move.performance ?? ""],
    ["number year", move.last_year ?? ""],
    ["opening", openingOf(move, opening)],
  );
  Object.assign(row.dataset, { uci: move.uci, games: played });
  row.querySelector("a").setAttribute("aria-label", spoken(move, played));
  row.querySelector(".opening").title = tamed(move.opening ?? "");
  return pointing(row, move.uci, onPoint);
}

/** A row whose move is shown on the board while it is pointed at. */
function pointing(row, uci, onPoint) {
  row.addEventListener("pointerenter", () => onPoint(uci));
  row.addEventListener("pointerleave", () => onPoint(null));
  row.addEventListener("focusin", () => onPoint(uci));
  row.addEventListener("focusout", () => onPoint(null));
  return row;
}

/** The name of an opening without what the name of the position says already. */
function openingOf({ eco, opening }, before) {
  if (!opening) return null;
  const isLonger = before && opening.startsWith(before) && opening.length > before.length;
  const name = isLonger ? opening.slice(before.length).replace(/^[:,] /, "") : opening;
  return [h("span", { class: "eco" }, eco), " ", name];
}

export function gamesOf(move) {
  return move.games;
}

function spoken(move, played) {
  return `${shownSan(move.san)}, ${counted(played, "game")}`;
}
