import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { streamChat } from './chat-completions.server.ts';
import {
  chunk,
  closes,
  collect,
  DONE,
  endless,
  event,
  hangs,
  repeats,
  type Script,
  STOP,
  scriptedGateway,
  streams,
  usage,
} from './scripted-gateway.fixture.ts';

const gateway = scriptedGateway();

const partial = event(chunk('Partial '));
const reply = (...pieces: string[]) => collect(streamChat(gateway.play(streams(...pieces))));

describe('timeouts', () => {
  const role = event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });

  it.each([
    ['no response headers', () => {}],
    ['headers but no event', hangs()],
    ['a role but no token', hangs(role)],
  ])('end the wait for the first token: %s', async (_, script) => {
    const silent = closes(script);
    const result = await collect(streamChat(gateway.play(silent.script, { bounds: { firstByteMs: 60 } })));
    expect(result.error).toMatchObject({ kind: 'timeout_first_byte', blame: 'retryable' });
    await silent.closed;
  });

  it.each([
    ['nothing follows', hangs(partial)],
    ['only comments follow', repeats(partial, ': OPENROUTER PROCESSING\n\n')],
    ['only events without choices follow', repeats(partial, event({ id: 'gen-1' }))],
  ])('end an idle reply: %s', async (_, script) => {
    const silent = closes(script);
    const result = await collect(streamChat(gateway.play(silent.script, { bounds: { idleMs: 60 } })));
    expect(result).toMatchObject({ text: 'Partial ', error: { kind: 'timeout_idle' } });
    await silent.closed;
  });

  /** Signs of life come every few milliseconds, so they are late only if the machine stalls for a second. */
  const LIFE = { firstByteMs: 1_000, totalMs: 2_500 };

  it.concurrent('comments before the first token extend the wait, up to the total limit', async () => {
    const script = repeats('', ': OPENROUTER PROCESSING\n\n');
    const result = await collect(streamChat(gateway.play(script, { bounds: LIFE })));
    expect(result.error).toMatchObject({ kind: 'timeout_total' });
  });

  it.concurrent('reasoning counts as activity, within the total limit', async () => {
    const script = repeats('', event({ choices: [{ delta: { reasoning_content: 'Hm' } }] }));
    const result = await collect(streamChat(gateway.play(script, { bounds: { ...LIFE, idleMs: 1_000 } })));
    expect(result).toMatchObject({ text: '', error: { kind: 'timeout_total' } });
  });

  it('are paused while the reader is busy', async () => {
    const sent: { end?: () => void } = {};
    const script: Script = (response) => {
      sent.end = () => void response.end(STOP);
      return hangs(partial)(response);
    };
    const bounds = { idleMs: 1_000 };
    const stream = streamChat(gateway.play(script, { bounds }));
    expect(await stream.next()).toMatchObject({ value: 'Partial ' });
    // Keep the reader busy until another reply has timed out as idle.
    const other = await collect(streamChat(gateway.play(hangs(partial), { bounds })));
    expect(other.error).toMatchObject({ kind: 'timeout_idle' });
    sent.end?.();
    expect(await stream.next()).toMatchObject({ done: true, value: { finish: 'stop' } });
  });

  it('a finished reply waits for its usage but not for the connection to end', async () => {
    const script = hangs(partial, STOP, usage({ prompt_tokens: 4 }));
    const result = await collect(streamChat(gateway.play(script)));
    expect(result.outcome).toMatchObject({ finish: 'stop', usage: { promptTokens: 4 } });
  });

  it('a finished reply without usage is complete after 2 s, even if the connection stays open', async () => {
    const silent = closes(hangs(partial, STOP));
    const result = await collect(
      streamChat(gateway.play(silent.script, { bounds: { idleMs: 20_000, totalMs: 20_000 } })),
    );
    expect(result).toMatchObject({ text: 'Partial ', outcome: { finish: 'stop' } });
    await silent.closed;
  });
});

describe('size', () => {
  const MIB = 1024 * 1024;

  it.each([
    ['one line', 'data: {"choices":[{"delta":{"content":"', 'x'.repeat(64 * 1024)],
    ['many data lines', '', `data: ${'x'.repeat(10_000)}\n`],
    ['a line with an unknown field', '', 'x'.repeat(64 * 1024)],
    ['a comment', ': ', 'x'.repeat(64 * 1024)],
  ])('cuts off an endless event: %s', async (_, start, piece) => {
    const flood = endless(piece, start);
    const result = await collect(
      streamChat(gateway.play(flood.script, { bounds: { eventBytes: MIB, textBytes: MIB } })),
    );
    expect(result).toMatchObject({ text: '', error: { kind: 'event_too_large', blame: 'retryable' } });
    // The sender has passed on what we read and what the two socket buffers hold.
    expect(await flood.closed).toBeLessThan(24 * MIB);
  });

  it('rejects a complete event over the limit and keeps the text before it', async () => {
    const result = await reply(partial, event(chunk('x'.repeat(70_000))), STOP);
    expect(result).toMatchObject({ text: 'Partial ', error: { kind: 'event_too_large' } });
  });

  it('ends an endless reply exactly at the text limit and closes the connection', async () => {
    const flood = endless(event(chunk('word é'.repeat(100))));
    const result = await collect(streamChat(gateway.play(flood.script, { bounds: { textBytes: 99_999 } })));
    expect(result).toMatchObject({ error: null, outcome: { finish: 'bound', upstreamId: 'gen-1' } });
    expect(Buffer.byteLength(result.text)).toBe(99_999);
    expect('word é'.repeat(20_000).startsWith(result.text)).toBe(true);
    await flood.closed;
  });

  it('cuts before a code point that crosses the limit', async () => {
    const request = gateway.play(streams(event(chunk('ab漢字')), STOP), { bounds: { textBytes: 6 } });
    expect(await collect(streamChat(request))).toMatchObject({ text: 'ab漢', outcome: { finish: 'bound' } });
  });

  it('closes a stream that never ends after the finish', async () => {
    const flood = endless(event(chunk('more')), partial + STOP + DONE);
    const result = await collect(streamChat(gateway.play(flood.script)));
    expect(result).toMatchObject({ text: 'Partial ', outcome: { finish: 'stop' } });
    await flood.closed;
  });
});

describe('stopping', () => {
  it('by the signal closes the call at once, before the headers and between tokens', async () => {
    for (const pieces of [null, [partial]]) {
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      const stop = new AbortController();
      const script: Script = (response) => {
        response.on('close', resolve);
        if (pieces) hangs(...pieces)(response);
        else stop.abort();
      };
      const stream = streamChat(gateway.play(script, { signal: stop.signal }));
      if (pieces) await stream.next();
      const next = stream.next();
      if (pieces) stop.abort();
      await expect(next).rejects.toMatchObject({ kind: 'aborted', blame: 'user' });
      await closed;
    }
  });

  it('by leaving the generator also closes it', async () => {
    const flood = endless(event(chunk('a')));
    for await (const text of streamChat(gateway.play(flood.script))) {
      expect(text[0]).toBe('a');
      break;
    }
    await flood.closed;
  });
});
