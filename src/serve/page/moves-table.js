// The moves of a position: how often, with what results, by whom.

import { h } from "./elements.js";
import { count, percent } from "./format.js";
import { resultBar } from "./result-bar.js";

/**
 * The moves as a table. Each is a link to the position after it.
 * @param {any} answer of `moves`
 * @param {{ addressOfMove: (uci: string) => string, onPoint: (uci: string | null) => void }} options
 */
export function movesTable(answer, { addressOfMove, onPoint }) {
  const total = gamesOf(answer);
  const context = { total, opening: answer.opening?.name ?? "", addressOfMove, onPoint };
  const rows = answer.moves.filter((move) => move.uci).map((move) => rowOf(move, context));
  return h("table", { class: "data moves-table" }, head(), h("tbody", {}, rows), foot(answer, total));
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
  const words = `${count(others)} more ${others === 1 ? "game reaches" : "games reach"} this position by other moves`;
  row
    .querySelector(".number")
    .append(
      h("span", { class: "transposed", title: words }, h("span", { class: "unseen" }, ", "), `+${count(others)}`),
    );
}

function unplayedRow(san, games, href) {
  return h(
    "tr",
    { class: "linked unplayed" },
    h("td", { class: "move" }, h("a", { href }, san)),
    h("td", { class: "number" }, h("span", { class: "transposed" }, `+${count(games)}`)),
    h("td", { class: "faint", colspan: 6 }, "not played here; others reach the position by other moves"),
  );
}

function head() {
  const columns = [
    ["Move", "move"],
    ["Games", "number"],
    ["", "share"],
    ["Results", "results"],
    ["Elo", "number elo"],
    ["Perf.", "number performance"],
    ["Last", "number year"],
    ["Opening", "opening"],
  ];
  const titles = { "": "Share", Elo: "Average Elo of who plays it", "Perf.": "Performance", Last: "Year last played" };
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      columns.map(([title, kind]) =>
        h(
          "th",
          { class: kind, scope: "col", title: titles[title] },
          title || h("span", { class: "unseen" }, titles[title]),
        ),
      ),
    ),
  );
}

function rowOf(move, { total, opening, addressOfMove, onPoint }) {
  const played = gamesOf(move);
  const row = h(
    "tr",
    { class: "linked", "data-uci": move.uci, "data-games": played },
    h("td", { class: "move" }, h("a", { href: addressOfMove(move.uci), "aria-label": spoken(move, played) }, move.san)),
    h("td", { class: "number" }, count(played)),
    h("td", { class: "number share faint" }, percent(played, total)),
    h("td", { class: "results" }, resultBar(move)),
    h("td", { class: "number elo" }, move.average_elo ?? ""),
    h("td", { class: "number performance" }, move.performance ?? ""),
    h("td", { class: "number year" }, move.last_year ?? ""),
    h("td", { class: "opening", title: move.opening?.name ?? null }, openingOf(move, opening)),
  );
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

function foot(answer, total) {
  return h(
    "tfoot",
    {},
    h(
      "tr",
      {},
      h("td", { class: "move" }, h("abbr", { title: "All moves" }, "Σ")),
      h("td", { class: "number" }, count(total)),
      h("td", { class: "share" }),
      h("td", { class: "results" }, resultBar(answer)),
      h("td", { class: "elo" }),
      h("td", { class: "performance" }),
      h("td", { class: "year" }),
      h("td", { class: "opening" }),
    ),
  );
}

/** The name of an opening without what the name of the position says already. */
function openingOf({ opening }, before) {
  if (!opening) return null;
  const isLonger = before && opening.name.startsWith(before) && opening.name.length > before.length;
  const name = isLonger ? opening.name.slice(before.length).replace(/^[:,] /, "") : opening.name;
  return [h("span", { class: "eco" }, opening.eco), " ", name];
}

function gamesOf(move) {
  return move.games;
}

function spoken(move, played) {
  return `${move.san}, ${count(played)} ${played === 1 ? "game" : "games"}`;
}
