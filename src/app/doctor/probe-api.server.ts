import { setTimeout as delay } from 'node:timers/promises';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { config } from '#platform/config/config.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { clientAddress, parseTrustedNetworks } from '#platform/http/client-address.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { readBytes } from '#platform/http/request-body.server.ts';
import {
  isProbeToken,
  PROBE_FORWARDED_FOR,
  PROBE_HEADER,
  PROBE_PATH,
  PROBE_PAUSE_MS,
  PROBE_UPLOAD_BYTES,
} from './probe-token.server.ts';

/** A request to PUBLIC_URL as the site received it. */
export interface ReceivedRequest {
  /** Address that connected to the process, usually the proxy. */
  peer: string;
  forwardedFor: string | null;
  /** Whether the peer's X-Forwarded-For is trusted. */
  trusted: boolean;
}

function checkToken(c: Context<AppEnv>): void {
  if (!isProbeToken(c.req.header(PROBE_HEADER), config().authSecret)) throw notFound();
}

function twoEvents(): ReadableStream<Uint8Array> {
  const event = (data: number) => new TextEncoder().encode(`data: ${data}\n\n`);
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(event(1));
      await delay(PROBE_PAUSE_MS);
      controller.enqueue(event(2));
      controller.close();
    },
  });
}

/** Lets `npm run doctor` check, through PUBLIC_URL, how the proxy forwards requests; 404 for everybody else. */
export function probeApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get(`${PROBE_PATH}/request`, (c) => {
    checkToken(c);
    const peer = (getConnInfo(c).remote.address ?? '').replace(/^::ffff:/, '');
    const received: ReceivedRequest = {
      peer,
      forwardedFor: c.req.header('x-forwarded-for') ?? null,
      trusted:
        clientAddress(peer, PROBE_FORWARDED_FOR, parseTrustedNetworks(config().TRUSTED_PROXIES)) ===
        PROBE_FORWARDED_FOR,
    };
    return c.json(received, 200, { 'cache-control': 'no-store' });
  });
  api.get(`${PROBE_PATH}/stream`, (c) => {
    checkToken(c);
    // The same headers as a reply's stream, so that a proxy treats it the same way.
    return c.body(twoEvents(), 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
      'x-accel-buffering': 'no',
    });
  });
  api.post(`${PROBE_PATH}/upload`, async (c) => {
    checkToken(c);
    const { length } = await readBytes(c.req.raw, PROBE_UPLOAD_BYTES);
    return c.json({ bytes: length });
  });
  return api;
}
