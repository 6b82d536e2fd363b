import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { notificationLimits } from '#features/devices/contract.ts';
import { createKey } from '../support/api-keys.ts';
import { downloadArchive } from '../support/archive.ts';
import { noDelay, openChat, send, sendBody, stop, waitForEnd } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { control } from '../support/gateway.ts';
import {
  type BrowserSubscription,
  newBrowser,
  notificationsOf,
  pushAttempts,
  receivedNotifications,
  subscribe,
  waitForNotifications,
} from '../support/notifications.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { soak } from '../support/soak.ts';
import { newAddress, visitor } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

/** Creates a person with a browser that is subscribed to notifications. */
async function subscriber(): Promise<{ person: Person; browser: BrowserSubscription }> {
  const person = await createPerson(server, { credits: 50 });
  const browser = await newBrowser(server, person);
  expect((await subscribe(person, browser)).status).toBe(204);
  return { person, browser };
}

async function reply(person: Person, text = `Name a river ${noDelay}`) {
  const sent = await send(person, text);
  await waitForEnd(person, sent.body.generation.id);
  return sent;
}

const rowOf = async (browser: BrowserSubscription) =>
  (
    await server.database.query<{ session_id: string }>(
      'select session_id from push_subscriptions where endpoint = $1',
      [browser.endpoint],
    )
  ).rows[0];

describe('a subscription', () => {
  test('belongs to one session and ends with it', async () => {
    const email = newAddress();
    const one = await visitor(server).signIn(email);
    const two = await visitor(server).signIn(email, { count: 2 });
    const browser = await newBrowser(server, one);
    await subscribe(one, browser);
    expect([(await notificationsOf(one)).on, (await notificationsOf(two)).on]).toEqual([true, false]);
    const { data } = await downloadArchive(one);
    expect(data.notifications).toMatchObject([
      { pushService: new URL(server.standins).host, language: 'en' },
    ]);
    expect(JSON.stringify(data)).not.toContain(browser.endpoint);
    // Another person subscribes in the same browser.
    const other = await createPerson(server);
    await subscribe(other, browser);
    expect([(await notificationsOf(one)).on, (await notificationsOf(other)).on]).toEqual([false, true]);
    expect((await other.send('DELETE', '/api/devices/notifications')).status).toBe(204);
    expect(await rowOf(browser)).toBeUndefined();
    await subscribe(two, browser);
    expect((await two.send('POST', '/api/sign-out', {})).status).toBe(204);
    expect(await rowOf(browser)).toBeUndefined();
  });

  test('needs a configured push service and valid keys', async () => {
    const person = await createPerson(server);
    const browser = await newBrowser(server, person);
    const endpoints = [
      'https://push.example.com/send/1',
      'https://fcm.googleapis.com.example.com/1',
      'https://fcm.googleapis.com:8443/1',
      'http://fcm.googleapis.com/1',
      'https://user@fcm.googleapis.com/1',
      'https://notify.windows.com/1',
      'https://169.254.169.254/latest',
      `${server.url}/api/me`,
      `https://fcm.googleapis.com/${'x'.repeat(1000)}`,
      'nonsense',
    ];
    for (const endpoint of endpoints) {
      const refused = await subscribe(person, { ...browser, endpoint });
      expect([refused.status, (await refused.json()).error], endpoint).toEqual([
        400,
        'This site can’t send notifications through your browser’s push service.',
      ]);
    }
    const { keys } = browser;
    for (const bad of [
      { ...keys, auth: 'AAAA' },
      { ...keys, p256dh: randomBytes(65).toString('base64url') },
      { ...keys, p256dh: keys.p256dh.slice(4) },
    ])
      expect((await subscribe(person, { ...browser, keys: bad })).status).toBe(400);
    for (const endpoint of ['https://wns2-par02p.notify.windows.com/w/?token=1', browser.endpoint])
      expect((await subscribe(person, { ...browser, endpoint })).status, endpoint).toBe(204);
  });

  test('is limited to ten: the oldest is replaced', async () => {
    const { person, browser } = await subscriber();
    const { rows: seeded } = await server.database.query<{ id: string }>(
      `insert into sessions (id, token_hash, user_id, expires_at)
       select id, uuid_send(id), $1, app_now() + interval '1 day'
         from (select gen_random_uuid() as id from generate_series(1, $2)) ids returning id`,
      [person.id, notificationLimits.devices],
    );
    for (const [at, { id }] of seeded.entries())
      await server.database.query(
        `insert into push_subscriptions (session_id, endpoint, p256dh, auth, vapid_key, language, created_at)
         select $1::uuid, endpoint || $1, p256dh, auth, vapid_key, language, created_at - $2 * interval '1 minute'
           from push_subscriptions where endpoint = $3`,
        [id, at + 1, browser.endpoint],
      );
    const next = await newBrowser(server, person);
    expect((await subscribe(person, next)).status).toBe(204);
    const { rows } = await server.database.query<{ session_id: string }>(
      `select session_id from push_subscriptions join sessions s on s.id = session_id
        where s.user_id = $1 order by push_subscriptions.created_at desc`,
      [person.id],
    );
    const own = (await rowOf(next))?.session_id;
    expect(rows.map((row) => row.session_id)).toEqual([own, ...seeded.slice(0, -1).map(({ id }) => id)]);
  });
});

describe('a notification', () => {
  test('of a reply contains only its title, encrypted and padded to one length', async () => {
    const { person, browser } = await subscriber();
    const { chatId } = await reply(person, `Name a river [[answer:lorem]] ${noDelay}`);
    const [sent] = await waitForNotifications(server, browser);
    const { title } = await openChat(person, chatId);
    expect(sent?.notification).toEqual({
      ...{ title: 'Reply ready', path: `/chat/${chatId}`, language: 'en', dir: 'ltr', always: false },
      body: expect.any(String),
    });
    // The first words of the question until the chat has a title.
    expect([title, `Name a river [[answer:lorem]] ${noDelay}`]).toContain(sent?.notification.body);
    expect(sent?.topic).toBe(chatId.replaceAll('-', ''));
    expect(sent?.ttl).toBeLessThanOrEqual(1800);
    await reply(person, `${'A much longer question '.repeat(5)} ${noDelay}`);
    const [, other] = await waitForNotifications(server, browser, 2);
    expect(other?.bytes).toBe(sent?.bytes);
    expect(await pushAttempts(server, browser)).toEqual([201, 201]);
  });

  test('is sent for a failure too, but not for stopped, temporary or API runs, nor for another person’s', async () => {
    const { person, browser } = await subscriber();
    const stopped = await send(person, 'Wait [[mode:hold]]');
    await stop(person, stopped.body.generation.id);
    await waitForEnd(person, stopped.body.generation.id);
    const temporary = await sendBody(person, randomUUID(), {
      text: `hush ${noDelay}`,
      create: true,
      temporary: true,
    });
    await waitForEnd(person, temporary.body.generation.id);
    const { secret } = await createKey(person);
    const completion = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: noDelay }] }),
    });
    expect(completion.status).toBe(200);
    const image = await fetch(`${server.url}/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'A river' }),
    });
    expect(image.status).toBe(200);
    await reply((await subscriber()).person);
    const failed = await reply(person, `Break [[mode:500]] ${noDelay}`);
    const received = await waitForNotifications(server, browser);
    expect(received.map(({ notification: { title, path } }) => [title, path])).toEqual([
      ['Couldn’t finish', `/chat/${failed.chatId}`],
    ]);
    const { rows } = await server.database.query<{ count: number }>(
      'select count from rate_limits where key = $1',
      [`notify:${person.id}`],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('of other work names its kind, in the language of the account', async () => {
    const { person, browser } = await subscriber();
    await server.database.query(`update users set language = 'de' where id = $1`, [person.id]);
    await person.send('POST', '/api/write', { prompt: `About rivers ${noDelay}`, length: 'short' });
    await person.send(
      'POST',
      '/api/images',
      { prompt: 'A river', count: 1 },
      { 'idempotency-key': randomUUID() },
    );
    const received = await waitForNotifications(server, browser, 2);
    expect(received.map(({ notification: { title, language } }) => [title, language]).sort()).toEqual([
      ['Bilder fertig', 'de'],
      ['Text fertig', 'de'],
    ]);
    expect(
      received.every(({ notification: { path } }) => /^\/tools\/(writer|image)\/[\da-f-]{36}$/.test(path)),
    ).toBe(true);
  });

  test('is not sent above the hourly limit or with a key that the site no longer has', async () => {
    const { person, browser } = await subscriber();
    const ceiling = `notify:${person.id}`;
    await server.database.query(
      `insert into rate_limits (key, count, resets_at) values ($1, $2, app_now() + interval '1 hour')`,
      [ceiling, notificationLimits.hourly],
    );
    const { chatId } = await reply(person);
    await eventually(async () => {
      const { rows } = await server.database.query<{ count: number }>(
        'select count from rate_limits where key = $1',
        [ceiling],
      );
      return rows[0]?.count === notificationLimits.hourly + 1;
    });
    await server.database.query('delete from rate_limits where key = $1', [ceiling]);
    const { body } = await sendBody(person, chatId, { text: `And a lake ${noDelay}` });
    await waitForEnd(person, body.generation.id);
    await waitForNotifications(server, browser);
    expect(await receivedNotifications(server, browser)).toHaveLength(1);
    await server.database.query(
      `update push_subscriptions set vapid_key = repeat('x', 87) where endpoint = $1`,
      [browser.endpoint],
    );
    expect((await notificationsOf(person)).on).toBe(false);
  });
});

describe('a push service', () => {
  test.runIf(soak)('that is slow delays no reply, and gets again what it did not accept', async () => {
    const { person, browser } = await subscriber();
    await control(server, { push: { fault: 'hold' } });
    await reply(person);
    await eventually(async () => (await pushAttempts(server, browser)).length > 0);
    expect(await receivedNotifications(server, browser)).toEqual([]);
    await control(server, { push: { fault: '429' }, release: true });
    await reply(person);
    await eventually(async () => (await pushAttempts(server, browser)).includes(429));
    await control(server, { push: { fault: 'none' } });
    await waitForNotifications(server, browser, 2);
  });

  test('that no longer knows the browser ends the subscription; one that refuses us does not', async () => {
    const { person, browser } = await subscriber();
    await control(server, { push: { fault: '403' } });
    await reply(person);
    await eventually(async () => (await pushAttempts(server, browser)).length === 1);
    await control(server, { push: { fault: '410' } });
    expect(await rowOf(browser)).toBeDefined();
    await reply(person);
    await eventually(async () => (await rowOf(browser)) === undefined);
    await control(server, { push: { fault: 'none' } });
    expect(await pushAttempts(server, browser)).toEqual([403, 410]);
    expect((await notificationsOf(person)).on).toBe(false);
  });
});
