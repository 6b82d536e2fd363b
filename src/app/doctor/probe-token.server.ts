import { createHmac, timingSafeEqual } from 'node:crypto';

export const PROBE_HEADER = 'x-doctor-probe';
/** Forged address that `npm run doctor` sends, to see whether the proxy keeps addresses written by visitors. */
export const PROBE_FORWARDED_FOR = '192.0.2.7';
export const PROBE_PATH = '/api/doctor';
/** The largest upload of a visitor, plus some form overhead. */
export const PROBE_UPLOAD_BYTES = 10 * 1024 * 1024 + 64 * 1024;
/** Pause between the two events of the probe's stream. */
export const PROBE_PAUSE_MS = 1_000;

const VALID_SECONDS = 120;

const sign = (secret: string, until: number) =>
  createHmac('sha256', secret).update(`doctor probe until ${until}`).digest('base64url');

/** Returns a token that is valid for two minutes; creating one requires AUTH_SECRET. */
export function probeToken(authSecret: string, now = Date.now()): string {
  const until = Math.floor(now / 1000) + VALID_SECONDS;
  return `${until}.${sign(authSecret, until)}`;
}

export function isProbeToken(token: string | undefined, authSecret: string, now = Date.now()): boolean {
  const [until = '', signature = ''] = (token ?? '').split('.');
  const remaining = Number(until) - now / 1000;
  // Allows for a clock that is slightly ahead, but rejects tokens with a longer validity than ours.
  if (!/^\d+$/.test(until) || remaining <= 0 || remaining > 2 * VALID_SECONDS) return false;
  const expected = Buffer.from(sign(authSecret, Number(until)));
  const actual = Buffer.from(signature);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
