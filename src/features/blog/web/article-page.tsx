import { site } from '../../../../content/site.ts';
import {
  type Article,
  type ArticleLink,
  type ArticleText,
  articlePath,
  minutesFor,
  sectionPath,
} from '../contract.ts';
import { ByMail, Neighbors, Related, TryIt } from './article-end.tsx';
import { Contents } from './contents.tsx';
import { Cover } from './cover.tsx';
import { LongDate } from './long-date.tsx';
import { ShareMenu } from './share-menu.tsx';
import { Unbroken } from './unbroken.tsx';

export interface ArticlePageData {
  article: Article;
  text: ArticleText;
  related: Article[];
  previous: ArticleLink | null;
  next: ArticleLink | null;
  publicUrl: string;
}

function Breadcrumb({ section }: Pick<Article, 'section'>) {
  return (
    <nav className="article-crumbs" aria-label="Breadcrumb">
      <ol>
        <li>
          <a href="/blog">Blog</a>
        </li>
        <li>
          <a className="section-badge" href={sectionPath(section)}>
            {section}
          </a>
        </li>
      </ol>
    </nav>
  );
}

function Head({ article, publicUrl }: { article: Article; publicUrl: string }) {
  const { title, intro, section, opinion, updated, words } = article;
  return (
    <header className="article-head">
      <Breadcrumb section={section} />
      <h1 className="h1">
        <Unbroken title={title} />
      </h1>
      <p className="lead">{intro}</p>
      <div className="article-facts">
        <p>
          <span>{`Written by the ${site.name} editorial team`}</span>
          <span>
            Updated <LongDate iso={updated} />
          </span>
          <span>{`${minutesFor(words)} min read`}</span>
        </p>
        <ShareMenu url={publicUrl + articlePath(article)} title={title} />
      </div>
      {opinion ? (
        <p className="article-opinion">
          <span className="mark">Opinion</span> What we think, not a report.
        </p>
      ) : null}
    </header>
  );
}

/** One article with its contents, and the ways on. */
export function ArticlePage({ data }: { data: ArticlePageData }) {
  const { article, text, related, previous, next, publicUrl } = data;
  return (
    <main id="main" className="wrap article">
      <div className="article-progress" aria-hidden="true" />
      <Cover seed={article.slug} width={1152} height={108} className="article-cover" />
      <article className="article-page">
        <Head article={article} publicUrl={publicUrl} />
        <Contents contents={text.contents} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, rendered without raw HTML */}
        <div className="md article-text" dangerouslySetInnerHTML={{ __html: text.html }} />
      </article>
      <TryIt slug={article.slug} />
      <ByMail />
      <Related articles={related} />
      <Neighbors previous={previous} next={next} />
    </main>
  );
}
