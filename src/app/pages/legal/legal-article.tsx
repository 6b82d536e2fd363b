import type { MetaDescriptor } from 'react-router';
import { site } from '../../../../content/site.ts';
import { LongDate } from '../../../features/blog/web/long-date.tsx';
import { pageMeta } from '../../../shared/page-meta.ts';
import type { LegalDocument } from './document.server.ts';
import type { LegalPageData } from './documents.server.ts';
import { StoredItems } from './stored-items-table.tsx';

/** Headings from which a text has a table of contents. */
const LONG = 6;

function Links({ contents }: Pick<LegalDocument, 'contents'>) {
  return (
    <ol>
      {contents.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ol>
  );
}

/** Beside the text where there is room, else folded above it. */
function Contents({ contents }: Pick<LegalDocument, 'contents'>) {
  return (
    <>
      <details className="legal-contents-folded">
        <summary>On this page</summary>
        <Links contents={contents} />
      </details>
      <nav className="legal-contents" aria-label="On this page">
        <p className="eyebrow" aria-hidden="true">
          On this page
        </p>
        <Links contents={contents} />
      </nav>
    </>
  );
}

function Operator() {
  return (
    <address>
      {[...new Set([site.name, ...site.postalAddress])].map((line) => (
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
      <button type="button" className="btn btn-secondary" data-consent-open="">
        Manage Cookie Preferences
      </button>
    </p>
  );
}

function SlotPart({ name }: { name: string }) {
  if (name === 'operator') return <Operator />;
  if (name === 'manage') return <Manage />;
  return <StoredItems category={name} />;
}

/** Title, description, canonical address and social tags of a legal page. */
export function legalMeta(data: LegalPageData | undefined): MetaDescriptor[] {
  if (!data) return [];
  const { title, description } = data.document;
  return pageMeta({ title, description, path: data.path, publicUrl: data.publicUrl });
}

/** A legal text: dates, contents where it is long, and the text in its measure. */
export function LegalArticle({ document }: { document: LegalDocument }) {
  const { title, effective, updated, contents, parts } = document;
  return (
    <main id="main" className="wrap legal">
      <article className="legal-page">
        <header className="legal-head">
          <h1 className="h1">{title}</h1>
          <p className="legal-dates">
            <span>
              Effective <LongDate iso={effective} />
            </span>
            <span>
              Last updated <LongDate iso={updated} />
            </span>
          </p>
        </header>
        {contents.length >= LONG ? <Contents contents={contents} /> : null}
        <div className="legal-text">
          {parts.map((part, at) => {
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
            if ('slot' in part) return <SlotPart key={at} name={part.slot} />;
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, rendered without raw HTML
            return <div key={at} className="md" dangerouslySetInnerHTML={{ __html: part.html }} />;
          })}
        </div>
      </article>
    </main>
  );
}
