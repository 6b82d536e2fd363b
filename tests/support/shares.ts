import type { Share, ShareSource } from '#features/shares/contract.ts';
import { writeChat } from './long-chat.ts';
import { client, type Person } from './people.ts';
import type { TestServer } from './server.ts';

/** A page of the chat or the reply that `body` names. */
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

/** A chat with these texts, question and reply in turn, and its page. */
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

export const sharesOf = async (person: Pick<Person, 'get'>) =>
  ((await (await person.get('/api/shares')).json()) as { shares: Share[] }).shares;

export const sourceOf = async (person: Pick<Person, 'get'>, query: string) =>
  (await (await person.get(`/api/shares/source?${query}`)).json()) as ShareSource;

/** The page as a browser without a session gets it. */
export async function openPage(server: Pick<TestServer, 'url'>, id: string, cookie = '') {
  const response = await client(server, cookie).get(`/share/${id}`, { accept: 'text/html' });
  return { status: response.status, headers: response.headers, html: await response.text() };
}
