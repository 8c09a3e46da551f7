// Moves as the reader wants them: with letters of a language, or with figurines.

import { choice } from "./choices.js";
import { pieceLetters } from "./words.js";

const ENGLISH = "KQRBN";
const FIGURINES = "♔♕♖♗♘";

/** The letters of pieces: "figurines", "english", or with the letters of the language. */
export function lettersOfPieces() {
  const chosen = choice("letters");
  if (chosen === "figurines") return FIGURINES;
  return chosen === "english" ? ENGLISH : pieceLetters();
}

/** A move for people. @param {string} san in English */
export function shownSan(san) {
  const letters = lettersOfPieces();
  if (letters === ENGLISH || san.startsWith("O")) return san;
  return san.replace(/[KQRBN]/g, (letter) => letters[ENGLISH.indexOf(letter)]);
}

/** A typed move, with English letters. @param {string} text */
export function englishSan(text) {
  const letters = lettersOfPieces();
  if (letters === ENGLISH) return text;
  return [...text].map((letter) => ENGLISH[letters.indexOf(letter)] ?? letter).join("");
}
