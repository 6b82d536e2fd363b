export interface ToastDetail {
  title?: string;
  text: string;
  kind?: 'success' | 'danger' | 'info';
  action?: { label: string; run: () => void };
  /** Milliseconds; 4,000 unless told. */
  lasts?: number;
  stays?: boolean;
}

const send = (name: string, detail: object) => document.dispatchEvent(new CustomEvent(name, { detail }));

/**
 * For what only the shell's module shows. It acknowledges each by preventDefault; on a slow line the page may come to
 * life before it, and then what nobody heard is said again.
 */
function sendToShell(name: string, detail: object): void {
  const event = new CustomEvent(name, { detail, cancelable: true });
  if (document.dispatchEvent(event))
    document.addEventListener('shell:ready', () => void send(name, detail), { once: true });
}

/** Milliseconds for which a toast offers to undo what many lost. */
export const undoTime = 6_000;

export const toast = (detail: ToastDetail): void => sendToShell('toast', detail);

export const clearFailureToast = (): void => void send('toast:settled', {});

/** `email`: of whoever is signed in and must be again. Nothing is sold to them, and nobody greets them. */
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
