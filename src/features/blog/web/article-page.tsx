import { m } from '#messages';
import { setting } from '#shared/settings.ts';
import { EnglishOnly } from '#ui/english-only.tsx';
import { LongDate } from '#ui/long-date.tsx';
import { TableOfContents } from '#ui/table-of-contents.tsx';
import {
  type Article,
  articlePath,
  minutesFor,
  type OpenArticle,
  sectionNames,
  sectionPath,
} from '../contract.ts';
import { ArticleCover } from './article-cover.tsx';
import { Neighbors, NewsletterInvite, Related, TryTools } from './article-footer.tsx';
import { NonBreakingTitle } from './non-breaking-title.tsx';
import { ShareMenu } from './share-menu.tsx';
import './article.css';
import './article-text.css';

function Breadcrumb({ section }: Pick<Article, 'section'>) {
  return (
    <nav className="article-crumbs text-xs" aria-label={m.common_breadcrumb()}>
      <ol className="flex items-center gap-3">
        <li>
          <a
            className="inline-flex items-center min-h-7 hover:underline hover:underline-offset-[0.2em] pointer-coarse:min-h-11 pointer-coarse:pe-3.5"
            href="/blog"
          >
            {m.blog_title()}
          </a>
        </li>
        <li>
          <a
            className="section-badge py-px px-2 border rounded-full font-semibold text-fg border-line-strong inline-flex items-center min-h-7 hover:underline hover:underline-offset-[0.2em] pointer-coarse:min-h-11 pointer-coarse:px-3.5"
            href={sectionPath(section)}
          >
            {sectionNames[section]()}
          </a>
        </li>
      </ol>
    </nav>
  );
}

function Head({ article, publicUrl }: { article: Article; publicUrl: string }) {
  const { slug, title, intro, section, opinion, updated, words } = article;
  return (
    <header className="col-span-full grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-x-12 gap-y-5 max-ml:grid-cols-1 print:mb-6 print:block">
      <div className="grid gap-4">
        <Breadcrumb section={section} />
        <h1 className="h1">
          <NonBreakingTitle title={title} />
        </h1>
        <p className="lead" lang="en" dir="ltr">
          {intro}
        </p>
        <p className="flex flex-wrap gap-y-1 gap-x-5 text-sm text-fg-muted">
          <span>{m.blog_written_by({ brand: setting('brand.name') })}</span>
          <span>{m.blog_updated({ date: () => <LongDate iso={updated} /> })}</span>
          <span>{m.blog_minutes({ minutes: minutesFor(words) })}</span>
        </p>
        <EnglishOnly />
        {opinion ? (
          <p className="text-sm text-fg-muted">
            {m.blog_opinion_note({ mark: (text) => <span className="mark font-semibold">{text}</span> })}
          </p>
        ) : null}
        <div>
          <ShareMenu url={publicUrl + articlePath(article)} title={title} />
        </div>
      </div>
      <ArticleCover slug={slug} />
    </header>
  );
}

export function ArticlePage({ data }: { data: OpenArticle & { publicUrl: string } }) {
  const { article, text, related, previous, next, publicUrl } = data;
  return (
    <main id="main" className="wrap article pt-8 pb-0 print:p-0">
      <div className="article-progress" aria-hidden="true" />
      <article className="print:m-0 print:block grid grid-cols-[minmax(0,44rem)] gap-y-6 gap-x-16 min-[68.75rem]:grid-cols-[minmax(0,44rem)_16rem] min-[68.75rem]:justify-between">
        <Head article={article} publicUrl={publicUrl} />
        <TableOfContents
          contents={text.contents}
          navClass="row-2 max-h-[calc(100dvh-2*var(--s-6))] overflow-y-auto"
          foldedClass="pointer-coarse:[&>summary]:py-3"
          followed
        />
        <div
          lang="en"
          dir="ltr"
          className="md article-text col-start-1 min-w-0 max-w-(--measure) font-normal text-lg font-serif [overflow-wrap:break-word] max-md:text-[1.125rem]/7.25"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, rendered without raw HTML
          dangerouslySetInnerHTML={{ __html: text.html }}
        />
      </article>
      <TryTools slug={article.slug} />
      <NewsletterInvite />
      <Related articles={related} />
      <Neighbors previous={previous} next={next} />
    </main>
  );
}
