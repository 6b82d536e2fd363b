import { randomUUID } from 'node:crypto';
import { drawImages, quick } from './images.ts';
import type { Person } from './people.ts';
import { createPrompt as writePrompt } from './prompts.ts';
import { seedDocument } from './seed-document.ts';
import type { TestServer } from './server.ts';
import { seedWork } from './works.ts';

export async function seedChat(
  { database }: TestServer,
  person: Person,
  { title = 'A chat', text = 'Some words', temporary = false, hoursAgo = 0 } = {},
): Promise<{ id: string; message: string }> {
  const [id, message] = [randomUUID(), randomUUID()];
  await database.query(
    `insert into chat_sessions (id, user_id, title, temporary, updated_at)
     values ($1, $2, $3, $4, app_now() - $5::int * interval '1 hour')`,
    [id, person.id, title, temporary, hoursAgo],
  );
  await database.query(
    `insert into chat_messages (id, session_id, role, content) values ($1, $2, 'user', $3)`,
    [message, id, text],
  );
  return { id, message };
}

type Seed = (server: TestServer, person: Person, word: string) => Promise<string>;

/** Creates an item of each library kind with a word that only its text contains. @returns its id. */
export const libraryKinds: [kind: string, seed: Seed][] = [
  [
    'chat',
    async (server, person, word) =>
      (await seedChat(server, person, { text: `Long ago, ${word} was there.` })).id,
  ],
  [
    'writer',
    async (server, person, word) =>
      (await seedWork(server, person, { texts: ['old', `A ${word} text`] })).work,
  ],
  [
    'script',
    async (server, person, word) =>
      (await seedWork(server, person, { feature: 'script', texts: [`INT. ${word} - DAY`] })).work,
  ],
  ['image', async (_, person, word) => (await drawImages(person, { prompt: `${quick} a ${word}` })).id],
  [
    'pdf',
    async (server, person, word) => {
      const id = await seedDocument(server, person);
      await server.database.query(
        `update document_pages set text = replace(text, 'seeded', $2) where document_id = $1`,
        [id, word],
      );
      return id;
    },
  ],
  [
    'prompts',
    async (_, person, word) => (await writePrompt(person, { content: `Write about ${word} at length` })).id,
  ],
];
