// The database: its size, years, sources and problems, and an import under way.

import { addressOf, gameId } from "./address.js";
import { ask, forgetAnswers, isAborted } from "./api.js";
import { yearChart } from "./bar-chart.js";
import { fill, h } from "./elements.js";
import { bytes, count, counted, percent } from "./format.js";
import { resultBar } from "./result-bar.js";
import { errorState, fillWith } from "./states.js";
import { box, dataRow, dataTable, legend, linkedRow } from "./tables.js";
import { t } from "./words.js";

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
    const answer = ask("statistics", {}, { signal: this.stop.signal, fresh: true });
    return fillWith(this.body, answer, (statistics) => this.draw(statistics), { again: () => this.load(), lines: 14 });
  }

  draw(answer) {
    this.watch(answer.importing);
    this.listProblems();
    const parts = [importState(answer.importing), figures(answer), results(answer), years(answer), sources(answer)];
    return [h("h1", {}, t("Database")), parts, this.kinds(answer)];
  }

  /** While an import is under way, the page follows it. */
  watch(importing) {
    clearTimeout(this.timer);
    if (!importing) return;
    forgetAnswers();
    this.timer = setTimeout(() => this.load(), IMPORT_MILLISECONDS);
  }

  kinds({ problems }) {
    if (!problems.length) return box(t("Problems"), h("p", { class: "faint" }, t("No problems were found in these games.")));
    const chosen = this.parameters.get("kind");
    const rows = problems.map(({ kind, count: number, meaning }) =>
      linkedRow(
        addressOf("database", { kind: kind === chosen ? null : kind }),
        ["kind", kind],
        ["meaning", meaning],
        ["number", count(number)],
      ),
    );
    return box(t("Problems"), dataTable([[t("Kind")], [t("Meaning")], [t("Number"), "number"]], rows), this.problems);
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
      if (next) this.problems.append(moreButton(() => this.appendProblems(kind, body, next)));
    } catch (error) {
      if (!isAborted(error)) this.problems.append(errorState(error));
    }
  }
}

function problemItem({ database, game, message, source, line }) {
  const place = [source, line && `line ${count(line)}`].filter(Boolean).join(", ");
  return h(
    "li",
    {},
    game ? h("a", { href: addressOf("game", { id: gameId(database, game) }) }, message) : message,
    place && h("span", { class: "faint" }, ` · ${place}`),
  );
}

function moreButton(onclick) {
  return h("button", { type: "button", class: "more", onclick }, t("More problems"));
}

function importState(importing) {
  if (!importing) return null;
  const { source, bytes: read, of_bytes: whole } = importing;
  const words = source && `: ${source}, ${bytes(read)} of ${bytes(whole)}`;
  const progress = h("progress", { max: whole || null, value: whole ? read : undefined, "aria-label": t("Import") });
  return h(
    "div",
    { class: "box import", role: "status" },
    h("p", {}, h("strong", {}, t("An import is under way")), words),
    progress,
  );
}

function figures({ games, positions, bytes: size, sources: all, problems }) {
  const faults = problems.reduce((sum, { count: number }) => sum + number, 0);
  const figure = (words, number) => [h("dt", {}, words), h("dd", { class: "number" }, number)];
  return h(
    "dl",
    { class: "figures wide" },
    figure(t("Games"), count(games)),
    figure(t("Positions"), count(positions)),
    figure(t("Size"), bytes(size)),
    figure(t("Sources"), count(all.length)),
    figure(t("Problems"), count(faults)),
  );
}

function results({ results: { white, draws, black, other }, games }) {
  const parts = [
    legend("white", `${t("White wins")}: ${count(white)}`),
    legend("draws", `${t("draws")}: ${count(draws)}`),
    legend("black", `${t("Black wins")}: ${count(black)}`),
  ];
  const rest = other > 0 && h("span", {}, t("{count} without a result ({share})", { count: count(other), share: percent(other, games) }));
  return box(t("Results"), resultBar({ white, draws, black }), h("p", { class: "legend" }, parts, rest));
}

function years({ years: all }) {
  const columns = all.map(({ year, games }) => ({
    year,
    parts: [["games", games]],
    address: addressOf("search", { date: year }),
  }));
  const describe = ({ year, parts }) => `${year}: ${counted(parts[0]?.[1] ?? 0, "game")}`;
  const chart = yearChart(columns, { title: t("Games by year"), describe });
  return chart && h("section", { class: "box" }, chart);
}

function sources({ sources: all }) {
  const columns = [[t("File")], [t("Games"), "number"], [t("Problems"), "number"], [t("Imported"), "date"]];
  const rows = all.map(({ file, games, problems, imported }) =>
    dataRow(["path", file], ["number", count(games)], ["number", count(problems)], ["date", moment(imported)]),
  );
  return h("div", { class: "sources" }, box(t("Sources"), dataTable(columns, rows)));
}

/** A point in time without its seconds. */
function moment(text) {
  return (text ?? "").slice(0, 16).replace("T", " ");
}
