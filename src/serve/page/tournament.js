// One tournament: its crosstable, and what is missing in it.

import { addressOf, gameId } from "./address.js";
import { ask } from "./api.js";
import { isolated, setTitle } from "./bidi.js";
import { crosstable, matchesTable, teamsTable } from "./crosstable.js";
import { fill, h } from "./elements.js";
import { count, counted } from "./format.js";
import { fillWith } from "./states.js";
import { box } from "./tables.js";
import { played } from "./tournaments.js";
import { t } from "./words.js";

/** The most players or games that a sentence names. */
const MAX_NAMED = 6;

/** The view of one tournament. */
export class TournamentView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.body = h("div", { class: "tournament" });
    fill(root, h("div", { class: "page-column" }, this.body));
  }

  /** @param {URLSearchParams} parameters */
  update(parameters) {
    this.stop?.abort();
    this.stop = new AbortController();
    const answer = ask("crosstable", { game: parameters.get("game") }, this.stop);
    return fillWith(this.body, answer, (found) => draw(found), { again: () => this.update(parameters), lines: 14 });
  }

  close() {
    this.stop?.abort();
  }
}

function draw(answer) {
  setTitle(answer.event);
  const facts = [
    answer.site && isolated(answer.site),
    played(answer),
    counted(answer.games, "game"),
    counted(answer.standings.length, "player"),
    answer.average_elo && `${t("Average Elo")} ${answer.average_elo}`,
    systemOf(answer),
  ];
  const others = addressOf("tournaments", { event: `=${answer.event}` });
  return [
    h(
      "div",
      { class: "player-head" },
      h("h1", {}, answer.event),
      h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
      h("p", { class: "tools" }, h("a", { class: "button", href: others }, t("All tournaments of this name"))),
    ),
    answer.incomplete && h("p", { class: "faint" }, incomplete(answer)),
    answer.teams.length > 0 && box(t("Teams"), teamsTable(answer)),
    answer.matches.length > 0 && box(t("Matches"), matchesTable(answer)),
    crosstable(answer),
    notes(answer),
  ];
}

function incomplete({ incomplete: { results, of } }) {
  return t("Incomplete: {results} of {all} results of players are here, and places count these only.", {
    results: count(results),
    all: count(of),
  });
}

function systemOf({ system, cycles, swiss_rounds: rounds }) {
  const few = { 1: t("round robin"), 2: t("double round robin") };
  const roundRobin = few[cycles] ?? t("round robin of {cycles} cycles", { cycles });
  const swiss = rounds ? `${t("Swiss")}, ${counted(rounds, "round")}` : t("Swiss");
  return { match: "match", "round-robin": roundRobin, "knock-out": t("knock-out"), swiss, teams: t("team event") }[system] ?? t("no known system");
}

/** The notes beside the table: games missing, doubled, left out or unfinished. */
function notes(answer) {
  const sentences = [
    pairNote(answer, answer.missing, "game is missing", "games are missing"),
    pairNote(answer, answer.surplus, "game more than the others have", "games more than the others have"),
    absenceNote(answer),
    doubledNote(answer),
    answer.duplicates > 0 && t("{count} marked as duplicates, and not counted", { count: counted(answer.duplicates, "game") }),
    answer.repeated > 0 && t("{count} in several databases, and counted once", { count: counted(answer.repeated, "game") }),
    answer.unfinished > 0 && t("{count} without a result", { count: counted(answer.unfinished, "game") }),
  ].filter(Boolean);
  return sentences.length > 0 && box(t("Notes"), h("ul", { class: "notes" }, sentences.map((words) => h("li", {}, words))));
}

function pairNote({ standings }, pairs, one, many) {
  if (!pairs.length) return null;
  const games = pairs.reduce((sum, pair) => sum + pair.games, 0);
  const names = pairs.map(({ players, games: number }) => {
    const [first, second] = players.map((player) => isolated(standings[player].name));
    return `${first} – ${second}${number > 1 ? ` (${number})` : ""}`;
  });
  return `${count(games)} ${games === 1 ? one : many}: ${named(names)}`;
}

function absenceNote({ standings, absences }) {
  if (!absences.length) return null;
  const names = absences.map(({ player, rounds }) => `${isolated(standings[player].name)}${rounds > 1 ? ` (${rounds})` : ""}`);
  const verb = absences.length === 1 ? "has" : "have";
  return `${counted(absences.length, "player")} ${verb} fewer games than there are rounds: ${named(names)}`;
}

function doubledNote({ doubled }) {
  if (!doubled.length) return null;
  const link = (database, game) => {
    const id = gameId(database, game);
    return h("a", { href: addressOf("game", { id }) }, id);
  };
  const games = doubled
    .slice(0, MAX_NAMED)
    .flatMap(({ database, game, left_out_database: other, left_out: left }) => [", ", link(other, left), " as ", link(database, game)]);
  const rest = doubled.length > MAX_NAMED && ` and ${count(doubled.length - MAX_NAMED)} more`;
  const verb = doubled.length === 1 ? "is" : "are";
  return [`${counted(doubled.length, "game")} ${verb} there twice, and counted once: `, games.slice(1), rest];
}

/** The first of some names, and the number of the others. */
function named(names) {
  const more = names.length > MAX_NAMED ? ` and ${count(names.length - MAX_NAMED)} more` : "";
  return names.slice(0, MAX_NAMED).join("; ") + more;
}
