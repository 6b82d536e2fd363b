import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatgptHistory, claudeHistory } from '#tests/support/imports.ts';
import { importLimits } from '../contract.ts';
import { readArchiveChat } from './archive-chats.ts';
import { ArchiveFiles } from './archive-files.server.ts';
import { type ItemList, objectParsers, readItem } from './archive-items.ts';
import { readChatgptChat } from './chatgpt-chats.ts';
import { readClaudeChat } from './claude-chats.ts';
import type { Fields } from './field-values.ts';
import type { ParsedChat, ParsedMessage } from './import-protocol.ts';
import { boundMessage } from './message-bounds.ts';
import { InvalidTree, messagesOf, type TreeNode } from './message-tree.ts';

/** Copies the value with `replacement` at one path. */
function mutated(value: unknown, path: number[], replacement: unknown): unknown {
  const [step = 0, ...rest] = path;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return replacement;
  const keys = Object.keys(value);
  const key = keys[step % keys.length] ?? '';
  const inner = rest.length > 0 ? mutated((value as Fields)[key], rest, replacement) : replacement;
  return Array.isArray(value)
    ? value.map((each, at) => (String(at) === key ? inner : each))
    : { ...value, [key]: inner };
}

const archiveHistory = [
  {
    id: 'c1',
    title: 'T',
    messages: [
      { id: 'a', parentId: null, role: 'user', content: 'Q', createdAt: '2024-01-01T00:00:00.000Z' },
      { id: 'b', parentId: 'a', role: 'assistant', content: 'A', createdAt: '2024-01-01T00:00:00.000Z' },
    ],
  },
];

const isValid = (chat: ParsedChat) =>
  chat.messages.every(
    ({ parent, role, text }, at) =>
      (parent === null || (parent >= 0 && parent < at)) &&
      (role === 'user' || role === 'assistant') &&
      typeof text === 'string' &&
      text.isWellFormed() &&
      !text.includes('\0'),
  ) &&
  (chat.shown === null || chat.shown < chat.messages.length) &&
  chat.sourceId.length > 0;

describe('a chat with any value anywhere', () => {
  test.each([
    ['ChatGPT', readChatgptChat, chatgptHistory('w')],
    ['Claude', readClaudeChat, claudeHistory('w')],
    ['an archive', readArchiveChat, archiveHistory],
  ] as const)('of %s is read or left out', (_, read, history) => {
    const paths = fc.array(fc.nat(20), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(fc.nat(1), paths, fc.jsonValue(), (which, path, replacement) => {
        const chat = mutated(history[which % history.length], path, replacement);
        if (typeof chat !== 'object' || chat === null) return;
        try {
          const parsed = read(chat as Fields, () => undefined);
          expect(parsed === null || isValid(parsed)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidTree);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

const time = '2024-01-01T00:00:00.000Z';
const listed: Record<ItemList, Fields> = {
  tags: { id: 't', name: 'T', createdAt: time, items: [{ kind: 'writer', id: 'w' }] },
  works: {
    ...{ id: 'w', tool: 'writer', title: 'T', author: null, createdAt: time, updatedAt: time },
    versions: [{ id: 'v', kind: 'edited', settings: {}, content: 'Words', note: null, createdAt: time }],
  },
  projects: { id: 'p', name: 'P', instructions: 'I', fileIds: ['f'], createdAt: time, updatedAt: time },
  assistants: {
    id: 'a',
    name: 'A',
    about: 'B',
    instruction: 'I',
    model: null,
    fileIds: ['f'],
    createdAt: time,
  },
  documents: {
    ...{ id: 'd', name: 'D.pdf', createdAt: time, deletedAt: null, file: 'documents/d.pdf' },
    runs: [
      { generationId: null, kind: 'question', state: 'done', question: 'Q?', result: {}, createdAt: time },
    ],
  },
  prompts: { id: 'o', title: 'T', description: 'D', content: 'C', category: 'writing', createdAt: time },
  images: {
    ...{ id: 'i', prompt: 'P', size: '512x512', count: 1, model: 'm', createdAt: time },
    pictures: [{ id: 'x', createdAt: time, deletedAt: null, file: 'images/x.png' }],
  },
};

/** Texts must be valid in PostgreSQL, and times finite. */
const isStorable = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.isWellFormed() && !value.includes('\0')
    : typeof value === 'object' && value !== null
      ? Object.values(value).every(isStorable)
      : typeof value !== 'number' || Number.isFinite(value);

test('an item of an archive with any value anywhere is read or left out', () => {
  const paths = fc.array(fc.nat(20), { minLength: 1, maxLength: 4 });
  const lists = fc.constantFrom(...(Object.keys(listed) as ItemList[]));
  fc.assert(
    fc.property(lists, paths, fc.jsonValue(), (list, path, replacement) => {
      const item = readItem(list, mutated(listed[list], path, replacement) as Fields);
      if (item === null || item === 'empty') return;
      // Settings are validated later, by their tool.
      const withoutSettings =
        'versions' in item ? { ...item, versions: item.versions.map(({ settings: _, ...v }) => v) } : item;
      expect([item.sourceId.length > 0, isStorable(withoutSettings)]).toEqual([true, true]);
    }),
    { numRuns: 1_000 },
  );
  for (const read of Object.values(objectParsers))
    expect(read({ notes: [null, 1, { id: [] }], about: 7 })).toEqual([]);
});

describe('a tree of messages', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const node = fc.record({
    id: ids,
    parentId: fc.option(fc.oneof(ids, fc.constant('gone'))),
    role: fc.constantFrom('user', 'assistant', null),
  });

  test('lists each message after its parent, with alternating roles', () => {
    fc.assert(
      fc.property(fc.uniqueArray(node, { selector: ({ id }) => id }), fc.option(ids), (list, end) => {
        const nodes = new Map<string, TreeNode>(
          list.map((each) => [
            each.id,
            { ...each, text: each.id, at: null, images: 0, files: [], other: [], attachments: [] },
          ]),
        );
        let read: ReturnType<typeof messagesOf>;
        try {
          read = messagesOf(nodes, end);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidTree);
          return;
        }
        for (const [at, { parent, role }] of read.messages.entries()) {
          expect(parent === null || parent < at).toBe(true);
          if (parent !== null) expect(read.messages[parent]?.role).not.toBe(role);
        }
        // No text is lost.
        const texts = read.messages.map(({ text }) => text).join();
        for (const { id, role } of list) if (role !== null) expect(texts).toContain(id);
      }),
      { numRuns: 2_000 },
    );
  });
});

const message = (more: Partial<ParsedMessage> = {}): ParsedMessage => ({
  parent: null,
  role: 'user',
  text: '',
  at: null,
  images: 0,
  files: [],
  other: [],
  attachments: [],
  ...more,
});

describe('the size of an import is limited', () => {
  test('in names and kinds of content per message', () => {
    const many = (word: string) =>
      Array.from({ length: 100_000 }, (_, at) => `${word}${at}${'\u{1f600}'.repeat(200)}`);
    const all = message({ files: many('f'), other: [...many('k'), ...many('k')] });
    const counted: Record<string, number> = {};
    boundMessage(all, (kind, by) => {
      counted[kind] = by;
    });
    expect(counted).toEqual({ images: 0, files: 100_000, other: 200_000 });
    expect([all.files.length, new Set(all.other).size]).toEqual([20, 20]);
    for (const name of [...all.files, ...all.other])
      expect([name.length <= 200, name.isWellFormed()]).toEqual([true, true]);
  });

  test('in files of all chats, and names and counts the others', async () => {
    const files = new ArchiveFiles({ bytes: 0, read: () => Buffer.alloc(0) }, new Map());
    const each = Array.from({ length: 10 }, (_, at) => `t${at}`);
    let taken = 0;
    let last: ParsedMessage | undefined;
    for (let at = 0; at <= importLimits.files / each.length; at++) {
      last = message({ attachments: [...each] });
      const chat: ParsedChat = {
        source: 'claude',
        sourceId: `c${at}`,
        title: '',
        assistant: null,
        createdAt: null,
        updatedAt: null,
        archivedAt: null,
        messages: [last],
        shown: null,
        texts: each.map((id) => ({ id, name: `${id}.txt`, createdAt: null, content: 'x' })),
      };
      for await (const _ of files.ofChat(chat)) taken++;
    }
    expect([taken, files.skipped]).toEqual([importLimits.files, each.length]);
    expect(last).toMatchObject({ attachments: [], files: each.map((id) => `${id}.txt`) });
  });

  test('in texts per chat of an archive', () => {
    const chat = (length: number) => ({
      id: 'c',
      messages: ['a', 'b'].map((id) => ({ id, parentId: null, role: 'user', content: 'x'.repeat(length) })),
    });
    const read = (length: number) => readArchiveChat(chat(length), () => undefined);
    expect(read(4 * 1024 * 1024)?.messages).toHaveLength(2);
    expect(() => read(4 * 1024 * 1024 + 1)).toThrow(InvalidTree);
  });
});
