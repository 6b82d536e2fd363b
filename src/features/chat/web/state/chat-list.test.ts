import { expect, test } from 'vitest';
import type { ChatRow } from '../../contract.ts';
import { type ChatAction, type ChatPageData, type ChatState, firstState } from './chat-state.ts';
import { reduce } from './reducer.ts';

const row = (id: string, updatedAt: string, more: Partial<ChatRow> = {}): ChatRow => ({
  id,
  title: id,
  provisional: false,
  updatedAt,
  running: false,
  pinnedAt: null,
  archivedAt: null,
  projectId: null,
  assistant: 'general',
  ...more,
});

const page = {
  me: null,
  chat: null,
  missing: false,
  deleted: null,
  assistants: [],
  toolPages: [],
  webPrice: null,
  dictates: false,
  projects: [],
};
const first = (chats: ChatRow[], next: string | null): ChatState => {
  const data: ChatPageData = {
    ...page,
    assistant: 'general',
    temporary: false,
    project: null,
    own: null,
    at: null,
    now: '9',
    chats,
    next,
  } as ChatPageData;
  return firstState(data, 'n');
};
const run = (state: ChatState, ...actions: ChatAction[]) => actions.reduce(reduce, state);
const ids = ({ chats }: ChatState) => chats.map(({ id }) => id);

test('the oldest pinned chat does not mark the end of the newest page', () => {
  const state = first([row('a', '5'), row('gone', '4'), row('old', '2')], 'p2');
  const chats = [row('pinned', '1', { pinnedAt: '9' }), row('a', '5'), row('b', '3')];
  expect(ids(run(state, { type: 'newest', chats, next: 'p1', projects: [] }))).toEqual([
    'pinned',
    'a',
    'b',
    'old',
  ]);
});

test('an unpinned chat returns to its position, and a chat that is no longer listed disappears', () => {
  const pinned = [row('deep', '1', { pinnedAt: '8' }), row('away', '4', { pinnedAt: '7' })];
  const state = run(first([...pinned, row('a', '5'), row('b', '3')], 'p'), {
    type: 'newest',
    chats: [row('a', '5'), row('b', '3')],
    next: 'p',
    projects: [],
  });
  expect(state.chats).toEqual([row('a', '5'), row('b', '3'), row('deep', '1')]);
});

test('a restored chat is not listed twice when its page is loaded', () => {
  const state = run(
    first([row('a', '5')], 'p'),
    { type: 'arranged', row: row('b', '2') },
    { type: 'page', before: 'p', chats: [row('c', '3'), row('b', '2')], next: null },
  );
  expect(ids(state)).toEqual(['a', 'c', 'b']);
});

test('a restored chat appears below the pinned ones, ordered by time', () => {
  const listed = [row('pinned', '1', { pinnedAt: '9' }), row('a', '5'), row('b', '2')];
  const restored = run(first(listed, null), { type: 'arranged', row: row('c', '3') });
  expect(ids(restored)).toEqual(['pinned', 'a', 'c', 'b']);
  const archived = run(restored, { type: 'arranged', row: row('a', '5', { archivedAt: '9' }) });
  expect(ids(archived)).toEqual(['pinned', 'c', 'b']);
});

test('a chat stays pinned when it gets a new message', () => {
  const state = run(first([row('pinned', '1', { pinnedAt: '9' })], null), {
    type: 'ended',
    chatId: 'pinned',
    reply: 'r',
    text: '',
    now: '8',
    data: { state: 'done', finishReason: 'stop', error: null, creditsCharged: 1, credits: 9 } as never,
  });
  expect(state.chats).toEqual([row('pinned', '8', { pinnedAt: '9' })]);
});
