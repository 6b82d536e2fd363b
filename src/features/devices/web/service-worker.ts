/** @returns null if the browser has none or refuses it, as in a private window: the app then works as in a tab. */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  const { lang } = document.documentElement;
  const registration = navigator.serviceWorker?.register(`/service-worker.js?lang=${lang}`, {
    updateViaCache: 'none',
  });
  return (await registration?.catch(() => null)) ?? null;
}
