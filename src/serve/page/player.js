// A player: results by colour, year, opening and opponent, and the games.

import { addressOf, changed, go } from "./address.js";
import { ask } from "./api.js";
import { isolated, setTitle } from "./bidi.js";
import { yearChart } from "./bar-chart.js";
import { fill, h } from "./elements.js";
import { filterForm, filterList } from "./filter-form.js";
import { filtersOf } from "./filters.js";
import { count, counted } from "./format.js";
import { GamesList } from "./games-list.js";
import { score, scoreBar } from "./result-bar.js";
import { emptyState, fillWith } from "./states.js";
import { suggestField } from "./suggest.js";
import { box, dataTable, legend, linkedRow } from "./tables.js";
import { t } from "./words.js";

const WORDS = { wins: "won", draws: "drawn", losses: "lost" };
const SHOWN_ROWS = 12;
const SHOWN_MOST = 300;
const SHOWN_PLAYERS = 40;
const SHOWN_NAMES = 12;

/** The view of one player. */
export class PlayerView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.head = h("div", { class: "player-head" });
    this.body = h("div", { class: "player-body" });
    this.gamesHead = h("div", { class: "games-head" });
    this.games = new GamesList({ onSort: (sort) => go(this.addressWith({ sort }), { replace: true }) });
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
    setTitle(name);
    const { signal } = this.stop;
    const query = changed(filtersOf(parameters), { name, against: parameters.get("against"), limit: SHOWN_MOST });
    const again = () => this.update(parameters);
    const asked = ask("player", query, { signal });
    const drawn = fillWith(this.body, asked, (answer) => this.draw(answer), { again, lines: 12 });
    fill(this.gamesHead, h("h2", {}, t("Games")), this.exploreLinks(name));
    const listed = asked.then(
      (answer) => this.games.load(this.gamesQuery(answer), signal),
      () => null,
    );
    return Promise.all([drawn, listed]);
  }

  close() {
    this.stop?.abort();
  }

  /** The openings of the player, in the explorer. */
  exploreLinks(name) {
    const link = (color, side, words) => {
      const address = addressOf("explorer", changed(filtersOf(this.parameters), { [color]: name, side }));
      return h("a", { class: "button", href: address }, words);
    };
    const prepare = addressOf("prepare", changed(filtersOf(this.parameters), { name }));
    const links = [
      link("white", null, t("Explore as White")),
      link("black", "black", t("Explore as Black")),
      h("a", { class: "button", href: prepare }, t("Prepare")),
    ];
    return h("span", { class: "tools" }, links);
  }

  /** Without a name: the players with the most games. */
  showNothing() {
    fill(this.gamesHead);
    fill(this.games.element);
    const most = ask("suggest", { field: "player", text: "", limit: SHOWN_PLAYERS }, this.stop);
    return fillWith(this.body, most, (players) => mostGames(players));
  }

  /** Games of the player, without games of others whose names match; against the opponent, if there is one. */
  gamesQuery({ spellings, other_players: others }) {
    const name = others.length ? `=${spellings.map((spelling) => spelling.name).join("|=")}` : this.parameters.get("name");
    const players = [name, this.parameters.get("against")].filter(Boolean);
    return changed(filtersOf(this.parameters), { player: players, sort: this.parameters.get("sort") ?? "-date" });
  }

  showHead() {
    const { name, against } = Object.fromEntries(this.parameters);
    const form = h(
      "form",
      { class: "player-form", onsubmit: (event) => this.submit(event) },
      this.nameField(t("Player"), "name", name ?? ""),
      this.nameField(t("Against"), "against", against ?? ""),
      h("button", { type: "submit", class: "primary" }, t("Show")),
    );
    fill(this.head, h("h1", {}, name ?? t("Players")), form, name && this.filters());
  }

  filters() {
    const onChange = (filters) => this.filter(filters);
    const chips = filterList(this.parameters, onChange);
    const form = filterForm(this.parameters, onChange, { leaveOut: ["Players", "Pattern"], button: t("Apply") });
    const words = chips.length ? `${t("Filter games")} (${chips.length})` : t("Filter games");
    const drawer = h("details", { class: "drawer" }, h("summary", {}, words), form);
    return [drawer, chips.length > 0 && h("div", { class: "chips" }, chips)];
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
    if (!answer.games) return nobody(answer.name);
    const tables = [this.openings(answer, "white"), this.openings(answer, "black"), this.opponents(answer)];
    return [facts(answer), this.years(answer), h("div", { class: "columns" }, tables)];
  }

  years({ years }) {
    const columns = years.map(({ year, wins, draws, losses }) => ({
      year,
      parts: [
        ["losses", losses],
        ["draws", draws],
        ["wins", wins],
      ],
      address: this.addressWith({ date: year }),
    }));
    const chart = yearChart(columns, { title: t("Games by year"), describe: describeYear });
    const words = Object.entries(WORDS).map(([kind, text]) => legend(kind, t(text)));
    return h("div", { class: "box" }, chart ?? emptyState(t("No dates")), h("p", { class: "legend" }, words));
  }

  openings({ openings }, color) {
    const rows = openings
      .filter((opening) => opening.color === color)
      .map((opening) => [
        [h("span", { class: "eco" }, opening.eco), " ", opening.opening],
        opening,
        this.addressOfOpening(opening),
      ]);
    return resultTable(color === "white" ? t("Openings as White") : t("Openings as Black"), t("Opening"), rows);
  }

  addressOfOpening({ color, eco }) {
    return addressOf("search", { [color]: this.parameters.get("name"), eco });
  }

  opponents({ opponents }) {
    const rows = opponents.map((opponent) => [opponent.name, opponent, this.addressWith({ against: opponent.name })]);
    return resultTable(t("Opponents"), t("Opponent"), rows);
  }

  addressWith(changes) {
    return addressOf("player", changed(this.parameters, changes));
  }
}

function nobody(name) {
  return emptyState(t("No games of {name}", { name: isolated(name) }), h("p", {}, t("The field above suggests names of the database.")));
}

function mostGames(players) {
  if (!players.length) return emptyState(t("No players"), h("p", {}, t("No game of the database names its players.")));
  const rows = players.map(({ value, games }) =>
    linkedRow(addressOf("player", { name: value }), ["name", value], ["number", count(games)]),
  );
  return h("div", { class: "most-games" }, box(t("Most games"), dataTable([[t("Player")], [t("Games"), "number"]], rows)));
}

/** Results by colour, ratings and other spellings. */
function facts(answer) {
  const { white, black, average_elo: elo, performance, name, spellings, by_initials: initials } = answer;
  const columns = [[t("(Colour)")], [t("Games"), "number"], [t("Results")], [t("Score"), "number"]];
  const rows = [colourRow(t("White"), white), colourRow(t("Black"), black), colourRow(t("Both"), sum(white, black))];
  const others = spellings.map((spelling) => spelling.name).filter((spelling) => spelling !== name);
  return h(
    "div",
    { class: "facts-row" },
    dataTable(columns, rows, "colours"),
    h("dl", { class: "figures" }, figure(t("Average Elo"), elo), figure(t("Performance"), performance)),
    others.length > 0 && h("p", { class: "faint spellings" }, t("Also written {names}", { names: others.map(isolated).join("; ") })),
    initials.length > 0 &&
      h("p", { class: "faint spellings" }, t("Counted though a given name is missing or short: "), nameList(initials)),
    otherPlayers(answer.other_players),
  );
}

/** The players of whom no game is counted though the name matches. */
function otherPlayers(players) {
  if (!players.length) return null;
  const words = `${t("Not counted, {count}", { count: counted(players.length, "other player") })}: `;
  return h("p", { class: "faint spellings other-players" }, words, nameList(players));
}

/** Names with their games, each with a link to its player. */
function nameList(players) {
  const shown = players.slice(0, SHOWN_NAMES).map(({ name, games }, at) => {
    const link = h("a", { href: addressOf("player", { name: `=${name}` }) }, name);
    return [at > 0 && "; ", link, ` (${count(games)})`];
  });
  const more = players.length - SHOWN_NAMES;
  return [shown, more > 0 && `; ${t("{count} more", { count: count(more) })}`];
}

function colourRow(words, results) {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, words),
    h("td", { class: "number" }, count(total(results))),
    h("td", { class: "results" }, scoreBar(results)),
    h("td", { class: "number" }, score(results)),
  );
}

function figure(words, number) {
  return number ? [h("dt", {}, words), h("dd", { class: "number" }, number)] : null;
}

function describeYear({ year, parts }) {
  return `${year}: ${parts
    .toReversed()
    .map(([kind, number]) => `${number} ${t(WORDS[kind])}`)
    .join(", ")}`;
}

/** A table of results with its first rows, and a button for all. */
function resultTable(title, column, rows) {
  if (!rows.length) return null;
  const columns = [[column], [t("Games"), "number"], [t("Results"), "results"], [t("Score"), "number"]];
  const table = dataTable(columns, rows.slice(0, SHOWN_ROWS).map(resultRow));
  if (rows.length <= SHOWN_ROWS) return box(title, table);
  const more = h("button", { type: "button", class: "more" }, `${t("All")} (${count(rows.length)})`);
  more.addEventListener("click", () => {
    fill(table.tBodies[0], rows.map(resultRow));
    more.remove();
  });
  return box(title, table, more);
}

function resultRow([words, results, address]) {
  return linkedRow(
    address,
    ["name", words],
    ["number", count(results.games)],
    ["results", scoreBar(results)],
    ["number", score(results)],
  );
}

function sum(one, other) {
  return { wins: one.wins + other.wins, draws: one.draws + other.draws, losses: one.losses + other.losses };
}

function total({ wins, draws, losses }) {
  return wins + draws + losses;
}
