import { local, session, storageKeys } from '#client/storage.ts';
import { m } from '#messages';
import {
  type Consent,
  consentKey,
  consentVersion,
  type OptionalCategory,
  optionalCategories,
  readConsent,
} from '#shared/consent.ts';
import { dispatch, find, on, root } from './dom.ts';
import { toast } from './toast.ts';

/** Counted from the page's `load` event. */
const ASK_AFTER_MS = 2000;

/** Global Privacy Control (https://www.w3.org/TR/gpc/), which the DOM types do not have yet. */
const refusesTracking = () =>
  (navigator as Navigator & { globalPrivacyControl?: boolean }).globalPrivacyControl === true;

/** Also kept in memory, for browsers that block storage. */
let choice: Consent | null = null;
let isDue = false;
let opener: HTMLElement | null = null;

/** Call this before each write, because consent can be withdrawn in another tab. */
export function allowed(category: OptionalCategory): boolean {
  return choice?.[category] === true && !(category === 'analytics' && refusesTracking());
}

function removeRefused(): void {
  for (const store of [local, session])
    for (const key of storageKeys(store))
      if (optionalCategories.some((category) => key.startsWith(`${category}:`) && !allowed(category)))
        store.removeItem(key);
}

function apply(): void {
  removeRefused();
  dispatch('consent:changed', { functional: allowed('functional'), analytics: allowed('analytics') });
}

function show(view: 'ask' | 'choose' | null): void {
  const box = find('#consent');
  if (!box) return;
  // Adds space below the end of the page, unless that would create a scroll bar and shift the page.
  root.toggleAttribute('data-consent-room', view !== null && root.scrollHeight > root.clientHeight);
  box.hidden = !view;
  for (const part of box.querySelectorAll<HTMLElement>('[data-view]'))
    part.hidden = part.dataset.view !== view;
  for (const line of box.querySelectorAll<HTMLElement>('[data-gpc]')) line.hidden = !refusesTracking();
}

const field = (name: OptionalCategory) => find<HTMLInputElement>(`#consent [name=${name}]`);

function choose(from: HTMLElement): void {
  opener = from;
  find<HTMLFormElement>('#consent form')?.reset();
  show('choose');
  for (const name of optionalCategories) {
    const box = field(name);
    if (!box) continue;
    if (choice) box.checked = choice[name];
    if (name === 'analytics' && refusesTracking()) {
      box.checked = false;
      box.disabled = true;
    }
  }
  field('functional')?.focus();
}

function close(): void {
  show(isDue && !choice ? 'ask' : null);
  opener?.focus();
  opener = null;
}

function decide(functional: boolean, analytics: boolean): void {
  choice = {
    essential: true,
    functional,
    analytics: analytics && !refusesTracking(),
    timestamp: new Date().toISOString(),
    version: consentVersion,
  };
  local.setItem(consentKey, JSON.stringify(choice));
  apply();
  close();
}

/** @returns false if the browser blocks storage, so that no consent is needed. */
function readStoredChoice(): boolean {
  if (!local.works) return false;
  choice = readConsent(local.getItem(consentKey));
  return true;
}

function scheduleAsk(): void {
  setTimeout(() => {
    isDue = true;
    if (!choice && find('#consent')?.hidden) show('ask');
  }, ASK_AFTER_MS);
}

function syncFromOtherTab(): void {
  readStoredChoice();
  apply();
  if (choice) close();
  else scheduleAsk();
}

export function startConsent(): void {
  const mustAsk = readStoredChoice() && !choice;
  removeRefused();
  on('click', '[data-consent-open]', (element, event) => {
    event.preventDefault();
    choose(element);
  });
  on('click', '#consent button[data-consent]', (button) => {
    const { consent } = button.dataset;
    if (consent === 'choose') choose(button);
    else if (consent === 'cancel') close();
    else decide(consent === 'all', consent === 'all');
  });
  on('submit', '#consent form', (_, event) => {
    event.preventDefault();
    decide(field('functional')?.checked === true, field('analytics')?.checked === true);
    toast({ text: m.consent_saved(), kind: 'success' });
  });
  on('keydown', '#consent form', (_, event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  });
  addEventListener('storage', ({ key }) => (key === null || key === consentKey) && syncFromOtherTab());
  // A page restored from the back/forward cache has missed the `storage` events in the meantime.
  addEventListener('pageshow', ({ persisted }) => persisted && syncFromOtherTab());
  if (!mustAsk) return;
  if (document.readyState === 'complete') scheduleAsk();
  else addEventListener('load', scheduleAsk);
}
