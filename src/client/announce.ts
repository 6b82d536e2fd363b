let region: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Before the first text: screen readers hear only changes of a region that is known. */
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
  const said = region;
  timer = setTimeout(() => said.replaceChildren(), 2_000);
}
