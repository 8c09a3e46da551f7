// The filters and patterns of `stamma search`, by the names of its options, and how the page asks for them.

import { isolated } from "./bidi.js";
import { t } from "./words.js";

const RESULTS = { "1-0": "White wins", "1/2-1/2": "Draw", "0-1": "Black wins", "*": "Unfinished" };
const SPEEDS = ["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
const ENDINGS = [
  "checkmate",
  "stalemate",
  "insufficient-material",
  "threefold",
  "fivefold",
  "fifty-moves",
  "seventy-five-moves",
];
const MIRRORS = { colour: "colours exchanged", "left-right": "left and right exchanged", both: "both" };

/**
 * A field of the form.
 * @typedef {{
 *   name: string, label: string, kind: "text" | "suggest" | "choice" | "flag", hint?: string, example?: string,
 *   choices?: Object<string, string>, field?: string, isRepeated?: boolean
 * }} Field
 */

/** @type {{ title: string, isOpen: boolean, fields: Field[] }[]} */
export const GROUPS = [
  {
    title: "Players",
    isOpen: true,
    fields: [
      suggested("player", "Player", "player", {
        example: "tal mik",
        hint: "either colour; words or beginnings of words",
        isRepeated: true,
      }),
      suggested("white", "White", "player", { example: "carlsen" }),
      suggested("black", "Black", "player"),
      flag("exact", "Exact names only"),
    ],
  },
  {
    title: "Game",
    isOpen: true,
    fields: [
      text("date", "Date", "1972..1975", "a date or a range"),
      text("elo", "Elo of both", "2600 or 2400..2600", "at least, or a range"),
      choice("result", "Result", RESULTS),
      text("eco", "ECO", "B90, B20-B99, C"),
      suggested("opening", "Opening", "opening"),
      suggested("event", "Event", "event"),
      suggested("site", "Site", "site"),
    ],
  },
  {
    title: "More about the game",
    isOpen: false,
    fields: [
      text("since", "Since", "1972.07.20"),
      text("until", "Until", "1975"),
      text("white-elo", "White's Elo", "2600"),
      text("black-elo", "Black's Elo", "..2400"),
      text("mean-elo", "Mean Elo", "2500"),
      text("plies", "Half-moves", "40..60"),
      text("title", "Title", "GM"),
      choice("speed", "Speed", same(SPEEDS)),
      choice("ending", "Ending", same(ENDINGS)),
      text("variant", "Variant", "chess960"),
      choice("blunder", "Blunder of", { any: "either player", white: "White", black: "Black" }),
      text("swing", "Swing in centipawns", "300.."),
      text("accuracy", "Accuracy of both", "..70", "in per cent"),
      text("time-left", "Shortest time left", "..10", "in seconds"),
      text("blunder-time", "Time left at a blunder", "..10", "in seconds"),
      text("line", "Begins with", "1. e4 c5", "in this very order"),
      text("comment", "Comment", "novelt*", "words next to each other"),
      { ...text("tag", "Tag", "TimeControl=300+3"), isRepeated: true },
      text("where", "SQL condition", "white_elo > black_elo + 300", "if the server was started with --sql"),
      flag("humans", "People only"),
      flag("engines", "Programs only"),
      flag("annotated", "With annotations"),
      flag("unique", "Without marked duplicates"),
    ],
  },
  {
    title: "Pattern",
    isOpen: false,
    fields: [
      text("pattern", "Pattern", "*/*/*/*/???PP", "as drawn on the board"),
      text("material", "Material", "KRPkr or Q>=1 q=0"),
      text("moves-through", "Moves", "Bxh7+ Kxh7 Ng5+", "one after another"),
      text("for", "For half-moves", "4"),
      choice("flip", "Also mirrored", MIRRORS),
    ],
  },
];

/** Every field by its name. @type {Map<string, Field>} */
export const FIELDS = new Map(GROUPS.flatMap(({ fields }) => fields).map((field) => [field.name, field]));

/**
 * The filters and patterns among the parameters of an address.
 * @param {URLSearchParams} parameters
 * @returns {URLSearchParams}
 */
export function filtersOf(parameters) {
  return new URLSearchParams([...parameters].filter(([name]) => FIELDS.has(name)));
}

/**
 * A filter in words: "Elo of both: 2600".
 * @param {string} name
 * @param {string} value
 */
export function describeFilter(name, value) {
  const { label, kind, choices } = FIELDS.get(name);
  if (kind === "flag") return t(label);
  return `${t(label)}: ${choices?.[value] ? t(choices[value]) : isolated(value)}`;
}

function text(name, label, example = "", hint = "") {
  return { name, label, kind: "text", example, hint };
}

function suggested(name, label, field, more = {}) {
  return { name, label, kind: "suggest", field, ...more };
}

function choice(name, label, choices) {
  return { name, label, kind: "choice", choices };
}

function flag(name, label) {
  return { name, label, kind: "flag" };
}

function same(names) {
  return Object.fromEntries(names.map((name) => [name, name]));
}
