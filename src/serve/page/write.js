// Changes of the database by the page of a server that lets it: games are added, replaced, and both taken back.

import { forgetAnswers, send } from "./api.js";
import { fill, h } from "./elements.js";
import { counted } from "./format.js";
import { showNotice } from "./notice.js";
import { writeGame } from "./pgn-writer.js";
import { t } from "./words.js";
import { saveSoon } from "./works.js";

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
    const changed = await replace(work, before.id, writeGame(work));
    // What the database had stays with the work, so that it can be put back at any time.
    const undo = () =>
      changing(async () => {
        const back = await replace(work, work.origin.id, before.pgn);
        showNotice(t("The game is as it was before, now as game {game}.", { game: back.first_game }));
      });
    tell(t("Game {id} was replaced by game {game}.", { id: before.id, game: changed.first_game }), undo);
  });
}

async function replace(work, id, pgn) {
  const changed = await send(`games/${encodeURIComponent(id)}/replace`, {}, pgn);
  const database = String(id).includes(":") ? `${String(id).replace(/:[^:]*$/, "")}:` : "";
  work.origin = { id: `${database}${changed.first_game}`, pgn: work.origin.pgn };
  saveSoon(work);
  return changed;
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
