/** Serves the hosted checkout and the customer's portal. */
import type { ServerResponse } from 'node:http';
import { baseOf, type Call, HttpError, onOwnPage, type Router, readForm } from '../http.ts';
import { sendPage } from '../page.ts';
import { payUrl } from './api.ts';
import { cancel, resume } from './changes.ts';
import { advance } from './course.ts';
import type { Checkout } from './model.ts';
import { abandonedPage, closedPage, payPage, portalPage } from './pages.ts';
import { decline, pay, wayBack } from './purchase.ts';
import { CreemRefusal } from './reply.ts';
import type { Shop } from './shop.ts';

function seeOther(res: ServerResponse, location: string): void {
  res.writeHead(303, {
    location,
    'content-length': 0,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  res.end();
}

function found(shop: Shop, id: string | undefined): Checkout {
  const checkout = shop.store.checkouts.get(id ?? '');
  if (!checkout) throw new HttpError(404, 'not_found', 'There is no such checkout.');
  return checkout;
}

function showPay(
  shop: Shop,
  res: ServerResponse,
  checkout: Checkout,
  more: { declined: number; problem?: string },
) {
  if (checkout.status !== 'pending') return sendPage(res, closedPage(checkout, wayBack(checkout)));
  const product = shop.product(checkout.productId);
  sendPage(res, payPage({ checkout, product, declined: more.declined, problem: more.problem ?? null }));
}

function count(value: string | null): number {
  return Math.min(99, Math.max(0, Math.trunc(Number(value ?? 0)) || 0));
}

async function act(shop: Shop, { req, res, params }: Call): Promise<void> {
  onOwnPage(req);
  const form = await readForm(req);
  advance(shop);
  const checkout = found(shop, params.id);
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
    const back = wayBack(checkout);
    if (back) seeOther(res, back);
    else sendPage(res, closedPage(checkout, null));
  } catch (error) {
    if (!(error instanceof CreemRefusal)) throw error;
    showPay(shop, res, checkout, { declined, problem: error.message });
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
  const page = portalPage({
    token: params.token ?? '',
    email: customers.need(customerId).email,
    subscriptions: subscriptions
      .all()
      .filter((subscription) => subscription.customerId === customerId)
      .map((subscription) => ({ subscription, product: shop.product(subscription.productId) })),
    transactions: transactions
      .all()
      .filter((transaction) => transaction.customerId === customerId)
      .reverse(),
    problem,
  });
  sendPage(res, page);
}

async function changePortal(shop: Shop, call: Call): Promise<void> {
  onOwnPage(call.req);
  const form = await readForm(call.req);
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
      // A new card is tried at once where a payment is owed.
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

/** Mounts /creem/pay/:id and /creem/portal/:token. */
export function mountHosted(shop: Shop, router: Router): void {
  router.on('GET', '/creem/pay/:id', ({ res, params, url }) => {
    advance(shop);
    showPay(shop, res, found(shop, params.id), { declined: count(url.searchParams.get('declined')) });
  });
  router.on('POST', '/creem/pay/:id', (call) => act(shop, call));
  router.on('GET', '/creem/portal/:token', (call) => {
    advance(shop);
    showPortal(shop, call);
  });
  router.on('POST', '/creem/portal/:token', (call) => changePortal(shop, call));
}
