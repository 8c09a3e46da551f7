// The switch between light and dark.

import { icon } from "./icons.js";

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
    button.setAttribute("aria-label", isDark ? "Light colours" : "Dark colours");
  };
  button.addEventListener("click", () => {
    const theme = currentTheme() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember(theme);
    label();
  });
  prefersDark.addEventListener("change", label);
  label();
}

function remember(theme) {
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Without storage, the choice holds until the page is closed.
  }
}
