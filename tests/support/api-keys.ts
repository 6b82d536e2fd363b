import type { ApiKey, MadeKey } from '#features/accounts/api-keys/api-keys-contract.ts';
import type { Person } from './people.ts';

export const keysPath = '/api/me/api-keys';

/** Makes a key; throws where it is refused. */
export async function makeKey(
  person: Pick<Person, 'send'>,
  wanted: Record<string, unknown> = {},
): Promise<MadeKey> {
  const body = { name: 'A program', scopes: ['chat', 'images'], ...wanted };
  const response = await person.send('POST', keysPath, body);
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as MadeKey;
}

export async function keysOf(person: Pick<Person, 'get'>): Promise<ApiKey[]> {
  return ((await (await person.get(keysPath)).json()) as { keys: ApiKey[] }).keys;
}
