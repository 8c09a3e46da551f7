// Novelties: where games first reach a position that no earlier game of the database had.

import { addressOf, changed, gameId, go } from "./address.js";
import { announce } from "./announce.js";
import { ask } from "./api.js";
import { isolated } from "./bidi.js";
import { fill, h } from "./elements.js";
import { filterForm, filterList } from "./filter-form.js";
import { filtersOf } from "./filters.js";
import { count, counted, date, playerName, result } from "./format.js";
import { sourceChoice } from "./source-choice.js";
import { emptyState, fillWith } from "./states.js";
import { suggestField } from "./suggest.js";
import { dataTable, linkedRow } from "./tables.js";
import { t } from "./words.js";

const SHOWN = 200;
const ORDERS = { date: "latest games first", games: "most games before first", ply: "latest moves first" };
const COLUMNS = [
  ["Novelty", "move"],
  ["Before", "number", "Earlier games with the position before it"],
  ["White", "name"],
  ["Elo", "number elo"],
  ["Black", "name"],
  ["Elo", "number elo"],
  ["Result", "result"],
  ["Date", "date"],
  ["After", "number after", "Later games with the new position"],
  ["Last game before", "last"],
];
/** Parameters of the view that are no filters. */
const OWN = ["source", "after-ply", "min-games", "sort"];

/** The view of novelties. */
export class NoveltiesView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.head = h("div", { class: "player-head" });
    this.found = h("p", { class: "faint" });
    this.list = h("div", { class: "novelties" });
    fill(root, h("div", { class: "page-column" }, this.head, this.found, this.list));
  }

  /** @param {URLSearchParams} parameters */
  update(parameters) {
    this.parameters = parameters;
    this.stop?.abort();
    this.stop = new AbortController();
    this.showHead();
    fill(this.found);
    if (!parameters.get("source") && ![...filtersOf(parameters)].length) return this.showNothing();
    const query = changed(filtersOf(parameters), { ...this.own(), limit: SHOWN });
    const again = () => this.update(parameters);
    return fillWith(this.list, ask("novelties", query, this.stop), (answer) => this.draw(answer), { again, lines: 10 });
  }

  close() {
    this.stop?.abort();
  }

  own() {
    return Object.fromEntries(OWN.map((name) => [name, this.parameters.get(name)]));
  }

  showHead() {
    const value = (name) => this.parameters.get(name) ?? "";
    const labelled = (name, label, field, kind = "field") =>
      h("div", { class: kind }, h("label", { for: `novelties-${name}` }, label), field);
    const text = (name, label, example) => {
      const properties = { id: `novelties-${name}`, type: "text", name, value: value(name), placeholder: example };
      return labelled(name, label, h("input", properties), "field short");
    };
    const suggested = (name, label) => {
      const properties = { id: `novelties-${name}`, name, value: value(name) };
      return labelled(name, label, suggestField(name, properties));
    };
    const orders = Object.entries(ORDERS).map(([order, words]) =>
      h("option", { value: order === "date" ? "" : order, selected: order === value("sort") }, t(words)),
    );
    const form = h(
      "form",
      { class: "player-form", onsubmit: (event) => this.submit(event) },
      sourceChoice({ id: "novelties-source", value: value("source"), stop: this.stop }),
      text("since", t("Since"), "2024.06.01"),
      text("until", t("Until"), "2024.06.30"),
      suggested("event", t("Event")),
      suggested("player", t("Player")),
      text("min-games", t("Games before, at least"), "1"),
      labelled("sort", t("Order"), h("select", { id: "novelties-sort", name: "sort" }, orders)),
      h("button", { type: "submit", class: "primary" }, t("Show")),
    );
    fill(this.head, h("h1", {}, t("Novelties")), form, this.filters());
  }

  filters() {
    const onChange = (filters) => go(addressOf("novelties", changed(filters, this.own())));
    const chips = filterList(this.parameters, onChange);
    const form = filterForm(this.parameters, onChange, { leaveOut: ["Pattern"], button: t("Apply") });
    const words = chips.length ? `${t("Filter games")} (${chips.length})` : t("Filter games");
    const drawer = h("details", { class: "drawer" }, h("summary", {}, words), form);
    return [drawer, chips.length > 0 && h("div", { class: "chips" }, chips)];
  }

  submit(event) {
    event.preventDefault();
    const values = [...new FormData(event.target)].map(([name, value]) => [name, String(value).trim()]);
    go(addressOf("novelties", changed(this.parameters, Object.fromEntries(values))));
  }

  /** Without a filter, there are too many games: the last years of the database are offered. */
  showNothing() {
    return fillWith(this.list, ask("statistics", {}, this.stop), ({ years }) => {
      const last = years.map(({ year }) => year).filter(Boolean).slice(-4).toReversed();
      const links = last.map((year) => h("a", { class: "button", href: addressOf("novelties", { date: year }) }, year));
      links.unshift(h("a", { class: "button", href: addressOf("novelties", { source: "last" }) }, t("Last import")));
      return emptyState(
        t("Novelties of which games?"),
        h("p", {}, t("Choose up to 5,000 games, as those of a week, an event or a player. They are compared with all games.")),
        h("p", { class: "tools" }, links),
      );
    });
  }

  draw(answer) {
    const { novelties, count: all, games, undated, duplicates } = answer;
    announce(t("{count} found", { count: all === 1 ? t("1 novelty") : t("{count} novelties", { count: count(all) }) }));
    const number = all === 1 ? t("1 novelty") : t("{count} novelties", { count: count(all) });
    const shown = all > novelties.length ? t("{found} of {all}", { found: count(novelties.length), all: number }) : number;
    const rest = [
      undated > 0 && t("{count} without a date, taken as later than all others", { count: counted(undated, "game") }),
      duplicates > 0 && t("{count} marked as duplicates, and not compared", { count: counted(duplicates, "game") }),
    ];
    fill(this.found, [t("{shown} in {games}", { shown, games: counted(games, "game") }), ...rest].filter(Boolean).join("; "));
    if (!novelties.length) return emptyState(t("No novelties"), h("p", {}, t("None of these games leaves the others so.")));
    return dataTable(COLUMNS, novelties.map(rowOf), "novelties-table");
  }
}

function rowOf(novelty) {
  const { san, move_number: number, ply, games_before: before, games_after: after, last } = novelty;
  const address = addressOf("game", { id: gameId(novelty.database, novelty.game), ply });
  return linkedRow(
    address,
    ["move", san ? `${number} ${san}` : "?"],
    ["number before", count(before)],
    ["name white", playerName(novelty.white)],
    ["number elo", novelty.white_elo ?? ""],
    ["name black", playerName(novelty.black)],
    ["number elo", novelty.black_elo ?? ""],
    ["result", result(novelty.result)],
    ["date", date(novelty.date)],
    ["number after", count(after)],
    ["last", last && lastGame(last, ply - 1)],
  );
}

/** The last game before, at the position that the novelty was played in. */
function lastGame(game, ply) {
  const words = `${isolated(playerName(game.white))} – ${isolated(playerName(game.black))}${game.date ? `, ${date(game.date)}` : ""}`;
  return h("a", { class: "above", href: addressOf("game", { id: gameId(game.database, game.game), ply: ply || null }), title: words }, words);
}
