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

function head() {
  const columns = [["Move", "move"], ["Games", "number"], ["", "share"], ["Results", "results"], ["Elo", "number elo"],
    ["Perf.", "number performance"], ["Last", "number year"], ["Opening", "opening"]];
  const titles = { "": "Share", Elo: "Average Elo of who plays it", "Perf.": "Performance", Last: "Year last played" };
  return h("thead", {}, h("tr", {}, columns.map(([title, kind]) =>
    h("th", { class: kind, scope: "col", title: titles[title] }, title || h("span", { class: "unseen" }, titles[title])))));
}

function rowOf(move, { total, opening, addressOfMove, onPoint }) {
  const played = gamesOf(move);
  const row = h("tr", { class: played ? "linked" : "linked unplayed", "data-uci": move.uci },
    h("td", { class: "move" }, h("a", { href: addressOfMove(move.uci), "aria-label": spoken(move, played) }, move.san)),
    h("td", { class: "number" }, count(played)),
    h("td", { class: "number share faint" }, percent(played, total)),
    h("td", { class: "results" }, played ? resultBar(move) : transposed(move)),
    h("td", { class: "number elo" }, move.average_elo ?? ""),
    h("td", { class: "number performance" }, move.performance ?? ""),
    h("td", { class: "number year" }, move.last_year ?? ""),
    h("td", { class: "opening", title: move.opening?.name ?? null }, openingOf(move, opening), played ? transpositions(move, played) : null));
  row.addEventListener("pointerenter", () => onPoint(move.uci));
  row.addEventListener("pointerleave", () => onPoint(null));
  row.addEventListener("focusin", () => onPoint(move.uci));
  row.addEventListener("focusout", () => onPoint(null));
  return row;
}

function foot(answer, total) {
  return h("tfoot", {}, h("tr", {},
    h("td", { class: "move" }, h("abbr", { title: "All moves" }, "Σ")), h("td", { class: "number" }, count(total)), h("td", { class: "share" }),
    h("td", { class: "results" }, resultBar(answer)), h("td", { class: "elo" }), h("td", { class: "performance" }), h("td", { class: "year" }),
    h("td", { class: "opening" })));
}

/** The name of an opening without what the name of the position says already. */
function openingOf({ opening }, before) {
  if (!opening) return null;
  const isLonger = before && opening.name.startsWith(before) && opening.name.length > before.length;
  const name = isLonger ? opening.name.slice(before.length).replace(/^[:,] /, "") : opening.name;
  return [h("span", { class: "eco" }, opening.eco), " ", name];
}

/** Games that reach the position by other moves. */
function transpositions(move, played) {
  const others = (move.position_games ?? 0) - played;
  if (others <= 0) return null;
  return h("span", { class: "transposed", title: `${count(others)} more games reach this position by other moves` }, ` +${count(others)} transposed`);
}

function transposed(move) {
  return h("span", { class: "faint" }, `transposes into ${count(move.position_games ?? 0)}`);
}

function gamesOf(move) {
  return move.games;
}

function spoken(move, played) {
  return `${move.san}, ${count(played)} ${played === 1 ? "game" : "games"}`;
}
