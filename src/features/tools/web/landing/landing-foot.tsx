import { useLoaderData } from 'react-router';
import { ArticleLinks } from '#features/blog/web/article-links.tsx';
import type { Feature } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Faq } from '#ui/faq.tsx';
import { TitledSection } from '#ui/titled-section.tsx';
import type { GuestFacts } from '../../contract.ts';
import { LandingPrice } from './landing-price.tsx';
import { LandingStructuredData } from './landing-structured-data.tsx';

export interface LandingWords {
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

export function LandingFoot(words: LandingWords) {
  const { guest } = useLoaderData<{ guest: GuestFacts | null }>();
  if (!guest) return null;
  const { feature, unit, fairUse, questions } = words;
  return (
    <>
      <LandingPrice
        feature={feature}
        unit={unit}
        fairUse={guest.fairUse === null || !fairUse ? null : fairUse({ count: guest.fairUse })}
      />
      <Faq questions={questions} firstOpen />
      <Articles articles={guest.articles} />
      <LandingStructuredData {...words} />
    </>
  );
}
