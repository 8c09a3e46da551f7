// The signs on buttons, as outlines, since fonts lack some.

import { h, svg } from "./elements.js";
import { t } from "./words.js";

const PATHS = {
  start: "M5 4v12M15 4l-7 6 7 6z",
  back: "M13 4l-7 6 7 6z",
  forward: "M7 4l7 6-7 6z",
  end: "M15 4v12M5 4l7 6-7 6z",
  play: "M6 4l10 6-10 6z",
  pause: "M6.5 4.5v11M13.5 4.5v11",
  more: "M4.5 10h.1M10 10h.1M15.5 10h.1",
  open: "M3 15.5V5h5l1.5 2H17v8.5zM3 9h14",
  pen: "M4 16l.8-3.6L13.6 3.6l2.8 2.8-8.8 8.8zM11.8 5.4l2.8 2.8",
  undo: "M7 5L3.5 8.5 7 12M4 8.5h7.5a4 4 0 0 1 0 8H8",
  basket: "M3 8h14l-1.6 8H4.6zM6.5 8L9 3.5M13.5 8L11 3.5",
  look: "M10 3.5a6.5 6.5 0 1 0 0 13c1.6 0 1.8-1.2 1.2-2-.7-1 .1-2 1.3-2H15a2.6 2.6 0 0 0 1.5-2.5C16.500 6.400 13.600 3.500 10 3.500M6.500 9.500h.1M9 6.500h.1M12.500 7.500h.1",
  columns: "M3.500 4.500h5v11h-5zM11.500 4.500h5v11h-5z",
  flip: "M6 16V4M3 7l3-3 3 3M14 4v12M11 13l3 3 3-3",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7M10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6L16 16M16 4l-1.4 1.4M5.4 14.6L4 16",
  moon: "M16.5 12.2A7 7 0 1 1 7.8 3.5a5.6 5.6 0 0 0 8.7 8.7z",
  help: "M7.2 7.4a2.9 2.9 0 1 1 4.3 2.5c-1 .6-1.5 1.1-1.5 2.3M10 15.4v.2",
  close: "M5 5l10 10M15 5L5 15",
  erase: "M8 16h8M11.5 4.5l4 4-6.8 7H6.3l-2.6-2.6a1 1 0 0 1 0-1.4z",
};

/** A sign. @param {keyof typeof PATHS} name */
export function icon(name) {
  return svg(
    "svg",
    { class: `icon ${name}`, viewBox: "0 0 20 20", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}

/** The button that closes a dialog. @param {() => void} onclick */
export function closeButton(onclick) {
  return h("button", { type: "button", class: "icon-button", "aria-label": t("Close"), onclick }, icon("close"));
}
