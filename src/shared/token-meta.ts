import { unindexedMeta } from './page-title.ts';

/**
 * For a page with a token in its address, together with `tokenHeaders`, whose header keeps the token out of every
 * request of the page. With no-referrer alone, a browser sends the form with `Origin: null` (Fetch, "append a request
 * Origin header"); the meta element relaxes that to the bare origin.
 */
export const tokenMeta = (title: string) => [
  ...unindexedMeta(title),
  { name: 'referrer', content: 'strict-origin' },
];
