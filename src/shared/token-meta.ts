import { unindexedMeta } from './page-title.ts';

/**
 * For a page whose address holds a token, with `tokenHeaders`: its header keeps the token from every request of the page.
 * Under no-referrer alone a browser sends the form with `Origin: null` (Fetch, "append a request Origin header"); the meta
 * element relaxes that to the bare origin.
 */
export const tokenMeta = (title: string) => [
  ...unindexedMeta(title),
  { name: 'referrer', content: 'strict-origin' },
];
