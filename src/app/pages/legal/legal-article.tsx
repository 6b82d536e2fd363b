import type { MetaDescriptor } from 'react-router';
import { m } from '#messages';
import { pageMeta } from '#shared/page-meta.ts';
import { setting } from '#shared/settings.ts';
import { Button } from '#ui/button.tsx';
import { EnglishOnly } from '#ui/english-only.tsx';
import { LongDate } from '#ui/long-date.tsx';
import { TableOfContents } from '#ui/table-of-contents.tsx';
import type { LegalPageData } from './legal-pages.server.ts';
import type { LegalDocument } from './parse-legal-document.server.ts';
import { StoredItems } from './stored-items-table.tsx';
import './legal.css';

/** Minimum number of headings for a table of contents. */
const MIN_CONTENTS = 6;

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

function ManageCookies() {
  return (
    <p className="js-only">
      <Button data-consent-open="">{m.legal_manage_cookies()}</Button>
    </p>
  );
}

function SlotPart({ name }: { name: string }) {
  if (name === 'operator') return <Operator />;
  if (name === 'manage') return <ManageCookies />;
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
        {contents.length >= MIN_CONTENTS ? (
          <TableOfContents
            contents={contents}
            navClass="row-[1_/_span_2] ps-5 [&_a]:inline-block [&_a]:py-1"
            foldedClass="[&_a]:inline-block [&_a]:py-1"
          />
        ) : null}
        <div className="legal-text grid gap-4 col-start-1 print:block">
          {parts.map((part, at) => {
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
            if ('slot' in part) return <SlotPart key={at} name={part.slot} />;
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            return <Text key={at} html={part.html} />;
          })}
        </div>
      </article>
    </main>
  );
}
