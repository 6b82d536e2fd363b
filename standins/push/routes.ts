/**
 * A push service (RFC 8030) and its subscribed browsers: POST /push/subscriptions creates one, and GET /push/messages
 * shows the messages that it would have received, decrypted with its keys. Limits of fidelity: nothing is stored for an
 * offline browser, a later push with the same topic replaces none, and everything is lost when the process ends.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { oneOf, startingAs } from '../control.ts';
import { baseOf, HttpError, isRecord, readBytes, readJson, sendJson } from '../http.ts';
import type { StandIn, StandInParts } from '../standin.ts';
import { type BrowserKeys, decrypt, newKeys } from './browser-keys.ts';
import { refusalOf } from './vapid-token.ts';

/** `hold` waits for POST /control {"release": ...} with the id of the subscription. */
const FAULTS = ['none', '404', '410', '429', '500', '403', 'hold'] as const;

/** The size in bytes that push services guarantee to accept. */
const MAX_BODY = 4096;

interface Subscription extends BrowserKeys {
  applicationServerKey: string;
}

interface Message {
  subscription: string;
  at: string;
  ttl: number;
  topic: string | null;
  urgency: string | null;
  bytes: number;
  /** Null when the browser could not decrypt it. */
  data: string | null;
}

const singleHeader = (header: string | string[] | undefined) => (typeof header === 'string' ? header : null);

function read(body: Buffer, keys: BrowserKeys): string | null {
  try {
    return decrypt(body, keys).toString();
  } catch {
    return null;
  }
}

/** Reads the headers of a push. @throws HttpError 400 for headers that RFC 8030 does not allow. */
function readHeaders({ headers }: IncomingMessage): Pick<Message, 'ttl' | 'topic' | 'urgency'> {
  const [ttl, topic, urgency] = [
    singleHeader(headers.ttl),
    singleHeader(headers.topic),
    singleHeader(headers.urgency),
  ];
  if (ttl === null || !/^\d+$/.test(ttl)) throw new HttpError(400, 'bad_ttl', 'TTL is missing.');
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic))
    throw new HttpError(400, 'bad_topic', 'Topic is no topic.');
  if (urgency !== null && !['very-low', 'low', 'normal', 'high'].includes(urgency))
    throw new HttpError(400, 'bad_urgency', 'Urgency is none.');
  if (headers['content-encoding'] !== 'aes128gcm')
    throw new HttpError(400, 'bad_encoding', 'Content-Encoding must be aes128gcm.');
  return { ttl: Number(ttl), topic, urgency };
}

export function pushStandIn({ router, control, log, held }: StandInParts): StandIn {
  const subscriptions = new Map<string, Subscription>();
  const messages: Message[] = [];
  const switches = control.section('push', { fault: startingAs('none', oneOf(FAULTS)) });

  router.on('POST', '/push/subscriptions', async ({ req, res }) => {
    const body = await readJson(req);
    const key = isRecord(body) ? body.applicationServerKey : undefined;
    if (typeof key !== 'string' || Buffer.from(key, 'base64url').length !== 65)
      throw new HttpError(400, 'bad_key', 'applicationServerKey must be a point of P-256 in base64url.');
    const id = randomUUID();
    const keys = newKeys();
    subscriptions.set(id, { ...keys, applicationServerKey: key });
    sendJson(res, 201, {
      endpoint: `${baseOf(req)}/push/send/${id}`,
      keys: {
        p256dh: keys.ecdh.getPublicKey().toString('base64url'),
        auth: keys.auth.toString('base64url'),
      },
    });
  });
  router.on('GET', '/push/messages', ({ res, url }) => {
    const subscriptionId = url.searchParams.get('endpoint')?.split('/').at(-1);
    sendJson(
      res,
      200,
      messages.filter(({ subscription }) => !subscriptionId || subscription === subscriptionId),
    );
  });
  router.on('POST', '/push/send/:id', async ({ req, res, url, params: { id = '' } }) => {
    log.open(req, res, url.pathname, {
      detail: { kind: 'push', ttl: req.headers.ttl, topic: req.headers.topic },
    });
    const body = await readBytes(req, MAX_BODY);
    const { fault } = switches();
    if (fault === 'hold' && !(await held.wait(id, res))) return;
    if (fault !== 'none' && fault !== 'hold')
      return sendJson(res, Number(fault), { error: 'The stand-in was told to.' }, { 'retry-after': 1 });
    const subscription = subscriptions.get(id);
    if (!subscription) throw new HttpError(410, 'gone', 'No browser has this subscription.');
    const refusal = refusalOf(req.headers.authorization, {
      key: subscription.applicationServerKey,
      audience: baseOf(req),
    });
    if (refusal) throw new HttpError(refusal.status, 'bad_vapid', refusal.reason);
    const options = readHeaders(req);
    messages.push({
      ...{ subscription: id, at: new Date().toISOString(), ...options, bytes: body.length },
      data: read(body, subscription),
    });
    res.writeHead(201, { location: `${baseOf(req)}/push/sent/${messages.length}`, ttl: options.ttl }).end();
  });
  return {
    name: 'Push service',
    about:
      'Notifications of browsers that POST /push/subscriptions made. Those of a real browser go to its own service.',
    links: [{ href: '/push/messages', text: 'What the browsers were told' }],
  };
}
