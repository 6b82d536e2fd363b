import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { m } from '#messages';
import { pageContext } from '#platform/http/page-context.server.ts';
import { utcTime } from '#shared/format-date.ts';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { setting } from '#shared/settings.ts';
import { Button } from '#ui/button.tsx';
import { errorCopyFor, isKnown } from './error/error-copy.ts';

export const handle: PageHandle = { page: 'public', cache: false };

export const meta = () => unindexedMeta(m.common_error());

export const headers = () => ({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });

/** Maximum length of text from the query, which is shown as plain text and never used as a link. */
const MAX_LENGTH = 200;

/** Removes control and bidirectional formatting characters, which could rearrange the page. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const field = (name: string) =>
    (query.get(name) ?? '')
      .replace(/[\p{Cc}\p{Cf}\p{Co}\s]+/gu, ' ')
      .trim()
      .slice(0, MAX_LENGTH);
  return {
    error: field('error'),
    code: field('code'),
    description: field('description'),
    from: field('from'),
    at: new Date().toISOString(),
    id: context.get(pageContext).requestId,
  };
}

type Facts = ReturnType<typeof loader>;

function Details({ facts }: { facts: Facts }) {
  const { error, code, description, from, at, id } = facts;
  const rows: Array<[string, string]> = [
    [m.common_error(), error],
    [m.error_code(), code],
    [m.error_description(), description],
    [m.error_from(), from],
  ];
  return (
    <section className="card" aria-labelledby="details-title">
      <div className="row justify-between">
        <h2 className="eyebrow" id="details-title">
          {m.common_details()}
        </h2>
        <Button className="js-only" data-copy-details={JSON.stringify(facts)} aria-live="polite">
          {m.error_copy_details()}
        </Button>
      </div>
      <dl className="grid gap-2 mt-3 text-sm">
        {rows.map(([name, value]) =>
          value ? (
            <div className="grid grid-cols-[6.5rem_minmax(0,1fr)]" key={name}>
              <dt className="text-fg-muted">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ) : null,
        )}
        <div className="grid grid-cols-[6.5rem_minmax(0,1fr)]">
          <dt className="text-fg-muted">{m.error_time()}</dt>
          <dd className="wrap-anywhere">
            <time dateTime={at}>{utcTime(new Date(at))}</time>
          </dd>
        </div>
        <div className="grid grid-cols-[6.5rem_minmax(0,1fr)]">
          <dt className="text-fg-muted">{m.error_session_id()}</dt>
          <dd className="font-mono wrap-anywhere">{id}</dd>
        </div>
      </dl>
    </section>
  );
}

/** All links lead to this site, whatever the query contains. */
export default function ErrorPage() {
  const facts = useLoaderData<typeof loader>();
  const { error, description, id } = facts;
  const copy = errorCopyFor(error);
  const title = copy.title();
  const raw = !isKnown(error) && error ? error : '';
  const mail = new URLSearchParams({ subject: `${title} (${id})` }).toString().replaceAll('+', '%20');
  return (
    <main
      data-no-return=""
      id="main"
      className="wrap grid grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)] gap-y-12 gap-x-16 pt-24 pb-12 max-md:grid-cols-1 max-md:pt-12 max-md:pb-8"
    >
      <div className="grid content-start gap-6">
        <p className="eyebrow">{m.error_eyebrow()}</p>
        <h1 className="h1 -mt-4">
          <span className="mark">{title}</span>
        </h1>
        <p className="lead wrap-anywhere">{description || raw || copy.description()}</p>
        <div className="row">
          <Button variant="primary" size="lg" href="/chat">
            {m.error_try_again()}
          </Button>
          <Button size="lg" href="/">
            {m.error_go_home()}
          </Button>
          <Button size="lg" className="js-only" data-back="">
            {m.error_go_back()}
          </Button>
        </div>
        <p className="muted text-sm">
          {m.error_stuck()}
          {sentenceSeparator()}
          <a className="link" href={`mailto:${setting('contact.email')}?${mail}`}>
            {m.error_contact_support()}
          </a>
        </p>
      </div>
      <div className="grid content-start gap-6">
        <section aria-labelledby="solutions-title">
          <h2 className="h3" id="solutions-title">
            {m.error_solutions()}
          </h2>
          <ol className="[counter-reset:solution] mt-3 border-t border-fg">
            {copy.suggestions.map((suggestion) => (
              <li
                className="[counter-increment:solution] flex gap-4 py-3 border-b border-line before:content-[counter(solution,decimal-leading-zero)] before:font-normal before:text-xs/6.5 before:font-mono before:text-fg-subtle"
                key={suggestion()}
              >
                {suggestion()}
              </li>
            ))}
          </ol>
        </section>
        <Details facts={facts} />
      </div>
    </main>
  );
}
