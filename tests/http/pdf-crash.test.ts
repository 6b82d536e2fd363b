import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { DocumentView } from '#features/pdfs/contract.ts';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { waitForEnd } from '../support/chat.ts';
import { audit } from '../support/consistency.ts';
import { sentence } from '../support/documents.ts';
import { control, release } from '../support/gateway.ts';
import { pdfWith } from '../support/pdf.ts';
import { createPerson, personAt } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

let standIns: RunningStandIns;
let first: TestServer;
let second: TestServer | undefined;
const start = (databaseUrl?: string, dataDir?: string) =>
  startTestServer({ postgres: inject('postgres'), databaseUrl, dataDir, standins: standIns.base });

beforeAll(async () => {
  standIns = await spawnStandIns();
  first = await start();
  await control(first, { tokensPerSecond: 0, firstTokenMs: 0 });
});
afterAll(async () => {
  await second?.stop();
  await first.stop();
  await standIns.remove();
});

it.runIf(soak)(
  'a server that is killed during an analysis leaves it refunded, and it can be run again',
  async () => {
    const person = await createPerson(first, { plan: 'pro' });
    const word = `held${randomUUID().slice(0, 8)}`;
    const pages = Array.from({ length: 80 }, (_, n) =>
      Array.from({ length: 8 }, (__, k) => sentence(n * 8 + k)).join(' '),
    );
    // The gateway answers the first part and holds the last one.
    pages.push(`[[mode:hold]] ${word} ${sentence(900)}`);
    const added = await fetch(`${first.url}/api/documents?name=a.pdf`, {
      method: 'POST',
      headers: { cookie: person.cookie, origin: first.url },
      body: new Uint8Array(await pdfWith(pages)),
    });
    const { id } = (await added.json()) as DocumentView;
    const path = `/api/documents/${id}/analysis`;
    const key = randomUUID();
    const started = await person.send('POST', path, undefined, { 'idempotency-key': key });
    const { generation } = (await started.json()) as { generation: { id: string } };
    const open = async (reader = person) =>
      (await (await reader.get(`/api/documents/${id}`)).json()) as DocumentView;
    await eventually(async () => ((await open()).analysis?.findings?.pagesUsed ?? 0) > 0, 60_000);
    await first.kill();

    second = await start(first.databaseUrl, first.dataDir);
    const remote = personAt(second, person);
    const end = await waitForEnd(remote, generation.id);
    expect(end).toMatchObject({ state: 'interrupted', creditsCharged: 0 });
    expect((await open(remote)).analysis).toMatchObject({ state: 'interrupted' });
    expect((await open(remote)).analysis?.findings).toBeNull();
    // The same idempotency key still returns the old run; a new key starts a new one.
    const same = await remote.send('POST', path, undefined, { 'idempotency-key': key });
    expect(((await same.json()) as { generation: { id: string } }).generation.id).toBe(generation.id);
    const again = await remote.send('POST', path, undefined, { 'idempotency-key': randomUUID() });
    const newRun = ((await again.json()) as { generation: { id: string } }).generation.id;
    await release(second, word);
    expect(await waitForEnd(remote, newRun)).toMatchObject({ state: 'done' });
    expect((await open(remote)).analysis?.findings?.pagesUsed).toBe(81);
    expect(await audit(second)).toEqual([]);
  },
);
