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
  removeSent,
  returnToDraft,
  saveDraft,
  savePending,
  sweepDrafts,
  withdrawPending,
} from './drafts.ts';

let values: Map<string, string>;
let storage: DraftStorage;
beforeEach(() => {
  values = new Map();
  storage = {
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
const draft = (text: string, ...attachments: Attachment[]) => ({ text, attachments });
const pending = { text: 'hi', key: 'k', owner: null, chatId: 'c', create: true, attachments: [] };

test('drafts are stored per chat and removed when empty', () => {
  saveDraft(storage, null, draft('new one'), 'u');
  saveDraft(storage, 'c1', draft('other'), 'u');
  expect([null, 'c1', 'c2'].map((place) => readDraft(storage, place, 'u').text)).toEqual([
    'new one',
    'other',
    '',
  ]);
  saveDraft(storage, 'c1', emptyDraft, 'u');
  expect([...values.keys()]).toEqual(['draft:new']);
});

test('sweeping removes old drafts, on sign-out all drafts, and nothing else', () => {
  values.set('theme', 'dark');
  values.set('draft:broken', '{');
  saveDraft(storage, 'a', draft('old'), 'u', 0);
  saveDraft(storage, 'b', draft('young'), 'u', 2 * day);
  sweepDrafts(storage, 'old', 31 * day);
  expect([...values.keys()]).toEqual(['theme', 'draft:b']);
  sweepDrafts(storage, 'all', 31 * day);
  expect([...values.keys()]).toEqual(['theme']);
});

test('a waiting message is kept for 30 minutes', () => {
  savePending(storage, pending, 0);
  expect(readPending(storage, 30 * minute)).toEqual(pending);
  expect(readPending(storage, 30 * minute + 1)).toBeNull();
});

test('a waiting message keeps all choices made for it', () => {
  const chosen = { model: 'maker/deep', price: 5, web: true, compare: { model: 'maker/fast', price: 3 } };
  savePending(storage, { ...pending, ...chosen });
  expect(readPending(storage)).toEqual({ ...pending, ...chosen });
});

test('a waiting message is dropped only by its own key', () => {
  savePending(storage, pending);
  dropPending(storage, 'other');
  expect(readPending(storage)).toEqual(pending);
  dropPending(storage, 'k');
  expect(readPending(storage)).toBeNull();
});

test('unexpected stored values are ignored', () => {
  values.set('pending-send', '{"text":1,"at":9e15}');
  expect(readPending(storage)).toBeNull();
});

test('a refused message is put before the text typed in its chat since', () => {
  saveDraft(storage, null, draft('typed since'), 'u');
  returnToDraft(storage, null, { ...draft('refused', file), owner: 'u' });
  expect(readDraft(storage, null, 'u')).toEqual(draft('refused\n\ntyped since', file));
  saveDraft(storage, 'c1', draft('refused', other), 'u');
  returnToDraft(storage, 'c1', { ...draft('refused', file), owner: 'u' });
  expect(readDraft(storage, 'c1', 'u')).toEqual(draft('refused', file, other));
});

test('a draft can have only a file, and is removed only if it equals the sent message', () => {
  saveDraft(storage, 'c1', draft('', file), 'u');
  dropDraft(storage, 'c1', { ...draft('', other), owner: 'u' });
  dropDraft(storage, 'c1', { ...draft('more', file), owner: 'u' });
  expect(readDraft(storage, 'c1', 'u')).toEqual(draft('', file));
  dropDraft(storage, 'c1', { ...draft('', file), owner: 'u' });
  expect([...values.keys()]).toEqual([]);
});

test('invalid files of a draft are ignored', () => {
  values.set(
    'draft:new',
    JSON.stringify({ text: 'x', attachment: { id: 1, name: 'a', kind: 'image' }, at: 1 }),
  );
  expect(readDraft(storage, null, 'u')).toEqual(draft('x'));
});

test('drafts and waiting messages stored by older pages, with a single file, keep that file', () => {
  const old = { text: 'x', attachment: file, at: Date.now() };
  values.set('draft:c', JSON.stringify({ ...old, sent: { key: 'k', text: 'x', fileId: 'f' } }));
  values.set('pending-send', JSON.stringify({ ...old, key: 'k', chatId: 'c' }));
  expect(readDraft(storage, 'c', 'u')).toEqual(draft('x', file));
  expect(readPending(storage)?.attachments).toEqual([file]);
  expect(removeSent(storage, new Set(['k']))).toEqual([{ place: 'c', before: 'x', now: emptyDraft }]);
});

test('the draft of another version of a question is stored under that question', () => {
  expect([
    draftKeyOf({ replaces: 'm', create: false, chatId: 'c' }),
    draftKeyOf({ replaces: null, create: false, chatId: 'c' }),
    draftKeyOf({ create: true, chatId: 'c' }),
  ]).toEqual(['m', 'c', null]);
});

test('a waiting message is withdrawn only by a change in its own chat', () => {
  savePending(storage, { ...pending, create: true, attachments: [] });
  withdrawPending(storage, pending.chatId);
  expect(readPending(storage)?.key).toBe(pending.key);
  withdrawPending(storage, null);
  expect(readPending(storage)).toBeNull();
  savePending(storage, { ...pending, create: false, attachments: [] });
  withdrawPending(storage, null);
  expect(readPending(storage)?.key).toBe(pending.key);
  withdrawPending(storage, pending.chatId);
  expect(readPending(storage)).toBeNull();
});

test('a person’s drafts are not shown to another and are deleted, but a guest’s drafts pass to whoever signs in', () => {
  saveDraft(storage, null, draft('of a'), 'a');
  saveDraft(storage, 'c', draft('of a guest'), null);
  savePending(storage, { ...pending, owner: 'a' });
  expect([null, 'c'].map((place) => readDraft(storage, place, 'b').text)).toEqual(['', 'of a guest']);
  expect(readDraft(storage, null, null).text).toBe('of a');
  claimDrafts(storage, 'b');
  expect([...values.keys()]).toEqual(['draft:c']);
  expect(draftOwner(storage, 'c')).toBe('b');
  savePending(storage, pending, 5);
  claimDrafts(storage, 'b');
  expect(readPending(storage, 5)?.owner).toBe('b');
  claimDrafts(storage, 'a');
  expect([...values.keys()]).toEqual([]);
});

test('a draft keeps its owner when it is changed after the session has ended', () => {
  saveDraft(storage, null, draft('of a'), 'a');
  saveDraft(storage, null, draft('of a, changed'), null);
  expect(draftOwner(storage, null)).toBe('a');
  saveDraft(storage, null, emptyDraft, null);
  saveDraft(storage, null, draft('a guest'), null);
  expect(draftOwner(storage, null)).toBeNull();
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
  const accepted = () => removeSent(storage, new Set(['k']));
  const markAndSave = (text: string, ...attachments: Attachment[]) => {
    markSent(storage, sent, draft('hi', file));
    saveDraft(storage, 'c', draft(text, ...attachments), 'u');
  };
  markAndSave('hi', file);
  expect(removeSent(storage, new Set(['other']))).toEqual([]);
  expect(accepted()).toEqual([{ place: 'c', before: 'hi', now: emptyDraft }]);
  expect(values.size).toBe(0);
  // Typed during the request: the returned text comes before it, or the draft has another file.
  markAndSave('hi\n\nand more', file);
  expect(accepted()).toEqual([{ place: 'c', before: 'hi\n\nand more', now: draft('and more') }]);
  markAndSave('hi\n\nand more', other);
  expect(accepted()[0]?.now).toEqual(draft('and more', other));
  for (const [text, ...attachments] of [['hi there', file], ['hi', other], ['hi', file, other], ['hi']] as [
    string,
    ...Attachment[],
  ][]) {
    markAndSave(text, ...attachments);
    expect(accepted()).toEqual([]);
    expect(readDraft(storage, 'c', 'u')).toEqual(draft(text, ...attachments));
  }
  // Reported once: the same words typed later are another message.
  saveDraft(storage, 'c', draft('hi', file), 'u');
  expect(accepted()).toEqual([]);
});

test('a sent message is still known after its new chat takes over the draft, and forgotten once accepted', () => {
  const sent = { ...pending, owner: 'u' };
  saveDraft(storage, null, draft('hi'), 'u');
  markSent(storage, sent);
  moveDraft(storage, [null, 'c'], draft('hi'), 'u');
  expect(removeSent(storage, new Set(['k']))).toEqual([{ place: 'c', before: 'hi', now: emptyDraft }]);
  saveDraft(storage, null, draft('hi'), 'u');
  markSent(storage, sent);
  saveDraft(storage, null, draft('hi, and more'), 'u');
  dropDraft(storage, null, sent);
  saveDraft(storage, null, draft('hi'), 'u');
  expect(removeSent(storage, new Set(['k']))).toEqual([]);
});
