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

async function newPerson(): Promise<string> {
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

const endRun = (db: Database, id: string, kept: number) =>
  db.row(
    closingStatement({
      ...{ id, epoch: 1, state: 'done', kept, released: false, text: '', result: null },
      ...{ finishReason: null, errorCode: null, errorMessage: null },
    }),
  );

/** A model of a balance: spending takes the oldest credits first, and returned credits fill the newest lots first. */
class Shelf {
  readonly lots: { size: number; left: number }[] = [];

  balance = () => this.lots.reduce((sum, { left }) => sum + left, 0);

  spend(credits: number): void {
    let open = credits;
    for (const lot of this.lots) {
      const taken = Math.min(lot.left, open);
      lot.left -= taken;
      open -= taken;
    }
  }

  giveBack(credits: number): void {
    let open = credits;
    for (const lot of this.lots.toReversed()) {
      const room = Math.min(lot.size - lot.left, open);
      lot.left += room;
      open -= room;
    }
  }
}

type Step =
  | { does: 'grant'; credits: number }
  | { does: 'buy'; credits: number }
  | { does: 'spend'; credits: number }
  | { does: 'end'; which: number; kept: number }
  | { does: 'refund'; which: number; share: number };

const credits = fc.integer({ min: 1, max: 30 });
const which = fc.nat(9);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('grant' as const), credits }),
  fc.record({ does: fc.constant('buy' as const), credits }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant('spend' as const), credits }) },
  fc.record({ does: fc.constant('end' as const), which, kept: fc.nat(30) }),
  fc.record({ does: fc.constant('refund' as const), which, share: fc.constantFrom(0, 0.25, 0.5, 1) }),
);

async function live(steps: Step[]): Promise<void> {
  const userId = await newPerson();
  const db = database();
  const shelf = new Shelf();
  const bought: { id: string; lot: Shelf['lots'][number]; credits: number; taken: number }[] = [];
  const running: { id: string; units: number }[] = [];
  const add = (size: number) => {
    const lot = { size, left: size };
    shelf.lots.push(lot);
    return lot;
  };
  for (const each of steps) {
    if (each.does === 'grant') {
      await grantCredits(db, { userId, credits: each.credits, id: randomUUID(), reason: 'test' });
      add(each.credits);
    } else if (each.does === 'buy') {
      const id = randomUUID();
      const purchase = { userId, id, credits: each.credits, cause: paid };
      expect(await grantPurchased(db, purchase)).toBe(true);
      expect(await grantPurchased(db, purchase)).toBe(false);
      bought.push({ id, lot: add(each.credits), credits: each.credits, taken: 0 });
    } else if (each.does === 'spend') {
      const id = await startRun(db, userId, each.credits);
      expect(id !== null).toBe(shelf.balance() >= each.credits);
      if (id) running.push({ id, units: each.credits });
      if (id) shelf.spend(each.credits);
    } else if (each.does === 'end') {
      const [run] = running.splice(each.which % Math.max(1, running.length), 1);
      if (!run) continue;
      const kept = Math.min(each.kept, run.units);
      await endRun(db, run.id, kept);
      shelf.giveBack(run.units - kept);
    } else {
      const purchase = bought[each.which % Math.max(1, bought.length)];
      if (!purchase) continue;
      const { id, lot } = purchase;
      const due = Math.floor(purchase.credits * each.share);
      const unused = lot.left;
      const input = { userId, id, due, cause: refunded, noted: each.share === 1 };
      const moved = await transaction((tx) => takeBackUnused(tx, input));
      const taken = moved?.taken;
      expect(taken).toBe(Math.min(due, purchase.taken + unused));
      const more = (taken ?? 0) - purchase.taken;
      expect(more).toBeLessThanOrEqual(unused);
      lot.size -= more;
      if (more > 0) lot.left -= more;
      else shelf.giveBack(-more);
      purchase.taken = taken ?? 0;
      expect(await transaction((tx) => takeBackUnused(tx, { ...input, noted: false }))).toEqual({
        before: taken,
        taken,
      });
    }
    const sum = await db.row<{ balance: number; ledger: number }>(sql`
      select u.credits as balance, (select coalesce(sum(delta), 0)::int from credit_ledger where user_id = u.id) as ledger
        from users u where u.id = ${userId}`);
    expect(sum).toEqual({ balance: shelf.balance(), ledger: shelf.balance() });
    for (const { id, lot, credits, taken } of bought) {
      const now = await transaction((tx) => purchasedCredits(tx, { userId, id }));
      expect(now).toMatchObject({ bought: credits, taken, unused: lot.left });
    }
  }
}

/** The credit that returns to the first purchase counts towards the second, whose credit was spent. */
const refundUndoneAfterSpending: Step[] = [
  { does: 'buy', credits: 1 },
  { does: 'buy', credits: 1 },
  { does: 'refund', which: 0, share: 1 },
  { does: 'spend', credits: 1 },
  { does: 'refund', which: 0, share: 0 },
  { does: 'end', which: 0, kept: 0 },
];

test('whatever is granted, spent, given back and refunded: exact, never below zero, and never more than is unused', () =>
  fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), live), {
    numRuns: 60,
    examples: [[refundUndoneAfterSpending]],
  }));

test('of refunds and runs at the same moment no credit is spent and taken back', async () => {
  const userId = await newPerson();
  const id = randomUUID();
  await grantPurchased(database(), { userId, id, credits: 20, cause: paid });
  const input = { userId, id, due: 20, cause: refunded, noted: false };
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      index % 3 === 0
        ? transaction((tx) => takeBackUnused(tx, input)).then(() => 0)
        : startRun(database(), userId, 5).then((run) => (run ? 5 : 0)),
    ),
  );
  const spent = outcomes.reduce((sum, each) => sum + each, 0);
  const moved = await transaction((tx) => takeBackUnused(tx, input));
  expect(moved?.taken).toBe(20 - spent);
  expect(await database().row(sql`select credits from users where id = ${userId}`)).toEqual({ credits: 0 });
});

test('nothing is taken back of another person or of what was never bought', async () => {
  const [owner, other] = [await newPerson(), await newPerson()];
  const id = randomUUID();
  await grantPurchased(database(), { userId: owner, id, credits: 20, cause: paid });
  const input = { id, due: 20, cause: refunded, noted: true };
  expect(await transaction((tx) => takeBackUnused(tx, { ...input, userId: other }))).toBeNull();
  expect(await transaction((tx) => takeBackUnused(tx, { ...input, userId: owner, id: 'x' }))).toBeNull();
});
