/** `ms` stand still while the pointer or the focus is on the box. @returns what stops the time. */
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
  // After the event, when the new focus has settled.
  const resume = () => setTimeout(() => box.isConnected && !box.matches(':hover, :focus-within') && run());
  box.onpointerenter = pause;
  box.onpointerleave = resume;
  box.addEventListener('focusin', pause);
  box.addEventListener('focusout', resume);
  run();
  return () => clearTimeout(timer);
}
