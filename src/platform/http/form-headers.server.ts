import type { HeadersFunction } from 'react-router';

/** Headers of a page with a form, which is not cached unless its loader sets `cache-control`. */
export const formHeaders: HeadersFunction = ({ actionHeaders, loaderHeaders }) => {
  const headers = new Headers({ 'cache-control': loaderHeaders.get('cache-control') ?? 'private, no-store' });
  const retryAfter = actionHeaders.get('retry-after');
  if (retryAfter) headers.set('retry-after', retryAfter);
  return headers;
};

export const tokenHeaders: HeadersFunction = () => ({
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
});
