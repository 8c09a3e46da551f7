// The scroll position of the page, in each entry of the history, so that going back to a list shows the same part of it.

const PAUSE_MILLISECONDS = 100;

/** Starts to keep the place of each entry. */
export function keepScroll() {
  history.scrollRestoration = "manual";
  let pause = 0;
  addEventListener(
    "scroll",
    () => {
      clearTimeout(pause);
      const { hash } = location;
      pause = setTimeout(
        () => hash === location.hash && history.replaceState({ scroll: scrollY }, ""),
        PAUSE_MILLISECONDS,
      );
    },
    { passive: true },
  );
}

/**
 * Scrolls to where this entry of the history was left, if it is not new.
 * @param {unknown} drawn a promise of what the entry shows
 */
export async function restoreScroll(drawn) {
  const { hash } = location;
  const top = history.state?.scroll;
  if (!top) return;
  await drawn;
  if (hash === location.hash) scrollTo(0, top);
}
