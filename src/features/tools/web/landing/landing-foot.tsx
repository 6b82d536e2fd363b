import { ArticleLinks } from '#features/blog/web/article-links.tsx';
import { m } from '#messages';
import { Faq } from '#ui/faq.tsx';
import { TitledSection } from '#ui/titled-section.tsx';
import type { GuestFacts } from '../../contract.ts';
import { LandingPrice } from './landing-price.tsx';
import { LandingStructuredData } from './landing-structured-data.tsx';
import type { LandingWords } from './landing-words.ts';

function Articles({ articles }: Pick<GuestFacts, 'articles'>) {
  if (articles.length === 0) return null;
  return (
    <TitledSection id="articles" title={m.landing_articles()}>
      <ArticleLinks articles={articles} className="sm:grid-cols-2" />
    </TitledSection>
  );
}

export function LandingFoot({ words, facts }: { words: LandingWords; facts: GuestFacts }) {
  const { feature, price, questions } = words;
  return (
    <>
      <LandingPrice feature={feature} {...price} />
      <Faq questions={questions} firstOpen />
      <Articles articles={facts.articles} />
      <LandingStructuredData {...words} />
    </>
  );
}
