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
      'Push services the site may send notifications through, separated by commas. It sends only to these, encrypted. *. matches every host below a name.',
  }),
};
