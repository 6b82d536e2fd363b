import type { ReactNode } from 'react';
import type { Article, BlogQuery } from '../contract.ts';
import { ArticleRow, FeaturedArticle } from './article-card.tsx';
import { SearchPanel } from './search-panel.tsx';

export interface BlogPageData {
  query: BlogQuery;
  /** Of all articles; null where a search is shown. */
  featured: Article | null;
  articles: Article[];
}

/** How many articles are shown, and by which search. */
export function countLine({ query: { q, section }, featured, articles }: BlogPageData): string {
  const count = articles.length + (featured ? 1 : 0);
  const what = `${count} ${count === 1 ? 'article' : 'articles'}`;
  return [what, section ? `in ${section}` : '', q ? `for “${q}”` : ''].filter(Boolean).join(' ');
}

function NothingFound() {
  return (
    <div className="blog-empty">
      <h2 className="h3">No articles found</h2>
      <p className="muted">
        The search looks at titles and descriptions. Try one word of the subject, or all categories.
      </p>
      <a className="btn btn-secondary" href="/blog">
        Clear search
      </a>
    </div>
  );
}

function ToolLinks() {
  return (
    <section aria-labelledby="blog-tools">
      <h2 className="h3" id="blog-tools">
        Read enough? Write something.
      </h2>
      <p className="muted">
        The AI Writer drafts texts of a promised length and keeps every version, so that you can try what a
        guide says on a text of your own.
      </p>
      <div className="row">
        <a className="btn btn-primary btn-lg" href="/tools/writer">
          Open the AI Writer
        </a>
        <a className="btn btn-secondary btn-lg" href="/tools">
          All tools
        </a>
      </div>
    </section>
  );
}

/** The index of the blog. `children`: what else stands beside the tools at its end. */
export function BlogPage({ data, children }: { data: BlogPageData; children?: ReactNode }) {
  const { query, featured, articles } = data;
  return (
    <main id="main" className="wrap blog">
      <header className="blog-head">
        <h1 className="h1">Blog</h1>
        <p className="lead">
          What language models can do, what they cost, and how to check what they say, with sources.
        </p>
      </header>
      <SearchPanel query={query} />
      <p className="blog-count" role="status">
        {countLine(data)}
      </p>
      {featured ? <FeaturedArticle article={featured} /> : null}
      {articles.length > 0 ? (
        <ul className="article-rows">
          {articles.map((article) => (
            <ArticleRow key={article.slug} article={article} />
          ))}
        </ul>
      ) : (
        <NothingFound />
      )}
      <div className="blog-end">
        <ToolLinks />
        {children}
      </div>
    </main>
  );
}
