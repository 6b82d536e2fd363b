/** Calls `close` after `ms`, paused while the box has the pointer or the focus. @returns a function that cancels it. */
export function autoClose(box: HTMLElement, close: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let remaining = ms;
  let endsAt = 0;
  const start = () => {
    clearTimeout(timer);
    endsAt = performance.now() + remaining;
    timer = setTimeout(close, remaining);
  };
  const pause = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    remaining = endsAt - performance.now();
  };
  // Deferred, because during `focusout` the new element does not have the focus yet.
  const resume = () => setTimeout(() => box.isConnected && !box.matches(':hover, :focus-within') && start());
  box.onpointerenter = pause;
  box.onpointerleave = resume;
  box.addEventListener('focusin', pause);
  box.addEventListener('focusout', resume);
  start();
  return () => clearTimeout(timer);
}
