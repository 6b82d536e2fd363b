import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { useTestDatabase } from '#tests/support/database.ts';
import { purchasedCredits, takeBackUnused } from './purchased-credits.server.ts';
import { grantCredits, grantPurchased } from './service.server.ts';
import { admissionStatement, closingStatement } from './store.server.ts';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useTestDatabase(inject('postgres'));
});
afterAll(() => end());

const paid = { code: 'credits_paid', credits: 1, cents: 1, currency: 'USD' } as const;
const refunded = { ...paid, code: 'credits_refunded' } as const;

async function createUser(): Promise<string> {
  const userId = randomUUID();
  await database().run(sql`insert into users (id, name) values (${userId}, 'Somebody')`);
  return userId;
}

/** Starts a run and leaves it open. Returns its id, or null if the balance is too low. */
async function startRun(db: Database, userId: string, units: number): Promise<string | null> {
  const id = randomUUID();
  const row = await db.row<{ verdict: string }>(
    admissionStatement({
      ...{ generationId: id, userId, feature: 'image', price: units, units, key: id, payload: {} },
      ...{ requestHash: Buffer.alloc(1), free: true, counted: true, startsChat: false, chatsPerDay: 3 },
      ...{ runningAtOnce: 1000, fairUse: null, released: { perHour: 10_000, perDay: 10_000 } },
      ...{ owner: 'test', call: null, byKey: null },
    }),
  );
  return row?.verdict === 'admitted' ? id : null;
}

const endRun = (db: Database, id: string, chargedUnits: number) =>
  db.row(
    closingStatement({
      ...{ id, epoch: 1, state: 'done', chargedUnits, released: false, text: '', result: null },
      ...{ finishReason: null, errorCode: null, errorMessage: null },
    }),
  );

/** A model of a balance: spending takes the oldest credits first, and returned credits fill the newest lots first. */
class BalanceModel {
  readonly lots: { size: number; left: number }[] = [];

  balance = () => this.lots.reduce((sum, { left }) => sum + left, 0);

  spend(credits: number): void {
    let remaining = credits;
    for (const lot of this.lots) {
      const taken = Math.min(lot.left, remaining);
      lot.left -= taken;
      remaining -= taken;
    }
  }

  giveBack(credits: number): void {
    let remaining = credits;
    for (const lot of this.lots.toReversed()) {
      const space = Math.min(lot.size - lot.left, remaining);
      lot.left += space;
      remaining -= space;
    }
  }
}

type Step =
  | { type: 'grant'; credits: number }
  | { type: 'buy'; credits: number }
  | { type: 'spend'; credits: number }
  | { type: 'end'; index: number; kept: number }
  | { type: 'refund'; index: number; share: number };

const credits = fc.integer({ min: 1, max: 30 });
const index = fc.nat(9);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('grant' as const), credits }),
  fc.record({ type: fc.constant('buy' as const), credits }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant('spend' as const), credits }) },
  fc.record({ type: fc.constant('end' as const), index, kept: fc.nat(30) }),
  fc.record({ type: fc.constant('refund' as const), index, share: fc.constantFrom(0, 0.25, 0.5, 1) }),
);

async function applySteps(steps: Step[]): Promise<void> {
  const userId = await createUser();
  const db = database();
  const model = new BalanceModel();
  const bought: { id: string; lot: BalanceModel['lots'][number]; credits: number; taken: number }[] = [];
  const running: { id: string; units: number }[] = [];
  const add = (size: number) => {
    const lot = { size, left: size };
    model.lots.push(lot);
    return lot;
  };
  for (const each of steps) {
    if (each.type === 'grant') {
      await grantCredits(db, { userId, credits: each.credits, id: randomUUID(), reason: 'test' });
      add(each.credits);
    } else if (each.type === 'buy') {
      const id = randomUUID();
      const purchase = { userId, id, credits: each.credits, cause: paid };
      expect(await grantPurchased(db, purchase)).toBe(true);
      expect(await grantPurchased(db, purchase)).toBe(false);
      bought.push({ id, lot: add(each.credits), credits: each.credits, taken: 0 });
    } else if (each.type === 'spend') {
      const id = await startRun(db, userId, each.credits);
      expect(id !== null).toBe(model.balance() >= each.credits);
      if (id) running.push({ id, units: each.credits });
      if (id) model.spend(each.credits);
    } else if (each.type === 'end') {
      const [run] = running.splice(each.index % Math.max(1, running.length), 1);
      if (!run) continue;
      const kept = Math.min(each.kept, run.units);
      await endRun(db, run.id, kept);
      model.giveBack(run.units - kept);
    } else {
      const purchase = bought[each.index % Math.max(1, bought.length)];
      if (!purchase) continue;
      const { id, lot } = purchase;
      const due = Math.floor(purchase.credits * each.share);
      const unused = lot.left;
      const input = { userId, id, due, cause: refunded, alwaysRecord: each.share === 1 };
      const totals = await transaction((tx) => takeBackUnused(tx, input));
      const taken = totals?.taken;
      expect(taken).toBe(Math.min(due, purchase.taken + unused));
      const newlyTaken = (taken ?? 0) - purchase.taken;
      expect(newlyTaken).toBeLessThanOrEqual(unused);
      lot.size -= newlyTaken;
      if (newlyTaken > 0) lot.left -= newlyTaken;
      else model.giveBack(-newlyTaken);
      purchase.taken = taken ?? 0;
      expect(await transaction((tx) => takeBackUnused(tx, { ...input, alwaysRecord: false }))).toEqual({
        before: taken,
        taken,
      });
    }
    const sum = await db.row<{ balance: number; ledger: number }>(sql`
      select u.credits as balance, (select coalesce(sum(delta), 0)::int from credit_ledger where user_id = u.id) as ledger
        from users u where u.id = ${userId}`);
    expect(sum).toEqual({ balance: model.balance(), ledger: model.balance() });
    for (const { id, lot, credits, taken } of bought) {
      const now = await transaction((tx) => purchasedCredits(tx, { userId, id }));
      expect(now).toMatchObject({ bought: credits, taken, unused: lot.left });
    }
  }
}

/** The credit that returns to the first purchase counts towards the second, whose credit was spent. */
const refundUndoneAfterSpending: Step[] = [
  { type: 'buy', credits: 1 },
  { type: 'buy', credits: 1 },
  { type: 'refund', index: 0, share: 1 },
  { type: 'spend', credits: 1 },
  { type: 'refund', index: 0, share: 0 },
  { type: 'end', index: 0, kept: 0 },
];

test('balances stay exact and never negative through grants, spending, returns and refunds, which take back only unused credits', () =>
  fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), applySteps), {
    numRuns: 60,
    examples: [[refundUndoneAfterSpending]],
  }));

test('no credit is both spent and taken back by concurrent refunds and runs', async () => {
  const userId = await createUser();
  const id = randomUUID();
  await grantPurchased(database(), { userId, id, credits: 20, cause: paid });
  const input = { userId, id, due: 20, cause: refunded, alwaysRecord: false };
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      index % 3 === 0
        ? transaction((tx) => takeBackUnused(tx, input)).then(() => 0)
        : startRun(database(), userId, 5).then((run) => (run ? 5 : 0)),
    ),
  );
  const spent = outcomes.reduce((sum, each) => sum + each, 0);
  const totals = await transaction((tx) => takeBackUnused(tx, input));
  expect(totals?.taken).toBe(20 - spent);
  expect(await database().row(sql`select credits from users where id = ${userId}`)).toEqual({ credits: 0 });
});

test('nothing is taken back from another person or for an unknown purchase', async () => {
  const [owner, other] = [await createUser(), await createUser()];
  const id = randomUUID();
  await grantPurchased(database(), { userId: owner, id, credits: 20, cause: paid });
  const input = { id, due: 20, cause: refunded, alwaysRecord: true };
  expect(await transaction((tx) => takeBackUnused(tx, { ...input, userId: other }))).toBeNull();
  expect(await transaction((tx) => takeBackUnused(tx, { ...input, userId: owner, id: 'x' }))).toBeNull();
});
