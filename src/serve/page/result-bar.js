// Results as a bar of three parts.

import { h } from "./elements.js";
import { percent } from "./format.js";
import { t } from "./words.js";

const WIDE_ENOUGH = 0.17;

/**
 * A bar with the shares of White's wins, draws and Black's wins.
 * @param {{ white: number, draws: number, black: number }} results
 */
export function resultBar({ white, draws, black }) {
  return bar([
    ["white", t("White wins"), white],
    ["draws", t("draws"), draws],
    ["black", t("Black wins"), black],
  ]);
}

/**
 * The same for a player: wins, draws and losses.
 * @param {{ wins: number, draws: number, losses: number }} results
 */
export function scoreBar({ wins, draws, losses }) {
  return bar([
    ["wins", t("won"), wins],
    ["draws", t("drawn"), draws],
    ["losses", t("lost"), losses],
  ]);
}

/** A score as percent: wins and half the draws. */
export function score({ wins, draws, losses }) {
  return percent(wins + draws / 2, wins + draws + losses);
}

function bar(parts) {
  const total = parts.reduce((sum, [, , number]) => sum + number, 0);
  const words = parts.map(([, name, number]) => `${percent(number, total) || 0} ${name}`).join(", ");
  return h(
    "span",
    { class: "bar", role: "img", "aria-label": total ? words : t("no results"), title: total ? words : t("no results") },
    parts.filter(([, , number]) => number).map(([kind, , number]) => part(kind, number, total)),
  );
}

function part(kind, number, total) {
  const share = number / total;
  const text = share >= WIDE_ENOUGH ? `${Math.round(100 * share)}` : "";
  return h("span", { class: `bar-part ${kind}`, "--share": share, "aria-hidden": "true" }, text);
}
