import { leaveForCheckout } from '#features/billing/web/leave-for-checkout.ts';
import { m } from '#messages';
import { autoClose } from './auto-close.ts';
import { find, on, post, rewriteAddress } from './dom.ts';

const BANNER_MS = 5000;

let stop = () => {};

function hide(box: HTMLElement): void {
  stop();
  // The focused element is about to be hidden.
  if (box.contains(document.activeElement)) find('h1')?.focus({ preventScroll: true });
  box.hidden = true;
}

function showCancelled(): void {
  const box = find('#payment-cancelled');
  if (!box || new URLSearchParams(location.search).get('payment') !== 'cancelled') return;
  rewriteAddress((url) => url.searchParams.delete('payment'));
  box.hidden = false;
  stop();
  stop = autoClose(box, () => hide(box), BANNER_MS);
}

async function startCheckout(form: HTMLFormElement): Promise<void> {
  const button = find<HTMLButtonElement>('[type=submit]', form);
  const line = find('[data-failed]', form);
  if (!button || !line || button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  line.textContent = '';
  const fields = new FormData(form);
  const pack = fields.get('pack');
  const plan = fields.get('plan');
  const { status, data } = await post<{ url: string }>('/api/checkouts', pack ? { pack } : { plan });
  if (data.url) return leaveForCheckout(data.url);
  button.ariaBusy = 'false';
  if (status === 401) location.assign(pack ? '/sign-in?next=%2Fpricing' : `/sign-in?plan=${plan}`);
  else
    line.textContent =
      (status < 500 || status === 503) && data.error
        ? data.error
        : pack
          ? m.packs_start_failed()
          : m.billing_start_failed();
}

export function startPayment(): void {
  showCancelled();
  on('click', '#payment-cancelled button', () => {
    const box = find('#payment-cancelled');
    if (box) hide(box);
  });
  on('submit', 'form[data-checkout]', (form, event) => {
    event.preventDefault();
    void startCheckout(form as HTMLFormElement);
  });
  // The user came back from the checkout, and the page was in the back/forward cache.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    for (const button of document.querySelectorAll('form[data-checkout] [type=submit]'))
      button.ariaBusy = 'false';
    showCancelled();
  });
}
