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

/** Policy of an app page: only scripts that carry this response's nonce, and what they load. */
export function appPolicy(nonce: string): string {
  return [...shared, "form-action 'self'", `script-src 'nonce-${nonce}' 'strict-dynamic'`].join('; ');
}

/**
 * Policy of a public page, the same on each response so that it can be cached: our files and the named inline scripts.
 * @param formTargets origins that the answer to a form may lead to; browsers hold redirects to `form-action` too.
 */
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

/** Sets the headers that every response has, streams too; a handler may set its own over them. */
export function setBaseHeaders(response: ServerResponse, secure: boolean): void {
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'strict-origin-when-cross-origin');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('x-frame-options', 'DENY');
  response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
  response.setHeader('content-security-policy', dataPolicy);
  response.setHeader('cache-control', 'private, no-store');
  if (secure) response.setHeader('strict-transport-security', 'max-age=63072000; includeSubDomains');
}
