import { beforeEach, expect, test } from 'vitest';
import {
  dropPending,
  keepDraft,
  keepPending,
  readDraft,
  readPending,
  returnToDraft,
  type Shelf,
  sweepDrafts,
  withdrawPending,
} from './kept-text.ts';

let values: Map<string, string>;
let shelf: Shelf;
beforeEach(() => {
  values = new Map();
  shelf = {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
    key: (at) => [...values.keys()][at] ?? null,
    get length() {
      return values.size;
    },
  };
});

const minute = 60_000;
const day = 24 * 60 * minute;
const pending = { text: 'hi', key: 'k', chatId: 'c', create: true, attachment: null };

test('drafts are kept per chat and removed when empty', () => {
  keepDraft(shelf, null, 'new one');
  keepDraft(shelf, 'c1', 'other');
  expect([readDraft(shelf, null), readDraft(shelf, 'c1'), readDraft(shelf, 'c2')]).toEqual([
    'new one',
    'other',
    '',
  ]);
  keepDraft(shelf, 'c1', '');
  expect([...values.keys()]).toEqual(['draft:new']);
});

test('old drafts are swept, on sign-out all, and nothing else', () => {
  values.set('theme', 'dark');
  values.set('draft:broken', '{');
  keepDraft(shelf, 'a', 'old', 0);
  keepDraft(shelf, 'b', 'young', 2 * day);
  sweepDrafts(shelf, 'old', 31 * day);
  expect([...values.keys()]).toEqual(['theme', 'draft:b']);
  sweepDrafts(shelf, 'all', 31 * day);
  expect([...values.keys()]).toEqual(['theme']);
});

test('a waiting message is kept for 30 minutes', () => {
  keepPending(shelf, pending, 0);
  expect(readPending(shelf, 30 * minute)).toEqual(pending);
  expect(readPending(shelf, 30 * minute + 1)).toBeNull();
});

test('a waiting message is dropped only by its own key', () => {
  keepPending(shelf, pending);
  dropPending(shelf, 'other');
  expect(readPending(shelf)).toEqual(pending);
  dropPending(shelf, 'k');
  expect(readPending(shelf)).toBeNull();
});

test('foreign values and refused storage are survived', () => {
  values.set('pending-send', '{"text":1,"at":9e15}');
  expect(readPending(shelf)).toBeNull();
  const refused = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  keepDraft({ ...shelf, setItem: refused }, null, 'x');
  expect(readDraft({ ...shelf, getItem: refused }, null)).toBe('');
});

test('a refused message joins what was typed in its chat since', () => {
  keepDraft(shelf, null, 'typed since');
  returnToDraft(shelf, null, 'refused');
  expect(readDraft(shelf, null)).toBe('refused\n\ntyped since');
  keepDraft(shelf, 'c1', 'refused');
  returnToDraft(shelf, 'c1', 'refused');
  expect(readDraft(shelf, 'c1')).toBe('refused');
});

test('a waiting message is withdrawn only by a change in its own chat', () => {
  keepPending(shelf, { ...pending, create: true, attachment: null });
  withdrawPending(shelf, pending.chatId);
  expect(readPending(shelf)?.key).toBe(pending.key);
  withdrawPending(shelf, null);
  expect(readPending(shelf)).toBeNull();
  keepPending(shelf, { ...pending, create: false, attachment: null });
  withdrawPending(shelf, null);
  expect(readPending(shelf)?.key).toBe(pending.key);
  withdrawPending(shelf, pending.chatId);
  expect(readPending(shelf)).toBeNull();
});
