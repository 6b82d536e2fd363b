import { beforeEach, expect, test } from 'vitest';
import type { Attachment } from '../../contract.ts';
import {
  claimDrafts,
  type DraftStorage,
  draftKeyOf,
  draftOwner,
  dropDraft,
  dropPending,
  emptyDraft,
  markSent,
  moveDraft,
  readDraft,
  readPending,
  removedDraft,
  returnToDraft,
  saveDraft,
  savePending,
  sweepDrafts,
  takeOutSent,
  withdrawPending,
} from './drafts.ts';

let values: Map<string, string>;
let shelf: DraftStorage;
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
  textBytes: 9,
  note: null,
};
const other = { ...file, id: 'g' };
const words = (text: string, ...attachments: Attachment[]) => ({ text, attachments });
const pending = { text: 'hi', key: 'k', owner: null, chatId: 'c', create: true, attachments: [] };

test('drafts are stored per chat and removed when empty', () => {
  saveDraft(shelf, null, words('new one'), 'u');
  saveDraft(shelf, 'c1', words('other'), 'u');
  expect([null, 'c1', 'c2'].map((place) => readDraft(shelf, place, 'u').text)).toEqual([
    'new one',
    'other',
    '',
  ]);
  saveDraft(shelf, 'c1', emptyDraft, 'u');
  expect([...values.keys()]).toEqual(['draft:new']);
});

test('sweeping removes old drafts, on sign-out all drafts, and nothing else', () => {
  values.set('theme', 'dark');
  values.set('draft:broken', '{');
  saveDraft(shelf, 'a', words('old'), 'u', 0);
  saveDraft(shelf, 'b', words('young'), 'u', 2 * day);
  sweepDrafts(shelf, 'old', 31 * day);
  expect([...values.keys()]).toEqual(['theme', 'draft:b']);
  sweepDrafts(shelf, 'all', 31 * day);
  expect([...values.keys()]).toEqual(['theme']);
});

test('a waiting message is kept for 30 minutes', () => {
  savePending(shelf, pending, 0);
  expect(readPending(shelf, 30 * minute)).toEqual(pending);
  expect(readPending(shelf, 30 * minute + 1)).toBeNull();
});

test('a waiting message keeps all choices made for it', () => {
  const chosen = { model: 'maker/deep', price: 5, web: true, compare: { model: 'maker/fast', price: 3 } };
  savePending(shelf, { ...pending, ...chosen });
  expect(readPending(shelf)).toEqual({ ...pending, ...chosen });
});

test('a waiting message is dropped only by its own key', () => {
  savePending(shelf, pending);
  dropPending(shelf, 'other');
  expect(readPending(shelf)).toEqual(pending);
  dropPending(shelf, 'k');
  expect(readPending(shelf)).toBeNull();
});

test('unexpected stored values are ignored', () => {
  values.set('pending-send', '{"text":1,"at":9e15}');
  expect(readPending(shelf)).toBeNull();
});

test('a refused message is put before the text typed in its chat since', () => {
  saveDraft(shelf, null, words('typed since'), 'u');
  returnToDraft(shelf, null, { ...words('refused', file), owner: 'u' });
  expect(readDraft(shelf, null, 'u')).toEqual(words('refused\n\ntyped since', file));
  saveDraft(shelf, 'c1', words('refused', other), 'u');
  returnToDraft(shelf, 'c1', { ...words('refused', file), owner: 'u' });
  expect(readDraft(shelf, 'c1', 'u')).toEqual(words('refused', file, other));
});

test('a draft can have only a file, and is removed only if it equals the sent message', () => {
  saveDraft(shelf, 'c1', words('', file), 'u');
  dropDraft(shelf, 'c1', { ...words('', other), owner: 'u' });
  dropDraft(shelf, 'c1', { ...words('more', file), owner: 'u' });
  expect(readDraft(shelf, 'c1', 'u')).toEqual(words('', file));
  dropDraft(shelf, 'c1', { ...words('', file), owner: 'u' });
  expect([...values.keys()]).toEqual([]);
});

test('invalid files of a draft are ignored', () => {
  values.set(
    'draft:new',
    JSON.stringify({ text: 'x', attachment: { id: 1, name: 'a', kind: 'image' }, at: 1 }),
  );
  expect(readDraft(shelf, null, 'u')).toEqual(words('x'));
});

test('drafts and waiting messages stored by older pages, with a single file, keep that file', () => {
  const old = { text: 'x', attachment: file, at: Date.now() };
  values.set('draft:c', JSON.stringify({ ...old, sent: { key: 'k', text: 'x', fileId: 'f' } }));
  values.set('pending-send', JSON.stringify({ ...old, key: 'k', chatId: 'c' }));
  expect(readDraft(shelf, 'c', 'u')).toEqual(words('x', file));
  expect(readPending(shelf)?.attachments).toEqual([file]);
  expect(takeOutSent(shelf, new Set(['k']))).toEqual([{ place: 'c', before: 'x', now: emptyDraft }]);
});

test('the draft of another version of a question is stored under that question', () => {
  expect([
    draftKeyOf({ replaces: 'm', create: false, chatId: 'c' }),
    draftKeyOf({ replaces: null, create: false, chatId: 'c' }),
    draftKeyOf({ create: true, chatId: 'c' }),
  ]).toEqual(['m', 'c', null]);
});

test('a waiting message is withdrawn only by a change in its own chat', () => {
  savePending(shelf, { ...pending, create: true, attachments: [] });
  withdrawPending(shelf, pending.chatId);
  expect(readPending(shelf)?.key).toBe(pending.key);
  withdrawPending(shelf, null);
  expect(readPending(shelf)).toBeNull();
  savePending(shelf, { ...pending, create: false, attachments: [] });
  withdrawPending(shelf, null);
  expect(readPending(shelf)?.key).toBe(pending.key);
  withdrawPending(shelf, pending.chatId);
  expect(readPending(shelf)).toBeNull();
});

test('a person’s drafts are not shown to another and are deleted, but a guest’s drafts pass to whoever signs in', () => {
  saveDraft(shelf, null, words('of a'), 'a');
  saveDraft(shelf, 'c', words('of a guest'), null);
  savePending(shelf, { ...pending, owner: 'a' });
  expect([null, 'c'].map((place) => readDraft(shelf, place, 'b').text)).toEqual(['', 'of a guest']);
  expect(readDraft(shelf, null, null).text).toBe('of a');
  claimDrafts(shelf, 'b');
  expect([...values.keys()]).toEqual(['draft:c']);
  expect(draftOwner(shelf, 'c')).toBe('b');
  savePending(shelf, pending, 5);
  claimDrafts(shelf, 'b');
  expect(readPending(shelf, 5)?.owner).toBe('b');
  claimDrafts(shelf, 'a');
  expect([...values.keys()]).toEqual([]);
});

test('a draft keeps its owner when it is changed after the session has ended', () => {
  saveDraft(shelf, null, words('of a'), 'a');
  saveDraft(shelf, null, words('of a, changed'), null);
  expect(draftOwner(shelf, null)).toBe('a');
  saveDraft(shelf, null, emptyDraft, null);
  saveDraft(shelf, null, words('a guest'), null);
  expect(draftOwner(shelf, null)).toBeNull();
});

test('recognizes by its key that another tab removed a draft, and returns the removed text', () => {
  const oldValue = JSON.stringify({ text: 'sent', at: 1, owner: 'u' });
  const removed = { key: 'draft:new', oldValue, newValue: null };
  expect(removedDraft(removed, null)).toBe('sent');
  expect(removedDraft(removed, 'c')).toBeNull();
  expect(removedDraft({ ...removed, newValue: oldValue }, null)).toBeNull();
  expect(removedDraft({ ...removed, oldValue: '{' }, null)).toBeNull();
});

test('a message that the server accepted is removed from the draft unless it was changed since', () => {
  const sent = { ...pending, owner: 'u', create: false, attachments: [file] };
  const told = () => takeOutSent(shelf, new Set(['k']));
  const again = (text: string, ...attachments: Attachment[]) => {
    markSent(shelf, sent, words('hi', file));
    saveDraft(shelf, 'c', words(text, ...attachments), 'u');
  };
  again('hi', file);
  expect(takeOutSent(shelf, new Set(['other']))).toEqual([]);
  expect(told()).toEqual([{ place: 'c', before: 'hi', now: emptyDraft }]);
  expect(values.size).toBe(0);
  // Typed during the request: the returned text comes before it, or the draft has another file.
  again('hi\n\nand more', file);
  expect(told()).toEqual([{ place: 'c', before: 'hi\n\nand more', now: words('and more') }]);
  again('hi\n\nand more', other);
  expect(told()[0]?.now).toEqual(words('and more', other));
  for (const [text, ...attachments] of [['hi there', file], ['hi', other], ['hi', file, other], ['hi']] as [
    string,
    ...Attachment[],
  ][]) {
    again(text, ...attachments);
    expect(told()).toEqual([]);
    expect(readDraft(shelf, 'c', 'u')).toEqual(words(text, ...attachments));
  }
  // Reported once: the same words typed later are another message.
  saveDraft(shelf, 'c', words('hi', file), 'u');
  expect(told()).toEqual([]);
});

test('a sent message is still known after its new chat takes over the draft, and forgotten once accepted', () => {
  const sent = { ...pending, owner: 'u' };
  saveDraft(shelf, null, words('hi'), 'u');
  markSent(shelf, sent);
  moveDraft(shelf, [null, 'c'], words('hi'), 'u');
  expect(takeOutSent(shelf, new Set(['k']))).toEqual([{ place: 'c', before: 'hi', now: emptyDraft }]);
  saveDraft(shelf, null, words('hi'), 'u');
  markSent(shelf, sent);
  saveDraft(shelf, null, words('hi, and more'), 'u');
  dropDraft(shelf, null, sent);
  saveDraft(shelf, null, words('hi'), 'u');
  expect(takeOutSent(shelf, new Set(['k']))).toEqual([]);
});
