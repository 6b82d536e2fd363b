import { describe, expect, it } from 'vitest';
import { configureOutbound } from '#platform/outbound/outbound.server.ts';
import { streamChat } from './chat-completions.server.ts';
import {
  answers,
  chunk,
  collect,
  DONE,
  event,
  type Script,
  STOP,
  scriptedGateway,
  startScriptedGateway,
  streamHead,
  streams,
  usage,
} from './scripted-gateway.fixture.ts';

const gateway = scriptedGateway();

const partial = event(chunk('Partial '));
const broken = 'data: {"choices":[{"delta":{"content":"B"\n\n';
const reply = (...pieces: string[]) => collect(streamChat(gateway.play(streams(...pieces))));

describe('an end without a finish reason', () => {
  it.each([
    ['truncated', 'the stream ends', [partial]],
    ['truncated', 'only the end mark arrives', [partial, DONE]],
    ['truncated', 'nothing arrives', []],
    ['truncated', 'only usage arrives', [partial, usage({ prompt_tokens: 1 })]],
    ['malformed', 'it was lost', [partial, 'data: {"choices":[{"delta":{},"finish_re\n\n', DONE]],
    ['malformed', 'most events are unreadable', [partial, ...Array<string>(9).fill(broken), STOP, DONE]],
    ['error_event', 'the finish is an error', [partial, event(chunk(null, 'error')), DONE]],
  ])('is %s when %s', async (kind, _, pieces) => {
    const result = await reply(...pieces);
    expect(result.error).toMatchObject({ name: 'GatewayError', kind, blame: 'retryable' });
    expect(result.text).toBe(pieces.length > 0 ? 'Partial ' : '');
  });

  it.each([
    ['is not JSON', broken],
    ['is not an object', 'data: null\n\n'],
    ['has content of an unknown shape', event({ choices: [{ delta: { content: 5 } }] })],
  ])('is not caused by an event that %s: the reply continues and counts the lost event', async (_, event) => {
    const result = await reply(partial, event, partial, STOP, DONE);
    expect(result).toMatchObject({ text: 'Partial Partial ', outcome: { finish: 'stop', lost: 1 } });
    expect((await reply(partial, STOP, event, DONE)).outcome).toMatchObject({ lost: 0 });
  });

  it('is truncated when the connection is reset, keeping the usage and id received so far', async () => {
    const counted = event({ ...chunk('Partial '), usage: { prompt_tokens: 7 } });
    const script: Script = (response) => {
      response.writeHead(200, streamHead);
      response.write(counted, () => setImmediate(() => response.socket?.resetAndDestroy()));
    };
    const result = await collect(streamChat(gateway.play(script)));
    expect(result.error).toMatchObject({
      kind: 'truncated',
      usage: { promptTokens: 7, completionTokens: null, costMicros: null },
      upstreamId: 'gen-1',
    });
  });
});

describe('error events', () => {
  const failed = { ...chunk('', 'error'), error: { code: 'server_error', message: 'Provider disconnected' } };
  it.each([
    ['OpenRouter', event(failed), 'error_event', 'retryable', 'server_error - Provider disconnected'],
    [
      'a number',
      event({ error: { code: 502, message: 'Upstream died' } }),
      'error_event',
      'retryable',
      '502 - Upstream died',
    ],
    [
      'vLLM',
      event({ error: { object: 'error', message: 'bad', code: 400 } }),
      'invalid_request',
      'ours',
      '400 - bad',
    ],
    [
      'older vLLM',
      event({ object: 'error', message: 'bad', code: 500 }),
      'error_event',
      'retryable',
      '500 - bad',
    ],
    ['a proxy', 'event: error\ndata: {"message":"blocked"}\n\n', 'error_event', 'retryable', '200 - blocked'],
    ['a proxy in prose', 'event: error\ndata: no model\n\n', 'error_event', 'retryable', '200 - no model'],
    ['a string', event({ error: 'broken' }), 'error_event', 'retryable', '200 - broken'],
    ['no message', event({ error: {} }), 'error_event', 'retryable', '200 - Unknown error'],
    [
      'in the choice',
      event({ choices: [{ error: { code: '429' } }] }),
      'rate_limited',
      'retryable',
      '429 - Unknown error',
    ],
  ])('in the format of %s keep the text so far', async (_, sent, kind, blame, message) => {
    const result = await reply(partial, sent, event(chunk('more')), STOP, DONE);
    expect(result.text).toBe('Partial ');
    expect(result.error).toMatchObject({ kind, blame, message: `OpenRouter API error: ${message}` });
  });
});

describe('an overlong request', () => {
  const llamaCpp = {
    code: 400,
    message: 'request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it',
    type: 'exceed_context_size_error',
  };
  const counted = { ...llamaCpp, message: 'the request exceeds it', n_prompt_tokens: 9412, n_ctx: 8192 };
  const openAi =
    "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens (7000 in the messages, 2000 in the completion).";
  const field = (error: object) => `error: ${JSON.stringify(error)}\n\n${DONE}`;

  it.each([
    ['llama.cpp as a field', field(counted), 8192, 9412],
    ['llama.cpp as a field, without figures', field({ ...llamaCpp, message: 'context size' }), null, null],
    ['llama.cpp as an event', event({ error: llamaCpp }), 8192, 9412],
    ['vLLM', event({ object: 'error', message: openAi, code: 400 }), 4096, 7000],
    ['implausible figures', field({ ...llamaCpp, n_ctx: -1, n_prompt_tokens: 1.5 }), null, null],
  ])('is recognized in the format of %s', async (_, sent, contextTokens, promptTokens) => {
    const result = await reply(sent);
    expect(result).toMatchObject({ text: '', error: { kind: 'context_length', blame: 'user' } });
    expect(result.error).toMatchObject({ context: { contextTokens, promptTokens } });
  });

  it.each([
    [{ code: 'context_length_exceeded', message: openAi }, 4096, 7000],
    [
      { message: 'maximum context length is 4,096 tokens. Your messages resulted in 5,000 tokens.' },
      4096,
      5000,
    ],
    [{ message: 'Requested tokens (2285) exceed context window of 2048' }, 2048, null],
    [
      { message: 'The prompt (total length 2560) is too long to fit into the model (context length 1024)' },
      1024,
      null,
    ],
  ])('is recognized from a refusal with %j', async (error, contextTokens, promptTokens) => {
    const script = answers(400, 'application/json', JSON.stringify({ error }));
    const result = await collect(streamChat(gateway.play(script)));
    expect(result.error).toMatchObject({ kind: 'context_length', context: { contextTokens, promptTokens } });
  });

  it('does not include other errors sent as a field', async () => {
    const sent = field({ code: 500, message: 'Compute error.', type: 'server_error' });
    const result = await reply(partial, sent);
    expect(result.text).toBe('Partial ');
    expect(result.error).toMatchObject({ kind: 'error_event', blame: 'retryable', status: 500 });
    expect((await reply(partial, 'error: no model\n\n')).error).toMatchObject({ kind: 'error_event' });
    expect((await reply(partial, STOP, sent)).outcome).toMatchObject({ finish: 'stop' });
  });
});

describe('answers that are not a stream', () => {
  const insufficient = JSON.stringify({ error: { code: 402, message: 'Insufficient credits' } });
  it.each([
    [
      'a page',
      'text/html',
      '<html>502 Bad Gateway</html>',
      'not_a_stream',
      'Failed to get response stream reader',
    ],
    [
      'a document',
      'application/json; charset=utf-8',
      '{}',
      'not_a_stream',
      'Failed to get response stream reader',
    ],
    [
      '402 in a 200',
      'application/json',
      insufficient,
      'payment',
      'OpenRouter API error: 402 - Insufficient credits',
    ],
  ])('%s', async (_, type, body, kind, message) => {
    const result = await collect(streamChat(gateway.play(answers(200, type, body))));
    expect(result).toMatchObject({ text: '', error: { kind, message } });
  });

  it.each([
    [401, '{"error":{"code":401,"message":"No auth"}}', 'unauthorized', 'ours', '401 - No auth'],
    [
      402,
      '{"error":{"code":402,"message":"Insufficient credits"}}',
      'payment',
      'ours',
      '402 - Insufficient credits',
    ],
    [
      403,
      '{"error":{"message":"flagged","metadata":{"reasons":["x"]}}}',
      'moderation',
      'user',
      '403 - flagged',
    ],
    [403, '{"error":{"message":"key"}}', 'unauthorized', 'ours', '403 - key'],
    [400, '{"error":{"message":"safety system"}}', 'moderation', 'user', '400 - safety system'],
    [451, '', 'moderation', 'user', '451 - Unknown error'],
    [404, '{"error":{"message":"no model"}}', 'http_error', 'ours', '404 - no model'],
    [
      400,
      '{"error":{"message":"maximum context length is 8"}}',
      'context_length',
      'user',
      '400 - maximum context length is 8',
    ],
    [
      400,
      '{"error":{"metadata":{"error_type":"context_length_exceeded"}}}',
      'context_length',
      'user',
      '400 - Unknown error',
    ],
    [400, '{"detail":"bad"}', 'invalid_request', 'ours', '400 - bad'],
    [413, '', 'invalid_request', 'user', '413 - Unknown error'],
    [429, '{"error":{"code":429,"message":"rate"}}', 'rate_limited', 'retryable', '429 - rate'],
    [429, '{"error":{"code":"insufficient_quota","message":"pay"}}', 'payment', 'ours', '429 - pay'],
    [500, '{"error":"down"}', 'http_error', 'retryable', '500 - down'],
    [502, '<html>Bad Gateway</html>', 'http_error', 'retryable', '502 - Unknown error'],
    [529, '{"error":{"message":"a\\nb\\u0000c"}}', 'http_error', 'retryable', '529 - a b c'],
    [
      401,
      '{"error":{"message":"Incorrect key: sk-or-secret."}}',
      'unauthorized',
      'ours',
      '401 - Incorrect key: [key].',
    ],
  ])('status %i with %s', async (status, body, kind, blame, message) => {
    const result = await collect(streamChat(gateway.play(answers(status, 'application/json', body))));
    expect(result.error).toMatchObject({ kind, blame, status, message: `OpenRouter API error: ${message}` });
  });

  it('a redirect is not followed', async () => {
    const script = answers(307, 'text/plain', '', { location: `${gateway.origin}/elsewhere` });
    const before = gateway.calls.length;
    const result = await collect(streamChat(gateway.play(script)));
    expect(result.error).toMatchObject({ kind: 'refused', blame: 'ours' });
    expect(gateway.calls).toHaveLength(before + 1);
  });

  it('no server at all fails within 3 s', async () => {
    const spare = await startScriptedGateway();
    configureOutbound([gateway.origin, spare.origin]);
    await spare.close();
    const result = await collect(streamChat(spare.play(() => {})));
    expect(result.error).toMatchObject({ kind: 'refused', blame: 'retryable' });
  }, 3_000);

  it('an unknown host name is refused', async () => {
    const baseUrl = 'http://gateway.invalid/v1';
    configureOutbound([gateway.origin, 'http://gateway.invalid']);
    const result = await collect(streamChat(gateway.play(() => {}, { baseUrl })));
    expect(result.error).toMatchObject({ kind: 'refused', blame: 'retryable' });
  });

  it('a connection that closes without an answer is refused', async () => {
    const result = await collect(streamChat(gateway.play((response) => void response.socket?.destroy())));
    expect(result.error).toMatchObject({ kind: 'refused', blame: 'retryable' });
  });
});
