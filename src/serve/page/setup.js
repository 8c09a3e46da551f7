// Setting up a position: pieces put on a board, or a FEN, moves or a PGN pasted.

import { ask } from "./api.js";
import { fill, h } from "./elements.js";
import { closeButton } from "./icons.js";
import { Painter } from "./painter.js";
import { PIECE_BRUSHES } from "./pattern.js";
import { START, piecesOf, placementOf } from "./placement.js";
import { readPosition } from "./position-text.js";
import { Position } from "./rules.js";
import { t } from "./words.js";

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
    { class: "setup", closedby: "any", "aria-label": t("Set up a position") },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", {}, t("Set up a position")),
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
    placeholder: t("1. e4 c5 2. Nf3 — or a FEN, or a PGN"),
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
    h("label", { for: "paste" }, t("Paste moves, a FEN or a PGN")),
    field,
    notice,
    h("button", { type: "submit" }, t("Go to it")),
  );
}

/** A board with a palette, the side to move, castling rights, the square of en passant, and the number of the move. */
class Editor {
  constructor(fen, choose) {
    this.choose = choose;
    this.painter = new Painter({ label: t("Board to set up"), brushes: PIECE_BRUSHES, onChange: () => this.onPaint() });
    this.notice = h("p", { class: "field-error", role: "alert" });
    this.turn = h(
      "select",
      { id: "setup-turn", onchange: () => this.offerEnPassant() },
      h("option", { value: "w" }, t("White")),
      h("option", { value: "b" }, t("Black")),
    );
    this.rights = new Map(
      Object.entries(CASTLING).map(([letter]) => [letter, h("input", { type: "checkbox", id: `castling-${letter}` })]),
    );
    this.enPassant = h("select", { id: "setup-en-passant" });
    this.number = h("input", { id: "setup-number", type: "number", min: 1, max: 999, inputmode: "numeric" });
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
      h("label", { class: "flag", for: box.id }, box, t(CASTLING[letter])),
    );
    const place = (name, fen) => h("button", { type: "button", onclick: () => this.put(fen) }, name);
    const field = (words, control) => h("div", { class: "field" }, h("label", { for: control.id }, words), control);
    return h(
      "div",
      { class: "editor-fields" },
      field(t("To move"), this.turn),
      h("fieldset", {}, h("legend", {}, t("Castling")), rights),
      field(t("En passant"), this.enPassant),
      field(t("Move number"), this.number),
      h(
        "div",
        { class: "buttons" },
        place(t("Start position"), START),
        place(t("Empty board"), "8/8/8/8/8/8/8/8 w - - 0 1"),
        h("button", { type: "button", onclick: () => this.turnBoard() }, t("Swap colours")),
      ),
      this.notice,
      h("button", { type: "submit", class: "primary" }, t("Use this position")),
    );
  }

  put(fen) {
    const [, turn, castling, enPassant, , number] = fen.split(" ");
    this.painter.show(piecesOf(fen));
    this.turn.value = turn ?? "w";
    for (const [letter, box] of this.rights) box.checked = (castling ?? "").includes(letter);
    this.number.value = Number(number) || 1;
    this.onPaint();
    this.enPassant.value = enPassant ?? "-";
    if (!this.enPassant.value) this.enPassant.value = "-";
  }

  /** Rights and squares that the pieces do not allow are not offered. */
  onPaint() {
    fill(this.notice);
    for (const [letter, box] of this.rights) {
      const isPossible = Position.of(`${placementOf(this.painter.tokens)} w ${letter}`).castling.length > 0;
      box.disabled = !isPossible;
    }
    this.offerEnPassant();
  }

  offerEnPassant() {
    const before = this.enPassant.value;
    const squares = [..."abcdefgh"].map((file) => this.enPassantSquare(file)).filter(Boolean);
    fill(
      this.enPassant,
      ["-", ...squares].map((square) => h("option", { value: square }, square === "-" ? t("none") : square)),
    );
    this.enPassant.value = squares.includes(before) ? before : "-";
  }

  /** The square behind a pawn that may just have gone two squares. */
  enPassantSquare(file) {
    const isWhite = this.turn.value === "w";
    const [pawn, on, behind, from] = isWhite ? ["p", 5, 6, 7] : ["P", 4, 3, 2];
    const { tokens } = this.painter;
    const isThere =
      tokens.get(`${file}${on}`) === pawn && !tokens.has(`${file}${behind}`) && !tokens.has(`${file}${from}`);
    const taker = isWhite ? "P" : "p";
    const beside = [-1, 1].map((side) => "abcdefgh"["abcdefgh".indexOf(file) + side]);
    const isTaken = beside.some((other) => other && tokens.get(`${other}${on}`) === taker);
    return isThere && isTaken ? `${file}${behind}` : null;
  }

  /** White's pieces become Black's on the other side of the board. */
  turnBoard() {
    const swapped = [...this.painter.tokens].map(([square, token]) => {
      const isWhite = token === token.toUpperCase();
      return [square[0] + (9 - Number(square[1])), isWhite ? token.toLowerCase() : token.toUpperCase()];
    });
    this.painter.show(new Map(swapped));
    this.turn.value = this.turn.value === "w" ? "b" : "w";
    const checked = new Map([...this.rights].map(([letter, box]) => [letter, box.checked]));
    const other = (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());
    for (const [letter, box] of this.rights) box.checked = checked.get(other(letter));
    this.onPaint();
  }

  fen() {
    const rights = [...this.rights].filter(([, box]) => box.checked && !box.disabled).map(([letter]) => letter);
    const number = Math.max(1, Number(this.number.value) || 1);
    const fields = [
      placementOf(this.painter.tokens),
      this.turn.value,
      rights.join("") || "-",
      this.enPassant.value || "-",
    ];
    return `${fields.join(" ")} 0 ${number}`;
  }

  async finish(event) {
    event.preventDefault();
    try {
      const position = await ask("position", { fen: this.fen() });
      this.choose({ fen: position.fen, play: "" });
    } catch (error) {
      fill(this.notice, error.message);
    }
  }
}
