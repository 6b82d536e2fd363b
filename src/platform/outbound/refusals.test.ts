import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resolve } from './address-checks.server.ts';
import { HOSTILE_URLS } from './hostile-urls.fixture.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.fixture.ts';
import { configureOutbound, createOutbound, outbound } from './outbound.server.ts';

let canary: LoopbackServer;

beforeAll(async () => {
  canary = await startLoopbackServer();
});

afterAll(() => canary.close());

const resolveTo =
  (address: string): Resolve =>
  () =>
    Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

describe('origins', () => {
  it('refuses the 50 hostile addresses, on the canary port too', async () => {
    const gate = createOutbound({ origins: ['https://openrouter.ai', 'http://127.0.0.1:1'] });
    expect(HOSTILE_URLS).toHaveLength(50);
    for (const url of HOSTILE_URLS) {
      await expect(gate.request(url), url).rejects.toMatchObject({ name: 'OutboundRefused' });
      const canaryUrl = withPort(url, canary.port);
      await expect(gate.request(canaryUrl), canaryUrl).rejects.toMatchObject({ name: 'OutboundRefused' });
    }
    expect(canary.connections).toHaveLength(0);
  });

  it.each([
    ['no url', 'url'],
    ['file:///etc/passwd', 'scheme'],
    ['https://user:password@openrouter.ai/', 'credentials'],
    ['http://openrouter.ai/', 'origin'],
    ['https://openrouter.ai:8443/', 'origin'],
    ['https://openrouter.ai./', 'origin'],
    ['https://api.openrouter.ai/', 'origin'],
    ['https://openrouter.ai.evil.test/', 'origin'],
  ])('refuses %s as %s', async (url, kind) => {
    const gate = createOutbound({ origins: ['https://openrouter.ai'] });
    await expect(gate.request(url)).rejects.toMatchObject({ name: 'OutboundRefused', kind });
  });

  it.each([
    ['https://notify.windows.com/', 'origin'],
    ['https://xnotify.windows.com/', 'origin'],
    ['https://a.notify.windows.com:8443/', 'origin'],
    ['http://a.notify.windows.com/', 'origin'],
    ['https://*.notify.windows.com/', 'origin'],
    ['https://a.notify.windows.com.evil.test/', 'origin'],
    ['https://a.notify.windows.com/', 'address'],
    ['https://a.b.notify.windows.com/', 'address'],
  ])('checks whether %s is a host below a name: %s', async (url, kind) => {
    const gate = createOutbound({
      origins: ['https://*.notify.windows.com'],
      resolve: resolveTo('127.0.0.1'),
    });
    await expect(gate.request(url)).rejects.toMatchObject({ name: 'OutboundRefused', kind });
  });

  it.each([
    'https://*.test',
    'http://*.host.test',
    'https://a.*.host.test',
    'https://*.host.test:8443',
    'ftp://host.test',
    'https://user@host.test',
    'https://host.test/v1',
    'https://host.test/?a',
    'host.test',
  ])('does not accept %s as an origin', (origin) => {
    expect(() => createOutbound({ origins: [origin] })).toThrow(
      expect.objectContaining({ name: 'OutboundRefused' }),
    );
  });

  it('allows nothing until configured, then exactly the configured origin', async () => {
    await expect(outbound(canary.origin)).rejects.toMatchObject({ kind: 'origin' });
    const gateway = await startLoopbackServer((_, response) => response.end('hello'));
    configureOutbound([gateway.origin]);
    expect(await (await outbound(`${gateway.origin}/v1`)).text()).toBe('hello');
    expect(gateway.requests).toHaveLength(1);
    await expect(outbound(canary.origin)).rejects.toMatchObject({ kind: 'origin' });
    configureOutbound([]);
    await gateway.close();
    expect(canary.connections).toHaveLength(0);
  });
});

describe('resolved addresses', () => {
  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1', '::1', '::ffff:127.0.0.1', 'fd00::1'])(
    'refuses a configured public name that resolves to %s',
    async (address) => {
      const origin = `http://public.test:${canary.port}`;
      const gate = createOutbound({ origins: [origin], resolve: resolveTo(address) });
      await expect(gate.request(origin)).rejects.toMatchObject({ name: 'OutboundRefused', kind: 'address' });
      expect(canary.connections).toHaveLength(0);
    },
  );

  it('refuses a name with one public and one private address', async () => {
    const origin = `http://public.test:${canary.port}`;
    const both = [...(await resolveTo('1.1.1.1')('')), ...(await resolveTo('127.0.0.1')(''))];
    const gate = createOutbound({ origins: [origin], resolve: () => Promise.resolve(both) });
    await expect(gate.request(origin)).rejects.toMatchObject({ kind: 'address' });
    expect(canary.connections).toHaveLength(0);
  });

  it('resolves once per connection, connects to the checked address and refuses a changed name', async () => {
    const server = await startLoopbackServer((_, response) => {
      response.setHeader('connection', 'close');
      response.end('first');
    });
    const origin = `http://rebinding.test:${server.port}`;
    const answers = ['127.0.0.1', '::1'];
    const resolved: string[] = [];
    const gate = createOutbound({
      origins: [origin],
      resolve: (name) => {
        resolved.push(name);
        return resolveTo(answers[resolved.length - 1] ?? '::1')(name);
      },
      // In this test the server's address counts as public and every other as internal.
      permitted: (address) => address === '127.0.0.1',
    });
    expect(await (await gate.request(origin)).text()).toBe('first');
    expect(resolved).toEqual(['rebinding.test']);
    await expect(gate.request(origin)).rejects.toMatchObject({ kind: 'address' });
    expect(resolved).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
    await server.close();
  });

  it('allows localhost to be loopback and nothing else', async () => {
    const server = await startLoopbackServer((_, response) => response.end('local'));
    const origin = `http://localhost:${server.port}`;
    const good = createOutbound({ origins: [origin], resolve: resolveTo('127.0.0.1') });
    expect(await (await good.request(origin)).text()).toBe('local');
    const bad = createOutbound({ origins: [origin], resolve: resolveTo('1.1.1.1') });
    await expect(bad.request(origin)).rejects.toMatchObject({ kind: 'address' });
    good.close();
    await server.close();
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'does not follow %i, so body and key are not sent elsewhere',
    async (status) => {
      const server = await startLoopbackServer((_, response) => {
        response.writeHead(status, { location: `${canary.origin}/stolen` });
        response.end();
      });
      const gate = createOutbound({ origins: [server.origin, canary.origin] });
      const init = { method: 'POST', headers: { authorization: 'Bearer secret' }, body: '{}' } as const;
      await expect(gate.request(server.origin, init)).rejects.toMatchObject({ kind: 'redirect' });
      expect(server.requests).toHaveLength(1);
      expect(canary.connections).toHaveLength(0);
      await server.close();
    },
  );
});
