import { describe, expect, it } from 'vitest';
import { completeChat, streamChat } from './chat-completions.server.ts';
import {
  answers,
  chunk,
  collect,
  DONE,
  event,
  STOP,
  scriptedGateway,
  streams,
  usage,
} from './scripted-gateway.fixture.ts';

const gateway = scriptedGateway();

const reply = (...pieces: (string | Buffer)[]) => collect(streamChat(gateway.play(streams(...pieces))));
const hello = event(chunk('Hello'));

describe('requests', () => {
  it('sends a minimal body with attribution headers', async () => {
    const request = gateway.play(streams(hello, STOP, DONE), {
      temperature: 0.7,
      maxTokens: 2000,
      referer: 'https://site.test/',
      title: 'Site – é\r\nX-Evil: 1',
    });
    await collect(streamChat(request));
    const call = gateway.calls.at(-1);
    expect(call?.body).toEqual({
      model: 'maker/model',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      temperature: 0.7,
      max_tokens: 2000,
      stream_options: { include_usage: true },
    });
    expect(call?.headers).toMatchObject({
      authorization: 'Bearer sk-or-secret',
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'http-referer': 'https://site.test/',
      'x-openrouter-title': 'Site  X-Evil: 1',
      'x-title': 'Site  X-Evil: 1',
      'x-request-id': 'request-1',
    });
    expect(call?.headers['x-evil']).toBeUndefined();
  });

  it('leaves out unset fields, and the key for a local gateway', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'See' }, image] }];
    await collect(streamChat(gateway.play(streams(hello, STOP), { apiKey: '', messages })));
    const call = gateway.calls.at(-1);
    expect(Object.keys(call?.body ?? {})).toEqual(['model', 'messages', 'stream', 'stream_options']);
    expect(call?.body).toMatchObject({ messages });
    expect(call?.headers.authorization).toBeUndefined();
    expect(call?.headers['x-title']).toBeUndefined();
  });

  it('requires a key for an address that is not local', async () => {
    const before = gateway.calls.length;
    for (const apiKey of ['', ' ', 'two words', 'é']) {
      const request = { ...gateway.play(streams(hello)), baseUrl: 'https://openrouter.ai/api/v1', apiKey };
      expect((await collect(streamChat(request))).error).toMatchObject({
        kind: 'unauthorized',
        blame: 'ours',
        message: 'OpenRouter API key is required',
      });
    }
    expect(gateway.calls).toHaveLength(before);
  });

  it('refuses an origin that is not configured', async () => {
    const request = { ...gateway.play(streams(hello)), baseUrl: 'https://elsewhere.test/v1' };
    expect((await collect(streamChat(request))).error).toMatchObject({ kind: 'refused', blame: 'ours' });
  });
});

describe('stream formats', () => {
  it('reads a plain stream with model, id and usage', async () => {
    const result = await reply(
      hello,
      event(chunk(' world')),
      STOP,
      usage({ prompt_tokens: 12, completion_tokens: 3, cost: 0.0000105 }),
      DONE,
    );
    expect(result).toMatchObject({ text: 'Hello world', error: null });
    expect(result.outcome).toEqual({
      finish: 'stop',
      lost: 0,
      model: 'maker/model',
      upstreamId: 'gen-1',
      usage: { promptTokens: 12, completionTokens: 3, costMicros: 11 },
    });
  });

  it.each([
    ['comments', [': OPENROUTER PROCESSING\n\n', hello, ': OPENROUTER PROCESSING\n\n', STOP, DONE]],
    ['CRLF', [(hello + STOP + DONE).replaceAll('\n', '\r\n')]],
    ['CR', [(hello + STOP + DONE).replaceAll('\n', '\r')]],
    ['CRLF split between CR and LF', [...(hello + STOP + DONE).replaceAll('\n', '\r\n').split(/(?<=\r)/)]],
    ['no space after data:', [(hello + STOP + DONE).replaceAll('data: ', 'data:')]],
    ['a byte order mark', [`\ufeff${hello}`, STOP]],
    ['no end mark', [hello, STOP]],
    [
      'an event over several data lines',
      ['data: {"choices":[{"delta":\ndata: {"content":"Hello"}}]}\n\n', STOP],
    ],
    ['other fields and pings', ['id: 1\nretry: 5\nevent: ping\ndata: {}\n\n', hello, 'data:\n\n', STOP]],
    ['chunks without choices', [event({ id: 'x' }), event({ choices: null }), hello, STOP, DONE]],
    ['null content', [event({ choices: [{ delta: { role: 'assistant', content: null } }] }), hello, STOP]],
    [
      'missing delta',
      [event({ choices: [{ index: 0 }] }), event({ choices: [{ delta: null }] }), hello, STOP],
    ],
    ['a second choice', [event({ choices: [{ index: 1, delta: { content: 'No' } }] }), hello, STOP]],
    [
      'content parts',
      [event({ choices: [{ delta: { content: [{ type: 'text', text: 'Hello' }] } }] }), STOP],
    ],
    ['a refusal in words', [event({ choices: [{ delta: { content: null, refusal: 'Hello' } }] }), STOP]],
    ['reasoning in a separate field', [event({ choices: [{ delta: { reasoning: 'Hm' } }] }), hello, STOP]],
    ['error: null', [event({ ...chunk('Hello'), error: null }), STOP]],
    ['the finish reason with the last text', [event(chunk('Hel')), event(chunk('lo', 'stop'))]],
    ['two finish reasons', [hello, STOP, event(chunk(null, 'length')), DONE]],
    ['text after the finish', [hello, STOP, event(chunk(' more')), DONE]],
    ['text after the end mark', [hello, STOP, DONE, event(chunk(' more')), STOP]],
    [
      'garbage after the finish',
      [hello, STOP, 'data: {"cho\n\n', event({ error: { message: 'late' } }), DONE],
    ],
    ['NUL', [event(chunk('He\0l\0')), event(chunk('\0lo')), STOP]],
  ])('%s', async (_, pieces) => {
    expect(await reply(...pieces)).toMatchObject({ text: 'Hello', outcome: { finish: 'stop' }, error: null });
  });

  it('reads a stream that arrives byte by byte', async () => {
    const bytes = Buffer.from(event(chunk('é😀漢')) + STOP + DONE);
    const result = await reply(...Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(result).toMatchObject({ text: 'é😀漢', error: null });
  });

  it('keeps text that looks like events', async () => {
    const text = '\r\n\r\ndata: x\n\nevent: done\ndata: [DONE]\n\n';
    expect(await reply(event(chunk(text)), STOP, DONE)).toMatchObject({ text, outcome: { finish: 'stop' } });
  });

  it('joins a surrogate pair split over two chunks and replaces lone surrogates with U+FFFD', async () => {
    const result = await reply(
      event(chunk('a\ud83d')),
      event(chunk('\ude00b\ud83d')),
      event(chunk('c\ude00')),
      event(chunk('\ud83d')),
      STOP,
    );
    expect(result).toMatchObject({ text: 'a😀b\ufffdc\ufffd\ufffd', error: null });
    expect(result.pieces.every((piece) => piece.isWellFormed())).toBe(true);
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
    ['eos_token', 'stop'],
  ])('reads finish reason %s as %s', async (reason, finish) => {
    expect(await reply(hello, event(chunk(null, reason)), DONE)).toMatchObject({ outcome: { finish } });
  });

  it('reads a stream labelled as plain text, with one call per reply', async () => {
    const before = gateway.calls.length;
    const result = await collect(streamChat(gateway.play(answers(200, 'text/plain', hello + STOP))));
    expect(result).toMatchObject({ text: 'Hello', error: null });
    expect(gateway.calls).toHaveLength(before + 1);
  });
});

it('sends sampling parameters under their protocol names, and no others', async () => {
  const sampling = { top_p: 0.5, seed: 7, stop: ['END'], presence_penalty: undefined };
  await collect(streamChat({ ...gateway.play(answers(200, 'text/event-stream', hello + STOP)), sampling }));
  expect(gateway.calls.at(-1)?.body).toEqual({
    model: 'maker/model',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
    stream_options: { include_usage: true },
    top_p: 0.5,
    seed: 7,
    stop: ['END'],
  });
});

describe('usage', () => {
  it.each([
    [{ prompt_tokens: -1_000_000, completion_tokens: -1, cost: -5 }],
    [{ prompt_tokens: 'NaN', completion_tokens: '7', cost: 'NaN' }],
    [{ prompt_tokens: 1e300, completion_tokens: 1.5, cost: 1e300 }],
    [{ prompt_tokens: null, completion_tokens: {}, cost: [3] }],
    [{ prompt_tokens: 1_000_000_001, cost: 1_000.01 }],
    [{}],
  ])('ignores implausible values: %j', async (reported) => {
    const result = await reply(hello, STOP, usage(reported), DONE);
    expect(result.outcome?.usage).toEqual({ promptTokens: null, completionTokens: null, costMicros: null });
  });

  it('may arrive in any chunk, and the last value counts', async () => {
    const first = event({ ...chunk('Hello'), usage: { prompt_tokens: 5, completion_tokens: 1 } });
    const last = event({ ...chunk(null, 'stop'), usage: { completion_tokens: 2, cost: 0 } });
    expect((await reply(first, last)).outcome?.usage).toEqual({
      promptTokens: 5,
      completionTokens: 2,
      costMicros: 0,
    });
  });
});

describe('completeChat', () => {
  const complete = (body: unknown, type = 'application/json', status = 200) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return completeChat(gateway.play(answers(status, type, text, { 'x-generation-id': 'gen-9' })));
  };
  const message = (content: unknown, finish: string | null = 'stop') => ({
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
    usage: { prompt_tokens: 3, completion_tokens: 2, cost: 0.5 },
  });

  it('returns clean text, outcome and the id from the header', async () => {
    expect(await complete(message('Ti\0tle \ud83d'))).toEqual({
      text: 'Title \ufffd',
      finish: 'stop',
      model: 'm',
      upstreamId: 'gen-9',
      usage: { promptTokens: 3, completionTokens: 2, costMicros: 500_000 },
    });
    expect(gateway.calls.at(-1)?.body).toEqual({
      model: 'maker/model',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: false,
    });
  });

  it('cuts at the text limit, between code points', async () => {
    const long = await complete(message('é'.repeat(10_000)));
    expect(long).toMatchObject({ finish: 'bound', text: 'é'.repeat(8_192) });
  });

  it.each([
    ['no finish reason', message('a', null), 'application/json', 200, 'truncated'],
    ['an error as finish', message('a', 'error'), 'application/json', 200, 'error_event'],
    ['an error with status 200', { error: { code: 402, message: 'no' } }, 'application/json', 200, 'payment'],
    ['a page', '<html>', 'text/html', 200, 'not_a_stream'],
    ['no JSON', '{"choices":[', 'application/json', 200, 'malformed'],
    ['an unknown shape of content', message(5), 'application/json', 200, 'malformed'],
    ['a status', { error: { message: 'no' } }, 'application/json', 500, 'http_error'],
    ['too much', 'x'.repeat(70_000), 'application/json', 200, 'event_too_large'],
  ])('fails on %s', async (_, body, type, status, kind) => {
    await expect(complete(body, type, status)).rejects.toMatchObject({
      name: 'GatewayError',
      kind,
      upstreamId: kind === 'event_too_large' ? undefined : 'gen-9',
    });
  });
});
