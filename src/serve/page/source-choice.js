// The choice of a source of the database: all games, the games of the last import, or the games of one file.

import { ask } from "./api.js";
import { h } from "./elements.js";
import { count } from "./format.js";
import { t } from "./words.js";

/**
 * A labelled choice. The sources come later, and those of the same name are told apart by their numbers of games.
 * @param {{ id: string, value: string, onChange?: (source: string) => void, stop: AbortController }} options
 */
export function sourceChoice({ id, value, onChange, stop }) {
  const option = (key, words) => h("option", { value: key, selected: key === value }, words);
  const select = h("select", { id, name: "source" }, option("", t("all")), option("last", t("of the last import")));
  if (onChange) select.addEventListener("change", () => onChange(select.value));
  addSources(select, value, option, stop);
  return h("div", { class: "field" }, h("label", { for: id }, t("Games")), select);
}

async function addSources(select, value, option, stop) {
  const isKnown = () => [...select.options].some((one) => one.value === value);
  try {
    const { sources } = await ask("statistics", {}, stop);
    const filled = sources.toReversed().filter(({ games }) => games);
    // A number belongs to one database, so sources of several databases are named.
    const key = ({ database, file, id }) => (database ? file : `${id}`);
    select.append(...filled.map((one) => option(key(one), t("of {file} ({count})", { file: one.file, count: count(one.games) }))));
  } catch {
    // The sources cannot be chosen then, but the others can.
  }
  if (!isKnown()) select.append(option(value, value));
}
