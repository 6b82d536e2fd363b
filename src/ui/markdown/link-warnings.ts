import { m } from '#messages';
import type { LinkWarning } from './link-inspection.ts';

/** Reasons why a link may deceive, shown before it opens. */
export const linkWarnings: Record<LinkWarning, (values: { host: string }) => string> = {
  user: m.link_user,
  letters: m.link_letters,
  other: m.link_other,
  network: m.link_network,
  long: m.link_long,
  mail: m.link_mail,
};
