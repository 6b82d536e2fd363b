import pg from 'pg';
import { log } from '#platform/log.server.ts';
import { inUtc } from './session-options.server.ts';

/** By channel. One connection listens to all of them. */
const handlers = new Map<string, (payload: string) => void>();

let listener: pg.Client | undefined;
let closing = false;

/** Call it before `startListening`. Notifications sent while the connection is down are lost, so readers also poll. */
export function onNotification(channel: string, handler: (payload: string) => void): void {
  handlers.set(channel, handler);
}

/** Reconnects after a second when the connection breaks or cannot be made. */
export async function startListening(connection: pg.ClientConfig): Promise<void> {
  closing = false;
  const client = new pg.Client({
    ...inUtc(connection),
    application_name: 'site-listen',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  });
  const reconnect = () => {
    if (listener !== client || closing) return;
    listener = undefined;
    setTimeout(() => {
      if (!closing) startListening(connection).catch(() => undefined);
    }, 1_000).unref();
  };
  listener = client;
  client.on('notification', ({ channel, payload }) => handlers.get(channel)?.(payload ?? ''));
  client.on('error', reconnect);
  client.on('end', reconnect);
  try {
    await client.connect();
    for (const channel of handlers.keys()) await client.query(`listen ${channel}`);
  } catch (error) {
    log.warn({ error }, 'not receiving notifications from other processes; retrying');
    await client.end().catch(() => undefined);
    reconnect();
  }
}

export async function stopListening(): Promise<void> {
  closing = true;
  await listener?.end().catch(() => undefined);
  listener = undefined;
}
