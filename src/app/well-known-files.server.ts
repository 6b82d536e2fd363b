import { Hono } from 'hono';
import { featureTable, welcomeCredits } from '#features/credits/contract.ts';
import { promptPages } from '#features/prompts/service.server.ts';
import { locale, locales, m } from '#messages';
import { iconSide } from '#platform/brand-files/logo-maker-protocol.ts';
import { maskablePath } from '#platform/brand-files/maskable-icon.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { staticText } from '#platform/http/static-text.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { escapeXml } from '#shared/escape-xml.ts';
import { alternates, baseLanguage, textDirection, toLocale } from '#shared/language-path.ts';
import { pageColors } from '#shared/page-colors.ts';
import { setting } from '#shared/settings.ts';
import { chat, dashboard, isOffered, tools, toolsIndex } from './shell/site-pages.ts';
import { isEnglishOnly, siteMap } from './site-map.server.ts';

/** A site map may list 50,000 URLs (sitemaps.org); 1,000 are reserved for our own pages. */
const MAX_PROMPTS = Math.floor(49_000 / locales.length);
const promptPriority = 0.6;

async function siteMapXml(): Promise<string> {
  const { publicUrl } = config();
  const prompts = (featureTable.prompts.offered ? await promptPages(MAX_PROMPTS) : []).map((page) => ({
    ...page,
    priority: promptPriority,
  }));
  const urls = [...siteMap(), ...prompts].flatMap(({ path, updated, priority }) => {
    const changed = updated === null ? '' : `<lastmod>${updated}</lastmod>`;
    const alternatePaths = isEnglishOnly(path) ? [] : alternates(path);
    const links = alternatePaths.map(
      ({ language, path: other }) =>
        `<xhtml:link rel="alternate" hreflang="${language}" href="${escapeXml(publicUrl + other)}"/>`,
    );
    const paths =
      alternatePaths.length > 0 ? [...new Set(alternatePaths.map((other) => other.path))] : [path];
    const tail = `${changed}<priority>${priority.toFixed(1)}</priority>${links.join('')}`;
    return paths.map((address) => `<url><loc>${escapeXml(publicUrl + address)}</loc>${tail}</url>`);
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** RFC 9309. Pages that should not be indexed say so in their own response. */
const robots = () =>
  ['User-agent: *', 'Allow: /', 'Disallow: /api/', '', `Sitemap: ${config().publicUrl}/sitemap.xml`, ''].join(
    '\n',
  );

/** RFC 9116, which recommends an expiry date less than a year ahead. */
function securityText(): string {
  const { publicUrl } = config();
  const now = new Date();
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 7, 1)).toISOString();
  return [
    `Contact: mailto:${setting('contact.email')}`,
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

function brandIcons() {
  const src = setting('brand.logo')?.icon;
  if (!src) return null;
  const common = { sizes: `${iconSide}x${iconSide}`, type: 'image/png' };
  return [
    { src, ...common, purpose: 'any' },
    { src: maskablePath(src), ...common, purpose: 'maskable' },
  ];
}

/** All use the app's icon, because separate icons would be unreadable at that size. */
const shortcuts = () =>
  [
    ...(isOffered(chat.path) ? [{ name: m.chat_new(), url: `${chat.path}/new` }] : []),
    ...tools().flatMap(({ path, name }) => (path === toolsIndex.path ? [] : [{ name: name(), url: path }])),
  ].map((shortcut) => ({ ...shortcut, icons: [brandIcons()?.[0] ?? icon(192, 'any')] }));

/** The colors are those of the light theme: the system uses them before the page is drawn. */
const manifest = () =>
  JSON.stringify({
    id: '/',
    name: setting('brand.name'),
    short_name: setting('brand.name'),
    description: m.home_description({ credits: welcomeCredits() }),
    lang: locale(),
    dir: textDirection(locale()),
    start_url: isOffered(chat.path) ? chat.path : dashboard.path,
    scope: '/',
    display: 'standalone',
    background_color: pageColors.light,
    theme_color: pageColors.light,
    categories: ['productivity'],
    shortcuts: shortcuts(),
    icons: brandIcons() ?? [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      icon(192, 'any'),
      icon(512, 'any'),
      icon(512, 'maskable'),
    ],
  });

export function wellKnownFilesApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/sitemap.xml', async (c) => staticText(c, 'application/xml', await siteMapXml()));
  api.get('/.well-known/security.txt', (c) => staticText(c, 'text/plain', securityText()));
  api.get('/robots.txt', (c) => staticText(c, 'text/plain', robots()));
  // Browsers request the manifest without cookies, so the page passes its language in the query.
  api.get('/site.webmanifest', (c) => {
    const language = toLocale(c.req.query('lang')) ?? baseLanguage;
    return staticText(c, 'application/manifest+json', withLocale(language, manifest));
  });
  return api;
}
