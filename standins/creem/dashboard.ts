import { type Control, oneOf } from '../control.ts';
import { HttpError, isRecord, type Router, readOwnForm, seeOther, sendJson } from '../http.ts';
import { button, facts, html, type Page, problemNote, sendPage } from '../page.ts';
import { CreemRefusal } from './api-errors.ts';
import { showTransaction } from './api-objects.ts';
import { advance } from './billing-clock.ts';
import { day } from './pages.ts';
import { isOnce, money, PRODUCTS } from './products.ts';
import { failuresOf } from './purchase.ts';
import type { CardPlan, Order, Subscription } from './records.ts';
import type { Shop } from './shop.ts';
import { dispute, refund, reverseRefunds, settleRefund } from './subscription-changes.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';

const CARDS: readonly CardPlan[] = ['good', 'fails-once', 'fails'];

interface DashboardParts {
  shop: Shop;
  deliveries: WebhookDeliveries;
  router: Router;
  control: Control;
}

function fields(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new HttpError(400, 'bad_switch', 'The action takes an object.');
  return value;
}

function setCard(shop: Shop, subscription: Subscription, plan: CardPlan): void {
  subscription.cardFails = failuresOf(plan);
  shop.store.changed();
}

function actions({ shop, deliveries, control }: DashboardParts): void {
  const action = (name: string, run: (value: unknown) => unknown) =>
    control.action(`creem.${name}`, (value) => {
      advance(shop);
      return run(value);
    });
  action('resend', (value) => ({ sent: deliveries.resend(String(value)) }));
  action('dispute', (value) => dispute(shop, shop.transaction(value)));
  action('keep', (value) => reverseRefunds(shop, shop.transaction(value)));
  action('refund', (value) => {
    const { transaction, amount } = fields(value);
    const part = typeof amount === 'number' ? amount : undefined;
    return { id: refund(shop, shop.transaction(transaction), part).id };
  });
  action('card', (value) => {
    const { subscription, plan } = fields(value);
    setCard(shop, shop.subscription(subscription), oneOf(CARDS)(plan, 'creem.card.plan'));
  });
  action('settle', (value) => {
    const { refund: id, status } = fields(value);
    const outcome = oneOf(['succeeded', 'failed'] as const)(status, 'creem.settle.status');
    const pending = shop.store.refunds.all().filter((candidate) => candidate.status === 'pending');
    const chosen = pending.filter((candidate) => id === 'all' || candidate.id === id);
    for (const candidate of chosen) settleRefund(shop, candidate, outcome);
    return { settled: chosen.length };
  });
}

function fullState({ shop, deliveries }: DashboardParts, bodies: boolean) {
  const { store, objects } = shop;
  const deliveriesByEvent = Map.groupBy(store.deliveries, ({ eventId }) => eventId);
  return {
    now: shop.now(),
    products: PRODUCTS,
    pending: deliveries.counts().pending,
    checkouts: store.checkouts.all().map(({ apiKey: _, ...checkout }) => checkout),
    customers: store.customers.all(),
    subscriptions: store.subscriptions.all().map((subscription) => ({
      ...objects.fullSubscription(subscription),
      checkout: subscription.checkoutId,
    })),
    transactions: store.transactions.all().map((transaction) => showTransaction(transaction)),
    refunds: store.refunds.all(),
    disputes: store.disputes.all(),
    events: store.events.all().map(({ body, ...event }) => ({
      ...event,
      ...(bodies ? { body } : {}),
      deliveries: (deliveriesByEvent.get(event.id) ?? []).map(({ id, kind, state, attempts }) => {
        return { id, kind, state, attempts };
      }),
    })),
  };
}

function row(shop: Shop, subscription: Subscription) {
  const { id, customerId, productId, status, periodEnd, cardFails, metadata } = subscription;
  const renews = status !== 'canceled' && status !== 'paused';
  return html`<section><h2>${shop.store.customers.getRequired(customerId).email}</h2>${facts([
    ['Subscription', id],
    ['Product', shop.product(productId).name],
    ['State', html`${status}, paid until ${day(periodEnd)}`],
    ['Card', cardFails > 0 ? 'refuses the next payment' : 'good'],
    ['Metadata', JSON.stringify(metadata)],
  ])}<form method="post" action="/creem"><input type="hidden" name="subscription" value="${id}"><p class="row">
${renews && button('forward', 'Move the clock to the end of the period')}
${cardFails > 0 ? button('good', 'Card: good') : button('fails', 'Card: refuse')}
${button('refund', 'Refund the last payment')} ${button('half', 'Refund half of it')} ${button('dispute', 'Dispute it')}</p></form></section>`;
}

function orderRow(shop: Shop, { id, customerId, productId, transactionId }: Order) {
  return html`<section><h2>${shop.store.customers.getRequired(customerId).email}</h2>${facts([
    ['Order', id],
    ['Product', shop.product(productId).name],
    ['State', shop.transaction(transactionId).status],
  ])}<form method="post" action="/creem"><input type="hidden" name="transaction" value="${transactionId}"><p class="row">
${button('refund', 'Refund it')} ${button('half', 'Refund half of it')} ${button('dispute', 'Dispute it')}</p></form></section>`;
}

function overview(shop: Shop, problem: string | null): Page {
  const { subscriptions, checkouts, orders } = shop.store;
  const openCheckouts = checkouts
    .all()
    .filter(({ status }) => status === 'pending')
    .map(({ id, email, productId }) => {
      const price = money(shop.product(productId).price);
      return html`<li><a href="/creem/pay/${id}"><b>${email ?? id}</b><span class="muted">${price}</span></a></li>`;
    });
  const rows = [
    ...subscriptions
      .all()
      .reverse()
      .map((each) => row(shop, each)),
    ...orders
      .all()
      .reverse()
      .filter(({ productId }) => isOnce(shop.product(productId)))
      .map((each) => orderRow(shop, each)),
  ];
  return {
    title: 'Payments',
    status: problem ? 400 : 200,
    forms: [],
    body: html`<h1>Payments</h1><p>The dashboard of the payment provider. Its clock says ${day(shop.now())}; faults are
switches of <a href="/control">/control</a>, all records are under <a href="/creem/state?events=1">/creem/state</a>.</p>
${problemNote(problem)}${openCheckouts.length > 0 && html`<h2>Open checkouts</h2><ul class="list">${openCheckouts}</ul>`}
${rows.length > 0 ? rows : html`<p>Nobody has bought anything yet.</p>`}`,
  };
}

function handleForm({ shop, control }: DashboardParts, form: URLSearchParams): void {
  const action = form.get('action');
  if (action === 'forward' || action === 'good' || action === 'fails') {
    const subscription = shop.subscription(form.get('subscription'));
    const due = subscription.nextTryAt ?? subscription.periodEnd;
    if (action !== 'forward') setCard(shop, subscription, action);
    else control.apply({ clock: { advanceMs: Math.max(0, due - shop.now()) + 1000 } });
    return;
  }
  const last = form.has('transaction')
    ? shop.transaction(form.get('transaction'))
    : shop.transaction(shop.subscription(form.get('subscription')).lastTransactionId);
  if (action === 'refund') refund(shop, last);
  else if (action === 'half') refund(shop, last, Math.round((last.amount + last.tax) / 2));
  else if (action === 'dispute') dispute(shop, last);
  else throw new CreemRefusal(400, 'No such action.');
}

export function mountDashboard(parts: DashboardParts): void {
  const { shop, router, deliveries } = parts;
  actions(parts);
  router.on('GET', '/creem/state', ({ res, url }) => {
    advance(shop);
    sendJson(res, 200, fullState(parts, url.searchParams.get('events') === '1'));
  });
  router.on('GET', '/creem/deliveries', ({ res }) => {
    advance(shop);
    sendJson(res, 200, deliveries.counts());
  });
  router.on('GET', '/creem', ({ res }) => {
    advance(shop);
    sendPage(res, overview(shop, null));
  });
  router.on('POST', '/creem', async ({ req, res }) => {
    const form = await readOwnForm(req);
    try {
      handleForm(parts, form);
      seeOther(res, '/creem');
    } catch (error) {
      if (!(error instanceof CreemRefusal)) throw error;
      sendPage(res, overview(shop, error.message));
    }
  });
}
