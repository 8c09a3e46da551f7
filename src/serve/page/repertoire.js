// A repertoire beside the games of the database: where they leave its lines, and how its lines fare. The file is chosen
// here and sent with each question; the server keeps nothing of it, and this page only until it is closed.

import { addressOf, changed, gameId, go } from "./address.js";
import { announce } from "./announce.js";
import { send } from "./api.js";
import { isolated } from "./bidi.js";
import { fill, h } from "./elements.js";
import { filterForm, filterList } from "./filter-form.js";
import { filtersOf } from "./filters.js";
import { count, counted, percent } from "./format.js";
import { chosenFile, fileField } from "./repertoire-file.js";
import { resultBar } from "./result-bar.js";
import { sourceChoice } from "./source-choice.js";
import { emptyState, fillWith } from "./states.js";
import { box, dataTable, linkedRow } from "./tables.js";
import { t } from "./words.js";

const SHOWN = 200;
const KINDS = {
  opponent: "moves without an answer",
  own: "own side plays otherwise",
  "end-of-line": "ends of lines",
  "end-of-game": "games that end within",
  return: "games that go back",
};
const COLORS = { white: "White", black: "Black" };
/** Parameters of the view that are no filters. */
const OWN = ["color", "source", "kind", "min-games"];

/** The view of a repertoire. */
export class RepertoireView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.head = h("div", { class: "player-head" });
    this.rest = h("div", { class: "player-head" });
    this.body = h("div", { class: "repertoire" });
    fill(this.head, h("h1", {}, t("Repertoire")), fileField(() => this.update(this.parameters)), this.rest);
    fill(root, h("div", { class: "page-column" }, this.head, this.body));
  }

  /** @param {URLSearchParams} parameters */
  update(parameters) {
    this.parameters = parameters;
    this.stop?.abort();
    this.stop = new AbortController();
    this.showForm();
    const chosen = chosenFile();
    if (!chosen) return this.showNothing();
    const query = changed(filtersOf(parameters), { ...this.own(), limit: SHOWN });
    const answer = send("repertoire", query, chosen.text, this.stop);
    return fillWith(this.body, answer, (found) => this.draw(found), { again: () => this.update(parameters), lines: 12 });
  }

  close() {
    this.stop?.abort();
  }

  own() {
    return Object.fromEntries(OWN.map((name) => [name, this.parameters.get(name)]));
  }

  showForm() {
    const value = (name) => this.parameters.get(name) ?? "";
    const choice = (name, label, options) =>
      h(
        "div",
        { class: "field" },
        h("label", { for: `repertoire-${name}` }, label),
        h(
          "select",
          { id: `repertoire-${name}`, name, onchange: (event) => this.change({ [name]: event.target.value }) },
          Object.entries(options).map(([key, words]) => h("option", { value: key, selected: key === value(name) }, t(words))),
        ),
      );
    const form = h(
      "form",
      { class: "player-form", onsubmit: (event) => event.preventDefault() },
      choice("color", t("Side"), { "": t("as its moves tell"), ...COLORS }),
      sourceChoice({ id: "repertoire-source", value: value("source"), onChange: (source) => this.change({ source }), stop: this.stop }),
      choice("kind", t("Show"), { "": t("all departures"), ...KINDS }),
      choice("min-games", t("Games, at least"), { "": "1", 2: "2", 5: "5", 10: "10", 25: "25", 100: "100" }),
    );
    const onChange = (filters) => go(addressOf("repertoire", changed(filters, this.own())));
    const chips = filterList(this.parameters, onChange);
    const filters = filterForm(this.parameters, onChange, { leaveOut: ["Pattern"], button: t("Apply") });
    const words = chips.length ? `${t("Filter games")} (${chips.length})` : t("Filter games");
    const drawer = h("details", { class: "drawer" }, h("summary", {}, words), filters);
    fill(this.rest, form, drawer, chips.length > 0 && h("div", { class: "chips" }, chips));
  }

  change(changes) {
    go(addressOf("repertoire", changed(this.parameters, changes)));
  }

  showNothing() {
    fill(
      this.body,
      emptyState(
        t("Which lines do you play?"),
        h("p", {}, t("Choose a PGN file with your lines as games or variations, or a list of FENs or EPDs, up to a megabyte.")),
        h("p", {}, t("The page shows which games reach your lines, and where they leave them. The file is not stored.")),
      ),
    );
  }

  draw(answer) {
    const { color, color_given: isGiven, positions, games, hits, duplicates, departures } = answer;
    this.color = color;
    announce(t("{count} in the repertoire", { count: counted(hits, "game") }));
    const facts = [
      t("{hits} of {games} reach {positions} for {color}", {
        hits: counted(hits, "game"),
        games: count(games),
        positions: counted(positions, "position"),
        color: t(COLORS[color]),
      }),
      !isGiven && t("the side is as the moves tell"),
      duplicates > 0 && t("{count} marked as duplicates, and not counted", { count: counted(duplicates, "game") }),
    ];
    return [
      h("p", { class: "facts" }, facts.filter(Boolean).join("; "), "."),
      remarks(answer.remarks),
      departures.length > 0
        ? box(t("Where games leave"), this.departures(answer))
        : emptyState(t("No departures"), h("p", {}, t("No game of these leaves the repertoire so."))),
      box(t("Lines"), this.lines(answer)),
    ];
  }

  departures({ departures, departure_count: all }) {
    const columns = [
      [t("After"), "moves"],
      [t("Played"), "move"],
      [t("Games"), "number"],
      [t("Share"), "number share", t("Part of the games in the position")],
      [t("Results"), "results"],
      [t("What"), "kind-words"],
      [t("Best game"), "last"],
    ];
    const row = (one) => {
      const played = one.san ? `${one.move_number} ${one.san}` : "–";
      return linkedRow(
        this.addressOf(one, one.uci),
        ["moves", one.line || t("the start")],
        ["move", played],
        ["number", count(one.games)],
        ["number share", percent(one.played_games, one.position_games)],
        ["results", resultBar(this.resultsOf(one))],
        ["kind-words", KINDS[one.kind]],
        ["last", one.best_games[0] && gameLink(one.best_games[0])],
      );
    };
    const more = all > departures.length && h("p", { class: "faint" }, `${count(departures.length)} of ${count(all)}`);
    return [dataTable(columns, departures.map(row), "departures"), more];
  }

  lines({ lines, line_count: all }) {
    const columns = [[t("Line"), "moves"], [t("Games"), "number"], [t("Results"), "results"]];
    const row = (one) =>
      linkedRow(this.addressOf(one), ["moves", one.line || t("the start")], ["number", count(one.games)], ["results", one.games > 0 && resultBar(this.resultsOf(one))]);
    const more = all > lines.length && h("p", { class: "faint" }, `${count(lines.length)} of ${count(all)}`);
    return [dataTable(columns, lines.map(row), "lines"), more];
  }

  /** The results by White and Black, from results by the side of the repertoire. */
  resultsOf({ wins, draws, losses }) {
    return this.color === "black" ? { white: losses, draws, black: wins } : { white: wins, draws, black: losses };
  }

  /** The explorer in a position of the repertoire, after one more move if there is one. */
  addressOf({ start_fen: fen, play }, uci = null) {
    const moves = [play, uci].filter(Boolean).join(",");
    const side = this.color === "black" ? "black" : null;
    return addressOf("explorer", changed(filtersOf(this.parameters), { fen, play: moves, side }));
  }
}

function gameLink({ database, game: number, white, black, date }) {
  const id = gameId(database, number);
  const words = `${isolated(white ?? "?")} – ${isolated(black ?? "?")}${date ? `, ${date.slice(0, 4)}` : ""}`;
  return h("a", { class: "above", href: addressOf("game", { id }), title: words }, words);
}

function remarks(all) {
  if (!all.length) return null;
  const items = all.map(({ line, message }) => h("li", {}, `line ${count(line)}: ${message}`));
  return h("section", { class: "box problems" }, h("h2", {}, t("Not understood")), h("ul", {}, items));
}
