// The views that are loaded when they are shown: tournaments, novelties, repertoires and reports.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { checkView, database, faults, folder, go, page, printed, waitForHash } from "./browser.js";

test("a tournament is found, and its results and players lead on", async () => {
  await go("#tournaments");
  await page.waitForSelector(".tournaments-table");
  await page.fill('[name="min-games"]', "5");
  await page.click(".player-form .primary");
  await waitForHash("min-games=5");
  await page.click(".tournaments-table th.games button");
  await waitForHash("sort=games");
  await page.locator(".tournaments-table tbody tr a", { hasText: "World Championship 28th" }).click();
  await page.waitForSelector(".crosstable");
  const standings = printed("crosstable", database, "=World Championship 28th");
  assert.deepEqual(
    await page.$$eval(".crosstable tbody tr", (rows) => rows.map((row) => row.querySelector("th").textContent)),
    standings.map(({ name }) => name),
  );
  const points = await page.$$eval(".crosstable .points", (cells) => cells.map((cell) => cell.textContent));
  assert.deepEqual(points, standings.map(({ points: all }) => String(all).replace(".5", "½")));
  const games = await page.locator(".crosstable tbody tr:first-child .outcome").count();
  assert.equal(games, standings[0].games);
  await page.focus(".crosstable .outcome");
  await page.keyboard.press("Enter");
  await waitForHash("#game?id=");
  await page.click(".game-head .facts a");
  await waitForHash("#tournament?game=");
  await page.click(".crosstable tbody tr:first-child th a");
  await waitForHash("#player?name=");
  await page.waitForSelector(".player-body .bar");
  assert.deepEqual(faults, []);
});

test("novelties are those that the command prints", async () => {
  await go("#novelties");
  await page.waitForSelector(".state .button");
  await page.fill('[name="since"]', "1972");
  await page.fill("#novelties-player", "fischer");
  await page.click(".player-form .primary");
  await page.waitForSelector(".novelties-table tbody tr");
  const found = printed("novelties", database, "--since", "1972", "--player", "fischer", "--limit", "0");
  const moves = await page.$$eval(".novelties-table td.move", (cells) => cells.map((cell) => cell.textContent.split(" ")[1]));
  assert.deepEqual(
    moves,
    found.map(({ san }) => san),
  );
  await page.click(".novelties-table tbody tr:first-child .move a");
  await waitForHash(`#game?id=${found[0].game}&ply=${found[0].ply}`);
  assert.deepEqual(faults, []);
});

test("a repertoire is chosen, and its lines lead to the board", async () => {
  const file = join(folder, "lines.pgn");
  writeFileSync(file, "1. e4 e5 (1... c5 2. Nf3 d6 3. d4) (1... e6 2. d4) 2. Nf3 Nc6 3. Bb5 *\n");
  await go("#repertoire");
  await page.setInputFiles("#repertoire-file", file);
  await page.waitForSelector(".departures tbody tr");
  assert.match(await page.textContent(".repertoire .facts"), /for White/);
  await page.selectOption("#repertoire-kind", "opponent");
  await waitForHash("kind=opponent");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".departures td.kind-words")].every((cell) => cell.textContent === "moves without an answer"),
  );
  await page.click(".departures tbody tr:first-child .moves a");
  await waitForHash("#explorer?play=e2e4");
  await page.waitForSelector(".moves-table");
  // The file is still there when the reader comes back.
  await page.goBack();
  await page.waitForSelector(".departures tbody tr");
  writeFileSync(file, "1. e4 *\n".repeat(200_000));
  await page.setInputFiles("#repertoire-file", file);
  await page.waitForFunction(() => document.querySelector(".field-error").textContent.includes("more than a megabyte"));
  assert.deepEqual(faults, []);
});

test("the position on the board has a report", async () => {
  await go("#explorer?play=e2e4,c7c5");
  await page.click(".position-head .button");
  await waitForHash("#opening?play=e2e4,c7c5");
  await page.waitForSelector(".report h2");
  assert.match(await page.textContent(".report h1"), /Sicilian/);
  await page.click('.report a[href^="#game?id="]');
  await page.waitForSelector(".movetext .san");
  await page.goBack();
  await page.waitForSelector(".report h2");
  await page.fill("#opening-name", "B90");
  await page.click(".player-form .primary");
  await waitForHash("name=B90");
  await page.waitForFunction(() => document.querySelector(".report h1")?.textContent.startsWith("B90"));
  assert.deepEqual(faults, []);
});

test("a preparation follows the lines of a file", async () => {
  await go("#player?name=fischer");
  await page.click(".games-head .button:last-child");
  await waitForHash("#prepare?name=fischer");
  await page.waitForSelector(".report h2");
  const whole = await page.textContent(".report");
  await page.selectOption("#prepare-as", "black");
  await waitForHash("as=black");
  await page.waitForFunction((before) => document.querySelector(".report").textContent !== before, whole);
  const file = join(folder, "black.pgn");
  writeFileSync(file, "1. e4 c5 2. Nf3 d6 3. d4 *\n");
  const black = await page.textContent(".report");
  await page.setInputFiles("#repertoire-file", file);
  await waitForHash("lines=file");
  await page.waitForFunction((before) => document.querySelector(".report").textContent !== before, black);
  await page.uncheck("#prepare-lines");
  await page.waitForFunction((before) => document.querySelector(".report").textContent === before, black);
  assert.deepEqual(faults, []);
});

test("the last columns of a report are in sight on screens of all widths", async () => {
  await go("#prepare?name=kasparov&as=white");
  await page.waitForSelector(".report table");
  for (const width of [640, 700, 800, 900, 1000, 1100, 1300]) {
    await page.setViewportSize({ width, height: 800 });
    const hidden = await page.$$eval(".report .wide", (tables) => tables.map((table) => table.scrollWidth - table.clientWidth));
    assert.ok(
      hidden.length > 3 && hidden.every((pixels) => pixels <= 1),
      `${width} pixels hide ${hidden.join()} of tables`,
    );
  }
  assert.deepEqual(faults, []);
});

test("the first view loads nothing of the views that are shown later", async () => {
  const loaded = [];
  page.on("request", (request) => request.url().includes("/page/") && loaded.push(new URL(request.url()).pathname));
  await go("");
  await page.waitForSelector(".games-table tbody tr");
  assert.ok(loaded.includes("/page/page.js") && !loaded.some((path) => path.includes("later")), loaded.join());
  await page.keyboard.press("4");
  await page.waitForSelector(".tournaments-table");
  assert.deepEqual(loaded.filter((path) => path.includes("later")).toSorted(), ["/page/later.css", "/page/later.js"]);
  await page.keyboard.press("5");
  await page.waitForSelector(".novelties .state");
  assert.equal(loaded.filter((path) => path.includes("later")).length, 2);
  assert.deepEqual(faults, []);
});

const VIEWS = {
  tournaments: ["#tournaments", ".tournaments-table tbody tr"],
  tournament: ["#tournament?game=60", ".crosstable tbody tr"],
  novelties: ["#novelties?date=1972", ".novelties-table tbody tr"],
  repertoire: ["#repertoire", ".repertoire .state"],
  opening: ["#opening?play=e2e4", ".report h2"],
  prepare: ["#prepare?name=fischer&as=white", ".report h2"],
};

for (const [name, [address, ready]] of Object.entries(VIEWS)) {
  test(`${name}: nothing is cut off from 360 pixels to a wide screen, and axe finds nothing serious`, async () => {
    await go(address);
    await page.waitForSelector(ready);
    await checkView();
  });
}

test("departures and lines of a repertoire fit, and axe finds nothing serious", async () => {
  const file = join(folder, "checked.pgn");
  writeFileSync(file, "1. e4 e5 (1... c5 2. Nf3 d6 3. d4) (1... e6 2. d4) 2. Nf3 Nc6 3. Bb5 *\n");
  await go("#repertoire");
  await page.setInputFiles("#repertoire-file", file);
  await page.waitForSelector(".departures tbody tr");
  await checkView();
});
