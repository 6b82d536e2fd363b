import { beforeEach, expect, test } from 'vitest';
import type { Attachment } from '../../attachments/contract.ts';
import {
  blank,
  dropDraft,
  dropPending,
  keepDraft,
  keepPending,
  placeOf,
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
const file: Attachment = {
  id: 'f',
  kind: 'pdf',
  name: 'a.pdf',
  bytes: 9,
  width: null,
  height: null,
  pages: 1,
  pagesRead: 1,
  note: null,
};
const other = { ...file, id: 'g' };
const words = (text: string, attachment: Attachment | null = null) => ({ text, attachment });
const pending = { text: 'hi', key: 'k', chatId: 'c', create: true, attachment: null };

test('drafts are kept per chat and removed when empty', () => {
  keepDraft(shelf, null, words('new one'));
  keepDraft(shelf, 'c1', words('other'));
  expect([null, 'c1', 'c2'].map((place) => readDraft(shelf, place).text)).toEqual(['new one', 'other', '']);
  keepDraft(shelf, 'c1', blank);
  expect([...values.keys()]).toEqual(['draft:new']);
});

test('old drafts are swept, on sign-out all, and nothing else', () => {
  values.set('theme', 'dark');
  values.set('draft:broken', '{');
  keepDraft(shelf, 'a', words('old'), 0);
  keepDraft(shelf, 'b', words('young'), 2 * day);
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
  keepDraft({ ...shelf, setItem: refused }, null, words('x'));
  expect(readDraft({ ...shelf, getItem: refused }, null)).toEqual(blank);
});

test('a refused message joins what was typed in its chat since', () => {
  keepDraft(shelf, null, words('typed since'));
  returnToDraft(shelf, null, words('refused', file));
  expect(readDraft(shelf, null)).toEqual(words('refused\n\ntyped since', file));
  keepDraft(shelf, 'c1', words('refused', other));
  returnToDraft(shelf, 'c1', words('refused', file));
  expect(readDraft(shelf, 'c1')).toEqual(words('refused', other));
});

test('a draft keeps its file without a text, and is dropped only as it was sent', () => {
  keepDraft(shelf, 'c1', words('', file));
  dropDraft(shelf, 'c1', words('', other));
  dropDraft(shelf, 'c1', words('more', file));
  expect(readDraft(shelf, 'c1')).toEqual(words('', file));
  dropDraft(shelf, 'c1', words('', file));
  expect([...values.keys()]).toEqual([]);
});

test('what is no file is none', () => {
  values.set(
    'draft:new',
    JSON.stringify({ text: 'x', attachment: { id: 1, name: 'a', kind: 'image' }, at: 1 }),
  );
  expect(readDraft(shelf, null)).toEqual(words('x'));
});

test('another version of a question waits at that question', () => {
  expect([
    placeOf({ replaces: 'm', create: false, chatId: 'c' }),
    placeOf({ replaces: null, create: false, chatId: 'c' }),
    placeOf({ create: true, chatId: 'c' }),
  ]).toEqual(['m', 'c', null]);
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
