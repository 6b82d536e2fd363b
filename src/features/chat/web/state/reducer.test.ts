import { describe, expect, test } from 'vitest';
import { LiveText } from '#features/generations/web/live-text.ts';
import type { ChatMessage, StartedReply } from '../../contract.ts';
import {
  type ChatAction,
  type ChatPageData,
  type ChatState,
  firstState,
  liveMessage,
  type Message,
  replyToContinue,
} from './chat-state.ts';
import { reduce } from './reducer.ts';

const now = '2026-11-21T10:00:00.000Z';
const message = (id: string, role: ChatMessage['role'], change: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  parentId: null,
  role,
  content: `text of ${id}`,
  createdAt: now,
  state: 'done',
  generationId: null,
  requestKey: null,
  finishReason: null,
  error: null,
  creditsCharged: 0,
  model: null,
  answeredBy: null,
  thoughtMs: null,
  web: null,
  takenOver: 0,
  leftOut: 0,
  filesLeftOut: [],
  assistantName: null,
  versions: null,
  beside: null,
  rating: null,
  images: null,
  attachments: [],
  ...change,
});
const me = {
  id: 'u',
  email: 'a@b.c',
  name: 'Ada',
  avatarUrl: null,
  plan: 'free' as const,
  credits: 10,
  chatsLeftToday: 3,
  welcomed: true,
  instructed: false,
  chatModel: null,
};
const empty: ChatPageData = {
  me,
  chats: [],
  next: null,
  chat: null,
  missing: false,
  deleted: null,
  assistants: [],
  toolPages: [],
  webPrice: null,
  dictates: false,
  assistant: 'general',
  temporary: false,
  projects: [],
  project: null,
  own: null,
  at: null,
  now,
};
const stored: ChatPageData = {
  ...empty,
  chats: [
    {
      id: 'c',
      title: 'Old',
      provisional: true,
      updatedAt: now,
      running: false,
      pinnedAt: null,
      archivedAt: null,
      projectId: null,
      assistant: 'general',
    },
  ],
  chat: {
    id: 'c',
    title: 'Old',
    updatedAt: now,
    archivedAt: null,
    messages: [message('m1', 'user'), message('m2', 'assistant')],
    assistantGone: false,
    compared: null,
    compare: null,
    older: null,
    newer: null,
    assistant: 'general',
    temporary: false,
    project: null,
    own: null,
    model: null,
    web: false,
  },
};
const live = new LiveText();
const sending: Extract<ChatAction, { type: 'sending' }> = {
  type: 'sending',
  text: 'hi',
  attachments: [],
  replaces: null,
  keys: { question: 'q', reply: 'r' },
  live,
  now,
};
const started = (chatId: string, isNew: boolean): Extract<ChatAction, { type: 'started' }> => {
  const data: StartedReply = {
    chat: { id: chatId, title: 'New Conversation', isNew, temporary: false },
    message: { id: 'm8', content: 'hi' },
    reply: { id: 'm9', assistantName: null, model: 'm' },
    instructed: false,
    generation: { id: 'g', state: 'queued' },
    credits: 9,
  };
  return { type: 'started', reply: 'r', question: 'q', data, now };
};
const ended = (chatId: string): Extract<ChatAction, { type: 'ended' }> => ({
  type: 'ended',
  chatId,
  reply: 'r',
  text: 'hello',
  now,
  data: {
    id: 'g',
    state: 'done',
    feature: 'chat',
    requestKey: 'k',
    creditsCharged: 1,
    finishReason: 'stop',
    answeredBy: null,
    thoughtMs: null,
    error: null,
    credits: 9,
  },
});
const run = (state: ChatState, ...actions: ChatAction[]) => actions.reduce(reduce, state);
const shown = (state: ChatState) =>
  state.open.messages.map((turn) => `${turn.key}=${turn.id}:${turn.content}:${turn.state}`);

test('a message written on the page of a missing chat starts a new chat, which is shown', () => {
  const sent = run(firstState({ ...empty, missing: true }, 'n'), sending);
  expect(sent.missing).toBe(false);
  expect(shown(sent)).toEqual(['q=q:hi:done', 'r=r::queued']);
  expect(run(sent, started('n', true), ended('n')).missing).toBe(false);
});

test('the first message of a chat is shown at once, gets its ids when accepted, and finishes', () => {
  const sent = run(firstState(empty, 'n'), sending);
  expect(shown(sent)).toEqual(['q=q:hi:done', 'r=r::queued']);
  const accepted = run(sent, started('n', true));
  expect(shown(accepted)).toEqual(['q=m8:hi:done', 'r=m9::queued']);
  expect(accepted.open.stored).toBe(true);
  expect(accepted.chats).toMatchObject([{ id: 'n', running: true }]);
  expect(accepted.me).toMatchObject({ credits: 9, chatsLeftToday: 2 });
  expect(liveMessage(accepted)?.live).toBe(live);
  const done = run(accepted, ended('n'));
  expect(shown(done)).toEqual(['q=m8:hi:done', 'r=m9:hello:done']);
  expect(done.open.messages[1]).not.toHaveProperty('live');
  expect(done.chats).toMatchObject([{ id: 'n', running: false }]);
});

test('a message that another tab sent under the same key is shown once', () => {
  const guest = firstState({ ...empty, me: null }, 'n');
  const signedIn = run(guest, { type: 'loaded', data: empty, newId: 'x' });
  expect(signedIn.open.id).toBe('n');
  const messages = [message('m8', 'user'), message('m9', 'assistant')];
  const chat = { ...stored.chat!, id: 'n', messages };
  const sent = run(signedIn, { type: 'view', view: chat }, sending, started('n', false));
  expect(shown(sent)).toEqual(['q=m8:hi:done', 'r=m9::queued']);
});

test('a refused message is removed and the reason is shown', () => {
  const notice = { text: 'No.', code: 'credits_exhausted' };
  const state = run(firstState(stored, 'n'), sending, { type: 'refused', reply: 'r', question: 'q', notice });
  expect(shown(state)).toEqual(['m1=m1:text of m1:done', 'm2=m2:text of m2:done']);
  expect(state.notice).toEqual(notice);
});

test('another reply replaces the last one, which returns if the new one is refused', () => {
  const replacing: ChatAction = { type: 'replacing', continues: false, key: 'm2', reply: 'r', live, now };
  const state = run(firstState(stored, 'n'), replacing);
  expect(shown(state)[1]).toBe('r=r::queued');
  expect(shown(run(state, { type: 'refused', reply: 'r', question: null, notice: null }))[1]).toContain(
    'm2=m2',
  );
  const accepted = run(state, started('c', false));
  expect(accepted.open.messages[1]).not.toHaveProperty('replaced');
  expect(accepted.me?.chatsLeftToday).toBe(3);
});

test('a reply that ends in another chat changes only the list', () => {
  const running = run(firstState(empty, 'n'), sending, started('n', true));
  const other = run(running, { type: 'loaded', data: { ...stored, chats: running.chats }, newId: 'x' });
  const state = run(other, ended('n'));
  expect(shown(state)).toEqual(shown(other));
  expect(state.chats).toMatchObject([{ id: 'n', running: false }]);
});

test('reloading the open chat keeps its arriving text and unsent messages', () => {
  const running = run(firstState(stored, 'n'), sending, started('c', false));
  const messages = [
    ...stored.chat!.messages,
    message('m8', 'user'),
    message('m9', 'assistant', { state: 'running' }),
  ];
  const reloaded = run(running, {
    type: 'loaded',
    data: { ...stored, chat: { ...stored.chat!, messages } },
    newId: 'x',
  });
  expect(reloaded.open.messages.map((turn) => turn.key)).toEqual(['m1', 'm2', 'q', 'r']);
  expect(reloaded.open.messages[3]?.live).toBe(live);
  const unsent = run(firstState(stored, 'n'), sending, { type: 'loaded', data: stored, newId: 'x' });
  expect(unsent.open.messages.map((turn) => turn.key)).toEqual(['m1', 'm2', 'q', 'r']);
});

test('earlier messages and more chats are added once', () => {
  const view = { ...stored.chat!, messages: [message('m0', 'user')], older: null };
  const data = { ...stored, next: 'p2', chat: { ...stored.chat!, older: 'm1' } };
  const older: ChatAction = { type: 'older', before: 'm1', view };
  const page: ChatAction = {
    type: 'page',
    before: 'p2',
    chats: [{ ...stored.chats[0]!, id: 'd' }],
    next: null,
  };
  const state = run(firstState(data, 'n'), older, older, page, page);
  expect(state.open.messages.map((turn) => turn.id)).toEqual(['m0', 'm1', 'm2']);
  expect(state.chats.map((row) => row.id)).toEqual(['c', 'd']);
});

test('a new title is shown in the list and above the chat', () => {
  const state = run(firstState(stored, 'n'), {
    type: 'newest',
    next: null,
    projects: [],
    chats: [{ ...stored.chats[0]!, title: 'Made' }],
  });
  expect([state.open.title, state.chats[0]?.title]).toEqual(['Made', 'Made']);
});

test('after the session ends a guest sees the text so far, and the next sign-in loads the rest', () => {
  const running = [
    message('m1', 'user'),
    message('m2', 'assistant', { state: 'running', generationId: 'g' }),
  ];
  const open: ChatPageData = { ...stored, chat: { ...stored.chat!, messages: running } };
  const followed = reduce(firstState(open, 'n'), { type: 'following', key: 'm2', live });
  const notice = { text: 'You were signed out here.', code: 'unauthorized' };
  const guest = reduce(followed, { type: 'signed-out', reply: 'm2', text: 'half', notice });
  expect(guest.me).toBeNull();
  expect(guest.notice).toEqual(notice);
  expect(guest.open.messages[1]).toMatchObject({ content: 'half', cutOff: true });
  expect(guest.open.messages[1]?.live).toBeUndefined();
  expect(liveMessage(guest)).toBeUndefined();
  const signedInAgain = reduce(guest, { type: 'loaded', data: open, newId: 'n' });
  expect(signedInAgain.me).toEqual(me);
  expect(liveMessage(signedInAgain)).toMatchObject({ id: 'm2', generationId: 'g' });
  expect(liveMessage(signedInAgain)?.cutOff).toBeUndefined();
});

test('another version of a question hides what it replaces, counts as a version, and restores it when refused', () => {
  const edit: ChatAction[] = [
    { type: 'edit', key: 'm1' },
    { ...sending, replaces: 'm1' },
  ];
  const sent = run(firstState(stored, 'n'), ...edit);
  expect(shown(sent)).toEqual(['q=q:hi:done', 'r=r::queued']);
  expect(sent.editing).toBeNull();
  const restored = run(sent, { type: 'refused', reply: 'r', question: 'q', notice: null });
  expect(shown(restored)).toEqual(shown(firstState(stored, 'n')));
  const reloaded = run(sent, { type: 'loaded', data: stored, newId: 'x' });
  expect(shown(reloaded)).toEqual(shown(sent));
  const accepted = run(sent, started('c', false));
  expect(accepted.open.messages.map((turn) => turn.versions)).toEqual([['m1', 'm8'], null]);
});

test('a continued reply starts with its earlier text and counts as a version', () => {
  const continued = new LiveText('text of m2', 'text of m2', () => undefined);
  const state = run(
    firstState(stored, 'n'),
    { type: 'replacing', continues: true, key: 'm2', reply: 'r', live: continued, now },
    started('c', false),
  );
  expect(state.open.messages[1]).toMatchObject({
    content: 'text of m2',
    takenOver: 10,
    versions: ['m2', 'm9'],
  });
  continued.reset(' and more');
  continued.append('.');
  expect(continued.fullText).toBe('text of m2 and more.');
});

test('a reloaded end of a chat is placed after the earlier messages that were loaded', () => {
  const data = { ...stored, chat: { ...stored.chat!, older: 'm1' } };
  const loaded = run(firstState(data, 'n'), {
    type: 'older',
    before: 'm1',
    view: { ...stored.chat!, messages: [message('m0', 'user')], older: 'm0' },
  });
  const view = { ...stored.chat!, messages: [...stored.chat!.messages, message('m3', 'user')], older: 'm1' };
  const state = run(loaded, { type: 'view', view });
  expect(state.open.messages.map((turn) => turn.id)).toEqual(['m0', 'm1', 'm2', 'm3']);
  expect(state.open.older).toBe('m0');
});

test('a chat deleted elsewhere disappears from the list, but one older than the page remains', () => {
  const row = (id: string, at: string, running = false) => ({
    id,
    title: id,
    provisional: false,
    updatedAt: at,
    running,
    pinnedAt: null,
    archivedAt: null,
    projectId: null,
    assistant: 'general',
  });
  const chats = [row('a', '3'), row('gone', '2'), row('old', '0'), row('new', '4', true)];
  const state = run(firstState({ ...empty, chats, next: 'p2' }, 'n'), {
    type: 'newest',
    chats: [row('a', '3'), row('b', '1')],
    next: 'p1',
    projects: [],
  });
  expect(state.chats.map(({ id }) => id)).toEqual(['a', 'b', 'old', 'new']);
  expect(state.next).toBe('p2');
});

test('another version in the middle of a chat is marked as having had later messages', () => {
  const long = {
    ...stored,
    chat: {
      ...stored.chat!,
      messages: ['m1', 'm2', 'm3', 'm4'].map((id, at) => message(id, at % 2 ? 'assistant' : 'user')),
    },
  };
  const again = (key: string): ChatAction => ({
    type: 'replacing',
    key,
    reply: 'r',
    continues: false,
    live,
    now,
  });
  expect(run(firstState(long, 'n'), again('m2')).open.messages.at(-1)?.followed).toBe(true);
  expect(run(firstState(long, 'n'), again('m4')).open.messages.at(-1)?.followed).toBe(false);
  const edited = (replaces: string) =>
    run(firstState(long, 'n'), { ...sending, replaces }).open.messages.at(-2);
  expect(edited('m1')?.followed).toBe(true);
  expect(edited('m3')?.followed).toBe(false);
});

test('an open chat that is deleted elsewhere is marked as deleted until it is restored', () => {
  const open = firstState(stored, 'n');
  expect(run(open, { type: 'newest', chats: stored.chats, next: null, projects: [] }).deletedElsewhere).toBe(
    false,
  );
  const gone = run(open, { type: 'newest', chats: [], next: null, projects: [] });
  expect([gone.deletedElsewhere, gone.open.messages.length]).toEqual([true, 2]);
  expect(run(gone, { type: 'arranged', row: stored.chats[0]! }).deletedElsewhere).toBe(false);
  const notice = { text: 'No.', code: 'not_found' };
  const refused = run(open, sending, { type: 'refused', reply: 'r', question: 'q', notice });
  expect([refused.deletedElsewhere, refused.notice]).toEqual([true, null]);
});

test('a title is provisional until the model or the person sets one', () => {
  const running = run(firstState(empty, 'n'), sending, started('n', true));
  expect(running.chats[0]?.provisional).toBe(true);
  const named = run(running, { type: 'titled', chatId: 'n', title: 'Mine' });
  expect(named.chats[0]).toMatchObject({ title: 'Mine', provisional: false });
  expect(run(named, started('n', false)).chats[0]?.provisional).toBe(false);
  expect(run(firstState(stored, 'n'), started('c', false)).chats[0]?.provisional).toBe(true);
});

test('the notice of a refused edit disappears with the edit, but other notices remain', () => {
  const notice = { text: 'No.', code: 'rate_limited' };
  const back: ChatAction[] = [
    { type: 'edit', key: 'm1' },
    { ...sending, replaces: 'm1' },
    { type: 'refused', reply: 'r', question: 'q', notice },
    { type: 'edit', key: 'm1' },
  ];
  const refused = run(firstState(stored, 'n'), ...back);
  expect([refused.notice?.text, refused.editing]).toEqual(['No.', 'm1']);
  expect(run(refused, { type: 'edit', key: null }).notice).toBeNull();
  const other = run(firstState(stored, 'n'), { type: 'edit', key: 'm1' }, { type: 'notice', notice });
  expect(run(other, { type: 'edit', key: null }).notice).toEqual(notice);
});

test('the notice of a returned message disappears when the chat shows that the server accepted it', () => {
  const notice = { text: 'No answer.', code: 'offline', key: 'k' };
  const returned = run(firstState(stored, 'n'), sending, {
    type: 'refused',
    reply: 'r',
    question: 'q',
    notice,
  });
  expect(returned.notice).toEqual(notice);
  const chat = stored.chat!;
  expect(run(returned, { type: 'view', view: chat }).notice).toEqual(notice);
  const messages = [...chat.messages, message('m8', 'user'), message('m9', 'assistant', { requestKey: 'k' })];
  expect(run(returned, { type: 'view', view: { ...chat, messages } }).notice).toBeNull();
});

describe('two replies to one question', () => {
  test('continue from the reply of the chat’s own model, unless only that one is empty', () => {
    const toTurn = (id: string): Message => ({ ...message(id, 'assistant'), key: id });
    const [own, other] = [toTurn('m4'), toTurn('m3')];
    expect(replyToContinue([own, other])).toBe(own);
    expect(replyToContinue([{ ...own, content: '' }, other])).toBe(other);
    expect(
      replyToContinue([
        { ...own, content: '' },
        { ...other, content: '' },
      ]),
    ).toMatchObject({ id: own.id });
  });

  const [fast, deep] = ['maker/fast', 'maker/deep'];
  const sendingBoth: ChatAction = { ...sending, other: { key: 'o', model: deep, first: fast } };
  const accepted: ChatAction = {
    ...started('c', false),
    data: {
      ...started('c', false).data,
      compared: {
        model: deep,
        reply: { id: 'm7', assistantName: null, model: deep },
        generation: { id: 'h', state: 'running' },
      },
    },
  };
  const pair = [
    message('m4', 'assistant', { versions: ['m3', 'm4'], beside: { id: 'm3', model: deep }, model: fast }),
    message('m3', 'assistant', { versions: ['m3', 'm4'], beside: { id: 'm4', model: fast }, model: deep }),
  ] as const;
  const undecided: ChatPageData = {
    ...stored,
    chat: { ...stored.chat!, messages: [message('m1', 'user'), pair[0]], compared: pair[1], compare: deep },
  };
  const pairRows = ['m1=m1:text of m1:done', 'm4=m4:text of m4:done', 'm3=m3:text of m3:done'];
  const turns = (state: ChatState) => state.open.messages.slice(-2);

  test('are queued together, get their ids together, and end separately', () => {
    const sent = run(firstState(stored, 'n'), sendingBoth);
    expect(shown(sent).slice(2)).toEqual(['q=q:hi:done', 'r=r::queued', 'o=o::queued']);
    expect(turns(sent).map(({ beside }) => beside?.model)).toEqual([deep, fast]);
    const named = run(sent, accepted);
    expect(shown(named).slice(2)).toEqual(['q=m8:hi:done', 'r=m9::queued', 'o=m7::running']);
    expect(turns(named)).toMatchObject([
      { generationId: 'g', versions: ['m7', 'm9'], beside: { id: 'm7', model: deep } },
      { generationId: 'h', versions: ['m7', 'm9'], beside: { id: 'm9', model: fast } },
    ]);
    // A tab that gets both from the server shows each once.
    const { messages } = named.open;
    const [question, first, second] = messages.slice(-3);
    const view = { ...stored.chat!, messages: [question!, first!], compared: second! };
    expect(shown(run(sent, { type: 'view', view }, accepted)).length).toBe(3);
    const one = run(named, { ...ended('c'), more: true });
    expect([liveMessage(one)?.key, one.chats[0]?.running]).toEqual(['o', true]);
    const both = run(one, { ...ended('c'), reply: 'o' });
    expect([liveMessage(both), both.chats[0]?.running]).toEqual([undefined, false]);
  });

  test('are removed together when they are refused', () => {
    const notice = { text: 'No.', code: 'credits_exhausted' };
    const refused: ChatAction = { type: 'refused', reply: 'r', question: 'q', notice };
    expect(shown(run(firstState(stored, 'n'), sendingBoth, refused))).toEqual(shown(firstState(stored, 'n')));
    // So do the two before them.
    const before = firstState(undecided, 'n');
    expect(shown(before)).toEqual(pairRows);
    expect(before.open.compare).toBe(deep);
    const sent = run(before, sendingBoth);
    expect(shown(sent).slice(0, 3)).toEqual([...pairRows.slice(0, 2), 'q=q:hi:done']);
    expect(shown(run(sent, refused))).toEqual(pairRows);
  });

  test('are replaced by another version of either, or of their question, and return when it is refused', () => {
    const before = firstState(undecided, 'n');
    for (const key of ['m4', 'm3']) {
      const replaced = run(before, { type: 'replacing', continues: false, key, reply: 'r', live, now });
      expect(shown(replaced)).toEqual([pairRows[0], 'r=r::queued']);
      expect(replaced.open.messages[1]?.followed).toBe(false);
      expect(shown(run(replaced, { type: 'refused', reply: 'r', question: null, notice: null }))).toEqual(
        pairRows,
      );
    }
    const edited = run(before, { ...sendingBoth, replaces: 'm1' });
    expect(shown(edited)).toEqual(['q=q:hi:done', 'r=r::queued', 'o=o::queued']);
    expect(edited.open.messages[0]?.followed).toBe(false);
    expect(shown(run(edited, { type: 'refused', reply: 'r', question: 'q', notice: null }))).toEqual(
      pairRows,
    );
  });

  test('only the chosen one remains', () => {
    const view = { ...undecided.chat!, messages: [message('m1', 'user'), pair[1]], compared: null };
    expect(shown(run(firstState(undecided, 'n'), { type: 'view', view }))).toEqual([
      pairRows[0],
      pairRows[2],
    ]);
  });

  test('a model that is no longer offered is deselected', () => {
    const notice = { text: 'Gone.', code: 'model_gone' };
    const state = run(
      firstState(stored, 'n'),
      { type: 'compare', model: deep },
      { type: 'chosen', model: fast },
      { type: 'refused', reply: 'r', question: 'q', notice },
    );
    expect([state.open.compare, state.open.model]).toEqual([null, fast]);
  });
});
