// Views whose modules are loaded when they are shown, so that the first view of the page does not wait for them.

import { fill, h } from "./elements.js";
import { errorState, skeleton } from "./states.js";
import { t } from "./words.js";

/** @type {Promise<Object<string, any>> | null} */
let loading = null;

/** A view of the second script, which stands in for it until it is there. */
export class LaterView {
  /**
   * @param {HTMLElement} root
   * @param {string} name of the view's class
   */
  constructor(root, name) {
    Object.assign(this, { root, name, view: null, isClosed: false });
  }

  /** @param {URLSearchParams} parameters */
  async update(parameters) {
    this.parameters = parameters;
    if (!this.view && !(await this.load())) return undefined;
    return this.view.update(this.parameters);
  }

  /** @param {string} key */
  onKey(key) {
    return this.view?.onKey?.(key) ?? false;
  }

  close() {
    this.isClosed = true;
    this.view?.close?.();
  }

  /** Returns whether the view is there. */
  async load() {
    if (!this.root.childElementCount) fill(this.root, skeleton(8));
    try {
      const views = await loadLater();
      if (this.isClosed) return false;
      if (!this.view) {
        this.root.replaceChildren();
        this.view = new views[this.name](this.root);
      }
      return true;
    } catch {
      const error = new Error(t("The server does not answer. Is `stamma serve` still running?"));
      if (!this.isClosed) fill(this.root, errorState(error, () => this.update(this.parameters)));
      return false;
    }
  }
}

/** The exports of the second script. @returns {Promise<Object<string, any>>} */
export async function loadLater() {
  loading ??= loadViews();
  try {
    return await loading;
  } catch (error) {
    loading = null;
    throw error;
  }
}

async function loadViews() {
  const [views] = await Promise.all([import("./later.js"), loadStyles()]);
  return views;
}

function loadStyles() {
  return new Promise((resolve, reject) => {
    const link = h("link", { rel: "stylesheet", href: "/page/later.css", onload: resolve, onerror: reject });
    document.head.append(link);
  });
}
