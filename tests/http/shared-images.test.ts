import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { shareLimits } from '#features/shares/contract.ts';
import { createOperator, type Operator } from '../support/admin.ts';
import { downloadArchive } from '../support/archive.ts';
import { uniqueWord } from '../support/chat.ts';
import { runJob } from '../support/files.ts';
import { bytesOf, drawImages, pngTexts, quick } from '../support/images.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { forbiddenMarkup, openImage, openPage, share, sharesOf, sourceOf } from '../support/shares.ts';
import { visitor } from '../support/visitor.ts';

let server: TestServer;
let operator: Operator;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  operator = await createOperator(server);
});
afterAll(() => server.stop());

async function makePictures(person: Person, prompt: string, count = 1): Promise<string[]> {
  const job = await drawImages(person, { prompt: `${prompt} ${quick}`, size: '512x512', count });
  expect(job.pictures).toHaveLength(count);
  return job.pictures.map(({ id }) => id);
}

const isSame = (a: Buffer, b: Buffer) => a.equals(b);

test('an image is shown without its prompt, which its file lacks too, until its owner shows it', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const word = uniqueWord();
  const [id = ''] = await makePictures(person, word);
  const { status, body: page } = await share(person, { pictureIds: [id] });
  expect(status).toBe(201);
  expect(page).toMatchObject({
    kind: 'images',
    count: 1,
    pictureIds: [id],
    showPrompts: false,
    chatId: null,
  });
  expect(page.title).toContain(word);
  const { html, headers } = await openPage(server, page.id);
  expect(html).toContain(`src="/share/${page.id}/images/1?w=640"`);
  expect(html).toMatch(/<h1[^>]*>Shared image<\/h1>/);
  expect(html).toContain('alt="Shared image 1 of 1"');
  expect(html).toContain('This image was made with AI');
  expect([html.includes(word), html.includes(id)]).toEqual([false, false]);
  expect(headers.get('cache-control')).toBe('private, no-store');

  const full = await openImage(server, page.id, 1);
  expect([full.status, full.headers.get('content-type')]).toEqual([200, 'image/png']);
  const texts = pngTexts(full.bytes);
  expect([...texts.keys()].sort()).toEqual(['Software', 'Source', 'XML:com.adobe.xmp']);
  expect(texts.get('Source')).toBe('AI-generated image');
  expect(texts.get('XML:com.adobe.xmp')).toContain('trainedAlgorithmicMedia');
  expect(full.bytes.includes(word)).toBe(false);
  const own = await bytesOf(person, id);
  expect(pngTexts(own).get('Description')).toContain(word);
  const small = await openImage(server, page.id, 1, '?w=320');
  expect(isSame(small.bytes, await bytesOf(person, id, '?w=320'))).toBe(true);
  const download = await openImage(server, page.id, 1, '?download');
  expect(download.headers.get('content-disposition')).toMatch(/^attachment; filename="image-1\.png"/);
  for (const { headers: sent } of [full, small, download])
    expect([
      sent.get('cache-control'),
      sent.get('etag'),
      sent.get('x-robots-tag'),
      sent.get('set-cookie'),
    ]).toEqual(['private, no-store', null, 'noindex, nofollow', null]);
  const head = await client(server, '').send('HEAD', `/share/${page.id}/images/1`);
  expect([head.status, await head.text()]).toEqual([200, '']);

  await person.send('PATCH', `/api/shares/${page.id}`, { showPrompts: true, indexed: true });
  const open = await openPage(server, page.id);
  expect(open.html).toContain(word);
  expect(open.html).toContain(`/share/${page.id}/images/1"`);
  expect(open.html).toContain('<meta property="og:image" content=');
  const indexed = await openImage(server, page.id, 1);
  expect([indexed.headers.get('x-robots-tag'), indexed.bytes.includes(word)]).toEqual([null, false]);
});

test('a set shows the chosen images in one page, and deleted images disappear from it', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const first = await makePictures(person, uniqueWord(), 2);
  const second = await makePictures(person, uniqueWord(), 2);
  const chosen = [second[1] ?? '', first[0] ?? '', second[1] ?? ''];
  expect(await sourceOf(person, `images=${chosen.join()}`)).toMatchObject({
    kind: 'images',
    count: 2,
    share: null,
  });
  const { body: page } = await share(person, { pictureIds: chosen });
  expect(page).toMatchObject({ count: 2, pictureIds: [first[0], second[1]] });
  // The same pictures in another order give the same page.
  expect((await share(person, { pictureIds: [first[0], second[1]] })).body.id).toBe(page.id);
  expect((await share(person, { pictureIds: [first[0]] })).body.id).not.toBe(page.id);
  const shown = async () =>
    [...(await openPage(server, page.id)).html.matchAll(/images\/(\d+)\?w=640/g)].map(([, at]) => at);
  expect(new Set(await shown())).toEqual(new Set(['1', '2']));
  const before = await openImage(server, page.id, 2, '?w=320');
  await person.send('DELETE', `/api/images/pictures/${first[0]}`);
  expect(new Set(await shown())).toEqual(new Set(['2']));
  expect((await openImage(server, page.id, 1)).status).toBe(404);
  expect(isSame((await openImage(server, page.id, 2, '?w=320')).bytes, before.bytes)).toBe(true);
  await person.send('DELETE', `/api/images/pictures/${second[1]}`);
  expect((await openPage(server, page.id)).status).toBe(404);
  expect((await openImage(server, page.id, 2)).status).toBe(404);
  expect(await sharesOf(person)).toEqual([]);
  await person.send('POST', `/api/images/pictures/${first[0]}/restore`);
  expect(new Set(await shown())).toEqual(new Set(['1']));
  // The page is deleted once all its pictures are.
  await server.database.query(
    `update image_pictures set deleted_at = app_now() - interval '30 days' where id = any($1::uuid[])`,
    [chosen],
  );
  await runJob(server, 'purge-deleted-images');
  await runJob(server, 'prune-shares');
  const { rows } = await server.database.query('select 1 from shares where id = $1', [page.id]);
  expect(rows).toEqual([]);
});

test('nobody gets an image except through its page, nor one of another page or person', async () => {
  const [owner, other] = [
    await createPerson(server, { plan: 'pro' }),
    await createPerson(server, { plan: 'pro' }),
  ];
  const [one = '', two = ''] = await makePictures(owner, uniqueWord(), 2);
  const { body: page } = await share(owner, { pictureIds: [one] });
  for (const at of ['0', '2', '01', '-1', '1.0', '99999999999', 'x', two, one, '%2e%2e%2f1', "1'--", '1/..'])
    expect((await openImage(server, page.id, at)).status, at).toBe(404);
  expect((await openImage(server, 'A'.repeat(24), 1)).status).toBe(404);
  expect((await client(server, '').get(`/api/images/pictures/${one}`)).status).toBe(401);
  expect((await other.get(`/api/images/pictures/${one}`)).status).toBe(404);
  expect((await share(other, { pictureIds: [one] })).status).toBe(404);
  const [own = ''] = await makePictures(other, uniqueWord());
  expect((await share(other, { pictureIds: [own, one] })).status).toBe(404);
  expect((await share(owner, { pictureIds: [one, randomUUID()] })).status).toBe(404);
  for (const wrong of [[], ['x'], Array.from({ length: shareLimits.pictures + 1 }, () => randomUUID())])
    expect((await share(owner, { pictureIds: wrong })).status).toBe(400);
  expect((await other.get(`/api/shares/source?images=${one}`)).status).toBe(404);
  expect((await owner.get('/api/shares/source?images=')).status).toBe(404);
  expect(
    (
      await visitor(server).form(
        `/share/${page.id}`,
        { intent: 'continue', copy: randomUUID() },
        { cookie: other.cookie },
      )
    ).status,
  ).toBe(404);
  await owner.send('DELETE', `/api/shares/${page.id}`);
  const stopped = await openImage(server, page.id, 1);
  expect([stopped.status, stopped.headers.get('cache-control')]).toEqual([
    404,
    expect.stringContaining('no-store'),
  ]);
});

test('the images become unavailable at once with the page, its expiry, its person and a take-down', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const word = uniqueWord();
  const [one = '', two = ''] = await makePictures(person, word, 2);
  const { body: page } = await share(person, { pictureIds: [one, two], showPrompts: true });
  const { body: single } = await share(person, { pictureIds: [one] });
  const statuses = async () => [
    (await openPage(server, page.id)).status,
    (await openImage(server, page.id, 1)).status,
  ];
  const query = (text: string, id: string) => server.database.query(text, [id]);
  expect(await statuses()).toEqual([200, 200]);
  await query('update shares set ends_at = app_now() where id = $1', page.id);
  expect(await statuses()).toEqual([404, 404]);
  await query('update shares set ends_at = null where id = $1', page.id);
  await query('update users set banned_at = app_now() where id = $1', person.id);
  expect(await statuses()).toEqual([404, 404]);
  await query('update users set banned_at = null where id = $1', person.id);
  await visitor(server).form(`/share/${page.id}`, {
    intent: 'report',
    reason: 'illegal',
    words: '',
    homepage: '',
    opened: String(Date.now() - 10_000),
  });
  const shown = await operator.page(`/admin/shares/${page.id}`);
  expect(shown).toContain('Images. ');
  expect(shown).toContain(`/share/${page.id}/images/2?w=320`);
  await operator.submit(`/admin/shares/${page.id}/take-down`, { reason: 'Stolen' });
  expect(await statuses()).toEqual([404, 404]);
  expect((await openImage(server, single.id, 1)).status).toBe(404);
  // Neither the same page nor another one with one of its pictures can be shared.
  for (const pictureIds of [[one, two], [two]])
    expect((await share(person, { pictureIds })).status).toBe(403);
  const { data } = await downloadArchive(person);
  expect(data.shares).toHaveLength(2);
  expect(data.shares).toContainEqual(
    expect.objectContaining({ kind: 'images', pictureIds: [one, two], showPrompts: true, takenDown: true }),
  );
});

test('no markup of a prompt becomes an element', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const ids = await makePictures(person, '"><img src=x onerror=alert(1)></title><script>alert(1)</script>');
  const { body: page } = await share(person, { pictureIds: ids, showPrompts: true });
  const { html } = await openPage(server, page.id);
  expect(html).toMatch(/<h1[^>]*>&quot;&gt;&lt;img src=x/);
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).not.toMatch(/<script>alert|<img src=x/);
  expect(forbiddenMarkup(html, ['img'])).toEqual({ elements: [], attributes: [], links: [] });
});
