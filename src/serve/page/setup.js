// Setting up a position: pieces put on a board, or a FEN, moves or a PGN pasted.

import { ask } from "./api.js";
import { fill, h } from "./elements.js";
import { closeButton } from "./icons.js";
import { Painter } from "./painter.js";
import { PIECE_BRUSHES } from "./pattern.js";
import { START, piecesOf, placementOf } from "./placement.js";
import { readPosition } from "./position-text.js";

const CASTLING = { K: "White, short", Q: "White, long", k: "Black, short", q: "Black, long" };

/**
 * Asks for a position.
 * @param {string} fen what the board starts with
 * @param {(position: { fen: string, play: string }) => void} onChoose
 */
export function askForPosition(fen, onChoose) {
  const choose = (position) => {
    dialog.close();
    onChoose(position);
  };
  const editor = new Editor(fen, choose);
  const dialog = h(
    "dialog",
    { class: "setup", closedby: "any", "aria-label": "Set up a position" },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", {}, "Set up a position"),
      closeButton(() => dialog.close()),
    ),
    pasteForm(choose),
    editor.element,
  );
  dialog.addEventListener("close", () => {
    editor.painter.close();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  editor.painter.start();
}

function pasteForm(choose) {
  const field = h("textarea", {
    id: "paste",
    rows: 2,
    autofocus: true,
    spellcheck: "false",
    placeholder: "1. e4 c5 2. Nf3 — or a FEN, or a PGN",
  });
  const notice = h("p", { class: "field-error", role: "alert" });
  const read = async (event) => {
    event.preventDefault();
    try {
      choose(await readPosition(field.value));
    } catch (error) {
      fill(notice, error.message);
    }
  };
  return h(
    "form",
    { class: "paste", onsubmit: read },
    h("label", { for: "paste" }, "Paste moves, a FEN or a PGN"),
    field,
    notice,
    h("button", { type: "submit" }, "Go to it"),
  );
}

/** A board with a palette, the side to move and the castling rights. */
class Editor {
  constructor(fen, choose) {
    this.choose = choose;
    this.painter = new Painter({ label: "Board to set up", brushes: PIECE_BRUSHES, onChange: () => fill(this.notice) });
    this.notice = h("p", { class: "field-error", role: "alert" });
    this.turn = h(
      "select",
      { id: "setup-turn" },
      h("option", { value: "w" }, "White"),
      h("option", { value: "b" }, "Black"),
    );
    this.rights = new Map(
      Object.entries(CASTLING).map(([letter]) => [letter, h("input", { type: "checkbox", id: `castling-${letter}` })]),
    );
    this.element = h(
      "form",
      { class: "editor", onsubmit: (event) => this.finish(event) },
      this.painter.element,
      this.fields(),
    );
    this.put(fen);
  }

  fields() {
    const rights = [...this.rights].map(([letter, box]) =>
      h("label", { class: "flag", for: box.id }, box, CASTLING[letter]),
    );
    const place = (name, fen) => h("button", { type: "button", onclick: () => this.put(fen) }, name);
    return h(
      "div",
      { class: "editor-fields" },
      h("div", { class: "field" }, h("label", { for: "setup-turn" }, "To move"), this.turn),
      h("fieldset", {}, h("legend", {}, "Castling"), rights),
      h("div", { class: "buttons" }, place("Start position", START), place("Empty board", "8/8/8/8/8/8/8/8 w - - 0 1")),
      this.notice,
      h("button", { type: "submit", class: "primary" }, "Use this position"),
    );
  }

  put(fen) {
    const [, turn, castling] = fen.split(" ");
    this.painter.show(piecesOf(fen));
    this.turn.value = turn ?? "w";
    for (const [letter, box] of this.rights) box.checked = (castling ?? "").includes(letter);
  }

  async finish(event) {
    event.preventDefault();
    const rights =
      [...this.rights]
        .filter(([, box]) => box.checked)
        .map(([letter]) => letter)
        .join("") || "-";
    const fen = `${placementOf(this.painter.tokens)} ${this.turn.value} ${rights} - 0 1`;
    try {
      const position = await ask("position", { fen });
      this.choose({ fen: position.fen, play: "" });
    } catch (error) {
      fill(this.notice, error.message);
    }
  }
}
