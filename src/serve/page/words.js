// The texts of the page in the reader's language. English texts are in the modules themselves; each other language is a
// module of its own, which is loaded when it is chosen.

import { choice, choose } from "./choices.js";

/** The languages by their codes, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };

/**
 * A language: its texts by the English texts, the letters of KQRBN, and the signs in numbers.
 * @type {{ texts: Object<string, string>, letters: string, numbers: { thousands: string, decimals: string } }}
 */
const ENGLISH = { texts: {}, letters: "KQRBN", numbers: { thousands: ",", decimals: "." } };

let words = ENGLISH;

/** The code of the language: the one that was chosen, or the first that the browser asks for and the page has. */
export function language() {
  const chosen = choice("language");
  if (LANGUAGES[chosen]) return chosen;
  const wanted = navigator.languages.map((code) => code.slice(0, 2));
  return wanted.find((code) => LANGUAGES[code]) ?? "en";
}

/** Loads the texts of the language. Without them, the page is English. */
export async function loadWords() {
  const code = language();
  document.documentElement.lang = code;
  if (code === "en") return;
  try {
    words = await import(`/page/words/${code}.js`);
  } catch {
    document.documentElement.lang = "en";
  }
}

/** Chooses a language; the page is loaded anew. @param {string} code */
export function chooseLanguage(code) {
  choose("language", code);
  location.reload();
}

/**
 * A text in the reader's language.
 * @param {string} text in English; `{name}` stands for a value
 * @param {Object<string, unknown>} [values]
 */
export function t(text, values = null) {
  const translated = words.texts[text] ?? text;
  return values === null ? translated : translated.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** The signs between thousands and before decimals. */
export function numberSigns() {
  return words.numbers;
}

/** The letters of king, queen, rook, bishop and knight in the reader's language. */
export function pieceLetters() {
  return words.letters;
}
