import { describe, expect, test } from 'vitest';
import { documentFrameTokens } from '../attachments/attachment-parts.server.ts';
import type { HistoryMessage } from './message-store.server.ts';
import { trimHistory } from './reply-tool.server.ts';

const branch = (texts: string[]): HistoryMessage[] =>
  texts
    .map((content, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content,
      depth: index + 1,
      attachments: [],
    }))
    .reverse();

const text = (tokens: number) => 'x'.repeat(Math.floor((tokens - 4) * 3.5));
const depths = (messages: HistoryMessage[]) => messages.map(({ depth }) => depth);

describe('the part of a branch that is sent', () => {
  test('is all of it, oldest first, if it fits', () => {
    const { kept, leftOut } = trimHistory(branch([text(10), text(10), text(10)]), 30);
    expect([depths(kept), leftOut]).toEqual([[1, 2, 3], 0]);
  });

  test('starts with a question: a reply whose question does not fit is left out too', () => {
    const { kept, leftOut } = trimHistory(branch([text(50), text(10), text(50), text(10), text(10)]), 35);
    expect([depths(kept), leftOut]).toEqual([[5], 4]);
    const more = trimHistory(branch([text(50), text(10), text(50), text(10), text(10)]), 85);
    expect([depths(more.kept), more.leftOut]).toEqual([[3, 4, 5], 2]);
  });

  test('always contains the question, however long it is', () => {
    const { kept, leftOut } = trimHistory(branch([text(10), text(10), text(5_000)]), 100);
    expect([depths(kept), leftOut]).toEqual([[3], 2]);
  });

  test('skips replies without text, and does not count them as left out at the start', () => {
    const all = trimHistory(branch([text(10), '', text(10), '', text(10)]), 30);
    expect([depths(all.kept), all.leftOut]).toEqual([[1, 3, 5], 0]);
    const some = trimHistory(branch([text(10), '', text(10), '', text(10)]), 25);
    expect([depths(some.kept), some.leftOut]).toEqual([[3, 5], 2]);
  });

  test('counts images and the texts of documents', () => {
    const [last, reply, first] = branch([text(10), text(10), text(10)]) as [
      HistoryMessage,
      HistoryMessage,
      HistoryMessage,
    ];
    const picture: HistoryMessage = {
      ...first,
      attachments: [{ id: 'a', kind: 'image', name: 'a', textBytes: null }],
    };
    const document: HistoryMessage = {
      ...first,
      attachments: [{ id: 'a', kind: 'pdf', name: 'a', textBytes: 3_500 }],
    };
    const several: HistoryMessage = {
      ...first,
      attachments: ['a', 'b', 'c'].map((id) => ({ id, kind: 'pdf', name: id, textBytes: 27_000 })),
    };
    for (const [message, cost] of [
      [picture, 1_100],
      [document, 1_000 + documentFrameTokens],
      // Together they get the room of a single document.
      [several, 8_001 + 3 * documentFrameTokens],
    ] as const) {
      expect(trimHistory([last, reply, message], 30 + cost).leftOut).toBe(0);
      expect(trimHistory([last, reply, message], 29 + cost).leftOut).toBe(2);
    }
  });
});
