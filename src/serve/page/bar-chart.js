// Charts of numbers by year.

import { h, svg } from "./elements.js";
import { count } from "./format.js";
import { t } from "./words.js";

const HEIGHT = 120;
const STEP = 10;

/**
 * Columns by year, in parts that are stacked.
 * @param {{ year: number, parts: [kind: string, number: number][], address?: string }[]} years
 * @param {{ title: string, describe: (year: any) => string }} options
 */
export function yearChart(years, { title, describe }) {
  const all = withGaps(years.filter(({ year }) => year));
  if (!all.length) return null;
  const most = Math.max(...all.map(total));
  const width = all.length * STEP;
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": t("{title}, {first} to {last}", { title, first: all[0].year, last: all.at(-1).year }),
    },
    all.map((year, index) => column(year, index, most, describe)),
  );
  return h(
    "figure",
    { class: "year-chart" },
    h("figcaption", {}, h("span", {}, title), h("span", { class: "faint number" }, t("most: {count}", { count: count(most) }))),
    picture,
    h(
      "div",
      { class: "axis number", "aria-hidden": "true" },
      ticks(all).map((year) => h("span", { "--at": (year - all[0].year + 0.5) / all.length }, year)),
    ),
  );
}

function column({ year, parts = [], address }, index, most, describe) {
  const whole = { year, parts };
  let bottom = HEIGHT;
  const boxes = parts
    .filter(([, number]) => number)
    .map(([kind, number]) => {
      const height = Math.max(0.8, (HEIGHT * number) / most);
      bottom -= height;
      return svg("rect", { class: `column ${kind}`, x: index * STEP + 1, y: bottom, width: STEP - 2, height });
    });
  const group = svg(
    "g",
    { class: address ? "linked" : null },
    svg("title", {}, describe(whole)),
    svg("rect", { class: "column-back", x: index * STEP, y: 0, width: STEP, height: HEIGHT }),
    boxes,
  );
  if (address) group.addEventListener("click", () => (location.hash = address));
  return group;
}

/** Years without games are columns, too, so that the distance is true. */
function withGaps(years) {
  const byYear = new Map(years.map((year) => [year.year, year]));
  const numbers = [...byYear.keys()].sort((one, other) => one - other);
  if (!numbers.length) return [];
  const length = numbers.at(-1) - numbers[0] + 1;
  return Array.from(
    { length },
    (_, index) => byYear.get(numbers[0] + index) ?? { year: numbers[0] + index, parts: [] },
  );
}

function ticks(all) {
  const step = [1, 2, 5, 10, 20, 50, 100].find((years) => all.length / years <= 7) ?? 200;
  return all.map(({ year }) => year).filter((year) => year % step === 0);
}

function total({ parts = [] }) {
  return parts.reduce((sum, [, number]) => sum + number, 0);
}
