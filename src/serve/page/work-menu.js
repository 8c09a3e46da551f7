// The menu beside the board of the explorer: opening, saving, and finding in the database what is on the board.

import { addressOf, go } from "./address.js";
import { announce } from "./announce.js";
import { SPEEDS, chooseSpeed, chosenSpeed } from "./autoplay.js";
import { choice } from "./choices.js";
import { copyText } from "./clipboard.js";
import { download, fileName } from "./download.js";
import { GameTree } from "./game-tree.js";
import { menu, menuButton, menuChoice, menuHead, menuLink } from "./menu.js";
import { chooseFile } from "./open-text.js";
import { writeGame } from "./pgn-writer.js";
import { START } from "./placement.js";
import { t } from "./words.js";
import { keepAsWork, tagOf } from "./works.js";
import { addToDatabase, canWrite, replaceInDatabase } from "./write.js";

/**
 * The menu of the explorer.
 * @param {import("./explorer.js").Explorer} view
 */
export function workMenu(view) {
  return menu(t("Open, save, find"), "more", () => [fileEntries(view), databaseEntries(view), viewEntries(view)]);
}

function fileEntries(view) {
  const { work } = view;
  const pgn = () => writeGame(work);
  return [
    menuButton(t("Open a PGN file…"), chooseFile, { key: "o" }),
    menuButton(t("New board"), () => view.startAnew()),
    work && menuButton(t("Save as PGN"), () => download(fileName(work.tags), pgn())),
    work && menuButton(t("Copy PGN"), () => copyAndSay(pgn())),
    work && menuButton(t("Copy FEN"), () => copyAndSay(view.position.fen())),
    work && canWrite() && menuButton(t("Add to the database"), () => addToDatabase(work)),
    work?.origin &&
      canWrite() &&
      menuButton(t("Replace game {id} in the database", { id: work.origin.id }), () => replaceInDatabase(work)),
    work?.id === null && work.tree.children.length > 0 && menuButton(t("Keep in “My games”"), () => keep(view)),
  ];
}

function databaseEntries(view) {
  const { work } = view;
  if (!work) return [];
  const position = (node) => addressOf("search", { position: work.tree.fenAt(node) });
  const [white, black] = ["White", "Black"].map((name) => tagOf(work, name));
  const last = work.tree.main.at(-1) ?? null;
  return [
    menuHead(t("Find in the database")),
    menuLink(t("Games with this position"), position(view.node)),
    last && menuLink(t("Games that end like the main line"), position(last)),
    white && menuLink(t("Games of {name}", { name: white }), addressOf("player", { name: white })),
    black && menuLink(t("Games of {name}", { name: black }), addressOf("player", { name: black })),
    white &&
      black &&
      menuLink(t("This game and games of both players"), addressOf("search", { player: [white, black] })),
  ];
}

function viewEntries(view) {
  const isInColumns = choice("movetext") === "columns";
  const hasArrows = choice("arrows") !== "off";
  const speeds = SPEEDS.map((speed) => [speed, t("{speed} s", { speed })]);
  return [
    menuHead(t("View")),
    menuButton(isInColumns ? t("Moves as a text") : t("Moves in two columns"), () => view.changeLayout()),
    menuButton(hasArrows ? t("Hide arrows of moves") : t("Show arrows of moves"), () => view.changeArrows()),
    menuChoice(t("Time of a move when playing"), speeds, chosenSpeed(), chooseSpeed),
  ];
}

async function copyAndSay(text) {
  announce((await copyText(text)) ? t("Copied") : t("Could not copy"));
}

async function keep(view) {
  const { work } = view;
  const kept = await keepAsWork({ tags: work.tags, tree: work.tree, result: work.result });
  announce(t("Kept in “My games”"));
  go(addressOfWork(kept, view.node, { side: view.parameters.get("side") }));
}

/**
 * The explorer with a work, at one of its moves.
 * @param {import("./works.js").Work} work
 * @param {import("./game-tree.js").MoveNode | null} [node]
 * @param {Object<string, unknown>} [more] further parameters
 */
export function addressOfWork(work, node = null, more = {}) {
  const play = GameTree.pathTo(node)
    .map(({ uci }) => uci)
    .join(",");
  const { start } = work.tree;
  return addressOf("explorer", { work: work.id, fen: start === START ? null : start, play, ...more });
}
