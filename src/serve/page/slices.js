// Long work in slices, so that no key or drag waits for it.

const SLICE_MILLISECONDS = 10;
/** How often the clock is looked at. */
const STEPS_BETWEEN = 16;

/**
 * A clock for one piece of long work.
 * @returns {{ isDue: () => boolean, rest: () => Promise<void> }} whether it is time to rest, and the rest
 */
export function slices() {
  let began = performance.now();
  let steps = 0;
  const isDue = () => {
    steps += 1;
    return steps % STEPS_BETWEEN === 0 && performance.now() - began > SLICE_MILLISECONDS;
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
