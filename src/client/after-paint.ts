/** Runs `work` after the next paint; at once if the page is hidden, because then nothing is painted. */
export function afterPaint(work: () => void): void {
  if (document.hidden) work();
  else requestAnimationFrame(() => setTimeout(work));
}
