// The page: shows the view that the address names, and follows the address.

import { addressOf, changed, go, readAddress } from "./address.js";
import { ask, forgetAnswers } from "./api.js";
import { basketSize, onBasket } from "./basket.js";
import { setTitle } from "./bidi.js";
import { DatabaseView } from "./database.js";
import { fill, h } from "./elements.js";
import { Explorer } from "./explorer.js";
import { GameView } from "./game.js";
import { icon } from "./icons.js";
import { showKeys, startKeys } from "./keys.js";
import { LaterView } from "./later-view.js";
import { startLookMenu } from "./look-menu.js";
import { chooseFile, startOpening } from "./open-text.js";
import { PlayerView } from "./player.js";
import { keepScroll, restoreScroll } from "./scroll.js";
import { SearchView } from "./search.js";
import { errorState } from "./states.js";
import { startThemeSwitch } from "./theme-switch.js";
import { loadWords, t } from "./words.js";
import { noteDatabases } from "./write.js";

/** A view of the script that is loaded when it is needed. @param {string} name */
const later = (name) =>
  class extends LaterView {
    constructor(root) {
      super(root, name);
    }
  };

const VIEWS = {
  explorer: [Explorer, "Explorer"],
  search: [SearchView, "Search"],
  game: [GameView, "Game"],
  player: [PlayerView, "Players"],
  tournaments: [later("TournamentsView"), "Tournaments"],
  tournament: [later("TournamentView"), "Tournament"],
  novelties: [later("NoveltiesView"), "Novelties"],
  opening: [later("OpeningReportView"), "Opening report"],
  prepare: [later("PrepareView"), "Prepare"],
  repertoire: [later("RepertoireView"), "Repertoire"],
  database: [DatabaseView, "Database"],
  mine: [later("MineView"), "My games"],
  file: [later("FileView"), "File"],
};

/** The views that share the link of another view. */
const PARENTS = { tournament: "tournaments", opening: "explorer", prepare: "player", file: "mine" };

const root = document.getElementById("content");
let shown = { name: "", database: null, view: null };

function follow() {
  const { view: name, parameters } = readAddress();
  const database = parameters.get("db");
  const isOther = name !== shown.name || database !== shown.database;
  if (isOther) open(name, database);
  const drawn = shown.view.update(parameters);
  if (isOther) restoreScroll(drawn);
}

function open(name, database) {
  shown.view?.close?.();
  if (database !== shown.database) forgetAnswers();
  const isFirst = shown.view === null;
  const [View, title] = VIEWS[name];
  root.replaceChildren();
  shown = { name, database, view: new View(root) };
  setTitle(t(title));
  markView(name);
  if (!isFirst) {
    root.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

function markView(name) {
  for (const link of document.querySelectorAll("nav [data-view]")) {
    link.href = addressOf(link.dataset.view);
    if (link.dataset.view === (PARENTS[name] ?? name)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  // On a phone, the row of views scrolls.
  const current = document.querySelector("nav [aria-current]");
  const row = current?.parentElement;
  row?.scrollTo({ left: current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2 });
}

/** Offers the databases, if the server has several. */
async function offerDatabases() {
  const databases = await ask("databases");
  noteDatabases(databases);
  if (databases.length < 2) return;
  const chosen = readAddress().parameters.get("db") ?? "";
  const choice = document.querySelector(".database-choice");
  const select = choice.querySelector("select");
  fill(
    select,
    [["", t("all databases")], ...databases.map(({ name }) => [name, name])].map(([value, words]) =>
      h("option", { value, selected: value === chosen }, words),
    ),
  );
  select.addEventListener("change", () => changeDatabase(select.value));
  choice.hidden = false;
}

function changeDatabase(name) {
  const { view, parameters } = readAddress();
  const isOfOne = view === "game" || view === "tournament";
  const kept = isOfOne ? new URLSearchParams() : new URLSearchParams(parameters);
  kept.set("db", name);
  go(addressOf(isOfOne ? (PARENTS[view] ?? "explorer") : view, kept));
}

/** Follows links within the page at once. @param {MouseEvent} event */
function followLink(event) {
  const link = event.target.closest?.('a[href^="#"]');
  const isOther = event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || isOther) return;
  event.preventDefault();
  go(link.getAttribute("href"));
}

/** Texts that the page begins with are English. */
function translatePage() {
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", t(element.dataset.label));
}

function showBasketSize() {
  const size = document.querySelector("[data-basket-size]");
  size.textContent = basketSize() || "";
  size.parentElement.setAttribute("aria-label", t("My games, {count} in the basket", { count: basketSize() }));
}

async function start() {
  await loadWords();
  translatePage();
  startThemeSwitch(document.querySelector("[data-theme-switch]"));
  startLookMenu(document.querySelector("[data-looks]"));
  startOpening();
  startKeys((key) => (key === "o" ? (chooseFile(), true) : (shown.view?.onKey?.(key) ?? false)));
  document.querySelector("[data-basket]").prepend(icon("basket"));
  onBasket(showBasketSize);
  const help = document.querySelector("[data-help]");
  fill(help, icon("help"));
  help.addEventListener("click", showKeys);
  document.querySelector("[data-skip]").addEventListener("click", (event) => {
    event.preventDefault();
    root.focus();
  });
  keepScroll();
  document.addEventListener("click", followLink);
  addEventListener("hashchange", follow);
  follow();
  offerDatabases().catch((error) => {
    if (!root.childElementCount)
      fill(
        root,
        errorState(error, () => location.reload()),
      );
  });
}

start();
