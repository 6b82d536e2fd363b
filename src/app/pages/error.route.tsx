import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { site } from '../../../content/site.ts';
import { pageContext } from '../../platform/http/page-context.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { pageTitle } from '../../shared/page-title.ts';
import { isKnown, wordsFor } from './error/words.ts';

export const handle: PageHandle = { page: 'public', cache: false };

export const meta = () => [{ title: pageTitle('Error') }, { name: 'robots', content: 'noindex' }];

export const headers = () => ({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' });

/** Text of the address is shown as text, at most so many characters of it, and leads nowhere. */
const MOST = 200;

/** The parameters of the specification, without control and direction characters that would rearrange the page. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const field = (name: string) =>
    (query.get(name) ?? '')
      .replace(/[\p{Cc}\p{Cf}\p{Co}\s]+/gu, ' ')
      .trim()
      .slice(0, MOST);
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

const when = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

function Details({ facts }: { facts: Facts }) {
  const { error, code, description, from, at, id } = facts;
  const rows: Array<[string, string]> = [
    ['Error', error],
    ['Code', code],
    ['Description', description],
    ['From', from],
  ];
  return (
    <section className="card error-details" aria-labelledby="details-title">
      <div className="row justify-between">
        <h2 className="eyebrow" id="details-title">
          Details
        </h2>
        <button
          type="button"
          className="btn btn-secondary js-only"
          data-copy-details={JSON.stringify(facts)}
          aria-live="polite"
        >
          Copy Details
        </button>
      </div>
      <dl>
        {rows.map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
        <div>
          <dt>Time</dt>
          <dd>
            <time dateTime={at}>{`${when.format(new Date(at))} UTC`}</time>
          </dd>
        </div>
        <div>
          <dt>Session ID</dt>
          <dd className="font-mono">{id}</dd>
        </div>
      </dl>
    </section>
  );
}

/** Where failed sign-ins end; every link on it is ours, whatever the address says. */
export default function ErrorPage() {
  const facts = useLoaderData<typeof loader>();
  const { error, description, id } = facts;
  const { title, says, suggestions } = wordsFor(error);
  const raw = !isKnown(error) && error ? error : '';
  const mail = new URLSearchParams({ subject: `${title} (${id})` }).toString().replaceAll('+', '%20');
  return (
    <main data-no-return="" id="main" className="wrap error-page">
      <div className="grid content-start gap-6">
        <p className="eyebrow">Something did not work</p>
        <h1 className="h1">
          <span className="mark">{title}</span>
        </h1>
        <p className="lead">{description || raw || says}</p>
        <div className="row">
          <a className="btn btn-primary btn-lg" href="/chat">
            Try Again
          </a>
          <a className="btn btn-secondary btn-lg" href="/">
            Go Home
          </a>
          <button type="button" className="btn btn-secondary btn-lg js-only" data-back="">
            Go Back
          </button>
        </div>
        <p className="muted text-sm">
          Still stuck?{' '}
          <a className="link" href={`mailto:${site.supportEmail}?${mail}`}>
            Contact Support
          </a>{' '}
          or{' '}
          <a className="link" href="/contact?about=account">
            write to us here
          </a>
          , and name the session ID.
        </p>
      </div>
      <div className="grid content-start gap-6">
        <section aria-labelledby="solutions-title">
          <h2 className="h3" id="solutions-title">
            Suggested solutions
          </h2>
          <ol className="error-solutions">
            {suggestions.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        </section>
        <Details facts={facts} />
      </div>
    </main>
  );
}
