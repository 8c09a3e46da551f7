// The menu of looks: colours of boards, pieces, letters of pieces, the language.

import { choice, choose } from "./choices.js";
import { BOARDS, PIECES, chooseBoard, chosenBoard, chosenPieces } from "./looks.js";
import { menu, menuChoice } from "./menu.js";
import { LANGUAGES, chooseLanguage, language, t } from "./words.js";

/**
 * Puts the menu in its place.
 * @param {HTMLElement} place
 */
export function startLookMenu(place) {
  place.replaceWith(menu(t("Board, pieces, language"), "look", entries));
}

function entries() {
  const boards = Object.entries(BOARDS).map(([name, words]) => [name, t(words)]);
  const pieces = Object.entries(PIECES).map(([name, [words]]) => [name, words]);
  const letters = [
    ["language", t("of the language")],
    ["figurines", "♔♕♖♗♘"],
    ["english", "KQRBN"],
  ];
  return [
    menuChoice(t("Board"), boards, chosenBoard(), chooseBoard),
    menuChoice(t("Pieces"), pieces, chosenPieces(), (name) => chooseAndReload("pieces", name)),
    menuChoice(t("Letters of pieces"), letters, choice("letters", "language"), (name) =>
      chooseAndReload("letters", name),
    ),
    menuChoice(t("Language"), Object.entries(LANGUAGES), language(), chooseLanguage),
  ];
}

/** Settings that change the whole page take effect by loading it again. */
function chooseAndReload(name, value) {
  choose(name, value);
  location.reload();
}
