export interface PageHandle {
  /** `public`: cached, without React in the browser. `app`: rendered for each request and hydrated. */
  page: 'public' | 'app';
  /**
   * false: not cached, because the page depends on more than its path and whether the visitor is signed in. `guests`:
   * cached for guests only. `never`: the server keeps no rendered HTML at all, because the content may be gone at any
   * time.
   */
  cache?: boolean | 'guests' | 'never';
  query?: readonly string[];
  checkout?: boolean;
  footer?: boolean;
  /** false: no site header, because the page provides the same itself. Default: true. */
  header?: boolean;
  /** Inline script that runs before the first paint, allowed by nonce or hash. */
  script?: string;
  /** Modules that this response needs in addition to the route's own. */
  preloads?(loaderData: unknown): readonly string[];
}
