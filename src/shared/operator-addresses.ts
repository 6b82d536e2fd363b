import { setting } from '#shared/settings.ts';

export const hasOperatorEmail = (): boolean => !/@example\.(com|org|net)$/.test(setting('contact.email'));

export const hasOperatorAddresses = (): boolean =>
  hasOperatorEmail() && !setting('contact.address').includes('Example Company');
