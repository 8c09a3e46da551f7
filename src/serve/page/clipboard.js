// Copying texts.

import { announce } from "./announce.js";
import { h } from "./elements.js";
import { t } from "./words.js";

const SHOWN_MILLISECONDS = 1500;

/**
 * A button that copies a text.
 * @param {string} words on the button
 * @param {() => string | Promise<string>} textOf
 */
export function copyButton(words, textOf) {
  const button = h("button", { type: "button", class: "copy" }, words);
  button.addEventListener("click", async () => {
    const isCopied = await copyText(await textOf());
    button.textContent = isCopied ? t("Copied") : t("Could not copy");
    announce(button.textContent);
    setTimeout(() => (button.textContent = words), SHOWN_MILLISECONDS);
  });
  return button;
}

/**
 * Copies a text, and returns whether that worked. Browsers keep the clipboard from pages that are not on this machine and not
 * by HTTPS: there, the old way.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

function copyFromField(text) {
  const field = h("textarea", { class: "unseen", value: text });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}
