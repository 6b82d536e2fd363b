import { settingOr } from './settings.ts';

export const offlineSetting = 'app.offline';

/** Whether the operator lets browsers keep a service worker, and with it what is read offline. */
export const offlineApp = (): boolean => settingOr(offlineSetting, true);
