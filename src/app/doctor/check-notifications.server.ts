import type { Config } from '#platform/config/config.server.ts';
import { notificationsOffered } from '#shared/offline-app.ts';
import { type Finding, note, notSet } from './finding.ts';

const ABOUT = 'Notifications';

/** Once the settings are read. Nobody is asked: a push service answers to a push alone. */
export function notifications({ PUSH_SERVICES }: Config): Finding {
  if (!notificationsOffered()) return notSet(ABOUT, 'People are not notified; app.notifications lets them.');
  const hosts = PUSH_SERVICES.map((service) => service.replace(/^https?:\/\//, '')).join(', ');
  return note(
    ABOUT,
    `This machine must reach ${hosts} over https; whether they take what is sent stands in the log and in site_pushes_total.`,
  );
}
