import { createHash } from 'node:crypto';
import sheet from './admin.css?inline';
import type { AdminRoute } from './admin-request.server.ts';

const hash = createHash('sha256').update(sheet).digest('base64url').slice(0, 10);

export const sheetPath = `/admin/style.css?${hash}`;

/** Served here and not as a static file, because those are public. */
export const sheetRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/admin/style.css',
    anySessionAge: true,
    handle: ({ c }) =>
      c.body(sheet, 200, {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'private, max-age=31536000, immutable',
      }),
  },
];
