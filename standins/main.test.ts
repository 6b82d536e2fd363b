import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from './spawn.ts';

let running: RunningStandIns;
beforeAll(async () => {
  running = await spawnStandIns();
});
afterAll(() => running.remove());

/** Uses node:http, because fetch does not let a test set the Host header. */
function statusWith(headers: Record<string, string>, path = '/clock'): Promise<number> {
  return new Promise((resolve, reject) => {
    const req = request(`${running.base}${path}`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    req.once('error', reject).end();
  });
}

function control(body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${running.base}/control`, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe('starting', () => {
  test.each([
    [{ HOST: '0.0.0.0' }, 'HOST is "0.0.0.0"'],
    [{ STANDINS_PUBLIC_HOST: 'shop.example' }, 'STANDINS_PUBLIC_HOST'],
    [{ PUBLIC_URL: 'https://shop.example' }, 'PUBLIC_URL'],
    [{ CREEM_API_KEY: 'creem_abc' }, 'live key'],
    [{ STANDINS_SITE_URL: 'http://shop.example' }, 'webhooks go to loopback only'],
    [{ STANDINS_PORT: 'x' }, 'port number'],
  ])('is refused with %j', async (env, message) => {
    await expect(spawnStandIns({ env })).rejects.toThrow(message);
  });

  test('accepts a bind address only on loopback', async () => {
    await expect(spawnStandIns({ args: ['--host', '192.0.2.1'] })).rejects.toThrow('loopback only');
  });

  test('ends when its stdin closes, and on SIGTERM with exit code 0', async () => {
    const tied = await spawnStandIns();
    tied.process.stdin?.end();
    const [code] = await once(tied.process, 'close');
    expect(code).toBe(0);
    const other = await spawnStandIns({ dir: tied.dir });
    expect(await other.stop()).toBe(0);
    await rm(tied.dir, { recursive: true });
  });

  test('reports a port that is in use', async () => {
    const port = new URL(running.base).port;
    await expect(spawnStandIns({ env: { STANDINS_PORT: port } })).rejects.toThrow('EADDRINUSE');
  });
});

describe('callers', () => {
  test.each(['localhost', 'LOCALHOST:99', '127.0.0.1', '127.9.9.9:1', '[::1]:3001'])(
    'Host %s',
    async (host) => {
      expect(await statusWith({ host })).toBe(200);
    },
  );
  test.each(['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test', '10.0.0.1', '[::2]'])(
    'not Host %s',
    async (host) => {
      expect(await statusWith({ host })).toBe(403);
    },
  );
  test('no page of another site', async () => {
    expect(await statusWith({ origin: 'https://evil.test' })).toBe(403);
    expect(await statusWith({ origin: 'http://localhost:3000' })).toBe(200);
  });
  test('other paths and methods', async () => {
    expect((await fetch(`${running.base}/nope`)).status).toBe(404);
    expect((await fetch(`${running.base}/clock`, { method: 'DELETE' })).status).toBe(405);
    const index = await fetch(running.base);
    expect(await index.text()).toContain('href="/mail"');
    expect(index.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('control', () => {
  test('merges, rejects unknown names and bad values as a whole, and resets', async () => {
    const merged = await (await control({ gateway: { mode: 'stall' }, tokensPerSecond: 5 })).json();
    expect(merged.gateway).toMatchObject({ mode: 'stall', tokensPerSecond: 5, firstTokenMs: 120 });
    expect((await control({ gateway: { mode: 'none' } })).status).toBe(400);
    expect((await control({ tokensPerSecond: 9, gatway: {} })).status).toBe(400);
    expect((await control({ reset: true, clock: { advanceMs: 'x' } })).status).toBe(400);
    const current = await (await fetch(`${running.base}/control`)).json();
    expect(current.gateway).toMatchObject({ mode: 'stall', tokensPerSecond: 5 });
    const reset = await (await control({ reset: true })).json();
    expect(reset.gateway).toMatchObject({ mode: 'ok', tokensPerSecond: 60, markers: true });
  });

  test('accepts only JSON', async () => {
    const answer = await fetch(`${running.base}/control`, { method: 'POST', body: '{"reset":true}' });
    expect(answer.status).toBe(415);
  });

  test('the clock survives a restart', async () => {
    const first = await spawnStandIns();
    const headers = { 'content-type': 'application/json' };
    const move = (advanceMs: number) =>
      fetch(`${first.base}/control`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ clock: { advanceMs } }),
      });
    await move(86_400_000);
    await move(-400);
    await first.stop();
    const second = await spawnStandIns({ dir: first.dir });
    expect(await (await fetch(`${second.base}/clock`)).json()).toEqual({ offsetMs: 86_399_600 });
    await second.remove();
  });

  test('a move of the clock answers requests that wait for it', async () => {
    const moved = fetch(`${running.base}/clock?unlike=0`).then((answer) => answer.json());
    await control({ clock: { offsetMs: 5 } });
    expect(await moved).toEqual({ offsetMs: 5 });
    expect(await (await fetch(`${running.base}/clock?unlike=0`)).json()).toEqual({ offsetMs: 5 });
    await control({ clock: { offsetMs: 0 } });
  });
});
