import type { Config } from '#platform/config/config.server.ts';
import { notificationsOffered } from '#shared/offline-app.ts';
import { type Finding, note, notSet } from './finding.ts';

const ABOUT = 'Notifications';

/** Needs loaded settings. Makes no request, because push services only answer to a push message. */
export function checkNotifications({ PUSH_SERVICES }: Config): Finding {
  if (!notificationsOffered())
    return notSet(ABOUT, 'Notifications are off. To offer them, turn on app.notifications.');
  const hosts = PUSH_SERVICES.map((service) => service.replace(/^https?:\/\//, '')).join(', ');
  return note(
    ABOUT,
    `This machine must reach ${hosts} over https. The log and site_pushes_total show whether they accept notifications.`,
  );
}
