import { find, heard, on, post } from './dom.ts';
import { signedIn } from './session.ts';
import { clearToast, toast } from './toast.ts';

/** As in accounts/contract.ts, which would bring its schemas along; a test holds them equal. */
const texts = {
  sent: 'Magic link sent! Check your email.',
  failed: 'Failed to send email, please try again',
} as const;

/** The dialog closes this long after the mail was sent, in milliseconds, as the specification says. */
const CLOSES_MS = 2000;

/** Detail of the event `sign-in:open` on `document`. */
interface SignInRequest {
  /** Path of ours to go to afterwards, for the mail's link and for public pages. */
  next?: string;
  /** Shown above the form. */
  reason?: string;
}

let next: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

const dialog = () => find<HTMLDialogElement>('#sign-in');
const field = (name: string) => find<HTMLInputElement>(`#dialog-${name}`);

function line(name: string, text: string | undefined): void {
  const place = find(`#sign-in [data-line=${name}]`);
  if (!place) return;
  place.hidden = !text;
  place.textContent = text ?? '';
  if (name === 'message') {
    place.className = `notice notice-${text?.includes('sent') ? 'success' : 'danger'}`;
  }
}

function open(request: SignInRequest = {}): void {
  const box = dialog();
  if (!box) return;
  next = request.next;
  line('reason', request.reason);
  line('message', '');
  clearToast();
  if (!box.open) box.showModal();
  const code = field('code');
  (code?.form?.hidden ? field('email') : code)?.focus();
}

/** The code stays within reach: the dialog waits for whoever has begun to type it, else a line offers the way back. */
function closeAfterSending(email: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
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

async function sendLink(email: string): Promise<void> {
  const { status, data } = await post('/api/sign-in/email', { email, next: next ?? here() });
  if (status < 200 || status >= 300) {
    line('message', status >= 400 && status < 500 && data.error ? data.error : texts.failed);
    return;
  }
  line('message', texts.sent);
  const code = field('code');
  if (code?.form) code.form.hidden = false;
  closeAfterSending(email);
}

/** Where the mail's link should lead: this page, unless it is the sign-in page itself. */
const here = () =>
  location.pathname === '/sign-in' || location.pathname === '/' ? undefined : location.pathname;

async function sendCode(email: string, code: string): Promise<void> {
  const { status, data } = await post<{ restore: string }>('/api/sign-in/code', { email, code });
  if (status < 200 || status >= 300) {
    line('message', data.error ?? 'The code could not be checked. Please try again.');
    field('code')?.select();
    return;
  }
  clearTimeout(timer);
  if (data.restore) {
    location.assign(data.restore);
    return;
  }
  dialog()?.close();
  await signedIn(next);
}

async function submit(form: HTMLElement): Promise<void> {
  const button = find<HTMLButtonElement>('[type=submit]', form);
  const [email, code] = [field('email')?.value.trim(), field('code')?.value.trim()];
  const wanted = form.dataset.form === 'code' ? code : email;
  if (!button || button.ariaBusy === 'true' || !email || !wanted) return;
  button.ariaBusy = 'true';
  line('message', '');
  await (form.dataset.form === 'code' ? sendCode(email, wanted) : sendLink(email));
  button.ariaBusy = 'false';
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
    const { form, value } = input as HTMLInputElement;
    const button = form && find<HTMLButtonElement>('[type=submit]', form);
    if (button) button.disabled = !value.trim();
  });
  on('submit', '#sign-in [data-form]', (form, event) => {
    event.preventDefault();
    void submit(form);
  });
  // For browsers without `closedby`: a press on the backdrop is a press on the dialog itself.
  on('mousedown', '#sign-in', (box, event) => {
    if (event.target === box && !('closedBy' in box)) (box as HTMLDialogElement).close();
  });
}
