import { articlePath, minutesFor, sectionNames } from '#features/blog/contract.ts';
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
      <ul className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {articles.map((article) => (
          <li key={article.slug} className="relative grid content-start gap-2 border-t border-fg pt-4">
            <p className="flex gap-3 text-xs text-fg-muted">
              <span className="font-semibold text-fg">{sectionNames[article.section]()}</span>
              {m.common_read_time({ count: minutesFor(article.words) })}
            </p>
            <h3 className="h3">
              <a
                className="after:absolute after:inset-0 hover:underline hover:underline-offset-[0.18em]"
                href={articlePath(article)}
                lang="en"
              >
                {article.title}
              </a>
            </h3>
          </li>
        ))}
      </ul>
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
