// The trees that are worked on: of each opened game, and of each start position that is explored. They stay
// in the browser.

import { GameTree } from "./game-tree.js";
import { readGame } from "./pgn-reader.js";
import { writeGame } from "./pgn-writer.js";
import { START } from "./placement.js";
import { Position, isFen } from "./rules.js";
import { readRecord, writeRecord } from "./store.js";

const SAVE_MILLISECONDS = 400;
const MAX_UNDO = 50;

/**
 * A game that is worked on. Without a number, it is the tree of what is explored, which ends with the tab.
 * @typedef {{
 *   id: number | null, tags: [string, string][], tree: GameTree, result: string, undo: string[], saving: number,
 *   origin?: { id: string, pgn: string } | null
 * }} Work `origin` is the game of the database that it was made of, as the database had it
 */

/** @type {Map<string, Work>} */
const known = new Map();

/** The work of an address, if it is in memory. @param {URLSearchParams} parameters @returns {Work | null} */
export function knownWork(parameters) {
  const id = numberOf(parameters.get("work"));
  const key = id === null ? startOf(parameters) : String(id);
  if (key === null) return null;
  const work = known.get(key);
  if (work) return work;
  if (id !== null || storedScratch(key)) return null;
  return remember(key, emptyWork(key));
}

/** The work of an address, which may have to be read. @param {URLSearchParams} parameters @returns {Promise<Work | null>} */
export async function openWork(parameters) {
  const id = numberOf(parameters.get("work"));
  const record = id === null ? null : await readRecord("works", id).catch(() => null);
  if (record)
    return remember(String(id), { ...(await readGame(record.pgn)), id, origin: record.origin, undo: [], saving: 0 });
  const start = startOf(parameters);
  if (start === null) return null;
  const text = storedScratch(start);
  if (!text) return known.get(start) ?? remember(start, emptyWork(start));
  return remember(start, { ...(await readGame(text)), id: null, undo: [], saving: 0 });
}

/**
 * Keeps a game as a work of its own.
 * @param {{ tags: [string, string][], tree: GameTree, result: string }} game
 * @param {{ id: string, pgn: string } | null} [origin]
 * @returns {Promise<Work>}
 */
export async function keepAsWork({ tags, tree, result }, origin = null) {
  const pgn = writeGame({ tags, tree, result });
  const id = await writeRecord("works", { pgn, tags, origin, changed: Date.now() }).catch(() => Date.now());
  return remember(String(id), { id, tags, tree, result, origin, undo: [], saving: 0 });
}

/** The works that are to be saved. @type {Set<Work>} */
const unsaved = new Set();

/** Saves a work some time after its last change. @param {Work} work */
export function saveSoon(work) {
  unsaved.add(work);
  clearTimeout(work.saving);
  work.saving = setTimeout(() => save(work), SAVE_MILLISECONDS);
}

// Whoever closes the tab has no time to wait.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") for (const work of unsaved) save(work);
});

/** Remembers how a work is, so that the next change can be undone. @param {Work} work */
export function rememberForUndo(work) {
  work.undo.push(writeGame(work));
  if (work.undo.length > MAX_UNDO) work.undo.shift();
}

/** Undoes the last change that was remembered. @param {Work} work @returns {Promise<boolean>} */
export async function undo(work) {
  const pgn = work.undo.pop();
  if (pgn === undefined) return false;
  Object.assign(work, await readGame(pgn));
  saveSoon(work);
  return true;
}

/** Begins the tree of what is explored anew. @param {string} start */
export function clearScratch(start) {
  known.delete(start);
  storeScratch(start, null);
}

/** The value of a tag, or nothing. @param {Work} work @param {string} name */
export function tagOf(work, name) {
  const value = work.tags.find(([tag]) => tag === name)?.[1];
  return value && !/^[?.]*$/.test(value) ? value : null;
}

async function save(work) {
  clearTimeout(work.saving);
  unsaved.delete(work);
  const pgn = writeGame(work);
  if (work.id === null) {
    storeScratch(work.tree.start, work.tree.nodes.length ? pgn : null);
    return;
  }
  const record = { id: work.id, pgn, tags: work.tags, origin: work.origin ?? null, changed: Date.now() };
  await writeRecord("works", record).catch(() => {});
}

/** The start of what is explored as a whole FEN; nothing if it is none. */
function startOf(parameters) {
  const fen = parameters.get("fen");
  if (!fen) return START;
  const text = fen.replaceAll("_", " ");
  if (!isFen(text)) return null;
  const position = Position.of(text);
  const isWhole = ["K", "k"].every((king) => position.board.filter((piece) => piece === king).length === 1);
  return isWhole ? position.fen() : null;
}

function emptyWork(start) {
  return { id: null, tags: [], tree: new GameTree(start), result: "*", undo: [], saving: 0 };
}

function remember(key, work) {
  known.set(key, work);
  return work;
}

function numberOf(text) {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** The trees explored in this tab, which outlive a reload. */
function storedScratch(start) {
  try {
    return sessionStorage.getItem(`explored ${start}`);
  } catch {
    return null;
  }
}

function storeScratch(start, pgn) {
  try {
    if (pgn === null) sessionStorage.removeItem(`explored ${start}`);
    else sessionStorage.setItem(`explored ${start}`, pgn);
  } catch {
    // It stays until the page is loaded anew.
  }
}
