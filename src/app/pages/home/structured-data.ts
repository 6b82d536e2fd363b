import { site } from '../../../../content/site.ts';

/** The house and its site for search engines, by schema.org: what it is called there, and whose it is. */
export function structuredSite(publicUrl: string) {
  const url = `${publicUrl}/`;
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        '@id': `${url}#organization`,
        name: site.name,
        url,
        logo: `${publicUrl}/icon-512.png`,
        description: site.description,
        email: site.supportEmail,
      },
      {
        '@type': 'WebSite',
        '@id': `${url}#website`,
        name: site.name,
        url,
        inLanguage: 'en-US',
        publisher: { '@id': `${url}#organization` },
      },
    ],
  };
}
