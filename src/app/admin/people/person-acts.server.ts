import { z } from 'zod';
import { deleteAccountOf } from '#features/accounts/privacy.server.ts';
import { banAccount, endSessionsOf, unbanAccount } from '#features/accounts/service.server.ts';
import {
  addCredits,
  addPlanGrant,
  refund,
  removeCredits,
  revokePlan,
} from '#features/billing/service.server.ts';
import { stopAllRuns } from '#features/generations/privacy.server.ts';
import { config } from '#platform/config/config.server.ts';
import { database } from '#platform/database/database.server.ts';
import { enqueue } from '#platform/job-queue.server.ts';
import { recordAct } from '#platform/operator-acts.server.ts';
import { ERASE_PERSON } from '../../erase-accounts.server.ts';
import { sendArchive } from '../../export/export-api.server.ts';
import { actOnce, afterAct, readAct, reasoned, wasPressed } from '../acts.server.ts';
import { AdminRefusal, type AdminRequest, type AdminRoute } from '../admin-request.server.ts';
import { findPerson, type PersonRow } from './person-data.server.ts';

const pageOf = ({ id }: Pick<PersonRow, 'id'>) => `/admin/people/${id}`;

/** Protects operators from being locked out by mistake, as they could not undo it. */
function refuseForOperators({ email }: PersonRow): void {
  if (email !== null && config().ADMIN_EMAILS.includes(email))
    throw new AdminRefusal(
      'This account belongs to an operator. Remove its address from ADMIN_EMAILS first.',
    );
}

const credits = { ...reasoned, credits: z.coerce.number() };

async function give(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { act, fields } = await readAct(request, credits);
  await addCredits({ target: person.id, credits: fields.credits }, act);
  return afterAct(request, pageOf(person), act);
}

async function take(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { act, fields } = await readAct(request, credits);
  const { taken } = await removeCredits({ target: person.id, credits: fields.credits }, act);
  if (!taken && !(await wasPressed(act)))
    throw new AdminRefusal('The balance is too low. No credits were removed.', 409);
  return afterAct(request, pageOf(person), act);
}

const DAY_MS = 86_400_000;

const planFields = {
  ...reasoned,
  plan: z.enum(['pro', 'business']),
  until: z.union([z.literal(''), z.iso.date()]).default(''),
};

async function givePlan(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { act, fields } = await readAct(request, planFields);
  const { plan, until } = fields;
  // The plan includes the day given.
  const endsAt = until === '' ? null : new Date(Date.parse(until) + DAY_MS);
  const { given } = await addPlanGrant({ target: person.id, plan, endsAt }, act);
  if (!given && !(await wasPressed(act)))
    throw new AdminRefusal('This account already has that plan with that end date.', 409);
  return afterAct(request, pageOf(person), act);
}

async function endPlan(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { act } = await readAct(request, reasoned);
  const { ended } = await revokePlan({ target: person.id }, act);
  if (ended === 0 && !(await wasPressed(act)))
    throw new AdminRefusal('This account has no complimentary plan.', 409);
  return afterAct(request, pageOf(person), act);
}

async function endSessions(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { act } = await readAct(request, {});
  await actOnce(act, { action: 'sessions', userId: person.id }, (tx) => endSessionsOf(tx, person.id));
  return afterAct(request, pageOf(person), act);
}

async function ban(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  refuseForOperators(person);
  const { act } = await readAct(request, reasoned);
  await actOnce(act, { action: 'ban', userId: person.id }, async (tx) => {
    if (!(await banAccount(tx, person.id)))
      throw new AdminRefusal('This account is already banned or erased.', 409);
    await stopAllRuns(tx, person.id);
  });
  return afterAct(request, pageOf(person), act);
}

async function unban(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { act } = await readAct(request, reasoned);
  await actOnce(act, { action: 'unban', userId: person.id }, async (tx) => {
    if (!(await unbanAccount(tx, person.id))) throw new AdminRefusal('This account is not banned.', 409);
  });
  return afterAct(request, pageOf(person), act);
}

async function archive(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  if (person.deleted_at) throw new AdminRefusal('This account has been deleted.', 409);
  const { act } = await readAct(request, {});
  // A repeated press is recorded once but downloads the archive again.
  await recordAct(database(), { ...act, action: 'archive', userId: person.id });
  const { sessionId } = request.operator.actor;
  return sendArchive(request.c, { kind: 'user', userId: person.id, sessionId });
}

async function erase(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  refuseForOperators(person);
  const { act, fields } = await readAct(request, { ...reasoned, when: z.enum(['later', 'now']) });
  const now = fields.when === 'now';
  await actOnce(act, { action: 'erase', userId: person.id, details: { now } }, async (tx) => {
    if (!(await deleteAccountOf(tx, { userId: person.id, now })))
      throw new AdminRefusal('This account is already deleted.', 409);
    if (now) await enqueue(ERASE_PERSON, { userId: person.id }, { tx });
  });
  return afterAct(request, pageOf(person), act);
}

const refundRefusals = {
  failed: 'The provider refused the refund. Nothing was refunded.',
  unknown: 'The provider has not confirmed the refund yet. We check again in a few minutes.',
  none: 'This payment is already refunded, or its refund is on its way.',
} as const;

async function giveBack(request: AdminRequest): Promise<Response> {
  const { act } = await readAct(request, reasoned);
  const { outcome, userId } = await refund({ payment: request.params.id ?? '' }, act);
  const isRepeated = outcome === 'none' && (await wasPressed(act));
  if (outcome !== 'succeeded' && outcome !== 'pending' && !isRepeated)
    throw new AdminRefusal(refundRefusals[outcome], outcome === 'none' ? 409 : 502);
  return afterAct(request, pageOf({ id: userId }), act);
}

const post = (path: string, handle: AdminRoute['handle']): AdminRoute => ({ method: 'POST', path, handle });

export const personActs: readonly AdminRoute[] = [
  post('/admin/people/:id/credits', give),
  post('/admin/people/:id/credits/taken', take),
  post('/admin/people/:id/plan', givePlan),
  post('/admin/people/:id/plan/ended', endPlan),
  post('/admin/people/:id/sessions/ended', endSessions),
  post('/admin/people/:id/ban', ban),
  post('/admin/people/:id/unban', unban),
  post('/admin/people/:id/archive', archive),
  post('/admin/people/:id/erase', erase),
  post('/admin/payments/:id/refund', giveBack),
];
