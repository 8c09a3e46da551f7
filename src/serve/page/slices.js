// Long work in slices, so that no key or drag waits for it.

const SLICE_MILLISECONDS = 10;
/** The number of short steps between two looks at the clock. */
const SHORT_STEPS = 16;

/**
 * A clock for one piece of long work.
 * @param {number} [stepsBetween] the steps after which it is looked at
 * @returns {{ isDue: () => boolean, rest: () => Promise<void> }} whether it is time to rest, and the rest
 */
export function slices(stepsBetween = SHORT_STEPS) {
  let began = performance.now();
  let steps = 0;
  const isDue = () => {
    steps += 1;
    return steps % stepsBetween === 0 && performance.now() - began > SLICE_MILLISECONDS;
  };
  const rest = async () => {
    await nextTask();
    began = performance.now();
  };
  return { isDue, rest };
}

/** Waits until the browser has done what it has to do. */
export function nextTask() {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
