import { useLocation } from 'react-router';
import type { PageHandle } from '../../shared/page-handle.ts';
import { pageTitle } from '../../shared/page-title.ts';
import { notYet } from '../shell/places.ts';

export const handle: PageHandle = { page: 'public' };

export const meta = () => [{ title: pageTitle('Not here yet') }, { name: 'robots', content: 'noindex' }];

export const headers = () => ({ 'x-robots-tag': 'noindex' });

/** Stands at every address of the plan whose page is not built; no menu and no search engine leads here. */
export default function NotYet() {
  const { pathname } = useLocation();
  const name = notYet.find(({ path }) => path === pathname)?.name ?? 'This page';
  return (
    <main id="main" className="wrap message-page">
      <p className="eyebrow">{name}</p>
      <h1 className="h1">
        This page is <span className="mark">not here yet</span>
      </h1>
      <p className="lead">It is being made. Chat works today.</p>
      <div className="row">
        <a className="btn btn-primary btn-lg" href="/chat">
          Open chat
        </a>
        <a className="btn btn-secondary btn-lg" href="/">
          Return to Home
        </a>
      </div>
    </main>
  );
}
