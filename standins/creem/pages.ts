/** The pages that a buyer sees: the checkout, the way back, and the customer's portal. */
import { escapeHtml, formSource, type Page } from '../page.ts';
import type { Checkout, Subscription, Transaction } from './model.ts';
import { money, type Product, periodText } from './products.ts';

/** Leaves as a person would who presses Back; the pages of declined cards lie between. */
const LEAVE = `document.querySelector('[value=abandon]')?.addEventListener('click',(event)=>{
const steps=1+Number(event.currentTarget.dataset.steps);
if(history.length>steps){event.preventDefault();history.go(-steps)}})`;

/** A date as people read it, in UTC. */
export function day(ms: number): string {
  const text = new Date(ms).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `<time class="date" datetime="${new Date(ms).toISOString()}">${text}</time>`;
}

function facts(rows: [string, string][]): string {
  return `<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`;
}

export interface PayPage {
  checkout: Checkout;
  product: Product;
  /** Cards declined so far on this page. */
  declined: number;
  /** What was wrong with what was sent. */
  problem: string | null;
}

/** The hosted checkout. */
export function payPage({ checkout, product, declined, problem }: PayPage): Page {
  const message = problem ?? (declined > 0 ? 'Your card was declined. Nothing was charged.' : null);
  const mail = checkout.customerId
    ? `<p>For <b>${escapeHtml(checkout.email ?? '')}</b></p>`
    : `<label>E-mail <input type="email" name="email" autocomplete="email" value="${escapeHtml(checkout.email ?? '')}"></label>`;
  return {
    title: `Pay for ${product.name}`,
    status: problem ? 400 : 200,
    forms: checkout.successUrl ? [formSource(checkout.successUrl)] : [],
    script: LEAVE,
    body: `<h1>${escapeHtml(product.name)}</h1>
<p><b>${money(product.price * checkout.units)}</b> ${periodText(product)}, until it is cancelled.</p>
${message ? `<p role="alert"><b>${escapeHtml(message)}</b></p>` : ''}
<form method="post" action="/creem/pay/${checkout.id}"><input type="hidden" name="declined" value="${declined}">
<div class="fields">${mail}
<label class="tick"><input type="checkbox" name="card" value="fails"> This card will fail at the next renewal</label></div>
<p class="row"><button class="main" name="action" value="pay">Pay ${money(product.price * checkout.units)}</button>
<button name="action" value="decline">Decline</button>
<button name="action" value="abandon" formnovalidate data-steps="${declined}">Abandon</button></p></form>
<p class="muted">A stand-in on this machine answers for the payment provider: no card is asked for and no money moves.
Pay stands for a card that works, Decline for one that is refused, Abandon for leaving.</p>`,
  };
}

/** After Abandon, where the browser cannot go back by itself. */
export function abandonedPage(checkout: Checkout): Page {
  return {
    title: 'Checkout left',
    body: `<h1>Nothing was charged</h1><p>The checkout stays open for a day. You may close this page, go back in the
browser, or <a href="/creem/pay/${checkout.id}">return to the checkout</a>.</p>`,
  };
}

/** Checkouts that can no longer be paid here. */
export function closedPage(checkout: Checkout, back: string | null): Page {
  const expired = checkout.status === 'expired';
  return {
    title: expired ? 'Checkout expired' : 'Paid',
    status: expired ? 410 : 200,
    body: expired
      ? '<h1>This checkout has expired</h1><p>Nothing was charged. Start again from the shop.</p>'
      : `<h1>Paid</h1><p>This checkout is completed; paying again is not possible.${back ? ` <a href="${escapeHtml(back)}">Go on to the shop</a>` : ''}</p>`,
  };
}

function verbs(token: string, { id, status }: Subscription): string {
  const button = (action: string, text: string) => `<button name="action" value="${action}">${text}</button>`;
  const buttons = [
    ...(status === 'active' ? [button('period_end', 'Cancel at the end of the period')] : []),
    ...(status === 'scheduled_cancel' || status === 'paused' ? [button('resume', 'Resume')] : []),
    ...(status === 'canceled' ? [] : [button('now', 'Cancel now')]),
    ...(status === 'canceled' ? [] : [button('card', 'Use a card that works')]),
  ];
  if (buttons.length === 0) return '';
  return `<form method="post" action="/creem/portal/${token}"><input type="hidden" name="subscription" value="${id}">
<p class="row">${buttons.join(' ')}</p></form>`;
}

const STATUS: Record<Subscription['status'], (subscription: Subscription) => string> = {
  active: ({ periodEnd }) => `Active, renews on ${day(periodEnd)}`,
  past_due: ({ nextTryAt }) =>
    `The last payment failed${nextTryAt === null ? '' : `, tried again on ${day(nextTryAt)}`}`,
  paused: () => 'Paused',
  scheduled_cancel: ({ periodEnd }) => `Ends on ${day(periodEnd)}`,
  canceled: ({ canceledAt }) => `Cancelled on ${day(canceledAt ?? 0)}`,
};

function invoices(transactions: Transaction[]): string {
  if (transactions.length === 0) return '<p>No payments yet.</p>';
  const rows = transactions.map(
    (transaction) =>
      `<tr><td>${day(transaction.createdAt)}</td><td>${money(transaction.amount + transaction.tax)}</td><td>${transaction.status}</td><td>${transaction.id}</td></tr>`,
  );
  return `<div class="scroll" tabindex="0" role="group" aria-label="Payments"><table><thead><tr><th scope="col">Date</th>
<th scope="col">Amount</th><th scope="col">State</th><th scope="col">Number</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

export interface Portal {
  token: string;
  email: string;
  subscriptions: { subscription: Subscription; product: Product }[];
  transactions: Transaction[];
  /** What a button could not do. */
  problem: string | null;
}

/** The customer's own pages. */
export function portalPage({ token, email, subscriptions, transactions, problem }: Portal): Page {
  const parts = subscriptions.map(
    ({ subscription, product }) =>
      `<section><h2>${escapeHtml(product.name)}</h2>${facts([
        ['State', STATUS[subscription.status](subscription)],
        ['Price', `${money(product.price)} ${periodText(product)}`],
        ['Paid until', day(subscription.periodEnd)],
      ])}${verbs(token, subscription)}</section>`,
  );
  return {
    title: 'Your subscription',
    status: problem ? 400 : 200,
    forms: [],
    body: `<h1>Your subscription</h1><p>${escapeHtml(email)}</p>
${problem ? `<p role="alert"><b>${escapeHtml(problem)}</b></p>` : ''}
${parts.join('') || '<p>There is none.</p>'}<h2>Payments</h2>${invoices(transactions)}`,
  };
}
