import { settingOr } from './settings.ts';

export const offlineSetting = 'app.offline';

/** Whether the operator allows a service worker, which offline reading needs. */
export const offlineApp = (): boolean => settingOr(offlineSetting, true);

export const notificationsSetting = 'app.notifications';

/** Whether the site sends push messages when a reply is ready; the service worker shows them. */
export const notificationsOffered = (): boolean => offlineApp() && settingOr(notificationsSetting, true);
