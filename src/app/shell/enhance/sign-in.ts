import { find, heard, on, post } from './dom.ts';
import { signedIn } from './session.ts';
import { clearToast, toast } from './toast.ts';

/** As in accounts/contract.ts, which would bring its schemas along; a test holds them equal. */
const texts = {
  sent: 'Magic link sent! Check your email.',
  failed: 'Failed to send email, please try again',
} as const;
const providerFailed = {
  google: 'Google login failed, please try again',
  github: 'GitHub login failed, please try again',
};

/** The dialog closes this long after the mail was sent, in milliseconds, as the specification says. */
const CLOSES_MS = 2000;
/** Another mail can be asked for after as many seconds. */
const RESEND_S = 30;

/** Detail of the event `sign-in:open` on `document`. */
interface SignInRequest {
  /** Path of ours to go to afterwards, for the mail's link and for public pages. */
  next?: string;
  /** Shown above the form. */
  reason?: string;
}

let next: string | undefined;
let closing: ReturnType<typeof setTimeout> | undefined;
let waiting: ReturnType<typeof setInterval> | undefined;

const dialog = () => find<HTMLDialogElement>('#sign-in');
const field = (name: string) => find<HTMLInputElement>(`#dialog-${name}`);
const typed = (name: string) => field(name)?.value.trim() ?? '';
const codeForm = () => field('code')?.form;
const failed = (status: number) => status < 200 || status >= 300;

function line(name: string, text: string | undefined): void {
  const place = find(`#sign-in [data-line=${name}]`);
  if (!place) return;
  place.hidden = !text;
  place.textContent = text ?? '';
  if (name !== 'message') return;
  const good = text?.includes('sent');
  place.className = `notice notice-${good ? 'success' : 'danger'}`;
  place.setAttribute('role', good ? 'status' : 'alert');
}

function open(request: SignInRequest = {}): void {
  const box = dialog();
  if (!box) return;
  next = request.next;
  line('reason', request.reason);
  line('message', '');
  clearToast();
  if (!box.open) box.showModal();
  (codeForm()?.hidden ? field('email') : field('code'))?.focus();
}

/** The code stays within reach: the dialog waits for whoever has begun to type it, else a line offers the way back. */
function closeAfterSending(email: string): void {
  clearTimeout(closing);
  closing = setTimeout(() => {
    const code = field('code');
    if (!dialog()?.open || !code || code.value || document.activeElement === code) return;
    dialog()?.close();
    toast({
      text: `Link sent to ${email}.`,
      kind: 'success',
      action: { label: 'Enter the code', run: () => open({ next }) },
      stays: true,
    });
  }, CLOSES_MS);
}

/** The buttons after a mail was sent: another one after a while, or another address at once. */
function showSent(): void {
  const row = find('#sign-in [data-sent]');
  const again = find<HTMLButtonElement>('#sign-in [data-resend]');
  if (!row || !again) return;
  row.hidden = false;
  const ready = Date.now() + RESEND_S * 1000;
  const count = () => {
    const left = Math.ceil((ready - Date.now()) / 1000);
    again.disabled = left > 0;
    again.textContent = left > 0 ? `Resend in ${left} s` : 'Resend';
    if (left <= 0) clearInterval(waiting);
  };
  clearInterval(waiting);
  waiting = setInterval(count, 1000);
  count();
}

async function sendLink(): Promise<void> {
  const email = typed('email');
  const { status, data } = await post('/api/sign-in/email', { email, next: next ?? here() });
  if (failed(status)) {
    line('message', status >= 400 && status < 500 && data.error ? data.error : texts.failed);
    return;
  }
  line('message', texts.sent);
  line('reason', `Sent to ${email}.`);
  const form = codeForm();
  if (form) form.hidden = false;
  showSent();
  closeAfterSending(email);
}

/** Where the mail's link should lead: this page, unless it is the sign-in page itself. */
const here = () =>
  location.pathname === '/sign-in' || location.pathname === '/' ? undefined : location.pathname;

async function sendCode(): Promise<void> {
  const { status, data } = await post<{ restore: string }>('/api/sign-in/code', {
    email: typed('email'),
    code: typed('code'),
  });
  if (failed(status)) {
    line('message', data.error ?? 'The code could not be checked. Please try again.');
    field('code')?.select();
    return;
  }
  if (data.restore) return location.assign('/restore');
  clearTimeout(closing);
  dialog()?.close();
  await signedIn(next);
}

/** Leaves for the provider's page. What fails on its side is told on the error page, as the specification says. */
async function goTo(provider: 'google' | 'github'): Promise<void> {
  const { status, data } = await post<{ url: string }>(`/api/auth/${provider}`, { next: next ?? here() });
  if (data.url) location.assign(data.url);
  else if (status >= 500) {
    const query = new URLSearchParams({
      error: `${provider}_auth_error`,
      description: data.error ?? providerFailed[provider],
      from: 'compact_auth_modal',
    });
    location.assign(`/error?${query}`);
  } else line('message', data.error ?? providerFailed[provider]);
}

/** Any way of signing in goes on to the checkout of the chosen plan; with an address typed, its mail is sent. */
async function subscribe(form: HTMLFormElement): Promise<void> {
  const plan = new FormData(form).get('plan');
  next = `/auth/callback?subscribe=true&plan=${plan}`;
  if (typed('email')) return sendLink();
  line('reason', 'Choose how to sign in. Checkout for Pro comes right after.');
  field('email')?.focus();
}

const actions: Record<string, (form: HTMLFormElement) => Promise<void>> = {
  email: sendLink,
  code: sendCode,
  subscribe,
};

/** Runs one request at a time for a button, which shows that it is busy. */
async function busy(button: HTMLButtonElement | null, work: () => Promise<void>): Promise<void> {
  if (!button || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  line('message', '');
  await work();
  button.ariaBusy = 'false';
}

async function submit(form: HTMLFormElement): Promise<void> {
  const { form: kind = '' } = form.dataset;
  if (kind !== 'subscribe' && !(typed('email') && typed(kind))) return;
  await busy(find<HTMLButtonElement>('[type=submit]', form), async () => actions[kind]?.(form));
}

/** The sign-in dialog, opened by `data-sign-in` elements and by the event `sign-in:open`. */
export function startSignIn(): void {
  heard<SignInRequest>('sign-in:open', open);
  on('click', 'a[data-sign-in]', (link, event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open({ next: new URL((link as HTMLAnchorElement).href).searchParams.get('next') ?? undefined });
  });
  on('input', '#sign-in input', (input) => {
    const { form, value, type } = input as HTMLInputElement;
    const button = form && type !== 'radio' && find<HTMLButtonElement>('[type=submit]', form);
    if (button) button.disabled = !value.trim();
  });
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
    field('email')?.select();
  });
  // For browsers without `closedby`: a press on the backdrop is a press on the dialog itself.
  on('mousedown', '#sign-in', (box, event) => {
    if (event.target === box && !('closedBy' in box)) (box as HTMLDialogElement).close();
  });
}
