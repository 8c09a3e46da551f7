// Gestures on a board beside moves: arrows and circles by a drag with the right button, steps by the wheel and
// by swipes.

import { colourOf } from "./shapes.js";

/** The turn of the wheel for a step; touchpads report many small turns. */
const WHEEL_STEP = 40;
const WHEEL_PAUSE_MILLISECONDS = 60;
const SWIPE_PIXELS = 36;

/**
 * Lets shapes be drawn.
 * @param {HTMLElement} picture the squares, each with its name
 * @param {{
 *   sketch: (shape: string | null) => void, draw: (shape: string) => void, colour: () => string | null
 * }} how `colour` is one that was chosen, so that the left button and fingers draw
 */
export function listenForShapes(picture, { sketch, draw, colour }) {
  let from = null;
  const shapeTo = (square, event) => {
    const letter = colour() ?? colourOf(event);
    return square === from ? letter + from : letter + from + square;
  };
  const isDrawing = (event) => event.button === 2 || (event.button === 0 && colour() !== null);
  picture.addEventListener(
    "pointerdown",
    (event) => {
      const square = squareAt(event);
      if (!square || !isDrawing(event)) return;
      from = square;
      event.preventDefault();
      picture.setPointerCapture?.(event.pointerId);
      sketch(shapeTo(square, event));
    },
    { capture: true },
  );
  picture.addEventListener("pointermove", (event) => {
    const square = from && squareAt(event);
    if (square) sketch(shapeTo(square, event));
  });
  picture.addEventListener("pointerup", (event) => {
    const square = from && squareAt(event);
    sketch(null);
    if (square) draw(shapeTo(square, event));
    from = null;
  });
  picture.addEventListener("pointercancel", () => {
    from = null;
    sketch(null);
  });
  // Pieces are not taken up while shapes are drawn with the left button or a finger.
  for (const type of ["mousedown", "touchstart"]) {
    picture.addEventListener(type, (event) => colour() !== null && event.stopPropagation(), { capture: true });
  }
}

/**
 * Lets the wheel step through moves.
 * @param {HTMLElement} element
 * @param {(step: "back" | "forward") => void} onStep
 */
export function listenForWheel(element, onStep) {
  let turned = 0;
  let last = 0;
  element.addEventListener(
    "wheel",
    (event) => {
      // With Ctrl it is the zoom of the page.
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault();
      const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * WHEEL_STEP;
      turned = Math.sign(pixels) === Math.sign(turned) ? turned + pixels : pixels;
      // Each notch of a wheel is a step; a touchpad would make dozens of a single movement.
      const isNotch = Math.abs(pixels) >= WHEEL_STEP;
      const isEarly = event.timeStamp - last < WHEEL_PAUSE_MILLISECONDS;
      if (Math.abs(turned) < WHEEL_STEP || (isEarly && !isNotch)) return;
      last = event.timeStamp;
      onStep(turned > 0 ? "forward" : "back");
      turned = 0;
    },
    { passive: false },
  );
}

/**
 * Lets swipes step through moves, where they take up no piece.
 * @param {HTMLElement} element
 * @param {{ onStep: (step: "back" | "forward") => void, isFree: (square: string | null) => boolean }} how
 */
export function listenForSwipes(element, { onStep, isFree }) {
  let start = null;
  element.addEventListener(
    "touchstart",
    (event) => {
      const [touch] = event.touches;
      const isOne = event.touches.length === 1 && isFree(event.target.dataset?.square ?? null);
      start = isOne ? { x: touch.clientX, y: touch.clientY } : null;
    },
    { passive: true },
  );
  element.addEventListener(
    "touchend",
    (event) => {
      if (!start) return;
      const [touch] = event.changedTouches;
      const [right, down] = [touch.clientX - start.x, touch.clientY - start.y];
      start = null;
      if (Math.abs(right) < SWIPE_PIXELS || Math.abs(right) < 1.5 * Math.abs(down)) return;
      onStep(right < 0 ? "forward" : "back");
    },
    { passive: true },
  );
}

/** The square under the pointer, also while it is captured. */
function squareAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.dataset?.square ?? null;
}
