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
 * Each build, setting and language has other files, so that its text differs and browsers take it as a new worker. Switched
 * off it takes itself away wherever it was.
 */
const workerText = (language: Locale) =>
  `self.offlineFiles = ${JSON.stringify(offlineApp() ? offlineFiles(language) : null)};\n${workerCode}`;

/** Of the page that asks; where it names none of ours, that of the request. */
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
