// Opens a text: a FEN goes to its position, a game to the board, several games to a list.

import { addressOf, go } from "./address.js";
import { findGames, readGame } from "./pgn-reader.js";
import { START } from "./placement.js";
import { Position, isFen } from "./rules.js";
import { writeRecord } from "./store.js";
import { t } from "./words.js";
import { addressOfWork } from "./work-menu.js";
import { keepAsWork } from "./works.js";

/** Files that were opened, by their numbers, as long as the page is open. @type {Map<string, OpenedFile>} */
export const openedFiles = new Map();

/**
 * A text with its games.
 * @typedef {{ id: number | string, name: string, text: string, games: import("./pgn-reader.js").FoundGame[] }} OpenedFile
 */

/**
 * Opens a text.
 * @param {string} text
 * @param {string} name of the file
 */
export async function openText(text, name) {
  if (isFen(text) && !text.trim().includes("\n")) {
    openPosition(text.trim());
    return;
  }
  const games = await findGames(text);
  if (!games.length) throw new Error(t("There is no game and no position in this text."));
  if (games.length === 1) {
    await openGame(text.slice(games[0].from, games[0].to));
    return;
  }
  const file = await keepFile(name, text, games);
  go(addressOf("file", { id: file.id }));
}

/**
 * Opens one game on the board.
 * @param {string} text
 */
export async function openGame(text) {
  const game = await readGame(text);
  if (!game.tree.children.length && !game.tags.length) throw new Error(t("There are no moves in this text."));
  const work = await keepAsWork(game);
  go(addressOfWork(work));
}

/** Keeps a text in the browser. If there is no room, it is there until the page is closed. */
export async function keepFile(name, text, games) {
  const id = await writeRecord("files", { name, text, opened: Date.now() }).catch(() => `t${Date.now()}`);
  const file = { id, name, text, games };
  openedFiles.set(String(id), file);
  return file;
}

/** An EPD has no counters: its first four fields are the first fields of a FEN. */
function openPosition(text) {
  const fields = text.split(/\s+/);
  const isWhole = /^\d+$/.test(fields[4] ?? "") && /^\d+$/.test(fields[5] ?? "");
  const position = Position.of(fields.slice(0, isWhole ? 6 : 4).join(" "));
  const fen = position.fen();
  go(addressOf("explorer", { fen: fen === START ? null : fen }));
}
