import { expect } from 'vitest';
import { eventually, runEntry, type TestServer } from './server.ts';

/** Runs `npm run settings` with the environment of the servers. */
export const settingsCommand = (server: TestServer, args: string[], env: Record<string, string> = {}) =>
  runEntry('settings', server, args, env);

/** Changes a setting, and waits until each of the servers has it. */
export async function changeSetting(
  servers: readonly [TestServer, ...TestServer[]],
  args: string[],
  env: Record<string, string> = {},
): Promise<void> {
  const [server] = servers;
  const { code, output } = await settingsCommand(server, args, env);
  expect([code, output]).toEqual([0, expect.any(String)]);
  const { rows } = await server.database.query<{ change: number }>(
    'select max(change)::int as change from setting_changes',
  );
  for (const at of servers)
    await eventually(async () =>
      at
        .output()
        .split('\n')
        .some(
          (line) =>
            line.includes('the settings have changed') && line.includes(`"change":${rows[0]?.change},`),
        ),
    );
}
