import { createHash } from 'node:crypto';
import { url as scriptUrl } from 'virtual:offline-page';
import * as build from 'virtual:react-router/server-build';
import uiFont from '@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-latin-wght-normal.woff2?url';
import { renderToStaticMarkup } from 'react-dom/server';
import type { ServerBuild } from 'react-router';
import { type Locale, locale, m } from '#messages';
import { publicPolicy } from '#platform/http/security-headers.server.ts';
import { stylesheet } from '#platform/http/static-files.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { withLocalizedPaths } from '#platform/localized-assets.server.ts';
import { settingsVersion } from '#platform/settings/live-settings.server.ts';
import { textDirection } from '#shared/language-path.ts';
import { pageTitle } from '#shared/page-title.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { brandColorsPath } from '../brand-files.server.ts';
import { themeScript } from '../shell/theme-script.ts';
import { Wordmark } from '../shell/wordmark.tsx';
import type { OfflineFiles } from './service-worker.ts';

/** Includes the style sheets of shared pages, which can show messages without scripts. */
function stylesheets(): string[] {
  const { assets } = build as unknown as ServerBuild;
  const shared = Object.entries(assets.routes).find(([id]) => id.endsWith('/share.route'))?.[1]?.css ?? [];
  const paths = [stylesheet(), ...shared, brandColorsPath()].flatMap((path) => path?.replace(/#$/, '') ?? []);
  return [...new Set(paths)];
}

function KeptChats() {
  return (
    <section className="grid gap-3" aria-labelledby="offline-chats" data-chats="" hidden>
      <h2 className="h3" id="offline-chats">
        {m.offline_chats()}
      </h2>
      <ul className="card py-3" />
    </section>
  );
}

/** The page's script fills copies of these with chats and messages. */
function Templates() {
  return (
    <>
      <template id="kept-chat">
        <li className="border-t border-line first:border-t-0">
          <a className="flex min-h-(--hit) items-baseline justify-between gap-4 py-3" href="/chat">
            <span className="min-w-0 font-semibold wrap-anywhere" data-name="" dir="auto" />
            <time className="hint flex-none" />
          </a>
        </li>
      </template>
      <template id="kept-user">
        <article className="grid gap-2">
          <h2 className="visually-hidden">{m.shared_question()}</h2>
          <p className="bubble" data-text="" />
          <p className="fine text-end" data-files="" hidden />
        </article>
      </template>
      <template id="kept-assistant">
        <article className="grid gap-2">
          <h2 className="visually-hidden">{m.shared_reply()}</h2>
          <div className="min-w-0" data-reply="" dir="auto" />
          <p className="fine" data-partial="" hidden />
          <p className="fine" data-files="" hidden />
        </article>
      </template>
    </>
  );
}

/** The same for all users of a language: its script adds personal content from the browser's storage. */
function OfflinePage() {
  return (
    <html lang={locale()} dir={textDirection(locale())} data-page="app">
      <head>
        <meta charSet="utf-8" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, allowed by its hash */}
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{pageTitle(m.offline_title())}</title>
        <link rel="preload" href={uiFont} as="font" type="font/woff2" crossOrigin="anonymous" />
        {stylesheets().map((path) => (
          <link key={path} rel="stylesheet" href={path} />
        ))}
        <script type="module" src={withLocalizedPaths(scriptUrl, locale())} />
      </head>
      <body>
        <header className="border-b border-line">
          <div className="wrap py-2">
            <Wordmark />
          </div>
        </header>
        <main id="main" className="wrap py-8">
          <div className="mx-auto grid max-w-160 gap-6">
            <p data-up="" hidden>
              <a className="link text-sm" href="/chat">
                {m.offline_all()}
              </a>
            </p>
            <h1 className="h2 wrap-anywhere" dir="auto">
              <span data-away="">{m.offline_title()}</span>
              <span data-back="" hidden>
                {m.offline_back()}
              </span>
            </h1>
            <Notice
              kind="info"
              as="div"
              className="sticky top-2 z-(--z-sticky) flex flex-wrap items-center justify-between gap-3"
            >
              <p role="status">
                <span data-away="">
                  <span data-reason="">{m.offline_text()}</span>
                  <span data-draft="" hidden>
                    {m.chat_offline()}
                  </span>
                </span>
                <span data-back="" hidden>
                  {m.offline_reload()}
                </span>
              </p>
              <Button data-retry="">
                <span data-away="">{m.common_try_again()}</span>
                <span data-back="" hidden>
                  {m.common_reload()}
                </span>
              </Button>
            </Notice>
            <p className="muted" data-missing="" hidden>
              {m.offline_missing()}
            </p>
            <KeptChats />
            <div className="grid gap-6" data-messages="" hidden>
              <p className="fine text-center" data-earlier="" hidden>
                {m.offline_earlier()}
              </p>
            </div>
            <div className="grid gap-2" data-draft="" hidden>
              <label className="font-semibold text-sm" htmlFor="offline-draft">
                {m.offline_draft()}
              </label>
              <textarea id="offline-draft" className="input" rows={3} dir="auto" autoComplete="off" />
            </div>
          </div>
          <Templates />
        </main>
      </body>
    </html>
  );
}

export const offlinePolicy = () => publicPolicy([themeScript], []);

const pages = new Map<string, string>();

export function offlinePage(language: Locale): string {
  const key = `${language} ${settingsVersion()}`;
  const cached = pages.get(key);
  if (cached) return cached;
  const html = `<!doctype html>${withLocale(language, () => renderToStaticMarkup(<OfflinePage />))}`;
  // Bounds the cache: pages of earlier settings are not needed again, and settings rarely change.
  if (pages.size > 50) pages.clear();
  pages.set(key, html);
  return html;
}

export const offlinePath = '/offline';

export function offlineFiles(language: Locale): OfflineFiles {
  const html = offlinePage(language);
  const assetPaths = [...html.matchAll(/(?:href|src)="(\/(?:assets|brand)\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  const hash = createHash('sha256').update(html).digest('base64url').slice(0, 16);
  return {
    cache: `offline-${hash}`,
    page: `${offlinePath}?lang=${language}`,
    files: [...new Set(assetPaths)],
  };
}
