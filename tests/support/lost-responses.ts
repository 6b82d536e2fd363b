import { ConnectionError } from '#client/problem-error.ts';
import { openRun, type RunRequest } from '#features/generations/web/run-stream.ts';
import { newChat, noDelay, send, uniqueWord, waitForEnd } from './chat.ts';
import { pdfWith } from './pdf.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';
import { seedWork } from './works.ts';

/**
 * Sends a run request as the tools' pages do, and reads the whole run. With `answers: 'lost'` the server accepts each
 * request but the browser never gets a response.
 * @returns id of the run; null when no response arrived.
 */
export async function sendRunRequest(
  url: string,
  person: Pick<Person, 'cookie'>,
  request: RunRequest,
  answers: 'come' | 'lost',
): Promise<string | null> {
  const fetchAs: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('cookie', person.cookie);
    headers.set('origin', url);
    const response = await fetch(new URL(String(input), url), { ...init, headers });
    if (answers === 'come' || init.method !== 'POST') return response;
    await response.body?.cancel();
    if (!response.ok) throw new Error(`Refused with ${response.status}.`);
    throw new ConnectionError(new Error('lost'));
  };
  let id: string | null = null;
  const run = openRun(request, {
    signal: new AbortController().signal,
    onEvent(event) {
      if (event.event === 'started') id = event.data.generation.id;
    },
    connection: {
      fetch: fetchAs,
      base: '',
      silence: 15_000,
      pause: async () => undefined,
      afterEviction: async () => undefined,
    },
  });
  await run.catch((error: unknown) => {
    if (answers === 'come' || !(error instanceof ConnectionError)) throw error;
  });
  return id;
}

type Request = { path: string; body: object };

async function replyRequest(
  person: Person,
  how: 'regenerate' | 'continue',
  markers: string,
): Promise<Request> {
  const { chatId, body } = await send(person, `${uniqueWord()} ${markers}`);
  await waitForEnd(person, body.generation.id);
  return { path: `/api/chats/${chatId}/messages/${body.reply.id}/${how}`, body: {} };
}

async function upload({ url }: TestServer, { cookie }: Person): Promise<string> {
  const text = `${'The keeper of the bridge counts every cart that passes. '.repeat(8)} ${noDelay}`;
  const response = await fetch(`${url}/api/documents?name=a.pdf`, {
    method: 'POST',
    headers: { cookie, origin: url },
    body: new Uint8Array(await pdfWith([text])),
  });
  return ((await response.json()) as { id: string }).id;
}

/** Requests of each tool's button, for a person who owns whatever the request refers to. */
export const runRequests: Record<string, (server: TestServer, person: Person) => Promise<Request>> = {
  'a message': async (_, person) => ({
    path: `/api/chats/${await newChat(person)}/messages`,
    body: { text: `${uniqueWord()} ${noDelay}` },
  }),
  'another reply': (_, person) => replyRequest(person, 'regenerate', noDelay),
  'the rest of a reply': (_, person) => replyRequest(person, 'continue', `[[limit:5]] ${noDelay}`),
  'a text': async () => ({
    path: '/api/write',
    body: { prompt: `About tea. ${noDelay}`, tone: 'casual', length: 'short', type: 'email', workId: null },
  }),
  'an edit': async (server, person) => {
    const { work, version } = await seedWork(server, person, { texts: [`Some words. ${noDelay}`] });
    const body = { versionId: version, from: 0, text: 'Some', action: 'shorten' };
    return { path: `/api/write/${work}/edits`, body };
  },
  'a script': async () => ({
    path: '/api/scripts',
    body: { scene: `A quay. ${noDelay}`, style: 'drama', minutes: null, characters: '', workId: null },
  }),
  'a rewrite': async (server, person) => {
    const texts = [`INT. QUAY - DAY\n\nRain. ${noDelay}\n`];
    const { work, version } = await seedWork(server, person, { feature: 'script', texts });
    const body = { versionId: version, scene: 0, instruction: 'More rain.' };
    return { path: `/api/scripts/${work}/rewrites`, body };
  },
  'an analysis': async (server, person) => ({
    path: `/api/documents/${await upload(server, person)}/analysis`,
    body: {},
  }),
  'a question': async (server, person) => ({
    path: `/api/documents/${await upload(server, person)}/questions`,
    body: { question: 'Who keeps the bridge?' },
  }),
  pictures: async () => ({
    path: '/api/images',
    body: { prompt: `A quay. ${noDelay}`, size: '1024x1024', count: 1 },
  }),
};

/** Requests that need a plan. */
export const proOnly = ['a script', 'a rewrite', 'an analysis', 'a question'];
