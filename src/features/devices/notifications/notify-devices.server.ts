import { findEndedWork } from '#features/credits/service.server.ts';
import type { RunEnd } from '#features/generations/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { hitRateLimit } from '#platform/http/rate-limit.server.ts';
import { canEnqueue, enqueue } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { sendPush } from '#platform/web-push/send-push.server.ts';
import { vapidPublicKey } from '#platform/web-push/vapid-key.server.ts';
import { notificationsOffered } from '#shared/offline-app.ts';
import { notificationLimits } from '../contract.ts';
import { buildNotification } from './notification-text.server.ts';
import { deleteSubscription, liveSubscription, subscribedSessions } from './subscription-store.server.ts';

export const NOTIFY_DEVICE = 'notify-device';

/** After this time nobody waits for a reply any more: neither jobs nor push services keep a notification longer. */
const MINUTES = 30;
/**
 * How long after the end of a run a failing push service is retried. A job's last try comes after 62 s at the earliest,
 * so none counts as given up, which would alert the operator.
 */
const RETRY_SECONDS = 45;

/** Nobody waits for a title, or leaves while dictating; completions go to the program that requested them. */
const silentFeatures = ['title', 'dictation', 'completion'];

/** Milliseconds in which ended runs are collected, so that one query finds the browsers for all of them. */
const GATHER_MS = 500;

let waiting: RunEnd[] = [];

async function announce({ generationId, userId }: RunEnd, sessionIds: readonly string[]): Promise<void> {
  // Null for images that a program requested: they are not the user's own work.
  if (!(await findEndedWork({ generationId, minutes: MINUTES }))) return;
  const limit = { max: notificationLimits.hourly, seconds: 3600 };
  if (!(await hitRateLimit(`notify:${userId}`, limit)).allowed) return;
  for (const sessionId of sessionIds) await enqueue(NOTIFY_DEVICE, { generationId, sessionId });
}

const announceLater = () => void setTimeout(announceWaiting, GATHER_MS).unref();

/** Announces the collected runs; at the end of the process it is called without waiting for more. */
export async function announceWaiting(): Promise<void> {
  if (waiting.length === 0) return;
  // Runs that are found interrupted at startup end before the job queue is ready.
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

/** Skips stopped runs: whoever stopped one knows about it. */
export function announceRun(end: RunEnd): void {
  if (!notificationsOffered() || end.state === 'stopped' || silentFeatures.includes(end.feature)) return;
  if (waiting.push(end) === 1) announceLater();
}

/** @throws if another try may succeed */
export async function notifyDevice(input: { generationId: string; sessionId: string }): Promise<void> {
  const { generationId, sessionId } = input;
  if (!notificationsOffered()) return;
  const device = await liveSubscription(database(), sessionId, vapidPublicKey());
  const work = device && (await findEndedWork({ generationId, minutes: MINUTES }));
  if (!work) return;
  const outcome = await sendPush(device, {
    message: buildNotification(work, device),
    ttl: MINUTES * 60 - work.seconds,
    topic: work.id.replaceAll('-', ''),
  });
  if (outcome === 'gone') await deleteSubscription(database(), sessionId, device.endpoint);
  if (outcome === 'failed' && work.seconds < RETRY_SECONDS)
    throw new Error('A push service did not take a notification.');
}
