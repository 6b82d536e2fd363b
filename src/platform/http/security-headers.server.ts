import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const shared = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  'report-uri /api/csp-reports',
];

/** @param frame the only address, without its scheme, that the page may load or navigate in a frame */
export function appPolicy(nonce: string, frame?: string): string {
  return [
    ...shared,
    "form-action 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "worker-src 'self'",
    ...(frame === undefined ? [] : [`frame-src ${frame}`]),
  ].join('; ');
}

/** For the service worker script; it limits the requests that the worker makes. */
export const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Gives the frame an opaque origin and no network access; only its own script runs. */
export const previewPolicy = (nonce: string): string =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    'media-src data: blob:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

/** The same for each response, so that it can be cached. `formTargets` includes targets of redirects after a submit. */
export function publicPolicy(inlineScripts: readonly string[], formTargets: readonly string[]): string {
  const hashes = inlineScripts.map(
    (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return [
    ...shared,
    ["form-action 'self'", ...formTargets].join(' '),
    `script-src 'self' ${hashes.join(' ')}`.trim(),
  ].join('; ');
}

const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox";

/** Only dictation uses the microphone, and only on our own pages. */
const permissions = (hasDictation: boolean) =>
  `camera=(), geolocation=(), microphone=${hasDictation ? '(self)' : '()'}, payment=()`;

export function setBaseHeaders(response: ServerResponse, secure: boolean, hasDictation: boolean): void {
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'strict-origin-when-cross-origin');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('x-frame-options', 'DENY');
  response.setHeader('permissions-policy', permissions(hasDictation));
  response.setHeader('content-security-policy', dataPolicy);
  response.setHeader('cache-control', 'private, no-store');
  if (secure) response.setHeader('strict-transport-security', 'max-age=63072000; includeSubDomains');
}
