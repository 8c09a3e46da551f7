// The storage of the browser: games that are worked on, files that were opened, and games that were collected.

const NAME = "stamma";
const VERSION = 1;
/** `works` have the games that are worked on, `files` the texts that were opened, `basket` the games that were collected. */
const STORES = ["works", "files", "basket"];

/** @type {Promise<IDBDatabase> | null} */
let opening = null;

/** @param {string} store @param {number | string} id */
export function readRecord(store, id) {
  return request(store, "readonly", (records) => records.get(id));
}

/** @param {string} store @returns {Promise<any[]>} */
export function readRecords(store) {
  return request(store, "readonly", (records) => records.getAll());
}

/** Writes a record, and returns its number. @param {string} store @param {Object<string, unknown>} record */
export function writeRecord(store, record) {
  return request(store, "readwrite", (records) => records.put(record));
}

/** @param {string} store @param {number | string} id */
export function removeRecord(store, id) {
  return request(store, "readwrite", (records) => records.delete(id));
}

/** @param {string} store */
export function clearRecords(store) {
  return request(store, "readwrite", (records) => records.clear());
}

async function request(store, mode, make) {
  opening ??= open();
  const database = await opening;
  const asking = make(database.transaction(store, mode).objectStore(store));
  return settled(asking);
}

function open() {
  const opened = indexedDB.open(NAME, VERSION);
  opened.onupgradeneeded = () => {
    for (const name of STORES) opened.result.createObjectStore(name, { keyPath: "id", autoIncrement: true });
  };
  return settled(opened);
}

function settled(asking) {
  return new Promise((resolve, reject) => {
    asking.onsuccess = () => resolve(asking.result);
    asking.onerror = () => reject(asking.error);
  });
}
