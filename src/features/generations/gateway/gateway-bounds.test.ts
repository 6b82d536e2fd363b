import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { streamChat } from './chat-completions.server.ts';
import {
  chunk,
  closes,
  DONE,
  endless,
  event,
  hangs,
  hear,
  repeats,
  type Script,
  STOP,
  scriptedGateway,
  streams,
  usage,
} from './scripted-gateway.fixture.ts';

const gateway = scriptedGateway();

const partial = event(chunk('Partial '));
const reply = (...pieces: string[]) => hear(streamChat(gateway.play(streams(...pieces))));

describe('clocks', () => {
  const role = event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] });

  it.each([
    ['no head', () => {}],
    ['a head and no event', hangs()],
    ['a role and no token', hangs(role)],
  ])('first token: %s', async (_, script) => {
    const silent = closes(script);
    const heard = await hear(streamChat(gateway.play(silent.script, { bounds: { firstByteMs: 60 } })));
    expect(heard.error).toMatchObject({ kind: 'timeout_first_byte', blame: 'retryable' });
    await silent.closed;
  });

  it.each([
    ['nothing follows', hangs(partial)],
    ['only comments follow', repeats(partial, ': OPENROUTER PROCESSING\n\n')],
    ['only events without choices follow', repeats(partial, event({ id: 'gen-1' }))],
  ])('idle: %s', async (_, script) => {
    const silent = closes(script);
    const heard = await hear(streamChat(gateway.play(silent.script, { bounds: { idleMs: 60 } })));
    expect(heard).toMatchObject({ text: 'Partial ', error: { kind: 'timeout_idle' } });
    await silent.closed;
  });

  /** Signs of life come every few milliseconds, so they are late only if the machine stalls for a second. */
  const LIFE = { firstByteMs: 1_000, totalMs: 2_500 };

  it.concurrent('comments before the first token lengthen the wait, up to the total time', async () => {
    const script = repeats('', ': OPENROUTER PROCESSING\n\n');
    const heard = await hear(streamChat(gateway.play(script, { bounds: LIFE })));
    expect(heard.error).toMatchObject({ kind: 'timeout_total' });
  });

  it.concurrent('reasoning is a sign of life, and the total time holds for it', async () => {
    const script = repeats('', event({ choices: [{ delta: { reasoning_content: 'Hm' } }] }));
    const heard = await hear(streamChat(gateway.play(script, { bounds: { ...LIFE, idleMs: 1_000 } })));
    expect(heard).toMatchObject({ text: '', error: { kind: 'timeout_total' } });
  });

  it('stand still while the reader is busy', async () => {
    const sent: { end?: () => void } = {};
    const script: Script = (response) => {
      sent.end = () => void response.end(STOP);
      return hangs(partial)(response);
    };
    const bounds = { idleMs: 1_000 };
    const stream = streamChat(gateway.play(script, { bounds }));
    expect(await stream.next()).toMatchObject({ value: 'Partial ' });
    // Keep the reader busy until another reply has timed out as idle.
    const other = await hear(streamChat(gateway.play(hangs(partial), { bounds })));
    expect(other.error).toMatchObject({ kind: 'timeout_idle' });
    sent.end?.();
    expect(await stream.next()).toMatchObject({ done: true, value: { finish: 'stop' } });
  });

  it('a finished reply waits for its usage, not for the connection to end', async () => {
    const script = hangs(partial, STOP, usage({ prompt_tokens: 4 }));
    const heard = await hear(streamChat(gateway.play(script)));
    expect(heard.outcome).toMatchObject({ finish: 'stop', usage: { promptTokens: 4 } });
  });

  it('a finished reply without usage and end is whole after 2 s', async () => {
    const silent = closes(hangs(partial, STOP));
    const heard = await hear(
      streamChat(gateway.play(silent.script, { bounds: { idleMs: 20_000, totalMs: 20_000 } })),
    );
    expect(heard).toMatchObject({ text: 'Partial ', outcome: { finish: 'stop' } });
    await silent.closed;
  });
});

describe('size', () => {
  const MIB = 1024 * 1024;

  it.each([
    ['one line', 'data: {"choices":[{"delta":{"content":"', 'x'.repeat(64 * 1024)],
    ['many data lines', '', `data: ${'x'.repeat(10_000)}\n`],
    ['a line of no known field', '', 'x'.repeat(64 * 1024)],
    ['a comment', ': ', 'x'.repeat(64 * 1024)],
  ])('an endless event is cut: %s', async (_, start, piece) => {
    const flood = endless(piece, start);
    const heard = await hear(
      streamChat(gateway.play(flood.script, { bounds: { eventBytes: MIB, textBytes: MIB } })),
    );
    expect(heard).toMatchObject({ text: '', error: { kind: 'event_too_large', blame: 'retryable' } });
    // The sender has passed on what we read and what the two socket buffers hold.
    expect(await flood.closed).toBeLessThan(24 * MIB);
  });

  it('a complete event over the bound is cut too, and the text before it is kept', async () => {
    const heard = await reply(partial, event(chunk('x'.repeat(70_000))), STOP);
    expect(heard).toMatchObject({ text: 'Partial ', error: { kind: 'event_too_large' } });
  });

  it('an endless reply ends at the bound of text, to the byte, and closes', async () => {
    const flood = endless(event(chunk('word é'.repeat(100))));
    const heard = await hear(streamChat(gateway.play(flood.script, { bounds: { textBytes: 99_999 } })));
    expect(heard).toMatchObject({ error: null, outcome: { finish: 'bound', upstreamId: 'gen-1' } });
    expect(Buffer.byteLength(heard.text)).toBe(99_999);
    expect('word é'.repeat(20_000).startsWith(heard.text)).toBe(true);
    await flood.closed;
  });

  it('a bound inside a code point cuts before it', async () => {
    const request = gateway.play(streams(event(chunk('ab漢字')), STOP), { bounds: { textBytes: 6 } });
    expect(await hear(streamChat(request))).toMatchObject({ text: 'ab漢', outcome: { finish: 'bound' } });
  });

  it('an endless stream after the finish is closed', async () => {
    const flood = endless(event(chunk('more')), partial + STOP + DONE);
    const heard = await hear(streamChat(gateway.play(flood.script)));
    expect(heard).toMatchObject({ text: 'Partial ', outcome: { finish: 'stop' } });
    await flood.closed;
  });
});

describe('stopping', () => {
  it('by the signal closes the call at once: before the head, and between tokens', async () => {
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

  it('by leaving the generator closes it as well', async () => {
    const flood = endless(event(chunk('a')));
    for await (const text of streamChat(gateway.play(flood.script))) {
      expect(text[0]).toBe('a');
      break;
    }
    await flood.closed;
  });
});
