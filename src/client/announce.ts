let region: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Call before the first text, because screen readers only announce changes in regions that already exist. */
export function prepareAnnouncer(): void {
  if (region?.isConnected) return;
  region = document.createElement('p');
  region.className = 'visually-hidden';
  region.setAttribute('role', 'status');
  document.body.append(region);
}

export function announce(text: string): void {
  prepareAnnouncer();
  clearTimeout(timer);
  if (!region) return;
  region.textContent = text;
  const filledRegion = region;
  timer = setTimeout(() => filledRegion.replaceChildren(), 2_000);
}
