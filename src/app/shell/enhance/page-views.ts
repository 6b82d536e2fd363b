import { consentVersion } from '#shared/consent.ts';
import { allowed } from './consent.ts';
import { listen, post } from './dom.ts';

let lastCounted: string | undefined;

/** Reports a page view, if the visitor agreed to analytics. Sent without cookies, so it is not tied to a session. */
function sendPageView(): void {
  const { pathname: path } = location;
  if (path === lastCounted || !allowed('analytics')) return;
  const view = {
    consent: consentVersion,
    path,
    // Only the first page of a visit has a referrer outside of this site.
    referrer: lastCounted ? undefined : document.referrer.split('/')[2],
    width: innerWidth < 768 ? 'narrow' : innerWidth < 1280 ? 'medium' : 'wide',
  };
  lastCounted = path;
  void post('/api/events', view, { credentials: 'omit', keepalive: true });
}

export function startPageViews(): void {
  listen('consent:changed', sendPageView);
  listen('page:shown', sendPageView);
  // A prerendered page may never be shown.
  if ((document as Document & { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', sendPageView);
  else sendPageView();
}
