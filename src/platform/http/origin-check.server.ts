import { config, isLoopbackHost } from '../config/config.server.ts';

export function isKnownHost(host: string | undefined): boolean {
  if (!host) return false;
  if (host === new URL(config().publicUrl).host) return true;
  return isLoopbackHost(host);
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers send Origin with every change; a request without it must have `Sec-Fetch-Site: same-origin`. */
export function isFromOwnPage(
  method: string,
  headers: { origin?: string; site?: string; host?: string },
): boolean {
  if (safe.has(method)) return true;
  if (headers.origin === undefined) return headers.site === 'same-origin';
  if (headers.origin === new URL(config().publicUrl).origin) return true;
  // A loopback host other than PUBLIC_URL's (127.0.0.1, not localhost) counts as ours if the page came from it too.
  return isLoopbackHost(headers.host ?? '') && headers.origin === `http://${headers.host}`;
}
