import { site } from '#content/site.ts';

export const hasOperatorEmail = (): boolean => !/@example\.(com|org|net)$/.test(site.supportEmail);

export const hasOperatorAddresses = (): boolean =>
  hasOperatorEmail() && !site.postalAddress.includes('Example Company');
