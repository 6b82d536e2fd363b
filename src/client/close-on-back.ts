/** An entry of history that stands for something open over the page, so that Back closes that and stays on the page. */
export interface BackEntry {
  add(): void;
  remove(): Promise<void>;
  release(): void;
}

const isOurs = () => (history.state as { over?: unknown } | null)?.over === true;

/**
 * The router does not hear of these steps: the entry has the address and the state of the one below, so there is
 * nothing to load.
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
  // Before the router's own listener, which is on the window too.
  addEventListener('popstate', onPop, { capture: true });
  return {
    add() {
      if (there) return;
      there = true;
      history.pushState({ ...history.state, over: true }, '');
    },
    remove() {
      // The page may have gone on from here; then the entry is one of its steps.
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
