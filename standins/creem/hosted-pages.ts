import type { ServerResponse } from 'node:http';
import { baseOf, type Call, HttpError, type Router, readOwnForm, seeOther } from '../http.ts';
import { sendPage } from '../page.ts';
import { payUrl } from './api.ts';
import { CreemRefusal } from './api-errors.ts';
import { advance } from './billing-clock.ts';
import { abandonedPage, closedPage, payPage, portalPage } from './pages.ts';
import { decline, pay, returnUrl } from './purchase.ts';
import type { Checkout } from './records.ts';
import type { Shop } from './shop.ts';
import { cancel, resume } from './subscription-changes.ts';

function showPay(
  shop: Shop,
  res: ServerResponse,
  checkout: Checkout,
  declined: number,
  problem?: string,
): void {
  const product = shop.product(checkout.productId);
  const isOpen = checkout.status === 'pending';
  const page = isOpen && payPage({ checkout, product, declined, problem: problem ?? null });
  sendPage(res, page || closedPage(checkout, returnUrl(checkout)));
}

function count(value: string | null): number {
  return Math.min(99, Math.max(0, Math.trunc(Number(value ?? 0)) || 0));
}

async function submitCheckout(shop: Shop, { req, res, params }: Call): Promise<void> {
  const form = await readOwnForm(req);
  advance(shop);
  const checkout = shop.checkout(params.id);
  const declined = count(form.get('declined'));
  const email = form.get('email');
  const action = form.get('action');
  try {
    if (action === 'abandon') return sendPage(res, abandonedPage(checkout));
    if (action === 'decline') {
      decline(shop, checkout, email);
      return seeOther(res, `/creem/pay/${checkout.id}?declined=${declined + 1}`);
    }
    if (action !== 'pay') throw new HttpError(400, 'bad_action', 'action must be pay, decline or abandon.');
    const card = form.get('card');
    const plan = card === 'fails' || card === 'fails-once' ? card : 'good';
    pay(shop, checkout, { email, card: plan }, payUrl(baseOf(req), checkout.id));
    const returnTo = returnUrl(checkout);
    if (returnTo) seeOther(res, returnTo);
    else sendPage(res, closedPage(checkout, null));
  } catch (error) {
    if (!(error instanceof CreemRefusal)) throw error;
    showPay(shop, res, checkout, declined, error.message);
  }
}

function customerOf(shop: Shop, token: string | undefined): string {
  const link = shop.store.portals.find((portal) => portal.token === token);
  if (!link) throw new HttpError(404, 'not_found', 'This link is not one of ours.');
  return link.customerId;
}

function showPortal(shop: Shop, { res, params }: Call, problem: string | null = null): void {
  const customerId = customerOf(shop, params.token);
  const { subscriptions, transactions, customers } = shop.store;
  const ownRows = <T extends { customerId: string }>(rows: T[]) =>
    rows.filter((row) => row.customerId === customerId);
  const page = portalPage({
    token: params.token ?? '',
    email: customers.getRequired(customerId).email,
    subscriptions: ownRows(subscriptions.all()).map((subscription) => {
      return { subscription, product: shop.product(subscription.productId) };
    }),
    transactions: ownRows(transactions.all()).reverse(),
    problem,
  });
  sendPage(res, page);
}

async function changePortal(shop: Shop, call: Call): Promise<void> {
  const form = await readOwnForm(call.req);
  advance(shop);
  const customerId = customerOf(shop, call.params.token);
  try {
    const subscription = shop.subscription(form.get('subscription'));
    if (subscription.customerId !== customerId) throw new CreemRefusal(404, 'Subscription not found');
    const action = form.get('action');
    if (action === 'resume') resume(shop, subscription);
    else if (action === 'now' || action === 'period_end')
      cancel(shop, subscription, { scheduled: action === 'period_end', outcome: 'cancel' });
    else if (action === 'card') {
      // A new card is charged immediately if a payment is due.
      subscription.cardFails = 0;
      if (subscription.status === 'past_due') subscription.nextTryAt = shop.now();
      shop.store.changed();
      advance(shop);
    } else throw new CreemRefusal(400, 'No such action.');
    seeOther(call.res, `/creem/portal/${call.params.token}`);
  } catch (error) {
    if (!(error instanceof CreemRefusal)) throw error;
    showPortal(shop, call, error.message);
  }
}

export function mountHosted(shop: Shop, router: Router): void {
  router.on('GET', '/creem/pay/:id', ({ res, params, url }) => {
    advance(shop);
    showPay(shop, res, shop.checkout(params.id), count(url.searchParams.get('declined')));
  });
  router.on('POST', '/creem/pay/:id', (call) => submitCheckout(shop, call));
  router.on('GET', '/creem/portal/:token', (call) => {
    advance(shop);
    showPortal(shop, call);
  });
  router.on('POST', '/creem/portal/:token', (call) => changePortal(shop, call));
}
