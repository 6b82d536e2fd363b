import { type Article, articlePath, minutesFor } from '../contract.ts';
import { Cover } from './cover.tsx';
import { LongDate } from './long-date.tsx';
import { Unbroken } from './unbroken.tsx';

/** Section, date and reading time in one line. */
export function CardFacts({ article: { section, updated, words } }: { article: Article }) {
  return (
    <p className="card-facts">
      <span className="section-badge">{section}</span>
      <LongDate iso={updated} />
      <span>{`${minutesFor(words)} min read`}</span>
    </p>
  );
}

interface ArticleCardProps {
  article: Article;
  /** `h2` below the title of the page, `h3` below one of its parts. */
  heading: 'h2' | 'h3';
  /** Says Read More below. */
  more?: boolean;
}

/** An article as one of several. */
export function ArticleCard({ article, heading: Heading, more = false }: ArticleCardProps) {
  return (
    <li className="article-card">
      <Cover seed={article.slug} width={400} height={132} />
      <CardFacts article={article} />
      <Heading className="h3">
        <a href={articlePath(article)}>
          <Unbroken title={article.title} />
        </a>
      </Heading>
      <p className="muted">{article.description}</p>
      {more ? (
        <p className="card-more" aria-hidden="true">
          Read More
        </p>
      ) : null}
    </li>
  );
}

/** The article at the top of the index. */
export function FeaturedArticle({ article }: { article: Article }) {
  return (
    <section className="article-featured" aria-label="Featured article">
      <Cover seed={article.slug} width={640} height={300} />
      <div>
        <p className="eyebrow">Featured</p>
        <h2 className="h2">
          <a href={articlePath(article)}>
            <Unbroken title={article.title} />
          </a>
        </h2>
        <p className="lead">{article.intro}</p>
        <CardFacts article={article} />
      </div>
    </section>
  );
}
