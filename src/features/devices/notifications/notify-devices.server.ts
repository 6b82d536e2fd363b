import { endedWork } from '#features/credits/service.server.ts';
import type { RunEnd } from '#features/generations/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { hitRateLimit } from '#platform/http/rate-limit.server.ts';
import { canEnqueue, enqueue } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { sendPush } from '#platform/web-push/send-push.server.ts';
import { vapidPublicKey } from '#platform/web-push/vapid-key.server.ts';
import { notificationsOffered } from '#shared/offline-app.ts';
import { notificationLimits } from '../contract.ts';
import { notificationOf } from './notification-words.server.ts';
import { deleteSubscription, liveSubscription, subscribedSessions } from './subscription-store.server.ts';

export const NOTIFY_DEVICE = 'notify-device';

/** After these nobody waits for a reply any more: neither a job nor a push service keeps it longer. */
const MINUTES = 30;
/**
 * From the end of a run: so long a push service that fails is tried again. The last of a job's tries comes after 62 s at
 * the earliest, so that none counts as given up, which would wake the operator.
 */
const TRIED_SECONDS = 45;

/** Nobody waits for a title or leaves while they dictate, and what a program asks for it is given. */
const untold = ['title', 'dictation', 'completion'];

/** Milliseconds: one statement asks for the browsers of all whose runs end meanwhile. */
const GATHERED = 500;

let waiting: RunEnd[] = [];

async function announce({ generationId, userId }: RunEnd, sessionIds: readonly string[]): Promise<void> {
  // Images that a program asked for are no work of the person's.
  if (!(await endedWork({ generationId, minutes: MINUTES }))) return;
  const limit = { max: notificationLimits.hourly, seconds: 3600 };
  if (!(await hitRateLimit(`notify:${userId}`, limit)).allowed) return;
  for (const sessionId of sessionIds) await enqueue(NOTIFY_DEVICE, { generationId, sessionId });
}

const announceLater = () => void setTimeout(announceWaiting, GATHERED).unref();

/** Without the pause for more of them, too, where the process ends. */
export async function announceWaiting(): Promise<void> {
  if (waiting.length === 0) return;
  // What a process finds interrupted when it starts ends before it has jobs.
  if (!canEnqueue()) return announceLater();
  const ends = waiting;
  waiting = [];
  try {
    const userIds = [...new Set(ends.map(({ userId }) => userId))];
    const sessions = await subscribedSessions(database(), userIds, vapidPublicKey());
    for (const end of ends) {
      const sessionIds = sessions.get(end.userId);
      if (sessionIds) await announce(end, sessionIds);
    }
  } catch (error) {
    log.warn({ error, runs: ends.length }, 'browsers could not be notified that runs ended');
  }
}

/** Of a run that was not stopped: who stopped it knows. */
export function announceRun(end: RunEnd): void {
  if (!notificationsOffered() || end.state === 'stopped' || untold.includes(end.feature)) return;
  if (waiting.push(end) === 1) announceLater();
}

/** @throws where another try may do better */
export async function notifyDevice(input: { generationId: string; sessionId: string }): Promise<void> {
  const { generationId, sessionId } = input;
  if (!notificationsOffered()) return;
  const device = await liveSubscription(database(), sessionId, vapidPublicKey());
  const work = device && (await endedWork({ generationId, minutes: MINUTES }));
  if (!work) return;
  const outcome = await sendPush(device, {
    message: notificationOf(work, device),
    ttl: MINUTES * 60 - work.seconds,
    topic: work.id.replaceAll('-', ''),
  });
  if (outcome === 'gone') await deleteSubscription(database(), sessionId, device.endpoint);
  if (outcome === 'failed' && work.seconds < TRIED_SECONDS)
    throw new Error('A push service did not take a notification.');
}
