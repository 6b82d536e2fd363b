import { code as workerCode } from 'virtual:service-worker';
import { type Context, Hono } from 'hono';
import { type Locale, locale } from '#messages';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { workerPolicy } from '#platform/http/security-headers.server.ts';
import { staticText } from '#platform/http/static-text.server.ts';
import { toLocale } from '#shared/language-path.ts';
import { offlineApp } from '#shared/offline-app.ts';
import { offlineFiles, offlinePage, offlinePath, offlinePolicy } from './offline-page.server.tsx';

/**
 * Returns the service worker's code, which names the offline files: browsers install a new worker when build, settings
 * or language change it. Without `offlineApp`, the worker unregisters itself.
 */
const workerText = (language: Locale) =>
  `self.offlineFiles = ${JSON.stringify(offlineApp() ? offlineFiles(language) : null)};\n${workerCode}`;

/** Returns the language in the query, or that of the request if the query names none of ours. */
const languageOf = (c: Context<AppEnv>) => toLocale(c.req.query('lang')) ?? locale();

export function offlineApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/service-worker.js', (c) => {
    c.header('content-security-policy', workerPolicy);
    return staticText(c, 'text/javascript', workerText(languageOf(c)));
  });
  api.get(offlinePath, (c) => {
    c.header('content-security-policy', offlinePolicy());
    return staticText(c, 'text/html', offlinePage(languageOf(c)));
  });
  return api;
}
