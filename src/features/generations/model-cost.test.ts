import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { resolveConfig, setConfig } from '#platform/config/config.server.ts';
import { readEnvironment } from '#platform/config/read-environment.server.ts';
import { type LoopbackServer, startLoopbackServer } from '#platform/outbound/loopback-server.fixture.ts';
import { configureOutbound } from '#platform/outbound/outbound.server.ts';
import { GatewayError } from './gateway/gateway-error.ts';
import { NO_USAGE } from './gateway/token-usage.ts';
import { costOf, costSoFar, tokensSent } from './model-cost.server.ts';

let server: LoopbackServer;
let requested: string[] = [];
const list = {
  data: [
    { id: 'maker/text', pricing: { prompt: '0.000001', completion: '0.000004', request: '0' } },
    { id: 'maker/router', pricing: { prompt: '-1', completion: '-1' } },
    { id: 'maker/none' },
  ],
};
beforeAll(async () => {
  server = await startLoopbackServer((request, response) => {
    requested.push(request.url ?? '');
    if (request.url?.startsWith('/away')) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
  });
  configureOutbound([server.origin]);
});
afterAll(async () => {
  configureOutbound([]);
  await server.close();
});
beforeEach(() => {
  requested = [];
});

const configure = (path: string, env: Record<string, string> = {}) =>
  setConfig(resolveConfig(readEnvironment({ LLM_BASE_URL: `${server.origin}/${path}`, ...env })));
const text = (model: string, counts: { sent?: number; received?: number; unseen?: number } = {}) => ({
  model,
  modality: 'text' as const,
  sent: 1_000,
  received: 500,
  ...counts,
});

test('a cost is the reported one, else reported tokens times price, else estimated tokens times price', async () => {
  configure('v1');
  const call = text('maker/text');
  const usage = { promptTokens: 100, completionTokens: 10, costMicros: 7 };
  expect(await costOf(call, usage)).toEqual({ micros: 7, estimated: false });
  expect(await costOf(call, { ...usage, costMicros: 0 })).toEqual({ micros: 0, estimated: false });
  expect(await costOf(call, { ...usage, costMicros: null })).toEqual({ micros: 140, estimated: true });
  expect(await costOf(call, NO_USAGE)).toEqual({ micros: 3_000, estimated: true });
  expect(await costSoFar(text('maker/text', { received: 0 }))).toEqual({ micros: 1_000, estimated: true });
  expect(requested).toEqual(['/v1/models']);
});

test('an interrupted call counts what was sent and received, and a refused call costs nothing', async () => {
  configure('v1');
  const failed = (error: unknown, counts = {}) =>
    costOf(text('maker/text', { received: 0, ...counts }), undefined, error).then(({ micros }) => micros);
  const aborted = new GatewayError('aborted', '');
  expect(await failed(aborted)).toBe(1_000);
  expect(await failed(aborted, { received: 200 })).toBe(1_800);
  expect(await failed(aborted, { unseen: 2_000 })).toBe(9_000);
  expect(await failed(new GatewayError('timeout_first_byte', ''))).toBe(1_000);
  expect(await failed(new GatewayError('refused', ''))).toBe(0);
  expect(await failed(new GatewayError('http_error', '', { status: 503 }))).toBe(0);
  expect(await failed(new GatewayError('error_event', '', { status: 500 }), { received: 200 })).toBe(1_800);
});

test('the operator’s price precedes the list, and the operator’s default price follows it', async () => {
  configure('v1', { LLM_PRICES: 'maker/none=2/0, maker/picture=0.04, *=10/0' });
  const micros = async (model: string) => (await costOf(text(model, { received: 0 }), NO_USAGE)).micros;
  expect([await micros('maker/none'), await micros('maker/text'), await micros('else')]).toEqual([
    2_000, 1_000, 10_000,
  ]);
  const picture = { model: 'maker/picture', modality: 'picture' as const, sent: 50, received: 0 };
  expect(await costSoFar(picture)).toEqual({ micros: 40_000, estimated: true });
});

test('a cost without a price is unknown, or that of an expensive model under a spending cap', async () => {
  for (const model of ['maker/router', 'maker/none', 'nobody/knows']) {
    configure('v1');
    expect(await costOf(text(model), NO_USAGE)).toEqual({ micros: null, estimated: true });
    configure('v1', { SPEND_CAP_DAY: '1' });
    expect(await costOf(text(model), NO_USAGE)).toEqual({ micros: 25_000, estimated: true });
  }
});

test('an unavailable price list is requested only once', async () => {
  configure('away');
  expect(await Promise.all([1, 2].map(() => costOf(text('maker/text'), NO_USAGE)))).toEqual([
    { micros: null, estimated: true },
    { micros: null, estimated: true },
  ]);
  expect(requested).toEqual(['/away/models']);
});

test('a sent picture is not counted by its bytes', () => {
  const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
  const picture = { type: 'image_url' as const, image_url: { url } };
  expect(tokensSent([{ role: 'user', content: [{ type: 'text', text: 'Look' }, picture] }])).toBeLessThan(
    1_200,
  );
});
