/** Detail of the event `toast`; see src/ui/README.md. */
export interface ToastDetail {
  /** Stands before the text, in bold. */
  title?: string;
  text: string;
  kind?: 'success' | 'danger' | 'info';
  action?: { label: string; run: () => void };
  /** Milliseconds; 4,000 unless told. */
  lasts?: number;
  /** Stays until it is closed or the next one comes. */
  stays?: boolean;
}

const tell = (name: string, detail: object) => document.dispatchEvent(new CustomEvent(name, { detail }));

/** Shows one toast in place of the one before. */
export const toast = (detail: ToastDetail): void => void tell('toast', detail);

/** Removes a toast that tells of a failure: what it told of is done again, or has been done by now. */
export const clearFailure = (): void => void tell('toast:settled', {});

/** Opens the sign-in dialog; an app page goes on from where it is afterwards. */
export const openSignIn = (detail: { next?: string; reason?: string } = {}): void =>
  void tell('sign-in:open', { next: location.pathname + location.search, ...detail });

/** Tells the page's frame what changed of `GET /api/me`. */
export const tellMe = (changed: { credits?: number; plan?: string }): void =>
  void tell('me:changed', changed);

/** Tells the page's frame that an app page has gone on to another address. */
export const tellShown = (): void => void tell('page:shown', {});

/** Tells the page's frame that the session is over. */
export const tellSignedOut = (): void => void tell('auth:lost', {});
