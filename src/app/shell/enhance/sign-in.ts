import { m } from '#messages';
import { find, listen, on, post } from './dom.ts';
import { completeSignIn, isNoReturnPage } from './session.ts';
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
let closeTimer: ReturnType<typeof setTimeout> | undefined;
let countdownTimer: ReturnType<typeof setInterval> | undefined;
let closeReminder = () => {};

const dialog = () => find<HTMLDialogElement>('#sign-in');
const field = (name: string) => find<HTMLInputElement>(`#dialog-${name}`);
const fieldText = (name: string) => field(name)?.value.trim() ?? '';
const findForm = (kind: string) => find<HTMLFormElement>(`#sign-in [data-form=${kind}]`);
const isTouchScreen = () => matchMedia('(pointer: coarse)').matches;
const failed = (status: number) => status < 200 || status >= 300;

function showLine(name: string, text = '', invalidField?: string): void {
  const element = find(`#sign-in [data-line=${name}]`);
  if (!element) return;
  element.textContent = text;
  if (text) element.scrollIntoView({ block: 'nearest' });
  if (name !== 'message') return;
  const isSuccess = invalidField === undefined;
  element.className = `notice notice-${isSuccess ? 'success' : 'danger'}`;
  element.setAttribute('role', isSuccess ? 'status' : 'alert');
  for (const each of ['email', 'code']) field(each)?.toggleAttribute('aria-invalid', each === invalidField);
}

function showSent(): void {
  const mail = sentMail();
  for (const part of document.querySelectorAll<HTMLElement>('#sign-in [data-sent]')) part.hidden = !mail;
  showLine('sent', mail ? m.sign_in_sent_to({ email: mail.email }) : '');
  const email = field('email');
  if (email) email.value ||= request.email ?? mail?.email ?? '';
}

function updateButtons(): void {
  for (const name of ['email', 'code']) {
    const button = find<HTMLButtonElement>(`#sign-in [data-form=${name}] [type=submit]`);
    if (button) button.disabled = !fieldText(name);
  }
}

function open(options: SignInRequest = {}): void {
  const box = dialog();
  if (!box) return;
  request = options;
  subscribing = false;
  showLine('reason', options.reason);
  showLine('message');
  box.classList.toggle('dialog-wide', !options.email);
  showSent();
  updateButtons();
  clearToast();
  // Closing the drawer returns the focus to its button, which the dialog can then restore when it closes.
  find('#site-drawer:popover-open')?.hidePopover();
  if (!box.open) box.showModal();
  // On touch screens, focusing the field would open the keyboard over the other ways to sign in.
  if (isTouchScreen()) find('#sign-in-title')?.focus();
  else field(sentMail() ? 'code' : 'email')?.focus();
}

function returnPath(): string | undefined {
  if (!subscribing) return request.next ?? (isNoReturnPage() ? undefined : location.pathname);
  const form = findForm('subscribe');
  return `/auth/callback?subscribe=true&plan=${form ? new FormData(form).get('plan') : ''}`;
}

/** Closes the dialog and shows a toast that reopens it for the code, unless the user has started to enter the code. */
function closeAfterSending(email: string): void {
  clearTimeout(closeTimer);
  closeTimer = setTimeout(() => {
    const code = field('code');
    if (!dialog()?.open || !code || code.value || document.activeElement === code) return;
    dialog()?.close();
    closeReminder = toast({
      text: m.sign_in_link_sent({ email }),
      kind: 'success',
      action: { label: m.sign_in_enter_code(), run: () => open(request) },
      persistent: true,
    });
  }, CLOSES_MS);
}

function endWaiting(): void {
  clearTimeout(closeTimer);
  closeReminder();
  saveSentMail(null);
  dialog()?.close();
}

function countDown(): void {
  const resendButton = find<HTMLButtonElement>('#sign-in [data-resend]');
  if (!resendButton) return;
  const readyAt = Date.now() + RESEND_S * 1000;
  const count = () => {
    const remaining = Math.ceil((readyAt - Date.now()) / 1000);
    resendButton.disabled = remaining > 0;
    resendButton.textContent =
      remaining > 0 ? m.sign_in_resend_in({ seconds: remaining }) : m.sign_in_resend();
    if (remaining <= 0) clearInterval(countdownTimer);
  };
  clearInterval(countdownTimer);
  countdownTimer = setInterval(count, 1000);
  count();
}

async function sendLink(): Promise<void> {
  const email = fieldText('email');
  const next = returnPath();
  const { status, data } = await post('/api/sign-in/email', { email, next });
  if (failed(status)) {
    showLine(
      'message',
      status >= 400 && status < 500 && data.error ? data.error : m.sign_in_failed(),
      'email',
    );
    return;
  }
  saveSentMail({ email, next: subscribing ? next : request.next });
  showSent();
  showLine('message', m.sign_in_sent());
  countDown();
  closeAfterSending(email);
}

async function sendCode(): Promise<void> {
  const mail = sentMail();
  const { status, data } = await post<{ restore: string }>('/api/sign-in/code', {
    email: mail?.email ?? fieldText('email'),
    code: fieldText('code'),
  });
  if (failed(status)) {
    showLine('message', data.error ?? m.sign_in_code_failed(), 'code');
    field('code')?.select();
    return;
  }
  endWaiting();
  if (data.restore) return location.assign(data.restore);
  // The button that opened the dialog is replaced when the page shows the user as signed in.
  if (!isTouchScreen()) find('.composer-input')?.focus();
  await completeSignIn(subscribing ? returnPath() : (mail?.next ?? request.next), request.email);
}

/** Opens the provider's sign-in. Server errors lead to the error page, others are shown in the dialog. */
async function openProvider(provider: 'google' | 'github'): Promise<void> {
  const { status, data } = await post<{ url: string }>(`/api/auth/${provider}`, { next: returnPath() });
  if (data.url) location.assign(data.url);
  else if (status >= 500) {
    const query = new URLSearchParams({
      error: `${provider}_auth_error`,
      description: data.error ?? providerFailed[provider](),
      from: 'compact_auth_modal',
    });
    location.assign(`/error?${query}`);
  } else showLine('message', data.error ?? providerFailed[provider](), provider);
}

async function subscribe(form: HTMLFormElement): Promise<void> {
  subscribing = true;
  if (fieldText('email')) return sendLink();
  showLine('reason', form.dataset.then);
  field('email')?.focus();
}

const actions: Record<string, (form: HTMLFormElement) => Promise<void>> = {
  email: sendLink,
  code: sendCode,
  subscribe,
};

async function whileBusy(button: HTMLButtonElement | null, work: () => Promise<void>): Promise<void> {
  if (!button || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  showLine('message');
  await work();
  button.ariaBusy = 'false';
}

async function submit(form: HTMLFormElement): Promise<void> {
  const { form: kind = '' } = form.dataset;
  if (kind !== 'subscribe' && !fieldText(kind)) return;
  await whileBusy(find<HTMLButtonElement>('[type=submit]', form), async () => actions[kind]?.(form));
}

export function startSignIn(): void {
  listen<SignInRequest>('sign-in:open', open);
  listen<{ signedIn: boolean }>('auth:changed', ({ signedIn: now }) => now && endWaiting());
  on('click', 'a[data-sign-in]', (link, event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // The sign-in page itself has the same fields and its own `next`.
    const emailField = find('#sign-in-email');
    if (emailField) emailField.focus();
    else open({ next: new URL((link as HTMLAnchorElement).href).searchParams.get('next') ?? undefined });
  });
  on('input', '#sign-in input', updateButtons);
  on('submit', '#sign-in [data-form]', (form, event) => {
    event.preventDefault();
    void submit(form as HTMLFormElement);
  });
  on('click', '#sign-in [data-provider]', (button) => {
    const provider = button.dataset.provider as 'google' | 'github';
    void whileBusy(button as HTMLButtonElement, () => openProvider(provider));
  });
  on('click', '#sign-in [data-resend]', (button) => void whileBusy(button as HTMLButtonElement, sendLink));
  on('click', '#sign-in [data-change-address]', () => {
    clearTimeout(closeTimer);
    saveSentMail(null);
    showLine('message');
    showSent();
    field('email')?.select();
  });
}
