/** How a delivery is signed (protocols.md 1.4). */
import { createHmac } from 'node:crypto';
import type { CreemSwitches } from './switches.ts';

/** Creem's own form: hex, with the whole secret as it is written for a key. */
function creemHeaders(body: string, secret: string): Record<string, string> {
  return { 'creem-signature': createHmac('sha256', secret).update(body).digest('hex') };
}

/** Standard Webhooks: base64, with what follows whsec_ for a key; the time is the machine's, not the stand-ins'. */
function standardHeaders(id: string, body: string, secret: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}

/** The headers that carry the signature of `body`. */
export function signatureHeaders(
  form: CreemSwitches['signatureForm'],
  { id, body, secret }: { id: string; body: string; secret: string },
): Record<string, string> {
  return form === 'standard' ? standardHeaders(id, body, secret) : creemHeaders(body, secret);
}
