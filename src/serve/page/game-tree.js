// The moves of a game as a tree to walk in, to add to and to change.

import { START, turnOf } from "./placement.js";
import { Position } from "./rules.js";

/** The annotation of a move. */
const ANNOTATIONS = ["nags", "before", "comment", "shapes", "commands", "clock", "eval", "mate", "rest"];

/** A move of a tree, with the moves that may follow it: the first of them is the main one. */
export class MoveNode {
  /** @param {Object<string, any>} fields */
  constructor(fields) {
    /** @type {MoveNode | null} */
    this.previous = null;
    /** @type {MoveNode[]} */
    this.children = [];
    this.id = -1;
    this.san = "";
    this.uci = "";
    this.nags = [];
    this.before = null;
    this.comment = null;
    /** Circles and arrows, as `[%csl]` and `[%cal]` write them: "Gd4", "Rd1h5". @type {string[]} */
    this.shapes = [];
    /** Further commands of a comment, as names and values. @type {[string, string][]} */
    this.commands = [];
    this.clock = null;
    this.eval = null;
    this.mate = null;
    /** How bad the move is, as the server judges it: `inaccuracy`, `mistake` or `blunder`. @type {string | null} */
    this.judgement = null;
    /** The text of the line behind the move that is no legal move. */
    this.rest = null;
    Object.assign(this, fields);
  }

  /** The position after the move. */
  get position() {
    this.knownPosition ??= Position.of(this.knownFen);
    return this.knownPosition;
  }

  get fen() {
    this.knownFen ??= this.knownPosition.fen();
    return this.knownFen;
  }

  get next() {
    return this.children[0] ?? null;
  }

  get isWhite() {
    return this.knownPosition ? !this.knownPosition.isWhite : turnOf(this.knownFen) === "black";
  }

  /** The number of the move. */
  get number() {
    const number = this.knownPosition ? this.knownPosition.number : Number(this.knownFen.split(" ")[5]);
    return number - (this.isWhite ? 0 : 1);
  }
}

/** The tree of a game. Each move has a number, by which addresses name it. */
export class GameTree {
  /** @param {string} [start] a FEN */
  constructor(start = START) {
    this.start = start;
    this.comment = null;
    /** @type {string[]} circles and arrows of the first position */
    this.shapes = [];
    this.commands = [];
    /** The text of the main line that is no legal move. */
    this.rest = null;
    /** @type {MoveNode[]} the first moves */
    this.children = [];
    /** @type {MoveNode[]} all moves by their numbers, also those that were deleted */
    this.nodes = [];
  }

  /**
   * The tree of a game as the server says it.
   * @param {any} game
   * @returns {GameTree}
   */
  static ofGame(game) {
    const tree = new GameTree(game.start);
    tree.comment = game.comment;
    tree.rest = game.rest;
    tree.shapes = game.shapes ?? [];
    tree.addLine(game.moves, null);
    return tree;
  }

  /** The position before the first move. */
  get position() {
    this.knownPosition ??= Position.of(this.start);
    return this.knownPosition;
  }

  /** The moves of the main line. @returns {MoveNode[]} */
  get main() {
    return GameTree.lineFrom(this.children[0] ?? null);
  }

  /** The moves after a node, or the first ones. @param {MoveNode | null} node */
  childrenOf(node) {
    return node ? node.children : this.children;
  }

  /** The position after a node, or the first one. @param {MoveNode | null} node */
  positionAt(node) {
    return node ? node.position : this.position;
  }

  /** @param {MoveNode | null} node */
  fenAt(node) {
    return node ? node.fen : this.start;
  }

  /** Whether a move is in the main line. @param {MoveNode} node */
  isMain(node) {
    let one = node;
    while (one.previous && one.previous.children[0] === one) one = one.previous;
    return !one.previous && this.children[0] === one;
  }

  /** The node of an address: by its number, or the half-move of the main line. @param {URLSearchParams} parameters */
  at(parameters) {
    const node = parameters.get("node");
    if (node !== null) return this.nodes[Number(node)] ?? null;
    const ply = Number(parameters.get("ply") ?? 0);
    const { main } = this;
    return main[Math.min(ply, main.length) - 1] ?? null;
  }

  /** The parameters of an address for a node. @param {MoveNode | null} node */
  place(node) {
    const isMain = node !== null && this.isMain(node);
    return { ply: isMain ? GameTree.pathTo(node).length : null, node: node && !isMain ? node.id : null };
  }

  /** Moves from the start up to a node. @param {MoveNode | null} node @returns {MoveNode[]} */
  static pathTo(node) {
    const path = [];
    for (let one = node; one; one = one.previous) path.push(one);
    return path.reverse();
  }

  /** A node and the main moves after it. @param {MoveNode | null} node @returns {MoveNode[]} */
  static lineFrom(node) {
    const line = [];
    for (let one = node; one; one = one.next) line.push(one);
    return line;
  }

  /** The last move of the line in which a node is. @param {MoveNode | null} node */
  lastOf(node) {
    return GameTree.lineFrom(node ?? this.children[0] ?? null).at(-1) ?? null;
  }

  /** A move and those that may be played in its place. @param {MoveNode | null} node @returns {MoveNode[]} */
  alternatives(node) {
    return node ? this.childrenOf(node.previous) : [];
  }

  /** The node before or after a node in the list of its alternatives. @param {MoveNode} node @param {number} step */
  alternative(node, step) {
    const all = this.alternatives(node);
    return all[(all.indexOf(node) + step + all.length) % all.length] ?? node;
  }

  /**
   * Walks along moves in UCI notation, and adds those that are not there.
   * @param {string[]} path
   * @returns {MoveNode[] | null} nothing if one of the moves is not legal
   */
  follow(path) {
    const nodes = [];
    let node = null;
    for (const uci of path) {
      node = this.childrenOf(node).find((child) => child.uci === uci) ?? this.play(node, uci);
      if (!node) return null;
      nodes.push(node);
    }
    return nodes;
  }

  /** Adds a move after a node, if it is legal there. @param {MoveNode | null} node @param {string} uci */
  play(node, uci) {
    const before = this.positionAt(node);
    if (uci === NULL_MOVE) return this.add(node, passed(before));
    const move = before.findUci(uci);
    return move && this.add(node, played(before, move));
  }

  /**
   * Adds a node after another one, behind its other moves.
   * @param {MoveNode | null} before
   * @param {MoveNode} node
   */
  add(before, node) {
    node.id = this.nodes.length;
    node.previous = before;
    this.nodes.push(node);
    this.childrenOf(before).push(node);
    return node;
  }

  /** Takes a move away, with all that follows it. @param {MoveNode} node */
  remove(node) {
    const all = this.childrenOf(node.previous);
    const index = all.indexOf(node);
    if (index >= 0) all.splice(index, 1);
  }

  /** Takes away what follows a node. @param {MoveNode | null} node */
  cut(node) {
    this.childrenOf(node).length = 0;
    if (node) node.rest = null;
    else this.rest = null;
  }

  /** Puts the variation of a node one place higher. @param {MoveNode} node @returns {boolean} whether there was one */
  promote(node) {
    const first = this.firstOfVariation(node);
    if (!first) return false;
    const all = this.childrenOf(first.previous);
    const index = all.indexOf(first);
    [all[index - 1], all[index]] = [all[index], all[index - 1]];
    return true;
  }

  /** Makes the line of a node the main line. @param {MoveNode} node */
  makeMain(node) {
    while (!this.isMain(node) && this.promote(node));
  }

  /** The move with which the variation of a node begins, or nothing in the main line. @param {MoveNode | null} node */
  firstOfVariation(node) {
    for (let one = node; one; one = one.previous) if (this.childrenOf(one.previous)[0] !== one) return one;
    return null;
  }

  /** All moves in the order in which they are written. @returns {Generator<MoveNode>} */
  *written() {
    const waiting = this.children.length ? [this.children] : [];
    while (waiting.length) {
      const [main, ...variations] = waiting.pop();
      yield main;
      if (main.children.length) waiting.push(main.children);
      for (const variation of variations.toReversed()) waiting.push([variation]);
    }
  }

  addLine(moves, before) {
    let previous = before;
    for (const move of moves) {
      const { variations = [], fen, ply, ...fields } = move;
      const node = this.add(previous, new MoveNode({ ...fields, ply, knownFen: fen }));
      node.shapes ??= [];
      // A variation replaces the move, so it follows the same one.
      for (const variation of variations) this.addLine(variation, previous);
      previous = node;
    }
  }
}

/** A null move in an address. */
export const NULL_MOVE = "0000";

/** The node of a legal move. @param {Position} before @param {import("./rules.js").LegalMove} move @param {string} [san] */
export function played(before, move, san = before.san(move)) {
  return new MoveNode({ san, uci: move.uci, knownPosition: before.play(move) });
}

/** The node of a null move. @param {Position} before */
export function passed(before) {
  return new MoveNode({ san: "--", uci: NULL_MOVE, knownPosition: before.pass() });
}

/** Whether a move has annotations. @param {MoveNode} node */
export function isAnnotated(node) {
  return ANNOTATIONS.some((name) => (Array.isArray(node[name]) ? node[name].length > 0 : node[name] !== null));
}
