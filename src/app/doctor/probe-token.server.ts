import { createHmac, timingSafeEqual } from 'node:crypto';

export const PROBE_HEADER = 'x-doctor-probe';
/** As `npm run doctor` sends it, so that a proxy shows what it does with an address that a visitor wrote. */
export const PROBE_FORWARDED_FOR = '192.0.2.7';
export const PROBE_PATH = '/api/doctor';
/** The most that a visitor uploads, and a little of a form around it. */
export const PROBE_UPLOAD_BYTES = 10 * 1024 * 1024 + 64 * 1024;
/** Between the two events of the probe's stream. */
export const PROBE_PAUSE_MS = 1_000;

const VALID_SECONDS = 120;

const proof = (secret: string, until: number) =>
  createHmac('sha256', secret).update(`doctor probe until ${until}`).digest('base64url');

/** Only who has AUTH_SECRET makes one, for two minutes. */
export function probeToken(authSecret: string, now = Date.now()): string {
  const until = Math.floor(now / 1000) + VALID_SECONDS;
  return `${until}.${proof(authSecret, until)}`;
}

export function isProbeToken(token: string | undefined, authSecret: string, now = Date.now()): boolean {
  const [until = '', given = ''] = (token ?? '').split('.');
  const left = Number(until) - now / 1000;
  // A clock that is a little ahead makes one that lasts a little longer.
  if (!/^\d+$/.test(until) || left <= 0 || left > 2 * VALID_SECONDS) return false;
  const wanted = Buffer.from(proof(authSecret, Number(until)));
  const shown = Buffer.from(given);
  return wanted.length === shown.length && timingSafeEqual(wanted, shown);
}
