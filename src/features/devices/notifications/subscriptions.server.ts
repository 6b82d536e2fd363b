import { z } from 'zod';
import { locale, m } from '#messages';
import { database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { Problem, signInRequired } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { readSubscription } from '#platform/web-push/push-subscription.server.ts';
import { vapidPublicKey } from '#platform/web-push/vapid-key.server.ts';
import { notificationsOffered } from '#shared/offline-app.ts';
import { type DeviceNotifications, notificationLimits } from '../contract.ts';
import {
  deleteOldest,
  deleteSubscription,
  isSubscribed,
  lockSession,
  upsertSubscription,
} from './subscription-store.server.ts';

/** Output of `PushSubscription.toJSON`. */
export const subscriptionInput = z.object({
  endpoint: z.string().max(2000),
  keys: z.object({ p256dh: z.string().max(200), auth: z.string().max(100) }),
});

const perHour = { max: 60, seconds: 3600 };

export async function deviceNotifications({ actor }: { actor: UserActor }): Promise<DeviceNotifications> {
  const publicKey = vapidPublicKey();
  const on = await isSubscribed(database(), actor.sessionId, publicKey);
  return { owner: actor.userId, publicKey, on };
}

/** @throws Problem tool_off, and bad_request for a push service that is not configured */
export async function subscribeDevice({
  actor,
  input,
}: ActorInput<z.infer<typeof subscriptionInput>>): Promise<void> {
  if (!notificationsOffered()) throw new Problem('tool_off', m.notify_off());
  await enforceLimit(`notifications:${actor.userId}`, perHour);
  const subscription = readSubscription(input);
  if (!subscription) throw new Problem('bad_request', m.notify_unknown_service());
  const { userId, sessionId } = actor;
  await transaction(async (tx) => {
    if (!(await lockSession(tx, sessionId))) throw signInRequired();
    await upsertSubscription(tx, {
      ...subscription,
      sessionId,
      vapidKey: vapidPublicKey(),
      language: locale(),
    });
    await deleteOldest(tx, userId, notificationLimits.devices);
  });
}

export async function unsubscribeDevice({ actor }: { actor: UserActor }): Promise<void> {
  await deleteSubscription(database(), actor.sessionId);
}
