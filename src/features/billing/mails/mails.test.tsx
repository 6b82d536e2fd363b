import { expect, test } from 'vitest';
import {
  cancelledMail,
  disputedMail,
  endedMail,
  paymentFailedMail,
  receiptMail,
  refundMail,
  resumedMail,
  twoPlansMail,
} from './billing.mail.tsx';

const links = {
  brand: '<b>A</b>',
  dashboard: 'https://x.test/dashboard',
  supportEmail: 'help@x.test',
  provider: 'Creem',
};
const [start, end, later] = [
  '2026-11-21T10:00:00.000Z',
  '2027-11-21T10:00:00.000Z',
  '2026-11-28T10:00:00.000Z',
];
const payment = {
  plan: 'yearly',
  amountCents: 6999,
  currency: 'USD',
  periodStart: start,
  periodEnd: end,
} as const;

const mails = {
  receipt: receiptMail({ ...payment, renewsAt: end, moneyBackUntil: later }, links),
  finalReceipt: receiptMail({ ...payment, renewsAt: null, moneyBackUntil: null }, links),
  failed: paymentFailedMail({ plan: 'monthly', accessUntil: later }, links),
  failedLate: paymentFailedMail({ plan: 'monthly', accessUntil: null }, links),
  cancelled: cancelledMail({ plan: 'quarterly', endsAt: end, resumable: true }, links),
  cancelledLate: cancelledMail({ plan: 'quarterly', endsAt: null, resumable: false }, links),
  refund: refundMail({ plan: 'yearly', amountCents: 6999, currency: 'USD', ended: true }, links),
  otherRefund: refundMail({ plan: 'monthly', amountCents: 1999, currency: 'USD', ended: null }, links),
  resumed: resumedMail({ plan: 'monthly', priceCents: 1999, renewsAt: later }, links),
  planEnded: endedMail({ plan: 'monthly', endedAt: later, cancelled: true, mayCharge: false }, links),
  lapsed: endedMail({ plan: 'monthly', endedAt: later, cancelled: false, mayCharge: true }, links),
  disputed: disputedMail({ plan: 'yearly', amountCents: 6999, currency: 'USD', ended: true }, links),
  twoPlans: twoPlansMail(
    {
      plans: [
        { plan: 'monthly', priceCents: 1999, renewsAt: later, backUntil: null },
        { plan: 'yearly', priceCents: 6999, renewsAt: end, backUntil: later },
      ],
    },
    links,
  ),
  partialRefund: refundMail({ plan: 'yearly', amountCents: 1000, currency: 'EUR', ended: false }, links),
};

const visibleText = (html: string) =>
  html
    .replace(/^[\s\S]*<\/head>/, '')
    .replace(/<\/(h1|p|th|td|a)>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/\s+/g, ' ')
    .trim();

test.each(Object.entries(mails))(
  'the mail "%s" has the same content in text and HTML, and escapes its values',
  (_, mail) => {
    const { text, html } = mail;
    // Unlike the HTML, the text puts colons after labels and spells out the button's link.
    const plain = text
      .replace(/^(.*?): /gm, '$1 ')
      .replace(/:\n(https\S+)/, '')
      .replace(/\s+/g, ' ')
      .trim();
    const shown = visibleText(html);
    expect(plain).toBe(shown.replace(/: /g, ' '));
    expect(html).toContain(`href="${links.dashboard}"`);
    expect(text).toContain(`\n${links.dashboard}\n`);
    expect(html).not.toContain('<b>');
  },
);

test('the receipt states what was paid, until when, and how to cancel', () => {
  const { text } = mails.receipt;
  expect(text).toContain(
    '\nPlan: Pro, 1 year\nPaid: $69.99\nPeriod: November 21, 2026 to November 21, 2027\n',
  );
  expect(text).toContain('\nNext renewal: November 21, 2027\n');
  expect(text).toContain('click Cancel plan in your dashboard');
  expect(text).toContain('under Manage payment and invoices in');
  expect(text).toContain('Until November 28, 2026, you can get a full refund');
  expect(text).toContain('This is not an invoice. Creem');
  expect(mails.finalReceipt.text).toContain('Next renewal: none');
  expect(mails.finalReceipt.text).not.toMatch(/click Cancel|full refund/);
});

test('the other mails state their dates and amounts', () => {
  expect(mails.failed.text).toContain('Pro stays on until November 28, 2026, 10:00 UTC.');
  expect(mails.failed.text).toContain('Don’t want to renew? Click Cancel plan there.');
  expect(mails.failed.text).toContain('click Manage payment and invoices in');
  expect(mails.failedLate.text).toContain('Pro has ended.');
  expect(mails.cancelled.text).toContain('Pro stays on until November 21, 2027, 10:00 UTC.');
  expect(mails.cancelled.text).toContain('Click Resume');
  expect(mails.cancelledLate.text).not.toContain('Resume');
  expect(mails.refund.text).toContain('Refunded: $69.99\nPro: ended\n');
  expect(mails.resumed.text).toContain('It renews on November 28, 2026 for $19.99.');
  expect(mails.planEnded.text).toContain(
    'Pro ended on November 28, 2026, 10:00 UTC. You won’t be charged again.',
  );
  expect(mails.planEnded.text).not.toContain('may still try');
  expect(mails.lapsed.text).toContain('may still try your card');
  expect(mails.disputed.text).toContain('Disputed: $69.99\nPro: off until this is settled\n');
  expect(mails.twoPlans.text).toContain(
    '\nPlan 2: Pro, 1 year, $69.99, renews on November 21, 2027, refund until November 28, 2026\n',
  );
  expect(mails.twoPlans.text).toContain('If a refund date is shown for it above, you get that payment back');
  expect(mails.otherRefund.text).not.toContain('Pro:');
  expect(mails.partialRefund.text).toContain('Refunded: €10.00\nPro: stays on\n');
});
