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
const nothing: Facts = { subscription: null, payments: [], refunds: [] };
const at = (text: string) => new Date(`${text.length === 10 ? `${text}T00:00:00` : text}Z`);
const now = at('2028-06-01');
const march = { periodStart: at('2027-03-01'), periodEnd: at('2027-04-01') };
const april = { periodStart: at('2027-04-01'), periodEnd: at('2027-05-01') };

const state = (over: Partial<ProviderSubscription> = {}): ProviderFact => ({
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
    updatedAt: at('2027-03-01'),
    live: false,
    ...over,
  },
});
const payment = (over: Partial<ProviderPayment> = {}): ProviderFact => ({
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
    ...over,
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
  at: at(time),
  id: `ref_${paymentId}_${amountCents}`,
  paymentId,
  amountCents,
  state,
});
const paid = (): Facts => told([state(), payment()]).after;
const asked = (amountCents: number, refundState: RefundFact['state'] = 'asked'): Facts => ({
  ...paid(),
  refunds: [
    {
      ...{ id: 'ours', externalId: null, paymentId: 'tran', amountCents, state: refundState },
      ...{ askedBy: 'person', reportedAt: null, excessCents: 0, reversed: false },
    },
  ],
});

function told(steps: Array<ProviderFact | ProviderFact[]>, isSnapshot = false, start = nothing) {
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
    ['nothing before a payment', [state()], null],
    ['the trial', [trial], end],
    ['the paid period and the grace', [state(), payment()], grace],
    ['the same when the renewal fails', [state({ status: 'past_due' }), payment()], grace],
    ['the period alone when it will be cancelled', [state({ status: 'scheduled_cancel' }), payment()], end],
    ['the period alone when it is cancelled', [state({ status: 'canceled' }), payment()], end],
    ['nothing while it is paused', [state({ status: 'paused' }), payment()], null],
    ['the later of two payments', [state(), payment(renewal), payment()], '2027-05-04T00:00:00.000Z'],
    ['nothing once the newest payment is given back', [state(), payment(), refund(1999)], null],
    ['nothing when parts come to all of it', [state(), payment(), refund(1000), refund(999)], null],
    ['all of it after a part is given back', [state(), payment(), refund(1000)], grace],
    [
      'the newest payment when an older one is given back',
      [state(), payment(), payment(renewal), refund(1999)],
      '2027-05-04T00:00:00.000Z',
    ],
    ['nothing once the payment is disputed', [state(), payment(), dispute], null],
    ['nothing for a payment that failed', [state(), payment({ state: 'failed' })], null],
    ['nothing for one that is not there yet', [state(), payment({ state: 'pending' })], null],
    [
      'all of it for a voucher of the whole price',
      [state(), payment({ amountCents: 0, discountCents: 1999 })],
      grace,
    ],
  ])('is %s', (_name, facts, access) => {
    expect(told([facts])).toMatchObject({ access, rejections: [], refetchReason: null });
    expect(told(facts)).toMatchObject({ access });
  });

  it('stays as it was under a word that we do not know, until a payment says more', () => {
    const odd = state({ status: 'dormant', updatedAt: at('2027-03-09') });
    expect(told([state(), payment(), odd])).toMatchObject({ access: grace, refetchReason: 'status' });
    expect(told([state(), odd])).toMatchObject({ access: null });
    expect(told([state(), payment(), odd, payment(renewal)])).toMatchObject({
      access: '2027-05-01T00:00:00.000Z',
    });
  });
});

it('comes back with a dispute that the shop has won, once the provider is read', () => {
  const dispute: ProviderFact = { kind: 'dispute', id: 'disp', paymentId: 'tran' };
  const lost = told([[state(), payment()], dispute, [state(), payment()]]);
  expect(lost.access).toBeNull();
  expect(told([[state(), payment({ state: 'disputed' })]], true, lost.after).access).toBeNull();
  const won = told([[state(), payment()]], true, lost.after);
  expect(won).toMatchObject({ access: '2027-04-04T00:00:00.000Z', changes: ['payment tran differs'] });
});

describe('mails', () => {
  const context = {
    userId: 'u',
    provider: 'p',
    externalId: 'sub',
    now: at('2027-03-02'),
    firstPaidAt: null,
    hasAskedBack: false,
    estimated: new Set<string>(),
    dueReceipts: new Set<string>(),
    entitled: true,
  };
  const paid = told([state(), payment()]).after;
  const mailsOf = (before: Facts, after: Facts, over: Partial<typeof context> = {}) =>
    effectsOf(before, after, { ...context, ...over }).mails.map(({ facts }) => facts);
  it('promise the money back only to who has not had it', () => {
    expect(mailsOf(nothing, paid)).toMatchObject([{ moneyBackUntil: '2027-03-08T00:00:00.000Z' }]);
    expect(mailsOf(nothing, paid, { hasAskedBack: true })).toMatchObject([{ moneyBackUntil: null }]);
  });
  it.each([
    [1999, false, true],
    [1999, true, null],
    [500, true, false],
    [500, false, null],
  ])('of a refund of %i say what the person has: entitled %s', (cents, entitled, ended) => {
    expect(mailsOf(paid, told([refund(cents)], false, paid).after, { entitled })).toMatchObject([{ ended }]);
  });
  it('of a cancellation are not written while all of the payment is being given back', () => {
    const end = state({ status: 'canceled', canceledAt: at('2027-03-02'), updatedAt: at('2027-03-02') });
    const ended = (amountCents: number) => {
      const back = {
        id: 'ours',
        externalId: null,
        paymentId: 'tran',
        amountCents,
        askedBy: 'person',
        reportedAt: null,
        excessCents: 0,
        reversed: false,
      } as const;
      const before: Facts = { ...paid, refunds: [{ ...back, state: 'pending' }] };
      return mailsOf(before, told([end], false, before).after);
    };
    expect([ended(1999), ended(500).length]).toEqual([[], 1]);
  });
});

describe('versions', () => {
  const cancelled = state({ status: 'canceled', canceledAt: at('2027-03-05'), updatedAt: at('2027-03-05') });
  it('go forward only, but a payment of an older update counts', () => {
    const late = told([cancelled, [state(), payment()]]);
    expect(late.after.subscription?.status).toBe('canceled');
    expect(late).toMatchObject({ stale: true, access: '2027-04-01T00:00:00.000Z' });
  });

  it('of one time with another content are a doubt, which a read of the provider settles', () => {
    const other = state({ status: 'paused' });
    expect(told([state(), other])).toMatchObject({ refetchReason: 'version', changes: [] });
    const settled = told([other], true, told([state()]).after);
    expect(settled).toMatchObject({ refetchReason: null, stale: false });
    expect(settled.after.subscription?.status).toBe('paused');
  });

  it('of the future are not believed before the provider is read, so that none is stuck on them', () => {
    const future = (payments: ProviderFact[] = []) => [
      state({ status: 'paused', updatedAt: at('2028-06-01T00:11:00') }),
      ...payments,
    ];
    expect(told([future([payment()])])).toMatchObject({
      refetchReason: 'version',
      access: null,
      changes: [],
    });
    const known = told([[state(), payment()], future()]);
    expect(known).toMatchObject({
      refetchReason: 'version',
      access: '2027-04-04T00:00:00.000Z',
      changes: [],
    });
    const later = state({ status: 'canceled', updatedAt: at('2027-03-09') });
    expect(told([later], false, known.after).after.subscription?.status).toBe('canceled');
    expect(told([future()], true, known.after).after.subscription?.status).toBe('paused');
  });

  it('keep the plan of a product that the site no longer sells', () => {
    const gone: SiteTerms = { ...terms, planOfProduct: () => null };
    const before = told([state(), payment()]).after;
    const renewed = [state({ ...april, updatedAt: at('2027-04-01') }), payment(renewal)];
    const { after, rejections } = reduce(before, { facts: renewed, isSnapshot: false, now }, gone);
    expect(rejections).toEqual([]);
    expect(after.subscription?.accessUntil).toEqual(at('2027-05-04'));
  });
});

describe('the price for which it renews', () => {
  const priced = (cents: number | null, over: Partial<ProviderSubscription> = {}) =>
    state({ price: cents === null ? null : { cents, currency: 'USD' }, ...over });
  const next = { updatedAt: at('2027-03-02') };
  const yearly = { productId: 'yearly', ...next };
  it.each<[string, ProviderFact[], number | null]>([
    ['is that of the product', [priced(2499)], 2499],
    ['stays when the product gets dearer', [priced(1999), priced(2499, { ...next, status: 'paused' })], 1999],
    ['stays where nothing else is new', [priced(1999), priced(2499, next)], 1999],
    ['is another for another product', [priced(1999), priced(6999, yearly)], 6999],
    ['is not known of another product without one', [priced(1999), priced(null, yearly)], null],
    ['may be told later', [priced(null), priced(1999, next)], 1999],
    ['may be told by an older state', [priced(null, next), priced(1999)], 1999],
    ['is not that of another product before', [priced(null, yearly), priced(1999)], null],
    ['is told in dollars', [priced(null), state({ price: { cents: 1999, currency: 'EUR' }, ...next })], null],
  ])('%s', (_, steps, cents) => {
    expect(told(steps).after.subscription?.priceCents).toBe(cents);
  });
});

describe('what counts for nothing', () => {
  const named = (over: Partial<ProviderSubscription>): ProviderFact => ({
    ...(state({ lastPaymentId: 'tran', ...over }) as Extract<ProviderFact, { kind: 'subscription' }>),
    paid: true,
  });
  it.each<[string, ProviderFact[], string]>([
    ['the other mode', [named({ live: true })], 'mode'],
    ['an unknown product', [named({ productId: 'mug' })], 'product'],
    ['another currency', [named({ price: { cents: 1999, currency: 'EUR' } })], 'currency'],
    ['a lower price', [named({ price: { cents: 199, currency: 'USD' } })], 'price'],
    ['a payment of another currency', [state({ price: null }), payment({ currency: 'EUR' })], 'currency'],
    ['a payment below the price', [state({ price: null }), payment({ amountCents: 199 })], 'price'],
    [
      'a year for the price of a month',
      [state({ price: null }), payment({ periodEnd: at('2028-03-01') })],
      'price',
    ],
    ['a payment of the other mode', [state(), payment({ live: true })], 'mode'],
  ])('%s', (_name, facts, refusal) => {
    expect(told([facts])).toMatchObject({ access: null, rejections: [refusal] });
  });

  it('a trial purchase where real ones are sold', () => {
    const { after, rejections } = reduce(
      nothing,
      { facts: [named({})], isSnapshot: false, now },
      { ...terms, live: true },
    );
    expect([rejections, after.subscription]).toEqual([['mode'], null]);
  });

  it('is not the lower payment of a change of plan, nor a price that was lower when it was bought', () => {
    const changed = [
      state({ productId: 'yearly', price: null, updatedAt: at('2027-03-10') }),
      payment({ id: 'up', amountCents: 5600, periodStart: at('2027-03-10'), periodEnd: at('2028-03-10') }),
    ];
    expect(told([[state(), payment()], changed])).toMatchObject({
      rejections: [],
      access: '2028-03-13T00:00:00.000Z',
    });
    const quarter = { periodStart: at('2027-03-02'), periodEnd: at('2027-06-02') };
    const year = { periodStart: at('2027-03-03'), periodEnd: at('2028-03-03') };
    const chain = [
      [state(), payment()],
      [payment({ id: 'up', amountCents: 2000, ...quarter, createdAt: quarter.periodStart })],
      [payment({ id: 'up_2', amountCents: 3000, ...year, createdAt: year.periodStart })],
    ];
    for (const steps of [chain, [chain.flat()]])
      expect(told(steps)).toMatchObject({ rejections: [], access: '2028-03-06T00:00:00.000Z' });
    const less = payment({ id: 'up_2', amountCents: 2999, ...year, createdAt: year.periodStart });
    expect(told([...chain.slice(0, 2), less]).rejections).toEqual(['price']);
    const dearer = { ...terms, priceCents: { ...terms.priceCents, monthly: 2999 } };
    const before = told([state(), payment()]).after;
    expect(reduce(before, { facts: [payment(renewal)], isSnapshot: false, now }, dearer).rejections).toEqual(
      [],
    );
  });

  it('is not a payment with the credit that an earlier change of plan has left over', () => {
    const year = { periodStart: at('2027-03-01'), periodEnd: at('2028-03-01') };
    const month = { periodStart: at('2027-03-02'), periodEnd: at('2027-04-02') };
    const again = { periodStart: at('2027-03-20'), periodEnd: at('2028-03-20') };
    const paidWith = (id: string, amountCents: number, period: typeof year) =>
      payment({ id, amountCents, ...period, createdAt: period.periodStart });
    const chain = [
      [state({ productId: 'yearly', price: null }), paidWith('up', 6999, year)],
      [paidWith('down', 0, month)],
      [paidWith('up_2', 900, again)],
    ];
    for (const steps of [chain, [chain.flat()]])
      expect(told(steps)).toMatchObject({ rejections: [], access: '2028-03-23T00:00:00.000Z' });
    // Two yearly payments without a monthly one between them are no change of plan.
    expect(told([chain[0] ?? [], paidWith('up_2', 900, again)]).rejections).toEqual(['price']);
  });
});

describe('payments and refunds', () => {
  it('takes the price for a payment that is only named, and its true amount once that is told', () => {
    const named = { ...state({ lastPaymentId: 'tran' }), paid: true } as ProviderFact;
    const estimated = told([named]);
    expect(estimated).toMatchObject({ refetchReason: 'amount', access: '2027-04-04T00:00:00.000Z' });
    expect([...estimated.estimated]).toEqual(['tran']);
    const real = payment({ amountCents: 1000, discountCents: 999 });
    const known = told([[state(), real]], true, estimated.after);
    expect(known.after.payments).toMatchObject([{ externalId: 'tran', amountCents: 1000 }]);
    expect(told([named], false, known.after)).toMatchObject({ refetchReason: null, changes: [] });
    const lower = told([[state(), payment({ amountCents: 1000 })]], true, estimated.after);
    expect(lower).toMatchObject({ rejections: [], changes: ['payment tran differs'] });
    expect(lower.after.payments).toMatchObject([{ amountCents: 1000 }]);
  });

  it('settles a refund of ours by the one that is told, or by the payment itself', () => {
    const event = told([refund(1999)], false, asked(1999)).after;
    expect(event.refunds).toMatchObject([{ id: 'ours', externalId: 'ref_tran_1999', state: 'succeeded' }]);
    const read = told([payment({ state: 'refunded' })], true, asked(1999)).after;
    expect(read.refunds).toMatchObject([{ id: 'ours', externalId: null, state: 'succeeded' }]);
    expect(told([refund(1999)], false, read).after.refunds).toEqual(event.refunds);
  });

  it('never comes to more than a payment, although a part was given back without our knowing', () => {
    const sums = ({ refunds }: Facts) =>
      refunds
        .map(({ id, amountCents, state }) => [id, amountCents, state])
        .toSorted(([, a], [, b]) => Number(a) - Number(b));
    for (const late of [
      [refund(500), refund(1499)],
      [refund(1499), refund(500)],
    ]) {
      const { after } = told(late, false, asked(1999, 'succeeded'));
      expect(after.refunds.map(({ amountCents }) => amountCents).toSorted()).toEqual([1499, 500]);
      expect(after.refunds.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    }
    const part = told([refund(500)], false, paid()).after;
    const ours = { ...part, refunds: [...part.refunds, ...asked(1999).refunds] };
    const read = told([payment({ state: 'refunded', refundedCents: 1999 })], true, ours).after;
    expect(sums(read)).toEqual([
      [null, 500, 'succeeded'],
      ['ours', 1499, 'succeeded'],
    ]);
  });

  it('counts no more of refunds than was paid, and notes the rest', () => {
    for (const facts of [[refund(5000)], [refund(1500), refund(600, 'tran', 'succeeded', '2027-03-03')]]) {
      const { after, access } = told(facts, false, paid());
      expect([after.payments[0]?.refundedCents, access]).toEqual([1999, null]);
      const counted = after.refunds.map(({ amountCents, excessCents }) => amountCents - excessCents);
      expect(counted.reduce((sum, cents) => sum + cents, 0)).toBe(1999);
    }
    expect(
      told([refund(1500), refund(600)], false, paid()).after.refunds.map(({ excessCents }) => excessCents),
    ).toEqual(
      told([refund(600), refund(1500)], false, paid())
        .after.refunds.map(({ excessCents }) => excessCents)
        .toReversed(),
    );
  });

  it('takes a refund back that failed after it was made, in either order, and a read of the provider decides', () => {
    const made = refund(1999);
    const back = refund(1999, 'tran', 'failed', '2027-03-09');
    const held = payment({ state: 'refunded', refundedCents: 1999 });
    const grace = '2027-04-04T00:00:00.000Z';
    for (const steps of [
      [made, back],
      [back, made],
      [[held, made], back, [held, made], [held, back]],
      [back, [held, made]],
    ]) {
      const { after, access } = told(steps, false, paid());
      expect(after.payments).toMatchObject([{ refundedCents: 0 }]);
      expect([access, after.refunds.map(({ state, reversed }) => [state, reversed])]).toEqual([
        grace,
        [['failed', true]],
      ]);
    }
    expect(told([made, back], false, paid()).refetchReason).toBe('reversal');
    const reversed = told([made, back], false, paid()).after;
    expect(told([[state(), payment()]], true, reversed)).toMatchObject({
      access: grace,
      refetchReason: null,
    });
    expect(told([[state(), held]], true, reversed).access).toBeNull();
    // Another refund, which succeeds, counts.
    const again: ProviderFact = { ...made, id: 'ref_again' } as ProviderFact;
    expect(told([again], false, reversed).access).toBeNull();
    // A failure that is older than the refund was an earlier attempt.
    const earlier = refund(1999, 'tran', 'failed', '2027-03-01');
    expect(told([made, earlier], false, paid()).access).toBeNull();
  });

  it('keeps a refund that failed, however late its beginning is told', () => {
    const failed = refund(1999, 'tran', 'failed');
    for (const steps of [
      [refund(1999, 'tran', 'pending'), failed],
      [failed, refund(1999, 'tran', 'pending')],
    ]) {
      const { after } = told(steps, false, asked(1999));
      expect(after.refunds).toMatchObject([{ id: 'ours', state: 'failed' }]);
      expect(after.payments).toMatchObject([{ refundedCents: 0 }]);
    }
    expect(told([failed, refund(1999)], false, asked(1999)).access).toBeNull();
  });

  it('doubts what belongs to nothing that is known', () => {
    expect(told([refund(1999)])).toMatchObject({ refetchReason: 'unknown' });
    expect(told([state(), refund(1999)])).toMatchObject({ refetchReason: 'unknown' });
  });
});

it('comes to the same facts and effects in any order, with any repetition', () => {
  const events: ProviderFact[][] = [
    [state(), payment()],
    [state({ status: 'scheduled_cancel', canceledAt: at('2027-03-04'), updatedAt: at('2027-03-04') })],
    [state({ updatedAt: at('2027-03-05') })],
    [state({ ...april, updatedAt: at('2027-04-01') }), payment(renewal)],
    [state({ ...april, updatedAt: at('2027-04-02') }), payment(renewal), refund(500, 'tran_2')],
    [state({ ...april, status: 'past_due', updatedAt: at('2027-05-01') })],
    [state({ ...april, status: 'canceled', canceledAt: at('2027-05-08'), updatedAt: at('2027-05-08') })],
  ];
  const sorted = ({ payments, refunds, subscription }: Facts) => ({
    subscription,
    payments: payments.toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1)),
    refunds,
  });
  const truth = sorted(told(events).after);
  const orders = fc
    .tuple(
      fc.shuffledSubarray([...events.keys()], { minLength: events.length }),
      fc.array(fc.nat(events.length - 1), { maxLength: 7 }),
    )
    .map(([order, again]) => [...order, ...again]);
  fc.assert(
    fc.property(orders, (order) => {
      let after = nothing;
      const keys: string[] = [];
      for (const index of order) {
        const before = after;
        after = reduce(before, { facts: events[index] ?? [], isSnapshot: false, now }, terms).after;
        const context = {
          userId: 'u',
          provider: 'p',
          externalId: 'sub',
          now: at('2027-03-02'),
          firstPaidAt: null,
          hasAskedBack: false,
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
      expect(sorted(after)).toEqual(truth);
      // Each key exists exactly once.
      const told = ['p:tran', 'p:tran_2', 'p:tran_2:500'].flatMap((id) => [
        id,
        `${id.endsWith('500') ? 'refund' : 'receipt'}:${id}`,
      ]);
      expect(keys.toSorted()).toEqual(told.toSorted());
    }),
    { numRuns: 300 },
  );
});
