import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { keyLimits } from '#features/accounts/api-keys/api-keys-contract.ts';
import { createKey, keysPath, listKeys } from '../support/api-keys.ts';
import { downloadArchive } from '../support/archive.ts';
import { uniqueWord } from '../support/chat.ts';
import { mailTo } from '../support/mailbox.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const today = () => new Date().toISOString().slice(0, 10);
const change = (person: Pick<Person, 'send'>, id: string, body: Record<string, unknown>) =>
  person.send('PATCH', `${keysPath}/${id}`, body);

test('a key is shown once, and stored as the hash of its 256 bits', async () => {
  const person = await createPerson(server);
  const request = {
    name: '  My \n program ',
    scopes: ['images', 'chat', 'chat'],
    ceiling: 25,
    endsOn: today(),
  };
  const { key, secret } = await createKey(person, request);
  expect(secret).toMatch(/^ait_[\w-]{43}$/);
  expect(key).toEqual({
    id: key.id,
    name: 'My program',
    lastFour: secret.slice(-4),
    scopes: ['chat', 'images'],
    ceiling: 25,
    endsOn: today(),
    ended: false,
    createdAt: key.createdAt,
    usedAt: null,
    month: { runs: 0, credits: 0 },
  });
  expect(await listKeys(person)).toEqual([key]);
  const { rows } = await server.database.query('select k::text as row, hash from api_keys k where id = $1', [
    key.id,
  ]);
  expect(rows[0].hash).toEqual(createHash('sha256').update(secret).digest());
  expect(rows[0].row).not.toContain(secret.slice(4, -4));
  expect(server.output()).not.toContain(secret.slice(4, -4));
});

test('a mail reports a new key, without the key', async () => {
  const person = await createPerson(server);
  const { key, secret } = await createKey(person, { name: `<b>${uniqueWord()}</b>` });
  const mail = await mailTo(server, person.email);
  expect(mail.subject).toMatch(/new API key/);
  expect(mail.text).toContain(key.name);
  expect(mail.html).not.toContain('<b>');
  for (const text of [mail.text, mail.html]) {
    expect(text).toContain('/settings#settings-api-keys');
    expect(text).not.toContain(secret.slice(4));
  }
});

test('only the given fields change, and invalid values are refused', async () => {
  const person = await createPerson(server);
  const { key } = await createKey(person, { ceiling: 5 });
  const changed = await change(person, key.id, { name: 'Other', endsOn: today() });
  expect([changed.status, await changed.json()]).toEqual([200, { ...key, name: 'Other', endsOn: today() }]);
  expect(await (await change(person, key.id, { ceiling: null, scopes: ['images'] })).json()).toMatchObject({
    name: 'Other',
    ceiling: null,
    scopes: ['images'],
  });
  const badFields: Record<string, unknown>[] = [
    { name: ' ' },
    { name: 7 },
    { scopes: [] },
    { scopes: ['admin'] },
    { ceiling: 0 },
    { ceiling: 1.5 },
    { ceiling: keyLimits.ceiling + 1 },
    { endsOn: '2020-01-01' },
    { endsOn: 'tomorrow' },
  ];
  for (const body of badFields) {
    expect((await change(person, key.id, body)).status, JSON.stringify(body)).toBe(400);
    const created = await person.send('POST', keysPath, { name: 'x', scopes: ['chat'], ...body });
    expect(created.status, JSON.stringify(body)).toBe(400);
  }
  expect(await listKeys(person)).toMatchObject([{ name: 'Other' }]);
});

test('a key belongs to its owner alone, and a revoked one is gone', async () => {
  const [keyOwner, other] = [await createPerson(server), await createPerson(server)];
  const { key } = await createKey(keyOwner);
  expect(await listKeys(other)).toEqual([]);
  for (const visitor of [other, client(server)]) {
    const status = visitor === other ? 404 : 401;
    expect((await change(visitor, key.id, { name: 'x' })).status).toBe(status);
    expect((await visitor.send('DELETE', `${keysPath}/${key.id}`)).status).toBe(status);
  }
  for (const id of ['x', randomUUID()]) expect((await change(keyOwner, id, { name: 'x' })).status).toBe(404);
  const foreign = await keyOwner.send(
    'POST',
    keysPath,
    { name: 'x', scopes: ['chat'] },
    { origin: 'https://evil.test' },
  );
  expect(foreign.status).toBe(403);
  expect((await keyOwner.send('DELETE', `${keysPath}/${key.id}`)).status).toBe(204);
  expect((await keyOwner.send('DELETE', `${keysPath}/${key.id}`)).status).toBe(404);
  expect((await change(keyOwner, key.id, { name: 'x' })).status).toBe(404);
  expect(await listKeys(keyOwner)).toEqual([]);
});

test('their number is limited, also for simultaneous requests', async () => {
  const person = await createPerson(server);
  const body = { name: 'x', scopes: ['chat'] };
  const all = await Promise.all(
    Array.from({ length: keyLimits.keys + 5 }, () => person.send('POST', keysPath, body)),
  );
  expect(all.filter(({ status }) => status === 201).length).toBe(keyLimits.keys);
  const refused = all.find(({ status }) => status !== 201);
  expect(await refused?.json()).toMatchObject({
    code: 'conflict',
    error: 'You have 20 keys, which is the limit. Revoke one to make another.',
  });
});

test('keys are in the archive without their secrets, and end with the account', async () => {
  const person = await createPerson(server);
  const [active, revoked] = [await createKey(person), await createKey(person, { name: 'Old' })];
  await person.send('DELETE', `${keysPath}/${revoked.key.id}`);
  const { data, text } = await downloadArchive(person);
  const { ended: _, ...exported } = active.key;
  expect(data.apiKeys).toEqual([
    expect.objectContaining({ name: 'Old', revokedAt: expect.any(String) }),
    { ...exported, revokedAt: null },
  ]);
  expect(text('export.json')).not.toContain(active.secret.slice(4));
  expect((await person.send('DELETE', '/api/me', { confirm: person.email })).status).toBe(204);
  const { rows } = await server.database.query(
    'select 1 from api_keys where user_id = $1 and revoked_at is null',
    [person.id],
  );
  expect(rows).toEqual([]);
});
