import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlanDuration, priceTable } from '#features/credits/contract.ts';
import type {
  ProviderFact,
  ProviderPayment,
  ProviderSubscription,
  RefundState,
} from '../provider/payment-provider.ts';
import { effectsOf } from './effects.server.ts';
import { reduce } from './reducer.server.ts';
import type { Facts, RefundFact, SiteTerms } from './subscription-facts.ts';

const terms: SiteTerms = {
  live: false,
  planOfProduct: (id) => (id in priceTable ? (id as PlanDuration) : null),
  priceCents: { monthly: 1999, quarterly: 3999, yearly: 6999 },
};
const noFacts: Facts = { subscription: null, payments: [], refunds: [] };
const date = (text: string) => new Date(`${text.length === 10 ? `${text}T00:00:00` : text}Z`);
const now = date('2028-06-01');
const march = { periodStart: date('2027-03-01'), periodEnd: date('2027-04-01') };
const april = { periodStart: date('2027-04-01'), periodEnd: date('2027-05-01') };

const state = (overrides: Partial<ProviderSubscription> = {}): ProviderFact => ({
  kind: 'subscription',
  paid: false,
  subscription: {
    id: 'sub',
    status: 'active',
    productId: 'monthly',
    price: { cents: 1999, currency: 'USD' },
    customerId: 'cust',
    checkoutId: null,
    userId: null,
    ...march,
    canceledAt: null,
    lastPaymentId: null,
    lastPaymentAt: null,
    updatedAt: date('2027-03-01'),
    live: false,
    ...overrides,
  },
});
const payment = (overrides: Partial<ProviderPayment> = {}): ProviderFact => ({
  kind: 'payment',
  payment: {
    id: 'tran',
    subscriptionId: 'sub',
    orderId: null,
    customerId: 'cust',
    amountCents: 1999,
    discountCents: 0,
    refundedCents: 0,
    currency: 'USD',
    state: 'paid',
    ...march,
    createdAt: march.periodStart,
    live: false,
    ...overrides,
  },
});
const renewal = { id: 'tran_2', ...april, createdAt: april.periodStart };
const refund = (
  amountCents: number,
  paymentId = 'tran',
  state: RefundState = 'succeeded',
  time = '2027-03-02',
): ProviderFact => ({
  kind: 'refund',
  occurredAt: date(time),
  id: `ref_${paymentId}_${amountCents}`,
  paymentId,
  amountCents,
  state,
});
const paid = (): Facts => apply([state(), payment()]).after;
const withRefundRequest = (amountCents: number, refundState: RefundFact['state'] = 'asked'): Facts => ({
  ...paid(),
  refunds: [
    {
      ...{ id: 'ours', externalId: null, paymentId: 'tran', amountCents, state: refundState },
      ...{ askedBy: 'person', reportedAt: null, excessCents: 0, reversed: false },
    },
  ],
});

function apply(steps: Array<ProviderFact | ProviderFact[]>, isSnapshot = false, start = noFacts) {
  let last = reduce(start, { facts: [], isSnapshot, now }, terms);
  let after = start;
  for (const step of steps) {
    last = reduce(after, { facts: [step].flat(), isSnapshot, now }, terms);
    after = last.after;
  }
  return { ...last, access: after.subscription?.accessUntil?.toISOString() ?? null };
}

describe('access', () => {
  const end = '2027-04-01T00:00:00.000Z';
  const grace = '2027-04-04T00:00:00.000Z';
  const trial = state({ status: 'trialing' });
  const dispute: ProviderFact = { kind: 'dispute', id: 'disp', paymentId: 'tran' };
  it.each<[string, ProviderFact[], string | null]>([
    ['none before a payment', [state()], null],
    ['the trial period', [trial], end],
    ['the paid period plus the grace', [state(), payment()], grace],
    ['the same if the renewal fails', [state({ status: 'past_due' }), payment()], grace],
    [
      'the paid period alone if a cancellation is scheduled',
      [state({ status: 'scheduled_cancel' }), payment()],
      end,
    ],
    ['the paid period alone if it is cancelled', [state({ status: 'canceled' }), payment()], end],
    ['none while it is paused', [state({ status: 'paused' }), payment()], null],
    [
      'the period of the later of two payments',
      [state(), payment(renewal), payment()],
      '2027-05-04T00:00:00.000Z',
    ],
    ['none once the newest payment is refunded', [state(), payment(), refund(1999)], null],
    [
      'none once partial refunds add up to the payment',
      [state(), payment(), refund(1000), refund(999)],
      null,
    ],
    ['unchanged after a partial refund', [state(), payment(), refund(1000)], grace],
    [
      'the period of the newest payment if an older one is refunded',
      [state(), payment(), payment(renewal), refund(1999)],
      '2027-05-04T00:00:00.000Z',
    ],
    ['none once the payment is disputed', [state(), payment(), dispute], null],
    ['none for a failed payment', [state(), payment({ state: 'failed' })], null],
    ['none for a pending payment', [state(), payment({ state: 'pending' })], null],
    [
      'the full period for a voucher of the full price',
      [state(), payment({ amountCents: 0, discountCents: 1999 })],
      grace,
    ],
  ])('is %s', (_name, facts, access) => {
    expect(apply([facts])).toMatchObject({ access, rejections: [], refetchReason: null });
    expect(apply(facts)).toMatchObject({ access });
  });

  it('stays unchanged under an unknown status, until a payment is reported', () => {
    const unknown = state({ status: 'dormant', updatedAt: date('2027-03-09') });
    expect(apply([state(), payment(), unknown])).toMatchObject({ access: grace, refetchReason: 'status' });
    expect(apply([state(), unknown])).toMatchObject({ access: null });
    expect(apply([state(), payment(), unknown, payment(renewal)])).toMatchObject({
      access: '2027-05-01T00:00:00.000Z',
    });
  });
});

it('restores access after a won dispute, once the provider is read', () => {
  const dispute: ProviderFact = { kind: 'dispute', id: 'disp', paymentId: 'tran' };
  const lost = apply([[state(), payment()], dispute, [state(), payment()]]);
  expect(lost.access).toBeNull();
  expect(apply([[state(), payment({ state: 'disputed' })]], true, lost.after).access).toBeNull();
  const won = apply([[state(), payment()]], true, lost.after);
  expect(won).toMatchObject({ access: '2027-04-04T00:00:00.000Z', changes: ['payment tran differs'] });
});

describe('mails', () => {
  const context = {
    userId: 'u',
    provider: 'p',
    externalId: 'sub',
    now: date('2027-03-02'),
    firstPaidAt: null,
    hasRequestedRefund: false,
    estimated: new Set<string>(),
    dueReceipts: new Set<string>(),
    entitled: true,
  };
  const paid = apply([state(), payment()]).after;
  const mailsOf = (before: Facts, after: Facts, overrides: Partial<typeof context> = {}) =>
    effectsOf(before, after, { ...context, ...overrides }).mails.map(({ facts }) => facts);
  it('offer the money-back guarantee only to people who have not used it', () => {
    expect(mailsOf(noFacts, paid)).toMatchObject([{ moneyBackUntil: '2027-03-08T00:00:00.000Z' }]);
    expect(mailsOf(noFacts, paid, { hasRequestedRefund: true })).toMatchObject([{ moneyBackUntil: null }]);
  });
  it.each([
    [1999, false, true],
    [1999, true, null],
    [500, true, false],
    [500, false, null],
  ])('about a refund of %i state whether Pro has ended: entitled %s', (cents, entitled, ended) => {
    expect(mailsOf(paid, apply([refund(cents)], false, paid).after, { entitled })).toMatchObject([{ ended }]);
  });
  it('about a cancellation are not written while a full refund is pending', () => {
    const end = state({ status: 'canceled', canceledAt: date('2027-03-02'), updatedAt: date('2027-03-02') });
    const ended = (amountCents: number) => {
      const refundRequest = {
        id: 'ours',
        externalId: null,
        paymentId: 'tran',
        amountCents,
        askedBy: 'person',
        reportedAt: null,
        excessCents: 0,
        reversed: false,
      } as const;
      const before: Facts = { ...paid, refunds: [{ ...refundRequest, state: 'pending' }] };
      return mailsOf(before, apply([end], false, before).after);
    };
    expect([ended(1999), ended(500).length]).toEqual([[], 1]);
  });
});

describe('versions', () => {
  const cancelled = state({
    status: 'canceled',
    canceledAt: date('2027-03-05'),
    updatedAt: date('2027-03-05'),
  });
  it('only move forward, but a payment in an older update counts', () => {
    const late = apply([cancelled, [state(), payment()]]);
    expect(late.after.subscription?.status).toBe('canceled');
    expect(late).toMatchObject({ stale: true, access: '2027-04-01T00:00:00.000Z' });
  });

  it('with the same time but different content are ambiguous until the provider is read', () => {
    const other = state({ status: 'paused' });
    expect(apply([state(), other])).toMatchObject({ refetchReason: 'version', changes: [] });
    const settled = apply([other], true, apply([state()]).after);
    expect(settled).toMatchObject({ refetchReason: null, stale: false });
    expect(settled.after.subscription?.status).toBe('paused');
  });

  it('from the future are not accepted before the provider is read, so that a subscription never gets stuck on one', () => {
    const future = (payments: ProviderFact[] = []) => [
      state({ status: 'paused', updatedAt: date('2028-06-01T00:11:00') }),
      ...payments,
    ];
    expect(apply([future([payment()])])).toMatchObject({
      refetchReason: 'version',
      access: null,
      changes: [],
    });
    const known = apply([[state(), payment()], future()]);
    expect(known).toMatchObject({
      refetchReason: 'version',
      access: '2027-04-04T00:00:00.000Z',
      changes: [],
    });
    const later = state({ status: 'canceled', updatedAt: date('2027-03-09') });
    expect(apply([later], false, known.after).after.subscription?.status).toBe('canceled');
    expect(apply([future()], true, known.after).after.subscription?.status).toBe('paused');
  });

  it('keep the plan of a product that the site no longer sells', () => {
    const withoutProduct: SiteTerms = { ...terms, planOfProduct: () => null };
    const before = apply([state(), payment()]).after;
    const renewed = [state({ ...april, updatedAt: date('2027-04-01') }), payment(renewal)];
    const { after, rejections } = reduce(before, { facts: renewed, isSnapshot: false, now }, withoutProduct);
    expect(rejections).toEqual([]);
    expect(after.subscription?.accessUntil).toEqual(date('2027-05-04'));
  });
});

describe('the renewal price', () => {
  const priced = (cents: number | null, overrides: Partial<ProviderSubscription> = {}) =>
    state({ price: cents === null ? null : { cents, currency: 'USD' }, ...overrides });
  const next = { updatedAt: date('2027-03-02') };
  const yearly = { productId: 'yearly', ...next };
  it.each<[string, ProviderFact[], number | null]>([
    ['is that of the product', [priced(2499)], 2499],
    [
      'stays when the product becomes more expensive',
      [priced(1999), priced(2499, { ...next, status: 'paused' })],
      1999,
    ],
    ['stays when nothing else changes', [priced(1999), priced(2499, next)], 1999],
    ['changes with the product', [priced(1999), priced(6999, yearly)], 6999],
    ['is unknown for another product without a price', [priced(1999), priced(null, yearly)], null],
    ['may be reported later', [priced(null), priced(1999, next)], 1999],
    ['may be reported by an older state', [priced(null, next), priced(1999)], 1999],
    ['is not that of another, earlier product', [priced(null, yearly), priced(1999)], null],
    ['must be in dollars', [priced(null), state({ price: { cents: 1999, currency: 'EUR' }, ...next })], null],
  ])('%s', (_, steps, cents) => {
    expect(apply(steps).after.subscription?.priceCents).toBe(cents);
  });
});

describe('rejected facts', () => {
  const named = (overrides: Partial<ProviderSubscription>): ProviderFact => ({
    ...(state({ lastPaymentId: 'tran', ...overrides }) as Extract<ProviderFact, { kind: 'subscription' }>),
    paid: true,
  });
  it.each<[string, ProviderFact[], string]>([
    ['the other mode', [named({ live: true })], 'mode'],
    ['an unknown product', [named({ productId: 'mug' })], 'product'],
    ['another currency', [named({ price: { cents: 1999, currency: 'EUR' } })], 'currency'],
    ['a lower price', [named({ price: { cents: 199, currency: 'USD' } })], 'price'],
    ['a payment in another currency', [state({ price: null }), payment({ currency: 'EUR' })], 'currency'],
    ['a payment below the price', [state({ price: null }), payment({ amountCents: 199 })], 'price'],
    [
      'a year for the price of a month',
      [state({ price: null }), payment({ periodEnd: date('2028-03-01') })],
      'price',
    ],
    ['a payment in the other mode', [state(), payment({ live: true })], 'mode'],
  ])('%s', (_name, facts, refusal) => {
    expect(apply([facts])).toMatchObject({ access: null, rejections: [refusal] });
  });

  it('a test purchase where real ones are sold', () => {
    const { after, rejections } = reduce(
      noFacts,
      { facts: [named({})], isSnapshot: false, now },
      { ...terms, live: true },
    );
    expect([rejections, after.subscription]).toEqual([['mode'], null]);
  });

  it('do not include the lower payment of a plan change, or a price that was lower at the purchase', () => {
    const changed = [
      state({ productId: 'yearly', price: null, updatedAt: date('2027-03-10') }),
      payment({
        id: 'up',
        amountCents: 5600,
        periodStart: date('2027-03-10'),
        periodEnd: date('2028-03-10'),
      }),
    ];
    expect(apply([[state(), payment()], changed])).toMatchObject({
      rejections: [],
      access: '2028-03-13T00:00:00.000Z',
    });
    const quarter = { periodStart: date('2027-03-02'), periodEnd: date('2027-06-02') };
    const year = { periodStart: date('2027-03-03'), periodEnd: date('2028-03-03') };
    const chain = [
      [state(), payment()],
      [payment({ id: 'up', amountCents: 2000, ...quarter, createdAt: quarter.periodStart })],
      [payment({ id: 'up_2', amountCents: 3000, ...year, createdAt: year.periodStart })],
    ];
    for (const steps of [chain, [chain.flat()]])
      expect(apply(steps)).toMatchObject({ rejections: [], access: '2028-03-06T00:00:00.000Z' });
    const less = payment({ id: 'up_2', amountCents: 2999, ...year, createdAt: year.periodStart });
    expect(apply([...chain.slice(0, 2), less]).rejections).toEqual(['price']);
    const dearer = { ...terms, priceCents: { ...terms.priceCents, monthly: 2999 } };
    const before = apply([state(), payment()]).after;
    expect(reduce(before, { facts: [payment(renewal)], isSnapshot: false, now }, dearer).rejections).toEqual(
      [],
    );
  });

  it('do not include a payment reduced by credit from an earlier plan change', () => {
    const year = { periodStart: date('2027-03-01'), periodEnd: date('2028-03-01') };
    const month = { periodStart: date('2027-03-02'), periodEnd: date('2027-04-02') };
    const secondYear = { periodStart: date('2027-03-20'), periodEnd: date('2028-03-20') };
    const paidWith = (id: string, amountCents: number, period: typeof year) =>
      payment({ id, amountCents, ...period, createdAt: period.periodStart });
    const chain = [
      [state({ productId: 'yearly', price: null }), paidWith('up', 6999, year)],
      [paidWith('down', 0, month)],
      [paidWith('up_2', 900, secondYear)],
    ];
    for (const steps of [chain, [chain.flat()]])
      expect(apply(steps)).toMatchObject({ rejections: [], access: '2028-03-23T00:00:00.000Z' });
    // Two yearly payments without a monthly one between them are no change of plan.
    expect(apply([chain[0] ?? [], paidWith('up_2', 900, secondYear)]).rejections).toEqual(['price']);
  });
});

describe('payments and refunds', () => {
  it('uses the price for a payment that is only named, and the actual amount once it is reported', () => {
    const named = { ...state({ lastPaymentId: 'tran' }), paid: true } as ProviderFact;
    const estimated = apply([named]);
    expect(estimated).toMatchObject({ refetchReason: 'amount', access: '2027-04-04T00:00:00.000Z' });
    expect([...estimated.estimated]).toEqual(['tran']);
    const real = payment({ amountCents: 1000, discountCents: 999 });
    const known = apply([[state(), real]], true, estimated.after);
    expect(known.after.payments).toMatchObject([{ externalId: 'tran', amountCents: 1000 }]);
    expect(apply([named], false, known.after)).toMatchObject({ refetchReason: null, changes: [] });
    const lower = apply([[state(), payment({ amountCents: 1000 })]], true, estimated.after);
    expect(lower).toMatchObject({ rejections: [], changes: ['payment tran differs'] });
    expect(lower.after.payments).toMatchObject([{ amountCents: 1000 }]);
  });

  it('settles our own refund request by the reported refund, or by the payment itself', () => {
    const event = apply([refund(1999)], false, withRefundRequest(1999)).after;
    expect(event.refunds).toMatchObject([{ id: 'ours', externalId: 'ref_tran_1999', state: 'succeeded' }]);
    const read = apply([payment({ state: 'refunded' })], true, withRefundRequest(1999)).after;
    expect(read.refunds).toMatchObject([{ id: 'ours', externalId: null, state: 'succeeded' }]);
    expect(apply([refund(1999)], false, read).after.refunds).toEqual(event.refunds);
  });

  it('never refunds more than the payment, even if a part was refunded without our knowledge', () => {
    const sums = ({ refunds }: Facts) =>
      refunds
        .map(({ id, amountCents, state }) => [id, amountCents, state])
        .toSorted(([, a], [, b]) => Number(a) - Number(b));
    for (const late of [
      [refund(500), refund(1499)],
      [refund(1499), refund(500)],
    ]) {
      const { after } = apply(late, false, withRefundRequest(1999, 'succeeded'));
      expect(after.refunds.map(({ amountCents }) => amountCents).toSorted()).toEqual([1499, 500]);
      expect(after.refunds.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    }
    const part = apply([refund(500)], false, paid()).after;
    const withRequest = { ...part, refunds: [...part.refunds, ...withRefundRequest(1999).refunds] };
    const read = apply([payment({ state: 'refunded', refundedCents: 1999 })], true, withRequest).after;
    expect(sums(read)).toEqual([
      [null, 500, 'succeeded'],
      ['ours', 1499, 'succeeded'],
    ]);
  });

  it('counts refunds only up to the paid amount, and records the excess', () => {
    for (const facts of [[refund(5000)], [refund(1500), refund(600, 'tran', 'succeeded', '2027-03-03')]]) {
      const { after, access } = apply(facts, false, paid());
      expect([after.payments[0]?.refundedCents, access]).toEqual([1999, null]);
      const counted = after.refunds.map(({ amountCents, excessCents }) => amountCents - excessCents);
      expect(counted.reduce((sum, cents) => sum + cents, 0)).toBe(1999);
    }
    expect(
      apply([refund(1500), refund(600)], false, paid()).after.refunds.map(({ excessCents }) => excessCents),
    ).toEqual(
      apply([refund(600), refund(1500)], false, paid())
        .after.refunds.map(({ excessCents }) => excessCents)
        .toReversed(),
    );
  });

  it('reverses a refund that failed after it was made, in either order, and a read of the provider decides', () => {
    const succeeded = refund(1999);
    const failed = refund(1999, 'tran', 'failed', '2027-03-09');
    const refunded = payment({ state: 'refunded', refundedCents: 1999 });
    const grace = '2027-04-04T00:00:00.000Z';
    for (const steps of [
      [succeeded, failed],
      [failed, succeeded],
      [[refunded, succeeded], failed, [refunded, succeeded], [refunded, failed]],
      [failed, [refunded, succeeded]],
    ]) {
      const { after, access } = apply(steps, false, paid());
      expect(after.payments).toMatchObject([{ refundedCents: 0 }]);
      expect([access, after.refunds.map(({ state, reversed }) => [state, reversed])]).toEqual([
        grace,
        [['failed', true]],
      ]);
    }
    expect(apply([succeeded, failed], false, paid()).refetchReason).toBe('reversal');
    const reversed = apply([succeeded, failed], false, paid()).after;
    expect(apply([[state(), payment()]], true, reversed)).toMatchObject({
      access: grace,
      refetchReason: null,
    });
    expect(apply([[state(), refunded]], true, reversed).access).toBeNull();
    // Another refund, which succeeds, counts.
    const secondRefund: ProviderFact = { ...succeeded, id: 'ref_again' } as ProviderFact;
    expect(apply([secondRefund], false, reversed).access).toBeNull();
    // A failure that is older than the refund was an earlier attempt.
    const earlier = refund(1999, 'tran', 'failed', '2027-03-01');
    expect(apply([succeeded, earlier], false, paid()).access).toBeNull();
  });

  it('keeps a refund failed, however late its start is reported', () => {
    const failed = refund(1999, 'tran', 'failed');
    for (const steps of [
      [refund(1999, 'tran', 'pending'), failed],
      [failed, refund(1999, 'tran', 'pending')],
    ]) {
      const { after } = apply(steps, false, withRefundRequest(1999));
      expect(after.refunds).toMatchObject([{ id: 'ours', state: 'failed' }]);
      expect(after.payments).toMatchObject([{ refundedCents: 0 }]);
    }
    expect(apply([failed, refund(1999)], false, withRefundRequest(1999)).access).toBeNull();
  });

  it('requires a read of the provider for refunds of unknown payments', () => {
    expect(apply([refund(1999)])).toMatchObject({ refetchReason: 'unknown' });
    expect(apply([state(), refund(1999)])).toMatchObject({ refetchReason: 'unknown' });
  });
});

it('gives the same facts and effects in any order and with any repetition', () => {
  const events: ProviderFact[][] = [
    [state(), payment()],
    [state({ status: 'scheduled_cancel', canceledAt: date('2027-03-04'), updatedAt: date('2027-03-04') })],
    [state({ updatedAt: date('2027-03-05') })],
    [state({ ...april, updatedAt: date('2027-04-01') }), payment(renewal)],
    [state({ ...april, updatedAt: date('2027-04-02') }), payment(renewal), refund(500, 'tran_2')],
    [state({ ...april, status: 'past_due', updatedAt: date('2027-05-01') })],
    [state({ ...april, status: 'canceled', canceledAt: date('2027-05-08'), updatedAt: date('2027-05-08') })],
  ];
  const sorted = ({ payments, refunds, subscription }: Facts) => ({
    subscription,
    payments: payments.toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1)),
    refunds,
  });
  const expected = sorted(apply(events).after);
  const orders = fc
    .tuple(
      fc.shuffledSubarray([...events.keys()], { minLength: events.length }),
      fc.array(fc.nat(events.length - 1), { maxLength: 7 }),
    )
    .map(([order, repeats]) => [...order, ...repeats]);
  fc.assert(
    fc.property(orders, (order) => {
      let after = noFacts;
      const keys: string[] = [];
      for (const index of order) {
        const before = after;
        after = reduce(before, { facts: events[index] ?? [], isSnapshot: false, now }, terms).after;
        const context = {
          userId: 'u',
          provider: 'p',
          externalId: 'sub',
          now: date('2027-03-02'),
          firstPaidAt: null,
          hasRequestedRefund: false,
          entitled: true,
          estimated: new Set<string>(),
          dueReceipts: new Set<string>(),
        };
        const { entries, mails } = effectsOf(before, after, context);
        keys.push(
          ...entries.map(({ id }) => id),
          ...mails.map(({ key }) => key).filter((key) => !/^(cancelled|resumed|payment_failed)/.test(key)),
        );
      }
      expect(sorted(after)).toEqual(expected);
      // Each key exists exactly once.
      const expectedKeys = ['p:tran', 'p:tran_2', 'p:tran_2:500'].flatMap((id) => [
        id,
        `${id.endsWith('500') ? 'refund' : 'receipt'}:${id}`,
      ]);
      expect(keys.toSorted()).toEqual(expectedKeys.toSorted());
    }),
    { numRuns: 300 },
  );
});
