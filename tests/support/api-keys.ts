import OpenAI, { APIError } from 'openai';
import type { ApiKey, CreatedKey } from '#features/accounts/api-keys/api-keys-contract.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

export const keysPath = '/api/me/api-keys';

/** Creates an API key; throws when the site refuses. */
export async function createKey(
  person: Pick<Person, 'send'>,
  fields: Record<string, unknown> = {},
): Promise<CreatedKey> {
  const body = { name: 'A program', scopes: ['chat', 'images'], ...fields };
  const response = await person.send('POST', keysPath, body);
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as CreatedKey;
}

export async function listKeys(person: Pick<Person, 'get'>): Promise<ApiKey[]> {
  return ((await (await person.get(keysPath)).json()) as { keys: ApiKey[] }).keys;
}

/** OpenAI's own client, pointed at one of our servers, without retries. */
export const openaiClient = (server: Pick<TestServer, 'url'>, apiKey: string) =>
  new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 });

/** Returns the error that a call is refused with; throws when it succeeds. */
export async function refusalOf(call: PromiseLike<unknown>): Promise<APIError> {
  const error = await Promise.resolve(call).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (error instanceof APIError) return error;
  throw new Error(`No refusal: ${error}`);
}
