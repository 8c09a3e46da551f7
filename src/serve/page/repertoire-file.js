// The file of a repertoire, which is chosen in one view and used in others. It is kept until the page is closed.

import { fill, h } from "./elements.js";
import { t } from "./words.js";

const MAX_BYTES = 1 << 20;
const TYPES = ".pgn,.epd,.fen,.txt,application/x-chess-pgn";

/** @type {{ name: string, text: string } | null} */
let chosen = null;

/** The file that was chosen last. @returns {{ name: string, text: string } | null} */
export function chosenFile() {
  return chosen;
}

/** Takes a text for the file of lines. @param {{ name: string, text: string }} file */
export function useRepertoire(file) {
  if (file.text.length > MAX_BYTES) throw new Error(t("{name} has more than a megabyte; `stamma repertoire` reads it.", file));
  chosen = file;
}

/**
 * A field in which a file is chosen. What the server would refuse is refused here.
 * @param {() => void} onChoose
 */
export function fileField(onChoose) {
  const fault = h("p", { class: "field-error", role: "alert" });
  const name = h("span", { class: "faint" }, chosen?.name);
  const input = h("input", { type: "file", id: "repertoire-file", accept: TYPES });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    fill(fault);
    if (!file) return;
    if (file.size > MAX_BYTES) {
      fill(fault, t("{name} has more than a megabyte; `stamma repertoire` reads it.", { name: file.name }));
      return;
    }
    chosen = { name: file.name, text: await file.text() };
    fill(name);
    onChoose();
  });
  const choice = h("div", { class: "file-choice" }, h("label", { for: "repertoire-file" }, t("File of lines")), input, name);
  return h("div", {}, choice, fault);
}
