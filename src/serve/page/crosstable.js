// The crosstable of a tournament: players against players, or against rounds. Each result leads to its game.

import { addressOf, gameId } from "./address.js";
import { isolated } from "./bidi.js";
import { h } from "./elements.js";
import { result as score } from "./format.js";
import { dataRow, dataTable } from "./tables.js";
import { t } from "./words.js";

/** The tie-breaks of each system, in the order in which they count. */
const TIE_BREAKS = {
  "round-robin": ["sonneborn_berger", "wins"],
  match: ["wins"],
  "knock-out": ["wins"],
  teams: ["wins"],
  swiss: ["buchholz", "sonneborn_berger", "wins"],
  other: ["buchholz", "sonneborn_berger", "wins"],
};
const NAMES = {
  sonneborn_berger: ["S-B", "Sonneborn-Berger: the points of each opponent, times the score against that opponent"],
  buchholz: ["Buchh.", "Buchholz: the points of all opponents"],
  wins: ["Wins", "Games won"],
};
const STAGES = ["Final", "Semi-final", "Quarter-final"];

/**
 * The crosstable, which scrolls by itself where it is wider than the page.
 * @param {any} answer of `crosstable`
 */
export function crosstable(answer) {
  const { standings, system } = answer;
  const results = resultsOf(answer);
  const tieBreaks = TIE_BREAKS[system] ?? TIE_BREAKS.other;
  const columns = [
    ["#", "number place"],
    [t("Player"), "name"],
    // Beside the names, where they are seen however many rounds there are.
    [t("Points"), "number"],
    ["Elo", "number"],
    ...results.columns,
    [t("Games"), "number"],
    ...tieBreaks.map((name) => [NAMES[name][0], "number", NAMES[name][1]]),
    [t("Perf."), "number", t("Performance")],
  ];
  const rows = standings.map((player, place) =>
    h(
      "tr",
      {},
      h("td", { class: "number place" }, player.rank),
      h("th", { class: "name", scope: "row" }, playerLink(player.name)),
      h("td", { class: "number points" }, halves(player.points)),
      h("td", { class: "number" }, player.elo ?? ""),
      results.cells(place),
      h("td", { class: "number" }, player.games),
      tieBreaks.map((name) => h("td", { class: "number" }, tieBreak(player, name))),
      h("td", { class: "number" }, player.performance ?? ""),
    ),
  );
  const table = dataTable(columns, rows, "crosstable");
  // What can be scrolled must be reached by keys.
  return h("div", { class: "scrolled", role: "region", "aria-label": t("Crosstable"), tabindex: 0 }, table);
}

/** The stage of the final; none if it is missing, so that several matches are the last. */
function finalStage(matches) {
  const stages = matches.filter((match) => !match.third_place).map(({ stage }) => stage);
  const last = Math.max(...stages);
  return stages.filter((stage) => stage === last).length === 1 ? last : NaN;
}

/** The matches of a knock-out, the last stage first. @param {any} answer */
export function matchesTable(answer) {
  const { matches, standings, encounters } = answer;
  const last = finalStage(matches);
  const rows = matches.toReversed().map(({ stage, players, points, decided, third_place: third }) => {
    const [winner, loser] = players;
    const games = encounters.filter((game) => players.includes(game.white_index) && players.includes(game.black_index));
    return dataRow(
      ["stage", third ? t("Third place") : STAGES[last - stage] ? t(STAGES[last - stage]) : `${t("Stage")} ${stage}`],
      ["name", playerLink(standings[winner].name)],
      ["name", playerLink(standings[loser].name)],
      ["number", `${halves(points[0])} : ${halves(points[1])}${decided ? "" : " ?"}`],
      ["encounters", games.map((game) => gameLink(game, winner, answer))],
    );
  });
  const columns = [[t("Stage")], [t("Winner"), "name"], [t("Loser"), "name"], [t("Score"), "number"], [t("Games"), "encounters"]];
  const table = dataTable(columns, rows, "matches");
  return h("div", { class: "scrolled", role: "region", "aria-label": t("Matches"), tabindex: 0 }, table);
}

/** The teams of a team event, each with its players in the order of boards. @param {any} answer */
export function teamsTable({ teams, standings }) {
  const rows = teams.map(({ rank, name, match_points: points, wins, draws, losses, board_points: boards, players }) =>
    dataRow(
      ["number place", rank],
      ["name", name],
      ["number points", points],
      ["number", `${wins} ${draws} ${losses}`],
      ["number", halves(boards)],
      ["encounters", players.flatMap((place) => [playerLink(standings[place].name), " "])],
    ),
  );
  const columns = [
    ["#", "number place"],
    [t("Team"), "name"],
    [t("Match points"), "number"],
    ["+ = −", "number", t("Matches won, drawn and lost")],
    [t("Board points"), "number"],
    [t("Players")],
  ];
  const table = dataTable(columns, rows, "teams");
  return h("div", { class: "scrolled", role: "region", "aria-label": t("Teams"), tabindex: 0 }, table);
}

/** The columns of results, and the cells of a player. */
function resultsOf(answer) {
  if (answer.system === "round-robin") return byOpponent(answer);
  return answer.system === "match" ? inOneCell(answer) : byRound(answer);
}

function byOpponent(answer) {
  const { standings, encounters } = answer;
  const games = standings.map(() => standings.map(() => []));
  for (const game of encounters) {
    games[game.white_index][game.black_index].push(game);
    games[game.black_index][game.white_index].push(game);
  }
  const cell = (place, opponent) =>
    place === opponent
      ? h("td", { class: "encounter self" }, h("span", { class: "unseen" }, "none"))
      : h("td", { class: "encounter" }, games[place][opponent].map((game) => gameLink(game, place, answer)));
  return {
    columns: standings.map(({ name }, place) => [String(place + 1), "encounter", name]),
    cells: (place) => standings.map((_, opponent) => cell(place, opponent)),
  };
}

function inOneCell(answer) {
  const cells = (place) => h("td", { class: "encounters" }, answer.encounters.map((game) => gameLink(game, place, answer)));
  return { columns: [[t("Results"), "encounters"]], cells };
}

/** A column for each round, or for the games of each player one after the other. */
function byRound(answer) {
  const { standings, encounters, swiss_rounds: rounds } = answer;
  const games = standings.map(() => []);
  for (const game of encounters) {
    for (const place of new Set([game.white_index, game.black_index])) {
      const column = rounds && game.round ? game.round - 1 : games[place].length;
      (games[place][column] ??= []).push(game);
    }
  }
  const most = games.reduce((length, row) => Math.max(length, row.length), 0);
  const places = Array.from({ length: most }, (_, index) => index);
  const encounter = (game, place) => {
    const isWhite = game.white_index === place;
    const opponent = isWhite ? game.black_index : game.white_index;
    return gameLink(game, place, answer, `${opponent + 1}${isWhite ? "w" : "b"}`);
  };
  return {
    columns: places.map((index) => [String(index + 1), "encounter", t("round {round}", { round: index + 1 })]),
    cells: (place) =>
      places.map((index) => h("td", { class: "encounter" }, (games[place][index] ?? []).map((game) => encounter(game, place)))),
  };
}

/** The result of a game for a player, which leads to the game. */
function gameLink(game, place, { standings }, before = "") {
  const { white_index: white, black_index: black, round } = game;
  const kind = kindOf(game, place);
  const words = `${isolated(standings[white].name)} – ${isolated(standings[black].name)} ${score(game.result)}`;
  const title = round ? `${words}, ${t("round {round}", { round })}` : words;
  const sign = { win: "1", draw: "½", loss: "0" }[kind] ?? "*";
  const address = addressOf("game", { id: gameId(game.database, game.game), side: white === place ? null : "black" });
  return h(
    "a",
    { class: `outcome ${kind}`, href: address, title, "aria-label": title },
    before && h("span", { class: "opponent" }, before),
    sign,
  );
}

function kindOf({ result, white_index: white }, place) {
  if (result === "1/2-1/2") return "draw";
  if (result !== "1-0" && result !== "0-1") return "open";
  return (result === "1-0") === (white === place) ? "win" : "loss";
}

function playerLink(name) {
  return h("a", { href: addressOf("player", { name: `=${name}` }) }, name);
}

function tieBreak(player, name) {
  const value = player[name];
  return name === "sonneborn_berger" ? value.toFixed(2) : name === "buchholz" ? value.toFixed(1) : value;
}

/** Points, with a sign for a half: "8½". */
function halves(points) {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return `${whole || ""}½`;
}
