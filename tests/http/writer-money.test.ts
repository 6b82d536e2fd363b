import { randomUUID } from 'node:crypto';
import mammoth from 'mammoth';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { gatewayLog, noDelay, uniqueWord } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { control } from '../support/gateway.ts';
import { client, createPerson, type Person, personAt } from '../support/people.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { sampled, soak } from '../support/soak.ts';
import { seedWork } from '../support/works.ts';
import { begin, edit, openWork, waitForRun, write } from '../support/writer.ts';

/** Two processes on one database; the stand-ins keep running when a process is killed. */
let standIns: RunningStandIns;
let one: TestServer;
let two: TestServer;
beforeAll(async () => {
  standIns = await spawnStandIns();
  const options = { postgres: inject('postgres'), standins: standIns.base, env: { RUNNING_AT_ONCE: '100' } };
  one = await startTestServer(options);
  two = await startSecondProcess(one, options.env);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
  await standIns.remove();
});

const short = (word: string, markers = noDelay) => ({ prompt: `About ${word}. ${markers}`, length: 'short' });
const heldMarker = '[[mode:hold]]';
const onEither = (person: Person, index: number) => (index % 2 ? personAt(two, person) : person);

async function seeded(person: Person, text: string) {
  const { work, version } = await seedWork(one, person, { texts: [text] });
  return { work, ask: { versionId: version, from: 0, text, action: 'shorten' } };
}

describe('one credit', () => {
  test('pays for one of twenty texts that are requested at once, on two processes', async () => {
    const person = await createPerson(one, { credits: 1 });
    const word = uniqueWord();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => begin(onEither(person, index), short(word))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      202,
      ...Array.from({ length: 19 }, () => 402),
    ]);
    const paid = answers.find(({ status }) => status === 202)?.body.generation.id ?? '';
    expect(await waitForRun(person, paid)).toMatchObject({ state: 'done', creditsCharged: 1 });
    expect(await person.credits()).toBe(0);
    expect(await gatewayLog(one, word)).toHaveLength(1);
    const { works } = (await (await person.get('/api/works?feature=writer')).json()) as { works: unknown[] };
    expect(works).toHaveLength(1);
  });

  test('pays for a text or for an edit, not for both', async () => {
    const person = await createPerson(one, { credits: 1 });
    const { work, ask } = await seeded(person, 'One sentence. And another one.');
    const answers = await Promise.all([
      begin(person, short(uniqueWord())),
      edit(personAt(two, person), work, ask),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 402]);
    const id = answers.find(({ status }) => status === 202)?.body.generation.id ?? '';
    await waitForRun(person, id);
    expect(await person.credits()).toBe(0);
  });
});

describe('the same key', () => {
  test('repeats the run, text and price, and is refused with another body', async () => {
    const person = await createPerson(one);
    const key = randomUUID();
    const word = uniqueWord();
    const first = await begin(person, short(word), key);
    const again = await begin(personAt(two, person), short(word), key);
    expect(again.status).toBe(202);
    expect(again.body.generation.id).toBe(first.body.generation.id);
    expect(again.body.work).toEqual(first.body.work);
    expect(again.body.version).toEqual(first.body.version);
    const other = await begin(person, { ...short(word), tone: 'casual' }, key);
    expect([other.status, other.body.code]).toEqual([422, 'key_reused']);
    await waitForRun(person, first.body.generation.id);
    const waited = await write(person, short(word), { 'idempotency-key': key });
    expect(waited.body.generation.id).toBe(first.body.generation.id);
    expect(await person.credits()).toBe(9);
    expect(await gatewayLog(one, word)).toHaveLength(1);
  });

  test('of an edit repeats the suggestion, and a key is required', async () => {
    const person = await createPerson(one);
    const { work, ask } = await seeded(person, 'One sentence. And another one.');
    const key = randomUUID();
    const [first, again] = [await edit(person, work, ask, key), await edit(person, work, ask, key)];
    expect(again.body.proposal).toEqual(first.body.proposal);
    expect((await edit(person, work, { ...ask, action: 'expand' }, key)).status).toBe(422);
    expect((await edit(person, work, ask, '')).status).toBe(400);
    await waitForRun(person, first.body.generation.id);
    expect(await person.credits()).toBe(9);
  });
});

describe('runs without a result', () => {
  test('a Stop before anything arrived is refunded', async () => {
    const person = await createPerson(one);
    const word = uniqueWord();
    const { body } = await begin(person, short(word, heldMarker));
    await eventually(async () => (await gatewayLog(one, word)).length === 1);
    await person.send('POST', `/api/generations/${body.generation.id}/stop`);
    expect(await waitForRun(person, body.generation.id)).toMatchObject({
      state: 'stopped',
      creditsCharged: 0,
    });
    expect(await person.credits()).toBe(10);
    await control(one, { release: word });
  });

  test.each(['500', '429', 'empty', 'eof', 'html', '402', '403'])(
    'a gateway that answers %s costs nothing',
    async (mode) => {
      const person = await createPerson(one);
      const { work, ask } = await seeded(person, `Words. [[mode:${mode}]] [[first:0]]`);
      const { body } = await begin(person, short(uniqueWord(), `[[mode:${mode}]] [[first:0]] [[tps:0]]`));
      const view = await waitForRun(person, body.generation.id);
      expect(view).toMatchObject({ state: 'failed', creditsCharged: 0 });
      const started = await edit(person, work, ask);
      expect(await waitForRun(person, started.body.generation.id)).toMatchObject({
        state: 'failed',
        creditsCharged: 0,
      });
      expect(await person.credits()).toBe(10);
      // A failed run leaves no proposal to decide on.
      if (mode !== 'eof') expect((await openWork(person, work)).proposal).toBeNull();
    },
  );
});

describe('another person', () => {
  test('finds no work, adds no versions to it and exports nothing', async () => {
    const person = await createPerson(one);
    const otherPerson = await createPerson(one);
    const { work, ask } = await seeded(person, 'Mine alone.');
    expect((await begin(otherPerson, { ...short(uniqueWord()), workId: work })).status).toBe(404);
    expect((await edit(otherPerson, work, ask)).status).toBe(404);
    expect((await otherPerson.get(`/api/write/${work}/export?format=md`)).status).toBe(404);
    expect((await client(one).get(`/api/write/${work}/export`)).status).toBe(401);
    expect((await begin(client(one), short(uniqueWord()))).status).toBe(401);
    expect((await otherPerson.get(`/tools/writer/${work}`)).status).toBe(404);
    const sent = await client(one).get(`/tools/writer/${work}`);
    expect([sent.status, sent.headers.get('location')]).toEqual([
      302,
      `/sign-in?next=%2Ftools%2Fwriter%2F${work}`,
    ]);
    expect(await otherPerson.credits()).toBe(10);
    // A screenplay does not belong to the writer.
    const script = await seedWork(one, person, { feature: 'script' });
    expect((await person.get(`/api/write/${script.work}/export?format=md`)).status).toBe(404);
    expect((await person.get(`/tools/writer/${script.work}`)).status).toBe(404);
  });
});

describe('files of a text', () => {
  test('come in four formats with its name, and a PDF names what it cannot show', async () => {
    const person = await createPerson(one);
    const { work, versions } = await seedWork(one, person, {
      title: 'Über/Honig "now"',
      texts: ['# Old', '# Über *Honig*\n\nκαλά [way](https://example.com/)'],
    });
    const get = (query: string) => person.get(`/api/write/${work}/export?${query}`);
    const md = await get('format=md');
    expect(md.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%9Cber-Honig%20-now-.md");
    expect(await md.text()).toBe('# Über *Honig*\n\nκαλά [way](https://example.com/)\n');
    expect(await (await get('format=txt')).text()).toBe('Über Honig\n\nκαλά way (https://example.com/)\n');
    expect(await (await get(`format=md&version=${versions[0]}`)).text()).toBe('# Old\n');
    expect((await (await get('format=docx')).bytes()).subarray(0, 2)).toEqual(new Uint8Array([80, 75]));
    expect(Buffer.from((await (await get('format=pdf')).bytes()).subarray(0, 5)).toString()).toBe('%PDF-');
    expect((await get('format=exe')).status).toBe(400);
    expect((await get('format=md&version=nothing')).status).toBe(404);
    const korean = await seedWork(one, person, { texts: ['한국'] });
    const refused = await person.get(`/api/write/${korean.work}/export?format=pdf`);
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { error: string }).error).toMatch(
      /can’t show these characters: 한 국.*docx/,
    );
  });

  test.runIf(soak)('contain the fonts of their languages as a PDF', async () => {
    const person = await createPerson(one);
    const { work } = await seedWork(one, person, { texts: ['# 漢字\n\n**粗体** كلمة हिन्दी'] });
    const file = await person.get(`/api/write/${work}/export?format=pdf`);
    expect(Buffer.from(await file.bytes()).toString('latin1')).toMatch(/NotoSansSC[\s\S]*%%EOF/);
  });

  test.runIf(soak).each([
    ['writer', 'write', 'Some words.'],
    ['script', 'scripts', 'INT. A - DAY\n\nSome words.'],
  ] as const)(
    'use the paper size of the browser’s region, or the requested one: %s',
    async (feature, path, text) => {
      const person = await createPerson(one);
      const { work } = await seedWork(one, person, { feature, texts: [text] });
      const sizes = async (query: string, language?: string) => {
        const headers = language ? { 'accept-language': language } : undefined;
        const file = await person.get(`/api/${path}/${work}/export?format=pdf${query}`, headers);
        const boxes = Buffer.from(await file.bytes())
          .toString('latin1')
          .matchAll(/MediaBox \[0 0 ([\d.]+ [\d.]+)\]/g);
        return [...new Set([...boxes].map(([, size]) => size))];
      };
      const [a4, usLetter] = [['595.28 841.89'], ['612 792']];
      expect(await sizes('', 'en-US,en;q=0.9')).toEqual(usLetter);
      expect(await sizes('', 'de-DE,en-US;q=0.5')).toEqual(a4);
      expect(await sizes('', 'en-GB')).toEqual(a4);
      expect(await sizes('')).toEqual(a4);
      expect(await sizes('&paper=a4', 'en-US')).toEqual(a4);
      expect(await sizes('&paper=letter', 'ja')).toEqual(usLetter);
      // Unknown values are ignored.
      expect(await sizes('&paper=foolscap', 'en-US')).toEqual(usLetter);
    },
  );

  test('are counted per hour, with those of scripts and chats; rejected requests are not', async () => {
    const person = await createPerson(one);
    const { work } = await seedWork(one, person, { texts: ['One.'] });
    const script = await seedWork(one, person, { feature: 'script', texts: ['INT. A - DAY'] });
    const chat = (await (await person.send('POST', '/api/chats', {})).json()) as { id: string };
    const paths = [`write/${work}`, `scripts/${script.work}`, `chats/${chat.id}`];
    const get = (path: string, format: string) => person.get(`/api/${path}/export?format=${format}`);
    const key = `download:${person.id}`;
    for (const path of paths) {
      expect((await get(path, 'md')).status).toBe(200);
      const refused = await get(path, 'exe');
      expect(refused.status).toBe(400);
      expect(((await refused.json()) as { error: string }).error).toMatch(/^The format must be .*\bor\b/);
    }
    const { rows } = await one.database.query('select count from rate_limits where key = $1', [key]);
    expect(rows).toEqual([{ count: 3 }]);
    await one.database.query('update rate_limits set count = 120 where key = $1', [key]);
    for (const path of paths) {
      const full = await get(path, 'md');
      expect(full.status).toBe(429);
      expect(await full.json()).toMatchObject({
        error: 'You’ve downloaded a lot of files in the last hour. Try again later.',
      });
    }
  });
});

describe('a file that takes long to create', () => {
  const heavy = Array.from({ length: sampled(3_000, 7_000) }, (_, at) => `w${at}`).join(' ');

  test('is created one at a time per person, and pages are served meanwhile', async () => {
    const person = await createPerson(one);
    const { work } = await seedWork(one, person, { texts: [heavy] });
    const get = () => person.get(`/api/write/${work}/export?format=pdf`);
    let finished = false;
    const both = Promise.all([get(), get()]).finally(() => {
      finished = true;
    });
    let pages = 0;
    // If the file were made in this process, it would answer at most one of these requests.
    while (!finished) {
      expect((await client(one).get('/healthz')).status).toBe(200);
      if (!finished) pages++;
    }
    expect(pages).toBeGreaterThan(8);
    const answers = await both;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('5');
    expect((await person.get(`/api/write/${work}/export?format=txt`)).status).toBe(200);
  });

  test('contains every word, after raw HTML and nine hundred paragraphs too', async () => {
    const person = await createPerson(one);
    const parts = Array.from({ length: 900 }, (_, at) => `Paragraph ${at}.`);
    const text = ['<div>\nkept\n</div>', ...parts, '# The *end*'].join('\n\n');
    const { work } = await seedWork(one, person, { texts: [text] });
    const file = await (await person.get(`/api/write/${work}/export?format=docx`)).bytes();
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(file) });
    expect(value).toContain('<br />kept<br />');
    expect(value.match(/<p>Paragraph \d+\.<\/p>/g)).toHaveLength(900);
    expect(value).toContain('<h1>The <em>end</em></h1>');
  });
});

describe('kill -9', () => {
  test.runIf(soak)(
    'in the middle of a text, of its correction and of an edit refunds everything once',
    async () => {
      const word = uniqueWord();
      const people = await Promise.all(Array.from({ length: 3 }, () => createPerson(one)));
      const [writer, corrector, editor] = people as [Person, Person, Person];
      const started = [
        await begin(writer, short(word, '[[mode:hold]] [[holdAfter:40]] [[first:0]] [[tps:0]]')),
        await begin(
          corrector,
          short(word, '[[words:600,400]] [[mode:ok,hold]] [[holdAfter:20]] [[first:0]] [[tps:0]]'),
        ),
      ];
      const { work, ask } = await seeded(editor, `${word} [[mode:hold]] One. Two. Three.`);
      started.push(await edit(editor, work, ask));
      // Both runs have text in the run log; up to half a second of text before a crash may be lost.
      await eventually(async () => {
        const { rows } = await one.database.query<{ text: string }>(
          `select string_agg(text, '' order by seq_from) as text from generation_chunks
          where generation_id = any($1) group by generation_id order by min(generation_id::text)`,
          [started.slice(0, 2).map(({ body }) => body.generation.id)],
        );
        return rows.length === 2 && rows.some(({ text }) => /\f.+/.test(text));
      });
      await one.kill();
      for (const [index, { body }] of started.entries()) {
        const person = personAt(two, people[index]!);
        const view = await eventually(async () => {
          const now = (await (await person.get(`/api/generations/${body.generation.id}`)).json()) as {
            state: string;
          };
          return now.state === 'interrupted' && now;
        });
        expect(view).toMatchObject({ creditsCharged: 0, error: { code: 'interrupted' } });
        expect(await person.credits()).toBe(10);
      }
      // An interrupted correction is dropped and the draft stays.
      const { version } = await openWork(personAt(two, corrector), started[1]!.body.work.id);
      expect(version).toMatchObject({ state: 'interrupted', creditsCharged: 0 });
      expect(version.content).not.toContain('\f');
      expect(version.words).toBeGreaterThan(550);
      const again = await write(personAt(two, writer), {
        ...short(uniqueWord()),
        workId: started[0]!.body.work.id,
      });
      expect(again.body).toMatchObject({ creditsUsed: 1, work: { id: started[0]!.body.work.id } });
      await expectConsistent(two);
    },
  );
});
