import { randomUUID } from 'node:crypto';
import type { ChatView, StartedReply } from '#features/chat/contract.ts';
import type { GenerationView } from '#features/generations/contract.ts';
import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

export interface Sent {
  status: number;
  chatId: string;
  key: string;
  body: StartedReply & { error?: string; code?: string };
}

/** Sends a message to the given chat or a new one; does not wait for the reply. */
export async function send(
  person: Person,
  text: string,
  options: { chatId?: string; key?: string } = {},
): Promise<Sent> {
  const chatId = options.chatId ?? randomUUID();
  const key = options.key ?? randomUUID();
  const response = await person.send(
    'POST',
    `/api/chats/${chatId}/messages`,
    { text, create: true },
    { 'idempotency-key': key },
  );
  return { status: response.status, chatId, key, body: (await response.json()) as Sent['body'] };
}

/** Posts a body to a chat's messages unchanged. */
export async function sendBody(
  person: Pick<Person, 'send'>,
  chatId: string,
  body: Record<string, unknown>,
  key: string = randomUUID(),
): Promise<Sent> {
  const response = await person.send('POST', `/api/chats/${chatId}/messages`, body, {
    'idempotency-key': key,
  });
  return { status: response.status, chatId, key, body: (await response.json()) as Sent['body'] };
}

/** Sends a message to a chat, which the first message creates, and waits for the whole reply. */
export async function exchange(
  person: Person,
  chatId: string,
  body: Record<string, unknown>,
): Promise<Sent['body']> {
  const sent = await sendBody(person, chatId, { create: true, ...body });
  if (sent.status !== 202) throw new Error(`The message was answered with ${sent.status}.`);
  await waitForEnd(person, sent.body.generation.id);
  return sent.body;
}

/** Requests another version of a reply: a regenerated one, or one that continues it. */
export async function requestVersion(
  person: Pick<Person, 'send'>,
  how: 'regenerate' | 'continue',
  chatId: string,
  messageId: string,
  key: string = randomUUID(),
  body: Record<string, unknown> = {},
): Promise<Sent> {
  const path = `/api/chats/${chatId}/messages/${messageId}/${how}`;
  const response = await person.send('POST', path, body, { 'idempotency-key': key });
  return { status: response.status, chatId, key, body: (await response.json()) as Sent['body'] };
}

/** Sends a message to the given chat or a new one, and returns the response with its event stream. */
export function stream(
  person: Person,
  text: string,
  { chatId = randomUUID(), key = randomUUID() }: { chatId?: string; key?: string } = {},
): Promise<Response> {
  return person.send(
    'POST',
    `/api/chats/${chatId}/messages`,
    { text, create: true },
    { accept: 'text/event-stream', 'idempotency-key': key },
  );
}

export async function newChat(person: Person): Promise<string> {
  const response = await person.send('POST', '/api/chats', {});
  return ((await response.json()) as { id: string }).id;
}

export async function openChat(person: Pick<Person, 'get'>, id: string): Promise<ChatView> {
  return (await (await person.get(`/api/chats/${id}`)).json()) as ChatView;
}

export const stop = (person: Pick<Person, 'send'>, generationId: string) =>
  person.send('POST', `/api/generations/${generationId}/stop`);

/** Waits until the generation has ended, and returns it. */
export function waitForEnd(person: Person, id: string, ms?: number): Promise<GenerationView> {
  return eventually(async () => {
    const view = (await (await person.get(`/api/generations/${id}`)).json()) as GenerationView;
    return ['done', 'stopped', 'failed', 'interrupted'].includes(view.state) && view;
  }, ms);
}

/** Waits until the generation has at least `length` characters of text, and returns it. */
export function waitForText(person: Person, id: string, length = 1): Promise<GenerationView> {
  return eventually(async () => {
    const view = (await (await person.get(`/api/generations/${id}`)).json()) as GenerationView;
    return view.text.length >= length && view;
  });
}

export interface SseEvent {
  event: string;
  id: string | null;
  data: Record<string, unknown>;
}

/** Reads an event stream until it ends or `until` returns true, which cuts the socket. */
export async function readEvents(
  response: Response,
  until?: (events: SseEvent[]) => boolean,
): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  let buffer = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    buffer += decoder.decode(bytes as Uint8Array, { stream: true });
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const block = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      const lines = block.split('\n');
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
      const data = field('data');
      if (data !== null)
        events.push({
          event: field('event') ?? 'message',
          id: field('id'),
          data: JSON.parse(data) as Record<string, unknown>,
        });
    }
    if (until?.(events)) break;
  }
  return events;
}

/** Reads a stream that may be cut; `events` always holds what has arrived so far. */
export function listen(response: Response): { events: SseEvent[]; finished: Promise<unknown> } {
  const received: { events: SseEvent[]; finished: Promise<unknown> } = {
    events: [],
    finished: Promise.resolve(),
  };
  received.finished = readEvents(response, (events) => {
    received.events = events;
    return false;
  }).catch(() => undefined);
  return received;
}

/** Opens the event stream of a generation, after the event `at` if given, and reads it. */
export async function follow(
  person: Pick<Person, 'get'>,
  generationId: string,
  { at, until }: { at?: string | null; until?: (events: SseEvent[]) => boolean } = {},
): Promise<SseEvent[]> {
  const headers = at ? { 'last-event-id': at } : undefined;
  return readEvents(await person.get(`/api/generations/${generationId}/events`, headers), until);
}

/** Returns the data of the `started` event; throws when that is not the first event. */
export function startedReply([first]: SseEvent[]): StartedReply {
  if (first?.event !== 'started') throw new Error(`The first event is ${first?.event}.`);
  return first.data as unknown as StartedReply;
}

/** Returns the text that a reader has after these events. */
export function textOf(events: SseEvent[], before = ''): string {
  return events.reduce(
    (text, { event, data }) =>
      event === 'delta' ? text + data.text : event === 'reset' ? String(data.text) : text,
    before,
  );
}

export interface LoggedCall {
  model: string;
  requestId: string;
  sentText: string;
  tokensSent: number;
  mode: string;
  finished: boolean;
  clientClosedAt: string | null;
  closedBy: string | null;
  at: string;
  detail: { kind: string } | null;
  messages: Array<{ role: string; content: string }>;
}

/** Returns the reply calls that the gateway stand-in received whose last user message contains `text`. */
export async function gatewayLog(server: TestServer, text: string): Promise<LoggedCall[]> {
  const response = await fetch(
    `${server.standins}/log?contains=${encodeURIComponent(text)}&path=/gateway/v1/chat/completions`,
  );
  const calls = (await response.json()) as LoggedCall[];
  return calls.filter(({ detail }) => detail?.kind !== 'title');
}

/** Sends a message, waits for its reply, and returns it with the messages that the model received. */
export async function modelInput(server: TestServer, person: Person, chatId?: string) {
  const word = uniqueWord();
  const sent = await send(person, `Say ${word} ${noDelay}`, { chatId });
  await waitForEnd(person, sent.body.generation.id);
  const [call] = await gatewayLog(server, word);
  const [system] = call?.messages ?? [];
  if (system?.role !== 'system') throw new Error('The model got no system message.');
  return { ...sent, system: system.content, messages: call?.messages ?? [] };
}

/** Makes the stand-in reply as fast as it can. */
export const noDelay = '[[tps:0]] [[first:0]]';

/** Returns a word that only this test's messages contain. */
export const uniqueWord = () => `m${randomUUID().slice(0, 8)}`;
