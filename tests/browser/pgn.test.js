// The page's rules of chess, its reader and its writer of PGN, without a browser: published counts, and the program's own
// reading of the same games. `.ci/browser` puts the modules of the page beside this file.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { findGames, readGame } from "./page/pgn-reader.js";
import { writeGame } from "./page/pgn-writer.js";
import { Position } from "./page/rules.js";

/** Positions with the numbers of their leaves by depth, as chess programmers publish them. */
const COUNTS = {
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": [20, 400, 8902],
  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [48, 2039],
  "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812],
  "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467],
  "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486],
  "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528, 12189],
  "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [21, 807],
};

const leaves = (position, depth) => {
  const moves = position.moves();
  return depth === 1 ? moves.length : moves.reduce((sum, move) => sum + leaves(position.play(move), depth - 1), 0);
};

for (const [fen, counts] of Object.entries(COUNTS)) {
  test(`legal moves of ${fen}`, () => {
    counts.forEach((count, index) => assert.equal(leaves(Position.of(fen), index + 1), count));
  });
}

test("moves are written as the standard has them, and read back", () => {
  for (const [fen, uci, san] of [
    ["4k3/8/8/8/8/8/R6R/4K3 w - - 0 1", "a2d2", "Rad2"],
    ["4k3/R7/8/8/R7/8/8/4K3 w - - 0 1", "a4a5", "R4a5"],
    ["4k3/8/8/Q7/8/8/8/Q1Q1K3 w - - 0 1", "a1c3", "Qa1c3"],
    ["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"],
    ["6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"],
    ["r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1", "b7a8n", "bxa8=N"],
    ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"],
    ["4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", "c1b1", "O-O-O"],
    // The pinned knight does not need to be told from the other one.
    ["4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"],
  ]) {
    const position = Position.of(fen);
    const move = position.findUci(uci);
    assert.equal(position.san(move), san);
    assert.equal(position.find(san).uci, uci);
    assert.equal(Position.of(position.fen()).fen(), position.fen());
  }
});

/** A node with all that is said of it. */
const said = ({ uci, nags, before, comment, shapes, commands, clock, eval: pawns, mate, children }) => ({
  uci, nags, before, comment, shapes, commands, clock, pawns, mate, children: children.map(said),
});
const whole = ({ tree, result }) => ({ result, start: tree.start, comment: tree.comment, shapes: tree.shapes, children: tree.children.map(said) });

const ANNOTATED = `[Event "Club evening"]
[White "O'Hara, \\"Bob\\""]
[Black "Ng"]
[Result "1/2-1/2"]

{Before the game. [%csl Ge4,Rd5][%cal Bd1h5]} 1. e4! {[%clk 1:30:00] [%eval 0.25] Best by test.} (1. d4 d5 (1... Nf6 $6
{Indian (of some kind)} 2. c4) 2. c4 e6 {Quiet.}) ({Or} 1. c4) 1... e5 $1 $14 2. Nf3 Nc6 {[%emt 0:00:12]} 3. Bb5 ; Spanish
a6 4. O-O -- {a pass} 5. Bxc6 $146 1/2-1/2
`;

test("an annotated game is the same after it was written and read", async () => {
  const game = await readGame(ANNOTATED);
  const [e4, d4, c4] = game.tree.children;
  assert.deepEqual(e4.nags, [1]);
  assert.equal(e4.clock, 5400);
  assert.equal(e4.eval, 25);
  assert.equal(e4.comment, "Best by test.");
  assert.deepEqual(game.tree.shapes, ["Ge4", "Rd5", "Bd1h5"]);
  assert.equal(c4.before, "Or");
  assert.equal(d4.children[1].comment, "Indian (of some kind)");
  assert.equal(game.tree.main.length, 9);
  const written = writeGame(game);
  assert.ok(written.split("\n").every((line) => line.length <= 80), written);
  assert.deepEqual(whole(await readGame(written)), whole(game));
  assert.equal(writeGame(await readGame(written)), written);
});

test("games of this repository are the same after they were written and read", async () => {
  let games = 0;
  const folder = process.env.STAMMA_GAMES;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".pgn"))) {
    const text = readFileSync(join(folder, file), "utf8");
    const found = await findGames(text);
    for (const { from, to } of found) {
      const game = await readGame(text.slice(from, to));
      assert.equal(game.tree.rest, null, `${file} ${from}`);
      assert.deepEqual(whole(await readGame(writeGame(game))), whole(game));
      games += 1;
    }
  }
  assert.ok(games > 100);
});

test("games are found in texts of all kinds", async () => {
  const starts = async (text) => (await findGames(text)).map(({ from }) => from);
  assert.deepEqual(await starts(""), []);
  assert.deepEqual(await starts("1. e4 *\n1. d4 *\n1. c4 1-0\n"), [0, 8, 16]);
  assert.deepEqual(await starts('[White "A"]\n\n1. e4 {[White "no"]\n[Black "no"]} *\n\n[White "B"]\n\n1. d4 *\n'), [0, 50]);
  assert.deepEqual(await starts('\ufeff[White "A"]\r\n\r\n1. e4 *\r\n'), [1]);
});

test("texts that are not quite PGN lose nothing", async () => {
  const sans = async (text) => (await readGame(text)).tree.main.map(({ san }) => san).join(" ");
  assert.equal(await sans("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. 0-0"), "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
  assert.equal(await sans("1 e2e4 e7-e5 2.♘f3 ♞c6"), "e4 e5 Nf3 Nc6");
  assert.equal(await sans("1.e4 c5 2.Cf3 d6 3.d4 cxd4 4.Cxd4 Cf6"), "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6");
  const broken = await readGame("1. e4 e5 2. Ke3 Nc6 (2... d6) 1-0");
  assert.equal(broken.tree.rest, "Ke3 Nc6 (2... d6)");
  assert.equal(broken.result, "1-0");
  const inside = await readGame("1. e4 (1. Qd5 d5) e5 2. Nf3 *");
  assert.equal(inside.tree.main.length, 3);
  for (const text of ["((((", "))))", "{", "}", "$", "1. e4 ((( {", "\u0000\u0001", "[", '[White "', "$999999999999 e4", "(e4 e5"]) {
    const written = writeGame(await readGame(text));
    assert.equal(writeGame(await readGame(written)), written, text);
  }
});

test("variations may be nested as deeply as they come", async () => {
  const depth = 3000;
  const text = `1. e4 ${"(1. d4 ".repeat(depth)}${")".repeat(depth)} *`;
  const game = await readGame(text);
  assert.equal(game.tree.nodes.length, 1 + depth);
  const written = writeGame(game);
  assert.equal(writeGame(await readGame(written)), written);
});

test("every text of the page is there in each language", async () => {
  const folder = join(import.meta.dirname, "page");
  const used = new Set();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, key] of text.matchAll(/\bt\(\s*"((?:[^"\\]|\\.)*)"/g)) used.add(JSON.parse(`"${key}"`));
  }
  assert.ok(used.size > 250);
  for (const code of ["de", "fr", "es"]) {
    const { texts, letters } = await import(`./page/words/${code}.js`);
    assert.deepEqual([...used].filter((key) => !(key in texts)), [], code);
    assert.equal(new Set(letters).size, 5);
    const values = (text) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted().join();
    for (const [key, text] of Object.entries(texts)) assert.equal(values(text), values(key), `${code}: ${key}`);
  }
});

test("a tag that is none costs no move", async () => {
  const text = '[White "A"]\n[Foo<x> "a"]\n[Black "B"]\n\n1. e4 e5 *\n\n[Event-2 "x"]\n[White "C"]\n\n1. d4 *\n';
  const games = await findGames(text);
  assert.equal(games.length, 2);
  const [first, second] = await Promise.all(games.map(({ from, to }) => readGame(text.slice(from, to))));
  assert.deepEqual(first.tags, [["White", "A"], ["Black", "B"]]);
  assert.deepEqual(first.tree.main.map(({ san }) => san), ["e4", "e5"]);
  assert.deepEqual(second.tags, [["White", "C"]]);
  assert.deepEqual(second.tree.main.map(({ san }) => san), ["d4"]);
});
