// Numbers, dates and results as people read them.

import { numberSigns, t } from "./words.js";

const THIN_SPACE = "\u202f";

/** A count with the sign of the language between thousands, in English as in the terminal: 1,234,567. @param {number} number */
export function count(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, numberSigns().thousands);
}

/** A number with decimals, with the sign of the language before them. */
function decimal(number, digits) {
  return number.toFixed(digits).replace(".", numberSigns().decimals);
}

/** "1 game", "12 games". @param {number} number @param {string} noun */
export function counted(number, noun) {
  return t(`{count} ${noun}${number === 1 ? "" : "s"}`, { count: count(number) });
}

/** A share as percent: "43 %", and one decimal below ten. @param {number} part @param {number} whole */
export function percent(part, whole) {
  if (!whole) return "";
  const share = (100 * part) / whole;
  if (share > 0 && share < 0.05) return `<${decimal(0.1, 1)}${THIN_SPACE}%`;
  const digits = share > 0 && share < 10 ? 1 : 0;
  return `${decimal(share, digits)}${THIN_SPACE}%`;
}

/** A number of bytes: "8.3 MB". @param {number} number */
export function bytes(number) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let size = number;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${decimal(size, unit && size < 100 ? 1 : 0)} ${units[unit]}`;
}

/** A date of PGN without its unknown end: "1972.??.??" is "1972". @param {string | null} text */
export function date(text) {
  return (text ?? "").replace(/(\.\?+)+$/, "").replace(/^\?+$/, "");
}

/** The result as a score: "½–½". @param {string | null} text */
export function result(text) {
  return { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" }[text] ?? text ?? "*";
}

/** Seconds on a clock: "1:02:03", "0:59". @param {number} seconds */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/**
 * An evaluation in pawns, from White's side: "+0.35", "#-3".
 * @param {{ eval: number | null, mate: number | null }} node
 */
export function evaluation(node) {
  if (node.mate !== null && node.mate !== undefined) return `#${signed(node.mate)}`;
  if (node.eval === null || node.eval === undefined) return "";
  return `${node.eval > 0 ? "+" : node.eval < 0 ? "−" : ""}${(Math.abs(node.eval) / 100).toFixed(2)}`;
}

function signed(number) {
  return number < 0 ? `−${-number}` : String(number);
}

/** The number in front of a move: "12." or "12…". @param {number} number @param {boolean} isWhite */
export function moveNumber(number, isWhite) {
  return `${number}${isWhite ? "." : "…"}`;
}

/** The words for a game without a name. @param {string | null | undefined} name */
export function playerName(name) {
  return name && name !== "?" ? name : t("unknown");
}
