import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { DocumentView } from '#features/pdfs/contract.ts';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { uniqueWord, waitForEnd, waitForText } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { readExposition } from '../support/exposition.ts';
import { release } from '../support/gateway.ts';
import { bytesOf, quick, requestImages, waitForJob } from '../support/images.ts';
import { mailTo } from '../support/mailbox.ts';
import { pdfWith } from '../support/pdf.ts';
import { createPerson, personAt } from '../support/people.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';
import { newAddress, visitor } from '../support/visitor.ts';

let standIns: RunningStandIns;
/** Serves requests and runs no background jobs. */
let web: TestServer;
let worker: TestServer;
const environment = { TRUSTED_PROXIES: '127.0.0.1' };
let shared: { postgres: string; standins: string; smtp: string };
beforeAll(async () => {
  standIns = await spawnStandIns();
  shared = {
    postgres: inject('postgres'),
    standins: standIns.base,
    smtp: `smtp://127.0.0.1:${standIns.smtpPort}`,
  };
  web = await startTestServer({ ...shared, env: { ...environment, JOBS: 'false' } });
});
afterAll(async () => {
  await worker?.stop();
  await web.stop();
  await standIns.remove();
});

/** Returns how many job runs a process has completed. */
async function jobsOf(server: TestServer): Promise<number> {
  const series = readExposition(await (await fetch(`${server.url}/metrics`)).text());
  return series
    .filter(({ name, labels }) => name === 'site_job_runs_total' && labels.outcome === 'completed')
    .reduce((sum, { value }) => sum + value, 0);
}

it.runIf(soak)(
  'a web process is announced at the start, and refused where no other process could run the jobs',
  async () => {
    expect(web.output()).toContain(
      'This process runs no background jobs (JOBS=false). Another process must run them.',
    );
    const alone = { databaseUrl: '', dataDir: web.dataDir };
    const { code, output } = await runEntry('main', alone, [], { JOBS: 'false' });
    expect([code, output]).toEqual([
      1,
      'JOBS: false requires DATABASE_URL, so that another process can run the jobs.\n',
    ]);
  },
);

it('it leaves jobs to the process that runs them', async () => {
  const visit = visitor(web);
  const addresses = Array.from({ length: 5 }, newAddress);
  for (const email of addresses) expect((await visit.ask(email)).status).toBe(200);
  const { rows } = await web.database.query<{ waiting: number }>(
    `select count(*)::int as waiting from jobs.job where state = 'created' and name not like '\\_%'`,
  );
  expect(rows[0]?.waiting).toBe(addresses.length);
  const { databaseUrl, dataDir } = web;
  worker = await startTestServer({ ...shared, databaseUrl, dataDir, env: environment });
  for (const email of addresses) await mailTo(web, email);
  await eventually(async () => (await jobsOf(worker)) >= addresses.length);
  // Once a worker runs, a new mail is sent at once.
  const later = newAddress();
  await visit.ask(later);
  await mailTo(web, later);
  expect(await jobsOf(web)).toBe(0);
});

it.runIf(soak)('it shows live, and stores, what the worker makes of a document and of a prompt', async () => {
  const person = await createPerson(web, { plan: 'pro' });
  const remote = personAt(worker, person);
  const word = uniqueWord();
  const text = `${'The keeper of the bridge counts every cart that passes. '.repeat(8)} [[mode:hold]] ${word}`;
  const added = await fetch(`${worker.url}/api/documents?name=a.pdf`, {
    method: 'POST',
    headers: { cookie: person.cookie, origin: worker.url },
    body: new Uint8Array(await pdfWith([text])),
  });
  const { id } = (await added.json()) as DocumentView;
  const started = await remote.send('POST', `/api/documents/${id}/analysis`, undefined, {
    'idempotency-key': randomUUID(),
  });
  const { generation } = (await started.json()) as { generation: { id: string } };
  // Reads progress from a process that does not run the work.
  await waitForText(person, generation.id);
  await release(web, word);
  expect(await waitForEnd(person, generation.id)).toMatchObject({ state: 'done' });
  expect((await person.get(`/api/documents/${id}/file`)).status).toBe(200);
  const { body } = await requestImages(remote, {
    prompt: `${uniqueWord()} ${quick}`,
    size: '512x512',
    count: 1,
  });
  const job = await waitForJob(person, body.generation.id);
  const picture = job.pictures[0]?.id ?? '';
  expect(await bytesOf(person, picture)).toEqual(await bytesOf(remote, picture));
  const { rows: owners } = await web.database.query<{ owner: string }>(
    'select distinct owner from generations where user_id = $1',
    [person.id],
  );
  expect(owners).toEqual([{ owner: expect.stringMatching(`^${worker.process.pid}-`) }]);
});

it('every invariant holds', () => expectConsistent(worker));
