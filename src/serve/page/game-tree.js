// The moves of a game as a tree to walk in.

import { turnOf } from "./placement.js";

/**
 * A move of a game, as the server says it, with its place in the tree.
 * @typedef {{
 *   ply: number, san: string, uci: string, fen: string, nags: number[], before: string | null, comment: string | null,
 *   clock: number | null, eval: number | null, mate: number | null, variations: Node[][],
 *   index: number, previous: Node | null, next: Node | null, line: Node[], isMain: boolean, number: number, isWhite: boolean
 * }} Node
 */

/** The tree of a game: each node knows its neighbours, and has a number. */
export class GameTree {
  /** @param {string} start a FEN @param {Node[]} moves */
  constructor(start, moves) {
    this.start = start;
    this.main = moves;
    /** @type {Node[]} every move, in the order in which it is written */
    this.nodes = [];
    this.link(moves, null, true);
  }

  /** The node of an address: by its number, or the half-move of the game. @param {URLSearchParams} parameters */
  at(parameters) {
    const node = parameters.get("node");
    if (node !== null) return this.nodes[Number(node)] ?? null;
    const ply = Number(parameters.get("ply") ?? 0);
    return this.main[Math.min(ply, this.main.length) - 1] ?? null;
  }

  /** The parameters of an address for a node. @param {Node | null} node */
  static place(node) {
    return { ply: node?.isMain ? node.line.indexOf(node) + 1 : null, node: node && !node.isMain ? node.index : null };
  }

  /** Moves from the start up to a node. @param {Node | null} node @returns {Node[]} */
  static pathTo(node) {
    const path = [];
    for (let one = node; one; one = one.previous) path.unshift(one);
    return path;
  }

  /** The node before or after a node in the list of its alternatives. @param {Node} node @param {number} step */
  alternative(node, step) {
    const first = node.previous ? node.previous.next : this.main[0];
    if (!first) return node;
    const all = [first, ...first.variations.map((line) => line[0]).filter(Boolean)];
    return all[(all.indexOf(node) + step + all.length) % all.length] ?? node;
  }

  link(line, before, isMain) {
    line.forEach((node, index) => {
      const previous = index ? line[index - 1] : before;
      const isWhite = turnOf(node.fen) === "black";
      const number = Number(node.fen.split(" ")[5]) - (isWhite ? 0 : 1);
      Object.assign(node, {
        index: this.nodes.length,
        previous,
        next: line[index + 1] ?? null,
        line,
        isMain,
        number,
        isWhite,
      });
      this.nodes.push(node);
      for (const variation of node.variations ?? []) this.link(variation, previous, false);
    });
  }
}
