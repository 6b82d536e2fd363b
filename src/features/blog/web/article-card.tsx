import { m } from '#messages';
import { LongDate } from '#ui/long-date.tsx';
import { type Article, articlePath, minutesFor, sectionNames } from '../contract.ts';
import { ArticleCover } from './article-cover.tsx';
import { NonBreakingTitle } from './non-breaking-title.tsx';
import './blog.css';

function CardFacts({
  article: { section, updated, words },
  showDate = false,
}: {
  article: Article;
  showDate?: boolean;
}) {
  return (
    <p className="flex flex-wrap gap-y-1 gap-x-3 items-center text-xs/5 text-fg-muted">
      <span className="section-badge py-px px-2 border rounded-full font-semibold text-fg border-line-strong">
        {sectionNames[section]()}
      </span>
      {showDate ? <LongDate iso={updated} /> : null}
      <span>{m.blog_minutes({ minutes: minutesFor(words) })}</span>
    </p>
  );
}

interface ArticleCardProps {
  article: Article;
  level: 'h2' | 'h3';
}

export function ArticleCard({ article, level: Heading }: ArticleCardProps) {
  return (
    <li className="article-card relative grid content-start gap-2">
      <ArticleCover slug={article.slug} />
      <CardFacts article={article} />
      <Heading className="h3 text-balance">
        <a href={articlePath(article)}>
          <NonBreakingTitle title={article.title} />
        </a>
      </Heading>
      {Heading === 'h3' ? (
        <p className="text-sm font-semibold underline underline-offset-[0.2em]" aria-hidden="true">
          {m.blog_read_more()}
        </p>
      ) : null}
    </li>
  );
}

export function FeaturedArticle({ article }: { article: Article }) {
  return (
    <section
      className="article-card relative mt-6 grid grid-cols-[1.25fr_1fr] gap-10 items-center max-ml:grid-cols-1 max-ml:gap-5"
      aria-label={m.blog_featured()}
    >
      <ArticleCover slug={article.slug} bright />
      <div className="grid gap-3">
        <CardFacts article={article} showDate />
        <h2 className="h1">
          <a href={articlePath(article)}>
            <NonBreakingTitle title={article.title} />
          </a>
        </h2>
        <p className="lead" lang="en" dir="auto">
          {article.intro}
        </p>
      </div>
    </section>
  );
}
