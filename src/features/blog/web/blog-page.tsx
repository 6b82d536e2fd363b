import type { ReactNode } from 'react';
import { featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { EnglishOnly } from '#ui/english-only.tsx';
import { type Article, type BlogQuery, sectionNames } from '../contract.ts';
import { ArticleCard, FeaturedArticle } from './article-card.tsx';
import { BlogSearch } from './blog-search.tsx';

interface BlogPageData {
  query: BlogQuery;
  /** Null for a search. */
  featured: Article | null;
  articles: Article[];
}

export function countLine({ query: { q, section }, featured, articles }: BlogPageData): string {
  const count = articles.length + (featured ? 1 : 0);
  const name = section && sectionNames[section]();
  if (name && q) return m.blog_count_section_search({ count, section: name, q });
  if (name) return m.blog_count_section({ count, section: name });
  return q ? m.blog_count_search({ count, q }) : m.blog_count({ count });
}

function NothingFound() {
  return (
    <div className="grid gap-3 justify-items-start py-12">
      <h2 className="h3">{m.blog_nothing()}</h2>
      <p className="muted max-w-[48ch]">{m.blog_nothing_text()}</p>
      <Button href="/blog">{m.blog_clear_search()}</Button>
    </div>
  );
}

function ToolLinks() {
  return (
    <section className="grid gap-4 content-start justify-items-start max-w-136" aria-labelledby="blog-tools">
      <h2 className="h3" id="blog-tools">
        {m.blog_practice()}
      </h2>
      <p className="muted">{m.blog_practice_text()}</p>
      <div className="row">
        {featureTable.writer.offered ? (
          <Button variant="primary" size="lg" href="/tools/writer">
            {m.blog_open_writer()}
          </Button>
        ) : null}
        <Button size="lg" href="/tools">
          {m.page_all_tools()}
        </Button>
      </div>
    </section>
  );
}

export function BlogPage({ data, children }: { data: BlogPageData; children?: ReactNode }) {
  const { query, featured, articles } = data;
  return (
    <main id="main" className="wrap blog pt-10 pb-0 max-md:pt-8">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] gap-x-12 gap-y-5 items-end max-ml:grid-cols-1">
        <header className="grid gap-2">
          <h1 className="h1">{m.blog_title()}</h1>
          <p className="lead max-w-[34ch]">{m.blog_lead()}</p>
          <EnglishOnly />
        </header>
        <BlogSearch query={query} />
      </div>
      <p className="mt-4 text-sm text-fg-muted wrap-anywhere" role="status">
        {countLine(data)}
      </p>
      {featured ? <FeaturedArticle article={featured} /> : null}
      {articles.length > 0 ? (
        <ul className="grid grid-cols-3 gap-x-6 gap-y-10 mt-12 max-ml:grid-cols-2 max-sm:grid-cols-1">
          {articles.map((article) => (
            <ArticleCard key={article.slug} article={article} level="h2" />
          ))}
        </ul>
      ) : (
        <NothingFound />
      )}
      <div className="blog-end grid grid-cols-[1.2fr_1fr] gap-y-10 gap-x-16 mt-16 pt-8 border-t border-line max-ml:grid-cols-1">
        <ToolLinks />
        {children}
      </div>
    </main>
  );
}
