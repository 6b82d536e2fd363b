/** Once the page has been painted as it is now; at once where it is hidden, as it is not painted then. */
export function afterPaint(work: () => void): void {
  if (document.hidden) work();
  else requestAnimationFrame(() => setTimeout(work));
}
