import { useContext } from 'react';
import { useLocation } from 'react-router';
import { pageTitle } from '../../shared/page-title.ts';
import { RequestFactsContext } from '../shell/request-facts.ts';
import { Slot } from '../shell/slot.tsx';

/** A failure of ours, with the id under which the log has it. In the browser the id that the server wrote stays. */
export function ErrorView({ status }: { status: number }) {
  const { requestId } = useContext(RequestFactsContext);
  const { pathname, search } = useLocation();
  const here = pathname + search;
  return (
    <main id="main" className="wrap message-page">
      <title>{pageTitle('Something went wrong')}</title>
      <meta name="robots" content="noindex" />
      <p className="eyebrow">Error {status}</p>
      <h1 className="h1">
        <span className="mark">Something went wrong</span>
      </h1>
      <p className="lead">
        The page could not be made. Nothing that you stored is lost. Please try again in a moment.
      </p>
      <div className="row">
        <a className="btn btn-primary btn-lg" href={here}>
          Try again
        </a>
        <a className="btn btn-secondary btn-lg" href="/">
          Return to Home
        </a>
      </div>
      <Slot as="p" className="fine" text={requestId ? `Request ${requestId}` : ''} />
    </main>
  );
}
