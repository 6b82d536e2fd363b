import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { creditTexts } from '#features/credits/contract.ts';
import { applyProposal, type RewriteRequest } from '#features/script/contract.ts';
import { extractScreenplay } from '#shared/fountain/extract-screenplay.ts';
import { parseFountain } from '#shared/fountain/parse-fountain.ts';
import { scenesOf } from '#shared/fountain/scenes.ts';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import {
  follow,
  gatewayLog,
  noDelay,
  readEvents,
  stop,
  textOf,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { raw, release } from '../support/gateway.ts';
import { client, createPerson, type Person, personAt } from '../support/people.ts';
import { openScript, rewrite, writeScript } from '../support/scripts.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

const SCENE = 'Mara repairs a clock that runs with the tide. Her brother Jon says that the sea is gone.';

let server: TestServer;
let pro: Person;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { RUNNING_AT_ONCE: '1000' } });
  pro = await createPerson(server, { plan: 'pro', credits: 7 });
});
afterAll(() => server.stop());

async function writeAndOpen(person: Person, scene: string, more: Record<string, unknown> = {}) {
  const sent = await writeScript(person, scene, more);
  expect(sent.status).toBe(202);
  const run = await waitForEnd(person, sent.body.generation.id);
  return { ...sent.body, run, view: await openScript(person, sent.body.work.id) };
}

describe('a script', () => {
  it('is a screenplay made from the scene, its characters and its length, stored with its title', async () => {
    const { run, view } = await writeAndOpen(pro, `${SCENE} ${noDelay}`, {
      minutes: 3,
      characters: 'Mara, 60; Jon',
      style: 'thriller',
    });
    expect(run).toMatchObject({ state: 'done', creditsCharged: 0, feature: 'script', finishReason: 'stop' });
    const { title, blocks } = parseFountain(view.version.content);
    expect(view.version.content).toBe(extractScreenplay(run.text));
    expect(view.title).toBe(title.find(({ key }) => key === 'Title')?.values[0]);
    expect(scenesOf(view.version.content)).toHaveLength(3);
    const names = new Set(blocks.flatMap((block) => (block.type === 'dialogue' ? [block.character] : [])));
    expect([...names].sort()).toEqual(['JON', 'MARA']);
    expect(view.version.settings).toMatchObject({
      style: 'thriller',
      minutes: 3,
      characters: 'Mara, 60; Jon',
    });
    expect(view.version.note).toBeNull();
  });

  it('streams, and a late reader gets the same text', async () => {
    const response = await pro.send(
      'POST',
      '/api/scripts',
      { scene: `${uniqueWord()} ${SCENE} [[tps:400]] [[first:0]]`, style: 'comedy' },
      { 'idempotency-key': randomUUID(), accept: 'text/event-stream' },
    );
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = await readEvents(response);
    const [first] = events;
    const generation = first?.data.generation as { id: string };
    expect(first?.event).toBe('started');
    expect(events.filter(({ event }) => event === 'delta').length).toBeGreaterThan(3);
    const late = await follow(pro, generation.id);
    expect(textOf(late)).toBe(textOf(events));
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { state: 'done' } });
  });

  it('continues where the gateway stopped at its limit', async () => {
    const word = uniqueWord();
    const long = await writeAndOpen(
      pro,
      `${word} ${raw('INT. A - DAY\n\nBOB\nHi.\n\nHe waits.\n\n')} [[times:800]] ${noDelay}`,
      { minutes: 1 },
    );
    const { rows } = await server.database.query<{ purpose: string; outcome: string }>(
      'select purpose, outcome from gateway_calls where generation_id = $1 order by started_at',
      [long.generation.id],
    );
    expect(rows.map(({ purpose }) => purpose)).toEqual(['script', ...Array(3).fill('script-continue')]);
    expect(long.run.finishReason).toBe('length');
    const scenes = scenesOf(long.view.version.content).length;
    expect(scenes).toBeGreaterThan(100);
    expect(
      long.view.version.content.startsWith('INT. A - DAY\n\nBOB\nHi.\n\nHe waits.\n\n'.repeat(scenes - 1)),
    ).toBe(true);
  });

  it.runIf(soak)(
    'is requested again once when the answer is not a script, and the first answer does not count',
    async () => {
      const { run, generation, view } = await writeAndOpen(
        pro,
        `${SCENE} [[answer:lorem]] [[tokens:40]] ${noDelay}`,
      );
      expect(run.state).toBe('done');
      expect(run.text.split('\f')).toHaveLength(2);
      expect(view.version.content).not.toContain('w0001');
      expect(scenesOf(view.version.content).length).toBeGreaterThan(1);
      const { rows } = await server.database.query<{ purpose: string }>(
        'select purpose from gateway_calls where generation_id = $1 order by started_at',
        [generation.id],
      );
      expect(rows.map(({ purpose }) => purpose)).toEqual(['script', 'script-correct']);
    },
  );

  it('is extracted from code fences and remarks', async () => {
    const answer =
      'Sure! Here is your screenplay:\n\n```fountain\n**INT. BARN - DAY**\nHay.\n\nBOB\nHello.\n```\n\nI hope you like it!';
    const { view } = await writeAndOpen(pro, `${SCENE} ${raw(answer)} ${noDelay}`);
    expect(view.version.content).toBe('INT. BARN - DAY\n\nHay.\n\nBOB\nHello.\n');
  });

  it('gets another version, which leaves earlier ones unchanged', async () => {
    const first = await writeAndOpen(pro, `${SCENE} ${noDelay}`);
    const second = await writeAndOpen(pro, `The lighthouse is dark. ${noDelay}`, {
      workId: first.work.id,
      style: 'action',
    });
    expect(second.work.id).toBe(first.work.id);
    expect(second.view.versions.map(({ id }) => id)).toEqual([second.version.id, first.version.id]);
    const before = await openScript(pro, first.work.id, `?version=${first.version.id}`);
    expect(before.version.content).toBe(first.view.version.content);
  });
});

describe('requirements', () => {
  it('are enforced with the texts of the specification', async () => {
    expect(await writeScript(client(server), SCENE)).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
    for (const scene of ['', '  \n '])
      expect(await writeScript(pro, scene)).toMatchObject({
        status: 400,
        body: { error: 'Please enter a script scene.' },
      });
    for (const style of [undefined, '', 'noir'])
      expect(await writeScript(pro, SCENE, { style })).toMatchObject({
        status: 400,
        body: { error: 'Please select a script style.' },
      });
    for (const more of [{ minutes: 0 }, { minutes: 16 }, { minutes: 1.5 }, { characters: 'x'.repeat(601) }])
      expect((await writeScript(pro, SCENE, more)).status).toBe(400);
    const free = await createPerson(server, { credits: 10 });
    expect(await writeScript(free, SCENE)).toMatchObject({
      status: 403,
      body: { code: 'plan_required', error: creditTexts.planRequired() },
    });
    expect(await free.credits()).toBe(10);
    expect((await writeScript(pro, SCENE, {}, 'short')).status).toBe(400);
  });

  it('for price, model and limits come from the tool’s table, whatever a body says', async () => {
    const word = uniqueWord();
    const more = {
      cost: 0,
      credits: 999,
      plan: 'pro',
      user_id: pro.id,
      role: 'admin',
      model: 'x/y',
      temperature: 99,
      max_tokens: 1e9,
    };
    const free = await createPerson(server);
    expect((await writeScript(free, `${word} ${noDelay}`, more)).status).toBe(403);
    const sent = await writeScript(pro, `${word} ${noDelay}`, more);
    await waitForEnd(pro, sent.body.generation.id);
    const [call] = (await gatewayLog(server, word)) as unknown as Array<{
      model: string;
      detail: { maxTokens: number };
    }>;
    expect(call?.model).not.toBe('x/y');
    expect(call?.detail.maxTokens).toBeLessThanOrEqual(4_000);
  });

  it('allow one run per key, and refuse another body under it', async () => {
    const word = uniqueWord();
    const key = randomUUID();
    const scene = `${word} ${SCENE} [[mode:hold]]`;
    const sent = await Promise.all(Array.from({ length: 20 }, () => writeScript(pro, scene, {}, key)));
    expect(new Set(sent.map(({ body }) => body.generation?.id)).size).toBe(1);
    expect(new Set(sent.map(({ body }) => body.version?.id)).size).toBe(1);
    expect(await writeScript(pro, `${scene} more`, {}, key)).toMatchObject({
      status: 422,
      body: { code: 'key_reused' },
    });
    await release(server, word);
    await waitForEnd(pro, sent[0]?.body.generation.id ?? '');
    const again = await writeScript(pro, scene, {}, key);
    expect(again).toMatchObject({ status: 202, body: { work: sent[0]?.body.work } });
    expect(await gatewayLog(server, word)).toHaveLength(1);
  });

  it('show a script to nobody else', async () => {
    const { work, version, generation } = await writeAndOpen(pro, `${SCENE} ${noDelay}`);
    const otherPerson = await createPerson(server, { plan: 'pro' });
    const ask = { versionId: version.id, scene: 0, instruction: 'mine' };
    expect((await otherPerson.get(`/api/scripts/${work.id}/export`)).status).toBe(404);
    expect((await rewrite(otherPerson, work.id, ask)).status).toBe(404);
    expect((await writeScript(otherPerson, SCENE, { workId: work.id })).status).toBe(404);
    expect((await otherPerson.get(`/api/generations/${generation.id}`)).status).toBe(404);
    expect((await otherPerson.get(`/tools/script/${work.id}`)).status).toBe(404);
    expect((await client(server).get(`/tools/script/${work.id}`)).headers.get('location')).toContain(
      '/sign-in?next=',
    );
    expect((await rewrite(client(server), work.id, ask)).status).toBe(401);
  });
});

describe('a gateway that fails', () => {
  it.each(['500', '429', 'eof', 'empty', 'html'])(
    'with %s fails the script with an explanation, and the next one works',
    async (mode) => {
      const { run, view } = await writeAndOpen(pro, `${SCENE} [[mode:${mode}]] ${noDelay}`);
      expect(run).toMatchObject({ state: 'failed', creditsCharged: 0 });
      expect(view.version.error).toBe('Sorry, I encountered an error. Please try again.');
    },
  );

  it.each([
    ['403', 'moderation', /declined this request/],
    ['400', 'context_length', /too long for the model/],
    ['404', 'http_error', /trying again won’t help yet/],
  ])('that refuses with %s is explained', async (mode, kind, words) => {
    const { run, view } = await writeAndOpen(pro, `${SCENE} [[mode:${mode}]] ${noDelay}`);
    expect(run).toMatchObject({ state: 'failed', creditsCharged: 0 });
    expect(view.version.error).toMatch(words);
    const lines = server.output().split('\n');
    const line = lines.find((each) => each.includes(run.id) && each.includes(`"kind":"${kind}"`));
    expect(line).toContain(mode === '404' ? 'the gateway failed' : 'the gateway rejected a request');
  });

  it('with a lost piece leaves the script, marked as incomplete', async () => {
    const { run, view } = await writeAndOpen(pro, `${SCENE} [[mode:badjson]] ${noDelay}`);
    expect(run).toMatchObject({ state: 'done', finishReason: 'incomplete' });
    expect(view.version).toMatchObject({ finishReason: 'incomplete', error: null });
  });

  it('is cut at the length limit of a text', async () => {
    const { run } = await writeAndOpen(pro, `${SCENE} [[mode:endless]] [[tps:0]] [[first:0]]`);
    expect(run.state).toMatch(/done|failed/);
    expect(run.text.length).toBeLessThan(420_000);
  });

  it('Stop keeps what has arrived, even if that is nothing', async () => {
    const word = uniqueWord();
    const blocked = await writeScript(pro, `${word} ${SCENE} [[mode:hold]]`);
    await eventually(async () => (await gatewayLog(server, word)).length === 1);
    await stop(pro, blocked.body.generation.id);
    expect(await waitForEnd(pro, blocked.body.generation.id)).toMatchObject({ state: 'stopped', text: '' });
    const slow = await writeScript(pro, `${uniqueWord()} ${SCENE} [[tps:60]] [[first:0]]`);
    await waitForText(pro, slow.body.generation.id, 60);
    await stop(pro, slow.body.generation.id);
    const run = await waitForEnd(pro, slow.body.generation.id);
    expect(run.state).toBe('stopped');
    const { version } = await openScript(pro, slow.body.work.id);
    expect(version.content).toBe(extractScreenplay(run.text));
    expect(version.content.length).toBeGreaterThan(10);
  });
});

describe('a part of a script', () => {
  it('is proposed anew, and only that part is replaced', async () => {
    const { work, version, view } = await writeAndOpen(pro, `${SCENE} ${noDelay}`);
    const scenes = scenesOf(view.version.content);
    const sent = await rewrite(pro, work.id, {
      versionId: version.id,
      scene: 1,
      instruction: `Jon lies ${noDelay}`,
    });
    expect(sent.status).toBe(202);
    await waitForEnd(pro, sent.body.generation.id);
    const open = await openScript(pro, work.id);
    const request = open.proposal?.request as unknown as RewriteRequest;
    expect(request).toMatchObject({ scene: 1, block: null, heading: scenes[1]?.heading });
    expect(request.before).toBe(view.version.content.slice(scenes[1]?.from, scenes[1]?.to));
    expect(open.proposal?.content).toContain('Jon lies');
    const content = applyProposal(view.version.content, request, open.proposal?.content ?? '') ?? '';
    const accepted = await pro.send('POST', `/api/works/${work.id}/proposals/${open.proposal?.id}`, {
      decision: 'accepted',
      content,
    });
    expect(accepted.status).toBe(200);
    const after = await openScript(pro, work.id);
    expect(after.version).toMatchObject({ kind: 'refined', content });
    expect(after.proposal).toBeNull();
    expect(content.slice(0, scenes[1]?.from)).toBe(view.version.content.slice(0, scenes[1]?.from));
    expect(scenesOf(content)).toHaveLength(scenes.length);
  });

  it('can be one passage, and a missing one is reported', async () => {
    const { work, version, view } = await writeAndOpen(pro, `${SCENE} ${noDelay}`);
    const { blocks } = parseFountain(view.version.content);
    const block = blocks.findIndex(({ type }) => type === 'dialogue');
    const ask = { versionId: version.id, scene: 0, block, instruction: `Longer ${noDelay}` };
    const sent = await rewrite(pro, work.id, ask);
    await waitForEnd(pro, sent.body.generation.id);
    const { proposal } = await openScript(pro, work.id);
    expect(parseFountain(proposal?.content ?? '').blocks.map(({ type }) => type)).toEqual(['dialogue']);
    expect((await rewrite(pro, work.id, { ...ask, scene: 99 })).status).toBe(404);
    expect((await rewrite(pro, work.id, { ...ask, block: blocks.length + 5 })).status).toBe(404);
    expect((await rewrite(pro, work.id, { ...ask, scene: 1 })).status).toBe(404);
    expect(await rewrite(pro, work.id, { ...ask, instruction: ' ' })).toMatchObject({ status: 400 });
    expect((await rewrite(pro, randomUUID(), ask)).status).toBe(404);
  });
});

describe('a script as a file', () => {
  it('comes in five formats, with a title page and a safe name', async () => {
    const { work } = await writeAndOpen(
      pro,
      `${SCENE} ${raw('Title: A "quoted"/name\n\nINT. A - DAY\n\nBOB\nHi — héllo.\n')} ${noDelay}`,
    );
    const files = { fountain: 'Title: A', fdx: '<?xml', pdf: '%PDF-', txt: 'Title: A', md: '# A' };
    for (const [format, start] of Object.entries(files)) {
      const response = await pro.get(`/api/scripts/${work.id}/export?format=${format}`);
      expect(response.status, format).toBe(200);
      expect(response.headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; filename="A [^"/]*\\.${format}"`),
      );
      expect((await response.text()).startsWith(start), format).toBe(true);
    }
    const text = await (await pro.get(`/api/scripts/${work.id}/export`)).text();
    expect(text).toMatch(
      /^Title: .*\nCredit: Written by\nAuthor: Test Person\nDraft date: \d{4}-\d\d-\d\d\n\nINT\. A - DAY\n/,
    );
    const exportedAs = async (author: string) => {
      const answer = await pro.send('PATCH', `/api/works/${work.id}`, { author });
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { id: work.id, author: author.trim() },
      ]);
      return (await pro.get(`/api/scripts/${work.id}/export`)).text();
    };
    expect(await exportedAs(' Mara Quill ')).toMatch(/\nCredit: Written by\nAuthor: Mara Quill\n/);
    expect(await exportedAs('')).not.toMatch(/Author|Credit|Test Person/);
    expect((await openScript(pro, work.id)).author).toBe('');
    const otherPerson = await createPerson(server);
    expect((await otherPerson.send('PATCH', `/api/works/${work.id}`, { author: 'x' })).status).toBe(404);
    for (const format of ['docx', '__proto__', 'constructor']) {
      expect((await pro.get(`/api/scripts/${work.id}/export?format=${format}`)).status).toBe(400);
      expect((await otherPerson.get(`/api/scripts/${work.id}/export?format=${format}`)).status).toBe(404);
    }
  });
});

describe('kill -9 in the middle of a script', () => {
  it.runIf(soak)('leaves it interrupted, with the text so far and without a charge', async () => {
    const standIns: RunningStandIns = await spawnStandIns();
    const postgres = inject('postgres');
    const first = await startTestServer({ postgres, standins: standIns.base });
    const person = await createPerson(first, { plan: 'pro' });
    const sent = await writeScript(person, `${uniqueWord()} ${SCENE} [[tps:60]] [[first:0]]`, { minutes: 5 });
    await waitForText(person, sent.body.generation.id, 200);
    await first.kill();
    const second = await startTestServer({
      postgres,
      standins: standIns.base,
      databaseUrl: first.databaseUrl,
      dataDir: first.dataDir,
    });
    const remote = personAt(second, person);
    const run = await waitForEnd(remote, sent.body.generation.id);
    expect(run).toMatchObject({ state: 'interrupted', creditsCharged: 0 });
    const { version } = await openScript(remote, sent.body.work.id);
    expect(version.content).toBe(extractScreenplay(run.text));
    const again = await writeScript(remote, `${SCENE} ${noDelay}`, { workId: sent.body.work.id });
    expect(await waitForEnd(remote, again.body.generation.id)).toMatchObject({ state: 'done' });
    await expectConsistent(second);
    await second.stop();
    await first.stop();
    await standIns.remove();
  });
});

it('every invariant holds', () => expectConsistent(server));
