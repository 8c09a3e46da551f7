// The games of a file that was opened: a list to choose from.

import { addressOf, go } from "./address.js";
import { setTitle } from "./bidi.js";
import { fill, h } from "./elements.js";
import { count, counted, date, playerName, result } from "./format.js";
import { showNotice } from "./notice.js";
import { openGame, openedFiles } from "./opened.js";
import { findGames } from "./pgn-reader.js";
import { emptyState, skeleton } from "./states.js";
import { readRecord } from "./store.js";
import { dataRow, dataTable } from "./tables.js";
import { t } from "./words.js";

const PAGE = 100;

/** The view of a file. */
export class FileView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.heading = h("h1", {}, "…");
    this.facts = h("p", { class: "facts" });
    this.field = h("input", { id: "file-filter", type: "text", oninput: () => this.showGames() });
    this.list = h("div", { class: "games" }, skeleton(8));
    const filter = h("div", { class: "field" }, h("label", { for: "file-filter" }, t("Contains")), this.field);
    const back = h("a", { class: "button", href: addressOf("mine") }, t("My games"));
    const head = h("div", { class: "position-head" }, this.heading, back);
    fill(root, h("div", { class: "page-column file" }, head, this.facts, filter, this.list));
  }

  /** @param {URLSearchParams} parameters */
  async update(parameters) {
    const id = parameters.get("id") ?? "";
    this.file = openedFiles.get(id) ?? (await readFile(id));
    if (!this.file) {
      fill(this.heading, t("No such file"));
      fill(
        this.list,
        emptyState(t("This file is not in this browser."), h("p", {}, t("Open it again: drop it on the page."))),
      );
      return;
    }
    setTitle(this.file.name);
    fill(this.heading, this.file.name);
    this.showGames();
  }

  showGames() {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (game) =>
      game.tags
        .map(([, value]) => value)
        .join(" ")
        .toLowerCase();
    const found = this.file.games.filter((game) => !words.length || words.every((word) => text(game).includes(word)));
    const all = counted(this.file.games.length, "game");
    fill(this.facts, words.length ? t("{found} of {all}", { found: count(found.length), all }) : all);
    this.drawList(found, PAGE);
  }

  drawList(games, shown) {
    const columns = [
      ["#", "number"],
      [t("White"), "name"],
      [t("Black"), "name"],
      [t("Result"), "result"],
      [t("Date"), "date"],
      [t("Event"), "event"],
    ];
    const rows = games.slice(0, shown).map((game) => this.row(game));
    const more =
      games.length > shown &&
      h(
        "button",
        { type: "button", class: "more", onclick: () => this.drawList(games, shown + 5 * PAGE) },
        t("More games"),
      );
    fill(this.list, dataTable(columns, rows, "file-table"), more);
  }

  row(game) {
    const given = new Map(game.tags);
    const number = this.file.games.indexOf(game) + 1;
    const open = h(
      "button",
      { type: "button", class: "row-button", onclick: () => this.open(game) },
      playerName(given.get("White")),
    );
    const row = dataRow(
      ["number faint", String(number)],
      ["name", open],
      ["name", playerName(given.get("Black"))],
      ["result", result(given.get("Result"))],
      ["date", date(given.get("Date"))],
      ["event", given.get("Event") === "?" ? "" : (given.get("Event") ?? "")],
    );
    row.classList.add("linked");
    return row;
  }

  async open(game) {
    try {
      await openGame(this.file.text.slice(game.from, game.to));
    } catch (error) {
      showNotice(error.message);
    }
  }
}

async function readFile(id) {
  const record = /^\d+$/.test(id) ? await readRecord("files", Number(id)).catch(() => null) : null;
  if (!record) return null;
  const file = { ...record, games: await findGames(record.text) };
  openedFiles.set(id, file);
  return file;
}
