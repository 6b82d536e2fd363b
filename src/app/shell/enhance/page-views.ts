import { consentVersion } from '#shared/consent.ts';
import { allowed } from './consent.ts';
import { listen, post } from './dom.ts';

let counted: string | undefined;

/** For whoever agreed to analytics; without the session's cookie. */
function sendPageView(): void {
  const { pathname: path } = location;
  if (path === counted || !allowed('analytics')) return;
  const view = {
    consent: consentVersion,
    path,
    // Only the page that a visit begins with was led to from elsewhere.
    referrer: counted ? undefined : document.referrer.split('/')[2],
    width: innerWidth < 768 ? 'narrow' : innerWidth < 1280 ? 'medium' : 'wide',
  };
  counted = path;
  void post('/api/events', view, { credentials: 'omit', keepalive: true });
}

export function startPageViews(): void {
  listen('consent:changed', sendPageView);
  listen('page:shown', sendPageView);
  // A page that is made ready in advance may never be seen.
  if ((document as Document & { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', sendPageView);
  else sendPageView();
}
