import { Hono } from 'hono';
import { site } from '../../content/site.ts';
import { promptPages } from '../features/prompts/service.server.ts';
import { config } from '../platform/config/config.server.ts';
import type { AppEnv } from '../platform/http/env.server.ts';
import { fixedText } from '../platform/http/fixed-text.server.ts';
import { escapeXml } from '../shared/escape-xml.ts';
import { siteMap } from './site-map.server.ts';

/** A site map holds 50,000 addresses (sitemaps.org); the rest is for our own pages. */
const MAX_PROMPTS = 49_000;
const promptPriority = 0.6;

/** The site map by sitemaps.org 0.9: every page that is there for everybody, each published prompt among them. */
async function siteMapXml(): Promise<string> {
  const { publicUrl } = config();
  const prompts = (await promptPages(MAX_PROMPTS)).map((page) => ({ ...page, priority: promptPriority }));
  const urls = [...siteMap(), ...prompts].map(({ path, updated, priority }) => {
    const address = publicUrl + (path === '/' ? '/' : path);
    const changed = updated === null ? '' : `<lastmod>${updated}</lastmod>`;
    return `<url><loc>${escapeXml(address)}</loc>${changed}<priority>${priority.toFixed(1)}</priority></url>`;
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** What crawlers may read (RFC 9309): all but the API. What is not to be listed says so itself. */
const robots = () =>
  ['User-agent: *', 'Allow: /', 'Disallow: /api/', '', `Sitemap: ${config().publicUrl}/sitemap.xml`, ''].join(
    '\n',
  );

/** Where a security researcher reports what they found (RFC 9116, which wants an end of less than a year). */
function securityText(): string {
  const { publicUrl } = config();
  const now = new Date();
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 7, 1)).toISOString();
  return [
    `Contact: mailto:${site.supportEmail}`,
    `Contact: ${publicUrl}/contact?about=problem`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}

const icon = (size: number, purpose: 'any' | 'maskable') => ({
  src: purpose === 'any' ? `/icon-${size}.png` : '/icon-maskable-512.png',
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** The web application manifest. Its colors are those of the light theme, where the system draws before the page. */
const manifest = () =>
  JSON.stringify({
    id: '/',
    name: site.name,
    short_name: site.name,
    description: site.description,
    lang: 'en',
    start_url: '/chat',
    scope: '/',
    display: 'standalone',
    background_color: '#fbfaf6',
    theme_color: '#fbfaf6',
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      icon(192, 'any'),
      icon(512, 'any'),
      icon(512, 'maskable'),
    ],
  });

/** `/sitemap.xml`, `/robots.txt`, `/.well-known/security.txt` and `/site.webmanifest`. */
export function crawlersApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/sitemap.xml', async (c) => fixedText(c, 'application/xml', await siteMapXml()));
  api.get('/.well-known/security.txt', (c) => fixedText(c, 'text/plain', securityText()));
  api.get('/robots.txt', (c) => fixedText(c, 'text/plain', robots()));
  api.get('/site.webmanifest', (c) => fixedText(c, 'application/manifest+json', manifest()));
  return api;
}
