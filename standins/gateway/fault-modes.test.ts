import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LogView } from '../request-log.ts';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';
import { ask, finishReasons, post, usages, userBody } from './client.fixture.ts';
import { MODES } from './fault-modes.ts';

let running: RunningStandIns;
let serial = 0;
const LOREM = 'w0001 w0002 w0003 w0004 w0005 w0006 ';
const HALF = 'w0001 w0002 w0003 ';

beforeAll(async () => {
  running = await spawnStandIns();
});
afterAll(() => running.remove());

/** Returns a message that requests six numbered tokens in this mode without delay, and a tag to find it in the log. */
function taggedMessage(mode: string, suffix = ''): { text: string; tag: string } {
  serial += 1;
  const tag = `case-${serial}-`;
  return { tag, text: `${tag} [[mode:${mode}]][[answer:lorem]][[tokens:6]][[tps:0]][[first:0]]${suffix}` };
}

async function logOf(tag: string): Promise<LogView> {
  const found = (await (await fetch(`${running.base}/log?contains=${tag}`)).json()) as LogView[];
  expect(found).toHaveLength(1);
  return found[0]!;
}

async function inMode(mode: string, enough?: (raw: string) => boolean) {
  const { text, tag } = taggedMessage(mode);
  return { ...(await ask(running.base, userBody(text), enough)), tag };
}

describe('correct answers', () => {
  test.each([
    'ok',
    'comments',
    'crlf',
    'nospace',
    'nochoices',
    'nullcontent',
    'reasoning',
    'reasoningcontent',
    'reasoningdetails',
  ])('%s', async (mode) => {
    const answer = await inMode(mode);
    expect(answer.text).toBe(LOREM);
    expect(finishReasons(answer)).toEqual(['stop']);
    expect(usages(answer)).toHaveLength(1);
    expect(answer.raw.trimEnd().endsWith('[DONE]')).toBe(true);
    const entry = await logOf(answer.tag);
    expect(entry).toMatchObject({ mode, sentText: LOREM, tokensSent: 6, requestId: 'req-1', stream: true });
  });

  test('have the form of their mode', async () => {
    expect((await inMode('comments')).raw.match(/^: OPENROUTER PROCESSING$/gm)).toHaveLength(3);
    expect((await inMode('crlf')).raw).not.toMatch(/[^\r]\n/);
    expect((await inMode('nospace')).raw).toMatch(/^data:\{/);
    expect((await inMode('nullcontent')).raw).toContain('"content":null');
    expect((await inMode('reasoning')).raw).toContain('"reasoning":"thought1 "');
    expect((await inMode('reasoningcontent')).raw).toContain('"reasoning_content":"thought1 "');
    expect((await inMode('reasoningdetails')).raw).toContain('"summary":"thought1 "');
    expect((await inMode('thinktags')).text).toMatch(/^<think>\nthought1 [^<]*\n<\/think>\n\nw0001 /);
    expect((await inMode('thinkopen')).text).toMatch(/^<think>\nthought1 [^<]*w0001 /);
    const withoutUsage = await inMode('nousage');
    expect([withoutUsage.text, usages(withoutUsage).length]).toEqual([LOREM, 0]);
  });

  test('splitutf8 has characters of two, three and four bytes', async () => {
    expect((await inMode('splitutf8')).text).toBe(`é😀漢 ${LOREM}`);
  });

  test('slow waits and streams slowly; a marker makes it faster', async () => {
    const startTime = performance.now();
    const { text } = taggedMessage('slow');
    const answer = await ask(
      running.base,
      userBody(text.replace('[[tps:0]]', '[[tps:20]]').replace('first:0', 'first:80')),
    );
    expect(answer.text).toBe(LOREM);
    expect(performance.now() - startTime).toBeGreaterThan(80 + 5 * 50 - 20);
  });
});

describe('streams that break', () => {
  test.each(['miderror', 'vllmerror', 'miderror2', 'fielderror'])('%s', async (mode) => {
    const answer = await inMode(mode);
    expect(answer.text).toBe(HALF);
    expect(answer.raw).toContain(mode === 'fielderror' ? '\nerror: {' : '"error":{');
    expect(answer.raw.includes('[DONE]')).toBe(mode !== 'miderror2');
  });

  test('lateerror arrives after 200 characters', async () => {
    const answer = await inMode('lateerror');
    expect(answer.text).toHaveLength(200);
    expect(finishReasons(answer)).toEqual(['error']);
    expect((await logOf(answer.tag)).sentText).toBe(answer.text);
  });

  test('eof, eofnodone and empty end early', async () => {
    const eof = await inMode('eof');
    expect([eof.text, finishReasons(eof), eof.broken]).toEqual([HALF, [], false]);
    const noDone = await inMode('eofnodone');
    expect([noDone.text, finishReasons(noDone), noDone.raw.includes('DONE')]).toEqual([
      LOREM,
      ['stop'],
      false,
    ]);
    const empty = await inMode('empty');
    expect([empty.status, empty.raw]).toEqual([200, '']);
  });

  test('reset breaks the connection after half', async () => {
    const answer = await inMode('reset');
    expect([answer.text, answer.broken]).toEqual([HALF, true]);
    expect(await logOf(answer.tag)).toMatchObject({ closedBy: 'server', finished: false, sentText: HALF });
  });

  test('stall stops after half, and the log records who closed the connection', async () => {
    const answer = await inMode('stall', (raw) => raw.includes('w0003'));
    expect(answer.text).toBe(HALF);
    await vi.waitFor(async () => {
      const entry = await logOf(answer.tag);
      expect(entry).toMatchObject({ closedBy: 'client', finished: false, sentText: HALF, status: 200 });
      expect(Date.parse(entry.clientClosedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(entry.at));
    });
  });

  test('stallhead sends no headers', async () => {
    const { text, tag } = taggedMessage('stallhead');
    const abort = new AbortController();
    const call = post(running.base, userBody(text), abort.signal);
    await vi.waitFor(async () => expect((await logOf(tag)).status).toBeNull());
    abort.abort();
    await expect(call).rejects.toThrow();
    await vi.waitFor(async () => expect((await logOf(tag)).closedBy).toBe('client'));
  });
});

describe('invalid streams', () => {
  test('badjson', async () => {
    const answer = await inMode('badjson');
    expect(answer.events.filter((event) => typeof event === 'string')).toHaveLength(1);
    expect(finishReasons(answer)).toEqual(['stop']);
  });

  test('afterdone and doublefinish continue after the end', async () => {
    expect((await inMode('afterdone')).raw).toMatch(/\[DONE\]\n\ndata: .*AFTER THE END/);
    expect(finishReasons(await inMode('doublefinish'))).toEqual(['stop', 'length']);
  });

  test.each([
    ['negusage', -5],
    ['nanusage', 'NaN'],
    ['hugeusage', 1e300],
  ])('%s', async (mode, cost) => {
    expect(usages(await inMode(mode))[0]).toMatchObject({ cost });
  });

  test('control sends control characters and lone surrogates unchanged', async () => {
    const answer = await inMode('control');
    expect(answer.text).toContain('A\u0000B');
    expect(answer.text.isWellFormed()).toBe(false);
    expect((await logOf(answer.tag)).sentText).toBe(answer.text);
  });

  test('hugeline sends over 2 MiB in one line, endless over 1 MB of text', async () => {
    const huge = await inMode('hugeline', (raw) => raw.length > 2 << 20);
    expect(huge.raw.split('\n')).toHaveLength(1);
    const endless = await inMode('endless', (raw) => raw.length > 1_000_000);
    expect(endless.raw.length).toBeGreaterThan(1_000_000);
  });
});

describe('refusals', () => {
  test.each(['400', '401', '402', '403', '404', '408', '429', '500', '503', '529'])('%s', async (mode) => {
    const { text } = taggedMessage(mode);
    const answer = await post(running.base, userBody(text));
    const body = (await answer.json()) as { error: { code: number; metadata: Record<string, unknown> } };
    expect([answer.status, body.error.code]).toEqual([Number(mode), Number(mode)]);
    if (mode === '429') expect(answer.headers.get('retry-after')).toBe('1');
    if (mode === '403') expect(body.error.metadata.reasons).toEqual(['violence']);
  });

  test('502 and html send pages, json402 has status 200', async () => {
    const badGateway = await inMode('502');
    expect([badGateway.status, badGateway.headers.get('content-type')]).toEqual([
      502,
      'text/html; charset=utf-8',
    ]);
    expect(await inMode('html')).toMatchObject({ status: 200, raw: badGateway.raw });
    const paymentRequired = await inMode('json-402');
    expect([paymentRequired.status, JSON.parse(paymentRequired.raw).error.code]).toEqual([200, 402]);
  });
});

describe('choosing a mode', () => {
  test('hold waits for its release, before the headers or after some tokens', async () => {
    const later = taggedMessage('hold', '[[holdAfter:2]]');
    const before = taggedMessage('hold');
    const both = Promise.all([
      ask(running.base, userBody(before.text)),
      ask(running.base, userBody(later.text)),
    ]);
    await vi.waitFor(async () => expect((await logOf(later.tag)).sentText).toBe('w0001 w0002 '));
    await vi.waitFor(async () => expect((await logOf(before.tag)).status).toBeNull());
    for (const tag of [later.tag, before.tag])
      await vi.waitFor(async () => {
        const answer = await fetch(`${running.base}/control`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ release: tag }),
        });
        expect(await answer.json()).toMatchObject({ release: { released: 1 } });
      });
    expect((await both).map(({ text }) => text)).toEqual([LOREM, LOREM]);
  });

  test('a list of modes advances with each call of the same text', async () => {
    const { text } = taggedMessage('429,eof,ok');
    const answers = [];
    for (let call = 0; call < 4; call++) {
      const answer = await ask(running.base, userBody(text));
      answers.push([answer.status, answer.text]);
    }
    expect(answers).toEqual([
      [429, ''],
      [200, HALF],
      [200, LOREM],
      [200, LOREM],
    ]);
  });

  test('the model name also chooses a mode, and an unknown one is refused', async () => {
    const { text } = taggedMessage('ok');
    expect((await post(running.base, userBody('hello', { model: 'standin/402' }))).status).toBe(402);
    expect((await post(running.base, userBody('hello', { model: 'standin/none' }))).status).toBe(400);
    expect((await ask(running.base, userBody(text, { model: 'standin/402' }))).text).toBe(LOREM);
  });

  test('without STANDINS_MARKERS markers are plain text', async () => {
    const plain = await spawnStandIns({ env: { STANDINS_MARKERS: '0' } });
    const answer = await ask(plain.base, userBody('[[mode:402]] hello', { max_tokens: 40 }));
    expect([answer.status, answer.text.includes('[[mode:402]]')]).toEqual([200, true]);
    await plain.remove();
  });

  test('every mode answers or fails without streaming too, and none ends the process', async () => {
    const neverEnding = ['stall', 'stallhead', 'hold', 'endless', 'hugeline'];
    for (const mode of MODES) {
      if (neverEnding.includes(mode)) continue;
      const { text } = taggedMessage(mode);
      const answer = await ask(running.base, userBody(text, { stream: false }));
      if (mode === 'ok') expect(JSON.parse(answer.raw).choices[0].message.content).toBe(LOREM);
      if (mode === 'eof' || mode === 'badjson') expect(() => JSON.parse(answer.raw)).toThrow();
      if (mode === 'reset') expect(answer.broken).toBe(true);
      expect(running.process.exitCode).toBeNull();
    }
  });
});
