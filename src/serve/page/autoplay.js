// Moves that play by themselves, until they end or something else is done.

import { choice, choose } from "./choices.js";

/** The time of a position, in seconds. */
export const SPEEDS = ["0.5", "1", "2", "4", "8"];
const DEFAULT_SPEED = "2";

/** Steps forward again and again. */
export class Autoplay {
  /** @param {{ step: () => boolean, onChange: (isPlaying: boolean) => void }} how `step` returns whether there was a move */
  constructor({ step, onChange }) {
    Object.assign(this, { step, onChange, timer: 0, isPlaying: false });
  }

  toggle() {
    if (this.isPlaying) this.stop();
    else this.start();
  }

  start() {
    this.isPlaying = true;
    this.onChange(true);
    this.playOne();
  }

  stop() {
    clearTimeout(this.timer);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.onChange(false);
  }

  playOne() {
    if (!this.step()) {
      this.stop();
      return;
    }
    this.timer = setTimeout(() => this.playOne(), 1000 * Number(chosenSpeed()));
  }
}

/** The seconds between two moves. */
export function chosenSpeed() {
  const speed = choice("speed", DEFAULT_SPEED);
  return SPEEDS.includes(speed) ? speed : DEFAULT_SPEED;
}

/** @param {string} speed */
export function chooseSpeed(speed) {
  choose("speed", speed);
}
