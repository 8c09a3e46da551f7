// The basket: games of the database that the reader has collected from lists. The browser keeps it.

import { announce } from "./announce.js";
import { gameId } from "./address.js";
import { h } from "./elements.js";
import { isolated } from "./bidi.js";
import { playerName } from "./format.js";
import { clearRecords, readRecords, removeRecord, writeRecord } from "./store.js";
import { t } from "./words.js";

/** The games by their numbers. @type {Map<string, any>} */
const games = new Map();
const listeners = new Set();

/** When the basket of earlier visits is there. */
const loaded = readRecords("basket")
  .then((records) => {
    for (const record of records) games.set(record.id, record.game);
    tell();
  })
  // Without storage, the basket is there until the page is closed.
  .catch(() => {});

/** The games that were collected. @returns {Promise<any[]>} */
export async function collectedGames() {
  await loaded;
  return [...games.values()];
}

/** Hears of each change, and at once. @param {() => void} listener @returns {() => void} ends it */
export function onBasket(listener) {
  listeners.add(listener);
  listener();
  return () => listeners.delete(listener);
}

/** The number of games. */
export function basketSize() {
  return games.size;
}

/** Empties the basket. */
export async function emptyBasket() {
  games.clear();
  tell();
  await clearRecords("basket").catch(() => {});
}

/** Puts games into the basket. @param {any[]} added of a list */
export async function collect(added) {
  for (const game of added) {
    const id = idOf(game);
    games.set(id, game);
    await writeRecord("basket", { id, game }).catch(() => {});
  }
  tell();
}

/**
 * The button of a row that puts its game into the basket, or takes it out.
 * @param {any} game of a list
 */
export function basketButton(game) {
  const id = idOf(game);
  const name = `${isolated(playerName(game.white))} – ${isolated(playerName(game.black))}`;
  const button = h("button", { type: "button", class: "collect", onclick: () => toggle(id, game, button) });
  button.basketId = id;
  button.gameName = name;
  mark(button);
  return button;
}

async function toggle(id, game) {
  await loaded;
  if (games.delete(id)) {
    await removeRecord("basket", id).catch(() => {});
    announce(t("Taken out of the basket"));
  } else {
    await collect([game]);
    announce(t("In the basket: {count}", { count: games.size }));
  }
  tell();
}

function mark(button) {
  const isIn = games.has(button.basketId);
  button.textContent = isIn ? "✓" : "+";
  button.setAttribute("aria-pressed", String(isIn));
  button.setAttribute("aria-label", t("In the basket: {name}", { name: button.gameName }));
  button.title = isIn ? t("Take out of the basket") : t("Put into the basket");
}

function tell() {
  for (const button of document.querySelectorAll("button.collect")) mark(button);
  for (const listener of listeners) listener();
}

function idOf(game) {
  return String(gameId(game.database, game.game));
}
