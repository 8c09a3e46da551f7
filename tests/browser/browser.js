// A browser over a server of games of this repository, for the tests of the page.
//
// `.ci/browser` runs them: STAMMA_PROGRAM is the program, STAMMA_CHROMIUM the browser, STAMMA_GAMES the folder of games.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach } from "node:test";

import { chromium } from "playwright-core";

const { STAMMA_PROGRAM, STAMMA_CHROMIUM: executablePath, STAMMA_GAMES: games } = process.env;
export const program = STAMMA_PROGRAM;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const folder = mkdtempSync(join(tmpdir(), "stamma-browser-"));
export const database = join(folder, "games.db");

let server;
let browser;
export let base;
export let page;
export let faults;

before(async () => {
  execFileSync(
    program,
    ["import", database, ...["classical", "early", "modern", "today"].map((name) => join(games, `${name}.pgn`))],
    { stdio: "ignore" },
  );
  server = spawn(program, ["serve", database, "--bind", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  base = await addressOf(server);
  browser = await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});

after(async () => {
  await browser?.close();
  server?.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await page?.context().close();
  page = await open();
});

/** The address that the server prints. */
export function addressOf(process) {
  return new Promise((resolve, reject) => {
    process.stdout.on("data", (text) => {
      const address = /http:\/\/\S+?(?=\/?\s|\/?$)/.exec(String(text));
      if (address) resolve(address[0]);
    });
    process.on("exit", () => reject(new Error("the server has ended")));
  });
}

/** A page of its own, whose errors are noted. */
export async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const opened = await context.newPage();
  opened.setDefaultTimeout(15_000);
  faults = [];
  opened.on("pageerror", (error) => faults.push(error.message));
  opened.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  return opened;
}

export async function go(hash) {
  await page.goto(`${base}/${hash}`);
}

export const hash = () => page.evaluate(() => location.hash);
export const waitForHash = (text) => page.waitForFunction((part) => location.hash.includes(part), text);

/** Takes another page in the place of the present one. */
export function use(opened) {
  page = opened;
}

/** The rows that a command prints as JSON Lines. */
export function printed(...arguments_) {
  const text = execFileSync(program, [...arguments_, "--format", "jsonl"], { encoding: "utf8" });
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Holds a view to the widths of screens and to the rules of axe, in light and dark colours. */
export async function checkView() {
  for (const width of [360, 800, 1400]) {
    await page.setViewportSize({ width, height: 800 });
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      `${width} pixels are too narrow`,
    );
    const widths = await page.$$eval(".games-table td.name", (names) => names.map((cell) => cell.clientWidth));
    assert.ok(
      widths.every((pixels) => pixels > 80),
      `names have ${widths[0]} of ${width} pixels`,
    );
  }
  await page.evaluate(axe);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await page.evaluate(() => globalThis.axe.run());
    assert.ok(passes.length > 20);
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(
      serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]),
      [],
      colorScheme,
    );
  }
  assert.deepEqual(faults, []);
}
