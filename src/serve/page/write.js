// Changes of the database by the page of a server that lets it: games are added, replaced, and both taken back.

import { forgetAnswers, send } from "./api.js";
import { fill, h } from "./elements.js";
import { counted } from "./format.js";
import { showNotice } from "./notice.js";
import { writeGame } from "./pgn-writer.js";
import { t } from "./words.js";

let isWritable = false;

/** Whether the page may change databases. */
export function canWrite() {
  return isWritable;
}

/** Notes what the server says of its databases. @param {{ writable: boolean }[]} databases */
export function noteDatabases(databases) {
  isWritable = databases.some(({ writable }) => writable);
}

/** Adds a work to the database. @param {import("./works.js").Work} work */
export function addToDatabase(work) {
  return changing(async () => {
    const { games, source, first_game: game } = await send("add", {}, writeGame(work));
    if (!games) {
      showNotice(t("Nothing was added: the database has this game already."));
      return;
    }
    const undo = () =>
      changing(async () => {
        const { deleted } = await send("undo", { source }, "");
        showNotice(t("{count} taken out of the database.", { count: counted(deleted, "game") }));
      });
    tell(t("Added to the database as game {game}.", { game }), undo);
  });
}

/** Puts a work in the place of the game of the database that it was made of. @param {import("./works.js").Work} work */
export function replaceInDatabase(work) {
  return changing(async () => {
    const before = work.origin;
    const replace = (pgn) => send(`games/${encodeURIComponent(before.id)}/replace`, {}, pgn);
    await replace(writeGame(work));
    // What the database had stays with the work, so that it can be put back.
    const undo = () =>
      changing(async () => {
        await replace(before.pgn);
        showNotice(t("Game {id} is as it was before.", { id: before.id }));
      });
    tell(t("Game {id} was replaced.", { id: before.id }), undo);
  });
}

/** Makes a change; what is known of the database is old then. */
async function changing(change) {
  try {
    await change();
  } catch (error) {
    showNotice(error.message);
  } finally {
    forgetAnswers();
    // The view asks again.
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

function tell(sentence, undo) {
  const button = h("button", { type: "button", class: "undo-change" }, t("Undo"));
  button.addEventListener("click", () => {
    fill(button, "…");
    undo();
  });
  showNotice(sentence, " ", button);
}
