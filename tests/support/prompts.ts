import { randomUUID } from 'node:crypto';
import type { Prompt, PromptPage } from '#features/prompts/contract.ts';
import type { Person } from './people.ts';
import { runEntry, type TestServer } from './server.ts';

type Asker = Pick<Person, 'get'>;

/** Searches the prompt library. */
export async function searchPrompts(asker: Asker, query = ''): Promise<PromptPage> {
  const response = await asker.get(`/api/prompts${query}`);
  if (response.status !== 200) throw new Error(`The library answered ${response.status}.`);
  return (await response.json()) as PromptPage;
}

/** Creates a person's own prompt. */
export async function createPrompt(person: Person, body: Record<string, unknown> = {}): Promise<Prompt> {
  const response = await person.send('POST', '/api/prompts', {
    title: `Prompt ${randomUUID()}`,
    content: 'Write a letter to {{who | text:required}} in a {{tone}} tone.',
    category: 'writing',
    ...body,
  });
  if (response.status !== 201)
    throw new Error(`A prompt was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Prompt;
}

/** Runs `npm run prompts` with these arguments on the running server's database. */
export const promptsCommand = (server: TestServer, ...words: string[]) => runEntry('prompts', server, words);

/** Creates a prompt and has the operator approve it. @returns the published prompt. */
export async function publish(
  server: TestServer,
  person: Person,
  body: Record<string, unknown> = {},
): Promise<Prompt> {
  const { id } = await createPrompt(person, body);
  const submitted = await person.send('POST', `/api/prompts/${id}/submission`);
  if (submitted.status !== 200) throw new Error(`Submitting was answered ${submitted.status}.`);
  const { code, output } = await promptsCommand(server, 'approve', `${id}@1`);
  if (code !== 0) throw new Error(output);
  return (await (await person.get(`/api/prompts/${id}`)).json()) as Prompt;
}
