import type { Share, ShareSource } from '#features/shares/contract.ts';
import { writeChat } from './long-chat.ts';
import { client, type Person } from './people.ts';
import type { TestServer } from './server.ts';

const commonElements =
  'a article b bdi blockquote button code details div em h1 h2 h3 h4 h5 h6 header hr li main ol p pre s span strong sub summary sup table tbody td th thead time tr ul'.split(
    ' ',
  );

/** Shares the chat or reply that `body` names. */
export async function share(
  person: Pick<Person, 'send'>,
  body: Record<string, unknown>,
): Promise<{ status: number; body: Share & { error: string; code: string } }> {
  const response = await person.send('POST', '/api/shares', body);
  return {
    status: response.status,
    body: (await response.json()) as Share & { error: string; code: string },
  };
}

/** Creates a chat with these texts, alternately question and reply, and shares it. */
export async function sharedChat(
  server: TestServer,
  person: Person,
  texts: readonly string[],
  options: Record<string, unknown> = {},
) {
  const chat = await writeChat(server, person, texts.length, (at) => texts[at] ?? '');
  const { body } = await share(person, { chatId: chat.id, ...options });
  return { chat, share: body };
}

/**
 * Returns elements of the page's main part that a person's text must never produce, attributes that could run code, and
 * unusual link targets.
 */
export function forbiddenMarkup(html: string, allowed: readonly string[] = []) {
  const main = html.slice(html.indexOf('<main'), html.indexOf('<footer'));
  const allowedElements = new Set([...commonElements, ...allowed]);
  const elements = [...main.matchAll(/<([a-z][\w-]*)([^>]*)>/gi)];
  const attributes = elements.flatMap(([, , text = '']) => [...text.matchAll(/ ([\w-]+)(?:="([^"]*)")?/g)]);
  const links = attributes.filter(([, name]) => name === 'href').map(([, , to = '']) => to);
  return {
    elements: elements.map(([, name = '']) => name).filter((name) => !allowedElements.has(name)),
    attributes: attributes
      .filter(
        ([, name = '', value = '']) =>
          /^(on|src$|style$|action|formaction)/.test(name) && !value.startsWith('/share/'),
      )
      .map(([text]) => text),
    links: links.filter((to) => !/^(https?:|mailto:|\/share\/)/.test(to)),
  };
}

/** Opens an image of a shared page as a browser without a session. */
export async function openImage(
  server: Pick<TestServer, 'url'>,
  id: string,
  at: number | string,
  query = '',
) {
  const response = await client(server, '').get(`/share/${id}/images/${at}${query}`);
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

export const sharesOf = async (person: Pick<Person, 'get'>) =>
  ((await (await person.get('/api/shares')).json()) as { shares: Share[] }).shares;

export const sourceOf = async (person: Pick<Person, 'get'>, query: string) =>
  (await (await person.get(`/api/shares/source?${query}`)).json()) as ShareSource;

/** Opens a shared page; without a session by default. */
export async function openPage(server: Pick<TestServer, 'url'>, id: string, cookie = '') {
  const response = await client(server, cookie).get(`/share/${id}`, { accept: 'text/html' });
  return { status: response.status, headers: response.headers, html: await response.text() };
}
