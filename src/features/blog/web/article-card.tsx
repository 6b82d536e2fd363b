import { type Article, articlePath, minutesFor } from '../contract.ts';
import { Cover, CoverMark } from './cover.tsx';
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

/** An article as one of three below another. */
export function ArticleCard({ article }: { article: Article }) {
  return (
    <li className="article-card">
      <Cover seed={article.slug} width={400} height={132} />
      <CardFacts article={article} />
      <h3 className="h3">
        <a href={articlePath(article)}>
          <Unbroken title={article.title} />
        </a>
      </h3>
      <p className="muted">{article.description}</p>
      <p className="card-more" aria-hidden="true">
        Read More
      </p>
    </li>
  );
}

/** An article as a row of the index. */
export function ArticleRow({ article }: { article: Article }) {
  const { slug, title, description, section, updated, words } = article;
  return (
    <li className="article-row">
      <p className="row-facts">
        <b>{section}</b>
        <LongDate iso={updated} />
      </p>
      <div className="row-words">
        <h2 className="h3">
          <a href={articlePath(article)}>
            <Unbroken title={title} />
          </a>
        </h2>
        <p className="muted">{description}</p>
      </div>
      <div className="row-size">
        <p>{`${minutesFor(words)} min read`}</p>
        <CoverMark seed={slug} />
      </div>
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
