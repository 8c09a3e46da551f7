// The panel that annotates the move on the board: signs, a comment, colours of arrows, the place of its variation, and tags.

import { announce } from "./announce.js";
import { fill, h } from "./elements.js";
import { result } from "./format.js";
import { icon } from "./icons.js";
import { NAGS } from "./nags.js";
import { shownSan } from "./san.js";
import { colourButtons } from "./shapes.js";
import { t } from "./words.js";

/** Signs of the move: one of each group holds. */
const MOVE_SIGNS = [1, 2, 3, 4, 5, 6, 7];
const POSITION_SIGNS = [10, 13, 14, 15, 16, 17, 18, 19];
const OTHER_SIGNS = [146, 22, 36, 40, 44, 132, 138, 140];
const TAGS = ["White", "Black", "WhiteElo", "BlackElo", "Event", "Site", "Date", "Round"];
const RESULTS = ["*", "1-0", "1/2-1/2", "0-1"];
const TYPING_MILLISECONDS = 1200;

/** The panel. */
export class Annotations {
  /**
   * @param {HTMLElement} root
   * @param {{
   *   board: import("./board.js").Board,
   *   onEdit: (change: (work: any, node: any) => any, how?: { isSmall?: boolean }) => void, onUndo: () => void
   * }} options
   */
  constructor(root, { board, onEdit, onUndo }) {
    Object.assign(this, { board, onEdit, onUndo, work: null, node: null, lastTyped: 0 });
    this.heading = h("h2", {});
    this.comment = h("textarea", {
      id: "comment-field",
      rows: 3,
      maxlength: 20000,
      "aria-describedby": "comment-move",
      oninput: () => this.type(),
    });
    this.signs = h("div", { class: "signs" });
    this.buttons = h("div", { class: "buttons" });
    this.tags = h("details", { class: "work-tags" }, h("summary", {}, t("Players and event")));
    this.tags.addEventListener("toggle", () => this.fillTags());
    const pen = h("button", { type: "button", class: "draw-toggle", "aria-pressed": "false" }, t("Draw arrows"));
    pen.addEventListener("click", () => this.takePen(pen));
    this.colour = "G";
    const colours = colourButtons((letter) => this.chooseColour(letter, pen), this.colour);
    const drawing = h(
      "div",
      { class: "drawing", title: t("Or drag with the right button: Shift red, Alt blue, both yellow") },
      pen,
      colours,
    );
    fill(
      root,
      this.heading,
      this.signs,
      h("label", { for: "comment-field", class: "unseen", id: "comment-move" }, t("Comment")),
      this.comment,
      drawing,
      this.buttons,
      this.tags,
    );
  }

  /** Shows what is said of a move. */
  show(work, node) {
    const isOther = work !== this.work || node !== this.node;
    Object.assign(this, { work, node });
    const words = node ? `${node.number}${node.isWhite ? "." : "…"} ${shownSan(node.san)}` : t("Start of the game");
    fill(this.heading, words);
    this.comment.placeholder = node ? t("A comment on this move") : t("A comment on the game");
    if (isOther || document.activeElement !== this.comment) this.comment.value = (node ?? work.tree).comment ?? "";
    if (isOther) this.lastTyped = 0;
    this.fillSigns();
    this.fillButtons();
    this.fillTags();
  }

  focus() {
    this.comment.focus({ preventScroll: true });
  }

  /** Typing is one change, until there is a pause. */
  type() {
    const now = performance.now();
    const isSmall = now - this.lastTyped < TYPING_MILLISECONDS;
    this.lastTyped = now;
    const text = this.comment.value.replace(/\s+/g, " ").replaceAll("}", ")").trim() || null;
    this.onEdit(
      (work, node) => {
        (node ?? work.tree).comment = text;
        return node;
      },
      { isSmall },
    );
  }

  fillSigns() {
    const groups = [MOVE_SIGNS, POSITION_SIGNS, OTHER_SIGNS];
    this.signs.hidden = !this.node;
    if (!this.node) return;
    const words = [t("Signs of the move"), t("Signs of the position"), t("Other signs")];
    fill(
      this.signs,
      groups.map((group, index) =>
        h(
          "div",
          { class: "sign-group", role: "group", "aria-label": words[index] },
          group.map((nag) => this.sign(nag, group)),
        ),
      ),
    );
  }

  sign(nag, group) {
    const [sign, words] = NAGS[nag];
    const isSet = this.node.nags.includes(nag);
    const onclick = () => {
      this.onEdit((work, node) => {
        const isAlone = group !== OTHER_SIGNS;
        const others = node.nags.filter((one) => one !== nag && !(isAlone && group.includes(one)));
        node.nags = isSet ? others : [...others, nag].toSorted((one, other) => one - other);
        return node;
      });
      announce(isSet ? t("{sign} taken away", { sign: t(words) }) : t(words));
      this.signs.querySelector(`[data-nag="${nag}"]`)?.focus();
    };
    return h(
      "button",
      {
        type: "button",
        class: "sign",
        "data-nag": nag,
        "aria-pressed": String(isSet),
        "aria-label": t(words),
        title: t(words),
        onclick,
      },
      sign,
    );
  }

  fillButtons() {
    const { work, node } = this;
    const isVariation = node !== null && work.tree.firstOfVariation(node) !== null;
    const hasMore = work.tree.childrenOf(node).length > 0;
    const shapes = (node ?? work.tree).shapes;
    fill(
      this.buttons,
      isVariation && this.button(t("Promote"), t("Put the variation one place higher"), (tree) => tree.promote(node)),
      isVariation && this.button(t("Main line"), t("Make this the main line"), (tree) => tree.makeMain(node)),
      hasMore && this.button(t("Delete what follows"), t("Delete all moves after this one"), (tree) => tree.cut(node)),
      node && this.removal(),
      shapes.length > 0 &&
        this.button(t("Clear drawing"), t("Take all arrows and circles away"), (tree) => ((node ?? tree).shapes = [])),
      h(
        "button",
        {
          type: "button",
          class: "with-icon",
          onclick: () => this.onUndo(),
          disabled: !work.undo.length,
          title: `${t("Undo")} (u)`,
        },
        icon("undo"),
        t("Undo"),
      ),
    );
  }

  button(words, title, change) {
    const onclick = () =>
      this.onEdit((work, node) => {
        change(work.tree);
        return node;
      });
    return h("button", { type: "button", title, onclick }, words);
  }

  /** Deletes the variation, or in the main line this move and what follows. */
  removal() {
    const { work, node } = this;
    const first = work.tree.firstOfVariation(node);
    const words = first ? t("Delete variation") : t("Delete from here");
    const onclick = () =>
      this.onEdit((changed) => {
        const gone = first ?? node;
        changed.tree.remove(gone);
        return gone.previous;
      });
    return h("button", { type: "button", class: "danger", onclick }, words);
  }

  takePen(button) {
    const isTaken = this.board.pen === null;
    this.board.pen = isTaken ? this.colour : null;
    button.setAttribute("aria-pressed", String(isTaken));
    announce(isTaken ? t("Drags draw arrows, taps draw circles") : t("Drags move pieces"));
  }

  chooseColour(letter, pen) {
    this.colour = letter;
    if (this.board.pen === null) this.takePen(pen);
    else this.board.pen = letter;
  }

  fillTags() {
    if (!this.tags.open || !this.work || this.tags.contains(document.activeElement?.closest?.("input, select"))) return;
    const given = new Map(this.work.tags);
    const fields = TAGS.map((name) => this.tagField(name, given.get(name) ?? ""));
    const ending = h(
      "select",
      { id: "tag-Result", onchange: () => this.setResult(ending.value) },
      RESULTS.map((value) => h("option", { value, selected: value === this.work.result }, result(value))),
    );
    const field = h("div", { class: "field" }, h("label", { for: "tag-Result" }, t("Result")), ending);
    fill(this.tags, this.tags.firstElementChild, h("div", { class: "fields" }, fields, field));
  }

  tagField(name, value) {
    const input = h("input", {
      id: `tag-${name}`,
      type: "text",
      value,
      onchange: () => this.setTag(name, input.value.trim()),
    });
    return h("div", { class: "field" }, h("label", { for: input.id }, t(name)), input);
  }

  setTag(name, value) {
    this.onEdit((work, node) => {
      const others = work.tags.filter(([tag]) => tag !== name);
      work.tags = value ? [...others, [name, value]] : others;
      return node;
    });
  }

  setResult(value) {
    this.onEdit((work, node) => {
      work.result = value;
      return node;
    });
  }
}
