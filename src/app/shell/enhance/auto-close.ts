/** Calls `close` after `ms`, paused while the box has the pointer or the focus. @returns a function that cancels it. */
export function autoClose(box: HTMLElement, close: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = ms;
  let ends = 0;
  const run = () => {
    clearTimeout(timer);
    ends = performance.now() + left;
    timer = setTimeout(close, left);
  };
  const pause = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left = ends - performance.now();
  };
  // Deferred, because during `focusout` the new element does not have the focus yet.
  const resume = () => setTimeout(() => box.isConnected && !box.matches(':hover, :focus-within') && run());
  box.onpointerenter = pause;
  box.onpointerleave = resume;
  box.addEventListener('focusin', pause);
  box.addEventListener('focusout', resume);
  run();
  return () => clearTimeout(timer);
}
