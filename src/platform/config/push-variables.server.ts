import { variable } from './described-variable.server.ts';
import { originPatterns } from './variable-kinds.server.ts';

/** Push services of Chrome, Firefox, Safari and Edge; Edge has a host per region. */
const pushServices = [
  'https://fcm.googleapis.com',
  'https://updates.push.services.mozilla.com',
  'https://web.push.apple.com',
  'https://*.notify.windows.com',
];

export const push = {
  PUSH_SERVICES: variable(originPatterns(pushServices.join()), {
    group: 'Notifications',
    about:
      'The push services that a browser may name to get notifications, separated by commas: the site sends to these alone, encrypted. *. stands for each host below a name.',
  }),
};
