// A player: results by colour, year, opening and opponent, and the games.

import { addressOf, changed, go } from "./address.js";
import { ask } from "./api.js";
import { yearChart } from "./bar-chart.js";
import { fill, h } from "./elements.js";
import { filterForm, filterList } from "./filter-form.js";
import { filtersOf } from "./filters.js";
import { count, counted } from "./format.js";
import { GamesList } from "./games-list.js";
import { score, scoreBar } from "./result-bar.js";
import { emptyState, fillWith } from "./states.js";
import { suggestField } from "./suggest.js";

const SHOWN_ROWS = 12;
const SHOWN_MOST = 300;
const SHOWN_PLAYERS = 40;

/** The view of one player. */
export class PlayerView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.head = h("div", { class: "player-head" });
    this.body = h("div", { class: "player-body" });
    this.gamesHead = h("div", { class: "games-head" });
    this.games = new GamesList({ onSort: (sort) => go(addressOf("player", changed(this.parameters, { sort })), { replace: true }) });
    fill(root, h("div", { class: "page-column" }, this.head, this.body, this.gamesHead, this.games.element));
  }

  /** @param {URLSearchParams} parameters */
  update(parameters) {
    this.parameters = parameters;
    this.stop?.abort();
    this.stop = new AbortController();
    this.showHead();
    const name = parameters.get("name");
    if (!name) return this.showNothing();
    document.title = `${name} – Stamma`;
    const { signal } = this.stop;
    const query = changed(filtersOf(parameters), { name, against: parameters.get("against"), limit: SHOWN_MOST });
    const again = () => this.update(parameters);
    const drawn = fillWith(this.body, ask("player", query, { signal }), (answer) => this.draw(answer), { again, lines: 12 });
    fill(this.gamesHead, h("h2", {}, "Games"), this.exploreLinks(name));
    return Promise.all([drawn, this.games.load(this.gamesQuery(), signal)]);
  }

  close() {
    this.stop?.abort();
  }

  /** The openings of the player, in the explorer. */
  exploreLinks(name) {
    const link = (color, side) => h("a", { class: "button", href: addressOf("explorer", changed(filtersOf(this.parameters), { [color]: name, side })) }, `Explore as ${color === "white" ? "White" : "Black"}`);
    return h("span", { class: "tools" }, link("white", null), link("black", "black"));
  }

  /** Without a name: the players with the most games. */
  showNothing() {
    fill(this.gamesHead);
    fill(this.games.element);
    const most = ask("suggest", { field: "player", text: "", limit: SHOWN_PLAYERS }, this.stop);
    return fillWith(this.body, most, (players) => mostGames(players));
  }

  /** Games of the player, and of the opponent if there is one. */
  gamesQuery() {
    const players = [this.parameters.get("name"), this.parameters.get("against")].filter(Boolean);
    return changed(filtersOf(this.parameters), { player: players, sort: this.parameters.get("sort") ?? "-date" });
  }

  showHead() {
    const name = this.parameters.get("name") ?? "";
    const against = this.parameters.get("against") ?? "";
    const chips = filterList(this.parameters, (filters) => this.filter(filters));
    const form = filterForm(this.parameters, (filters) => this.filter(filters), { leaveOut: ["Players", "Pattern"], button: "Apply" });
    fill(this.head, h("h1", {}, name || "Players"),
      h("form", { class: "player-form", onsubmit: (event) => this.submit(event) },
        this.nameField("Player", "name", name), this.nameField("Against", "against", against),
        h("button", { type: "submit", class: "primary" }, "Show")),
      name && h("details", { class: "drawer" }, h("summary", {}, `Filter games${chips.length ? ` (${chips.length})` : ""}`), form),
      chips.length ? h("div", { class: "chips" }, chips) : null);
  }

  nameField(label, field, value) {
    const id = `player-${field}`;
    const box = suggestField("player", { id, name: field, value }, (name) => this.change({ [field]: name }));
    return h("div", { class: "field" }, h("label", { for: id }, label), box);
  }

  submit(event) {
    event.preventDefault();
    const values = new FormData(event.target);
    const text = (name) => String(values.get(name)).trim();
    this.change({ name: text("name"), against: text("against") });
  }

  filter(filters) {
    const { name, against } = Object.fromEntries(this.parameters);
    go(addressOf("player", changed(filters, { name, against })));
  }

  change(changes) {
    go(addressOf("player", changed(this.parameters, changes)));
  }

  draw(answer) {
    fill(this.head.querySelector("h1"), answer.name);
    if (!answer.games) return emptyState(`No games of ${answer.name ?? this.parameters.get("name")}`, h("p", {}, "The name must be one of the database; the field above suggests them."));
    return [this.facts(answer), this.years(answer), h("div", { class: "columns" }, this.openings(answer, "white"), this.openings(answer, "black"), this.opponents(answer))];
  }

  facts(answer) {
    const all = sum(answer.white, answer.black);
    const other = (answer.spellings ?? []).filter((spelling) => spelling !== answer.name);
    return h("div", { class: "facts-row" },
      h("table", { class: "data colours" }, h("thead", {}, h("tr", {}, ["", "Games", "Results", "Score"].map((title) => h("th", { scope: "col", class: title === "Games" || title === "Score" ? "number" : null }, title || h("span", { class: "unseen" }, "Colour"))))),
        h("tbody", {}, colourRow("White", answer.white), colourRow("Black", answer.black), colourRow("Both", all))),
      h("dl", { class: "figures" }, figure("Average Elo", answer.average_elo), figure("Performance", answer.performance)),
      other.length ? h("p", { class: "faint spellings" }, `Also written ${other.join("; ")}`) : null);
  }

  years({ years }) {
    const columns = years.map(({ year, wins, draws, losses }) => ({ year, parts: [["losses", losses], ["draws", draws], ["wins", wins]], address: this.addressWith({ date: year }) }));
    const describe = ({ year, parts }) => `${year}: ${parts.toReversed().map(([kind, number]) => `${number} ${{ wins: "won", draws: "drawn", losses: "lost" }[kind]}`).join(", ")}`;
    return h("div", { class: "box" }, yearChart(columns, { title: "Games by year", describe }) ?? emptyState("No dates"),
      h("p", { class: "legend" }, [["wins", "won"], ["draws", "drawn"], ["losses", "lost"]].map(([kind, words]) => h("span", {}, h("span", { class: `swatch ${kind}` }), words))));
  }

  openings({ openings }, color) {
    const rows = openings.filter((opening) => opening.color === color).map((opening) =>
      [[h("span", { class: "eco" }, opening.eco), " ", opening.opening], opening, this.addressOfOpening(opening)]);
    return resultTable(color === "white" ? "Openings as White" : "Openings as Black", "Opening", rows);
  }

  addressOfOpening({ color, eco }) {
    return addressOf("search", { [color]: this.parameters.get("name"), eco });
  }

  opponents({ opponents }) {
    const rows = opponents.map((opponent) => [opponent.name, opponent, this.addressWith({ against: opponent.name })]);
    return resultTable("Opponents", "Opponent", rows);
  }

  addressWith(changes) {
    return addressOf("player", changed(this.parameters, changes));
  }
}

function mostGames(players) {
  if (!players.length) return emptyState("No players", h("p", {}, "No game of the database names its players."));
  const row = ({ value, games }) => h("tr", { class: "linked" }, h("td", { class: "name" }, h("a", { href: addressOf("player", { name: value }) }, value)), h("td", { class: "number" }, count(games)));
  return h("section", { class: "box" }, h("h2", {}, "Most games"), h("table", { class: "data" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"), h("th", { scope: "col", class: "number" }, "Games"))), h("tbody", {}, players.map(row))));
}

function colourRow(words, results) {
  const { wins, draws, losses } = results;
  return h("tr", {}, h("th", { scope: "row" }, words), h("td", { class: "number" }, count(wins + draws + losses)),
    h("td", { class: "results" }, scoreBar(results)), h("td", { class: "number" }, score(results)));
}

function figure(words, number) {
  return number ? [h("dt", {}, words), h("dd", { class: "number" }, number)] : null;
}

/** A table of results with the first rows, and a button for all. */
function resultTable(title, column, rows) {
  if (!rows.length) return null;
  const body = h("tbody", {});
  const show = (number) => fill(body, rows.slice(0, number).map(resultRow));
  show(SHOWN_ROWS);
  const more = rows.length > SHOWN_ROWS && h("button", { type: "button", class: "more" }, `All ${counted(rows.length, column.toLowerCase())}`);
  if (more) {
    more.addEventListener("click", () => {
      show(rows.length);
      more.remove();
    });
  }
  return h("section", { class: "box" }, h("h2", {}, title), h("table", { class: "data" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, column), h("th", { scope: "col", class: "number" }, "Games"), h("th", { scope: "col" }, "Results"), h("th", { scope: "col", class: "number" }, "Score"))), body), more);
}

function resultRow([words, results, address]) {
  return h("tr", { class: "linked" }, h("td", { class: "name" }, h("a", { href: address }, words)), h("td", { class: "number" }, count(results.games)),
    h("td", { class: "results" }, scoreBar(results)), h("td", { class: "number" }, score(results)));
}

function sum(one, other) {
  return { wins: one.wins + other.wins, draws: one.draws + other.draws, losses: one.losses + other.losses };
}
