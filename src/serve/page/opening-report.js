// A report on an opening, which is given by the position on the explorer's board or by its name.

import { addressOf, changed, go } from "./address.js";
import { ask } from "./api.js";
import { fill, h } from "./elements.js";
import { filterForm, filterList } from "./filter-form.js";
import { filtersOf } from "./filters.js";
import { reportElement } from "./report.js";
import { emptyState, fillWith } from "./states.js";
import { suggestField } from "./suggest.js";
import { t } from "./words.js";

/** Parameters of the view that are no filters. */
const OWN = ["name", "fen", "play"];

/** The view of a report. */
export class OpeningReportView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.head = h("div", { class: "player-head" });
    this.body = h("div", { class: "report-box" });
    fill(root, h("div", { class: "page-column" }, this.head, this.body));
  }

  /** @param {URLSearchParams} parameters */
  update(parameters) {
    this.parameters = parameters;
    this.stop?.abort();
    this.stop = new AbortController();
    this.showHead();
    if (!OWN.some((name) => parameters.get(name))) return this.showNothing();
    const query = changed(filtersOf(parameters), this.own());
    const again = () => this.update(parameters);
    return fillWith(this.body, ask("report/opening", query, this.stop), reportElement, { again, lines: 16 });
  }

  close() {
    this.stop?.abort();
  }

  own() {
    return Object.fromEntries(OWN.map((name) => [name, this.parameters.get(name)]));
  }

  showHead() {
    const properties = { id: "opening-name", name: "name", value: this.parameters.get("name") ?? "" };
    const form = h(
      "form",
      { class: "player-form", onsubmit: (event) => this.submit(event) },
      h("div", { class: "field" }, h("label", { for: "opening-name" }, t("Opening")), suggestField("opening", properties)),
      h("button", { type: "submit", class: "primary" }, t("Report")),
      this.explorerLink(),
    );
    const onChange = (filters) => go(addressOf("opening", changed(filters, this.own())));
    const chips = filterList(this.parameters, onChange);
    const filters = filterForm(this.parameters, onChange, { leaveOut: ["Pattern"], button: t("Apply") });
    const words = chips.length ? `${t("Filter games")} (${chips.length})` : t("Filter games");
    const drawer = h("details", { class: "drawer" }, h("summary", {}, words), filters);
    fill(this.head, form, drawer, chips.length > 0 && h("div", { class: "chips" }, chips));
  }

  /** Back to the position that the report is on. */
  explorerLink() {
    if (this.parameters.get("name")) return null;
    const address = addressOf("explorer", changed(this.parameters, { name: null }));
    return h("a", { class: "button", href: address }, t("To the board"));
  }

  submit(event) {
    event.preventDefault();
    const name = String(new FormData(event.target).get("name")).trim();
    const own = name ? { name, fen: null, play: null } : { name: null };
    go(addressOf("opening", changed(this.parameters, own)));
  }

  showNothing() {
    const example = (name) => h("a", { class: "button", href: addressOf("opening", { name }) }, name);
    fill(
      this.body,
      h("h1", {}, t("Opening report")),
      emptyState(
        t("Which opening?"),
        h("p", {}, t("Give words of its name or its code, or choose “Report” beside a position of the explorer.")),
        h("p", { class: "tools" }, ["Sicilian Defense: Najdorf", "Ruy Lopez", "E60-E99"].map(example)),
      ),
    );
  }
}
