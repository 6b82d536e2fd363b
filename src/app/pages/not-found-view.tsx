import { pageTitle } from '../../shared/page-title.ts';

/** The words of the specification for a path that is not ours. */
export function NotFoundView() {
  return (
    <main data-no-return="" id="main" className="wrap message-page">
      <title>{pageTitle('Page not found')}</title>
      <h1 className="display">
        <span className="mark">404</span>
      </h1>
      <p className="lead">Oops! Page not found</p>
      <div className="row">
        <a className="btn btn-primary btn-lg" href="/">
          Return to Home
        </a>
        <a className="btn btn-secondary btn-lg" href="/chat">
          Open chat
        </a>
      </div>
    </main>
  );
}
