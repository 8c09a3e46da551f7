// The address of the page: `#view?parameters` has the whole state, so that it can be shared and gone back to.

const VIEWS = [
  "explorer",
  "search",
  "game",
  "player",
  "tournaments",
  "tournament",
  "novelties",
  "repertoire",
  "opening",
  "prepare",
  "database",
  "file",
  "mine",
];

/**
 * What an address says.
 * @typedef {{ view: string, parameters: URLSearchParams }} Address
 */

/**
 * Reads the address of the page, or another one.
 * @param {string} [hash]
 * @returns {Address}
 */
export function readAddress(hash = location.hash) {
  const [view, query] = split(hash.replace(/^#\/?/, ""));
  return { view: VIEWS.includes(view) ? view : "explorer", parameters: new URLSearchParams(query) };
}

/**
 * The address of a view, with a database if one is chosen.
 * @param {string} view
 * @param {URLSearchParams | Object<string, unknown>} [parameters] those without a value are left out; arrays are repeated
 * @returns {string}
 */
export function addressOf(view, parameters = {}) {
  const query = queryOf(parameters);
  const database = readAddress().parameters.get("db");
  if (database && !query.has("db")) query.set("db", database);
  // An empty one stands for all databases.
  if (!query.get("db")) query.delete("db");
  const text = tidy(query);
  return text ? `#${view}?${text}` : `#${view}`;
}

/**
 * Parameters as a query; what has no value is left out.
 * @param {URLSearchParams | Object<string, unknown>} parameters
 * @returns {URLSearchParams}
 */
export function queryOf(parameters) {
  if (parameters instanceof URLSearchParams) return new URLSearchParams(parameters);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) {
      if (one !== null && one !== undefined && one !== false && one !== "") query.append(name, String(one));
    }
  }
  return query;
}

/**
 * The parameters with some changed; null takes one away.
 * @param {URLSearchParams} parameters
 * @param {Object<string, unknown>} changes
 * @returns {URLSearchParams}
 */
export function changed(parameters, changes) {
  const query = new URLSearchParams(parameters);
  for (const name of Object.keys(changes)) query.delete(name);
  for (const [name, value] of queryOf(changes)) query.append(name, value);
  return query;
}

/**
 * The number of a game as addresses have it: behind the name of its database, if there are several.
 * @param {string | undefined} database
 * @param {number} id
 */
export function gameId(database, id) {
  return database ? `${database}:${id}` : id;
}

/**
 * Goes to an address.
 * @param {string} address
 * @param {{ replace?: boolean }} [how] `replace` leaves no entry in the history
 */
export function go(address, { replace = false } = {}) {
  if (address === location.hash) return;
  // The browser would tell of a new `location.hash` some time later.
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

function split(text) {
  const at = text.indexOf("?");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Commas, slashes and colons stay readable in an address. */
function tidy(query) {
  return query.toString().replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%3A/g, ":");
}
