import { featureTable } from '#features/credits/contract.ts';
import { newsletterPaths } from '#features/support/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { type Article, type ArticleLink, articlePath } from '../contract.ts';
import { ArticleCard } from './article-card.tsx';
import { NonBreakingTitle } from './non-breaking-title.tsx';

export function TryTools({ slug }: { slug: string }) {
  return (
    <section
      className="article-try print:hidden flex flex-wrap gap-y-4 gap-x-10 items-center justify-between mt-16 py-6 border-y border-fg"
      aria-labelledby="article-try"
    >
      <div>
        <h2 className="h3" id="article-try">
          {m.blog_practice()}
        </h2>
        {slug === 'gpt-5-vs-gemini' ? <p className="muted">{m.blog_gemini()}</p> : null}
      </div>
      <div className="row">
        <Button variant="primary" size="lg" href="/chat">
          {m.common_open_chat()}
        </Button>
        {featureTable.prompts.offered ? (
          <Button size="lg" href="/tools/prompts">
            {m.blog_prompt_lab()}
          </Button>
        ) : null}
        {featureTable.writer.offered ? (
          <Button size="lg" href="/tools/writer">
            {m.blog_writer()}
          </Button>
        ) : null}
        <Button variant="ghost" size="lg" href="/tools">
          {m.page_all_tools()}
        </Button>
      </div>
    </section>
  );
}

export function NewsletterInvite() {
  return (
    <p className="print:hidden mt-4 text-sm text-fg-muted">
      <a className="link pointer-coarse:inline-block pointer-coarse:py-3" href={newsletterPaths.box}>
        {m.newsletter_heading()}
      </a>
    </p>
  );
}

export function Related({ articles }: { articles: Article[] }) {
  return (
    <section className="article-related print:hidden mt-16" aria-labelledby="article-related">
      <h2 className="h2" id="article-related">
        {m.blog_related()}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(19rem,100%),1fr))] gap-y-10 gap-x-8 pt-8">
        {articles.map((article) => (
          <ArticleCard key={article.slug} article={article} level="h3" />
        ))}
      </ul>
    </section>
  );
}

function Neighbor({ to, label, rel }: { to: ArticleLink; label: string; rel: 'prev' | 'next' }) {
  return (
    <a
      href={articlePath(to)}
      rel={rel}
      className={`group grid gap-1 content-start py-2 font-semibold ${rel === 'next' ? 'col-start-2 text-end max-[40rem]:col-start-1' : ''}`}
    >
      <span className="eyebrow">{label}</span>
      <span className="group-hover:underline underline-offset-[0.2em]">
        <NonBreakingTitle title={to.title} />
      </span>
    </a>
  );
}

export function Neighbors({ previous, next }: { previous: ArticleLink | null; next: ArticleLink | null }) {
  return (
    <nav
      className="print:hidden grid grid-cols-2 gap-y-4 gap-x-10 mt-12 pt-4 border-t border-line max-[40rem]:grid-cols-1"
      aria-label={m.blog_more()}
    >
      {previous ? <Neighbor to={previous} label={m.blog_previous()} rel="prev" /> : null}
      {next ? <Neighbor to={next} label={m.blog_next()} rel="next" /> : null}
    </nav>
  );
}
