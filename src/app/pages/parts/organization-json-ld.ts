import { site } from '#content/site.ts';
import { welcomeCredits } from '#features/credits/contract.ts';
import { locale, m } from '#messages';

export const organizationJsonLd = (publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'Organization',
  '@id': `${publicUrl}/#organization`,
  name: site.name,
  description: m.home_description({ credits: welcomeCredits }),
  url: `${publicUrl}/`,
  logo: `${publicUrl}/icon-512.png`,
  email: site.supportEmail,
  address: site.postalAddress.join(', '),
  contactPoint: { '@type': 'ContactPoint', contactType: 'customer support', email: site.supportEmail },
});

export const websiteJsonLd = (publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'WebSite',
  '@id': `${publicUrl}/#website`,
  name: site.name,
  url: `${publicUrl}/`,
  inLanguage: locale(),
  publisher: { '@id': `${publicUrl}/#organization` },
});
