import { button, facts, formSource, html, type Page, problemNote } from '../page.ts';
import { isOnce, money, type Product, periodText } from './products.ts';
import type { Checkout, Subscription, Transaction } from './records.ts';

/** Goes back in the history as the Back button does, past the pages of declined cards. */
const LEAVE = `document.querySelector('[value=abandon]')?.addEventListener('click',(event)=>{
const steps=1+Number(event.currentTarget.dataset.steps);
if(history.length>steps){event.preventDefault();history.go(-steps)}})`;

export function day(ms: number) {
  const text = new Date(ms).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return html`<time class="date" datetime="${new Date(ms).toISOString()}">${text}</time>`;
}

export interface PayPage {
  checkout: Checkout;
  product: Product;
  declined: number;
  problem: string | null;
}

export function payPage({ checkout, product, declined, problem }: PayPage): Page {
  const email = checkout.email ?? '';
  const price = money(product.price * checkout.units);
  return {
    title: `Pay for ${product.name}`,
    status: problem ? 400 : 200,
    forms: checkout.successUrl ? [formSource(checkout.successUrl)] : [],
    script: LEAVE,
    body: html`<h1>${product.name}</h1><p><b>${price}</b> ${periodText(product)}.</p>
${problemNote(problem ?? (declined > 0 ? 'Your card was declined. Nothing was charged.' : null))}
<form method="post" action="/creem/pay/${checkout.id}"><input type="hidden" name="declined" value="${declined}">
<div class="fields">${
      checkout.customerId
        ? html`<p>For <b>${email}</b></p>`
        : html`<label>E-mail <input type="email" name="email" autocomplete="email" value="${email}"></label>`
    }
${
  isOnce(product)
    ? null
    : html`<label class="tick"><input type="checkbox" name="card" value="fails"> This card will fail at the next renewal</label>`
}</div>
<p class="row"><button class="main" name="action" value="pay">Pay ${price}</button>
${button('decline', 'Decline')}
<button name="action" value="abandon" formnovalidate data-steps="${declined}">Abandon</button></p></form>
<p class="muted">A stand-in on this machine answers for the payment provider: no card is asked for and no money moves.
Pay stands for a card that works, Decline for one that is refused, Abandon for leaving.</p>`,
  };
}

/** Shown when the browser cannot go back in its history. */
export function abandonedPage(checkout: Checkout): Page {
  return {
    title: 'Checkout left',
    body: html`<h1>Nothing was charged</h1><p>The checkout stays open for a day. You may close this page, go back in the
browser, or <a href="/creem/pay/${checkout.id}">return to the checkout</a>.</p>`,
  };
}

export function closedPage(checkout: Checkout, returnUrl: string | null): Page {
  if (checkout.status === 'expired')
    return {
      title: 'Checkout expired',
      status: 410,
      body: html`<h1>This checkout has expired</h1><p>Nothing was charged. Start again from the shop.</p>`,
    };
  const link = returnUrl && html` <a href="${returnUrl}">Go on to the shop</a>`;
  return {
    title: 'Paid',
    body: html`<h1>Paid</h1><p>This checkout is completed; paying again is not possible.${link}</p>`,
  };
}

function actions(token: string, { id, status }: Subscription) {
  if (status === 'canceled') return null;
  const paused = status === 'scheduled_cancel' || status === 'paused';
  return html`<form method="post" action="/creem/portal/${token}"><input type="hidden" name="subscription" value="${id}">
<p class="row">${status === 'active' && button('period_end', 'Cancel at the end of the period')}
${paused && button('resume', 'Resume')}
${button('now', 'Cancel now')}
${button('card', 'Use a card that works')}</p></form>`;
}

function stateText({ status, periodEnd, nextTryAt, canceledAt }: Subscription) {
  switch (status) {
    case 'active':
      return html`Active, renews on ${day(periodEnd)}`;
    case 'past_due':
      return html`The last payment failed${nextTryAt && html`, tried again on ${day(nextTryAt)}`}`;
    case 'paused':
      return 'Paused';
    case 'scheduled_cancel':
      return html`Ends on ${day(periodEnd)}`;
    case 'canceled':
      return html`Cancelled on ${day(canceledAt ?? 0)}`;
  }
}

function invoices(transactions: Transaction[]) {
  if (transactions.length === 0) return html`<p>No payments yet.</p>`;
  const rows = transactions.map(
    ({ createdAt, amount, tax, status, id }) =>
      html`<tr><td>${day(createdAt)}</td><td>${money(amount + tax)}</td><td>${status}</td><td>${id}</td></tr>`,
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Payments"><table><thead><tr><th scope="col">Date</th>
<th scope="col">Amount</th><th scope="col">State</th><th scope="col">Number</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export interface Portal {
  token: string;
  email: string;
  subscriptions: { subscription: Subscription; product: Product }[];
  transactions: Transaction[];
  problem: string | null;
}

export function portalPage({ token, email, subscriptions, transactions, problem }: Portal): Page {
  const parts = subscriptions.map(
    ({ subscription, product }) =>
      html`<section><h2>${product.name}</h2>${facts([
        ['State', stateText(subscription)],
        ['Price', `${money(product.price)} ${product.period.replaceAll('-', ' ')}`],
        ['Paid until', day(subscription.periodEnd)],
      ])}${actions(token, subscription)}</section>`,
  );
  return {
    title: 'Your subscription',
    status: problem ? 400 : 200,
    forms: [],
    body: html`<h1>Your subscription</h1><p>${email}</p>${problemNote(problem)}
${parts.length > 0 ? parts : html`<p>There is none.</p>`}<h2>Payments</h2>${invoices(transactions)}`,
  };
}
