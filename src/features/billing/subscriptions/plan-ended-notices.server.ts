import { database, transaction } from '#platform/database/database.server.ts';
import { queueMail } from '../mails/mail-queue.server.ts';
import { isCancelled } from './access-rules.server.ts';
import { unnotifiedEndedPlans } from './subscription-store.server.ts';

/** Older ends are not news, for example after a long outage of the site. */
const MAX_AGE_DAYS = 3;

const isOver = (status: string): boolean =>
  isCancelled(status) || status === 'expired' || status === 'incomplete';

export async function notifyEndedPlans(): Promise<void> {
  for (const { user_id: userId, provider, external_id, plan, status, ended_at } of await unnotifiedEndedPlans(
    database(),
    MAX_AGE_DAYS,
  )) {
    const endedAt = ended_at.toISOString();
    const facts = { plan, endedAt, cancelled: isCancelled(status), mayCharge: !isOver(status) };
    const key = `ended:${provider}:${external_id}:${endedAt}`;
    await transaction((tx) => queueMail(tx, { key, userId, kind: 'ended', facts }));
  }
}
