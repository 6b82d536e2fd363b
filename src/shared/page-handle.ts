/** What a route module says of its page: `export const handle: PageHandle = { page: 'public' }`. */
export interface PageHandle {
  /** `public`: no React in the browser, kept in the cache. `app`: rendered for each request and hydrated. */
  page: 'public' | 'app';
  /**
   * false: a public page that depends on more than its path and on being signed in; never cached. `guests`: it shows
   * something of whoever is signed in, and is cached for guests alone.
   */
  cache?: boolean | 'guests';
  /** Parameters of the address that a public page depends on: with one of them it is not kept. */
  query?: readonly string[];
  /** A form of this public page may lead to the payment provider. */
  checkout?: boolean;
  /** Whether the site's footer follows the page; without it the page has the whole screen. Default: public pages only. */
  footer?: boolean;
  /** false: the page has the window, and what the site's header holds stands in it. Default: true. */
  header?: boolean;
  /** Inline script that runs before the first paint, right after the page's markup: allowed by nonce or hash. */
  script?: string;
}
