// One game: its moves to walk through, its graphs, its tags, what is wrong in it, and its twins.

import { addressOf, changed, go } from "./address.js";
import { announce } from "./announce.js";
import { ask, isAborted, urlOf } from "./api.js";
import { Autoplay } from "./autoplay.js";
import { basketButton } from "./basket.js";
import { isolated, setTitle } from "./bidi.js";
import { Board } from "./board.js";
import { choice } from "./choices.js";
import { copyButton } from "./clipboard.js";
import { fill, h } from "./elements.js";
import { clock, count, counted, date, evaluation, playerName, result } from "./format.js";
import { GameTree } from "./game-tree.js";
import { plainGames } from "./games-list.js";
import { clockGraph, evaluationGraph, markGraph } from "./graphs.js";
import { MoveText } from "./movetext.js";
import { showNotice } from "./notice.js";
import { readGame } from "./pgn-reader.js";
import { START, turnOf } from "./placement.js";
import { shownSan } from "./san.js";
import { errorState, skeleton } from "./states.js";
import { showPlaying, stepButtons, stepOfKey } from "./steps.js";
import { box } from "./tables.js";
import { addressOfWork } from "./work-menu.js";
import { keepAsWork } from "./works.js";
import { t } from "./words.js";

/** The view of one game. */
export class GameView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.board = new Board({
      label: t("Board of the game"),
      onMove: (move) => this.explore(move.uci),
      onStep: (step) => this.step(step),
    });
    this.text = new MoveText({
      label: t("Moves of the game"),
      onChoose: (node) => this.choose(node),
      addressOf: (node) => this.addressOf(node),
    });
    this.autoplay = new Autoplay({
      step: () => this.walk("forward"),
      onChange: (isPlaying) => showPlaying(this.steps, isPlaying),
    });
    this.strips = { top: h("div", { class: "player-strip" }), bottom: h("div", { class: "player-strip" }) };
    this.side = h("section", { class: "data-side", "aria-label": t("Game") }, skeleton(10));
    this.status = h("p", { class: "status" });
    this.exploreLink = h("a", { class: "button primary" }, t("Explore from here"));
    const copyFen = copyButton(t("Copy FEN"), () => this.fen());
    this.steps = stepButtons((step) => this.step(step), copyFen, this.exploreLink);
    this.boardSide = h(
      "section",
      { class: "board-side", "aria-label": t("Position") },
      this.strips.top,
      this.board.element,
      this.strips.bottom,
      this.steps,
      this.status,
    );
    fill(root, h("div", { class: "split game" }, this.boardSide, this.side));
    this.board.start();
  }

  /** @param {URLSearchParams} parameters */
  async update(parameters) {
    const isOther = this.parameters?.get("id") !== parameters.get("id");
    this.parameters = parameters;
    if (isOther && !(await this.load(parameters.get("id")))) return;
    if (this.tree) this.show();
  }

  /** @param {string} key */
  onKey(key) {
    if (!this.tree) return false;
    const step = { ArrowUp: "before", ArrowDown: "after" }[key];
    if (step && this.alternatives().length > 1)
      this.choose(this.tree.alternative(this.node, step === "before" ? -1 : 1));
    else if (stepOfKey(key)) this.step(stepOfKey(key));
    else return false;
    return true;
  }

  close() {
    this.stop?.abort();
    this.autoplay.stop();
    this.board.close();
  }

  /** Returns whether the game is there. */
  async load(id) {
    this.stop?.abort();
    this.stop = new AbortController();
    this.tree = null;
    try {
      if (!id) throw new Error(t("The address names no game."));
      this.id = id;
      this.game = await ask(`games/${encodeURIComponent(id)}`, {}, this.stop);
    } catch (error) {
      if (!isAborted(error)) this.showNothing(error);
      return false;
    }
    this.boardSide.hidden = false;
    this.tags = new Map(this.game.tags);
    this.tree = GameTree.ofGame(this.game);
    this.node = null;
    this.drawSide();
    setTitle(`${isolated(this.name("White"))} – ${isolated(this.name("Black"))}`);
    return true;
  }

  showNothing(error) {
    this.boardSide.hidden = true;
    fill(
      this.side,
      errorState(error),
      h("p", {}, h("a", { class: "button", href: addressOf("search") }, t("Search for games"))),
    );
  }

  drawSide() {
    const { main } = this.tree;
    const choose = (index) => this.choose(main[index]);
    this.graphs = [evaluationGraph(main, choose), clockGraph(main, choose)].filter(Boolean);
    this.text.draw(this.tree, {
      result: result(this.game.result),
      problems: problemsByPly(this.game.problems),
      isInColumns: choice("movetext") === "columns",
    });
    fill(
      this.side,
      this.heading(),
      this.text.element,
      this.graphs,
      this.accuracy(),
      this.tools(),
      this.problems(),
      this.twins(),
      this.tagTable(),
    );
  }

  /** How accurately both played, where all positions are evaluated. */
  accuracy() {
    const players = [
      [t("White"), this.game.white_accuracy, true],
      [t("Black"), this.game.black_accuracy, false],
    ].filter(([, accuracy]) => accuracy);
    if (players.length === 0) return null;
    const lines = players.map(([name, { accuracy, centipawn_loss: loss }, isWhite]) => {
      const bad = ["inaccuracy", "mistake", "blunder"].map(
        (judgement) => this.tree.main.filter((node) => node.isWhite === isWhite && node.judgement === judgement).length,
      );
      const values = { accuracy, loss, inaccuracies: bad[0], mistakes: bad[1], blunders: bad[2] };
      const text = t("accuracy {accuracy} %, {loss} centipawns lost a move; ?! {inaccuracies}, ? {mistakes}, ?? {blunders}", values);
      return h("p", {}, h("strong", {}, name), ` ${text}`);
    });
    return h("div", { class: "accuracy faint" }, lines);
  }

  heading() {
    const { eco, opening } = this.game;
    const [event, site, day, round] = ["Event", "Site", "Date", "Round"].map((name) => this.tag(name));
    const tournament = event && h("a", { href: addressOf("tournament", { game: this.id }) }, event);
    const facts = [tournament, site && linked(site), date(day), round && t("round {round}", { round })];
    return h(
      "div",
      { class: "game-head" },
      h(
        "h1",
        {},
        this.playerLink("White"),
        h("span", { class: "score" }, result(this.game.result)),
        this.playerLink("Black"),
      ),
      h(
        "p",
        { class: "facts" },
        facts
          .filter(Boolean)
          .flatMap((fact) => [" · ", fact])
          .slice(1),
      ),
      opening && h("p", { class: "facts" }, h("span", { class: "eco" }, eco), ` ${opening}`),
    );
  }

  playerLink(side) {
    const elo = this.tag(`${side}Elo`);
    const name = this.name(side);
    const link = h("a", { href: addressOf("player", { name: this.tag(side) }) }, name);
    return h("span", { class: "player" }, link, elo && h("span", { class: "elo" }, ` ${elo}`));
  }

  tools() {
    const address = `games/${encodeURIComponent(this.id)}/pgn`;
    const textOf = async () => (await fetch(urlOf(address))).text();
    return h(
      "div",
      { class: "tools" },
      h("button", { type: "button", onclick: () => this.work() }, t("Annotate a copy")),
      this.collectButton(),
      copyButton(t("Copy PGN"), textOf),
      h("a", { class: "button", href: urlOf(address), download: `${this.game.game}.pgn` }, t("Download PGN")),
    );
  }

  collectButton() {
    const [white, black] = ["White", "Black"].map((side) => this.tags.get(side));
    const [elo, otherElo] = ["White", "Black"].map((side) => Number(this.tag(`${side}Elo`)) || null);
    const { database, game, result: ending, eco, opening } = this.game;
    const row = { database, game, white, black, white_elo: elo, black_elo: otherElo, result: ending, eco, opening };
    Object.assign(row, { date: this.tags.get("Date"), event: this.tags.get("Event"), plies: this.tree.main.length });
    return basketButton(row);
  }

  /** Opens a copy of the game in the explorer, where it can be changed. */
  async work(uci = null) {
    const response = await fetch(urlOf(`games/${encodeURIComponent(this.id)}/pgn`)).catch(() => null);
    if (!response?.ok) {
      showNotice(t("Game {id} is not in the database any more.", { id: this.id }));
      return;
    }
    const pgn = await response.text();
    const game = await readGame(pgn);
    const path = GameTree.pathTo(this.node).map((node) => node.uci);
    const nodes = game.tree.follow([...path, uci].filter(Boolean)) ?? [];
    const work = await keepAsWork(game, { id: this.id, pgn });
    go(addressOfWork(work, nodes.at(-1) ?? null, { side: this.parameters.get("side") }));
  }

  problems() {
    const { problems } = this.game;
    if (!problems?.length) return null;
    return h(
      "section",
      { class: "box problems" },
      h("h2", {}, counted(problems.length, "problem")),
      h(
        "ul",
        {},
        problems.map(({ kind, message, ply }) =>
          h("li", {}, h("span", { class: "kind" }, kind), " ", message, this.problemPlace(ply)),
        ),
      ),
    );
  }

  problemPlace(ply) {
    const node = ply === null || ply === undefined ? null : this.tree.main[ply - 1];
    return (
      node && [
        " ",
        h("a", { href: this.addressOf(node) }, t("after {move}", { move: `${node.number}${node.isWhite ? "." : "…"} ${shownSan(node.san)}` })),
      ]
    );
  }

  twins() {
    const { twins } = this.game;
    if (!twins?.length) return null;
    return box(t("The same game, {count} more", { count: counted(twins.length, "time") }), plainGames(twins));
  }

  tagTable() {
    const rows = this.game.tags.map(([name, value]) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, linked(value))),
    );
    const { source: file, byte_offset: offset } = this.game;
    const source = h("p", { class: "faint source" }, t("From {file}, byte {offset}", { file, offset: count(offset) }));
    return h(
      "details",
      { class: "box", open: true },
      h("summary", {}, t("Tags")),
      h("table", { class: "tags" }, h("tbody", {}, rows)),
      source,
    );
  }

  /** Shows the position that the address names. */
  async show() {
    this.node = this.tree.at(this.parameters);
    const isFlipped = this.parameters.get("side") === "black";
    this.board.turn(isFlipped);
    this.showBoard([]);
    this.showStrips(isFlipped);
    this.text.mark(this.node);
    for (const figure of this.graphs) markGraph(figure, this.mainIndex());
    this.showStatus();
    this.exploreLink.href = this.exploreAddress();
    await this.allowMoves();
  }

  showBoard(moves, check = false) {
    const uci = this.node?.uci;
    const shapes = this.node ? this.node.shapes : this.tree.shapes;
    this.board.show(this.fen(), { moves, check, shapes, last: uci ? [uci.slice(0, 2), uci.slice(2, 4)] : [] });
  }

  /** Moves made on the board lead to the explorer. */
  async allowMoves() {
    const { node } = this;
    try {
      const position = await ask("position", { fen: this.fen() }, this.stop);
      if (node === this.node) this.showBoard(position.moves, position.check);
    } catch {
      // Without the legal moves, the board only shows the game.
    }
  }

  showStatus() {
    const { node } = this;
    const words = node ? `${node.number}${node.isWhite ? "." : "…"} ${shownSan(node.san)}` : t("Start of the game");
    fill(
      this.status,
      words,
      node && evaluation(node) && h("span", { class: "number" }, ` · ${evaluation(node)}`),
      this.lines(),
    );
    announce([words, node?.comment].filter(Boolean).join(". "));
  }

  lines() {
    const { length } = this.alternatives();
    return length > 1 ? ` · ${t("{length} lines, by ↑ and ↓", { length })}` : null;
  }

  alternatives() {
    return this.tree.alternatives(this.node);
  }

  showStrips(isFlipped) {
    const strip = (element, side) =>
      fill(
        element,
        h(
          "span",
          { class: "player" },
          h("span", { class: `disc ${side.toLowerCase()}` }),
          this.name(side),
          h("span", { class: "elo" }, ` ${this.tag(`${side}Elo`) ?? ""}`),
        ),
        this.clockOf(side),
      );
    strip(this.strips.top, isFlipped ? "White" : "Black");
    strip(this.strips.bottom, isFlipped ? "Black" : "White");
  }

  clockOf(side) {
    const path = GameTree.pathTo(this.node).filter((node) => node.isWhite === (side === "White"));
    const last = path.findLast((node) => node.clock !== null && node.clock !== undefined);
    const isRunning = turnOf(this.fen()) === side.toLowerCase();
    return last && h("span", { class: isRunning ? "clock running" : "clock" }, clock(last.clock));
  }

  step(step) {
    if (!this.tree) return false;
    if (step === "play") {
      this.autoplay.toggle();
      return true;
    }
    // Whoever steps has taken over.
    this.autoplay.stop();
    if (step !== "flip") return this.walk(step);
    this.flip();
    return true;
  }

  /** Returns whether there was such a step. */
  walk(step) {
    const { node, tree } = this;
    const to = {
      start: null,
      back: node?.previous ?? null,
      forward: tree.childrenOf(node)[0],
      end: tree.lastOf(node),
    }[step];
    if (to === undefined || to === node) return false;
    this.choose(to);
    return true;
  }

  flip() {
    const side = this.board.isFlipped ? null : "black";
    go(addressOf("game", changed(this.parameters, { side })), { replace: true });
  }

  choose(node) {
    go(this.addressOf(node), { replace: true });
  }

  addressOf(node) {
    return addressOf("game", changed(this.parameters, this.tree.place(node)));
  }

  /** The explorer at this position, with the moves that led to it. */
  exploreAddress(uci = null) {
    const isUsual = this.game.start === START;
    const play = [...GameTree.pathTo(this.node).map((node) => node.uci), uci].filter(Boolean).join(",");
    return addressOf("explorer", { fen: isUsual ? null : this.game.start, play, side: this.parameters.get("side") });
  }

  explore(uci) {
    const known = this.tree.childrenOf(this.node).find((child) => child.uci === uci);
    if (known) this.choose(known);
    else go(this.exploreAddress(uci));
  }

  mainIndex() {
    const first = this.tree.firstOfVariation(this.node);
    const main = first ? first.previous : this.node;
    if (main && !this.tree.isMain(main)) return -1;
    return GameTree.pathTo(main).length - 1;
  }

  fen() {
    return this.node?.fen ?? this.tree?.start ?? "";
  }

  tag(name) {
    const value = this.tags.get(name);
    return value && value !== "?" && !/^\?+(\.\?+)*$/.test(value) ? value : null;
  }

  name(side) {
    return playerName(this.tags.get(side));
  }
}

/** A text; one that is an address of the web can be followed. */
function linked(text) {
  return /^https?:\/\/\S+$/.test(text)
    ? h("a", { href: text, rel: "noopener noreferrer", target: "_blank" }, text)
    : text;
}

function problemsByPly(problems = []) {
  const byPly = new Map();
  for (const { ply, message } of problems) {
    if (ply !== null && ply !== undefined) byPly.set(ply, [...(byPly.get(ply) ?? []), message]);
  }
  return byPly;
}
