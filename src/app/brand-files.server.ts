import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { brandFile, isBrandFile } from '#platform/brand-files/brand-files.server.ts';
import { maskableIcon } from '#platform/brand-files/maskable-icon.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { brandColors } from '#platform/settings/brand-colors.server.ts';
import { pageColors } from '#shared/page-colors.ts';
import { setting } from '#shared/settings.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12);

/** Returns the path of the style sheet with the operator's colors; null if no colors are set. */
export function brandColorsPath(): string | null {
  const css = brandColors();
  return css === '' ? null : `/brand/colors-${hashOf(css)}.css`;
}

const shippedIcons = /^\/(favicon\.(svg|ico)|apple-touch-icon\.png|icon-(192|512|maskable-512)\.png)$/;

/** Redirects the paths of the shipped icons to the operator's logo; null if there is none or the path is another. */
export function brandIconResponse(c: Context<AppEnv>): Response | null {
  const isIconRequest = ['GET', 'HEAD'].includes(c.req.method) && shippedIcons.test(c.req.path);
  const icon = isIconRequest && setting('brand.logo')?.icon;
  return icon ? c.body(null, 302, { location: icon, 'cache-control': 'no-cache' }) : null;
}

export function brandFilesApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/brand/:name', async (c) => {
    const name = c.req.param('name');
    const immutable = 'public, max-age=31536000, immutable';
    if (isBrandFile(name) || name.startsWith('maskable-')) {
      const bytes = await (isBrandFile(name) ? brandFile(name) : maskableIcon(name, pageColors.light));
      if (!bytes) throw notFound();
      return c.body(new Uint8Array(bytes), 200, { 'content-type': 'image/png', 'cache-control': immutable });
    }
    const css = brandColors();
    // An older page requests an older hash: it gets the current colors, without being allowed to cache them.
    if (css === '' || !/^colors-[\w-]{12}\.css$/.test(name)) throw notFound();
    const isCurrent = name === `colors-${hashOf(css)}.css`;
    return c.body(css, 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': isCurrent ? immutable : 'private, no-store',
    });
  });
  return api;
}
