// A preparation for an opponent: a report on what the opponent plays, also along the lines of a repertoire.

import { addressOf, changed, go } from "./address.js";
import { ask, send } from "./api.js";
import { fill, h } from "./elements.js";
import { filterForm, filterList } from "./filter-form.js";
import { filtersOf } from "./filters.js";
import { chosenFile, fileField } from "./repertoire-file.js";
import { reportElement } from "./report.js";
import { emptyState, fillWith } from "./states.js";
import { suggestField } from "./suggest.js";
import { t } from "./words.js";

const SIDES = { white: "White", black: "Black" };
/** Parameters of the view that are no filters; `lines` takes the chosen file. */
const OWN = ["name", "as", "lines"];

/** The view of a preparation. */
export class PrepareView {
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
    const name = parameters.get("name");
    if (!name) return this.showNothing();
    const query = changed(filtersOf(parameters), { name, as: parameters.get("as") ?? "white" });
    const file = parameters.has("lines") ? chosenFile() : null;
    const answer = file ? send("report/prepare-repertoire", query, file.text, this.stop) : ask("report/prepare", query, this.stop);
    return fillWith(this.body, answer, reportElement, { again: () => this.update(parameters), lines: 16 });
  }

  close() {
    this.stop?.abort();
  }

  own() {
    return Object.fromEntries(OWN.map((name) => [name, this.parameters.get(name)]));
  }

  showHead() {
    const properties = { id: "prepare-name", name: "name", value: this.parameters.get("name") ?? "" };
    const side = this.parameters.get("as") ?? "white";
    const sides = Object.entries(SIDES).map(([value, words]) => h("option", { value, selected: value === side }, t(words)));
    const onSide = (event) => this.change({ as: event.target.value });
    const form = h(
      "form",
      { class: "player-form", onsubmit: (event) => this.submit(event) },
      h("div", { class: "field" }, h("label", { for: "prepare-name" }, t("Opponent")), suggestField("player", properties)),
      h(
        "div",
        { class: "field" },
        h("label", { for: "prepare-as" }, t("I play")),
        h("select", { id: "prepare-as", name: "as", onchange: onSide }, sides),
      ),
      h("button", { type: "submit", class: "primary" }, t("Prepare")),
    );
    const onChange = (filters) => go(addressOf("prepare", changed(filters, this.own())));
    const chips = filterList(this.parameters, onChange);
    const filters = filterForm(this.parameters, onChange, { leaveOut: ["Players", "Pattern"], button: t("Apply") });
    const words = chips.length ? `${t("Filter games")} (${chips.length})` : t("Filter games");
    const drawer = h("details", { class: "drawer" }, h("summary", {}, words), filters);
    fill(this.head, form, this.lines(), drawer, chips.length > 0 && h("div", { class: "chips" }, chips));
  }

  /** The repertoire, to whose lines the report keeps. */
  lines() {
    const isUsed = this.parameters.has("lines");
    const onChoose = () => (isUsed ? this.update(this.parameters) : this.change({ lines: "file" }));
    const box = h("input", { type: "checkbox", id: "prepare-lines", checked: isUsed });
    box.addEventListener("change", () => this.change({ lines: box.checked ? "file" : null }));
    const flag = h("label", { class: "flag", for: "prepare-lines" }, box, t("Only lines of this file"));
    return h("div", { class: "file-choice" }, fileField(onChoose), chosenFile() && flag);
  }

  submit(event) {
    event.preventDefault();
    this.change({ name: String(new FormData(event.target).get("name")).trim() });
  }

  change(changes) {
    go(addressOf("prepare", changed(this.parameters, changes)));
  }

  showNothing() {
    fill(
      this.body,
      h("h1", {}, t("Prepare")),
      emptyState(
        t("Whom do you play against?"),
        h("p", {}, t("The report shows what the opponent plays against your colour, how well and how lately, and which games to look at.")),
      ),
    );
  }
}
