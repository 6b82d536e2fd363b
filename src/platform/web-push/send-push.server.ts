import { createECDH } from 'node:crypto';
import ece from 'http_ece';
import { log } from '../log.server.ts';
import { countPush } from '../metrics/counters.server.ts';
import { outbound } from '../outbound/outbound.server.ts';
import { OutboundRefused } from '../outbound/outbound-errors.ts';
import type { PushSubscription } from './push-subscription.server.ts';
import { vapidAuthorization } from './vapid-key.server.ts';

interface Push {
  message: object;
  /** Seconds for which the push service stores it while the browser is offline. */
  ttl: number;
  /** A later push with the same topic replaces a stored one. Up to 32 base64url characters. */
  topic: string;
}

/** Pushes are padded to this length, so that it reveals nothing; push services accept 4,096 bytes after encryption. */
const PLAIN_BYTES = 2_048;

/** Encrypts a message (RFC 8291). */
function encrypt({ p256dh, auth }: PushSubscription, message: object): Buffer {
  const plain = Buffer.from(JSON.stringify(message));
  if (plain.length > PLAIN_BYTES) throw new Error(`A push of ${plain.length} bytes is too long.`);
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  const pad = PLAIN_BYTES - plain.length;
  return ece.encrypt(plain, { version: 'aes128gcm', dh: p256dh, privateKey, authSecret: auth, pad });
}

/** `gone`: the browser has ended the subscription. `rejected`: a retry is pointless. `failed`: a retry may succeed. */
export type PushOutcome = 'sent' | 'gone' | 'rejected' | 'failed';

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'failed' : 'rejected';
}

/** The host alone, for logs: the path makes the endpoint a secret. */
const serviceOf = (endpoint: string) => URL.parse(endpoint)?.host;

async function post(subscription: PushSubscription, { message, ttl, topic }: Push): Promise<PushOutcome> {
  const { endpoint } = subscription;
  try {
    const response = await outbound(endpoint, {
      method: 'POST',
      headers: {
        authorization: vapidAuthorization(new URL(endpoint).origin),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(ttl),
        topic,
        urgency: 'normal',
      },
      body: encrypt(subscription, message),
      // Short, because other pushes are waiting.
      firstByteMs: 5_000,
      totalMs: 6_000,
      maxBytes: 16 * 1024,
    });
    response.release();
    const outcome = outcomeOf(response.status);
    if (outcome === 'rejected' || outcome === 'failed')
      log.warn(
        { service: serviceOf(endpoint), status: response.status },
        'a push service rejected a notification',
      );
    return outcome;
  } catch (error) {
    log.warn({ service: serviceOf(endpoint), error }, 'a push service could not be reached');
    return error instanceof OutboundRefused ? 'rejected' : 'failed';
  }
}

export async function sendPush(subscription: PushSubscription, push: Push): Promise<PushOutcome> {
  const outcome = await post(subscription, push);
  countPush(outcome);
  return outcome;
}
