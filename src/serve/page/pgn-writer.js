// A tree as PGN, in the export format (PGN §8).

import { moveNumber } from "./format.js";
import { START } from "./placement.js";

const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
const UNKNOWN = { Date: "????.??.??", Result: "*" };
const LINE_LETTERS = 80;

/** Parentheses of variations, which no word of a comment is taken for. */
const [OPEN, CLOSE] = [Symbol("("), Symbol(")")];

/**
 * Writes a game.
 * @param {{ tags: [string, string][], tree: import("./game-tree.js").GameTree, result: string }} game
 * @returns {string}
 */
export function writeGame({ tags, tree, result }) {
  const words = [...writtenComment(tree), ...writtenMoves(tree), ...writtenRest(tree.rest), result];
  return `${writtenTags(tags, tree, result)}\n${wrapped(words)}\n`;
}

function writtenTags(tags, tree, result) {
  const given = new Map(tags);
  given.set("Result", result);
  if (tree.start === START) {
    given.delete("FEN");
    given.delete("SetUp");
  } else {
    given.set("SetUp", "1");
    given.set("FEN", tree.start);
  }
  const roster = ROSTER.map((name) => [name, given.get(name) || (UNKNOWN[name] ?? "?")]);
  const others = [...given].filter(([name]) => !ROSTER.includes(name));
  return [...roster, ...others].map(([name, value]) => `[${name} "${escaped(value)}"]\n`).join("");
}

function escaped(value) {
  return value.replace(/\s+/g, " ").replace(/[\\"]/g, "\\$&");
}

/** The words of the movetext. A stack of its own takes variations as deep as they come. */
function writtenMoves(tree) {
  const words = [];
  const waiting = [{ children: tree.children, needsNumber: true }];
  while (waiting.length) {
    const task = waiting.pop();
    if (task.word) {
      words.push(task.word);
      continue;
    }
    const [main, ...variations] = task.children;
    if (!main) continue;
    words.push(...writtenMove(main, task.needsNumber));
    const isInterrupted = variations.length > 0 || hasComment(main);
    waiting.push({ children: main.children, needsNumber: isInterrupted });
    for (const variation of variations.toReversed()) {
      waiting.push({ word: CLOSE }, { children: [variation], needsNumber: true }, { word: OPEN });
    }
  }
  return joinedParentheses(words);
}

function writtenMove(node, needsNumber) {
  const number =
    needsNumber || node.isWhite || node.before ? [moveNumber(node.number, node.isWhite).replace("…", "...")] : [];
  const before = node.before ? braced(node.before) : [];
  const nags = node.nags.map((nag) => `$${nag}`);
  return [...before, ...number, node.san, ...nags, ...writtenComment(node), ...writtenRest(node.rest)];
}

function hasComment(node) {
  return Boolean(node.comment || node.rest) || node.shapes.length > 0 || node.commands.length > 0;
}

/** A comment, with what it says to programs. */
function writtenComment(node) {
  const circles = node.shapes.filter((shape) => shape.length === 3);
  const arrows = node.shapes.filter((shape) => shape.length === 5);
  const commands = node.commands.map(([name, value]) => `[%${name} ${value}]`);
  if (circles.length) commands.push(`[%csl ${circles.join(",")}]`);
  if (arrows.length) commands.push(`[%cal ${arrows.join(",")}]`);
  const text = [...commands, node.comment].filter(Boolean).join(" ");
  return text ? braced(text) : [];
}

/** Text that was no move becomes a comment, so that other programs can read the game. */
function writtenRest(rest) {
  return rest ? braced(rest) : [];
}

/** A comment has no closing brace, since nothing can escape it (PGN §8.2.5). */
function braced(text) {
  return `{${text.replaceAll("}", ")").replace(/\s+/g, " ").trim()}}`.split(" ");
}

/** "(" stands before a word and ")" behind one, without a space. */
function joinedParentheses(words) {
  const joined = [];
  let opening = "";
  for (const word of words) {
    if (word === OPEN) {
      opening += "(";
    } else if (word === CLOSE) {
      joined[joined.length - 1] += ")";
    } else {
      joined.push(opening + word);
      opening = "";
    }
  }
  return joined;
}

function wrapped(words) {
  const lines = [];
  let line = "";
  for (const word of words) {
    if (line && line.length + word.length + 1 > LINE_LETTERS) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  return [...lines, line].map((one) => `${one}\n`).join("");
}
