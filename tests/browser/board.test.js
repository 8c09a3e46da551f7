// The board to work at: a tree of moves, files that are opened, annotations, drawings, the basket, looks and languages.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { addressOf, base, checkView, database, faults, folder, go, hash, open, page, program, use, waitForHash } from "./browser.js";
import { GameTree } from "./page/game-tree.js";
import { readGame } from "./page/pgn-reader.js";

async function middle(square) {
  const { x, y, width, height } = await page.locator(`.board-picture .square[data-square="${square}"]`).boundingBox();
  return [x + width / 2, y + height / 2];
}

async function play(move) {
  const before = await hash();
  await page.fill("#move-field", move);
  await page.keyboard.press("Enter");
  await page.waitForFunction((old) => location.hash !== old, before);
  await page.evaluate(() => document.activeElement.blur());
}

const shapes = () => page.$$eval(".shape", (all) => all.map((shape) => shape.dataset.shape));
/** The movetext, with spaces between its blocks. */
const text = () => page.$$eval(".movetext > *", (blocks) => blocks.map(({ textContent }) => textContent).join(" "));
const waitForText = (words) =>
  page.waitForFunction(
    (part) => [...document.querySelectorAll(".movetext > *")].map(({ textContent }) => textContent).join(" ").includes(part),
    words,
  );
const current = () => page.$eval(".movetext [aria-current]", (link) => link.textContent);

/** Pastes a text on the page, outside of its fields. */
const paste = (pasted) =>
  page.evaluate((words) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", words);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);

const ANNOTATED = `[Event "Club evening"]
[White "Fischer, Robert James"]
[Black "Spassky, Boris"]
[Result "1-0"]

{Before the game.} 1. e4 {[%clk 1:30:00][%cal Gg1f3][%csl Rd5] Best by test.} (1. d4 d5 (1... Nf6 $6 2. c4) 2. c4 {Quiet.})
1... e5 $1 2. Nf3 Nc6 3. Bb5 1-0
`;

test("moves become a tree, which is walked, addressed and kept", async () => {
  await go("");
  await page.waitForSelector(".moves-table");
  for (const move of ["e4", "c5", "Nf3"]) await play(move);
  await page.keyboard.press("ArrowLeft");
  await waitForHash("at=2");
  await play("c3");
  assert.match(await text(), /1\.e4 c5 2\.Nf3 \(2\.c3\)/);
  assert.equal(await hash(), "#explorer?play=e2e4,c7c5,c2c3");
  await page.keyboard.press("ArrowUp");
  await waitForHash("play=e2e4,c7c5,g1f3");
  await page.keyboard.press("ArrowDown");
  await waitForHash("play=e2e4,c7c5,c2c3");
  // The database answers beside each node.
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector('.moves-table tr[data-uci="g1f3"]');
  await page.keyboard.press("Home");
  await waitForHash("at=0");
  await page.keyboard.press("End");
  await page.waitForFunction(() => !location.hash.includes("at="));
  await page.click(".movetext .ply.main:nth-of-type(3) .san");
  await waitForHash("g1f3");
  // A link with another line adds to the same tree, and the back button goes back.
  await page.evaluate(() => (location.hash = "#explorer?play=d2d4"));
  await waitForText("(1.d4)");
  await page.goBack();
  await waitForHash("g1f3");
  await page.waitForTimeout(600);
  await page.reload();
  await waitForText("(1.d4)");
  assert.equal(await current(), "Nf3");
  assert.deepEqual(faults, []);
});

test("a FEN and a PGN are pasted anywhere", async () => {
  await go("#database");
  await page.waitForSelector(".database .bar");
  await paste("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
  await waitForHash("#explorer?fen=4k3");
  await page.waitForSelector('.cell[data-square="a7"][aria-label="a7 white pawn"]');
  await paste(ANNOTATED);
  await waitForHash("work=");
  await waitForText("Best by test.");
  assert.equal(
    await text(),
    "Before the game. 1.e4◦ Best by test. (1.d4 d5 (1…Nf6⁈ 2.c4) 2.c4 Quiet.) 1…e5! 2.Nf3 Nc6 3.Bb5 1–0",
  );
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".shape.green");
  assert.deepEqual(await shapes(), ["Gg1f3", "Rd5"]);
  await page.waitForSelector('.moves-table tr[data-uci="e7e5"]');
  // It is there after a reload, and in another tab.
  await page.reload();
  await waitForText("Best by test.");
  assert.equal(await current(), "e4◦");
  await paste("nothing of chess");
  await page.waitForSelector(".toast");
  assert.deepEqual(faults, []);
});

test("a file with many games is dropped, and one of them opened", async () => {
  const games = readFileSync(join(process.env.STAMMA_GAMES, "classical.pgn"), "utf8");
  const asked = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  await go("#search");
  await page.waitForSelector(".filters");
  await page.evaluate((words) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([words], "classical.pgn", { type: "application/x-chess-pgn" }));
    const drop = (type) => document.querySelector("main").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    drop("dragover");
    drop("drop");
  }, games);
  await waitForHash("#file?id=");
  await page.waitForSelector(".file-table tbody tr");
  assert.equal(await page.textContent("h1"), "classical.pgn");
  assert.equal(await page.textContent(".facts"), `${games.match(/^\[White /gm).length} games`);
  await checkView();
  await page.fill("#file-filter", "zukertort blackburne");
  await page.waitForFunction(() => document.querySelectorAll(".file-table tbody tr").length === 1);
  await page.click(".file-table .row-button");
  await waitForHash("#explorer?work=");
  await waitForText("1.c4 e6 2.e3");
  // The same game is in the database.
  await page.click(".steps .menu summary");
  await page.click("text=This game and games of both players");
  await waitForHash("#search?player=");
  await page.waitForSelector(".games-table tbody tr");
  await page.keyboard.press("8");
  await page.waitForSelector(".works-table tbody tr");
  assert.match(await page.textContent(".mine"), /Zukertort, Johannes – Blackburne/);
  assert.match(await page.textContent(".mine"), /classical\.pgn/);
  await checkView();
  assert.deepEqual(asked, []);
  assert.deepEqual(faults, []);
});

test("games with HTML are text when they are opened", async () => {
  const mark = (number) => `<img src=x onerror=hacked(${number})>`;
  const game = `[Event "${mark(1)}"]\n[White "${mark(2)}"]\n[Black "x"]\n\n{${mark(3)}} 1. e4 (1. d4 {${mark(4)}}) e5 2. ${mark(5)} *\n\n`;
  await go("");
  await page.waitForSelector(".moves-table");
  await paste(game);
  await waitForText("<img src=x onerror=hacked(4)>");
  await page.keyboard.press("c");
  await page.waitForSelector("#comment-field");
  await page.click(".work-tags summary");
  await page.waitForFunction((words) => document.querySelector("#tag-White")?.value === words, mark(2));
  await page.evaluate(() => document.activeElement.blur());
  await paste(game + game);
  await page.waitForSelector(".file-table tbody tr");
  await go("#mine");
  await page.waitForSelector(".works-table");
  assert.equal(await page.locator("main img").count(), 0);
  assert.deepEqual(faults, []);
});

test("a game is annotated and saved", async () => {
  await go("");
  await page.waitForSelector(".moves-table");
  await paste(ANNOTATED);
  await waitForText("Best by test.");
  await page.click('.movetext .variation .san >> text="c4"');
  await waitForHash("play=d2d4,g8f6,c2c4");
  await page.keyboard.press("c");
  await page.waitForSelector("#comment-field");
  await page.fill("#comment-field", "Any {brace} is\n tamed");
  await page.click('.sign[data-nag="1"]');
  await page.click('.sign[data-nag="3"]');
  await page.click('.sign[data-nag="16"]');
  await waitForText("2.c4‼±");
  await page.click("text=Main line");
  await waitForText("1.d4 (1.e4◦ Best by test. 1…e5!");
  await page.click("text=Undo");
  await waitForText("1.e4◦ Best by test. (1.d4 d5");
  await page.click("text=Promote");
  await waitForText("(1.d4 Nf6⁈ (1…d5 2.c4 Quiet.) 2.c4‼±");
  await page.locator(".movetext .san", { hasText: /^e5/ }).click();
  await waitForHash("play=e2e4,e7e5");
  await page.click("text=Delete what follows");
  await page.waitForFunction(() => !document.querySelector(".movetext").textContent.includes("Nf3"));
  await page.click(".work-tags summary");
  await page.fill("#tag-Event", "Rematch");
  await page.selectOption("#tag-Result", "0-1");
  await waitForText("0–1");
  await page.click(".steps .menu summary");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Save as PGN")]);
  assert.equal(download.suggestedFilename(), "Fischer-Spassky.pgn");
  const saved = readFileSync(await download.path(), "utf8");
  assert.match(saved, /\[Event "Rematch"\]/);
  assert.match(saved, /\[Result "0-1"\]/);
  const { tree, result } = await readGame(saved);
  assert.equal(result, "0-1");
  const [e4, d4] = tree.children;
  assert.deepEqual(e4.shapes, ["Rd5", "Gg1f3"]);
  assert.deepEqual([e4.clock, e4.comment, e4.children.length], [5400, "Best by test.", 1]);
  assert.deepEqual(e4.children[0].children, []);
  const [, c4] = GameTree.lineFrom(d4.children[0]);
  assert.deepEqual(c4.nags, [3, 16]);
  assert.equal(c4.comment, "Any {brace) is tamed");
  await page.evaluate(() => document.activeElement.blur());
  await checkView();
  assert.deepEqual(faults, []);
});

test("a variation is deleted, and the deletion undone", async () => {
  await go("");
  await page.waitForSelector(".moves-table");
  await paste(ANNOTATED);
  await waitForText("Best by test.");
  await page.click('.movetext .variation .san >> text="d5"');
  await page.keyboard.press("c");
  await page.click("text=Delete variation");
  await page.waitForFunction(() => !document.querySelector(".movetext").textContent.includes("d4"));
  assert.ok(!(await hash()).includes("play=d2d4"));
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("u");
  await waitForText("(1.d4 d5");
  assert.deepEqual(faults, []);
});

test("a game of the database is annotated as a copy", async () => {
  await go("#game?id=1&ply=4");
  await page.waitForSelector(".movetext .san");
  await page.click("text=Annotate a copy");
  await waitForHash("work=");
  await waitForText("1.c4 e6 2.e3 Nf6");
  assert.equal(await current(), "Nf6");
  assert.match(await page.textContent(".work-head"), /Zukertort, Johannes – Blackburne/);
  assert.deepEqual(faults, []);
});

test("games of the database are read by the page as by the program", async () => {
  const kept = (node) => [node.uci, node.fen, node.nags, node.before ?? null, node.comment ?? null, node.children.map(kept)];
  let games = 0;
  for (let id = 1; id <= 105; id += 1) {
    const answer = await (await fetch(`${base}/api/1/games/${id}`)).json();
    const pgn = await (await fetch(`${base}/api/1/games/${id}/pgn`)).text();
    const { tree } = await readGame(pgn);
    const expected = GameTree.ofGame(answer);
    assert.deepEqual(tree.children.map(kept), expected.children.map(kept), `game ${id}`);
    games += tree.children.length ? 1 : 0;
  }
  assert.ok(games > 100);
});

test("the most played moves have arrows, unless they are turned off", async () => {
  const arrows = () => page.$$eval(".arrow", (all) => all.map((arrow) => arrow.dataset.arrow).sort());
  const toggle = async (words) => {
    await page.click("summary[aria-label='Open, save, find']");
    await page.click(`text=${words}`);
  };
  await go("");
  await page.waitForSelector(".arrow-played.often[data-arrow=e2e4]", { state: "attached" });
  assert.deepEqual(await arrows(), ["d2d4", "e2e4", "g1f3"]);
  await page.hover(".moves-table tr[data-uci=c2c4]");
  await page.waitForSelector(".arrow-hint[data-arrow=c2c4]", { state: "attached" });
  assert.deepEqual(await arrows(), ["c2c4"]);
  await page.hover("h1");
  assert.deepEqual(await arrows(), ["d2d4", "e2e4", "g1f3"]);

  await toggle("Hide arrows of moves");
  assert.deepEqual(await arrows(), []);
  await page.reload();
  await page.waitForSelector(".moves-table");
  assert.deepEqual(await arrows(), []);
  await toggle("Show arrows of moves");
  assert.deepEqual(await arrows(), ["d2d4", "e2e4", "g1f3"]);
  assert.deepEqual(faults, []);
});

test("arrows and circles are drawn by the right button and by keys", async () => {
  await go("#explorer?play=e2e4");
  await page.waitForSelector(".moves-table");
  const drag = async (from, to, key = null) => {
    if (key) await page.keyboard.down(key);
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...(await middle(to)), { steps: 4 });
    await page.mouse.up({ button: "right" });
    if (key) await page.keyboard.up(key);
  };
  await drag("e7", "e5");
  await drag("d5", "d5", "Shift");
  await drag("f1", "c4", "Alt");
  assert.deepEqual(await shapes(), ["Ge7e5", "Rd5", "Bf1c4"]);
  await drag("e7", "e5");
  await drag("d5", "d5");
  assert.deepEqual(await shapes(), ["Bf1c4", "Gd5"]);
  await page.focus('.cell[data-square="d2"]');
  await page.keyboard.press("a");
  await page.focus('.cell[data-square="d4"]');
  await page.keyboard.press("Shift+A");
  await page.waitForFunction(() => document.querySelector("#announcer").textContent === "red arrow from d2 to d4");
  await page.keyboard.press("a");
  await page.keyboard.press("a");
  assert.deepEqual(await shapes(), ["Bf1c4", "Gd5", "Rd2d4", "Gd4"]);
  // They belong to the move, and stay with it.
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => !document.querySelector(".shape"));
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".shape");
  await page.waitForTimeout(600);
  await page.reload();
  await page.waitForSelector(".shape");
  assert.deepEqual((await shapes()).toSorted(), ["Bf1c4", "Gd4", "Gd5", "Rd2d4"]);
  assert.deepEqual(faults, []);
});

test("the wheel steps through moves, and they play by themselves", async () => {
  await go("#explorer?play=e2e4,c7c5,g1f3");
  await page.waitForSelector(".moves-table");
  await page.mouse.move(...(await middle("e5")));
  await page.mouse.wheel(0, -100);
  await waitForHash("at=2");
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => !location.hash.includes("at="));
  await page.evaluate(() => localStorage.setItem("speed", "0.5"));
  await page.keyboard.press("Home");
  await page.keyboard.press("p");
  await page.waitForFunction(() => document.querySelector(".steps .play").getAttribute("aria-label") === "Stop playing");
  await page.waitForFunction(() => !location.hash.includes("at="));
  await page.waitForFunction(() => document.querySelector(".steps .play").getAttribute("aria-label") === "Play the moves");
  assert.deepEqual(faults, []);
});

test("a swipe over the board steps through moves", async () => {
  use(await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }));
  await go("#explorer?play=e2e4,c7c5,g1f3");
  await page.waitForSelector(".moves-table");
  const swipe = (square, right) =>
    page.evaluate(
      ([name, pixels]) => {
        const element = document.querySelector(`.board-picture .square[data-square="${name}"]`);
        const { x, y } = element.getBoundingClientRect();
        const touch = (clientX) => new Touch({ identifier: 1, target: element, clientX, clientY: y + 5 });
        const send = (type, touches, changedTouches) => element.dispatchEvent(new TouchEvent(type, { touches, changedTouches, bubbles: true, cancelable: true }));
        send("touchstart", [touch(x)], [touch(x)]);
        send("touchend", [], [touch(x + pixels)]);
      },
      [square, right],
    );
  await swipe("e5", 90);
  await waitForHash("at=2");
  await swipe("e5", -90);
  await page.waitForFunction(() => !location.hash.includes("at="));
  // A piece that may move is taken up instead.
  await swipe("d7", 90);
  await page.waitForTimeout(200);
  assert.ok(!(await hash()).includes("at="));
  assert.deepEqual(faults, []);
});

test("games are collected in a basket, saved and opened", async () => {
  await go("#search?player=fischer&sort=date");
  await page.waitForSelector(".games-table tbody tr");
  for (const row of [1, 2, 3]) await page.click(`.games-table tbody tr:nth-child(${row}) .collect`);
  await page.waitForFunction(() => document.querySelector("[data-basket-size]").textContent === "3");
  await page.click(".games-table tbody tr:nth-child(2) .collect");
  await page.waitForFunction(() => document.querySelector("[data-basket-size]").textContent === "2");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("[data-basket-size]").textContent === "2");
  await page.waitForFunction(() => document.querySelectorAll('.collect[aria-pressed="true"]').length === 2);
  await page.click("[data-basket]");
  await waitForHash("#mine");
  await page.waitForSelector(".mine .games-table tbody tr");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(".mine .tools >> text=Save as PGN")]);
  assert.equal(readFileSync(await download.path(), "utf8").match(/^\[White /gm).length, 2);
  await page.click("text=Open as a list");
  await page.waitForSelector(".file-table tbody tr");
  assert.equal(await page.locator(".file-table tbody tr").count(), 2);
  await page.goBack();
  await page.waitForSelector(".mine .games-table tbody tr");
  await page.click("text=Use as repertoire");
  await page.waitForSelector(".departures tbody tr, .repertoire .state");
  await page.goBack();
  await page.click("text=Empty the basket");
  await page.waitForFunction(() => document.querySelector("[data-basket-size]").textContent === "");
  assert.deepEqual(faults, []);
});

test("a position is set up with an eraser, castling rights and en passant", async () => {
  await go("#explorer?play=e2e4,a7a6,e4e5,d7d5");
  await page.waitForSelector(".position-head h1");
  await page.keyboard.press("s");
  await page.waitForSelector("#setup-en-passant");
  assert.equal(await page.inputValue("#setup-en-passant"), "d6");
  await page.click('.brush[aria-label="eraser"]');
  const square = (name) => page.locator(`.setup .board-picture .square[data-square="${name}"]`);
  await square("h1").click();
  assert.ok(await page.isDisabled("#castling-K"));
  assert.ok(await page.isEnabled("#castling-Q"));
  await square("a8").click({ button: "right" });
  await page.fill("#setup-number", "12");
  await page.click(".editor .primary");
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("1nbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBN1"));
  const fen = new URLSearchParams((await hash()).split("?")[1]).get("fen");
  assert.equal(fen, "1nbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBN1 w Qk d6 0 12");
  assert.deepEqual(faults, []);
});

test("boards, pieces, letters and the language are chosen, and remembered", async () => {
  await go("#explorer?play=e2e4,e7e5,g1f3");
  await page.waitForSelector(".moves-table");
  const colour = () => page.$eval(".board-picture .square.black", (square) => getComputedStyle(square).fill);
  const before = await colour();
  await page.click(".top-tools .menu summary");
  await page.selectOption(".menu-choice:nth-child(1) select", "wood");
  assert.notEqual(await colour(), before);
  await page.selectOption(".menu-choice:nth-child(2) select", "celtic");
  await page.waitForSelector("#cm-chessboard-sprite #wk", { state: "attached" });
  await page.waitForSelector(".moves-table");
  assert.notEqual(await colour(), before);
  await page.click(".top-tools .menu summary");
  await page.selectOption(".menu-choice:nth-child(4) select", "de");
  await waitForText("2.Sf3");
  await page.waitForSelector('nav >> text="Spieler"');
  assert.equal(await page.getAttribute("html", "lang"), "de");
  await page.waitForFunction(() => [...document.querySelectorAll(".moves-table .move a")].some((link) => link.textContent === "Sc6"));
  await play("Sc6");
  await waitForHash("b8c6");
  await page.click(".top-tools .menu summary");
  await page.selectOption(".menu-choice:nth-child(3) select", "figurines");
  await waitForText("2.♘f3");
  await play("Bb5");
  await waitForHash("f1b5");
  assert.deepEqual(faults, []);
});

test("the browser's language is the page's", async () => {
  for (const [locale, words] of [["fr-CH", "Joueurs"], ["es", "Jugadores"], ["de-AT", "Spieler"], ["it", "Players"]]) {
    use(await open({ locale }));
    await go("");
    await page.waitForSelector(`nav >> text="${words}"`);
    await page.waitForSelector(".moves-table");
    for (const width of [360, 800, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${locale} at ${width}`);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  }
});

test("the table of moves is beside the board from 600 pixels, and right below it on a phone", async () => {
  await go("#explorer?play=e2e4");
  await page.waitForSelector(".moves-table tbody tr");
  const boxes = () =>
    page.evaluate(() => [".explorer .board", ".moves-table"].map((name) => document.querySelector(name).getBoundingClientRect().toJSON()));
  for (const width of [600, 700, 1000, 1400]) {
    await page.setViewportSize({ width, height: 800 });
    const [board, table] = await boxes();
    assert.ok(table.left >= board.right && table.top < board.bottom, `${width}`);
  }
  for (const width of [360, 599]) {
    await page.setViewportSize({ width, height: 900 });
    const [board, table] = await boxes();
    assert.ok(table.top >= board.bottom && table.top - board.bottom < 220, `${width}: ${table.top - board.bottom}`);
  }
});

test("thousands of variations are opened and walked", async () => {
  const lines = ["e4 e5", "e4 c5", "d4 d5", "d4 Nf6", "c4 e5", "Nf3 d5"];
  const tail = "2. Nc3 Nc6 3. Nb1 Nb8 ".concat(Array.from({ length: 80 }, (_, index) => `${4 + 2 * index}. Nc3 Nc6 ${5 + 2 * index}. Nb1 Nb8`).join(" "));
  const variations = lines.map((line) => `(1. ${line} ${tail})`).join(" ");
  const file = join(folder, "large.pgn");
  writeFileSync(file, `[White "Large"]\n\n1. b3 ${variations.repeat(3)} 1... b6 2. Bb2 *\n`);
  await go("");
  await page.waitForSelector(".moves-table");
  await paste(readFileSync(file, "utf8"));
  await page.waitForFunction(() => document.querySelectorAll(".movetext .san").length > 5000);
  await page.keyboard.press("ArrowRight");
  await waitForHash("play=b2b3");
  await page.keyboard.press("ArrowDown");
  await waitForHash("play=e2e4");
  await page.keyboard.press("End");
  await page.waitForFunction(() => location.hash.length > 1000);
  await page.waitForFunction(() => document.querySelector(".movetext [aria-current]")?.textContent === "Nb8");
  assert.deepEqual(faults, []);
});

test("the help lists the keys, and each of them does something", async () => {
  await go("");
  await page.waitForSelector(".moves-table");
  // The browser takes a key without waiting for the protocol: it hands over choosers long before the key is pressed.
  const chosen = page.waitForEvent("filechooser");
  await page.keyboard.press("?");
  const keys = await page.$$eval(".keys dt", (all) => all.map((key) => key.textContent).join(" "));
  for (const key of ["p", "c", "u", "a", "o, Ctrl-V", "1 to 8"]) assert.ok(keys.includes(key), key);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".keys", { state: "detached" });
  await page.keyboard.press("o");
  const chooser = await chosen;
  const file = join(folder, "one.pgn");
  writeFileSync(file, ANNOTATED);
  await chooser.setFiles(file);
  await waitForText("Best by test.");
  assert.deepEqual(faults, []);
});

test("games are added to the database and replaced in it, if the server lets the page", async () => {
  // The server of the other tests only reads, and offers nothing.
  await go("");
  await page.waitForSelector(".moves-table");
  await paste(ANNOTATED);
  await waitForText("Best by test.");
  await page.click(".steps .menu summary");
  await page.waitForSelector("text=Copy PGN");
  assert.equal(await page.locator("text=Add to the database").count(), 0);
  await checkView();

  const copy = join(folder, "written.db");
  copyFileSync(database, copy);
  const server = spawn(program, ["serve", copy, "--write", "--bind", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await addressOf(server);
    const count = async () => (await (await fetch(`${address}/api/1/count`)).json()).games;
    const before = await count();
    const notice = (words) => page.waitForFunction((part) => document.querySelector(".toast")?.textContent.includes(part), words);
    const choose = async (words) => {
      await page.click(".steps .menu summary");
      await page.click(`.menu-list >> text=${words}`);
    };
    await page.goto(`${address}/`);
    await page.waitForSelector(".moves-table");
    await paste(ANNOTATED);
    await waitForText("Best by test.");
    await choose("Add to the database");
    await notice(`Added to the database as game ${before + 1}.`);
    assert.equal(await count(), before + 1);
    await page.click(".undo-change");
    await notice("taken out of the database");
    assert.equal(await count(), before);

    await page.goto(`${address}/#game?id=2`);
    await page.click("text=Annotate a copy");
    await waitForHash("work=");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("c");
    await page.fill("#comment-field", "Changed by the page");
    await page.evaluate(() => document.activeElement.blur());
    await choose("Replace game 2");
    await notice("Game 2 was replaced.");
    assert.equal(await count(), before);
    const pgn = await (await fetch(`${address}/api/1/pgn?comment=changed+by+the+page`)).text();
    assert.match(pgn, /Changed by the page/);
    await page.click(".undo-change");
    await notice("Game 2 is as it was before.");
    assert.equal(await count(), before);
    assert.equal(await (await fetch(`${address}/api/1/pgn?comment=changed+by+the+page`)).text(), "");
    assert.deepEqual(faults, []);
  } finally {
    server.kill("SIGINT");
  }
});
