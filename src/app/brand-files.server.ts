import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { brandColors } from '#platform/settings/brand-colors.server.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12);

/** Of the style sheet with the operator's colors; null where there are none. */
export function brandColorsPath(): string | null {
  const css = brandColors();
  return css === '' ? null : `/brand/colors-${hashOf(css)}.css`;
}

export function brandFilesApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/brand/:name', (c) => {
    const css = brandColors();
    // An older page names an older sheet: it gets the colors of today, and keeps them for no other page.
    if (css === '' || !/^colors-[\w-]{12}\.css$/.test(c.req.param('name'))) throw notFound();
    const isNamed = c.req.param('name') === `colors-${hashOf(css)}.css`;
    return c.body(css, 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': isNamed ? 'public, max-age=31536000, immutable' : 'private, no-store',
    });
  });
  return api;
}
