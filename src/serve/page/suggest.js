// A text field that suggests names of the database, with the keys of a combo box.

import { ask, isAborted } from "./api.js";
import { h } from "./elements.js";
import { count } from "./format.js";
import { t } from "./words.js";

const PAUSE_MILLISECONDS = 120;
let lists = 0;

/**
 * Makes a field with suggestions.
 * @param {string} field what is suggested: player, event, site, opening
 * @param {Object<string, unknown>} properties of the input
 * @param {(value: string) => void} [onChoose]
 * @returns {HTMLElement} a box with the input in it
 */
export function suggestField(field, properties, onChoose = () => {}) {
  const id = `suggestions-${(lists += 1)}`;
  const list = h("ul", { id, role: "listbox", "aria-label": t("Suggestions"), hidden: true });
  const input = h("input", {
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": id,
    ...properties,
  });
  new Suggestions(field, input, list, onChoose);
  return h("div", { class: "suggest" }, input, list);
}

class Suggestions {
  constructor(field, input, list, onChoose) {
    Object.assign(this, { field, input, list, onChoose, at: -1, pause: 0, asking: null });
    input.addEventListener("input", () => this.askSoon());
    input.addEventListener("keydown", (event) => this.onKey(event));
    input.addEventListener("blur", () => this.close());
    list.addEventListener("pointerdown", (event) => this.onPointer(event));
  }

  askSoon() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.ask(), PAUSE_MILLISECONDS);
  }

  async ask() {
    this.asking?.abort();
    this.asking = new AbortController();
    const text = this.input.value.trim();
    if (!text || text.startsWith("=")) return this.close();
    try {
      const found = await ask("suggest", { field: this.field, text, limit: 8 }, this.asking);
      if (document.activeElement === this.input) this.open(found);
    } catch (error) {
      if (!isAborted(error)) this.close();
    }
  }

  open(found) {
    this.at = -1;
    this.list.replaceChildren(...found.map((one, index) => option(one, `${this.list.id}-${index}`)));
    this.list.hidden = found.length === 0;
    this.input.setAttribute("aria-expanded", String(found.length > 0));
    this.input.removeAttribute("aria-activedescendant");
  }

  close() {
    clearTimeout(this.pause);
    this.open([]);
  }

  onKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !this.list.hidden) this.walk(step);
    else if (event.key === "Enter" && this.at >= 0) this.take(this.list.children[this.at]);
    else if (event.key === "Escape" && !this.list.hidden) this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  walk(step) {
    const options = [...this.list.children];
    this.at = (this.at + step + options.length) % options.length;
    options.forEach((element, index) => element.setAttribute("aria-selected", String(index === this.at)));
    this.input.setAttribute("aria-activedescendant", options[this.at].id);
    options[this.at].scrollIntoView({ block: "nearest" });
  }

  onPointer(event) {
    event.preventDefault();
    const element = event.target.closest("[role=option]");
    if (element) this.take(element);
  }

  /** Names that were chosen are meant exactly; openings are found by words. */
  take(element) {
    this.input.value = (this.field === "opening" ? "" : "=") + element.dataset.value;
    this.close();
    this.onChoose(element.dataset.value);
  }
}

function option({ value, games }, id) {
  return h(
    "li",
    { id, role: "option", "aria-selected": "false", "data-value": value },
    h("span", { class: "suggest-name" }, value),
    h("span", { class: "number faint" }, count(games)),
  );
}
