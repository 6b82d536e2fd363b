/** What the provider's dashboard does, and what tests ask: the truth, and actions on subscriptions. */
import { type Control, oneOf } from '../control.ts';
import { HttpError, isRecord, onOwnPage, type Router, readForm, sendJson } from '../http.ts';
import { escapeHtml, type Page, sendPage } from '../page.ts';
import { dispute, refund, settle } from './changes.ts';
import { advance } from './course.ts';
import type { Deliveries } from './deliveries.ts';
import type { CardPlan, Subscription } from './model.ts';
import { day } from './pages.ts';
import { money, PRODUCTS } from './products.ts';
import { failuresOf } from './purchase.ts';
import { CreemRefusal } from './reply.ts';
import { showTransaction } from './shapes.ts';
import type { Shop } from './shop.ts';

const CARDS: readonly CardPlan[] = ['good', 'fails-once', 'fails'];

interface OperatorParts {
  shop: Shop;
  deliveries: Deliveries;
  router: Router;
  control: Control;
}

/** An action's refusal is an answer of the control page, not of the API. */
function refusable<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof CreemRefusal) throw new HttpError(error.status, 'refused', error.message);
    throw error;
  }
}

function fields(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new HttpError(400, 'bad_switch', 'The action takes an object.');
  return value;
}

function setCard(shop: Shop, subscription: Subscription, plan: CardPlan): void {
  subscription.cardFails = failuresOf(plan);
  shop.store.changed();
}

function settleOne(shop: Shop, id: unknown, status: 'succeeded' | 'failed'): number {
  const open = shop.store.refunds
    .all()
    .filter((made) => made.status === 'pending' && (id === 'all' || made.id === id));
  for (const made of open) settle(shop, made, status);
  return open.length;
}

function actions({ shop, deliveries, control }: OperatorParts): void {
  const action = (name: string, act: (value: unknown) => unknown) =>
    control.action(`creem.${name}`, (value) =>
      refusable(() => {
        advance(shop);
        return act(value);
      }),
    );
  action('resend', (value) => ({ sent: deliveries.resend(String(value)) }));
  action('dispute', (value) => dispute(shop, shop.transaction(value)));
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
    return {
      settled: settleOne(shop, id, oneOf(['succeeded', 'failed'] as const)(status, 'creem.settle.status')),
    };
  });
}

/** Everything that the provider knows, in the shapes of the API. */
function truth({ shop, deliveries }: OperatorParts, bodies: boolean) {
  const { store, shapes } = shop;
  const sendings = Map.groupBy(store.deliveries, ({ eventId }) => eventId);
  return {
    now: shop.now(),
    products: PRODUCTS,
    /** Deliveries that are still on their way. */
    pending: deliveries.counts().pending,
    checkouts: store.checkouts.all().map(({ apiKey: _, ...checkout }) => checkout),
    customers: store.customers.all(),
    subscriptions: store.subscriptions.all().map((subscription) => ({
      ...shapes.wholeSubscription(subscription),
      checkout: subscription.checkoutId,
    })),
    transactions: store.transactions.all().map((transaction) => showTransaction(transaction)),
    refunds: store.refunds.all(),
    disputes: store.disputes.all(),
    events: store.events.all().map(({ body, ...event }) => ({
      ...event,
      ...(bodies ? { body } : {}),
      deliveries: (sendings.get(event.id) ?? []).map(({ id, kind, state, attempts }) => ({
        id,
        kind,
        state,
        attempts,
      })),
    })),
  };
}

function row(shop: Shop, subscription: Subscription): string {
  const { id, customerId, productId, status, periodEnd, cardFails, metadata } = subscription;
  const button = (action: string, text: string) => `<button name="action" value="${action}">${text}</button>`;
  const alive = status !== 'canceled' && status !== 'paused';
  return `<section><h2>${escapeHtml(shop.store.customers.need(customerId).email)}</h2>
<dl><dt>Subscription</dt><dd>${id}</dd><dt>Product</dt><dd>${escapeHtml(shop.product(productId).name)}</dd>
<dt>State</dt><dd>${status}, paid until ${day(periodEnd)}</dd><dt>Card</dt><dd>${cardFails > 0 ? 'refuses the next payment' : 'good'}</dd>
<dt>Metadata</dt><dd>${escapeHtml(JSON.stringify(metadata))}</dd></dl>
<form method="post" action="/creem"><input type="hidden" name="subscription" value="${id}"><p class="row">
${alive ? button('forward', 'Move the clock to the end of the period') : ''}
${cardFails > 0 ? button('good', 'Card: good') : button('fails', 'Card: refuse')}
${button('refund', 'Refund the last payment')} ${button('half', 'Refund half of it')} ${button('dispute', 'Dispute it')}</p></form></section>`;
}

function overview(shop: Shop, problem: string | null): Page {
  const { subscriptions, checkouts } = shop.store;
  const open = checkouts.all().filter(({ status }) => status === 'pending');
  return {
    title: 'Payments',
    status: problem ? 400 : 200,
    forms: [],
    body: `<h1>Payments</h1><p>The dashboard of the payment provider. Its clock says ${day(shop.now())}; faults are
switches of <a href="/control">/control</a>, all records are under <a href="/creem/state?events=1">/creem/state</a>.</p>
${problem ? `<p role="alert"><b>${escapeHtml(problem)}</b></p>` : ''}
${open.length > 0 ? `<h2>Open checkouts</h2><ul class="list">${open.map(({ id, email, productId }) => `<li><a href="/creem/pay/${id}"><b>${escapeHtml(email ?? id)}</b><span class="muted">${money(shop.product(productId).price)}</span></a></li>`).join('')}</ul>` : ''}
${
  subscriptions
    .all()
    .reverse()
    .map((subscription) => row(shop, subscription))
    .join('') || '<p>Nobody has bought anything yet.</p>'
}`,
  };
}

/** Does what a button of the overview says. */
function press({ shop, control }: OperatorParts, form: URLSearchParams): void {
  const subscription = shop.subscription(form.get('subscription'));
  const last = shop.transaction(subscription.lastTransactionId);
  const action = form.get('action');
  const due = subscription.nextTryAt ?? subscription.periodEnd;
  if (action === 'forward') control.apply({ clock: { advanceMs: Math.max(0, due - shop.now()) + 1000 } });
  else if (action === 'good' || action === 'fails') setCard(shop, subscription, action);
  else if (action === 'refund') refund(shop, last);
  else if (action === 'half') refund(shop, last, Math.round((last.amount + last.tax) / 2));
  else if (action === 'dispute') dispute(shop, last);
  else throw new CreemRefusal(400, 'No such action.');
}

/** Mounts /creem, /creem/state, /creem/deliveries and the actions of POST /control. */
export function mountOperator(parts: OperatorParts): void {
  const { shop, router, deliveries } = parts;
  actions(parts);
  router.on('GET', '/creem/state', ({ res, url }) => {
    advance(shop);
    sendJson(res, 200, truth(parts, url.searchParams.get('events') === '1'));
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
    onOwnPage(req);
    const form = await readForm(req);
    try {
      press(parts, form);
      res.writeHead(303, { location: '/creem', 'content-length': 0 }).end();
    } catch (error) {
      if (!(error instanceof CreemRefusal)) throw error;
      sendPage(res, overview(shop, error.message));
    }
  });
}
