export interface ToastDetail {
  title?: string;
  text: string;
  kind?: 'success' | 'danger' | 'info';
  action?: { label: string; run: () => void };
  /** Milliseconds; default 4,000. */
  durationMs?: number;
  persistent?: boolean;
}

const send = (name: string, detail: object) => document.dispatchEvent(new CustomEvent(name, { detail }));

/**
 * Sends an event that only the shell's module handles; the module acknowledges it with preventDefault. On a slow
 * connection the page may be hydrated before that module loads, so an unhandled event is sent again once it is ready.
 */
function sendToShell(name: string, detail: object): void {
  const event = new CustomEvent(name, { detail, cancelable: true });
  if (document.dispatchEvent(event))
    document.addEventListener('shell:ready', () => void send(name, detail), { once: true });
}

/** Milliseconds to show a toast that offers to undo a bulk deletion. */
export const undoTime = 6_000;

export const toast = (detail: ToastDetail): void => sendToShell('toast', detail);

export const clearFailureToast = (): void => void send('toast:settled', {});

/** With `email`, asks the signed-in person with this address to sign in again, without a sales pitch or greeting. */
export const openSignIn = (detail: { next?: string; reason?: string; email?: string } = {}): void =>
  sendToShell('sign-in:open', { next: location.pathname + location.search, ...detail });

export const notifyAccountChanged = (changed: {
  name?: string | null;
  avatarUrl?: string | null;
  credits?: number;
  plan?: string;
}): void => void send('me:changed', changed);

export const notifyPageShown = (): void => void send('page:shown', {});

export const notifySignedOut = (detail: { forget?: boolean } = {}): void => void send('auth:lost', detail);

export const toggleChatSidebar = (): void => void send('chat:sidebar', {});
