// How fast the page is in a browser, measured in the page itself: from the address to the frame with the table of moves,
// and from the end of a gesture to the frame with the table of the next position. Every table is checked against the
// answer of `/api/1/moves`.
//
//   .ci/browser                                  # once, for playwright-core in target/browser
//   cargo build --release
//   node benches/page.mjs games.db [--program target/release/stamma] [--rounds 9] [--moves 40]
//
// Then a game with 5,000 moves of variations is opened and walked through, and the longest task of the page is printed,
// for which keys and drags have to wait.
//
// The exit code is 1 if a table is wrong.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: "string", default: "target/release/stamma" },
    browser: { type: "string", default: "/usr/bin/chromium" },
    packages: { type: "string", default: "target/browser" },
    rounds: { type: "string", default: "9" },
    moves: { type: "string", default: "40" },
  },
});
const [database] = positionals;
if (!database) throw new Error("a database is missing");
const { chromium } = createRequire(join(process.cwd(), values.packages, "package.json"))("playwright-core");

const SETTLING_MILLISECONDS = 1500;
const QUIET_MILLISECONDS = 600;

/** Runs in the page before its own scripts: notes when gestures end and when tables of moves are shown. */
function watch() {
  const notes = { gesture: 0, shown: 0, table: null };
  globalThis.notes = notes;
  for (const type of ["pointerup", "keydown"])
    addEventListener(type, (event) => (notes.gesture = event.timeStamp), { capture: true });
  const look = () => {
    const table = document.querySelector(".moves-table");
    if (!table || table === notes.table) return;
    notes.table = table;
    // After the next frame has been drawn.
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => (notes.shown = performance.now());
      channel.port2.postMessage(null);
    });
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}

/** The address that the server prints. */
function addressOf(server) {
  return new Promise((resolve, reject) => {
    server.stdout.on("data", (text) => resolve(new URL(String(text).trim()).origin));
    server.on("exit", () => reject(new Error("the server has ended")));
  });
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function print(name, numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const rounded = [median(numbers), sorted[Math.ceil(sorted.length * 0.9) - 1], sorted.at(-1)].map((n) => n.toFixed(1));
  const [middle, most, worst] = rounded.map((text) => text.padStart(7));
  console.log(`${name.padEnd(34)} ${middle} ms median ${most} ms 90 % ${worst} ms worst   ${numbers.length} times`);
}

let wrong = 0;

/** Compares the table with the server's answer. */
async function check(page) {
  const [shown, answer] = await page.evaluate(async () => {
    const play = new URLSearchParams(location.hash.split("?")[1]).get("play") ?? "";
    const answer = await (await fetch(`/api/1/moves?play=${play}`)).json();
    const rows = [...document.querySelectorAll(".moves-table tbody tr:not(.unplayed)")];
    return [rows.map((row) => [row.dataset.uci, Number(row.dataset.games)]), answer.moves.filter(({ uci }) => uci)];
  });
  const expected = answer.map(({ uci, games }) => [uci, games]);
  if (JSON.stringify(shown) === JSON.stringify(expected)) return expected;
  wrong += 1;
  console.log("different:", await page.evaluate(() => location.hash), JSON.stringify(shown), JSON.stringify(expected));
  return expected;
}

/** Waits for a table without looking at the page meanwhile, which would take its time. */
async function shown(page) {
  do await page.waitForTimeout(QUIET_MILLISECONDS);
  while (!(await page.evaluate(() => globalThis.notes.shown > 0)));
}

async function firstView(browser, base, context) {
  const page = await context.newPage();
  await page.addInitScript(watch);
  // The browser draws its own window first.
  await page.waitForTimeout(SETTLING_MILLISECONDS);
  await page.goto(base);
  await shown(page);
  const times = await page.evaluate(() => {
    const of = (entries) => Math.max(...entries.map(({ responseEnd }) => responseEnd));
    const resources = performance.getEntriesByType("resource");
    const [document] = performance.getEntriesByType("navigation");
    const asked = resources.filter(({ name }) => name.includes("/api/1/moves"));
    return {
      "the document": document.responseEnd,
      "the first paint": performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
      "the scripts": of(resources.filter(({ name }) => name.endsWith(".js"))),
      "the moves asked for": asked[0].startTime,
      "the moves answered": asked[0].responseEnd,
      "the table of moves": globalThis.notes.shown,
    };
  });
  await check(page);
  await page.close();
  return times;
}

async function firstViews(browser, base) {
  const cold = [];
  const warm = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    cold.push(await firstView(browser, base, context));
    warm.push(await firstView(browser, base, context));
    await context.close();
  }
  for (const [title, all] of [["first visit", cold], ["second visit", warm]]) {
    console.log(`${title}, milliseconds from the address:`);
    for (const name of Object.keys(all[0])) print(`  ${name}`, all.map((one) => one[name]));
  }
}

const middle = async (page, square) => {
  const box = await page.locator(`.board-picture .square[data-square="${square}"]`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};

/** The ways to make a move: each ends with the event from which the time counts. */
const GESTURES = {
  "a drag": async (page, uci) => {
    const [from, to] = [await middle(page, uci.slice(0, 2)), await middle(page, uci.slice(2, 4))];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 5 });
    await page.waitForTimeout(40);
    return () => page.mouse.up();
  },
  "a click in the table": async (page, uci) => {
    const link = page.locator(`.moves-table tr[data-uci="${uci}"] a`);
    await link.scrollIntoViewIfNeeded();
    await link.hover();
    await page.mouse.down();
    await page.waitForTimeout(60);
    return () => page.mouse.up();
  },
  "its name and Enter": async (page, uci) => {
    await page.locator("#move-field").fill(uci);
    await page.waitForTimeout(60);
    return () => page.keyboard.press("Enter");
  },
};

/** Plays moves from the start, the most frequent and others, each in another way. */
async function nextMoves(browser, base) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.waitForTimeout(SETTLING_MILLISECONDS);
  const times = Object.fromEntries(Object.keys(GESTURES).map((name) => [name, []]));
  const names = Object.keys(GESTURES);
  const count = Number(values.moves);
  for (let number = 0; number < count * names.length; ) {
    await page.goto("about:blank");
    await page.goto(base);
    await shown(page);
    for (let ply = 0; ply < 12 && number < count * names.length; ply += 1, number += 1) {
      const moves = await check(page);
      const likely = moves.filter(([uci, games]) => games > 20 && uci.length === 4 && !"e1h1 e1a1 e8h8 e8a8".includes(uci));
      if (!likely.length) break;
      const [uci] = likely[(number * 7) % Math.min(likely.length, 6)];
      const name = names[number % names.length];
      const end = await GESTURES[name](page, uci);
      await page.evaluate(() => Object.assign(globalThis.notes, { shown: 0 }));
      await end();
      await shown(page);
      times[name].push(await page.evaluate(() => globalThis.notes.shown - globalThis.notes.gesture));
    }
  }
  console.log("the next table of moves, milliseconds from the end of the gesture:");
  for (const name of names) print(`  ${name}`, times[name]);
  await context.close();
}

/** A game with variations of variations, 5,000 moves in all. */
function largeGame() {
  const first = ["e4 e5", "e4 c5", "d4 d5", "d4 Nf6", "c4 e5", "c4 c5", "Nf3 d5", "Nf3 f5"];
  const knights = (number) => `${number}. Nc3 (${number}. h3 h6 {A comment.}) Nc6 ${number + 1}. Nb1 Nb8`;
  const line = Array.from({ length: 16 }, (_, index) => knights(2 + 2 * index)).join(" ");
  const variations = first.map((moves) => `(1. ${moves} ${line})`).join(" ");
  return `[White "Large"]\n\n1. b3 ${`${variations} `.repeat(6)}1... b6 2. Bb2 *\n`;
}

/** The longest tasks of the page while a large tree is opened, walked and annotated. */
async function largeTree(browser, base) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.goto(base);
  await page.waitForSelector(".moves-table");
  await page.waitForTimeout(SETTLING_MILLISECONDS);
  await page.evaluate(() => {
    globalThis.tasks = [];
    const note = (list) => globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(note).observe({ type: "longtask" });
  });
  const longest = async (name) => {
    const tasks = await page.evaluate(() => globalThis.tasks.splice(0));
    console.log(`  ${name.padEnd(32)} ${tasks.length ? `${Math.max(...tasks).toFixed(0)} ms` : "less than 50 ms"}`);
  };
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, largeGame());
  await page.waitForFunction(() => document.querySelector(".movetext .ending"));
  await page.waitForTimeout(SETTLING_MILLISECONDS);
  const moves = await page.locator(".movetext .san").count();
  console.log(`a tree of ${moves} moves, the longest task:`);
  await longest("opened");
  for (const key of ["ArrowRight", "ArrowDown", ...Array(30).fill("ArrowRight"), "End", "Home"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(120);
  }
  await longest("walked");
  await page.keyboard.press("c");
  await page.locator("#comment-field").pressSequentially("A comment that is typed", { delay: 60 });
  await page.waitForTimeout(SETTLING_MILLISECONDS);
  await longest("annotated");
  await context.close();
}

const server = spawn(values.program, ["serve", database, "--bind", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
const base = await addressOf(server);
const browser = await chromium.launch({
  executablePath: values.browser,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
await firstViews(browser, base);
await nextMoves(browser, base);
await largeTree(browser, base);
await browser.close();
server.kill("SIGINT");
process.exit(wrong ? 1 : 0);
