// Texts saved as files.

import { h } from "./elements.js";

const PGN = "application/x-chess-pgn";

/** Saves a text as a file. @param {string} name @param {string} text */
export function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: PGN }));
  const link = h("a", { href, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the text after the click.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** The name of a file for a game: its players. @param {[string, string][]} tags */
export function fileName(tags) {
  const given = new Map(tags);
  const players = ["White", "Black"].map((name) => (given.get(name) ?? "").split(",")[0]);
  const known = players.filter((name) => name && !/^[?.]*$/.test(name));
  const words = known
    .join("-")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return `${words || "game"}.pgn`;
}
