// The explorer: a board to move on, and what the games of the database played there.

import { addressOf, changed, go } from "./address.js";
import { announce } from "./announce.js";
import { ask, expect, isAborted, urlOf } from "./api.js";
import { setTitle } from "./bidi.js";
import { Board } from "./board.js";
import { copyButton } from "./clipboard.js";
import { fill, h } from "./elements.js";
import { EvaluationBar } from "./evaluation-bar.js";
import { filterForm, filterList } from "./filter-form.js";
import { FIELDS, filtersOf } from "./filters.js";
import { count, counted, moveNumber } from "./format.js";
import { GamesList } from "./games-list.js";
import { addTranspositions, movesTable } from "./moves-table.js";
import { moveNumberOf, turnOf } from "./placement.js";
import { askForPosition } from "./setup.js";
import { emptyState, errorState, fillWith } from "./states.js";
import { stepButtons, stepOfKey } from "./steps.js";

const DEFAULT_SORT = "-date";
/** The moves of a piece in hand whose positions are asked for before it is put down. */
const MOST_EXPECTED_MOVES = 5;

/** The view of one position after another. */
export class Explorer {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.board = new Board({
      label: "Board",
      onMove: (move) => this.play(move.uci),
      onTake: (square) => this.expectMovesFrom(square),
    });
    this.parts = {
      heading: h("div", { class: "position-head" }),
      line: h("ol", { class: "line", "aria-label": "Moves so far" }),
      filters: h("div", { class: "filter-bar" }),
      moves: h("div", { class: "moves-box" }),
      gamesHead: h("div", { class: "games-head" }),
      status: h("p", { class: "status" }),
    };
    this.games = new GamesList({
      onSort: (sort) => this.change({ sort }, { replace: true }),
      onAnswer: () => this.showGamesHead(),
    });
    this.bar = new EvaluationBar();
    /** The moves of the table. */
    this.played = [];
    fill(root, this.layout());
    this.board.start();
  }

  /** Shows what an address says. @param {URLSearchParams} parameters */
  async update(parameters) {
    this.parameters = parameters;
    this.path = (parameters.get("play") ?? "").split(",").filter(Boolean);
    this.at = Math.min(Number(parameters.get("at") ?? this.path.length) || 0, this.path.length);
    if (!parameters.has("at")) this.at = this.path.length;
    this.stop?.abort();
    this.stop = new AbortController();
    this.board.turn(parameters.get("side") === "black");
    this.showFilters();
    await this.load(this.stop.signal);
  }

  /** Takes a key, and returns whether it means something here. @param {string} key */
  onKey(key) {
    const step = stepOfKey(key);
    if (step) this.step(step);
    else if (key === "m") this.moveField.focus();
    else if (key === "s") this.setUp();
    else return false;
    return true;
  }

  close() {
    this.stop?.abort();
    this.board.close();
  }

  layout() {
    this.moveField = h("input", {
      id: "move-field",
      type: "text",
      size: 7,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: "e4",
      "aria-describedby": "move-error",
      oninput: () => this.expectMove(this.typedMove()?.uci),
    });
    this.moveError = h("span", { id: "move-error", class: "field-error", role: "alert" });
    const form = h(
      "form",
      { class: "move-form", onsubmit: (event) => this.onMoveField(event) },
      h("label", { for: "move-field" }, "Move"),
      this.moveField,
      this.parts.status,
      this.moveError,
    );
    const setUp = h(
      "button",
      { type: "button", title: "Set up a position, paste a FEN or a PGN (s)", onclick: () => this.setUp() },
      "Set up",
    );
    const copyFen = copyButton("Copy FEN", () => this.position?.fen ?? "");
    return h(
      "div",
      { class: "split explorer" },
      h(
        "section",
        { class: "board-side", "aria-label": "Position" },
        h("div", { class: "board-and-bar" }, this.bar.element, this.board.element),
        stepButtons((step) => this.step(step), setUp, copyFen),
        form,
        this.parts.line,
      ),
      h(
        "section",
        { class: "data-side", "aria-label": "Moves and games" },
        this.parts.heading,
        this.parts.filters,
        this.parts.moves,
        this.parts.gamesHead,
        this.games.element,
      ),
    );
  }

  /** Asks for the position, its moves and its games at the same time. */
  async load(signal) {
    const query = this.query();
    const again = () => this.load(signal);
    const moves = ask("moves", query, { signal });
    fillWith(this.parts.moves, moves, (answer) => this.drawMoves(answer), { again });
    const games = this.games.load(changed(query, { sort: this.sort() }), signal);
    try {
      const askFor = (length) => ask("position", this.place(length), { signal });
      const here = askFor(this.at);
      const whole = this.at === this.path.length ? here : askFor(this.path.length);
      this.show(await here, (await whole).line);
      this.sayMove(await moves);
      this.expectMove(this.path[this.at]);
      await games;
    } catch (error) {
      if (!isAborted(error)) this.showNothing(error);
    }
  }

  /** The position as parameters: the start, and the moves up to one. */
  place(length) {
    return { fen: this.parameters.get("fen"), play: this.path.slice(0, length).join(",") };
  }

  query() {
    return changed(filtersOf(this.parameters), this.place(this.at));
  }

  sort() {
    return this.parameters.get("sort") ?? DEFAULT_SORT;
  }

  show(position, line) {
    const last = line[this.at - 1];
    this.position = position;
    this.line = line;
    this.board.show(position.fen, {
      moves: position.moves,
      last: last ? [last.uci.slice(0, 2), last.uci.slice(2, 4)] : [],
      check: position.check,
    });
    this.showHeading(position);
    this.showLine(line);
    this.showStatus(position);
  }

  showHeading({ eco, opening }) {
    const nameless = this.at || this.parameters.get("fen") ? "Unnamed position" : "Starting position";
    const name = opening ? [h("span", { class: "eco" }, eco), ` ${opening}`] : nameless;
    setTitle(opening ?? "Explorer");
    const report = addressOf("opening", this.query());
    const link = h("a", { class: "button", href: report, title: "A report on this position" }, "Report");
    fill(this.parts.heading, h("h1", {}, name), link);
  }

  showLine(line) {
    const first = this.parameters.get("fen");
    let number = first ? moveNumberOf(first.replaceAll("_", " ")) : 1;
    let isWhite = !first || turnOf(first.replaceAll("_", " ")) === "white";
    const items = line.map(({ san }, index) => {
      const item = this.lineItem(san, index, index === 0 || isWhite ? moveNumber(number, isWhite) : "");
      if (!isWhite) number += 1;
      isWhite = !isWhite;
      return item;
    });
    const hint = h("li", { class: "faint" }, "Make a move on the board, type it, or choose one of the table.");
    fill(this.parts.line, items.length ? [this.lineItem("start", -1, ""), items] : hint);
    this.scrollToCurrent();
  }

  /** Shows the current move, where the line is one row that scrolls, or several. */
  scrollToCurrent() {
    const [line, current] = [this.parts.line, this.parts.line.querySelector("[aria-current]")];
    if (!current) return;
    const [around, inner] = [line.getBoundingClientRect(), current.getBoundingClientRect()];
    line.scrollBy(inner.left - around.left - around.width / 2, inner.top - around.top - around.height / 2);
  }

  lineItem(words, index, number) {
    const isCurrent = index + 1 === this.at;
    const at = index + 1 === this.path.length ? null : index + 1;
    const link = h(
      "a",
      { href: addressOf("explorer", changed(this.parameters, { at })), "aria-current": isCurrent ? "step" : null },
      words,
    );
    return h(
      "li",
      { class: index + 1 > this.at ? "ahead" : null },
      number && h("span", { class: "move-number" }, number),
      link,
    );
  }

  showStatus({ status, turn, check }) {
    const ends = { checkmate: "Checkmate.", stalemate: "Stalemate." };
    const side = turn === "white" ? "White" : "Black";
    fill(this.parts.status, status ? (ends[status] ?? `${status}.`) : `${side} to move${check ? ", in check" : ""}.`);
  }

  drawMoves(answer) {
    this.bar.show(answer, this.parameters.get("side") === "black");
    // A database may index the first half-moves of games only.
    const last = answer.index_plies;
    const limit = last ? h("p", { class: "faint" }, `Positions after half-move ${last} of a game are not indexed.`) : null;
    if (!answer.moves.length) {
      const which = this.hasFilters() ? "With these filters, no game" : "No game of the database";
      return emptyState("No games from here", h("p", {}, `${which} goes on from this position.`), limit);
    }
    const options = {
      addressOfMove: (uci) => this.addressAfter(uci),
      onPoint: (uci) => this.point(uci),
    };
    this.played = answer.moves;
    const table = movesTable(answer, options);
    this.addTranspositions(table, options, this.stop.signal);
    return [table, limit].filter(Boolean);
  }

  /** Other ways to the next positions come later, since they need more work. */
  async addTranspositions(table, options, signal) {
    try {
      const { moves } = await ask("transpositions", this.query(), { signal });
      addTranspositions(table, moves, options);
    } catch {
      // The table stays as it is.
    }
  }

  sayMove(answer) {
    const last = this.line[this.at - 1];
    announce([last?.san, counted(answer.games, "game"), answer.opening].filter(Boolean).join(", "));
  }

  showGamesHead() {
    const download = urlOf("pgn", this.query());
    fill(
      this.parts.gamesHead,
      h("h2", {}, "Games"),
      h(
        "span",
        { class: "tools" },
        copyButton("Copy command", async () => (await ask("command", this.query())).command),
        h("a", { class: "button", href: download, download: "games.pgn" }, "PGN"),
      ),
    );
  }

  showFilters() {
    const filters = filtersOf(this.parameters).toString();
    if (filters === this.shownFilters) return;
    this.shownFilters = filters;
    const chips = filterList(this.parameters, (chosen) => this.filter(chosen));
    const number = chips.length ? ` (${count(chips.length)})` : "";
    const isOpen = this.parts.filters.querySelector("details.drawer")?.open ?? false;
    const drawer = h("details", { class: "drawer", open: isOpen }, h("summary", {}, `Filter games${number}`));
    drawer.addEventListener("toggle", () => this.fillDrawer(drawer));
    this.fillDrawer(drawer);
    fill(this.parts.filters, drawer, chips.length ? h("div", { class: "chips" }, chips) : null);
  }

  /** The form is made when it is opened, since few open it. */
  fillDrawer(drawer) {
    if (!drawer.open || drawer.querySelector("form")) return;
    const options = { leaveOut: ["Pattern"], button: "Apply" };
    drawer.append(filterForm(this.parameters, (filters) => this.filter(filters), options));
  }

  filter(filters) {
    const cleared = Object.fromEntries([...FIELDS.keys()].map((name) => [name, null]));
    const query = changed(this.parameters, cleared);
    for (const [name, value] of filters) query.append(name, value);
    go(addressOf("explorer", query));
  }

  hasFilters() {
    return [...filtersOf(this.parameters)].length > 0;
  }

  play(uci) {
    go(this.addressAfter(uci));
  }

  /** The address after a move; moves that were taken back stay ahead if the move is the next of them. */
  addressAfter(uci) {
    const isNext = this.path[this.at] === uci;
    const path = isNext ? this.path : [...this.path.slice(0, this.at), uci];
    const at = isNext && this.at + 1 < path.length ? this.at + 1 : null;
    return addressOf("explorer", changed(this.parameters, { play: path.join(","), at }));
  }

  step(step) {
    if (step === "flip") return this.change({ side: this.board.isFlipped ? null : "black" }, { replace: true });
    const at = { start: 0, back: this.at - 1, forward: this.at + 1, end: this.path.length }[step];
    if (at < 0 || at > this.path.length) return undefined;
    return this.change({ at: at === this.path.length ? null : at }, { replace: true });
  }

  change(changes, how) {
    go(addressOf("explorer", changed(this.parameters, changes)), how);
  }

  onMoveField(event) {
    event.preventDefault();
    const text = this.moveField.value.trim();
    const move = this.typedMove();
    fill(this.moveError, move || !text ? "" : `${text} is not a move here.`);
    if (!move) return;
    this.moveField.value = "";
    this.play(move.uci);
  }

  typedMove() {
    const text = this.moveField.value.trim();
    return this.position?.moves.find((move) => isSame(move, text));
  }

  /** Shows a move of the table on the board, or none. */
  point(uci) {
    this.board.point(uci ? [{ from: uci.slice(0, 2), to: arrowEnd(uci, this.position) }] : []);
    this.expectMove(uci);
  }

  /** Asks for the position after a move that is likely to be made. With filters, that may be much work. */
  expectMove(uci) {
    if (!uci || this.hasFilters()) return;
    const place = { fen: this.parameters.get("fen"), play: [...this.path.slice(0, this.at), uci].join(",") };
    expect("moves", changed(filtersOf(this.parameters), place));
    expect("position", place);
  }

  /** The same for a piece that is taken up: for its most frequent moves. */
  expectMovesFrom(square) {
    const moves = this.played.filter(({ uci }) => uci?.startsWith(square));
    for (const { uci } of moves.slice(0, MOST_EXPECTED_MOVES)) this.expectMove(uci);
  }

  setUp() {
    askForPosition(this.position?.fen ?? "", ({ fen, play }) => this.change({ fen, play, at: null }));
  }

  /** Without a position, there is nothing to show of it. */
  showNothing(error) {
    this.stop.abort();
    for (const part of [this.parts.moves, this.parts.gamesHead, this.games.element]) fill(part);
    const start = h("a", { class: "button", href: addressOf("explorer") }, "To the starting position");
    fill(this.parts.heading, errorState(error), h("p", { class: "games-head" }, start));
  }
}

/** Whether a text means a move: as SAN with or without its signs, or as UCI. */
function isSame(move, text) {
  const bare = (san) => san.replace(/[+#x=!?-]/g, "").replaceAll("0", "O");
  return move.uci === text.toLowerCase() || bare(move.san) === bare(text);
}

/** Where the arrow of a move ends: castling is shown as the king goes. */
function arrowEnd(uci, position) {
  return position?.moves.find((move) => move.uci === uci)?.to ?? uci.slice(2, 4);
}
