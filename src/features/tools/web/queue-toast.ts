import { type ToastDetail, toast } from '#client/page-events.ts';

export type Notice = Pick<ToastDetail, 'title' | 'text' | 'kind'>;

const NOTICE_MS = 10_000;

/** Waits until the page is visible and no toast offers an Undo; `detailNow` then returns null if it is outdated. */
export function queueToast(detailNow: () => ToastDetail | null): void {
  const region = document.getElementById('toasts');
  const isBusy = () =>
    document.visibilityState === 'hidden' || region?.querySelector('.toast .btn-secondary') != null;
  const show = () => {
    const detail = detailNow();
    if (detail) toast({ durationMs: NOTICE_MS, ...detail });
  };
  if (!region || !isBusy()) {
    show();
    return;
  }
  const retry = () => {
    if (isBusy()) return;
    watch.disconnect();
    document.removeEventListener('visibilitychange', retry);
    show();
  };
  const watch = new MutationObserver(retry);
  watch.observe(region, { childList: true });
  document.addEventListener('visibilitychange', retry);
}
