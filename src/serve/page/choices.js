// The reader's settings, which the browser keeps: colours, pieces, the language. Without storage, a choice holds until
// the page is closed.

const chosen = new Map();

/**
 * A choice.
 * @param {string} name
 * @param {string | null} [usual] what holds without a choice
 * @returns {string | null}
 */
export function choice(name, usual = null) {
  if (chosen.has(name)) return chosen.get(name);
  try {
    return localStorage.getItem(name) ?? usual;
  } catch {
    return usual;
  }
}

/** Chooses. @param {string} name @param {string} value */
export function choose(name, value) {
  chosen.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    // It holds until the page is closed.
  }
}
