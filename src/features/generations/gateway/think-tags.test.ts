import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeChat, streamChat } from './chat-completions.server.ts';
import {
  answers,
  chunk,
  collect,
  event,
  STOP,
  scriptedGateway,
  streams,
} from './scripted-gateway.fixture.ts';
import { splitReply, ThinkTagParser } from './think-tags.ts';

const gateway = scriptedGateway();

const cases: [name: string, input: string, thinking: string, text: string][] = [
  ['a tag at the start', '<think>Hm.</think>Yes', 'Hm.', 'Yes'],
  ['whitespace around it', ' \n<think>\nHm.\n</think>\n\nYes\n', '\nHm.\n', 'Yes\n'],
  ['nothing in it', '<think>\n\n</think>\n\nYes', '\n\n', 'Yes'],
  ['no tag', 'Yes <b>', '', 'Yes <b>'],
  ['a tag in the middle of the text', 'Yes <think>Hm.</think>', '', 'Yes <think>Hm.</think>'],
  ['a tag in a code span', '`<think>` begins it', '', '`<think>` begins it'],
  ['a tag in a code block', '```\n<think>a</think>\n```', '', '```\n<think>a</think>\n```'],
  ['a second tag', '<think>a</think>b <think>c</think>', 'a', 'b <think>c</think>'],
  ['a second tag right after the first', '<think>a</think>\n<think>b</think>c', 'a', '<think>b</think>c'],
  ['a tag within it', '<think>a <think> b</think>c</think>', 'a <think> b', 'c</think>'],
  ['a tag that is not closed', '<think>Hm. </thin', 'Hm. </thin', ''],
  ['nothing after it', '<think>Hm.</think> \n', 'Hm.', ''],
  ['an end without a start', 'Hm.</think>Yes', '', 'Hm.</think>Yes'],
  ['half a tag', ' <thin', '', ' <thin'],
  ['another tag', '<thinking>Hm.</thinking>Yes', '', '<thinking>Hm.</thinking>Yes'],
  ['capital letters', '<THINK>Hm.</THINK>', '', '<THINK>Hm.</THINK>'],
  ['only whitespace', ' \n ', '', ' \n '],
  ['too much whitespace', `${' '.repeat(300)}<think>a</think>b`, '', `${' '.repeat(300)}<think>a</think>b`],
  ['text that looks like the closing tag', '<think>a </ </th </think </think>b', 'a </ </th </think ', 'b'],
];

function inPieces(input: string, sizes: number[]) {
  const tags = new ThinkTagParser();
  const split = { thinking: '', text: '' };
  const add = ({ thinking, text }: typeof split) => {
    split.thinking += thinking;
    split.text += text;
  };
  for (let at = 0, turn = 0; at < input.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    add(tags.push(input.slice(at, at + size)));
    at += size;
  }
  add(tags.end());
  return split;
}

describe('thinking tags in a text', () => {
  it.each(cases)('%s', (_, input, thinking, text) => {
    expect(splitReply(input)).toEqual({ thinking, text });
    expect(inPieces(input, [1])).toEqual({ thinking, text });
  });

  it('are found however the text is split', () => {
    const tags = fc.constantFrom('<think>', '</think>', '<', 'think>', '</', '`', '\n', ' ', 'a');
    fc.assert(
      fc.property(
        fc.array(fc.oneof(tags, fc.string()), { maxLength: 20 }).map((parts) => parts.join('')),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        (input, sizes) => {
          expect(inPieces(input, sizes)).toEqual(splitReply(input));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are held back only as long as they may be tags', () => {
    const tags = new ThinkTagParser();
    expect(tags.push('<')).toEqual({ thinking: '', text: '' });
    expect(tags.push('b>')).toEqual({ thinking: '', text: '<b>' });
    expect(tags.push('<think>')).toEqual({ thinking: '', text: '<think>' });
  });
});

const delta = (value: Record<string, unknown>) => event({ choices: [{ index: 0, delta: value }] });
const yes = event(chunk('Yes'));

async function think(...pieces: string[]) {
  let thinking = '';
  const onThinking = (piece: string) => {
    expect(piece.isWellFormed()).toBe(true);
    thinking += piece;
  };
  const result = await collect(streamChat(gateway.play(streams(...pieces), { onThinking })));
  return { ...result, thinking };
}

const summary = { type: 'reasoning.summary', summary: 'Hm.' };
const secret = { type: 'reasoning.encrypted', data: 'c2VjcmV0' };

describe('thinking in a stream', () => {
  it.each<[string, string[]]>([
    ['reasoning', [delta({ reasoning: 'H' }), delta({ content: '', reasoning: 'm.' }), yes]],
    ['reasoning_content', [delta({ content: null, reasoning_content: 'Hm.' }), yes]],
    ['both with the same text', [delta({ reasoning: 'Hm.', reasoning_content: 'Hm.' }), yes]],
    [
      'with its details',
      [delta({ reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }), yes],
    ],
    [
      'only details',
      [delta({ reasoning: null, reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }), yes],
    ],
    ['a summary next to encrypted details', [delta({ reasoning_details: [secret, summary] }), yes]],
    ['together with text', [delta({ reasoning: 'Hm.', content: 'Yes' })]],
    ['split tags', ['<th', 'ink', '>H', 'm.</', 'think>', '\n', '\nYes'].map((text) => event(chunk(text)))],
    ['NUL and lone surrogates', [delta({ reasoning: 'H\0m' }), delta({ reasoning: '.' }), yes]],
  ])('%s', async (_, pieces) => {
    expect(await think(...pieces, STOP)).toMatchObject({ thinking: 'Hm.', text: 'Yes', error: null });
  });

  it('joins a surrogate pair split over two pieces', async () => {
    const pieces = [delta({ reasoning: 'a\ud83d' }), delta({ reasoning: '\ude00b\ud83d' }), yes];
    expect(await think(...pieces, STOP)).toMatchObject({ thinking: 'a😀b', text: 'Yes' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['encrypted', { reasoning_details: [secret] }],
    [
      'unknown shapes',
      { reasoning: { text: 'x' }, reasoning_content: 5, reasoning_details: ['x', null, { text: 5 }] },
    ],
    ['not a list', { reasoning: [], reasoning_details: { text: 'x' } }],
  ])('is ignored if unreadable: %s', async (_, value) => {
    expect(await think(delta(value), yes, STOP)).toMatchObject({ thinking: '', text: 'Yes', error: null });
  });

  it('is not text, even without a reply', async () => {
    const unclosed = [event(chunk('<think>Hm.')), event(chunk(' Yes'))];
    expect(await think(...unclosed, STOP)).toMatchObject({ thinking: 'Hm. Yes', text: '', error: null });
    expect(await think(delta({ reasoning: 'Hm.' }), STOP)).toMatchObject({ thinking: 'Hm.', text: '' });
  });

  it('is limited, and does not count towards the text limit', async () => {
    const long = delta({ reasoning: 'é'.repeat(10_000) });
    const { thinking, text } = await think(...Array.from({ length: 10 }, () => long), yes, STOP);
    expect([Buffer.byteLength(thinking), text]).toEqual([128 * 1024, 'Yes']);
  });

  it('is left out of a reply that is not streamed', async () => {
    const complete = (message: object) =>
      completeChat(
        gateway.play(
          answers(200, 'application/json', JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] })),
        ),
      );
    expect(await complete({ content: '<think>Hm.</think>\n\nYes' })).toMatchObject({ text: 'Yes' });
    expect(await complete({ content: 'Yes', reasoning: 'Hm.' })).toMatchObject({ text: 'Yes' });
    expect(await complete({ content: '<think>Hm.' })).toMatchObject({ text: '' });
  });
});
