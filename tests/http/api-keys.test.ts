import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { keyLimits } from '#features/accounts/api-keys/api-keys-contract.ts';
import { keysOf, keysPath, makeKey } from '../support/api-keys.ts';
import { downloadArchive } from '../support/archive.ts';
import { marker } from '../support/chat.ts';
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

test('a key is told once, and kept as the hash of its 256 bits', async () => {
  const person = await createPerson(server);
  const wanted = {
    name: '  My \n program ',
    scopes: ['images', 'chat', 'chat'],
    ceiling: 25,
    endsOn: today(),
  };
  const { key, secret } = await makeKey(person, wanted);
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
  expect(await keysOf(person)).toEqual([key]);
  const { rows } = await server.database.query('select k::text as row, hash from api_keys k where id = $1', [
    key.id,
  ]);
  expect(rows[0].hash).toEqual(createHash('sha256').update(secret).digest());
  expect(rows[0].row).not.toContain(secret.slice(4, -4));
  expect(server.output()).not.toContain(secret.slice(4, -4));
});

test('a mail tells of a new key, without the key', async () => {
  const person = await createPerson(server);
  const { key, secret } = await makeKey(person, { name: `<b>${marker()}</b>` });
  const mail = await mailTo(server, person.email);
  expect(mail.subject).toMatch(/new API key/);
  expect(mail.text).toContain(key.name);
  expect(mail.html).not.toContain('<b>');
  for (const text of [mail.text, mail.html]) {
    expect(text).toContain('/settings#settings-api-keys');
    expect(text).not.toContain(secret.slice(4));
  }
});

test('what is named changes, and nothing is what it must not be', async () => {
  const person = await createPerson(server);
  const { key } = await makeKey(person, { ceiling: 5 });
  const changed = await change(person, key.id, { name: 'Other', endsOn: today() });
  expect([changed.status, await changed.json()]).toEqual([200, { ...key, name: 'Other', endsOn: today() }]);
  expect(await (await change(person, key.id, { ceiling: null, scopes: ['images'] })).json()).toMatchObject({
    name: 'Other',
    ceiling: null,
    scopes: ['images'],
  });
  const wrong: Record<string, unknown>[] = [
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
  for (const body of wrong) {
    expect((await change(person, key.id, body)).status, JSON.stringify(body)).toBe(400);
    const made = await person.send('POST', keysPath, { name: 'x', scopes: ['chat'], ...body });
    expect(made.status, JSON.stringify(body)).toBe(400);
  }
  expect(await keysOf(person)).toMatchObject([{ name: 'Other' }]);
});

test('a key is another person’s never, and a revoked one is gone', async () => {
  const [mine, other] = [await createPerson(server), await createPerson(server)];
  const { key } = await makeKey(mine);
  expect(await keysOf(other)).toEqual([]);
  for (const stranger of [other, client(server)]) {
    const status = stranger === other ? 404 : 401;
    expect((await change(stranger, key.id, { name: 'x' })).status).toBe(status);
    expect((await stranger.send('DELETE', `${keysPath}/${key.id}`)).status).toBe(status);
  }
  for (const id of ['x', randomUUID()]) expect((await change(mine, id, { name: 'x' })).status).toBe(404);
  const foreign = await mine.send(
    'POST',
    keysPath,
    { name: 'x', scopes: ['chat'] },
    { origin: 'https://evil.test' },
  );
  expect(foreign.status).toBe(403);
  expect((await mine.send('DELETE', `${keysPath}/${key.id}`)).status).toBe(204);
  expect((await mine.send('DELETE', `${keysPath}/${key.id}`)).status).toBe(404);
  expect((await change(mine, key.id, { name: 'x' })).status).toBe(404);
  expect(await keysOf(mine)).toEqual([]);
});

test('their number is bounded, also at the same moment', async () => {
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

test('keys are in the archive without what opens them, and end with the account', async () => {
  const person = await createPerson(server);
  const [kept, revoked] = [await makeKey(person), await makeKey(person, { name: 'Old' })];
  await person.send('DELETE', `${keysPath}/${revoked.key.id}`);
  const { data, text } = await downloadArchive(person);
  const { ended: _, ...told } = kept.key;
  expect(data.apiKeys).toEqual([
    expect.objectContaining({ name: 'Old', revokedAt: expect.any(String) }),
    { ...told, revokedAt: null },
  ]);
  expect(text('export.json')).not.toContain(kept.secret.slice(4));
  expect((await person.send('DELETE', '/api/me', { confirm: person.email })).status).toBe(204);
  const { rows } = await server.database.query(
    'select 1 from api_keys where user_id = $1 and revoked_at is null',
    [person.id],
  );
  expect(rows).toEqual([]);
});
