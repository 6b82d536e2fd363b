import { useLoaderData, useRouteLoaderData } from 'react-router';
import { useSale } from '#features/billing/web/use-sale.ts';
import { ArticleLinks } from '#features/blog/web/article-links.tsx';
import {
  type Feature,
  featureTable,
  formatMoney,
  priceTable,
  welcomeCredits,
} from '#features/credits/contract.ts';
import { m } from '#messages';
import { decimalAmount } from '#shared/decimal-amount.ts';
import { localizedPath } from '#shared/language-path.ts';
import { Button } from '#ui/button.tsx';
import { Faq, faqJsonLd } from '#ui/faq.tsx';
import { TitledSection } from '#ui/titled-section.tsx';
import type { GuestFacts } from '../../contract.ts';

export interface LandingTexts {
  feature: Feature;
  title: string;
  description: string;
  /** 'per text on the free plan' */
  unit: string;
  /** 'on Pro, up to 100 texts a day' */
  fairUse?: (values: { count: number }) => string;
  questions: readonly { question: string; answer: string }[];
}

function Articles({ articles }: Pick<GuestFacts, 'articles'>) {
  if (articles.length === 0) return null;
  return (
    <TitledSection id="articles" title={m.landing_articles()}>
      <ArticleLinks articles={articles} className="sm:grid-cols-2" />
    </TitledSection>
  );
}

interface Figure {
  figure: string;
  note: string;
}

function freeFigures(feature: Feature, unit: string): Figure[] {
  const { free, price } = featureTable[feature];
  if (!free) return [];
  if (price === 0) return [{ figure: m.common_free(), note: unit }];
  return [
    { figure: m.common_credits({ count: price }), note: unit },
    { figure: m.pricing_free_credits({ count: welcomeCredits() }), note: m.landing_price_first_note() },
  ];
}

function proFigures(feature: Feature, fairUse: string | null): Figure[] {
  const { free, price } = featureTable[feature];
  const { dailyCents, priceCents } = priceTable.yearly;
  if (price === 0 || fairUse === null) return [];
  const unlimited = { figure: m.tool_cost_none(), note: fairUse };
  if (free) return [unlimited];
  return [
    unlimited,
    {
      figure: m.plan_per_day({ price: formatMoney(dailyCents) }),
      note: m.landing_price_year({ price: formatMoney(priceCents) }),
    },
    { figure: m.landing_price_refund(), note: m.landing_price_refund_note() },
  ];
}

interface LandingPriceProps {
  feature: Feature;
  unit: string;
  /** null if runs are not counted. */
  fairUse: string | null;
}

function LandingPrice({ feature, unit, fairUse }: LandingPriceProps) {
  const { durations } = useSale();
  const figures = [
    ...freeFigures(feature, unit),
    ...(durations.length > 0 ? proFigures(feature, fairUse) : []),
  ];
  return (
    <section className="pt-10" aria-label={m.landing_price()}>
      <div className="flex flex-wrap items-center gap-x-10 gap-y-5 border-y border-line py-6">
        {figures.map(({ figure, note }) => (
          <p key={figure} className="max-md:basis-full">
            <b className="block text-2xl font-[650] tracking-tight">{figure}</b>
            <span className="fine">{note}</span>
          </p>
        ))}
        <Button className="ms-auto max-md:ms-0 max-md:basis-full" href="/pricing">
          {m.plan_see_plans()}
        </Button>
      </div>
    </section>
  );
}

const context = 'https://schema.org';

/** In US dollars, in schema.org's number format. */
const priceOf = (feature: LandingTexts['feature']) =>
  featureTable[feature].free ? '0.00' : decimalAmount(priceTable.yearly.priceCents);

function structuredData({ feature, description, questions }: LandingTexts, publicUrl: string) {
  const { name } = featureTable[feature];
  const urlOf = (path: string) => publicUrl + localizedPath(path);
  const page = urlOf(featureTable[feature].page ?? '');
  const crumbs = [
    { name: m.common_home(), item: urlOf('/') },
    { name: m.common_tools(), item: urlOf('/tools') },
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
        url: urlOf('/pricing'),
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

function LandingStructuredData(texts: LandingTexts) {
  const root = useRouteLoaderData<{ publicUrl: string }>('root');
  return structuredData(texts, root?.publicUrl ?? '').map((item) => (
    <script
      key={item['@type']}
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of our own texts, which cannot end the element
      dangerouslySetInnerHTML={{ __html: JSON.stringify(item).replaceAll('<', '\\u003c') }}
    />
  ));
}

export function LandingFoot(texts: LandingTexts) {
  const { guest } = useLoaderData<{ guest: GuestFacts | null }>();
  if (!guest) return null;
  const { feature, unit, fairUse, questions } = texts;
  return (
    <>
      <LandingPrice
        feature={feature}
        unit={unit}
        fairUse={guest.fairUse === null || !fairUse ? null : fairUse({ count: guest.fairUse })}
      />
      <Faq questions={questions} firstOpen />
      <Articles articles={guest.articles} />
      <LandingStructuredData {...texts} />
    </>
  );
}
