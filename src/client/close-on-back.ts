/** A history entry for something open on top of the page, so that Back closes that and stays on the page. */
export interface BackEntry {
  add(): void;
  remove(): Promise<void>;
  release(): void;
}

const isOurs = () => (history.state as { over?: unknown } | null)?.over === true;

/**
 * The router does not notice these steps: the entry has the address and state of the one below, so nothing needs to
 * load.
 */
export function closeOnBack(onBack: () => void): BackEntry {
  let there = false;
  let removing: Promise<void> | null = null;
  let removed: (() => void) | null = null;
  const onPop = (event: PopStateEvent) => {
    if (!there) return;
    there = false;
    event.stopImmediatePropagation();
    const tell = removed ?? onBack;
    removing = null;
    removed = null;
    tell();
  };
  // Must run before the router's listener, which is also on the window.
  addEventListener('popstate', onPop, { capture: true });
  return {
    add() {
      if (there) return;
      there = true;
      history.pushState({ ...history.state, over: true }, '');
    },
    remove() {
      // If the page has navigated since, the entry is part of its history and stays.
      if (!isOurs()) there = false;
      if (!there) return Promise.resolve();
      removing ??= new Promise((resolve) => {
        removed = resolve;
        history.back();
      });
      return removing;
    },
    release: () => removeEventListener('popstate', onPop, { capture: true }),
  };
}
