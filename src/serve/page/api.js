// The answers of the server under `/api/1/`. Answers are kept for a while, since people go back and forth.

import { queryOf, readAddress } from "./address.js";
import { t } from "./words.js";

const KEPT_ANSWERS = 200;
/** An import may change the database meanwhile. */
const KEPT_MILLISECONDS = 30_000;
/** The most answers that are waited for before they are needed. */
const MAX_EXPECTED = 12;
/** @type {Map<string, { answer: unknown, time: number }>} */
const answers = new Map();
/** @type {Map<string, Promise<unknown>>} */
const expected = new Map();

/** An answer that is not the one that was asked for, with the server's sentence. */
export class AnswerError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Asks the server.
 * @param {string} route such as `moves`
 * @param {URLSearchParams | Object<string, unknown>} [parameters]
 * @param {{ signal?: AbortSignal, fresh?: boolean }} [how] `fresh` asks even if the answer is known
 * @returns {Promise<any>}
 */
export async function ask(route, parameters = {}, { signal, fresh = false } = {}) {
  const url = urlOf(route, parameters);
  if (!fresh && isKnown(url)) return answers.get(url).answer;
  if (!fresh && expected.has(url)) {
    await expected.get(url);
    signal?.throwIfAborted();
    if (isKnown(url)) return answers.get(url).answer;
  }
  const answer = await read(url, signal);
  keep(url, answer);
  return answer;
}

/**
 * Asks the server about a text, which is sent with the question. The answer is not kept.
 * @param {string} route such as `repertoire`
 * @param {URLSearchParams | Object<string, unknown>} parameters
 * @param {string} text
 * @param {{ signal?: AbortSignal }} [how]
 * @returns {Promise<any>}
 */
export function send(route, parameters, text, { signal } = {}) {
  const headers = { Accept: "application/json", "Content-Type": "application/x-chess-pgn" };
  return answered(() => fetch(urlOf(route, parameters), { method: "POST", body: text, signal, headers }), signal);
}

/**
 * Asks the server for what is likely to be needed next.
 * @param {string} route
 * @param {URLSearchParams | Object<string, unknown>} parameters
 */
export function expect(route, parameters) {
  const url = urlOf(route, parameters);
  if (isKnown(url) || expected.has(url) || expected.size >= MAX_EXPECTED) return;
  const asking = read(url)
    .then((answer) => keep(url, answer))
    // Whoever needs the answer asks again, and hears of the failure.
    .catch(() => {})
    .finally(() => expected.delete(url));
  expected.set(url, asking);
}

/**
 * The URL of a route, with the chosen database.
 * @param {string} route
 * @param {URLSearchParams | Object<string, unknown>} [parameters]
 * @returns {string}
 */
export function urlOf(route, parameters = {}) {
  const query = queryOf(parameters);
  const database = readAddress().parameters.get("db");
  if (database && !query.has("db")) query.set("db", database);
  const text = query.toString();
  return `/api/1/${route}${text ? `?${text}` : ""}`;
}

/** Whether an error says only that nobody waits for the answer any more. */
export function isAborted(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Forgets what is known, since the database has changed. */
export function forgetAnswers() {
  answers.clear();
}

function read(url, signal) {
  return answered(() => started(url) ?? fetch(url, { signal, headers: { Accept: "application/json" } }), signal);
}

/** The JSON of a response, or an error with the server's sentence. */
async function answered(asking, signal) {
  let response;
  try {
    response = await asking();
    signal?.throwIfAborted();
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new AnswerError(t("The server does not answer. Is `stamma serve` still running?"), 0);
  }
  if (!response.ok) throw new AnswerError(await sentenceOf(response), response.status);
  return response.json();
}

function isKnown(url) {
  const known = answers.get(url);
  return known !== undefined && performance.now() - known.time < KEPT_MILLISECONDS;
}

/** The response to a question that was asked before this script was there, if nobody has taken it yet. */
function started(url) {
  const response = globalThis.started?.get(url);
  globalThis.started?.delete(url);
  return response;
}

async function sentenceOf(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text || `The server answered with status ${response.status}.`;
  }
}

function keep(url, answer) {
  answers.delete(url);
  answers.set(url, { answer, time: performance.now() });
  if (answers.size > KEPT_ANSWERS) answers.delete(answers.keys().next().value);
}
