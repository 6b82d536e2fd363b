import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { MAX_REPORT_LENGTH } from '#features/shares/report-contract.ts';
import { createOperator, type Operator, operatorActions } from '../support/admin.ts';
import { uniqueWord } from '../support/chat.ts';
import { runErasure } from '../support/erasure.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { openPage, share, sharedChat, sharesOf } from '../support/shares.ts';
import { network, visitor } from '../support/visitor.ts';

let server: TestServer;
let operator: Operator;
let owner: Person;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  operator = await createOperator(server);
  owner = await createPerson(server, { plan: 'pro' });
});
afterAll(() => server.stop());

const sharePage = (words = ['Q', 'A']) => sharedChat(server, owner, words);
const report = (id: string, fields: Record<string, string> = {}, from = network()) =>
  visitor(server).form(
    `/share/${id}`,
    {
      intent: 'report',
      reason: 'spam',
      words: '',
      homepage: '',
      opened: String(Date.now() - 10_000),
      ...fields,
    },
    { from },
  );
const stored = async (id: string) =>
  (await server.database.query('select reason, words, user_id from share_reports where share_id = $1', [id]))
    .rows;

test('any reader can report a page, and an operator takes it down for good', async () => {
  const word = uniqueWord();
  const { chat, share: page } = await sharePage(['Q', `${word} </p><script>alert(1)</script>`]);
  const sent = await report(page.id, { reason: 'harmful', words: ' <b>See</b> \u202ethis ' });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/share/${page.id}?reported`]);
  expect(await stored(page.id)).toEqual([{ reason: 'harmful', words: '<b>See</b> this', user_id: owner.id }]);
  const reported = await openPage(server, `${page.id}?reported`);
  expect(reported.html).toContain('Thanks. We’ll take a look at this page.');

  expect(await operator.page('/admin/shares')).toContain(`/admin/shares/${page.id}`);
  const shown = await operator.page(`/admin/shares/${page.id}`);
  expect(shown).toContain(`${word} &lt;/p&gt;&lt;script&gt;`);
  expect(shown).toContain('&lt;b&gt;See&lt;/b&gt; this');
  expect(shown).not.toMatch(/<script>alert|<b>See/);
  expect((await owner.get('/admin/shares')).status).toBe(404);
  const decide = (decision: string, fields: Record<string, string> = {}) =>
    operator.submit(`/admin/shares/${page.id}/${decision}`, fields);
  expect((await decide('take-down')).status).toBe(400);
  expect((await decide('delete', { reason: 'x' })).status).toBe(404);
  const press = { press: randomUUID(), reason: 'It is spam' };
  for (let times = 0; times < 2; times++) expect((await decide('take-down', press)).status).toBe(303);
  expect((await openPage(server, page.id)).status).toBe(404);
  const { rows } = await server.database.query('select s::text as row from shares s where id = $1', [
    page.id,
  ]);
  expect(rows[0].row).not.toContain(word);
  expect(await operatorActions(server, owner.id)).toEqual([
    expect.objectContaining({
      action: 'share',
      reason: 'It is spam',
      details: { share: page.id, decision: 'take-down' },
    }),
  ]);
  expect(await operator.page('/admin/shares')).not.toContain(page.id);
  expect(await operator.page('/admin/shares?state=closed')).toContain(page.id);

  const again = await share(owner, { chatId: chat.id });
  expect([again.status, again.body.code]).toEqual([403, 'forbidden']);
  expect((await owner.send('DELETE', `/api/shares/${page.id}`)).status).toBe(404);
  expect((await owner.send('PATCH', `/api/shares/${page.id}`, { days: 1 })).status).toBe(403);
  expect((await owner.send('POST', `/api/shares/${page.id}/snapshot`)).status).toBe(403);
  expect((await sharesOf(owner)).find(({ id }) => id === page.id)).toMatchObject({ takenDown: true });
  expect((await report(page.id)).status).toBe(404);
});

test('a dismissed report leaves the page up, and a report outlives a page that its owner stops', async () => {
  const { share: page } = await sharePage();
  await report(page.id);
  expect((await operator.submit(`/admin/shares/${page.id}/keep`)).status).toBe(303);
  expect((await openPage(server, page.id)).status).toBe(200);
  await report(page.id, { reason: 'other' });
  await owner.send('DELETE', `/api/shares/${page.id}`);
  expect(await operator.page('/admin/shares')).toContain(page.id);
  const shown = await operator.page(`/admin/shares/${page.id}`);
  expect(shown).toContain('No longer shared');
  expect(shown).not.toContain('/take-down');
  for (const id of ['A'.repeat(24), '%00'])
    expect((await operator.get(`/admin/shares/${id}`)).status, id).toBe(404);
});

test('errors of a report are shown in the page, with what was typed', async () => {
  const { share: page } = await sharePage();
  const wrong: [Record<string, string>, string][] = [
    [{ reason: '' }, 'Choose what’s wrong'],
    [{ reason: 'constructor' }, 'Choose what’s wrong'],
    [{ words: 'w'.repeat(MAX_REPORT_LENGTH + 1) }, 'www'],
    [{ opened: String(Date.now()) }, 'That was very fast'],
    [{ opened: 'x' }, 'That was very fast'],
  ];
  for (const [fields, message] of wrong) {
    const answer = await report(page.id, { words: 'My words', ...fields });
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect([html.includes(message), html.includes(fields.words ?? 'My words')]).toEqual([true, true]);
  }
  expect((await report(page.id, { homepage: 'https://spam.example' })).status).toBe(303);
  expect(await stored(page.id)).toEqual([]);
  expect((await report(page.id, { intent: 'other' })).status).toBe(404);
  expect((await report('A'.repeat(24))).status).toBe(404);
});

test('one network can report ten times an hour, many networks at most fifty times per page', async () => {
  const { share: page } = await sharePage();
  const from = network();
  const statuses: number[] = [];
  for (let times = 0; times < 11; times++) statuses.push((await report(page.id, {}, from)).status);
  expect(statuses).toEqual([...Array(10).fill(303), 429]);
  await server.database.query(
    `insert into share_reports (share_id, user_id, reason, words)
     select share_id, user_id, reason, words from share_reports, generate_series(1, 4) where share_id = $1`,
    [page.id],
  );
  expect((await report(page.id)).status).toBe(303);
  expect(await stored(page.id)).toHaveLength(50);
});

test('reports are erased with the person whose page they are about', async () => {
  const person = await createPerson(server);
  const { share: page } = await sharedChat(server, person, ['Q', 'A']);
  await report(page.id);
  expect(await stored(page.id)).toHaveLength(1);
  await server.database.query(
    `update users set deleted_at = app_now() - interval '31 days', erase_from = app_now() - interval '1 minute' where id = $1`,
    [person.id],
  );
  await runErasure(server);
  expect(await stored(page.id)).toEqual([]);
});
