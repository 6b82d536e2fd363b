import { welcomeCredits } from '#features/credits/contract.ts';
import { locale, m } from '#messages';
import { setting } from '#shared/settings.ts';

export const organizationJsonLd = (publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'Organization',
  '@id': `${publicUrl}/#organization`,
  name: setting('brand.name'),
  description: m.home_description({ credits: welcomeCredits() }),
  url: `${publicUrl}/`,
  logo: `${publicUrl}/icon-512.png`,
  email: setting('contact.email'),
  address: setting('contact.address').join(', '),
  contactPoint: { '@type': 'ContactPoint', contactType: 'customer support', email: setting('contact.email') },
});

export const websiteJsonLd = (publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'WebSite',
  '@id': `${publicUrl}/#website`,
  name: setting('brand.name'),
  url: `${publicUrl}/`,
  inLanguage: locale(),
  publisher: { '@id': `${publicUrl}/#organization` },
});
