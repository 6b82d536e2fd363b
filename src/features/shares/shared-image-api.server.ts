import { Hono } from 'hono';
import { readSharedPicture } from '#features/images/service.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { contentDisposition } from '#platform/http/content-disposition.server.ts';
import { notFound, requireFound } from '#platform/http/problem.server.ts';
import { openShare } from './service.server.ts';

/** Serves an image only while its page is shown: it is never cached, and its file has no other address. */
export function sharedImageApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/share/:id/images/:at', async (c) => {
    const at = c.req.param('at');
    const page = requireFound(await openShare(c.req.param('id')));
    const id = /^[1-9]\d?$/.test(at) ? page.picture_ids?.[Number(at) - 1] : undefined;
    if (id === undefined) throw notFound();
    const requestedWidth = c.req.query('w') ?? '';
    const width = /^\d{1,4}$/.test(requestedWidth) ? Number(requestedWidth) : null;
    const { type, bytes } = await readSharedPicture(page.user_id, { id, width });
    const kind = c.req.query('download') === undefined ? 'inline' : 'attachment';
    return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
      'content-type': type,
      'content-disposition': contentDisposition(kind, `image-${at}.${type.slice(6)}`),
      'cache-control': 'private, no-store',
      ...(page.indexed ? {} : { 'x-robots-tag': 'noindex, nofollow' }),
    });
  });
}
