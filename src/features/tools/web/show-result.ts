/** On phones the result is below the settings, so it must be scrolled to. */
export function showResult(): void {
  const result = document.querySelector('[data-tool-result]');
  const top = result?.getBoundingClientRect().top ?? 0;
  if (top >= 0 && top <= innerHeight * 0.6) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  result?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
}
