import { local, namesIn, session } from '#client/storage.ts';
import { m } from '#messages';
import { dispatch, find, listen, on, post, rewriteAddress, root } from './dom.ts';
import { toast } from './toast.ts';

interface MeFacts {
  name: string;
  email: string;
  plan: string;
  credits: number;
  avatarUrl: string | null;
  welcomed: boolean;
}

const channel = new BroadcastChannel('auth');

/** Returns whether a sign-in should not return to this page, for example an error or the sign-in page. */
export const noReturn = () => location.pathname === '/' || find('main[data-no-return]') !== null;

const isPublic = () => root.dataset.page === 'public';

const creditsText = ({ plan, credits }: MeFacts) =>
  plan === 'free' ? m.common_credits({ count: credits }) : m.common_unlimited();

let me: MeFacts | null = null;

function fill(facts: MeFacts): void {
  me = facts;
  const texts: Record<string, string> = {
    name: facts.name,
    email: facts.email,
    credits: creditsText(facts),
    initial: [...facts.name.trim()][0] ?? '?',
  };
  for (const place of document.querySelectorAll<HTMLElement>('[data-me]')) {
    const field = place.dataset.me ?? '';
    if (field === 'initial' && facts.avatarUrl) {
      const picture = new Image();
      picture.alt = '';
      picture.src = facts.avatarUrl;
      place.replaceChildren(picture);
    } else place.textContent = texts[field] ?? '';
  }
}

async function loadMe(): Promise<MeFacts | null> {
  const response = await fetch('/api/me').catch(() => null);
  if (response?.ok) fill(await response.json());
  if (response?.status === 401) root.dataset.auth = 'out';
  return response?.ok ? me : null;
}

function change(signedIn: boolean): void {
  root.dataset.auth = signedIn ? 'in' : 'out';
  dispatch('auth:changed', { signedIn });
}

function greetUser({ name, plan, credits, welcomed }: MeFacts): void {
  if (welcomed || plan !== 'free' || credits > 0) toast({ text: m.signed_in_as({ name }), kind: 'success' });
  else toast({ text: m.signed_in_without_credits({ name }), stays: true });
}

/** Updates the page after a sign-in: public pages load `next` or reload; app pages continue where they are. */
export async function signedIn(next: string | undefined, again?: string): Promise<void> {
  channel.postMessage('signed-in');
  change(true);
  // A sign-in for a checkout must navigate to it, even from an app page.
  if (!isPublic() && !next?.startsWith('/auth/callback')) {
    const facts = await loadMe();
    if (facts && !again) greetUser(facts);
    return;
  }
  const target = new URL(next || (noReturn() ? '/' : location.href), location.href);
  if (target.origin !== location.origin) return;
  if (!next) target.searchParams.set('success', 'login');
  target.hash = '';
  location.assign(target);
}

function clearUserData(): void {
  for (const key of namesIn(local))
    if (key.startsWith('draft:') || key === 'pending-send') local.removeItem(key);
  session.clear();
}

/** Handles a lost session. `forget`: also delete the user's data, in all tabs; otherwise drafts stay. */
function onSessionLost({ forget: gone }: { forget?: boolean }): void {
  root.dataset.auth = 'out';
  local.setItem('auth', 'out');
  if (!gone) return;
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
  change(false);
  location.assign('/');
}

async function syncFromOtherTab(message: unknown): Promise<void> {
  const now = message === 'signed-in';
  const before = me?.email;
  if ((root.dataset.auth === 'in') === now) {
    // The tab may already be signed in, but as another user.
    if (now && (await loadMe())?.email !== before) change(true);
    return;
  }
  change(now);
  if (!now) clearUserData();
  // Not `reload`, which would resend the form if this page is the response to one.
  if (isPublic() || !now) location.replace(location.pathname + location.search);
  else await loadMe();
}

/**
 * Returns whether this page is the first to see a new session, and tells the other tabs: the link in the email opens a
 * new page. An expired session is not broadcast, so that drafts in other tabs stay.
 */
function noticeSignIn(): boolean {
  const { auth = 'out' } = root.dataset;
  const before = local.getItem('auth');
  // Store nothing for visitors who are not signed in.
  if (auth !== 'in') local.removeItem('auth');
  if (auth !== 'in' || before === auth || !local.setItem('auth', auth)) return false;
  channel.postMessage('signed-in');
  return true;
}

export async function startSession(): Promise<void> {
  channel.onmessage = ({ data }) => void syncFromOtherTab(data);
  on('submit', 'form[data-sign-out]', (_, event) => {
    event.preventDefault();
    void signOut();
  });
  listen<Partial<MeFacts>>('me:changed', (facts) => me && fill({ ...me, ...facts }));
  listen('auth:lost', onSessionLost);
  const fresh = noticeSignIn();
  if (document.querySelector('[data-strip-query]')) rewriteAddress((url) => (url.search = ''));
  const asked = new URLSearchParams(location.search).get('success') === 'login';
  if (asked) rewriteAddress((url) => url.searchParams.delete('success'));
  const facts = root.dataset.auth === 'in' ? await loadMe() : null;
  if ((asked || fresh) && facts) greetUser(facts);
}
