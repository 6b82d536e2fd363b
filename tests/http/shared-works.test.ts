import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createOperator, type Operator, operatorActions } from '../support/admin.ts';
import { downloadArchive } from '../support/archive.ts';
import { uniqueWord } from '../support/chat.ts';
import { runErasure } from '../support/erasure.ts';
import { vectors } from '../support/hostile.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { forbiddenMarkup, openPage, share, sharesOf, sourceOf } from '../support/shares.ts';
import { visitor } from '../support/visitor.ts';
import { seedWork } from '../support/works.ts';
import { begin, openWork, waitForRun } from '../support/writer.ts';

let server: TestServer;
let operator: Operator;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  operator = await createOperator(server);
});
afterAll(() => server.stop());

const copyText = (id: string, person: Person | null, copy: string = randomUUID()) =>
  visitor(server).form(`/share/${id}`, { intent: 'continue', copy }, { cookie: person?.cookie ?? '' });

async function sharedWork(
  person: Person,
  seed: { feature?: 'writer' | 'script'; title?: string; texts: string[] },
  options: Record<string, unknown> = {},
) {
  const { work } = await seedWork(server, person, seed);
  const { status, body } = await share(person, { workId: work, ...options });
  expect(status).toBe(201);
  return { work, share: body };
}

const FOUNTAIN = (word: string) => `Title: The Door
Credit: written by
Author: Mara Lind
Contact: mara@lind.example

INT. KITCHEN - NIGHT

${word} /* a private note */ stands *still*. [[ask Jo]]

[[a second
remark]]

# The killer is Bob

= Bob did it

MARA
(whispering)
Who is there?
[[softly]]
Answer me.

> CUT TO:
`;

test('a text shows its newest version, as Markdown, without its prompt, earlier versions, name or indexing', async () => {
  const person = await createPerson(server);
  const [old, fresh, title] = [uniqueWord(), uniqueWord(), uniqueWord()];
  const { work, share: page } = await sharedWork(person, {
    title,
    texts: [`# A\n\n${old}`, `# ${title}\n\n## A heading\n\n**${fresh}** and \`code\``],
  });
  expect(page).toMatchObject({ kind: 'text', workId: work, chatId: null, count: 1, title, showName: false });
  const { status, headers, html } = await openPage(server, page.id);
  expect([status, headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual([
    200,
    'private, no-store',
    'noindex, nofollow',
  ]);
  expect(html).toContain(`<strong>${fresh}</strong>`);
  expect(html).toContain('Shared text');
  expect(html).toContain('Written with AI');
  // The page's heading is the title, so the text's own title is not repeated.
  const article = /<article.*?<\/article>/s.exec(html)?.[0] ?? '';
  expect([...article.matchAll(/<h\d[^>]*>(.*?)<\/h\d>/g)].map(([, text]) => text)).toEqual([
    expect.any(String),
    'A heading',
  ]);
  expect([html.includes(title), html.includes(old), html.includes('Test Person')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(html).not.toMatch(/modulepreload|entry\.client|__reactRouter/);
  expect(await sourceOf(person, `work=${work}`)).toMatchObject({ kind: 'text', share: { id: page.id } });
});

test('a text changes on its page when its owner updates it, and has one page however often it is shared', async () => {
  const person = await createPerson(server);
  const [old, fresh] = [uniqueWord(), uniqueWord()];
  const { work, share: page } = await sharedWork(person, { texts: [old] });
  const saved = await person.send('PUT', `/api/works/${work}/versions/${randomUUID()}`, {
    content: fresh,
    edition: 0,
  });
  expect(saved.status).toBe(200);
  const again = await Promise.all([1, 2, 3].map(() => share(person, { workId: work, showName: true })));
  expect(new Set(again.map(({ body }) => body.id))).toEqual(new Set([page.id]));
  const before = await openPage(server, page.id);
  expect([before.html.includes(old), before.html.includes(fresh)]).toEqual([true, false]);
  expect((await person.send('POST', `/api/shares/${page.id}/snapshot`)).status).toBe(200);
  await person.send('PATCH', `/api/shares/${page.id}`, { showName: true, indexed: true });
  const { html, headers } = await openPage(server, page.id);
  expect([html.includes(old), html.includes(fresh), html.includes('Test Person')]).toEqual([
    false,
    true,
    true,
  ]);
  expect(headers.get('x-robots-tag')).toBeNull();
  expect(html).toContain('<meta property="og:title"');
  expect(html).toContain(`<link rel="canonical" href="${page.url}"`);
});

test('a script is typeset, without its title page and what its writer has hidden', async () => {
  const person = await createPerson(server);
  const word = uniqueWord();
  const { share: page } = await sharedWork(person, {
    feature: 'script',
    title: 'The Door',
    texts: [FOUNTAIN(word)],
  });
  expect(page.kind).toBe('script');
  const { html } = await openPage(server, page.id);
  expect(html).toMatch(/<h3 class="sp-scene"[^>]*>.*INT\. KITCHEN - NIGHT/);
  expect(html).toMatch(/<p class="sp-name" dir="auto">.*MARA/);
  expect(html).toContain('<em>still</em>');
  expect(html).toContain(word);
  expect(html).not.toMatch(/Mara Lind|mara@lind|a private note|ask Jo|remark|Bob|softly/);
  expect(html).toContain('<span>Who is there?</span><span><br/>Answer me.</span>');
  expect(html).toContain('Shared script');
});

test('empty, unfinished, other people’s and unknown texts are refused with an explanation', async () => {
  const [person, other] = [await createPerson(server, { plan: 'pro' }), await createPerson(server)];
  const empty = await seedWork(server, person, { texts: [''] });
  const refused = await share(person, { workId: empty.work });
  expect([refused.status, refused.body.error]).toEqual([409, 'There’s nothing to share here yet.']);
  const titleAlone = await seedWork(server, person, {
    feature: 'script',
    texts: ['Title: X\nContact: me\n'],
  });
  expect((await share(person, { workId: titleAlone.work })).status).toBe(409);
  const running = await begin(person, { prompt: `${uniqueWord()} [[mode:hold]] [[holdAfter:3]]` });
  const half = await share(person, { workId: running.body.work.id });
  expect([half.status, half.body.error]).toEqual([
    409,
    'This is still being written. Share it once it’s done.',
  ]);
  await person.send('POST', `/api/generations/${running.body.generation.id}/stop`);
  await waitForRun(person, running.body.generation.id);
  const { work, share: page } = await sharedWork(person, { texts: ['words'] });
  expect((await share(other, { workId: work })).status).toBe(404);
  expect((await share(other, { workId: randomUUID() })).status).toBe(404);
  expect((await share(person, { workId: work, chatId: randomUUID() })).status).toBe(400);
  expect((await other.get(`/api/shares/source?work=${work}`)).status).toBe(404);
  expect((await person.get(`/api/shares/source?work=${work}&chat=${randomUUID()}`)).status).toBe(404);
  for (const [method, path, body] of [
    ['PATCH', '', { showName: true }],
    ['POST', '/snapshot', undefined],
    ['DELETE', '', undefined],
  ] as const)
    expect((await other.send(method, `/api/shares/${page.id}${path}`, body)).status, method).toBe(404);
  expect((await openPage(server, page.id)).status).toBe(200);
});

test('a page ends with its text, its person and its expiry, and is restored with the text', async () => {
  const person = await createPerson(server);
  const { work, share: page } = await sharedWork(person, { texts: ['words'] });
  const status = async () => (await openPage(server, page.id)).status;
  expect(await status()).toBe(200);
  await person.send('DELETE', `/api/works/${work}`);
  expect([await status(), (await sharesOf(person)).length]).toEqual([404, 0]);
  expect((await person.send('PATCH', `/api/shares/${page.id}`, { days: 1 })).status).toBe(404);
  await person.send('POST', `/api/works/${work}/restore`);
  expect([await status(), (await sharesOf(person)).length]).toEqual([200, 1]);
  const set = (text: string) => server.database.query(`update users set ${text} where id = $1`, [person.id]);
  await set('banned_at = app_now()');
  expect(await status()).toBe(404);
  await set('banned_at = null');
  await server.database.query('update shares set ends_at = app_now() where id = $1', [page.id]);
  expect(await status()).toBe(404);
  const { body: next } = await share(person, { workId: work });
  expect(next.id).not.toBe(page.id);
  expect((await person.send('DELETE', `/api/shares/${next.id}`)).status).toBe(204);
  expect((await openPage(server, next.id)).status).toBe(404);
  await share(person, { workId: work });
  await set(`deleted_at = app_now() - interval '31 days', erase_from = app_now() - interval '1 minute'`);
  await runErasure(server);
  const { rows } = await server.database.query('select 1 from shares where user_id = $1', [person.id]);
  expect(rows).toEqual([]);
});

test('no markup of a title, a text or a script becomes an element', async () => {
  const person = await createPerson(server);
  const hostile = vectors.map((text) => text.replaceAll('\0', '')).join('\n\n');
  const title = '</title><script>alert(1)</script>\u202egnp.exe';
  for (const feature of ['writer', 'script'] as const) {
    const { share: page } = await sharedWork(person, { feature, title, texts: [`INT. A\n\n${hostile}`] });
    const { html } = await openPage(server, page.id);
    expect(forbiddenMarkup(html, ['br', 'u'])).toEqual({ elements: [], attributes: [], links: [] });
    expect(html).not.toContain('<script>alert(1)');
  }
});

test('a reader copies a text and a script into their own tools, at no cost, once per press', async () => {
  const [owner, person] = [await createPerson(server), await createPerson(server, { credits: 3 })];
  const word = uniqueWord();
  for (const [feature, text] of [
    ['writer', `# ${word}\n\nWords.`],
    ['script', FOUNTAIN(word)],
  ] as const) {
    const { work, share: page } = await sharedWork(owner, { feature, title: `Of ${word}`, texts: [text] });
    const signInPath = `/sign-in?next=${encodeURIComponent(`/share/${page.id}?continue`)}`;
    expect((await copyText(page.id, null)).headers.get('location')).toBe(signInPath);
    const id = randomUUID();
    const answers = await Promise.all([1, 2].map(() => copyText(page.id, person, id)));
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
      Array(2).fill([303, `/tools/${feature}/${id}`]),
    );
    const copy = await openWork(person, id);
    expect(copy).toMatchObject({ feature, title: `Of ${word}`, author: null });
    expect(copy.versions).toHaveLength(1);
    expect(copy.version.content).toContain(word);
    expect(copy.version.content).not.toMatch(/Mara Lind|mara@lind|private note|ask Jo|remark|Bob|softly/);
    expect((await person.get(`/tools/${feature}/${id}`, { accept: 'text/html' })).status).toBe(200);
    const { rows } = await server.database.query(
      'select w::text as row from works w where id = $1 union all select v::text from work_versions v where work_id = $1',
      [id],
    );
    for (const secret of [owner.id, work, page.id])
      expect(
        rows
          .map(({ row }) => row)
          .join()
          .includes(secret),
      ).toBe(false);
    for (const foreign of [work, 'x', ''])
      expect((await copyText(page.id, person, foreign)).status).toBe(404);
    await owner.send('DELETE', `/api/shares/${page.id}`);
    expect((await copyText(page.id, person)).status).toBe(404);
    expect((await openWork(person, id)).version.content).toContain(word);
  }
  expect(await person.credits()).toBe(3);
});

test('the archive of a person’s data contains pages of texts with their content', async () => {
  const person = await createPerson(server);
  const word = uniqueWord();
  const { work, share: page } = await sharedWork(person, { texts: [word] });
  const { data } = await downloadArchive(person);
  expect(data.shares).toEqual([
    expect.objectContaining({
      url: page.url,
      kind: 'text',
      chatId: null,
      workId: work,
      pictureIds: null,
      messages: null,
      content: word,
    }),
  ]);
});

test('a report names the kind to the operator, who takes the text down for good', async () => {
  const person = await createPerson(server);
  const word = uniqueWord();
  const { work, share: page } = await sharedWork(person, { title: 'A bad one', texts: [`<b>${word}</b>`] });
  const sent = await visitor(server).form(`/share/${page.id}`, {
    intent: 'report',
    reason: 'harmful',
    words: '',
    homepage: '',
    opened: String(Date.now() - 10_000),
  });
  expect(sent.status).toBe(303);
  expect(await operator.page('/admin/shares')).toMatch(/A bad one[\s\S]*?<td[^>]*>text</);
  const shown = await operator.page(`/admin/shares/${page.id}`);
  expect(shown).toContain('Text. ');
  expect(shown).toContain(`&lt;b&gt;${word}&lt;/b&gt;`);
  await operator.submit(`/admin/shares/${page.id}/take-down`, { reason: 'It is bad' });
  expect((await openPage(server, page.id)).status).toBe(404);
  const { rows } = await server.database.query('select s::text as row from shares s where id = $1', [
    page.id,
  ]);
  expect(rows[0].row).not.toContain(word);
  expect(await operatorActions(server, person.id)).toHaveLength(1);
  expect((await share(person, { workId: work })).status).toBe(403);
  expect((await sharesOf(person))[0]).toMatchObject({ takenDown: true, kind: 'text' });
});
