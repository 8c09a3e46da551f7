// A list of games: sorted, with more at its end.

import { addressOf, gameId, queryOf } from "./address.js";
import { ask } from "./api.js";
import { basketButton } from "./basket.js";
import { h } from "./elements.js";
import { count, date, playerName, result } from "./format.js";
import { emptyState, errorState, fillWith } from "./states.js";
import { dataTable, heading } from "./tables.js";
import { t } from "./words.js";

const PAGE = 25;
/** Keys of `--sort`; a minus in front reverses. The first order is the one that people mean. */
const SORTS = {
  date: ["-date", "date"],
  elo: ["-elo", "elo"],
  plies: ["plies", "-plies"],
  result: ["result", "-result"],
};
const COLUMNS = [
  ["White", "name"],
  ["Elo", "number", "elo"],
  ["Black", "name"],
  ["Elo", "number"],
  ["Result", "result", "result"],
  ["Date", "date", "date"],
  ["Event", "event"],
  ["ECO", "eco"],
  ["Moves", "number", "plies"],
  ["(Basket)", "basket"],
];

/** A list of the games of a query. */
export class GamesList {
  /**
   * @param {{ onSort: (sort: string) => void, onAnswer?: (answer: any) => void }} options
   */
  constructor({ onSort, onAnswer = () => {} }) {
    this.onSort = onSort;
    this.onAnswer = onAnswer;
    this.element = h("div", { class: "games" });
  }

  /**
   * Shows the first games of a query.
   * @param {URLSearchParams} query position, filters and `sort`
   * @param {AbortSignal} signal
   */
  load(query, signal) {
    this.query = queryOf(query);
    this.signal = signal;
    const again = () => this.load(query, signal);
    return fillWith(this.element, this.ask(null), (answer) => this.draw(answer), { again, lines: 8 });
  }

  ask(cursor) {
    const query = queryOf(this.query);
    query.set("limit", PAGE);
    if (cursor) query.set("cursor", cursor);
    return ask("games", query, { signal: this.signal });
  }

  draw(answer) {
    this.onAnswer(answer);
    if (!answer.games.length) return emptyState(t("No games"), h("p", {}, t("No game of the database has all of this.")));
    const body = h(
      "tbody",
      {},
      answer.games.map((game) => rowOf(game)),
    );
    const table = h("table", { class: "data games-table" }, this.head(), body);
    return [table, this.more(body, answer.next)];
  }

  head() {
    const sort = this.query.get("sort") ?? "";
    return h(
      "thead",
      {},
      h(
        "tr",
        {},
        COLUMNS.map(([title, kind, key]) => this.headOf(title, kind, key, sort)),
      ),
    );
  }

  headOf(title, kind, key, sort) {
    if (!key) return h("th", { class: kind, scope: "col" }, heading(t(title)));
    const [first, second] = SORTS[key];
    const isAscending = sort === first.replace(/^-/, "");
    const isSorted = sort === first || sort === second;
    const mark = isSorted ? (isAscending ? "▴" : "▾") : "";
    return h(
      "th",
      { class: kind, scope: "col", "aria-sort": isSorted ? (isAscending ? "ascending" : "descending") : null },
      h(
        "button",
        { type: "button", class: "sort", onclick: () => this.onSort(sort === first ? second : first) },
        t(title),
        h("span", { class: "sort-mark", "aria-hidden": "true" }, mark),
      ),
    );
  }

  more(body, cursor) {
    if (!cursor) return null;
    const button = h("button", { type: "button", class: "more" }, t("More games"));
    button.addEventListener("click", () => this.append(body, cursor, button));
    return button;
  }

  async append(body, cursor, button) {
    button.disabled = true;
    try {
      const answer = await this.ask(cursor);
      const rows = answer.games.map((game) => rowOf(game));
      body.append(...rows);
      button.replaceWith(...[this.more(body, answer.next)].filter(Boolean));
      rows[0]?.querySelector("a")?.focus({ preventScroll: true });
    } catch (error) {
      button.replaceWith(errorState(error, () => this.append(body, cursor, button)));
    }
  }
}

/** A few games, in the order in which they are given. @param {any[]} games */
export function plainGames(games) {
  const columns = COLUMNS.map(([words, kind]) => [words, kind]);
  return h("div", { class: "games" }, dataTable(columns, games.map(rowOf), "games-table"));
}

/** A row of a game, all of which leads to it. */
function rowOf(game) {
  const address = addressOf("game", { id: gameId(game.database, game.game), ply: game.ply || null });
  return h(
    "tr",
    { class: "linked" },
    h("td", { class: "name white" }, h("a", { href: address }, title(game.white_title), playerName(game.white))),
    h("td", { class: "number elo-white" }, game.white_elo ?? ""),
    h("td", { class: "name black" }, title(game.black_title), playerName(game.black)),
    h("td", { class: "number elo-black" }, game.black_elo ?? ""),
    h("td", { class: "result" }, result(game.result)),
    h("td", { class: "date" }, date(game.date)),
    h("td", { class: "event" }, game.event === "?" ? "" : game.event),
    h("td", { class: "eco", title: game.opening }, game.eco ?? ""),
    h("td", { class: "number plies" }, count(Math.ceil(game.plies / 2))),
    h("td", { class: "basket" }, basketButton(game)),
  );
}

function title(text) {
  return text && h("abbr", { class: "title" }, `${text} `);
}
