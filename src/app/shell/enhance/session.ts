import { local, session, storageKeys } from '#client/storage.ts';
import { m } from '#messages';
import { dispatch, find, listen, on, post, rewriteAddress, root } from './dom.ts';
import { toast } from './toast.ts';

interface CurrentUser {
  name: string;
  email: string;
  plan: string;
  credits: number;
  avatarUrl: string | null;
  welcomed: boolean;
}

const channel = new BroadcastChannel('auth');

/** Returns whether a sign-in should not return to this page, for example an error or the sign-in page. */
export const isNoReturnPage = () => location.pathname === '/' || find('main[data-no-return]') !== null;

const isPublic = () => root.dataset.page === 'public';

const creditsText = ({ plan, credits }: CurrentUser) =>
  plan === 'free' ? m.common_credits({ count: credits }) : m.common_unlimited();

let me: CurrentUser | null = null;

function showUser(user: CurrentUser): void {
  me = user;
  const texts: Record<string, string> = {
    name: user.name,
    email: user.email,
    credits: creditsText(user),
    initial: [...user.name.trim()][0] ?? '?',
  };
  for (const element of document.querySelectorAll<HTMLElement>('[data-me]')) {
    const field = element.dataset.me ?? '';
    if (field === 'initial' && user.avatarUrl) {
      const picture = new Image();
      picture.alt = '';
      picture.src = user.avatarUrl;
      element.replaceChildren(picture);
    } else element.textContent = texts[field] ?? '';
  }
}

async function loadMe(): Promise<CurrentUser | null> {
  const response = await fetch('/api/me').catch(() => null);
  if (response?.ok) showUser(await response.json());
  if (response?.status === 401) root.dataset.auth = 'out';
  return response?.ok ? me : null;
}

function setSignedIn(signedIn: boolean): void {
  root.dataset.auth = signedIn ? 'in' : 'out';
  dispatch('auth:changed', { signedIn });
}

function greetUser({ name, plan, credits, welcomed }: CurrentUser): void {
  if (welcomed || plan !== 'free' || credits > 0) toast({ text: m.signed_in_as({ name }), kind: 'success' });
  else toast({ text: m.signed_in_without_credits({ name }), persistent: true });
}

/** Updates the page after a sign-in: public pages load `next` or reload; app pages continue where they are. */
export async function completeSignIn(next: string | undefined, reauthEmail?: string): Promise<void> {
  channel.postMessage('signed-in');
  setSignedIn(true);
  // A sign-in for a checkout must navigate to it, even from an app page.
  if (!isPublic() && !next?.startsWith('/auth/callback')) {
    const user = await loadMe();
    if (user && !reauthEmail) greetUser(user);
    return;
  }
  const target = new URL(next || (isNoReturnPage() ? '/' : location.href), location.href);
  if (target.origin !== location.origin) return;
  if (!next) target.searchParams.set('success', 'login');
  target.hash = '';
  location.assign(target);
}

function clearUserData(): void {
  for (const key of storageKeys(local))
    if (key.startsWith('draft:') || key === 'pending-send') local.removeItem(key);
  session.clear();
}

/** Handles a lost session. `forget`: also delete the user's data, in all tabs; otherwise drafts stay. */
function onSessionLost({ forget: deletesData }: { forget?: boolean }): void {
  root.dataset.auth = 'out';
  local.setItem('auth', 'out');
  if (!deletesData) return;
  clearUserData();
  channel.postMessage('signed-out');
}

async function signOut(): Promise<void> {
  const { status } = await post('/api/sign-out', {});
  // 401: the session had already ended.
  if (status !== 401 && (status < 200 || status >= 300)) {
    toast({ text: m.sign_out_failed(), kind: 'danger' });
    return;
  }
  clearUserData();
  channel.postMessage('signed-out');
  setSignedIn(false);
  location.assign('/');
}

async function syncFromOtherTab(message: unknown): Promise<void> {
  const isSignedIn = message === 'signed-in';
  const previousEmail = me?.email;
  if ((root.dataset.auth === 'in') === isSignedIn) {
    // The tab may already be signed in, but as another user.
    if (isSignedIn && (await loadMe())?.email !== previousEmail) setSignedIn(true);
    return;
  }
  setSignedIn(isSignedIn);
  if (!isSignedIn) clearUserData();
  // Not `reload`, which would resend the form if this page is the response to one.
  if (isPublic() || !isSignedIn) location.replace(location.pathname + location.search);
  else await loadMe();
}

/**
 * Returns whether this page is the first to see a new session, and tells the other tabs: the link in the email opens a
 * new page. An expired session is not broadcast, so that drafts in other tabs stay.
 */
function detectSignIn(): boolean {
  const { auth = 'out' } = root.dataset;
  const previousAuth = local.getItem('auth');
  // Store nothing for visitors who are not signed in.
  if (auth !== 'in') local.removeItem('auth');
  if (auth !== 'in' || previousAuth === auth || !local.setItem('auth', auth)) return false;
  channel.postMessage('signed-in');
  return true;
}

export async function startSession(): Promise<void> {
  channel.onmessage = ({ data }) => void syncFromOtherTab(data);
  on('submit', 'form[data-sign-out]', (_, event) => {
    event.preventDefault();
    void signOut();
  });
  listen<Partial<CurrentUser>>('me:changed', (user) => me && showUser({ ...me, ...user }));
  listen('auth:lost', onSessionLost);
  const isNew = detectSignIn();
  if (document.querySelector('[data-strip-query]')) rewriteAddress((url) => (url.search = ''));
  const isGreetingRequested = new URLSearchParams(location.search).get('success') === 'login';
  if (isGreetingRequested) rewriteAddress((url) => url.searchParams.delete('success'));
  const user = root.dataset.auth === 'in' ? await loadMe() : null;
  if ((isGreetingRequested || isNew) && user) greetUser(user);
}
