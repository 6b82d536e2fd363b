import { describe, expect, test } from 'vitest';
import { locale } from '#messages';
import { withLocale } from '#platform/locale.server.ts';
import { failureText, registerFailures } from './failure-text.server.ts';
import { GatewayError } from './gateway/gateway-error.ts';
import { LiveRun } from './live-runs.server.ts';
import { decideOutcome, RunFailure, type WorkEnd } from './run-outcome.server.ts';

function run({
  text = '',
  delivered = 0,
  ending = null as LiveRun['ending'],
  feature = 'image',
} = {}): LiveRun {
  const live = new LiveRun({ id: 'g', userId: 'u', feature, key: 'k', epoch: 1 });
  live.append(text);
  live.delivered = delivered;
  live.ending = ending;
  return live;
}
const done: WorkEnd = { result: { finish: 'stop', result: {} } };
const broken: WorkEnd = { error: new RunFailure('declined', 'picture_declined') };

describe('a run that is charged by units', () => {
  test.each([
    ['two of four arrived', { delivered: 2, text: '{}\n' }, done, 'done', 2],
    ['nothing arrived, despite reported progress', { text: '{"of":4}\n' }, done, 'failed', 0],
    ['stopped after one', { delivered: 1, ending: 'stop' as const }, { error: 'aborted' }, 'stopped', 1],
    ['stopped before the first', { text: '{}\n', ending: 'stop' as const }, { error: 'x' }, 'stopped', 0],
    ['cut by a restart after one', { delivered: 1, ending: 'shutdown' as const }, {}, 'interrupted', 0],
    ['failed after one', { delivered: 1 }, broken, 'failed', 0],
  ])('%s', (_, given, work, state, chargedUnits) => {
    expect(decideOutcome(run(given), work, 'units')).toMatchObject({ state, chargedUnits });
  });

  test('stores a failure of its tool by name and shows it in the reader’s language', () => {
    const { errorCode, errorMessage } = decideOutcome(run(), broken, 'units');
    expect([errorCode, errorMessage]).toEqual(['declined', 'picture_declined']);
    expect(failureText(errorMessage)).toBe('picture_declined');
    registerFailures({ picture_declined: () => `Declined in ${locale()}.` });
    expect(withLocale('de', () => failureText(errorMessage))).toBe('Declined in de.');
    expect(failureText('A sentence of an older row.')).toBe('A sentence of an older row.');
  });
});

test('a run with text is charged in full or not at all', () => {
  const chargedUnits = (given: Parameters<typeof run>[0], work: WorkEnd) =>
    decideOutcome(run(given), work).chargedUnits;
  expect(chargedUnits({ text: 'words' }, { result: { finish: 'stop' } })).toBeGreaterThan(100);
  expect(chargedUnits({ text: 'words', ending: 'stop' }, {})).toBeGreaterThan(100);
  expect(chargedUnits({ text: '' }, { result: { finish: 'stop' } })).toBe(0);
  expect(chargedUnits({ text: 'words' }, broken)).toBe(0);
});

test('a reply without visible text is empty and free', () => {
  for (const text of [' \n\t ', '\u00a0\u200b\ufeff', '\f\n']) {
    expect(decideOutcome(run({ text }), { result: { finish: 'stop' } })).toMatchObject({
      state: 'failed',
      errorCode: 'empty',
      chargedUnits: 0,
      released: true,
    });
    expect(decideOutcome(run({ text, ending: 'stop' }), {})).toMatchObject({
      state: 'stopped',
      chargedUnits: 0,
    });
  }
});

test('an empty reply has the finish reason, and one with a gap is malformed', () => {
  const end = (given: LiveRun) => decideOutcome(given, { result: { finish: 'length' } });
  expect(end(run())).toMatchObject({
    state: 'failed',
    errorCode: 'empty',
    finish: 'length',
    chargedUnits: 0,
  });
  const damaged = run();
  damaged.incomplete = true;
  expect(end(damaged)).toMatchObject({ state: 'failed', errorCode: 'malformed', finish: null });
});

test('a start is released if the person caused the end, not if a service failed', () => {
  const released = (given: Parameters<typeof run>[0], work: WorkEnd) =>
    decideOutcome(run(given), work).released;
  const refused = new GatewayError('invalid_request', 'too long', { blame: 'user' });
  expect(released({ ending: 'stop' }, {})).toBe(true);
  expect(released({}, { result: { finish: 'stop' } })).toBe(true);
  for (const error of [new GatewayError('moderation', ''), refused, new RunFailure('no_screenplay', '')])
    expect(released({}, { error })).toBe(true);
  expect(released({ text: 'words', ending: 'stop' }, {})).toBe(false);
  expect(released({ text: 'words' }, { result: { finish: 'stop' } })).toBe(false);
  expect(released({ ending: 'shutdown' }, {})).toBe(false);
  for (const kind of [
    'refused',
    'timeout_first_byte',
    'http_error',
    'truncated',
    'payment',
    'rate_limited',
  ] as const)
    expect(released({}, { error: new GatewayError(kind, '') })).toBe(false);
  expect(released({}, { error: new Error('a bug') })).toBe(false);
});

test('a text with a gap is kept and charged, but is never complete', () => {
  const damaged = run({ text: 'words' });
  damaged.incomplete = true;
  const end = (finish: 'stop' | 'length') => decideOutcome(damaged, { result: { finish } });
  expect(end('stop')).toMatchObject({ state: 'done', finish: 'incomplete' });
  expect(end('length')).toMatchObject({ state: 'done', finish: 'length' });
  expect(end('stop').chargedUnits).toBeGreaterThan(0);
});

describe('failure messages', () => {
  const again = /Please try again\./;
  test.each([
    ['script', new GatewayError('moderation', 'x', { status: 403 }), /declined this request/],
    [
      'script',
      new GatewayError('invalid_request', 'x', { status: 400 }),
      /refused this request.*rewording it/,
    ],
    [
      'script',
      new GatewayError('invalid_request', 'x', { status: 413, blame: 'user' }),
      /Change it and try again/,
    ],
    ['script', new GatewayError('context_length', 'x', { status: 400 }), /too long for the model/],
    [
      'writer',
      new GatewayError('http_error', 'x', { status: 404, blame: 'ours' }),
      /trying again won’t help yet/,
    ],
    ['pdf', new GatewayError('payment', 'x', { status: 402 }), /trying again won’t help yet/],
    ['script', new GatewayError('http_error', 'x', { status: 502 }), again],
    ['chat', new GatewayError('moderation', 'x', { status: 403 }), /declined this request/],
    ['chat', new GatewayError('payment', 'x', { status: 402 }), again],
    ['chat', new GatewayError('truncated', 'x'), again],
  ])('%s: %j', (feature, error, words) => {
    const { errorCode, errorMessage, chargedUnits } = decideOutcome(run({ feature }), { error });
    expect([errorCode, chargedUnits]).toEqual([error.kind, 0]);
    const text = failureText(errorMessage);
    expect(text).toMatch(words);
    if (words !== again) expect(text).not.toMatch(again);
  });
});
