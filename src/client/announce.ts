let region: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Puts the region in place that `announce` speaks through: screen readers hear only changes of one that is known. */
export function prepareAnnouncer(): void {
  if (region?.isConnected) return;
  region = document.createElement('p');
  region.className = 'visually-hidden';
  region.setAttribute('role', 'status');
  document.body.append(region);
}

/** Tells screen readers, politely and once, what something on the page did. */
export function announce(text: string): void {
  prepareAnnouncer();
  clearTimeout(timer);
  if (!region) return;
  region.textContent = text;
  const said = region;
  timer = setTimeout(() => said.replaceChildren(), 2_000);
}
