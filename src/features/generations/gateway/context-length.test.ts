import { afterAll, describe, expect, it } from 'vitest';
import { startLoopbackServer } from '#platform/outbound/loopback-server.fixture.ts';
import { configureOutbound } from '#platform/outbound/outbound.server.ts';
import { contextOfModel } from './context-length.ts';
import { contextLengthOf } from './model-context.server.ts';

describe('the context length in a list of models', () => {
  it.each([
    [{ context_length: 128_000, top_provider: { context_length: 64_000 } }, 64_000],
    [{ context_length: 128_000, top_provider: { context_length: null } }, 128_000],
    [{ max_model_len: 8_192 }, 8_192],
    [{ meta: { n_ctx_train: 131_072, n_ctx: 4_096 } }, 4_096],
    [{ meta: { n_ctx_train: 131_072 } }, 131_072],
    [{ context_length: '8192' }, null],
    [{ context_length: -1 }, null],
    [{}, null],
    [null, null],
  ])('reads %j', (model, expected) => expect(contextOfModel(model)).toBe(expected));

  it('is that of the requested model, or of the only one listed, and null if the list is unreadable', async () => {
    let body = '';
    const server = await startLoopbackServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    afterAll(() => server.close());
    configureOutbound([server.origin]);
    const signal = new AbortController().signal;
    const fetchLength = (data: unknown) => {
      body = typeof data === 'string' ? data : JSON.stringify({ data });
      return contextLengthOf({ baseUrl: server.origin, apiKey: 'k', model: 'a', requestId: '', signal });
    };
    const [a, b] = [
      { id: 'a', max_model_len: 4_096 },
      { id: 'b', max_model_len: 8_192 },
    ];
    expect(await fetchLength([b, a])).toBe(4_096);
    expect(await fetchLength([b])).toBe(8_192);
    expect(await fetchLength([b, { id: 'c' }])).toBeNull();
    expect(await fetchLength('<html>')).toBeNull();
    expect(await fetchLength([null])).toBeNull();
  });
});
