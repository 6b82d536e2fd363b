import { site } from '../../content/site.ts';

/** Whether the address for support in content/site.ts is the operator's own, no example. */
export const hasOwnEmail = (): boolean => !/@example\.(com|org|net)$/.test(site.supportEmail);

/** Whether both addresses in content/site.ts are the operator's own: that for support and the postal one. */
export const hasOwnAddresses = (): boolean =>
  hasOwnEmail() && !site.postalAddress.includes('Example Company');
