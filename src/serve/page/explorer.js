// The explorer: a board to move on, a tree of the moves that were made, and what the games of the database played there.

import { addressOf, changed, go } from "./address.js";
import { announce } from "./announce.js";
import { ask, expect, isAborted, urlOf } from "./api.js";
import { Autoplay } from "./autoplay.js";
import { setTitle } from "./bidi.js";
import { Board } from "./board.js";
import { choice, choose } from "./choices.js";
import { copyButton } from "./clipboard.js";
import { fill, h } from "./elements.js";
import { EnginePanel } from "./engine-panel.js";
import { EvaluationBar } from "./evaluation-bar.js";
import { filterForm, filterList } from "./filter-form.js";
import { FIELDS, filtersOf } from "./filters.js";
import { count, counted, result } from "./format.js";
import { NULL_MOVE, GameTree, isAnnotated } from "./game-tree.js";
import { GamesList } from "./games-list.js";
import { icon } from "./icons.js";
import { loadLater } from "./later-view.js";
import { addTranspositions, gamesOf, movesTable } from "./moves-table.js";
import { MoveText } from "./movetext.js";
import { NAGS } from "./nags.js";
import { START } from "./placement.js";
import { englishSan, shownSan } from "./san.js";
import { askForPosition } from "./setup.js";
import { emptyState, errorState, fillWith } from "./states.js";
import { showPlaying, stepButtons, stepOfKey } from "./steps.js";
import { t } from "./words.js";
import { workMenu } from "./work-menu.js";
import { clearScratch, knownWork, openWork, rememberForUndo, saveSoon, tagOf, undo } from "./works.js";

const DEFAULT_SORT = "-date";
/** The most played moves that have arrows, and the least share of the games that they need for one. */
const MAX_ARROWS = 3;
const MIN_SHARE = 0.05;
/** The share of the games from which on an arrow is darker. */
const OFTEN = 0.3;
/** The moves of a piece in hand whose positions are asked for before it is put down. */
const MAX_EXPECTED_MOVES = 5;

/** The view of one position after another. */
export class Explorer {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.board = new Board({
      label: t("Board"),
      onMove: (move) => this.play(move.uci),
      onTake: (square) => this.expectMovesFrom(square),
      onShapes: (shapes) => this.keepShapes(shapes),
      onStep: (step) => this.step(step),
    });
    this.text = new MoveText({
      label: t("Moves so far"),
      onChoose: (node) => this.choose(node),
      addressOf: (node) => this.addressOfNode(node),
    });
    this.parts = {
      heading: h("div", { class: "position-head" }),
      players: h("p", { class: "work-head", hidden: true }),
      panel: h("div", { class: "annotation-box", hidden: true }),
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
    this.engine = new EnginePanel({
      onMove: (uci) => this.play(uci),
      onPoint: (uci) => this.point(uci),
      onFound: (line) => {
        this.bar.show(line, this.parameters.get("side") === "black");
        this.best = line.uci[0] ?? null;
        this.showArrows();
      },
    });
    this.autoplay = new Autoplay({
      step: () => this.walk("forward"),
      onChange: (isPlaying) => showPlaying(this.steps, isPlaying),
    });
    /** The moves of the table. */
    this.played = [];
    /** The best move of the position, if an engine or the database knows it. @type {string | null} */
    this.best = null;
    /** @type {import("./works.js").Work | null} */
    this.work = null;
    /** The move on the board. @type {import("./game-tree.js").MoveNode | null} */
    this.node = null;
    /** The move that was chosen, of several with the same moves before them. */
    this.chosen = null;
    this.annotations = null;
    this.root = root;
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
    const { signal } = this.stop;
    this.board.turn(parameters.get("side") === "black");
    this.showFilters();

    // What is in memory is shown at once.
    const work = knownWork(parameters) ?? (await openWork(parameters));
    if (signal.aborted) return;
    this.useWork(work);
    await this.load(signal);
  }

  /** Takes a key, and returns whether it means something here. @param {string} key */
  onKey(key) {
    const step = stepOfKey(key);
    if (step) this.step(step);
    else if (key === "m") this.moveField.focus();
    else if (key === "s") this.setUp();
    else if (key === "c") this.annotate();
    else if (key === "u") this.undo();
    else if (key === "ArrowUp" || key === "ArrowDown") return this.chooseAlternative(key === "ArrowUp" ? -1 : 1);
    else return false;
    return true;
  }

  close() {
    this.stop?.abort();
    this.autoplay.stop();
    this.engine.close();
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
      h("label", { for: "move-field" }, t("Move")),
      this.moveField,
      this.parts.status,
      this.moveError,
    );
    const setUp = h(
      "button",
      {
        type: "button",
        class: "set-up",
        title: t("Set up a position, paste a FEN or a PGN (s)"),
        onclick: () => this.setUp(),
      },
      t("Set up"),
    );
    this.pen = h(
      "button",
      {
        type: "button",
        class: "step pen",
        "aria-label": t("Annotate"),
        title: `${t("Annotate")} (c)`,
        "aria-expanded": "false",
        onclick: () => this.annotate(),
      },
      icon("pen"),
    );
    this.steps = stepButtons((step) => this.step(step), this.pen, setUp, workMenu(this));
    const boardSide = h(
      "section",
      { class: "board-side", "aria-label": t("Position") },
      h("div", { class: "board-and-bar" }, this.bar.element, this.board.element),
      this.steps,
      form,
    );
    const textSide = h(
      "section",
      { class: "text-side", "aria-label": t("Moves so far") },
      this.parts.players,
      this.text.element,
      this.parts.panel,
    );
    const dataSide = h(
      "section",
      { class: "data-side", "aria-label": t("Moves and games") },
      this.parts.heading,
      this.engine.element,
      this.parts.filters,
      this.parts.moves,
      this.parts.gamesHead,
      this.games.element,
    );
    const workSide = h("div", { class: "work-side" }, boardSide, textSide);
    this.split = h("div", { class: "split explorer" }, workSide, dataSide);
    return this.split;
  }

  /** Shows the place of the address in a tree. Its statistics come from the server later. */
  useWork(work) {
    const moves = work ? work.tree.nodes.length : 0;
    const nodes = work?.tree.follow(this.path) ?? null;
    this.work = nodes ? work : null;
    if (!nodes) return;
    if (work.tree.nodes.length > moves) saveSoon(work);
    this.follow(nodes);
    this.drawText();
    this.showPlace();
  }

  /** Takes the moves of the address, or those that were chosen if they read the same. */
  follow(nodes) {
    const chosen = GameTree.pathTo(this.chosen);
    const isSame = chosen.length === this.at && chosen.every(({ uci }, index) => uci === this.path[index]);
    const isThere = isSame && this.chosen && this.work.tree.nodes[this.chosen.id] === this.chosen;
    this.nodes = isThere ? [...chosen, ...nodes.slice(this.at)] : nodes;
    this.node = this.nodes[this.at - 1] ?? null;
  }

  /** Draws the moves, if the tree is another one or has grown. */
  drawText() {
    const { tree } = this.work;
    const state = { tree, moves: tree.nodes.length };
    if (this.drawn?.tree === state.tree && this.drawn.moves === state.moves) return;
    this.drawn = state;
    this.drawTextAnew();
  }

  drawTextAnew() {
    const { tree, id } = this.work;
    this.split.classList.toggle("with-text", id !== null || isBranched(tree));
    this.text.draw(tree, {
      result: id === null ? null : result(this.work.result),
      isInColumns: choice("movetext") === "columns",
      hint: t("Make a move on the board, type it, or choose one of the table."),
    });
    this.showPlayers();
  }

  /** The players of a game that was opened; nothing for what is explored. */
  nameOfWork() {
    if (!this.work || this.work.id === null) return null;
    const [white, black] = ["White", "Black"].map((name) => tagOf(this.work, name));
    return white || black ? `${white ?? "?"} – ${black ?? "?"}` : t("My game");
  }

  showPlayers() {
    const facts = ["Event", "Date"].map((name) => tagOf(this.work, name)).filter(Boolean);
    const { players } = this.parts;
    players.hidden = this.work.id === null;
    if (players.hidden) return;
    fill(
      players,
      h("strong", {}, this.nameOfWork()),
      facts.length > 0 && h("span", { class: "faint" }, ` ${facts.join(", ")}`),
    );
  }

  /** Shows the position, which needs no answer of the server. */
  showPlace() {
    const position = this.work.tree.positionAt(this.node);
    const uci = this.node?.uci;
    this.position = position;
    this.played = [];
    this.best = null;
    this.board.point(null);
    this.showArrows();
    this.board.show(position.fen(), {
      moves: position.moves(),
      last: uci && uci !== NULL_MOVE ? [uci.slice(0, 2), uci.slice(2, 4)] : [],
      check: position.isCheck(),
      shapes: this.node ? this.node.shapes : this.work.tree.shapes,
    });
    this.text.mark(this.node);
    this.showStatus({
      turn: position.isWhite ? "white" : "black",
      check: position.isCheck(),
      status: position.status(),
    });
    this.annotations?.show(this.work, this.node);
    this.engine.show(this.place(this.at), position.fen());
  }

  /** Asks for the position, its moves and its games at the same time. */
  async load(signal) {
    const query = this.query();
    const again = () => this.load(signal);
    const moves = ask("moves", query, { signal });
    fillWith(this.parts.moves, moves, (answer) => this.drawMoves(answer), { again });
    const games = this.games.load(changed(query, { sort: this.sort() }), signal);
    try {
      const position = await ask("position", this.place(this.at), { signal });
      this.showHeading(position);
      if (this.work) this.showStatus(position);
      this.sayMove(await moves);
      this.expectMove(this.path[this.at]);
      await games;
    } catch (error) {
      if (!isAborted(error)) this.showNothing(error);
    }
  }

  /** The position as parameters: the start, and the moves up to one. */
  place(length) {
    const path = this.path.slice(0, length);
    const passed = path.lastIndexOf(NULL_MOVE);
    if (passed < 0 || !this.work) return { fen: this.parameters.get("fen"), play: path.join(",") };
    // The server knows no null moves: the position after the last one is a start.
    return { fen: this.nodes[passed].fen, play: path.slice(passed + 1).join(",") };
  }

  query() {
    return changed(filtersOf(this.parameters), this.place(this.at));
  }

  sort() {
    return this.parameters.get("sort") ?? DEFAULT_SORT;
  }

  showHeading({ eco, opening }) {
    const nameless = this.at || this.parameters.get("fen") ? t("Unnamed position") : t("Starting position");
    const name = opening ? [h("span", { class: "eco" }, eco), ` ${opening}`] : nameless;
    setTitle(this.nameOfWork() ?? opening ?? t("Explorer"));
    const report = addressOf("opening", this.query());
    const link = h("a", { class: "button", href: report, title: t("A report on this position") }, t("Report"));
    fill(this.parts.heading, h("h1", {}, name), link);
  }

  showStatus({ status, turn, check }) {
    const ends = {
      checkmate: t("Checkmate."),
      stalemate: t("Stalemate."),
      "insufficient-material": t("Insufficient material."),
    };
    const turns = turn === "white" ? t("White to move.") : t("Black to move.");
    const inCheck = turn === "white" ? t("White to move, in check.") : t("Black to move, in check.");
    fill(this.parts.status, status ? (ends[status] ?? `${status}.`) : check ? inCheck : turns);
  }

  drawMoves(answer) {
    this.bar.show(answer, this.parameters.get("side") === "black");
    this.played = answer.moves;
    // The engine of the page may search deeper than the stored evaluation.
    this.best ??= answer.best_move;
    this.showArrows();
    // A database may index the first half-moves of games only.
    const last = answer.index_plies;
    const limit = last
      ? h("p", { class: "faint" }, t("Positions after half-move {last} of a game are not indexed.", { last }))
      : null;
    if (!answer.moves.length) {
      const why = this.hasFilters()
        ? t("With these filters, no game goes on from this position.")
        : t("No game of the database goes on from this position.");
      return emptyState(t("No games from here"), h("p", {}, why), limit);
    }
    const options = {
      addressOfMove: (uci) => this.addressAfter(uci),
      onPoint: (uci) => this.point(uci),
    };
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
    const san = this.node && shownSan(this.node.san);
    const signs = (this.node?.nags ?? []).map((nag) => t(NAGS[nag]?.[1] ?? ""));
    const comment = this.node?.comment;
    announce([san, ...signs, counted(answer.games, "game"), answer.opening, comment].filter(Boolean).join(", "));
  }

  showGamesHead() {
    const download = urlOf("pgn", this.query());
    fill(
      this.parts.gamesHead,
      h("h2", {}, t("Games")),
      h(
        "span",
        { class: "tools" },
        copyButton(t("Copy command"), async () => (await ask("command", this.query())).command),
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
    const drawer = h("details", { class: "drawer", open: isOpen }, h("summary", {}, t("Filter games") + number));
    drawer.addEventListener("toggle", () => this.fillDrawer(drawer));
    this.fillDrawer(drawer);
    fill(this.parts.filters, drawer, chips.length ? h("div", { class: "chips" }, chips) : null);
  }

  /** The form is made when it is opened, since few open it. */
  fillDrawer(drawer) {
    if (!drawer.open || drawer.querySelector("form")) return;
    const options = { leaveOut: ["Pattern"], button: t("Apply") };
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
    return this.addressOfLine(path, isNext ? this.at + 1 : path.length);
  }

  /** The address of a line and a place in it. @param {string[]} path @param {number} at */
  addressOfLine(path, at) {
    const changes = { play: path.join(","), at: at === path.length ? null : at };
    return addressOf("explorer", changed(this.parameters, changes));
  }

  /** The address of a move of the tree; those that follow it on the line that is shown stay ahead. */
  addressOfNode(node) {
    const index = node ? this.nodes.indexOf(node) : -1;
    if (!node || index >= 0) return this.addressOfLine(this.path, index + 1);
    const path = GameTree.pathTo(node).map(({ uci }) => uci);
    return this.addressOfLine(path, path.length);
  }

  /** Goes to a move of the tree. @param {import("./game-tree.js").MoveNode | null} node */
  choose(node) {
    const address = this.addressOfNode(node);
    this.chosen = node;
    // Two moves with one text have one address.
    if (address === location.hash) this.update(this.parameters);
    else go(address, { replace: true });
  }

  /** Returns whether there was such a step. */
  step(step) {
    if (step === "flip") {
      this.change({ side: this.board.isFlipped ? null : "black" }, { replace: true });
      return true;
    }
    if (step === "play") {
      this.autoplay.toggle();
      return true;
    }
    // Whoever steps has taken over.
    this.autoplay.stop();
    return this.walk(step);
  }

  walk(step) {
    if (!this.work) return false;
    const before = this.nodes.slice(0, this.at);
    const ahead = this.nodes.slice(this.at);
    const whole = [
      ...this.nodes,
      ...GameTree.lineFrom(this.work.tree.childrenOf(this.nodes.at(-1) ?? null)[0] ?? null),
    ];
    const to = {
      start: null,
      back: before.at(-2) ?? null,
      forward: ahead[0] ?? whole[this.at],
      end: whole.at(-1) ?? null,
    }[step];
    if (to === undefined || to === this.node) return false;
    this.choose(to);
    return true;
  }

  /** The variation before or after this one, if there are several. @param {number} step */
  chooseAlternative(step) {
    if (!this.node || this.work.tree.alternatives(this.node).length < 2) return false;
    this.choose(this.work.tree.alternative(this.node, step));
    return true;
  }

  /** Opens or closes the panel that annotates. */
  async annotate() {
    const { panel } = this.parts;
    panel.hidden = !panel.hidden;
    this.pen.setAttribute("aria-expanded", String(!panel.hidden));
    this.split.classList.toggle("annotating", !panel.hidden);
    if (panel.hidden) {
      this.board.pen = null;
      return;
    }
    if (!this.annotations) {
      const { Annotations } = await loadLater();
      this.annotations = new Annotations(panel, {
        board: this.board,
        onEdit: (change, how) => this.edit(change, how),
        onUndo: () => this.undo(),
      });
    }
    if (this.work) this.annotations.show(this.work, this.node);
    this.annotations.focus();
  }

  /**
   * Changes the tree.
   * @param {(work: import("./works.js").Work, node: any) => any} change returns the move to be shown then
   * @param {{ isSmall?: boolean }} [how] a small change need not be undone
   */
  edit(change, { isSmall = false } = {}) {
    if (!this.work) return;
    if (!isSmall) rememberForUndo(this.work);
    const node = change(this.work, this.node);
    saveSoon(this.work);
    this.drawTextAnew();
    if (node !== this.node) this.showLineOf(node);
    else this.annotations?.show(this.work, this.node);
  }

  /** Shows a move whose line is all that is on the address. */
  showLineOf(node) {
    this.chosen = node;
    const path = GameTree.pathTo(node).map(({ uci }) => uci);
    go(this.addressOfLine(path, path.length), { replace: true });
  }

  keepShapes(shapes) {
    if (!this.work) return;
    (this.node ?? this.work.tree).shapes = shapes;
    saveSoon(this.work);
    this.drawTextAnew();
    this.annotations?.show(this.work, this.node);
  }

  async undo() {
    if (!this.work || !(await undo(this.work))) {
      announce(t("Nothing to undo"));
      return;
    }
    announce(t("Undone"));
    // The moves of the address may be gone.
    const kept = this.pathInTree();
    this.chosen = null;
    go(this.addressOfLine(kept, Math.min(this.at, kept.length)), { replace: true });
    this.update(this.parameters);
  }

  /** The moves of the address that are in the tree. */
  pathInTree() {
    const kept = [];
    let node = null;
    for (const uci of this.path) {
      node = this.work.tree.childrenOf(node).find((child) => child.uci === uci);
      if (!node) break;
      kept.push(uci);
    }
    return kept;
  }

  /** Begins a new tree from the start of this one. */
  startAnew() {
    clearScratch(this.work?.tree.start ?? START);
    this.chosen = null;
    this.change({ work: null, play: null, at: null });
    this.update(this.parameters);
  }

  /** Shows the moves as a text or in two columns. */
  changeLayout() {
    choose("movetext", choice("movetext") === "columns" ? "text" : "columns");
    if (this.work) this.drawTextAnew();
  }

  change(changes, how) {
    go(addressOf("explorer", changed(this.parameters, changes)), how);
  }

  onMoveField(event) {
    event.preventDefault();
    const text = this.moveField.value.trim();
    const move = this.typedMove();
    fill(this.moveError, move || !text ? "" : t("{text} is not a move here.", { text }));
    if (!move) return;
    this.moveField.value = "";
    this.play(move.uci);
  }

  typedMove() {
    const text = this.moveField.value.trim();
    return text ? findTyped(this.position, text) : null;
  }

  /** Shows a move of the table on the board, or none. */
  point(uci) {
    this.board.point(uci ? this.arrowOf(uci) : null);
    this.expectMove(uci);
  }

  /** Draws arrows for the most played moves and the best one, unless the reader wants none. */
  showArrows() {
    this.board.showArrows(choice("arrows") === "off" ? [] : this.arrows());
  }

  arrows() {
    const games = this.played.reduce((sum, move) => sum + gamesOf(move), 0);
    const share = (move) => gamesOf(move) / games;
    const isFrequent = (move) => move.uci && move.uci !== this.best && share(move) >= MIN_SHARE;
    const played = this.played
      .filter(isFrequent)
      .slice(0, MAX_ARROWS)
      .map((move) => this.arrowOf(move.uci, share(move) >= OFTEN ? "played often" : "played"));
    // The more important ones lie over the others.
    return [...played.reverse(), this.best && this.arrowOf(this.best, "best")].filter(Boolean);
  }

  /** The arrow of a move, and of what kind it is. */
  arrowOf(uci, kind = null) {
    return { from: uci.slice(0, 2), to: arrowEnd(uci, this.position), kind };
  }

  /** Turns the arrows on or off. */
  changeArrows() {
    choose("arrows", choice("arrows") === "off" ? "on" : "off");
    this.showArrows();
  }

  /** Asks for the position after a move that is likely to be made. With filters, that may be much work. */
  expectMove(uci) {
    if (!uci || this.hasFilters()) return;
    const { fen, play } = this.place(this.at);
    const place = { fen, play: [play, uci].filter(Boolean).join(",") };
    expect("moves", changed(filtersOf(this.parameters), place));
    expect("position", place);
  }

  /** The same for a piece that is taken up: for its most frequent moves. */
  expectMovesFrom(square) {
    const moves = this.played.filter(({ uci }) => uci?.startsWith(square));
    for (const { uci } of moves.slice(0, MAX_EXPECTED_MOVES)) this.expectMove(uci);
  }

  setUp() {
    askForPosition(this.position?.fen() ?? START, ({ fen, play }) => this.change({ fen, play, at: null, work: null }));
  }

  /** Without a position, there is nothing to show of it. */
  showNothing(error) {
    this.stop.abort();
    for (const part of [this.parts.moves, this.parts.gamesHead, this.games.element]) fill(part);
    const start = h("a", { class: "button", href: addressOf("explorer") }, t("To the starting position"));
    fill(this.parts.heading, errorState(error), h("p", { class: "games-head" }, start));
  }
}

/** The move that a text means: in the reader's letters or in English, and whatever the case if that is one move. */
function findTyped(position, text) {
  const move = position?.find(englishSan(text)) ?? position?.find(text);
  if (move || !position) return move ?? null;
  const bare = (san) =>
    san
      .replace(/[+#x=!?-]/g, "")
      .replaceAll("0", "O")
      .toLowerCase();
  const wanted = [bare(englishSan(text)), bare(text)];
  const meant = position
    .moves()
    .filter((one) => wanted.includes(bare(position.san(one))) || one.uci === text.toLowerCase());
  return meant.length === 1 ? meant[0] : null;
}

/** The end of a move's arrow: castling is shown as the step of the king. */
function arrowEnd(uci, position) {
  return position?.findUci(uci)?.to ?? uci.slice(2, 4);
}

/** Whether a tree has more than one line of moves to show. */
function isBranched(tree) {
  if (tree.comment || tree.children.length > 1) return true;
  return tree.nodes.some((node) => node.children.length > 1 || node.comment || (isAnnotated(node) && node.nags.length));
}
