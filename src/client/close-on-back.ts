/** A history entry for something open on top of the page, so that Back closes that and stays on the page. */
export interface BackEntry {
  add(): void;
  remove(): Promise<void>;
  release(): void;
}

const isOwnEntry = () => (history.state as { over?: unknown } | null)?.over === true;

/**
 * The router does not notice these steps: the entry has the address and state of the one below, so nothing needs to
 * load.
 */
export function closeOnBack(onBack: () => void): BackEntry {
  let isAdded = false;
  let removing: Promise<void> | null = null;
  let onRemoved: (() => void) | null = null;
  const onPop = (event: PopStateEvent) => {
    if (!isAdded) return;
    isAdded = false;
    event.stopImmediatePropagation();
    const onClosed = onRemoved ?? onBack;
    removing = null;
    onRemoved = null;
    onClosed();
  };
  // Must run before the router's listener, which is also on the window.
  addEventListener('popstate', onPop, { capture: true });
  return {
    add() {
      if (isAdded) return;
      isAdded = true;
      history.pushState({ ...history.state, over: true }, '');
    },
    remove() {
      // If the page has navigated since, the entry is part of its history and stays.
      if (!isOwnEntry()) isAdded = false;
      if (!isAdded) return Promise.resolve();
      removing ??= new Promise((resolve) => {
        onRemoved = resolve;
        history.back();
      });
      return removing;
    },
    release: () => removeEventListener('popstate', onPop, { capture: true }),
  };
}
