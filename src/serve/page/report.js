// Reports of the server as parts of the page.
//
// They come as HTML, in which the server has escaped all text: nowhere else on the page is text read as HTML.

import { addressOf, readAddress } from "./address.js";
import { setTitle } from "./bidi.js";
import { t } from "./words.js";

/**
 * The element of a report, whose links keep the chosen database.
 * @param {{ title: string, html: string }} answer
 * @returns {Element}
 */
export function reportElement({ title, html }) {
  setTitle(title);
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const link of template.content.querySelectorAll('a[href^="#"]')) {
    const { view, parameters } = readAddress(link.getAttribute("href"));
    link.setAttribute("href", addressOf(view, parameters));
  }
  for (const wide of template.content.querySelectorAll(".wide")) {
    // What can be scrolled must be reached by keys.
    for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", t("Table")]]) wide.setAttribute(name, value);
  }
  return template.content.firstElementChild;
}
