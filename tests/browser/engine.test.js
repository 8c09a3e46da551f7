// The engine of a server beside the board, by a program that speaks UCI and knows a few positions.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { addressOf, checkView, database, faults, folder, go, hash, page, program } from "./browser.js";

/** It finds lines for either side at once, and ends a search when it is told to. */
const ENGINE = `#!/bin/sh
while read line; do case "$line" in
uci) echo 'id name Test Engine'; echo 'option name MultiPV type spin default 1 min 1 max 9'; echo uciok;;
isready) echo readyok;;
'position fen rnbqkbnr/pppppppp/8/8/4P3'*) first=c7c5; second=e7e5;;
position*) first=e2e4; second=d2d4;;
go*) echo "info depth 9 multipv 1 score cp 35 nodes 1234 pv $first"
  echo "info depth 9 multipv 2 score mate 3 nodes 1234 pv $second"
  echo "info depth 10 multipv 1 score cp 40 nodes 2345 pv $first";;
stop) echo "bestmove $first";;
quit) exit;;
esac; done
`;

let server;
let address;

before(async () => {
  const engine = join(folder, "engine");
  writeFileSync(engine, ENGINE);
  chmodSync(engine, 0o755);
  const options = ["--engine", engine, "--engine-time", "3600", "--bind", "127.0.0.1:0"];
  server = spawn(program, ["serve", database, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  address = await addressOf(server);
});

after(() => server?.kill("SIGINT"));

const lines = () => page.$$eval(".engine-line", (all) => all.map((line) => line.textContent.trim()));
const waitForLine = (text) =>
  page.waitForFunction((part) => document.querySelector(".engine-lines")?.textContent.includes(part), text);

test("the engine follows the board, and its lines are played", async () => {
  await page.goto(`${address}/`);
  await page.click("text=Analyse");
  await waitForLine("1. d4");
  assert.deepEqual(await lines(), ["+0.40 1. e4", "#3 1. d4"]);
  assert.match(await page.textContent(".engine-state"), /^Test Engine, depth 10, 2,345 positions$/);
  const bar = await page.getAttribute(".evaluation-bar", "aria-label");
  assert.match(bar, /Evaluation \+0\.40/);
  await checkView();

  await page.click(".engine-line");
  await page.waitForFunction(() => location.hash.includes("play=e2e4"));
  await waitForLine("1… e5");
  // Scores are White's, whoever is to move.
  assert.deepEqual(await lines(), ["−0.40 1… c5", "#−3 1… e5"]);

  await page.click("text=Stop");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelectorAll(".engine-line").length === 0);
  assert.equal(await page.getAttribute(".engine button", "aria-pressed"), "false");
  assert.deepEqual(faults, []);
  assert.ok((await hash()).includes("at=0"));
});

test("a line is shown on the board by an arrow", async () => {
  await page.goto(`${address}/`);
  await page.click("text=Analyse");
  await waitForLine("1. e4");
  await page.waitForSelector(".arrow-best[data-arrow=e2e4]", { state: "attached" });
  await page.hover(".engine-line");
  await page.waitForSelector(".arrow-hint[data-arrow=e2e4]", { state: "attached" });
  assert.equal(await page.locator(".arrow").count(), 1);
  assert.deepEqual(faults, []);
});

test("without an engine there is no button", async () => {
  await go("");
  await page.waitForSelector(".moves-table");
  assert.equal(await page.isVisible(".engine"), false);
  assert.deepEqual(faults, []);
});
