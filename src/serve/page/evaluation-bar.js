// The evaluation of a position as a bar beside the board: the white part is White's chance to win.

import { h } from "./elements.js";
import { evaluation } from "./format.js";
import { winningChance } from "./winning-chance.js";
import { t } from "./words.js";

/** A bar that is as high as the board. */
export class EvaluationBar {
  constructor() {
    this.white = h("div", { class: "white-part" });
    this.element = h("div", { class: "evaluation-bar", role: "img", hidden: true }, this.white);
  }

  /**
   * Shows an evaluation. Without one the bar is hidden; once there has been one, it stays and is empty, so that the board
   * keeps its size.
   * @param {{ eval_cp: number | null, eval_mate: number | null, eval_depth: number | null }} answer
   * @param {boolean} isTurned whether Black is below
   */
  show({ eval_cp: centipawns, eval_mate: mate, eval_depth: depth }, isTurned) {
    const text = evaluation({ eval: centipawns, mate });
    if (text) this.element.hidden = false;
    this.element.classList.toggle("empty", !text);
    this.element.classList.toggle("turned", isTurned);
    this.white.style.height = text ? `${100 * winningChance(centipawns, mate)}%` : "0";
    const words = text ? `${t("Evaluation")} ${text}${depth ? `, ${t("depth {depth}", { depth })}` : ""}` : t("No evaluation");
    this.element.title = words;
    this.element.setAttribute("aria-label", words);
  }
}
