// The switch between light and dark.

import { choose } from "./choices.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} */
function currentTheme() {
  return document.documentElement.dataset.theme ?? (prefersDark.matches ? "dark" : "light");
}

/**
 * Makes a button switch between light and dark.
 * @param {HTMLButtonElement} button
 */
export function startThemeSwitch(button) {
  const label = () => {
    const isDark = currentTheme() === "dark";
    button.replaceChildren(icon(isDark ? "sun" : "moon"));
    button.setAttribute("aria-label", isDark ? t("Light colours") : t("Dark colours"));
  };
  button.addEventListener("click", () => {
    const theme = currentTheme() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    choose("theme", theme);
    label();
  });
  prefersDark.addEventListener("change", label);
  label();
}
