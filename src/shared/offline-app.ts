import { settingOr } from './settings.ts';

export const offlineSetting = 'app.offline';

/** Whether the operator lets browsers keep a service worker, and with it what is read offline. */
export const offlineApp = (): boolean => settingOr(offlineSetting, true);

export const notificationsSetting = 'app.notifications';

/** Whether the site tells browsers that a reply is ready, which their service worker shows. */
export const notificationsOffered = (): boolean => offlineApp() && settingOr(notificationsSetting, true);
