import { newsletterPaths } from '../../support/newsletter/contract.ts';
import { type Article, type ArticleLink, articlePath } from '../contract.ts';
import { ArticleCard } from './article-card.tsx';
import { Unbroken } from './unbroken.tsx';

/** What a reader can do now. */
export function TryIt({ slug }: { slug: string }) {
  return (
    <section className="article-try" aria-labelledby="article-try">
      <div>
        <h2 className="h3" id="article-try">
          Try it on something of yours
        </h2>
        {slug === 'gpt-5-vs-gemini' ? <p className="muted">Gemini tools: coming soon.</p> : null}
      </div>
      <div className="row">
        <a className="btn btn-primary btn-lg" href="/chat">
          Open the chat
        </a>
        <a className="btn btn-secondary btn-lg" href="/tools/prompts">
          Try Prompt Lab
        </a>
        <a className="btn btn-secondary btn-lg" href="/tools/writer">
          AI Writer
        </a>
        <a className="btn btn-ghost btn-lg" href="/tools">
          All tools
        </a>
      </div>
    </section>
  );
}

/** Where the next article is asked for. */
export function ByMail() {
  return (
    <p className="article-by-mail">
      New articles come by email, when there is something to say.{' '}
      <a className="link" href={newsletterPaths.box}>
        Subscribe to the newsletter
      </a>
    </p>
  );
}

/** Three articles of a related subject. */
export function Related({ articles }: { articles: Article[] }) {
  return (
    <section className="article-related" aria-labelledby="article-related">
      <h2 className="h2" id="article-related">
        You might also like
      </h2>
      <ul className="article-grid">
        {articles.map((article) => (
          <ArticleCard key={article.slug} article={article} />
        ))}
      </ul>
    </section>
  );
}

function Neighbor({ to, label, rel }: { to: ArticleLink; label: string; rel: 'prev' | 'next' }) {
  return (
    <a href={articlePath(to)} rel={rel} className={`neighbor-${rel}`}>
      <span className="eyebrow">{label}</span>
      <span>
        <Unbroken title={to.title} />
      </span>
    </a>
  );
}

/** The articles before and after this one in the blog. */
export function Neighbors({ previous, next }: { previous: ArticleLink | null; next: ArticleLink | null }) {
  return (
    <nav className="article-neighbors" aria-label="More articles">
      {previous ? <Neighbor to={previous} label="Previous" rel="prev" /> : null}
      {next ? <Neighbor to={next} label="Next" rel="next" /> : null}
    </nav>
  );
}
