export interface PageHandle {
  /** `public`: no React in the browser, kept in the cache. `app`: rendered for each request and hydrated. */
  page: 'public' | 'app';
  /** false: depends on more than its path and on being signed in. `guests`: cached for guests alone. */
  cache?: boolean | 'guests';
  query?: readonly string[];
  checkout?: boolean;
  footer?: boolean;
  /** false: what the site's header holds stands in the page. Default: true. */
  header?: boolean;
  /** Inline script before the first paint, allowed by nonce or hash. */
  script?: string;
  /** Scripts that this answer needs beside the route's own, by the names of their modules. */
  preloads?(loaderData: unknown): readonly string[];
}
