// Files and texts that are brought to the page: dropped, chosen or pasted. They are read in the browser, and sent nowhere.

import { announce } from "./announce.js";
import { h } from "./elements.js";
import { loadLater } from "./later-view.js";
import { showNotice } from "./notice.js";
import { t } from "./words.js";

/** The most bytes of a file. */
const MAX_BYTES = 64 << 20;

/** Whether something of the page itself is dragged, such as a link. */
let isOwnDrag = false;

/** Listens for files and texts on the whole page. */
export function startOpening() {
  addEventListener("dragstart", () => (isOwnDrag = true));
  addEventListener("dragend", () => (isOwnDrag = false));
  addEventListener("dragover", (event) => {
    if (!bringsSomething(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => onDrop(event));
  addEventListener("paste", (event) => onPaste(event));
}

/** Lets the reader choose a file. */
export function chooseFile() {
  const field = h("input", {
    type: "file",
    accept: ".pgn,.txt,.fen,.epd,text/plain,application/x-chess-pgn",
    hidden: true,
  });
  field.addEventListener("change", () => {
    if (field.files.length) openFiles([...field.files]);
    field.remove();
  });
  document.body.append(field);
  field.click();
}

async function onDrop(event) {
  document.body.classList.remove("dropping");
  if (!bringsSomething(event) || isField(event.target)) return;
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  const text = event.dataTransfer.getData("text/plain");
  if (files.length) await openFiles(files);
  else if (text) await open(text, t("Dropped text"));
}

async function onPaste(event) {
  if (isField(event.target)) return;
  const files = [...(event.clipboardData?.files ?? [])];
  const text = event.clipboardData?.getData("text/plain").trim();
  if (!files.length && !text) return;
  event.preventDefault();
  if (files.length) await openFiles(files);
  else await open(text, t("Pasted text"));
}

async function openFiles(files) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_BYTES) {
    showNotice(t("A file of more than 64 MB is too large for the page. Import it with `stamma import`."));
    return;
  }
  const texts = await Promise.all(files.map(async (file) => decoded(await file.arrayBuffer())));
  const name = files.length === 1 ? files[0].name : t("{count} files", { count: files.length });
  await open(texts.join("\n\n"), name);
}

async function open(text, name) {
  announce(t("Opening {name}", { name }));
  try {
    const { openText } = await loadLater();
    await openText(text, name);
  } catch (error) {
    showNotice(error.message);
  }
}

/** UTF-8, or what Windows wrote before. */
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function bringsSomething({ dataTransfer }) {
  if (isOwnDrag) return false;
  return dataTransfer.types.includes("Files") || dataTransfer.types.includes("text/plain");
}

function isField(element) {
  return Boolean(element?.closest?.("input, textarea, select, [contenteditable]"));
}
