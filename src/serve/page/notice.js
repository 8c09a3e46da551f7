// A sentence that is shown for a while at the foot of the page.

import { announce } from "./announce.js";
import { h } from "./elements.js";
import { closeButton } from "./icons.js";

const SHOWN_MILLISECONDS = 9000;

/** @param {...unknown} content */
export function showNotice(...content) {
  document.querySelector(".toast")?.remove();
  const toast = h(
    "div",
    { class: "toast" },
    h("span", {}, content),
    closeButton(() => toast.remove()),
  );
  document.body.append(toast);
  announce(toast.firstElementChild.textContent);
  setTimeout(() => toast.remove(), SHOWN_MILLISECONDS);
}
