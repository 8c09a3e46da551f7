// The search: all that `stamma search` can ask, as a form that shows the command.

import { addressOf, changed, go } from "./address.js";
import { announce } from "./announce.js";
import { ask, isAborted, urlOf } from "./api.js";
import { copyButton } from "./clipboard.js";
import { fill, h } from "./elements.js";
import { filterForm } from "./filter-form.js";
import { filtersOf } from "./filters.js";
import { counted } from "./format.js";
import { GamesList } from "./games-list.js";
import { Painter } from "./painter.js";
import { CHOICE, PATTERN_BRUSHES, patternOfSquares, squaresOfPattern, turnOfPattern } from "./pattern.js";
import { readPosition } from "./position-text.js";
import { emptyState, errorState } from "./states.js";
import { t } from "./words.js";

/** Where there is room for the form beside the games, it is always open. */
const wide = matchMedia("(min-width: 900px)");
const TURNS = { "": "either", w: "White", b: "Black" };

/** The view of a form and the games it finds. */
export class SearchView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.form = h("div", { class: "form-box" });
    this.drawer = h("details", { class: "form-drawer" }, h("summary", {}, t("What to search")), this.form);
    this.head = h("div", { class: "search-head" });
    this.games = new GamesList({
      onSort: (sort) => go(addressOf("search", changed(this.parameters, { sort })), { replace: true }),
    });
    fill(
      root,
      h(
        "div",
        { class: "split search" },
        h("section", { class: "form-side", "aria-label": t("What to search") }, this.drawer),
        h("section", { class: "data-side", "aria-label": t("Games found") }, this.head, this.games.element),
      ),
    );
  }

  /** @param {URLSearchParams} parameters */
  update(parameters) {
    const before = this.parameters;
    this.parameters = parameters;
    this.stop?.abort();
    this.stop = new AbortController();
    if (!before || !isSameQuery(before, parameters)) this.drawForm();
    return this.load(this.stop.signal);
  }

  close() {
    this.stop?.abort();
    this.painter?.close();
  }

  async load(signal) {
    this.showHead();
    if (!this.isAsked()) {
      fill(this.games.element, emptyState(t("What are you looking for?"), hints()));
      return;
    }
    try {
      await this.find(await this.query(signal), signal);
    } catch (error) {
      if (!isAborted(error)) fill(this.games.element, errorState(error));
    }
  }

  find(query, signal) {
    this.download.href = urlOf("pgn", query);
    this.explore.href = addressOf("explorer", query);
    this.countGames(query, signal);
    const sorted = changed(query, { sort: this.parameters.get("sort") });
    this.showCommand(sorted, signal);
    return this.games.load(sorted, signal);
  }

  isAsked() {
    return this.parameters.has("position") || [...filtersOf(this.parameters)].length > 0;
  }

  /** The filters and the position, which may be typed as moves. */
  async query(signal) {
    const text = this.parameters.get("position");
    const { fen, play } = text ? await readPosition(text, signal) : {};
    return changed(filtersOf(this.parameters), { fen, play });
  }

  async countGames(query, signal) {
    try {
      const { games } = await ask("count", query, { signal });
      fill(this.head.querySelector("h1"), counted(games, "game"));
      announce(t("{count} found", { count: counted(games, "game") }));
    } catch (error) {
      if (!isAborted(error)) fill(this.head.querySelector("h1"), t("Games"));
    }
  }

  showHead() {
    this.command = h("code", {}, "");
    this.download = h("a", { class: "button", download: "games.pgn" }, "PGN");
    this.explore = h("a", { class: "button" }, t("Explore"));
    const tools = h(
      "div",
      { class: "command" },
      this.command,
      copyButton(t("Copy"), () => this.command.textContent),
      this.download,
      this.explore,
    );
    fill(this.head, h("h1", {}, this.isAsked() ? "…" : t("Search")), this.isAsked() && tools);
  }

  async showCommand(query, signal) {
    try {
      const { command } = await ask("command", query, { signal });
      fill(this.command, command);
    } catch (error) {
      if (!isAborted(error)) fill(this.command);
    }
  }

  drawForm() {
    this.painter?.close();
    const form = filterForm(this.parameters, (filters) => this.submit(filters), {
      groups: { Pattern: this.patternBoard() },
    });
    this.drawer.open = wide.matches || !this.isAsked();
    form.prepend(this.positionField());
    fill(this.form, form);
    this.startPatternBoard(form);
  }

  /** A position may be asked for as on the command line: as a FEN or as moves. */
  positionField() {
    this.position = h("input", {
      id: "search-position",
      type: "text",
      spellcheck: "false",
      placeholder: t("1. e4 c5 or a FEN"),
      value: this.parameters.get("position") ?? "",
    });
    return h(
      "div",
      { class: "field position-field" },
      h("label", { for: "search-position" }, t("Position")),
      this.position,
    );
  }

  submit(filters) {
    const position =
      [...filters].length || this.position.value !== this.parameters.get("position") ? this.position.value.trim() : "";
    const query = changed(filters, { position, sort: this.parameters.get("sort") });
    go(addressOf("search", query));
  }

  patternBoard() {
    this.painter = new Painter({
      label: t("Board of the pattern"),
      brushes: PATTERN_BRUSHES,
      other: CHOICE,
      onChange: () => this.writePattern(),
    });
    this.turn = h(
      "select",
      { id: "pattern-turn", onchange: () => this.writePattern() },
      Object.entries(TURNS).map(([value, words]) => h("option", { value }, t(words))),
    );
    return h(
      "div",
      { class: "pattern-board" },
      h("p", { class: "faint" }, t("Put pieces and signs on the squares that matter. The same sign again takes it away.")),
      this.painter.element,
      h("div", { class: "field" }, h("label", { for: "pattern-turn" }, t("To move")), this.turn),
      h("button", { type: "button", onclick: () => this.clearPattern() }, t("Clear the board")),
    );
  }

  /** The board and the text of the pattern follow each other. */
  startPatternBoard(form) {
    this.patternField = form.elements.pattern;
    this.painter.start();
    this.readPattern();
    this.patternField.addEventListener("input", () => this.readPattern());
  }

  readPattern() {
    this.painter.show(squaresOfPattern(this.patternField.value));
    this.turn.value = turnOfPattern(this.patternField.value);
  }

  writePattern() {
    this.patternField.value = patternOfSquares(this.painter.tokens, this.turn.value);
  }

  clearPattern() {
    this.patternField.value = "";
    this.readPattern();
  }
}

function isSameQuery(one, other) {
  return changed(one, { sort: null }).toString() === changed(other, { sort: null }).toString();
}

function hints() {
  const example = (words, parameters) => h("li", {}, h("a", { href: addressOf("search", parameters) }, words));
  return h(
    "ul",
    { class: "hints" },
    example(t("decisive games of players above 2700"), { elo: "2700", result: ["1-0"] }),
    example(t("rook endings with three pawns against two"), { material: "KRPPPkrpp" }),
    example(t("the sacrifice on h7"), { "moves-through": "Bxh7+ Kxh7", flip: "colour" }),
    example(t("a fianchetto with a pawn on d6"), { pattern: "*/ppp??pbp/???p" }),
  );
}
