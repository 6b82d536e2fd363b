import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { shareLimits } from '#features/shares/contract.ts';
import { downloadArchive } from '../support/archive.ts';
import { newChat, send, sendBody, uniqueWord, waitForEnd, waitForText } from '../support/chat.ts';
import { runErasure } from '../support/erasure.ts';
import { runJob, upload } from '../support/files.ts';
import { vectors } from '../support/hostile.ts';
import { writeChat } from '../support/long-chat.ts';
import { createPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { forbiddenMarkup, openPage, share, sharedChat, sharesOf, sourceOf } from '../support/shares.ts';
import { moveClock } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

const DAY = 86_400_000;

test('a page shows a snapshot of a chat to anyone with the link, without React, name or indexing', async () => {
  const person = await createPerson(server);
  const [question, reply] = [uniqueWord(), uniqueWord()];
  const { chat, share: page } = await sharedChat(server, person, [
    `${question} <b>`,
    `# Title\n\n**${reply}**`,
  ]);
  expect(page.id).toMatch(/^[\w-]{24}$/);
  expect(page).toMatchObject({
    chatId: chat.id,
    kind: 'chat',
    messageId: null,
    count: 2,
    showName: false,
    indexed: false,
  });
  expect(page.url).toMatch(new RegExp(`/share/${page.id}$`));
  const { status, headers, html } = await openPage(server, page.id);
  expect(status).toBe(200);
  expect(html).toContain(`${question} &lt;b&gt;`);
  expect(html).toContain(`<strong>${reply}</strong>`);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).not.toContain('Test Person');
  expect(html).not.toMatch(/modulepreload|entry\.client|__reactRouter/);
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('etag')).toBeNull();
  expect(headers.get('set-cookie')).toBeNull();
  const policyOf = (response: { headers: Headers }) => response.headers.get('content-security-policy') ?? '';
  const plain = await fetch(`${server.url}/`, { headers: { accept: 'text/html' } });
  // Except for the hash of the page's own script.
  const [own, defaults] = [{ headers }, plain].map((response) => policyOf(response).split(/[ ;]+/));
  expect(defaults?.filter((part) => !own?.includes(part))).toEqual([]);
  expect(own?.filter((part) => !defaults?.includes(part))).toEqual([expect.stringMatching(/^'sha256-/)]);
  const data = await fetch(`${server.url}/share/${page.id}.data`);
  expect([data.status, data.headers.get('cache-control'), data.headers.get('x-robots-tag')]).toEqual([
    200,
    'private, no-store',
    'noindex, nofollow',
  ]);
});

test('name, indexing and expiry are opt-in, and can be reverted at once', async () => {
  const person = await createPerson(server);
  const { share: page } = await sharedChat(server, person, ['Q', 'A'], {
    showName: true,
    indexed: true,
    days: 7,
  });
  const shown = await openPage(server, page.id);
  expect(shown.html).toContain('<bdi>Test Person</bdi>');
  expect(shown.html).not.toContain('noindex');
  expect(shown.html).toContain(`<link rel="canonical" href="${page.url}"/>`);
  expect(shown.headers.get('x-robots-tag')).toBeNull();
  expect(Date.parse(page.endsAt ?? '') - Date.parse(page.createdAt)).toBe(7 * DAY);
  const change = (body: object) => person.send('PATCH', `/api/shares/${page.id}`, body);
  const changed = await change({ showName: false, indexed: false, days: null });
  expect(await changed.json()).toMatchObject({ showName: false, indexed: false, endsAt: null });
  const after = await openPage(server, page.id);
  expect(after.html).not.toContain('Test Person');
  expect(after.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  for (const wrong of [{ days: 2 }, { days: '7' }, { showName: 'yes' }, { indexed: 1 }])
    expect((await change(wrong)).status).toBe(400);
});

test('later messages are shown once the page is updated, at the same address', async () => {
  const person = await createPerson(server);
  const [old, fresh] = [uniqueWord(), uniqueWord()];
  const { chat, share: page } = await sharedChat(server, person, ['Q', old]);
  await server.database.query('update chat_messages set content = $2 where id = $1', [
    chat.messages[1],
    fresh,
  ]);
  expect((await openPage(server, page.id)).html).toContain(old);
  const again = await share(person, { chatId: chat.id });
  expect([again.status, again.body.id]).toEqual([201, page.id]);
  expect((await openPage(server, page.id)).html).not.toContain(fresh);
  expect((await person.send('POST', `/api/shares/${page.id}/snapshot`)).status).toBe(200);
  const { html } = await openPage(server, page.id);
  expect([html.includes(fresh), html.includes(old)]).toEqual([true, false]);
});

test('a shared reply includes only its question, and a shared branch neither other versions nor files', async () => {
  const person = await createPerson(server);
  const words = Array.from({ length: 6 }, uniqueWord);
  const { chat } = await sharedChat(server, person, words.slice(0, 4));
  const other = randomUUID();
  await server.database.query(
    `insert into chat_messages (id, session_id, parent_id, role, content) values ($1, $2, $3, 'user', $4)`,
    [other, chat.id, chat.messages[1], words[4]],
  );
  await person.send('PUT', `/api/chats/${chat.id}/branch`, { messageId: chat.messages[3] });
  const { body: reply } = await share(person, { messageId: chat.messages[3] });
  const { html } = await openPage(server, reply.id);
  expect(words.slice(0, 5).map((word) => html.includes(word))).toEqual([false, false, true, true, false]);
  expect(reply).toMatchObject({ chatId: chat.id, messageId: chat.messages[3], kind: 'reply', count: 2 });
  const [chatShare] = (await sharesOf(person)).filter(({ messageId }) => messageId === null);
  await person.send('POST', `/api/shares/${chatShare?.id}/snapshot`);
  const chatPage = await openPage(server, chatShare?.id ?? '');
  expect(words.slice(0, 5).map((word) => chatPage.html.includes(word))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(await sourceOf(person, `chat=${chat.id}`)).toMatchObject({ count: 4, files: 0 });
  expect((await share(person, { messageId: chat.messages[2] })).status).toBe(400);
  expect((await share(person, { messageId: chat.messages[3], chatId: chat.id })).status).toBe(400);
  expect((await share(person, {})).status).toBe(400);
});

test('files are counted, and neither shown nor named', async () => {
  const person = await createPerson(server);
  const names = [uniqueWord(), uniqueWord()];
  const files = await Promise.all(
    names.map((name) =>
      upload(server, person, `Notes of ${name}`, { name: `${name}.txt`, type: 'text/plain' }),
    ),
  );
  const attachmentIds = files.map(({ body }) => body.id);
  const sent = await sendBody(person, randomUUID(), {
    text: 'Read [[tps:0]] [[first:0]]',
    create: true,
    attachmentIds,
  });
  await waitForEnd(person, sent.body.generation.id);
  expect(await sourceOf(person, `chat=${sent.chatId}`)).toMatchObject({ count: 2, files: 2 });
  const { body: page } = await share(person, { chatId: sent.chatId });
  const { html } = await openPage(server, page.id);
  expect(html).toContain('2 attached files aren’t shown');
  // Only the question is checked, because the stand-in's reply quotes its input.
  const question = html.slice(0, html.indexOf('class="md"'));
  expect(names.map((name) => question.includes(name))).toEqual([false, false]);
});

test('what cannot be shared is refused with an explanation', async () => {
  const person = await createPerson(server);
  const temporary = await sendBody(person, randomUUID(), {
    text: 'hi [[tps:0]] [[first:0]]',
    create: true,
    temporary: true,
  });
  const refused = await share(person, { chatId: temporary.chatId });
  expect([refused.status, refused.body.error]).toEqual([409, 'Temporary chats can’t be shared.']);
  const empty = await share(person, { chatId: await newChat(person) });
  expect([empty.status, empty.body.error]).toEqual([409, 'There’s nothing to share in this chat yet.']);
  const running = await send(person, 'go [[mode:hold]] [[holdAfter:3]]');
  const half = await share(person, { messageId: running.body.reply.id });
  expect([half.status, half.body.error]).toEqual([409, 'This reply is still being written.']);
  expect((await share(person, { chatId: running.chatId })).body.count).toBe(1);
  await waitForText(person, running.body.generation.id);
  await person.send('POST', `/api/generations/${running.body.generation.id}/stop`);
  await waitForEnd(person, running.body.generation.id);
  const partial = await share(person, { messageId: running.body.reply.id });
  expect((await openPage(server, partial.body.id)).html).toContain('This reply is incomplete.');
  const long = await writeChat(server, person, 6, () => 'x'.repeat(shareLimits.bytes / 5));
  const large = await share(person, { chatId: long.id });
  expect([large.status, large.body.error]).toEqual([
    413,
    'This is too long to share. The limit is 512 KB of text.',
  ]);
});

test('nobody shares, reads, changes or stops another person’s page, and a guest none at all', async () => {
  const [owner, other] = [await createPerson(server), await createPerson(server)];
  const { chat, share: page } = await sharedChat(server, owner, ['Q', 'A']);
  expect((await share(other, { chatId: chat.id })).status).toBe(404);
  expect((await share(other, { messageId: chat.messages[1] })).status).toBe(404);
  const tries: [string, string, object?][] = [
    ['GET', `/api/shares/source?chat=${chat.id}`],
    ['GET', `/api/shares/source?message=${chat.messages[1]}`],
    ['PATCH', `/api/shares/${page.id}`, { showName: true }],
    ['POST', `/api/shares/${page.id}/snapshot`],
    ['DELETE', `/api/shares/${page.id}`],
  ];
  for (const [method, path, body] of tries)
    expect(
      (method === 'GET' ? await other.get(path) : await other.send(method, path, body)).status,
      path,
    ).toBe(404);
  expect(await sharesOf(other)).toEqual([]);
  expect((await openPage(server, page.id)).status).toBe(200);
});

test('expired, stopped, unknown and guessed pages all answer the same page', async () => {
  const person = await createPerson(server);
  const stopped = (await sharedChat(server, person, ['Q', 'A'])).share;
  const ended = (await sharedChat(server, person, ['Q', 'A'], { days: 1 })).share;
  const deleted = await sharedChat(server, person, ['Q', 'A']);
  expect((await openPage(server, stopped.id)).status).toBe(200);
  expect((await person.send('DELETE', `/api/shares/${stopped.id}`)).status).toBe(204);
  expect((await person.send('DELETE', `/api/shares/${stopped.id}`)).status).toBe(404);
  await person.send('DELETE', `/api/chats/${deleted.chat.id}`);
  await server.database.query(`update shares set ends_at = app_now() where id = $1`, [ended.id]);
  const wrong = [
    stopped.id,
    ended.id,
    deleted.share.id,
    'A'.repeat(24),
    'x',
    '%00',
    `${ended.id}'--`,
    `${ended.id}a`,
  ];
  const pages = await Promise.all(wrong.map((id) => openPage(server, id)));
  const same = (html: string) => html.replaceAll(/[\w-]{20,}/g, '');
  expect(pages.map(({ status }) => status)).toEqual(wrong.map(() => 404));
  for (const id of ['A'.repeat(24), 'x', '%00'])
    for (const [method, path, body] of [
      ['PATCH', id, { days: null }],
      ['POST', `${id}/snapshot`],
      ['DELETE', id],
    ] as const)
      expect((await person.send(method, `/api/shares/${path}`, body)).status, `${method} ${id}`).toBe(404);
  expect(new Set(pages.slice(0, 5).map(({ html }) => same(html))).size).toBe(1);
  const cacheControl = ({ headers }: (typeof pages)[number]) => headers.get('cache-control');
  expect(new Set(pages.slice(0, 5).map(cacheControl))).toEqual(new Set(['private, no-store']));
  // Restoring the chat also restores its page.
  await person.send('POST', `/api/chats/${deleted.chat.id}/restore`);
  expect((await openPage(server, deleted.share.id)).status).toBe(200);
  const again = await share(person, { chatId: ended.chatId ?? '' });
  expect(again.body.id).not.toBe(ended.id);
  expect((await person.send('PATCH', `/api/shares/${ended.id}`, { days: null })).status).toBe(404);
});

test('expired pages are erased by the daily job', async () => {
  const person = await createPerson(server);
  const { share: page } = await sharedChat(server, person, ['Q', 'A'], { days: 30 });
  await moveClock(server, 29 * DAY);
  expect((await openPage(server, page.id)).status).toBe(200);
  await moveClock(server, 31 * DAY);
  expect((await openPage(server, page.id)).status).toBe(404);
  await runJob(server, 'prune-shares');
  const { rows } = await server.database.query('select 1 from shares where id = $1', [page.id]);
  expect(rows).toEqual([]);
  await moveClock(server, 0);
});

test('pages of a banned or deleted person disappear in the same transaction, and are erased with them', async () => {
  const person = await createPerson(server);
  const { share: page } = await sharedChat(server, person, ['Q', 'A']);
  const status = async () => (await openPage(server, page.id)).status;
  const set = (column: string, value: string) =>
    server.database.query(`update users set ${column} = ${value} where id = $1`, [person.id]);
  await set('banned_at', 'app_now()');
  expect(await status()).toBe(404);
  await set('banned_at', 'null');
  expect(await status()).toBe(200);
  expect((await person.send('DELETE', '/api/me', { confirm: person.email })).status).toBe(204);
  expect(await status()).toBe(404);
  await set('erase_from', `app_now() - interval '1 minute'`);
  await runErasure(server);
  const { rows } = await server.database.query('select 1 from shares where user_id = $1', [person.id]);
  expect(rows).toEqual([]);
});

test('the archive of a person’s data lists their pages', async () => {
  const person = await createPerson(server);
  const word = uniqueWord();
  const { chat, share: page } = await sharedChat(server, person, ['Q', word], { days: 1 });
  const { data } = await downloadArchive(person);
  expect(data.shares).toEqual([
    expect.objectContaining({
      url: page.url,
      chatId: chat.id,
      messageId: null,
      messages: [
        { role: 'user', text: 'Q', files: 0, images: 0, sources: [], partial: false },
        { role: 'assistant', text: word, files: 0, images: 0, sources: [], partial: false },
      ],
      takenDown: false,
    }),
  ]);
});

test('parallel requests create pages only up to the limit per person', async () => {
  const person = await createPerson(server);
  const remaining = 3;
  const chats = await Promise.all(Array.from({ length: 8 }, () => writeChat(server, person, 2)));
  const old = await writeChat(server, person, 2 * (shareLimits.perPerson - remaining));
  await server.database.query(
    `insert into shares (id, user_id, chat_id, message_id, title, messages, message_count, show_name, indexed)
     select substr(translate(encode(sha256(id::text::bytea), 'base64'), '+/=', 'abc'), 1, 24), $1, session_id, id, 'T', '[]', 1, false, false
       from chat_messages where session_id = $2 and role = 'assistant'`,
    [person.id, old.id],
  );
  const created = await Promise.all(chats.map(({ id }) => share(person, { chatId: id })));
  expect(created.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  expect(created.find(({ status }) => status === 409)?.body.error).toContain('100 shared links');
  const same = await createPerson(server);
  const one = await writeChat(server, same, 2);
  const twice = await Promise.all([1, 2, 3].map(() => share(same, { chatId: one.id })));
  expect(new Set(twice.map(({ body }) => body.id)).size).toBe(1);
});

test('nobody creates more pages in an hour than the limit', async () => {
  const person = await createPerson(server);
  const { share: page } = await sharedChat(server, person, ['Q', 'A']);
  await server.database.query('update rate_limits set count = $2 where key = $1', [
    `shares:${person.id}`,
    shareLimits.hourly,
  ]);
  expect((await share(person, { chatId: page.chatId })).status).toBe(429);
  expect((await person.send('POST', `/api/shares/${page.id}/snapshot`)).status).toBe(429);
  expect((await person.send('DELETE', `/api/shares/${page.id}`)).status).toBe(204);
});

test('no markup of a title, a question or a reply becomes an element, and nothing is fetched', async () => {
  const person = await createPerson(server);
  const hostile = vectors.map((text) => text.replaceAll('\0', ''));
  const half = Math.ceil(hostile.length / 2);
  const texts = [hostile.slice(0, half), hostile.slice(half)].map((some) => some.join('\n\n'));
  const { chat, share: page } = await sharedChat(server, person, texts);
  const title = '</title><script>alert(1)</script>\u202egnp.exe';
  await person.send('PATCH', `/api/chats/${chat.id}`, { title });
  await person.send('POST', `/api/shares/${page.id}/snapshot`);
  const { html } = await openPage(server, page.id);
  expect(forbiddenMarkup(html)).toEqual({ elements: [], attributes: [], links: [] });
  expect(html.includes('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;gnp.exe')).toBe(true);
  expect(html.includes('<script>alert(1)')).toBe(false);
});

test('links are marked as user content, and a deceptive one shows its address first', async () => {
  const person = await createPerson(server);
  const address = `https://evil.example/c?d=${'SECRET'.repeat(20)}`;
  const reply = `See [the docs](https://a.example/docs), [your bank](${address}) and \u202e[gpj.exe](https://b.example/).`;
  const { share: page } = await sharedChat(server, person, ['Q', reply]);
  const { html } = await openPage(server, page.id);
  const links = [...html.matchAll(/<a href="https:\/\/[^"]+example[^>]*>/g)].map(([link]) => link);
  expect(links).toHaveLength(3);
  for (const link of links) expect(link).toContain('rel="nofollow ugc noopener noreferrer"');
  expect(html).toMatch(
    /<button type="button" class="md-ask"[^>]*popoverTarget="([^"]+)"[^>]*>your bank<\/button><span id="\1" popover="auto"/i,
  );
  expect(html).toMatch(new RegExp(`<code[^>]*>${address.replace('?', '\\?')}</code>`));
});

test('unsupported methods are refused, and HEAD answers without a body', async () => {
  const person = await createPerson(server);
  const { share: page } = await sharedChat(server, person, ['Q', 'A']);
  const ask = (method: string) => person.send(method, `/share/${page.id}`);
  for (const method of ['PUT', 'PATCH', 'DELETE']) expect((await ask(method)).status, method).toBe(405);
  expect((await ask('OPTIONS')).status).toBe(405);
  const head = await ask('HEAD');
  expect([head.status, await head.text(), head.headers.get('x-robots-tag')]).toEqual([
    200,
    '',
    'noindex, nofollow',
  ]);
  const uppercase = await fetch(`${server.url}/SHARE/${page.id}/?x=1`, { redirect: 'manual' });
  expect([uppercase.status, uppercase.headers.get('location')]).toEqual([308, `/share/${page.id}?x=1`]);
});
