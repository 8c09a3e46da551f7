// The reader's own: games that were collected, games that are worked on, and files that were opened. All of it is in the
// browser.

import { addressOf, gameId, go } from "./address.js";
import { urlOf } from "./api.js";
import { collectedGames, emptyBasket, onBasket } from "./basket.js";
import { setTitle } from "./bidi.js";
import { download } from "./download.js";
import { fill, h } from "./elements.js";
import { bytes, count, playerName, result } from "./format.js";
import { plainGames } from "./games-list.js";
import { showNotice } from "./notice.js";
import { chooseFile } from "./open-text.js";
import { keepFile } from "./opened.js";
import { findGames } from "./pgn-reader.js";
import { useRepertoire } from "./repertoire-file.js";
import { emptyState } from "./states.js";
import { readRecords, removeRecord } from "./store.js";
import { box, dataTable, linkedRow } from "./tables.js";
import { t } from "./words.js";

/** The most games of the basket that are asked for at once. */
const AT_ONCE = 6;

/** The view. */
export class MineView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.basket = h("div", {});
    this.works = h("div", {});
    this.files = h("div", {});
    const open = h("button", { type: "button", class: "primary", onclick: chooseFile }, t("Open a PGN file…"));
    const head = h("div", { class: "position-head" }, h("h1", {}, t("My games")), open);
    const hint = h(
      "p",
      { class: "faint" },
      t(
        "Drop a PGN file anywhere on the page, or paste a game or a FEN with Ctrl-V. Everything here stays in this browser.",
      ),
    );
    const parts = [box(t("Basket"), this.basket), box(t("Boards"), this.works), box(t("Files"), this.files)];
    fill(root, h("div", { class: "page-column mine" }, head, hint, parts));
    this.stopListening = onBasket(() => this.showBasket());
  }

  async update() {
    setTitle(t("My games"));
    await Promise.all([this.showBasket(), this.showWorks(), this.showFiles()]);
  }

  close() {
    this.stopListening();
  }

  async showBasket() {
    const games = await collectedGames();
    if (!games.length) {
      fill(
        this.basket,
        emptyState(t("The basket is empty"), h("p", {}, t("The + in a list of games puts a game here."))),
      );
      return;
    }
    const button = (words, onclick) =>
      h("button", { type: "button", onclick: (event) => this.work(event.target, onclick) }, words);
    fill(
      this.basket,
      h(
        "div",
        { class: "tools" },
        button(t("Save as PGN"), async () => download("basket.pgn", await pgnOf(games))),
        button(t("Open as a list"), () => openAsList(games)),
        button(t("Use as repertoire"), () => useAsRepertoire(games)),
        button(t("Empty the basket"), emptyBasket),
      ),
      plainGames(games),
    );
  }

  /** Does what a button says, which is pale until it is done. */
  async work(button, act) {
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      showNotice(error.message);
    } finally {
      button.disabled = false;
    }
  }

  async showWorks() {
    const records = await readRecords("works").catch(() => []);
    if (!records.length) {
      fill(
        this.works,
        emptyState(
          t("No boards yet"),
          h("p", {}, t("Games that you open or keep are here, with your comments and variations.")),
        ),
      );
      return;
    }
    const columns = [
      [t("Game"), "name"],
      [t("Result"), "result"],
      [t("Date"), "date"],
      [t("Changed"), "date changed"],
      ["", "remove"],
    ];
    const rows = records.toSorted((one, other) => other.changed - one.changed).map((record) => this.workRow(record));
    fill(this.works, dataTable(columns, rows, "works-table"));
  }

  workRow({ id, tags, changed }) {
    const given = new Map(tags);
    const fen = given.get("FEN");
    const players = ["White", "Black"].map((name) => playerName(given.get(name)));
    const isUnknown = players.every((name) => name === playerName("?"));
    const name = isUnknown ? t("Game {id}", { id }) : players.join(" – ");
    return linkedRow(
      addressOf("explorer", { work: id, fen }),
      ["name", name],
      ["result", result(given.get("Result"))],
      ["date", (given.get("Date") ?? "").replace(/(\.\?+)+$/, "").replace(/^\?+$/, "")],
      ["date changed", new Date(changed).toLocaleDateString()],
      ["remove", this.removeButton("works", id, name)],
    );
  }

  async showFiles() {
    const records = await readRecords("files").catch(() => []);
    if (!records.length) {
      fill(this.files, emptyState(t("No files")));
      return;
    }
    const columns = [
      [t("File"), "name"],
      [t("Size"), "number"],
      [t("Opened"), "date"],
      ["", "remove"],
    ];
    const rows = records
      .toReversed()
      .map(({ id, name, text, opened }) =>
        linkedRow(
          addressOf("file", { id }),
          ["name", name],
          ["number", bytes(text.length)],
          ["date", new Date(opened).toLocaleDateString()],
          ["remove", this.removeButton("files", id, name)],
        ),
      );
    fill(this.files, dataTable(columns, rows, "works-table"));
  }

  removeButton(store, id, name) {
    const onclick = async () => {
      await removeRecord(store, id).catch(() => {});
      await this.update();
    };
    return h(
      "button",
      {
        type: "button",
        class: "above remove",
        "aria-label": t("Delete {name}", { name }),
        title: t("Delete"),
        onclick,
      },
      "×",
    );
  }
}

/** The games of the basket as PGN, some at a time. */
async function pgnOf(games) {
  const texts = [];
  for (let from = 0; from < games.length; from += AT_ONCE) {
    const some = games.slice(from, from + AT_ONCE);
    texts.push(...(await Promise.all(some.map(pgnOfOne))));
  }
  return texts.join("\n");
}

async function pgnOfOne(game) {
  const id = gameId(game.database, game.game);
  const response = await fetch(urlOf(`games/${encodeURIComponent(id)}/pgn`)).catch(() => null);
  if (response?.ok) return response.text();
  throw new Error(t("Game {id} is not in the database any more.", { id }));
}

async function openAsList(games) {
  const text = await pgnOf(games);
  const file = await keepFile(
    t("Basket of {count} games", { count: count(games.length) }),
    text,
    await findGames(text),
  );
  go(addressOf("file", { id: file.id }));
}

async function useAsRepertoire(games) {
  useRepertoire({ name: "basket.pgn", text: await pgnOf(games) });
  go(addressOf("repertoire"));
}
