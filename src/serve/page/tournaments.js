// The tournaments of the database: a list that can be searched and sorted, and leads to crosstables.

import { addressOf, changed, gameId, go } from "./address.js";
import { announce } from "./announce.js";
import { ask } from "./api.js";
import { fill, h } from "./elements.js";
import { filterForm, filterList } from "./filter-form.js";
import { filtersOf } from "./filters.js";
import { count, counted, date } from "./format.js";
import { emptyState, errorState, fillWith } from "./states.js";
import { suggestField } from "./suggest.js";
import { dataTable, linkedRow } from "./tables.js";
import { t } from "./words.js";

const PAGE = 50;
/** The columns that the list can be sorted by, with the order's name. */
const COLUMNS = [
  ["Event", "event", "name"],
  ["Site", "site"],
  ["Played", "date", "date"],
  ["Games", "number games", "games"],
  ["Players", "number players", "players"],
  ["Elo", "number elo", "elo"],
];
/** Parameters of the view that are no filters. */
const OWN = ["year", "min-games", "sort"];

/** The view of all tournaments. */
export class TournamentsView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.head = h("div", { class: "player-head" });
    this.found = h("p", { class: "faint" });
    this.list = h("div", { class: "tournaments" });
    fill(root, h("div", { class: "page-column" }, this.head, this.found, this.list));
  }

  /** @param {URLSearchParams} parameters */
  update(parameters) {
    this.parameters = parameters;
    this.stop?.abort();
    this.stop = new AbortController();
    this.showHead();
    const again = () => this.update(parameters);
    return fillWith(this.list, this.ask(null), (answer) => this.draw(answer), { again, lines: 12 });
  }

  close() {
    this.stop?.abort();
  }

  ask(cursor) {
    const own = Object.fromEntries(OWN.map((name) => [name, this.parameters.get(name)]));
    return ask("tournaments", changed(filtersOf(this.parameters), { ...own, limit: PAGE, cursor }), this.stop);
  }

  showHead() {
    const [event, year, least] = ["event", "year", "min-games"].map((name) => this.parameters.get(name) ?? "");
    const labelled = (kind, name, label, field) =>
      h("div", { class: kind }, h("label", { for: `tournaments-${name}` }, label), field);
    const number = (name, label, value) => {
      const properties = { id: `tournaments-${name}`, type: "text", name, value, inputmode: "numeric" };
      return labelled("field short", name, label, h("input", properties));
    };
    const properties = { id: "tournaments-event", name: "event", value: event };
    const choose = (name) => this.change({ event: `=${name}` });
    const form = h(
      "form",
      { class: "player-form", onsubmit: (submitted) => this.submit(submitted) },
      labelled("field", "event", t("Event"), suggestField("event", properties, choose)),
      number("year", t("Year"), year),
      number("min-games", t("Games, at least"), least),
      h("button", { type: "submit", class: "primary" }, t("Show")),
    );
    fill(this.head, h("h1", {}, t("Tournaments")), form, this.filters());
  }

  filters() {
    const onChange = (filters) => this.filter(filters);
    const chips = filterList(this.parameters, onChange);
    const form = filterForm(this.parameters, onChange, { leaveOut: ["Pattern"], button: t("Apply") });
    const words = chips.length ? `${t("Filter games")} (${chips.length})` : t("Filter games");
    const drawer = h("details", { class: "drawer" }, h("summary", {}, words), form);
    return [drawer, chips.length > 0 && h("div", { class: "chips" }, chips)];
  }

  submit(event) {
    event.preventDefault();
    const values = new FormData(event.target);
    this.change(Object.fromEntries([...values].map(([name, value]) => [name, String(value).trim()])));
  }

  filter(filters) {
    const own = Object.fromEntries(OWN.map((name) => [name, this.parameters.get(name)]));
    go(addressOf("tournaments", changed(filters, own)));
  }

  change(changes, how) {
    go(addressOf("tournaments", changed(this.parameters, changes)), how);
  }

  draw(answer) {
    const { tournaments, next, without_event: unnamed, duplicates } = answer;
    announce(t("{count} found", { count: counted(answer.count, "tournament") }));
    const rest = [
      duplicates > 0 && t("{count} marked as duplicates, and not counted", { count: counted(duplicates, "game") }),
      unnamed > 0 && t("{count} without an event", { count: counted(unnamed, "game") }),
    ];
    fill(this.found, [counted(answer.count, "tournament"), ...rest].filter(Boolean).join("; "));
    if (!tournaments.length) return emptyState(t("No tournaments"), h("p", {}, t("No tournament of the database is like this.")));
    const table = dataTable(COLUMNS, tournaments.map(rowOf), "tournaments-table");
    [...table.tHead.rows[0].cells].forEach((cell, index) => this.makeSortable(cell, COLUMNS[index]));
    return [table, this.more(table.tBodies[0], next)];
  }

  makeSortable(cell, [words, , order]) {
    if (!order) return;
    const isSorted = (this.parameters.get("sort") ?? "date") === order;
    const mark = h("span", { class: "sort-mark", "aria-hidden": "true" }, isSorted ? (order === "name" ? "▴" : "▾") : "");
    if (isSorted) cell.setAttribute("aria-sort", order === "name" ? "ascending" : "descending");
    const onclick = () => this.change({ sort: order === "date" ? null : order }, { replace: true });
    fill(cell, h("button", { type: "button", class: "sort", onclick }, t(words), mark));
  }

  more(body, cursor) {
    if (!cursor) return null;
    const button = h("button", { type: "button", class: "more" }, t("More tournaments"));
    button.addEventListener("click", () => this.append(body, cursor, button));
    return button;
  }

  async append(body, cursor, button) {
    button.disabled = true;
    try {
      const answer = await this.ask(cursor);
      const rows = answer.tournaments.map(rowOf);
      body.append(...rows);
      button.replaceWith(...[this.more(body, answer.next)].filter(Boolean));
      rows[0]?.querySelector("a")?.focus({ preventScroll: true });
    } catch (error) {
      button.replaceWith(errorState(error, () => this.append(body, cursor, button)));
    }
  }
}

function rowOf(tournament) {
  return linkedRow(
    addressOf("tournament", { game: gameId(tournament.database, tournament.game) }),
    ["event", tournament.event],
    ["site", tournament.site ?? ""],
    ["date", played(tournament)],
    ["number games", count(tournament.games), noun(tournament.games, "game")],
    ["number players", count(tournament.players), noun(tournament.players, "player")],
    ["number elo", tournament.average_elo ?? ""],
  );
}

/** The noun of a count, for a list without headings. */
function noun(number, word) {
  return h("span", { class: "noun" }, ` ${t(`${word}${number === 1 ? "" : "s"}`)}`);
}

/** When a tournament was played: "1953.08.30 – 10.24". */
export function played({ first_date: first, last_date: last }) {
  const [from, to] = [date(first), date(last)];
  if (from === to) return from;
  const isSameYear = from.length > 5 && to.length > 5 && from.slice(0, 5) === to.slice(0, 5);
  return `${from} – ${isSameYear ? to.slice(5) : to}`;
}
