/** What kind of page a route is: `public` pages send no React and are cached unless `cache` is false. */
export interface PageHandle {
  page: 'public' | 'app';
  cache?: boolean;
}
