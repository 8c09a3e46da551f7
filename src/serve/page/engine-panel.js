// The engine of the server: its best lines in the position on the board, as it finds them.

import { AnswerError, ask, isAborted, urlOf } from "./api.js";
import { fill, h } from "./elements.js";
import { count, evaluation, moveNumber } from "./format.js";
import { shownSan } from "./san.js";
import { t } from "./words.js";

/** Whoever walks through a game does not have each of its positions searched. */
const PAUSE = 200;
/** The pause before a page asks again for an engine that another page uses. */
const PATIENCE = 2000;
/** The status of an answer that may come later. */
const BUSY = 503;
/** The moves of a line that are shown. */
const SHOWN_MOVES = 12;

/** A button that starts and stops the engine, and the lines that it finds. Hidden where the server has no engine. */
export class EnginePanel {
  /**
   * @param {{ onMove: (uci: string) => void, onPoint: (uci: string | null) => void, onFound: (answer: any) => void }} options
   *   `onMove` plays the first move of a line, `onPoint` shows it on the board, `onFound` hears of each evaluation
   */
  constructor({ onMove, onPoint, onFound }) {
    this.onMove = onMove;
    this.onPoint = onPoint;
    this.onFound = onFound;
    this.isOn = false;
    /** The position that is searched: as parameters, and as a FEN. */
    this.place = null;

    this.button = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.toggle() }, t("Analyse"));
    this.state = h("span", { class: "engine-state faint", role: "status" });
    this.lines = h("ol", { class: "engine-lines", "aria-label": t("Lines of the engine") });
    this.element = h(
      "div",
      { class: "engine", role: "region", "aria-label": t("Engine"), hidden: true },
      h("div", { class: "engine-head" }, this.button, this.state),
      this.lines,
    );
    this.find();
  }

  /** Asks whether there is an engine. */
  async find() {
    try {
      const { engine } = await ask("engine");
      this.element.hidden = !engine;
      this.button.title = engine ? t("Analyse by {engine}", { engine }) : "";
    } catch {
      // Without an answer, there is none.
    }
  }

  /**
   * Goes to a position.
   * @param {{ fen?: string | null, play: string }} place as parameters of a request
   * @param {string} fen
   */
  show(place, fen) {
    this.place = { place, fen };
    this.clear();
    if (this.isOn) this.search();
  }

  toggle() {
    this.isOn = !this.isOn;
    this.button.setAttribute("aria-pressed", String(this.isOn));
    fill(this.button, this.isOn ? t("Stop") : t("Analyse"));
    if (this.isOn) this.search();
    else this.stop?.abort();
  }

  close() {
    this.isOn = false;
    this.stop?.abort();
  }

  clear() {
    this.stop?.abort();
    fill(this.lines);
    fill(this.state);
  }

  async search() {
    this.stop?.abort();
    this.stop = new AbortController();
    const { signal } = this.stop;
    try {
      await pause(PAUSE, signal);
      fill(this.state, t("searching …"));
      for (;;) {
        try {
          for await (const answer of answers(this.place.place, signal)) this.draw(answer);
          return;
        } catch (error) {
          if (error.status !== BUSY) throw error;
          // Another page has the engine: this one waits for its turn.
          fill(this.state, error.message);
          await pause(PATIENCE, signal);
        }
      }
    } catch (error) {
      if (!isAborted(error)) this.fail(error.message);
    }
  }

  /** @param {any} answer of `analysis` */
  draw(answer) {
    if (answer.error) return this.fail(answer.error);
    const [best] = answer.lines;
    if (!best) return fill(this.state, t("no legal move"));

    const depth = t("depth {depth}", { depth: answer.depth });
    const nodes = answer.nodes ? t("{count} positions", { count: count(answer.nodes) }) : null;
    const end = answer.is_final ? t("finished") : null;
    fill(this.state, [answer.engine, depth, nodes, end].filter(Boolean).join(", "));
    fill(this.lines, ...answer.lines.map((line) => this.lineOf(line)));
    this.onFound(best);
  }

  lineOf(line) {
    const [first] = line.uci;
    const text = numbered(line.san.slice(0, SHOWN_MOVES), this.place.fen);
    const score = h("strong", { class: "number" }, evaluation({ eval: line.eval_cp, mate: line.eval_mate }));
    const button = h(
      "button",
      {
        type: "button",
        class: "engine-line",
        title: t("Play the first move"),
        onclick: () => this.onMove(first),
        onpointerenter: () => this.onPoint(first),
        onpointerleave: () => this.onPoint(null),
        onfocus: () => this.onPoint(first),
        onblur: () => this.onPoint(null),
      },
      score,
      " ",
      text,
    );
    return h("li", {}, button);
  }

  fail(sentence) {
    this.isOn = true;
    this.toggle();
    fill(this.state, sentence);
  }
}

/** The answers of the server, object by object. */
async function* answers(place, signal) {
  const response = await fetch(urlOf("analysis", place), { signal });
  if (!response.ok) throw new AnswerError((await response.json()).error, response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

/** Waits, unless nobody waits any more. */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/** Moves with their numbers, from a position. @param {string[]} sans @param {string} fen */
function numbered(sans, fen) {
  const [, turn, , , , move] = fen.split(" ");
  let ply = 2 * (Number(move) - 1) + (turn === "b" ? 1 : 0);
  const words = sans.map((san, index) => {
    const isWhite = ply % 2 === 0;
    const number = moveNumber(Math.floor(ply / 2) + 1, isWhite);
    ply += 1;
    return (isWhite || index === 0 ? `${number} ` : "") + shownSan(san);
  });
  return words.join(" ");
}
