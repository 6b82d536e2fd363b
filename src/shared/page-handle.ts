export interface PageHandle {
  /** `public`: no React in the browser, kept in the cache. `app`: rendered for each request and hydrated. */
  page: 'public' | 'app';
  /**
   * false: depends on more than its path and on being signed in. `guests`: cached for guests alone. `never`: nor is what was
   * rendered kept, as it may be gone the next moment.
   */
  cache?: boolean | 'guests' | 'never';
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
