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
import { recordAction } from '#platform/operator-actions.server.ts';
import { ERASE_PERSON } from '../../erase-accounts.server.ts';
import { sendArchive } from '../../export/export-api.server.ts';
import { performOnce, readAction, reasonField, redirectAfterAction, wasRecorded } from '../actions.server.ts';
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

const credits = { ...reasonField, credits: z.coerce.number() };

async function giveCredits(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { action, fields } = await readAction(request, credits);
  await addCredits({ target: person.id, credits: fields.credits }, action);
  return redirectAfterAction(request, pageOf(person), action);
}

async function takeCredits(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { action, fields } = await readAction(request, credits);
  const { removed } = await removeCredits({ target: person.id, credits: fields.credits }, action);
  if (!removed && !(await wasRecorded(action)))
    throw new AdminRefusal('The balance is too low. No credits were removed.', 409);
  return redirectAfterAction(request, pageOf(person), action);
}

const DAY_MS = 86_400_000;

const planFields = {
  ...reasonField,
  plan: z.enum(['pro', 'business']),
  until: z.union([z.literal(''), z.iso.date()]).default(''),
};

async function givePlan(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { action, fields } = await readAction(request, planFields);
  const { plan, until } = fields;
  // The plan includes the day given.
  const endsAt = until === '' ? null : new Date(Date.parse(until) + DAY_MS);
  const { granted } = await addPlanGrant({ target: person.id, plan, endsAt }, action);
  if (!granted && !(await wasRecorded(action)))
    throw new AdminRefusal('This account already has that plan with that end date.', 409);
  return redirectAfterAction(request, pageOf(person), action);
}

async function endPlan(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { action } = await readAction(request, reasonField);
  const { ended } = await revokePlan({ target: person.id }, action);
  if (ended === 0 && !(await wasRecorded(action)))
    throw new AdminRefusal('This account has no complimentary plan.', 409);
  return redirectAfterAction(request, pageOf(person), action);
}

async function endSessions(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { action } = await readAction(request, {});
  await performOnce(action, { action: 'sessions', userId: person.id }, (tx) => endSessionsOf(tx, person.id));
  return redirectAfterAction(request, pageOf(person), action);
}

async function ban(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  refuseForOperators(person);
  const { action } = await readAction(request, reasonField);
  await performOnce(action, { action: 'ban', userId: person.id }, async (tx) => {
    if (!(await banAccount(tx, person.id)))
      throw new AdminRefusal('This account is already banned or erased.', 409);
    await stopAllRuns(tx, person.id);
  });
  return redirectAfterAction(request, pageOf(person), action);
}

async function unban(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  const { action } = await readAction(request, reasonField);
  await performOnce(action, { action: 'unban', userId: person.id }, async (tx) => {
    if (!(await unbanAccount(tx, person.id))) throw new AdminRefusal('This account is not banned.', 409);
  });
  return redirectAfterAction(request, pageOf(person), action);
}

async function archive(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  if (person.deleted_at) throw new AdminRefusal('This account has been deleted.', 409);
  const { action } = await readAction(request, {});
  // A repeated press is recorded once but downloads the archive again.
  await recordAction(database(), { ...action, action: 'archive', userId: person.id });
  const { sessionId } = request.operator.actor;
  return sendArchive(request.c, { kind: 'user', userId: person.id, sessionId });
}

async function erase(request: AdminRequest): Promise<Response> {
  const person = await findPerson(request.params.id ?? '');
  refuseForOperators(person);
  const { action, fields } = await readAction(request, { ...reasonField, when: z.enum(['later', 'now']) });
  const now = fields.when === 'now';
  await performOnce(action, { action: 'erase', userId: person.id, details: { now } }, async (tx) => {
    if (!(await deleteAccountOf(tx, { userId: person.id, immediately: now })))
      throw new AdminRefusal('This account is already deleted.', 409);
    if (now) await enqueue(ERASE_PERSON, { userId: person.id }, { tx });
  });
  return redirectAfterAction(request, pageOf(person), action);
}

const refundRefusals = {
  failed: 'The provider refused the refund. Nothing was refunded.',
  unknown: 'The provider has not confirmed the refund yet. We check again in a few minutes.',
  none: 'This payment is already refunded, or its refund is on its way.',
} as const;

async function refundPayment(request: AdminRequest): Promise<Response> {
  const { action } = await readAction(request, reasonField);
  const { outcome, userId } = await refund({ payment: request.params.id ?? '' }, action);
  const isRepeated = outcome === 'none' && (await wasRecorded(action));
  if (outcome !== 'succeeded' && outcome !== 'pending' && !isRepeated)
    throw new AdminRefusal(refundRefusals[outcome], outcome === 'none' ? 409 : 502);
  return redirectAfterAction(request, pageOf({ id: userId }), action);
}

const post = (path: string, handle: AdminRoute['handle']): AdminRoute => ({ method: 'POST', path, handle });

export const personActions: readonly AdminRoute[] = [
  post('/admin/people/:id/credits', giveCredits),
  post('/admin/people/:id/credits/taken', takeCredits),
  post('/admin/people/:id/plan', givePlan),
  post('/admin/people/:id/plan/ended', endPlan),
  post('/admin/people/:id/sessions/ended', endSessions),
  post('/admin/people/:id/ban', ban),
  post('/admin/people/:id/unban', unban),
  post('/admin/people/:id/archive', archive),
  post('/admin/people/:id/erase', erase),
  post('/admin/payments/:id/refund', refundPayment),
];
