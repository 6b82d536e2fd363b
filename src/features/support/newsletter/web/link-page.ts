import type { MetaDescriptor } from 'react-router';
import { pageTitle } from '../../../../shared/page-title.ts';

/**
 * What a page with a token in its address says of itself, as that of a sign-in link does: no request of the page tells the
 * token, and its form still sends its origin.
 */
export const linkMeta = (title: string): MetaDescriptor[] => [
  { title: pageTitle(title) },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'strict-origin' },
];

/** Headers of such a page: nobody keeps it. */
export const linkHeaders = () => ({
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
});
