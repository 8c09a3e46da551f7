// The colours that the reader chose, before the page is drawn: loaded as a classic script, so that nothing flashes.
"use strict";

(() => {
  const stored = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const theme = stored();
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
