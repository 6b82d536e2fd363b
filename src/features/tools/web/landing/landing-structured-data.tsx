import { useRouteLoaderData } from 'react-router';
import { featureTable, priceTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { localizedPath } from '#shared/language-path.ts';
import { faqJsonLd } from '#ui/faq.tsx';
import type { LandingWords } from './landing-foot.tsx';

const context = 'https://schema.org';

/** In US dollars, as schema.org writes amounts. */
const priceOf = (feature: LandingWords['feature']) =>
  featureTable[feature].free ? '0.00' : (priceTable.yearly.priceCents / 100).toFixed(2);

function thingsOf({ feature, description, questions }: LandingWords, publicUrl: string) {
  const { name } = featureTable[feature];
  const at = (path: string) => publicUrl + localizedPath(path);
  const page = at(featureTable[feature].page ?? '');
  const crumbs = [
    { name: m.common_home(), item: at('/') },
    { name: m.common_tools(), item: at('/tools') },
    { name, item: page },
  ];
  return [
    {
      '@context': context,
      '@type': 'SoftwareApplication',
      name,
      description,
      url: page,
      applicationCategory: 'BusinessApplication',
      operatingSystem: 'Web',
      offers: {
        '@type': 'Offer',
        price: priceOf(feature),
        priceCurrency: 'USD',
        availability: `${context}/InStock`,
        url: at('/pricing'),
      },
    },
    faqJsonLd(questions),
    {
      '@context': context,
      '@type': 'BreadcrumbList',
      itemListElement: crumbs.map((crumb, index) => ({ '@type': 'ListItem', position: index + 1, ...crumb })),
    },
  ];
}

export function LandingStructuredData(words: LandingWords) {
  const root = useRouteLoaderData<{ publicUrl: string }>('root');
  return thingsOf(words, root?.publicUrl ?? '').map((thing) => (
    <script
      key={thing['@type']}
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of our own words, which cannot end the element
      dangerouslySetInnerHTML={{ __html: JSON.stringify(thing).replaceAll('<', '\\u003c') }}
    />
  ));
}
