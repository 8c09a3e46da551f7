// The form of filters, and the short list of those that hold.

import { h } from "./elements.js";
import { FIELDS, GROUPS, describeFilter, filtersOf } from "./filters.js";
import { suggestField } from "./suggest.js";
import { t } from "./words.js";

let ids = 0;

/**
 * Makes the form.
 * @param {URLSearchParams} parameters what it starts with
 * @param {(filters: URLSearchParams) => void} onSubmit
 * @param {{ leaveOut?: string[], groups?: Object<string, HTMLElement>, button?: string }} [options] titles of groups to leave
 *   out, elements at the end of groups, and the words on the button
 * @returns {HTMLFormElement}
 */
export function filterForm(parameters, onSubmit, { leaveOut = [], groups = {}, button = t("Search") } = {}) {
  const form = h("form", { class: "filters", autocomplete: "off" });
  const finish = (filters) => {
    // What was asked for is below the drawer.
    const drawer = form.closest("details.drawer");
    if (drawer) drawer.open = false;
    onSubmit(filters);
  };
  const hidden = GROUPS.filter(({ title }) => leaveOut.includes(title)).flatMap(({ fields }) =>
    fields.map(({ name }) => name),
  );
  const kept = [...filtersOf(parameters)].filter(([name]) => hidden.includes(name));
  for (const group of GROUPS) {
    if (!leaveOut.includes(group.title)) form.append(groupOf(group, parameters, groups[group.title]));
  }
  form.append(
    h(
      "div",
      { class: "form-end" },
      h("button", { type: "submit", class: "primary" }, button),
      h("button", { type: "button", onclick: () => finish(new URLSearchParams()) }, t("Clear")),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    finish(new URLSearchParams([...filled(form), ...kept]));
  });
  return form;
}

/**
 * The filters that hold, each with a button that takes it away.
 * @param {URLSearchParams} parameters
 * @param {(filters: URLSearchParams) => void} onChange
 */
export function filterList(parameters, onChange) {
  const filters = [...filtersOf(parameters)];
  const without = (index) => new URLSearchParams(filters.filter((_, other) => other !== index));
  return filters.map(([name, value], index) => {
    const words = describeFilter(name, value);
    return h(
      "span",
      { class: "chip" },
      words,
      h("button", { type: "button", "aria-label": t("Without {words}", { words }), onclick: () => onChange(without(index)) }, "×"),
    );
  });
}

function groupOf({ title, isOpen, fields }, parameters, end) {
  const isUsed = fields.some(({ name }) => parameters.has(name));
  return h(
    "details",
    { class: "group", open: isOpen || isUsed },
    h("summary", {}, t(title)),
    h(
      "div",
      { class: "fields" },
      fields.map((field) => row(field, parameters)),
      end,
    ),
  );
}

function row(field, parameters) {
  const values = parameters.getAll(field.name);
  if (field.isRepeated) return [...values, ""].slice(0, 2).map((value) => labelled(field, value));
  return labelled(field, values[0] ?? "");
}

function labelled(field, value) {
  const id = `field-${(ids += 1)}`;
  if (field.kind === "flag") {
    const box = h("input", { type: "checkbox", id, name: field.name, value: "true", checked: value === "true" });
    return h("label", { class: "flag", for: id }, box, t(field.label));
  }
  const label = h("label", { for: id, title: field.hint ? t(field.hint) : null }, t(field.label));
  return h("div", { class: "field" }, label, control(field, value, id));
}

function control(field, value, id) {
  const properties = {
    id,
    name: field.name,
    value,
    placeholder: t(field.example ?? "") || (field.hint ? t(field.hint) : null),
    title: field.hint ? t(field.hint) : null,
  };
  if (field.kind === "suggest") return suggestField(field.field, properties);
  if (field.kind === "choice") return choices(field, value, id);
  return h("input", { type: "text", spellcheck: "false", ...properties });
}

function choices(field, value, id) {
  const known = Object.entries(field.choices);
  const others = value && !field.choices[value] ? [[value, value]] : [];
  const options = [["", t("any")], ...known, ...others];
  return h(
    "select",
    { id, name: field.name },
    options.map(([name, words]) => h("option", { value: name, selected: name === value }, t(words))),
  );
}

/** The values of the form, in the order of its fields, without empty ones. */
function filled(form) {
  const values = [...new FormData(form)].map(([name, value]) => [name, value.trim()]);
  return new URLSearchParams(values.filter(([name, value]) => FIELDS.has(name) && value));
}
