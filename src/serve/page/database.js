// The database: its size, years, sources and problems, and an import under way.

import { addressOf } from "./address.js";
import { ask, forgetAnswers, isAborted } from "./api.js";
import { yearChart } from "./bar-chart.js";
import { fill, h } from "./elements.js";
import { bytes, count, counted, percent } from "./format.js";
import { resultBar } from "./result-bar.js";
import { errorState, fillWith } from "./states.js";

const IMPORT_MILLISECONDS = 2000;
const SHOWN_PROBLEMS = 50;

/** The view of the database. */
export class DatabaseView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.body = h("div", { class: "database" });
    this.problems = h("div", { class: "problem-list" });
    fill(root, h("div", { class: "page-column" }, this.body));
  }

  /** @param {URLSearchParams} parameters */
  update(parameters) {
    this.parameters = parameters;
    this.stop?.abort();
    this.stop = new AbortController();
    return this.load();
  }

  close() {
    this.stop.abort();
    clearTimeout(this.timer);
  }

  load() {
    const { signal } = this.stop;
    return fillWith(this.body, ask("statistics", {}, { signal, fresh: true }), (answer) => this.draw(answer), { again: () => this.load(), lines: 14 });
  }

  draw(answer) {
    this.watch(answer.importing);
    this.listProblems();
    return [h("h1", {}, "Database"), this.importing(answer.importing), this.figures(answer), this.results(answer), this.years(answer),
      this.sources(answer), this.kinds(answer)];
  }

  /** While an import is under way, the page follows it. */
  watch(importing) {
    clearTimeout(this.timer);
    if (!importing) return;
    forgetAnswers();
    this.timer = setTimeout(() => this.load(), IMPORT_MILLISECONDS);
  }

  importing(importing) {
    if (!importing) return null;
    const { source, bytes: read, of_bytes: whole } = importing;
    return h("div", { class: "box import", role: "status" },
      h("p", {}, h("strong", {}, "An import is under way"), source && `: ${source}, ${bytes(read)} of ${bytes(whole)}`),
      whole ? h("progress", { max: whole, value: read, "aria-label": "Import" }) : h("progress", { "aria-label": "Import" }));
  }

  figures({ games, positions, bytes: size, sources, problems }) {
    const faults = problems.reduce((sum, { count: number }) => sum + number, 0);
    const figure = (words, number) => [h("dt", {}, words), h("dd", { class: "number" }, number)];
    return h("dl", { class: "figures wide" }, figure("Games", count(games)), figure("Positions", count(positions)),
      figure("Size", bytes(size)), figure("Sources", count(sources.length)), figure("Problems", count(faults)));
  }

  results({ results, games }) {
    return h("section", { class: "box" }, h("h2", {}, "Results"), resultBar(results),
      h("p", { class: "legend" }, legend("white", "White wins", results.white), legend("draws", "draws", results.draws), legend("black", "Black wins", results.black),
        results.other ? h("span", {}, `${count(results.other)} without a result (${percent(results.other, games)})`) : null));
  }

  years({ years }) {
    const columns = years.map(({ year, games }) => ({ year, parts: [["games", games]], address: addressOf("search", { date: year }) }));
    const describe = ({ year, parts }) => `${year}: ${counted(parts[0]?.[1] ?? 0, "game")}`;
    const chart = yearChart(columns, { title: "Games by year", describe });
    return chart && h("section", { class: "box" }, chart);
  }

  sources({ sources }) {
    return h("section", { class: "box sources" }, h("h2", {}, "Sources"), h("table", { class: "data" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "File"), h("th", { scope: "col", class: "number" }, "Games"), h("th", { scope: "col", class: "number" }, "Problems"), h("th", { scope: "col", class: "date" }, "Imported"))),
      h("tbody", {}, sources.map(({ path, games, problems, imported }) => h("tr", {}, h("td", { class: "path" }, path), h("td", { class: "number" }, count(games)), h("td", { class: "number" }, count(problems)), h("td", { class: "date" }, (imported ?? "").slice(0, 16).replace("T", " ")))))));
  }

  kinds({ problems }) {
    if (!problems.length) return h("section", { class: "box" }, h("h2", {}, "Problems"), h("p", { class: "faint" }, "No problems were found in these games."));
    const chosen = this.parameters.get("kind");
    const rows = problems.map(({ kind, count: number, meaning }) => h("tr", { class: "linked" },
      h("td", { class: "kind" }, h("a", { href: addressOf("database", { kind: kind === chosen ? null : kind }), "aria-expanded": String(kind === chosen) }, kind)),
      h("td", { class: "meaning" }, meaning), h("td", { class: "number" }, count(number))));
    return h("section", { class: "box" }, h("h2", {}, "Problems"), h("table", { class: "data" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Kind"), h("th", { scope: "col" }, "Meaning"), h("th", { scope: "col", class: "number" }, "Number"))),
      h("tbody", {}, rows)), this.problems);
  }

  /** The texts of the problems of one kind. */
  listProblems() {
    const kind = this.parameters.get("kind");
    fill(this.problems);
    if (!kind) return;
    const body = h("ul", {});
    fill(this.problems, h("h3", { class: "kind" }, kind), body);
    this.appendProblems(kind, body, null);
  }

  async appendProblems(kind, body, cursor) {
    try {
      const { problems, next } = await ask("problems", { kind, limit: SHOWN_PROBLEMS, cursor }, this.stop);
      body.append(...problems.map(problemItem));
      this.problems.querySelector(".more")?.remove();
      if (next) this.problems.append(h("button", { type: "button", class: "more", onclick: () => this.appendProblems(kind, body, next) }, "More problems"));
    } catch (error) {
      if (!isAborted(error)) this.problems.append(errorState(error));
    }
  }
}

function problemItem({ game, message, source, line }) {
  const file = source?.split("/").at(-1);
  const place = [file, line && `line ${count(line)}`].filter(Boolean).join(", ");
  return h("li", {}, game ? h("a", { href: addressOf("game", { id: game }) }, message) : message,
    place && h("span", { class: "faint", title: source }, ` · ${place}`));
}

function legend(kind, words, number) {
  return h("span", {}, h("span", { class: `swatch ${kind}` }), `${words}: ${count(number)}`);
}
