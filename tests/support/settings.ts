import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { withEmail } from './admin.ts';
import { createPerson } from './people.ts';
import { eventually, runEntry, SETTINGS_OPERATOR, type TestServer } from './server.ts';

/** Runs `npm run settings` with the environment of the servers. */
export const settingsCommand = (server: TestServer, args: string[], env: Record<string, string> = {}) =>
  runEntry('settings', server, args, env);

/** Greater than the number of any change, so that the page never refuses a form because of a newer change. */
const LATEST = 2 ** 31 - 1;

/** Returns the fields of the settings form for a command. */
function formOf([verb, ...words]: string[]): Record<string, string> {
  if (verb === 'unset')
    return Object.assign(
      {},
      ...words.map((name) => ({ [`set.${name}`]: '', [`was.${name}`]: '', [`default.${name}`]: 'on' })),
    );
  const [name, ...lines] = words;
  const text = lines.join('\n');
  return { [`set.${name}`]: text, [`was.${name}`]: text === '' ? 'other' : '' };
}

/**
 * Changes settings (`set NAME VALUE...`, `unset NAME...`) on /admin/settings, which is faster than a process per
 * command, and waits until every server has loaded them.
 */
export async function changeSetting(
  servers: readonly [TestServer, ...TestServer[]],
  args: string[],
): Promise<void> {
  const [server, ...others] = servers;
  const operator = await withEmail(server, await createPerson(server), SETTINGS_OPERATOR);
  const answer = await fetch(`${server.url}/admin/settings`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: operator.cookie, origin: server.url },
    body: new URLSearchParams({ press: randomUUID(), seen: String(LATEST), ...formOf(args) }),
  });
  expect([answer.status, args, await answer.text()]).toEqual([303, args, expect.any(String)]);
  const { rows } = await server.database.query<{ change: number }>(
    'select max(change)::int as change from setting_changes',
  );
  for (const other of others)
    await eventually(async () =>
      other
        .output()
        .split('\n')
        .some(
          (line) =>
            line.includes('the settings have changed') && line.includes(`"change":${rows[0]?.change},`),
        ),
    );
}
