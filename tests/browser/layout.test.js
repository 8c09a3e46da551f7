// The page as people see it: on phones and wide screens, and with names that change the direction of a text.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { addressOf, faults, folder, go, page, program } from "./browser.js";

const PHONE = { width: 360, height: 740 };

/** The rectangles of elements that are shown. */
const boxesOf = (selector) =>
  page.$$eval(selector, (found) =>
    found
      .map((element) => element.getBoundingClientRect())
      .filter(({ width, height }) => width && height)
      .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
  );

test("tournaments on a phone do not overlap", async () => {
  for (const width of [320, 360, 420, 520]) {
    await page.setViewportSize({ ...PHONE, width });
    await go("#tournaments");
    await page.waitForSelector(".tournaments-table tbody tr");
    for (const selector of [".tournaments-table thead button", ".tournaments-table tbody tr:first-child td > *", ".tournaments-table tbody tr:first-child td"]) {
      const boxes = await boxesOf(selector);
      assert.ok(boxes.length > 2);
      for (const [index, one] of boxes.entries()) {
        for (const other of boxes.slice(index + 1)) {
          const isApart = one.right <= other.left + 1 || other.right <= one.left + 1 || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
          assert.ok(isApart, `${selector} overlap at ${width}`);
        }
      }
    }
    const games = await page.$$eval(".tournaments-table td.games", (cells) => cells.map((cell) => cell.scrollWidth <= cell.clientWidth + 1));
    assert.ok(games.every(Boolean), `the games are cut off at ${width}`);
  }
});

test("a phone shows the first moves below the board", async () => {
  await page.setViewportSize(PHONE);
  await go("#explorer");
  await page.waitForSelector(".moves-table tbody tr");
  const [row] = await boxesOf(".moves-table tbody tr:nth-child(3)");
  assert.ok(row.bottom < PHONE.height, `the third move ends at ${row.bottom}`);
  const views = await boxesOf("nav a");
  assert.equal(new Set(views.map(({ top }) => top)).size, 1, "the views are in one row");
  await go("#database");
  await page.waitForSelector("nav [aria-current]");
  const [current] = await boxesOf("nav [aria-current]");
  assert.ok(current.left >= 0 && current.right <= PHONE.width, "the view shown is in the row");
});

test("points are beside the names of a crosstable", async () => {
  await page.setViewportSize(PHONE);
  await go("#tournaments?sort=games");
  await page.click(".tournaments-table tbody a");
  await page.waitForSelector(".crosstable td.points");
  for (const { right } of await boxesOf(".crosstable td.points")) assert.ok(right <= PHONE.width, `points end at ${right}`);
});

test("dates and counts have one form", async () => {
  for (const [hash, selector] of [
    ["#explorer", ".games-table td.date"],
    ["#tournaments", ".tournaments-table td.date"],
    ["#novelties?min-games=0&player=botvinnik", ".novelties-table td.date"],
  ]) {
    await go(hash);
    await page.waitForSelector(selector);
    for (const text of await page.$$eval(selector, (cells) => cells.map((cell) => cell.textContent))) {
      assert.match(text, /^(\d{4}(\.\d\d){0,2}( – \d\d(\.\d\d)?| – \d{4}(\.\d\d){0,2})?)?$/);
    }
  }
});

test("filters close when they are applied", async () => {
  for (const [hash, ready] of [
    ["#explorer", ".moves-table"],
    ["#tournaments", ".tournaments-table"],
    ["#opening?play=e2e4", ".report"],
  ]) {
    await go(hash);
    await page.waitForSelector(ready);
    await page.click("details.drawer > summary");
    await page.fill("details.drawer [name=elo]", "0");
    await page.click("details.drawer .primary");
    await page.waitForSelector(".chip");
    assert.equal(await page.$eval("details.drawer", (drawer) => drawer.open), false, hash);
  }
});

test("an address of no game is told, and keys do nothing", async () => {
  for (const id of ["undefined", "", "0", "-1", "1e9"]) {
    await go(`#game?id=${id}`);
    await page.waitForSelector(".state-error");
    for (const key of ["ArrowUp", "ArrowDown", "ArrowRight", "Home", "End", "f", "m"]) await page.keyboard.press(key);
  }
  assert.deepEqual(faults.filter((fault) => !fault.startsWith("Failed to load resource")), []);
});

test("a promotion is chosen at the pawn", async () => {
  for (const [fen, from, to, side] of [
    ["8/P6k/8/8/8/8/6K1/8_w_-_-_0_1", "a7", "a8", ""],
    ["8/P6k/8/8/8/8/6K1/8_w_-_-_0_1", "a7", "a8", "&side=black"],
    ["8/7k/8/8/8/8/p5K1/8_b_-_-_0_1", "a2", "a1", ""],
  ]) {
    for (const width of [360, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      await go(`#explorer?fen=${fen}${side}`);
      await page.waitForSelector(`.cell[data-square=${from}][aria-label*=pawn]`);
      await page.focus(`.cell[data-square=${from}]`);
      await page.keyboard.press("Enter");
      await page.focus(`.cell[data-square=${to}]`);
      await page.keyboard.press("Enter");
      await page.waitForSelector(".promotion button");
      const [target] = await boxesOf(`.cell[data-square=${to}]`);
      const [queen, ...others] = await boxesOf(".promotion button");
      assert.ok(Math.abs(queen.left - target.left) < 3 && Math.abs(queen.top - target.top) < 6, `${to} at ${width}`);
      for (const { top, bottom } of others) assert.ok(top >= 0 && bottom <= 800);
      await page.keyboard.press("Escape");
      await page.waitForSelector(".promotion", { state: "detached" });
    }
  }
});

test("a wide report has charts side by side", async () => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await go("#opening?play=e2e4");
  await page.waitForSelector(".report section");
  const report = (await boxesOf(".report"))[0];
  const right = Math.max(...(await boxesOf(".report .wide, .report .chart")).map((box) => box.right));
  assert.ok(right - report.left > 0.9 * (report.right - report.left), `the report ends at ${right}`);
});

test("names turn no text beside them", async () => {
  const evil = "Nasty\u202e, X";
  const pgn = join(folder, "turned.pgn");
  writeFileSync(
    pgn,
    [evil, "\u05db\u05d4\u05df, \u05d0", "\u2067Other", "Last\u2069\u2068\u202e"]
      .map((name, round) => `[Event "E\u202e"]\n[Site "\u202eS"]\n[Date "2020.01.01"]\n[Round "${round}"]\n[White "${name}"]\n[Black "Plain, B"]\n[Result "1-0"]\n\n1. e4 {\u202ecomment} e5 1-0\n\n`)
      .join(""),
  );
  const turned = join(folder, "turned.db");
  spawnSync(program, ["import", turned, pgn], { stdio: "ignore" });
  const other = spawn(program, ["serve", turned, "--bind", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await addressOf(other);
    for (const [hash, ready] of [
      ["#explorer", ".games-table tbody tr"],
      ["#game?id=1", ".movetext .san"],
      ["#game?id=2", ".movetext .san"],
      [`#player?name=${encodeURIComponent(`=${evil}`)}`, ".player-body .bar"],
      ["#tournaments", ".tournaments-table tbody tr"],
      ["#tournament?game=1", ".crosstable tbody tr"],
      ["#novelties?min-games=0&player=nasty", ".novelties-table"],
      ["#opening?play=e2e4", ".report"],
      ["#database", ".database"],
    ]) {
      await page.goto(`${address}/${hash}`);
      await page.waitForSelector(ready);
      const left = await page.evaluate(() => {
        const isolated = (text) => text.replace(/\u2068[^\u2066-\u2069]*\u2069/g, "");
        const texts = [document.title, document.body.innerText];
        for (const element of document.querySelectorAll("[title], [aria-label]")) for (const name of ["title", "aria-label"]) texts.push(element.getAttribute(name) ?? "");
        return texts.map(isolated).filter((text) => /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(text));
      });
      assert.deepEqual(left, [], hash);
    }
    await page.goto(`${address}/#game?id=2`);
    await page.waitForSelector("h1 bdi");
    assert.equal(await page.title(), "\u2068\u05db\u05d4\u05df, \u05d0\u2069 – Plain, B – Stamma");
  } finally {
    other.kill("SIGINT");
  }
});
