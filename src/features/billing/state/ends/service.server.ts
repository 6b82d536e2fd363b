import { database, transaction } from '../../../../platform/database/database.server.ts';
import { queueMail } from '../../mails/service.server.ts';
import { isCancelled } from '../rules/service.server.ts';
import { untoldEnds } from './store.server.ts';

/** Days for which an end may wait to be told of; one that is older, as after a long pause of the site, is not news. */
const NEWS_DAYS = 3;

/** Statuses after which the provider tries no card. */
const isOver = (status: string): boolean =>
  isCancelled(status) || status === 'expired' || status === 'incomplete';

/** Tells people once that their plan has ended by the clock, which no event does. */
export async function tellEnds(): Promise<void> {
  for (const { user_id: userId, provider, external_id, plan, status, ended_at } of await untoldEnds(
    database(),
    NEWS_DAYS,
  )) {
    const endedAt = ended_at.toISOString();
    const facts = { plan, endedAt, cancelled: isCancelled(status), mayCharge: !isOver(status) };
    const key = `ended:${provider}:${external_id}:${endedAt}`;
    await transaction((tx) => queueMail(tx, { key, userId, kind: 'ended', facts }));
  }
}
