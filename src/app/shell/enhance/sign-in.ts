import { m } from '#messages';
import { find, listen, on, post } from './dom.ts';
import { noReturn, signedIn } from './session.ts';
import { saveSentMail, sentMail } from './sign-in-mail.ts';
import { clearToast, toast } from './toast.ts';

const providerFailed = { google: m.oauth_google_failed, github: m.oauth_github_failed };

const CLOSES_MS = 2000;
const RESEND_S = 30;

interface SignInRequest {
  next?: string | undefined;
  reason?: string;
  /** The address of a signed-in user who must sign in again. */
  email?: string;
}

let request: SignInRequest = {};
/** Whether the visitor wants the plan selected in the dialog's other half; that selection can still change. */
let subscribing = false;
let closing: ReturnType<typeof setTimeout> | undefined;
let waiting: ReturnType<typeof setInterval> | undefined;
let closeWayBack = () => {};

const dialog = () => find<HTMLDialogElement>('#sign-in');
const field = (name: string) => find<HTMLInputElement>(`#dialog-${name}`);
const typed = (name: string) => field(name)?.value.trim() ?? '';
const formOf = (kind: string) => find<HTMLFormElement>(`#sign-in [data-form=${kind}]`);
const underFinger = () => matchMedia('(pointer: coarse)').matches;
const failed = (status: number) => status < 200 || status >= 300;

function line(name: string, text = '', wrong?: string): void {
  const place = find(`#sign-in [data-line=${name}]`);
  if (!place) return;
  place.textContent = text;
  if (text) place.scrollIntoView({ block: 'nearest' });
  if (name !== 'message') return;
  const good = wrong === undefined;
  place.className = `notice notice-${good ? 'success' : 'danger'}`;
  place.setAttribute('role', good ? 'status' : 'alert');
  for (const each of ['email', 'code']) field(each)?.toggleAttribute('aria-invalid', each === wrong);
}

function showSent(): void {
  const mail = sentMail();
  for (const part of document.querySelectorAll<HTMLElement>('#sign-in [data-sent]')) part.hidden = !mail;
  line('sent', mail ? m.sign_in_sent_to({ email: mail.email }) : '');
  const email = field('email');
  if (email) email.value ||= request.email ?? mail?.email ?? '';
}

function unlock(): void {
  for (const name of ['email', 'code']) {
    const button = find<HTMLButtonElement>(`#sign-in [data-form=${name}] [type=submit]`);
    if (button) button.disabled = !typed(name);
  }
}

function open(asked: SignInRequest = {}): void {
  const box = dialog();
  if (!box) return;
  request = asked;
  subscribing = false;
  line('reason', asked.reason);
  line('message');
  box.classList.toggle('dialog-wide', !asked.email);
  showSent();
  unlock();
  clearToast();
  // Closing the drawer returns the focus to its button, which the dialog can then restore when it closes.
  find('#site-drawer:popover-open')?.hidePopover();
  if (!box.open) box.showModal();
  // On touch screens, focusing the field would open the keyboard over the other ways to sign in.
  if (underFinger()) find('#sign-in-title')?.focus();
  else field(sentMail() ? 'code' : 'email')?.focus();
}

function returnTo(): string | undefined {
  if (!subscribing) return request.next ?? (noReturn() ? undefined : location.pathname);
  const form = formOf('subscribe');
  return `/auth/callback?subscribe=true&plan=${form ? new FormData(form).get('plan') : ''}`;
}

/** Closes the dialog and shows a toast that reopens it for the code, unless the user has started to enter the code. */
function closeAfterSending(email: string): void {
  clearTimeout(closing);
  closing = setTimeout(() => {
    const code = field('code');
    if (!dialog()?.open || !code || code.value || document.activeElement === code) return;
    dialog()?.close();
    closeWayBack = toast({
      text: m.sign_in_link_sent({ email }),
      kind: 'success',
      action: { label: m.sign_in_enter_code(), run: () => open(request) },
      stays: true,
    });
  }, CLOSES_MS);
}

function endWaiting(): void {
  clearTimeout(closing);
  closeWayBack();
  saveSentMail(null);
  dialog()?.close();
}

function countDown(): void {
  const again = find<HTMLButtonElement>('#sign-in [data-resend]');
  if (!again) return;
  const ready = Date.now() + RESEND_S * 1000;
  const count = () => {
    const left = Math.ceil((ready - Date.now()) / 1000);
    again.disabled = left > 0;
    again.textContent = left > 0 ? m.sign_in_resend_in({ seconds: left }) : m.sign_in_resend();
    if (left <= 0) clearInterval(waiting);
  };
  clearInterval(waiting);
  waiting = setInterval(count, 1000);
  count();
}

async function sendLink(): Promise<void> {
  const email = typed('email');
  const next = returnTo();
  const { status, data } = await post('/api/sign-in/email', { email, next });
  if (failed(status)) {
    line('message', status >= 400 && status < 500 && data.error ? data.error : m.sign_in_failed(), 'email');
    return;
  }
  saveSentMail({ email, next: subscribing ? next : request.next });
  showSent();
  line('message', m.sign_in_sent());
  countDown();
  closeAfterSending(email);
}

async function sendCode(): Promise<void> {
  const mail = sentMail();
  const { status, data } = await post<{ restore: string }>('/api/sign-in/code', {
    email: mail?.email ?? typed('email'),
    code: typed('code'),
  });
  if (failed(status)) {
    line('message', data.error ?? m.sign_in_code_failed(), 'code');
    field('code')?.select();
    return;
  }
  endWaiting();
  if (data.restore) return location.assign(data.restore);
  // The button that opened the dialog is replaced when the page shows the user as signed in.
  if (!underFinger()) find('.composer-input')?.focus();
  await signedIn(subscribing ? returnTo() : (mail?.next ?? request.next), request.email);
}

/** Opens the provider's sign-in. Server errors lead to the error page, others are shown in the dialog. */
async function goTo(provider: 'google' | 'github'): Promise<void> {
  const { status, data } = await post<{ url: string }>(`/api/auth/${provider}`, { next: returnTo() });
  if (data.url) location.assign(data.url);
  else if (status >= 500) {
    const query = new URLSearchParams({
      error: `${provider}_auth_error`,
      description: data.error ?? providerFailed[provider](),
      from: 'compact_auth_modal',
    });
    location.assign(`/error?${query}`);
  } else line('message', data.error ?? providerFailed[provider](), provider);
}

async function subscribe(form: HTMLFormElement): Promise<void> {
  subscribing = true;
  if (typed('email')) return sendLink();
  line('reason', form.dataset.then);
  field('email')?.focus();
}

const actions: Record<string, (form: HTMLFormElement) => Promise<void>> = {
  email: sendLink,
  code: sendCode,
  subscribe,
};

async function busy(button: HTMLButtonElement | null, work: () => Promise<void>): Promise<void> {
  if (!button || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  line('message');
  await work();
  button.ariaBusy = 'false';
}

async function submit(form: HTMLFormElement): Promise<void> {
  const { form: kind = '' } = form.dataset;
  if (kind !== 'subscribe' && !typed(kind)) return;
  await busy(find<HTMLButtonElement>('[type=submit]', form), async () => actions[kind]?.(form));
}

export function startSignIn(): void {
  listen<SignInRequest>('sign-in:open', open);
  listen<{ signedIn: boolean }>('auth:changed', ({ signedIn: now }) => now && endWaiting());
  on('click', 'a[data-sign-in]', (link, event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // The sign-in page itself has the same fields and its own `next`.
    const here = find('#sign-in-email');
    if (here) here.focus();
    else open({ next: new URL((link as HTMLAnchorElement).href).searchParams.get('next') ?? undefined });
  });
  on('input', '#sign-in input', unlock);
  on('submit', '#sign-in [data-form]', (form, event) => {
    event.preventDefault();
    void submit(form as HTMLFormElement);
  });
  on('click', '#sign-in [data-provider]', (button) => {
    const provider = button.dataset.provider as 'google' | 'github';
    void busy(button as HTMLButtonElement, () => goTo(provider));
  });
  on('click', '#sign-in [data-resend]', (button) => void busy(button as HTMLButtonElement, sendLink));
  on('click', '#sign-in [data-change-address]', () => {
    clearTimeout(closing);
    saveSentMail(null);
    line('message');
    showSent();
    field('email')?.select();
  });
}
