import type { MetaDescriptor } from 'react-router';
import { m } from '#messages';
import { pageMeta } from '#shared/page-meta.ts';
import { setting } from '#shared/settings.ts';
import { Button } from '#ui/button.tsx';
import { EnglishOnly } from '#ui/english-only.tsx';
import { LongDate } from '#ui/long-date.tsx';
import type { LegalPageData } from './legal-pages.server.ts';
import type { LegalDocument } from './parse-legal-document.server.ts';
import { StoredItems } from './stored-items-table.tsx';
import './legal.css';

/** Headings from which a text has a table of contents. */
const LONG = 6;

function Links({ contents }: Pick<LegalDocument, 'contents'>) {
  return (
    <ol lang="en" dir="ltr">
      {contents.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ol>
  );
}

function Contents({ contents }: Pick<LegalDocument, 'contents'>) {
  return (
    <>
      <details className="legal-contents-folded border-b border-line min-[68.75rem]:hidden">
        <summary className="list-item min-h-(--hit) py-2 font-semibold">{m.on_this_page()}</summary>
        <Links contents={contents} />
      </details>
      <nav
        className="legal-contents hidden min-[68.75rem]:sticky min-[68.75rem]:top-6 min-[68.75rem]:grid min-[68.75rem]:gap-2 min-[68.75rem]:col-start-2 min-[68.75rem]:row-[1_/_span_2] min-[68.75rem]:self-start min-[68.75rem]:ps-5 min-[68.75rem]:border-s min-[68.75rem]:border-line print:hidden"
        aria-label={m.on_this_page()}
      >
        <p className="eyebrow" aria-hidden="true">
          {m.on_this_page()}
        </p>
        <Links contents={contents} />
      </nav>
    </>
  );
}

function Operator() {
  return (
    <address>
      {[...new Set([setting('brand.name'), ...setting('contact.address')])].map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </address>
  );
}

function Manage() {
  return (
    <p className="js-only">
      <Button data-consent-open="">{m.legal_manage_cookies()}</Button>
    </p>
  );
}

function SlotPart({ name }: { name: string }) {
  if (name === 'operator') return <Operator />;
  if (name === 'manage') return <Manage />;
  return <StoredItems category={name} />;
}

function Text({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, rendered without raw HTML
  return <div lang="en" dir="ltr" className="md" dangerouslySetInnerHTML={{ __html: html }} />;
}

export function legalMeta(data: LegalPageData | undefined): MetaDescriptor[] {
  if (!data) return [];
  const { title, description } = data.document;
  return pageMeta({ title, description, path: data.path, publicUrl: data.publicUrl, englishOnly: true });
}

export function LegalArticle({ document }: { document: LegalDocument }) {
  const { title, effective, updated, contents, parts } = document;
  return (
    <main id="main" className="wrap legal pt-16 pb-0 max-md:pt-10 print:p-0">
      <article className="grid grid-cols-[minmax(0,var(--measure))] gap-y-5 gap-x-16 min-[68.75rem]:grid-cols-[minmax(0,var(--measure))_15rem] min-[68.75rem]:justify-between print:block">
        <header className="grid gap-5">
          <h1 className="h1" lang="en" dir="auto">
            {title}
          </h1>
          <p className="flex flex-wrap gap-y-1 gap-x-5 pb-5 border-b text-sm text-fg-muted border-fg">
            <span>{m.legal_effective({ date: () => <LongDate iso={effective} /> })}</span>
            <span>{m.legal_updated({ date: () => <LongDate iso={updated} /> })}</span>
          </p>
          <EnglishOnly />
        </header>
        {contents.length >= LONG ? <Contents contents={contents} /> : null}
        <div className="legal-text grid gap-4 col-start-1 print:block">
          {parts.map((part, at) => {
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
            if ('slot' in part) return <SlotPart key={at} name={part.slot} />;
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            return <Text key={at} html={part.html} />;
          })}
        </div>
      </article>
    </main>
  );
}
