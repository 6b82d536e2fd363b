import { openSignIn } from '../../../client/page-events.ts';
import { useReload } from './use-reload.ts';

/** In place of the dashboard for a guest; after the sign-in the page turns into it. */
export function SignedOut() {
  useReload();
  return (
    <main id="main" className="wrap message-page">
      <h1 className="h1">Dashboard</h1>
      <p className="lead">Please sign in to access your dashboard</p>
      <div className="row">
        <button type="button" className="btn btn-primary btn-lg js-only" onClick={() => openSignIn()}>
          Sign In
        </button>
        <a className="btn btn-secondary btn-lg" href="/">
          Go to the start page
        </a>
      </div>
    </main>
  );
}
