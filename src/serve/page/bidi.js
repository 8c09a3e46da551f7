// Texts of data beside other texts: none of them changes the direction in which others are read.
//
// A name may have a character that reverses all that follows (Unicode Bidirectional Algorithm, UAX #9), so that "1–0" is
// read as "0–1", and words of scripts that are written from right to left turn numbers beside them.

/** Characters that reorder the text beside them, as reports and the terminal replace them, too. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\ufeff]/g;
const ISOLATE = /[\u2068\u2069]/;
const ISOLATES = /[\u2068\u2069]/g;
const [BEGIN, END] = ["\u2068", "\u2069"];
const INVISIBLE = "\ufffd";
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ISOLATED = /\u2068[^\u2068\u2069]*\u2069/g;

/** A text that changes no direction beyond its own end. @param {unknown} text */
export function tamed(text) {
  const tame = String(text).replace(REORDERING, INVISIBLE);
  return ISOLATE.test(tame.replace(ISOLATED, "")) ? tame.replace(ISOLATES, INVISIBLE) : tame;
}

/** A text for a sentence with others, such as a name. @param {unknown} text */
export function isolated(text) {
  const tame = String(text).replace(REORDERING, INVISIBLE).replace(ISOLATES, INVISIBLE);
  return RIGHT_TO_LEFT.test(tame) ? BEGIN + tame + END : tame;
}

/** Whether a text has words from right to left beside others. @param {string} text */
export function turns(text) {
  return RIGHT_TO_LEFT.test(text.replace(ISOLATED, ""));
}

/** Names the page. @param {string} words */
export function setTitle(words) {
  document.title = `${tamed(words)} – Stamma`;
}
