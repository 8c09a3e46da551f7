// The page in a browser: what people do with it, step by step, on games of this repository.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { addressOf, base, checkView, database, faults, folder, go, open, page, program, use, waitForHash } from "./browser.js";

/** The middle of a square of the board. */
async function middle(square) {
  const { x, y, width, height } = await page.locator(`.board-picture .square[data-square="${square}"]`).boundingBox();
  return [x + width / 2, y + height / 2];
}

async function drag(from, to) {
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(to)), { steps: 6 });
  await page.mouse.up();
}

const fen = () =>
  page.evaluate(() => [...document.querySelectorAll(".cell")].map((cell) => cell.getAttribute("aria-label")).join());

/** The table of moves as [SAN, games, average Elo]. */
const shownMoves = () =>
  page.$$eval(".moves-table tbody tr", (rows) =>
    rows.map((row) =>
      [".move", ".number", ".elo"].map((name) => row.querySelector(name).textContent.replace(/\s/g, "")),
    ),
  );

/** The same as `stamma moves` prints it. */
function printedMoves(...arguments_) {
  const lines = execFileSync(program, ["moves", database, ...arguments_, "--format", "jsonl"], { encoding: "utf8" })
    .trim()
    .split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ san }) => san)
    .map(({ san, games: count, average_elo: elo }) => [
      san,
      String(count),
      elo === null ? "" : String(Math.round(elo)),
    ]);
}

test("moves are made by dragging and by keys, and counted as `stamma moves` does", async () => {
  await go("");
  await page.waitForSelector(".moves-table");
  assert.deepEqual(await shownMoves(), printedMoves());
  await drag("e2", "e4");
  await waitForHash("play=e2e4");
  await page.locator('.cell[data-square="e1"]').waitFor();
  await page.locator('.cell[tabindex="0"]').focus();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "e2");
  for (const key of ["ArrowLeft", "ArrowLeft", ...Array(5).fill("ArrowUp")]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "c7 black pawn");
  for (const key of ["Enter", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await waitForHash("play=e2e4,c7c5");
  await page.waitForFunction(() => document.querySelector("h1").textContent.includes("Sicilian"));
  await page.waitForFunction(() => document.querySelector("#announcer").textContent.startsWith("c5, "));
  assert.deepEqual(await shownMoves(), printedMoves("--after", "1. e4 c5"));
  assert.deepEqual(faults, []);
});

test("moves are made by clicks, by the table and by their names, and taken back by keys", async () => {
  await go("");
  await page.waitForSelector(".moves-table");
  await page.mouse.click(...(await middle("d2")));
  await page.waitForSelector('.cell.target[data-square="d4"]');
  await page.mouse.click(...(await middle("d4")));
  await waitForHash("play=d2d4");
  await page.waitForSelector('.moves-table tr[data-uci="g8f6"]');
  await page.hover('.moves-table tr[data-uci="g8f6"]');
  await page.waitForSelector(".arrow");
  await page.click('.moves-table tr[data-uci="g8f6"] a');
  await waitForHash("play=d2d4,g8f6");
  await page.waitForFunction(() => document.querySelector(".status").textContent.startsWith("White to move"));
  await page.keyboard.press("m");
  await page.keyboard.type("c4");
  await page.keyboard.press("Enter");
  await waitForHash("play=d2d4,g8f6,c2c4");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await waitForHash("at=1");
  await page.waitForFunction(() => document.querySelector(".movetext [aria-current]").textContent === "d4");
  await page.keyboard.press("End");
  await page.waitForFunction(() => !location.hash.includes("at="));
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes("c2c4"));
  await page.keyboard.press("f");
  await waitForHash("side=black");
  assert.deepEqual(faults, []);
});

test("games that reach the next positions by other moves are counted", async () => {
  await go("#explorer?play=g1f3,d7d5");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".others")].some((cell) => /\d/.test(cell.textContent)),
  );
  const row = page.locator(".moves-table tbody tr", { has: page.getByText("d4", { exact: true }) });
  const cells = await row.locator(".number").evaluateAll((all) => all.slice(0, 2).map((cell) => cell.textContent));
  const numbers = cells.map((text) => Number(text.replace(/\D/g, "")));
  const printed = execFileSync(program, ["search", database, "--after", "1. d4 d5 2. Nf3", "--format", "count"], {
    encoding: "utf8",
  });
  assert.equal(
    numbers.reduce((sum, number) => sum + number),
    Number(printed),
  );
  assert.ok(numbers.at(-1) > 0);
  assert.deepEqual(faults, []);
});

test("evaluations are beside the moves, and a bar beside the board", async () => {
  await go("#explorer?play=e2e4");
  await page.waitForSelector(".moves-table.without-evaluations");
  assert.ok(await page.isHidden(".evaluation-bar"));
  assert.ok(await page.isHidden(".moves-table tbody .eval"));

  const evaluated = async (route) => {
    const answer = await (await route.fetch()).json();
    Object.assign(answer, { eval_cp: 35, eval_mate: null, eval_depth: 20 });
    Object.assign(answer.moves[0], { eval_cp: -120, eval_mate: null, eval_depth: 20 });
    await route.fulfill({ json: answer });
  };
  await page.route("**/api/1/moves?*", evaluated);
  await go("#explorer?play=d2d4");
  await page.waitForSelector(".moves-table:not(.without-evaluations)");
  assert.equal(await page.textContent(".moves-table tbody tr:first-child .eval"), "−1.20");
  assert.equal(await page.getAttribute(".evaluation-bar", "title"), "Evaluation +0.35, depth 20");
  // A third of a pawn is a chance of 53 %.
  assert.match(await page.getAttribute(".evaluation-bar .white-part", "style"), /height: 53\./);

  // Without an evaluation the bar is empty, and the board keeps its size.
  await page.unroute("**/api/1/moves?*", evaluated);
  await go("#explorer?play=c2c4");
  await page.waitForSelector(".evaluation-bar.empty");
  assert.ok(await page.isVisible(".evaluation-bar"));
  assert.deepEqual(faults, []);
});

test("a position is set up on a board, or pasted", async () => {
  await go("");
  await page.waitForSelector(".moves-table");
  await page.keyboard.press("s");
  await page.fill("#paste", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
  await page.click(".paste button");
  await waitForHash("fen=");
  await page.waitForFunction(
    () => document.querySelector('.cell[data-square="a7"]').getAttribute("aria-label") === "a7 white pawn",
  );
  await drag("a7", "a8");
  await page.click('.promotion button[aria-label="white rook"]');
  await waitForHash("play=a7a8r");
  await page.waitForFunction(() => document.querySelector(".status").textContent.includes("in check"));
  await page.keyboard.press("s");
  await page.click(".editor .buttons button:first-child");
  await page.click(".editor .primary");
  await page.waitForFunction(
    () => document.querySelector('.cell[data-square="a7"]').getAttribute("aria-label") === "a7 black pawn",
  );
  assert.deepEqual(faults, []);
});

test("a game is opened from the list and walked through", async () => {
  await go("#search?player=fischer&sort=date");
  await page.waitForSelector(".games-table tbody tr");
  await page.click(".games-table tbody tr:first-child a");
  await waitForHash("#game?id=");
  await page.waitForSelector(".movetext .san");
  const start = await fen();
  await page.keyboard.press("ArrowRight");
  await waitForHash("ply=1");
  await page.waitForFunction(
    (before) =>
      [...document.querySelectorAll(".cell")].map((cell) => cell.getAttribute("aria-label")).join() !== before,
    start,
  );
  const sans = await page.$$eval(".movetext .ply.main .san", (links) => links.map((link) => link.textContent));
  assert.ok(sans.length > 20);
  await page.click(".movetext .ply.main:nth-of-type(5) .san");
  await waitForHash("ply=5");
  await page.waitForFunction(() => document.querySelector(".movetext [aria-current]") !== null);
  await page.keyboard.press("Home");
  await page.waitForFunction(() => !location.hash.includes("ply="));
  assert.equal(await fen(), start);
  await page.keyboard.press("ArrowRight");
  await page.click("text=Explore from here");
  await waitForHash("#explorer?play=");
  await page.waitForSelector(".moves-table");
  assert.deepEqual(faults, []);
});

test("a pattern is drawn on a board and found as the command finds it", async () => {
  await go("#search");
  await page.click(".group:last-of-type summary");
  await page.click('.brush[data-token="P"]');
  for (const square of ["f4", "g4", "h4"]) await page.mouse.click(...(await middle(square)));
  await page.click('.brush[data-token="k"]');
  await page.locator('.painter .cell[data-square="e2"]').focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.inputValue('[name="pattern"]'), "*/*/*/*/?????PPP");
  await page.click(".form-end .primary");
  await waitForHash("pattern=");
  await page.waitForFunction(() => / games?$/.test(document.querySelector(".search-head h1").textContent));
  const printed = execFileSync(program, ["search", database, "--pattern", "*/*/*/*/?????PPP", "--format", "count"], {
    encoding: "utf8",
  });
  assert.equal(parseInt(await page.textContent(".search-head h1"), 10), Number(printed));
  assert.ok(Number(printed) > 0);
  assert.match(await page.textContent(".command code"), /^stamma search .*--pattern/);
  assert.deepEqual(faults, []);
});

test("an address in a second tab shows the same", async () => {
  await go("");
  await page.waitForSelector(".moves-table");
  await drag("e2", "e4");
  await waitForHash("e2e4");
  await page.click(".filter-bar summary");
  await page.fill('.filters [name="date"]', "1950..");
  await page.click(".filters .primary");
  await waitForHash("date=1950..");
  await page.waitForSelector(".chip");
  await page.waitForSelector(".moves-box:not([aria-busy]) .moves-table");
  const shown = [await shownMoves(), await fen()];
  const second = await page.context().newPage();
  await second.goto(await page.evaluate(() => location.href));
  await second.waitForSelector(".chip");
  await second.waitForSelector(".moves-box:not([aria-busy]) .moves-table");
  await page.close();
  use(second);
  await page.waitForFunction(
    () => document.querySelector('.cell[data-square="e4"]').getAttribute("aria-label") === "e4 white pawn",
  );
  assert.deepEqual([await shownMoves(), await fen()], shown);
  assert.deepEqual(shown[0], printedMoves("--after", "e4", "--date", "1950.."));
});

test("colours follow the system, and the switch is remembered", async () => {
  const lightness = () => page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)[0]));
  await page.emulateMedia({ colorScheme: "dark" });
  await go("");
  await page.waitForSelector(".moves-table");
  assert.ok((await lightness()) < 60);
  await page.click("[data-theme-switch]");
  assert.ok((await lightness()) > 200);
  await page.reload();
  assert.ok((await lightness()) > 200);
});

test("pieces are moved by touch", async () => {
  use(await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }));
  await go("");
  await page.waitForSelector(".moves-table");
  await page.touchscreen.tap(...(await middle("e2")));
  await page.waitForSelector('.cell.target[data-square="e4"]');
  await page.touchscreen.tap(...(await middle("e4")));
  await waitForHash("play=e2e4");
  assert.deepEqual(faults, []);
});

test("names with HTML are text in every view", async () => {
  const mark = (number) => `<img src=x onerror=hacked(${number})>`;
  const tags = ["Event", "Site", "White", "Black", "WhiteTitle"].map((tag, at) => `[${tag} "${mark(at)}"]`);
  const pgn = join(folder, `${mark(5)}.pgn`);
  writeFileSync(pgn, `${tags.join("\n")}\n[Date "1999.01.01"]\n\n{${mark(6)}} 1. e4 e5 ({${mark(7)}} 1... c5) 2. Ke3 1-0\n`);
  const hostile = join(folder, "hostile.db");
  // The exit code is 1, since the game has an illegal move.
  spawnSync(program, ["import", hostile, pgn], { stdio: "ignore" });
  const other = spawn(program, ["serve", hostile, "--bind", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await addressOf(other);
    for (const [hash, ready] of [
      ["#explorer", ".games-table tbody tr"],
      ["#search?player=img", ".games-table tbody tr"],
      ["#game?id=1", ".movetext .san"],
      [`#player?name=${encodeURIComponent(`=${mark(2)}`)}`, ".player-body .bar"],
      ["#database?kind=illegal-move", ".database .bar"],
      ["#tournaments", ".tournaments-table tbody tr"],
      ["#tournament?game=1", ".crosstable tbody tr"],
      ["#novelties?player=img&min-games=0", ".novelties-table tbody tr"],
      ["#opening?play=e2e4", ".report"],
      [`#prepare?name=${encodeURIComponent(`=${mark(2)}`)}&as=black`, ".report"],
    ]) {
      await page.goto(`${address}/${hash}`);
      await page.reload();
      await page.waitForSelector(ready);
      await page.waitForFunction(() => document.querySelector("main").textContent.includes("<img src=x onerror=hacked("));
      assert.equal(await page.locator("main img").count(), 0, hash);
    }
    await page.goto(`${address}/#search`);
    await page.locator('[name="player"]').first().pressSequentially("img");
    await page.waitForFunction((name) => document.querySelector(".suggest-name")?.textContent === name, mark(2));
    assert.equal(await page.locator("main img").count(), 0);
    assert.deepEqual(faults, []);
  } finally {
    other.kill("SIGINT");
  }
});

test("each question is asked once at the first view, whatever the address", async () => {
  for (const hash of [
    "",
    "#explorer?play=e2e4,c7c5",
    "#explorer?play=e2e4,c7c5,g1f3&at=1&side=black&sort=elo",
    "#explorer?fen=4k3/8/8/8/8/8/4P3/4K3 w - - 0 1&play=e2e4",
    "#explorer?play=e2e4&elo=2500",
    "#search?player=fischer",
  ]) {
    await page.goto("about:blank");
    const asked = [];
    const note = (request) => request.url().includes("/api/1/") && asked.push(request.url());
    page.on("request", note);
    await go(hash);
    await page.waitForSelector(hash.includes("4P3") ? ".moves-box .state" : ".games-table tbody tr");
    await page.waitForTimeout(300);
    page.off("request", note);
    assert.deepEqual(asked.toSorted(), [...new Set(asked)].toSorted(), hash);
    assert.equal(await page.evaluate(() => globalThis.started?.size ?? 0), 0, `${hash}: an answer that nobody wanted`);
  }
  assert.deepEqual(faults, []);
});

const VIEWS = {
  explorer: ["#explorer?play=e2e4,c7c5", ".games-table tbody tr"],
  search: ["#search?player=fischer", ".games-table tbody tr"],
  pattern: ["#search?pattern=*/*/*/*/?????PPP", ".games-table tbody tr"],
  game: ["#game?id=1&ply=3", ".movetext .san"],
  player: ["#player?name=Fischer,%20Robert%20James", ".player-body .bar"],
  database: ["#database", ".database .bar"],
};

for (const [name, [address, ready]] of Object.entries(VIEWS)) {
  test(`${name}: nothing is cut off from 360 pixels to a wide screen, and axe finds nothing serious`, async () => {
    await go(address);
    await page.waitForSelector(ready);
    await checkView();
  });
}
