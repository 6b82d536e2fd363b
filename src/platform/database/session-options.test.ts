import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { inUtc, withSetting } from './session-options.server.ts';

const readSettings = async (connection: pg.ClientConfig, names: string[]): Promise<string[]> => {
  const client = new pg.Client(connection);
  await client.connect();
  const values: string[] = [];
  for (const name of names)
    values.push((await client.query(`select current_setting('${name}') as value`)).rows[0].value);
  await client.end();
  return values;
};

it('overrides the time zone of the address and keeps its other options', async () => {
  const connectionString = inject('postgres');
  const options = '-c TimeZone=America/New_York -c work_mem=5MB';
  const address = `${connectionString}?options=${encodeURIComponent(options)}`;
  const names = ['TimeZone', 'work_mem', 'synchronous_commit'];
  const quick = 'synchronous_commit=off';
  expect(await readSettings({ connectionString: address }, names)).toEqual(['America/New_York', '5MB', 'on']);
  for (const connection of [{ connectionString: address }, { connectionString, options }])
    expect(await readSettings(withSetting(inUtc(connection), quick), names)).toEqual(['UTC', '5MB', 'off']);
});
