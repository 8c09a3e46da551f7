// PGN as people have it, read in the browser: games are found, and one of them becomes a tree. Nothing is ever refused:
// what is no move stays as text. Long texts are read in slices, so that the page goes on answering.

import { GameTree, MoveNode, passed, played } from "./game-tree.js";
import { START } from "./placement.js";
import { Position, isFen } from "./rules.js";
import { slices } from "./slices.js";

const TAG_LINE = /^\s*\[\s*([A-Za-z0-9_]+)\s+"/;
/** Text among tags that is no tag. It is ignored; an import reports it as a problem. */
const ODD_TAG = /^\s*\[[^\]]*\]\s*$/;
const TAG = /\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"?\s*\]?/y;
const RESULT = /^(1-0|0-1|1\/2-1\/2|½-½|\*)$/;
/** A line that ends a game whose successor may have no tags. */
const ENDS_GAME = /(?:^|\s)(1-0|0-1|1\/2-1\/2|\*)\s*$/;
const BEGINS_MOVES = /^\s*1\s*\.(?!\.)/;
/** The tokens of movetext (PGN §8.2), as loose as files have them. */
const TOKEN =
  /\s+|\{([^}]*)\}?|;([^\n]*)|\(|\)|\$(\d+)|(1-0|0-1|1\/2(?:-1\/2)?|½-½|\*)|(\d+)\s*\.*(?=[\s(){};$]|$)|(\d+)\s*\.+|\.+|(--)|([!?]{1,2}|[^\s(){};$!?*]+)|\*|./gy;
const SIGNS = { "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6 };
const SIGN_MOVES = {
  "=": 10,
  "∞": 13,
  "⩲": 14,
  "+=": 14,
  "+/=": 14,
  "⩱": 15,
  "=+": 15,
  "=/+": 15,
  "±": 16,
  "+/-": 16,
  "∓": 17,
  "-/+": 17,
  "+-": 18,
  "+−": 18,
  "-+": 19,
  "−+": 19,
  "□": 7,
  "⨀": 22,
  "⟳": 32,
  "→": 36,
  "↑": 40,
  "⇆": 132,
  "⊕": 138,
  N: 146,
};

/** Words beside moves that say nothing new, and signs without letters. */
const SAYS_NOTHING = /^(e\.?p\.?|D|ch|dis|dbl|mate|check|[^\p{L}\d]+)$/iu;

/** The letters of pieces in the languages of many files, in the order of KQRBN. */
const LANGUAGES = ["KDTLS", "RDTFC", "RDTAC", "KDTLP"];
const FIGURINES = {
  "♔": "K",
  "♕": "Q",
  "♖": "R",
  "♗": "B",
  "♘": "N",
  "♙": "",
  "♚": "K",
  "♛": "Q",
  "♜": "R",
  "♝": "B",
  "♞": "N",
  "♟": "",
};
const COMMAND = /\[%(\w+)\s+([^\]]*)\]/g;

/**
 * A game of a text: where it is, and its tags.
 * @typedef {{ from: number, to: number, tags: [string, string][] }} FoundGame
 */

/**
 * Finds the games of a text.
 * @param {string} text
 * @returns {Promise<FoundGame[]>}
 */
export async function findGames(text) {
  const pause = slices();
  const games = [];
  const finder = new Finder(text, games);
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end + 1;
    finder.line(from, to);
    from = to;
    if (pause.isDue()) await pause.rest();
  }
  finder.end(text.length);
  return games;
}

/** Goes through a text line by line. */
class Finder {
  constructor(text, games) {
    Object.assign(this, { text, games, from: null, tags: [], hasMoves: false, isInComment: false, hasEnded: false });
  }

  line(from, to) {
    const line = this.text.slice(from, to);
    if (!this.isInComment) {
      const tag = TAG_LINE.exec(line);
      if (tag) return this.tagLine(line, from);
      if (ODD_TAG.test(line) && (!this.hasMoves || this.hasEnded)) return this.tagLine("", from);
      if (this.hasEnded && BEGINS_MOVES.test(line)) this.begin(from);
      if (line.startsWith("%")) return undefined;
    }
    return this.moves(line, from);
  }

  tagLine(line, from) {
    if (this.hasMoves || this.from === null) this.begin(from);
    this.tags.push(...tagsOf(line));
  }

  moves(line, from) {
    if (!line.trim()) return;
    if (this.from === null) this.begin(from);
    this.hasMoves = true;
    this.isInComment = endsInComment(line, this.isInComment);
    this.hasEnded = !this.isInComment && ENDS_GAME.test(line);
  }

  begin(from) {
    this.end(from);
    Object.assign(this, { from, tags: [], hasMoves: false, isInComment: false, hasEnded: false });
  }

  end(to) {
    if (this.from !== null) this.games.push({ from: this.from, to, tags: this.tags });
  }
}

/** Whether a brace comment goes on after a line. */
function endsInComment(line, isInComment) {
  let isInside = isInComment;
  for (const letter of line) {
    if (isInside) isInside = letter !== "}";
    else if (letter === "{") isInside = true;
    else if (letter === ";") return false;
  }
  return isInside;
}

function tagsOf(line) {
  const tags = [];
  TAG.lastIndex = line.indexOf("[");
  for (let tag = TAG.exec(line); tag; tag = TAG.exec(line)) {
    tags.push([tag[1], tag[2].replace(/\\(.)/g, "$1")]);
    const next = line.indexOf("[", TAG.lastIndex);
    if (next < 0) break;
    TAG.lastIndex = next;
  }
  return tags;
}

/**
 * Reads the game of a text.
 * @param {string} text one game
 * @returns {Promise<{ tags: [string, string][], tree: GameTree, result: string }>}
 */
export async function readGame(text) {
  const [tags, movetext] = tagsAndMoves(text);
  const given = new Map(tags);
  const pause = slices();
  let best = await readMoves(movetext, startOf(given), null, pause);

  // A text that is lost at once may be in another language.
  for (const letters of best.isWhole ? [] : LANGUAGES) {
    const other = await readMoves(movetext, startOf(given), letters, pause);
    if (other.tree.nodes.length > best.tree.nodes.length) best = other;
  }
  const result = best.result ?? (RESULT.test(given.get("Result") ?? "") ? given.get("Result") : "*");
  return { tags, tree: best.tree, result: /^(½|1\/2)/.test(result) ? "1/2-1/2" : result };
}

function tagsAndMoves(text) {
  const tags = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    const to = end < 0 ? text.length : end + 1;
    const line = text.slice(at, to);
    if (TAG_LINE.test(line)) tags.push(...tagsOf(line));
    else if (line.trim() && !ODD_TAG.test(line) && !line.startsWith("%")) break;
    at = to;
  }
  const lines = text.slice(at).split("\n");
  return [tags, lines.filter((line) => !line.startsWith("%")).join("\n")];
}

function startOf(tags) {
  const fen = tags.get("FEN");
  if (!fen || !isFen(fen)) return START;
  const position = Position.of(fen);
  const hasKings = position.board.includes("K") && position.board.includes("k");
  return hasKings ? position.fen() : START;
}

async function readMoves(text, start, letters, pause) {
  const reader = new MoveReader(new GameTree(start), text, letters);
  TOKEN.lastIndex = 0;
  let at = 0;
  while (at < text.length && reader.result === null) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    reader.read(token, at);
    at = TOKEN.lastIndex;
    if (pause.isDue()) await pause.rest();
  }
  reader.end();
  return reader;
}

/** Makes a tree of tokens. */
class MoveReader {
  constructor(tree, text, letters) {
    Object.assign(this, { tree, text, letters, result: null, isWhole: true, depthLost: 0 });
    /** @type {MoveNode | null} */
    this.node = null;
    this.pending = [];
    /** Where each variation around this one goes on. */
    this.outer = [];
    this.lostAt = null;
    this.isAfterVariation = false;
  }

  read(token, at) {
    const [whole, brace, rest, nag, result, , , nullMove, word] = token;
    if (whole === "(") return this.open();
    if (whole === ")") return this.close(at);
    if (result !== undefined) return this.finish(result, at);
    if (this.lostAt !== null) return undefined;
    if (brace !== undefined || rest !== undefined) return this.comment(brace ?? rest);
    if (nag !== undefined) return this.annotate(Number(nag));
    if (nullMove !== undefined || word !== undefined) return this.word(nullMove ?? word, at);
    return undefined;
  }

  word(word, at) {
    if (SIGNS[word]) return this.annotate(SIGNS[word]);
    const before = this.tree.positionAt(this.node);
    if (Position.isNullMove(word)) return this.put(passed(before));
    const move = before.find(this.translated(word));
    if (move) return this.put(played(before, move));
    if (SIGN_MOVES[word]) return this.annotate(SIGN_MOVES[word]);
    if (SAYS_NOTHING.test(word)) return undefined;
    this.isWhole = false;
    this.lostAt = at;
    return undefined;
  }

  /** A word with English letters for pieces. */
  translated(word) {
    const bare = /[♔-♟]/.test(word) ? [...word].map((letter) => FIGURINES[letter] ?? letter).join("") : word;
    if (this.letters === null) return bare;
    const english = (letter) => "KQRBN"[this.letters.indexOf(letter)];
    return [...bare].map((letter) => english(letter) ?? letter).join("");
  }

  put(node) {
    if (this.pending.length) takeComments(node, this.pending.splice(0), "before");
    this.tree.add(this.node, node);
    this.node = node;
    this.isAfterVariation = false;
  }

  comment(text) {
    if (this.isInNewVariation || this.isAfterVariation) this.pending.push(text);
    else takeComments(this.node ?? this.tree, [text], "comment");
  }

  /** Whether a variation has begun, and has no move yet. */
  get isInNewVariation() {
    return this.outer.length > 0 && this.node === this.outer.at(-1).before;
  }

  annotate(nag) {
    if (!this.node || this.isInNewVariation) return;
    if (nag > 0 && nag < 256 && !this.node.nags.includes(nag)) this.node.nags.push(nag);
  }

  open() {
    if (this.lostAt !== null) {
      this.depthLost += 1;
      return;
    }
    this.flush();
    this.outer.push({ node: this.node, before: this.node?.previous ?? null });
    this.node = this.node?.previous ?? null;
    this.isAfterVariation = false;
  }

  close(at) {
    if (this.lostAt !== null && this.depthLost) {
      this.depthLost -= 1;
      return;
    }
    if (!this.outer.length) return;
    this.keepLost(at);
    this.flush();
    this.node = this.outer.pop().node;
    this.isAfterVariation = true;
  }

  finish(result, at) {
    // Within a variation, a result is an opinion.
    if (this.outer.length && this.lostAt === null) return;
    if (this.lostAt !== null && (this.outer.length || this.depthLost)) return;
    this.keepLost(at);
    this.result = result;
  }

  /** Keeps a text that is no move as it is. */
  keepLost(to) {
    if (this.lostAt === null) return;
    const text = this.text.slice(this.lostAt, to).replace(/\s+/g, " ").trim();
    if (this.outer.length) (this.node ?? this.tree).rest = text;
    else this.tree.rest = text;
    Object.assign(this, { lostAt: null, depthLost: 0 });
  }

  /** Comments that no move follows belong to the move before. */
  flush() {
    if (!this.pending.length) return;
    const texts = this.pending.splice(0);
    takeComments(this.node ?? this.tree, texts, "comment");
  }

  end() {
    this.keepLost(this.text.length);
    this.flush();
  }
}

/** Gives a move what comments say, to people and to programs. */
function takeComments(node, texts, name) {
  for (const text of texts) {
    for (const [, command, value] of text.matchAll(COMMAND))
      takeCommand(node, command.toLowerCase(), value.replace(/\s+/g, " ").trim());
    const words = text.replace(COMMAND, " ").replace(/\s+/g, " ").trim();
    if (words) node[name] = node[name] ? `${node[name]} ${words}` : words;
  }
}

function takeCommand(node, name, value) {
  if (name === "cal" || name === "csl") {
    const shapes = value.split(/[\s,]+/).filter((shape) => /^[RGYBO][a-h][1-8]([a-h][1-8])?$/.test(shape));
    node.shapes.push(...shapes.filter((shape) => !node.shapes.includes(shape)));
    return;
  }
  node.commands.push([name, value]);
  if (!(node instanceof MoveNode)) return;
  if (name === "clk") node.clock = secondsOf(value);
  else if (name === "eval") Object.assign(node, evaluationOf(value));
}

function secondsOf(text) {
  const parts = text.split(":").map(Number);
  return parts.some(Number.isNaN) ? null : parts.reduce((sum, part) => 60 * sum + part, 0);
}

function evaluationOf(text) {
  const [value] = text.split(",");
  const mate = /^#([+-]?\d+)/.exec(value);
  if (mate) return { mate: Number(mate[1]) };
  const pawns = Number(value);
  return Number.isFinite(pawns) && value.trim() ? { eval: Math.round(100 * pawns) } : {};
}
