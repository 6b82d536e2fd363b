import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { contents, emptyDatabase, fileSums, newFolder, type SiteData, withPool } from '../support/backups.ts';
import { openChat, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { pdfFile, pngFile } from '../support/picked-files.ts';
import { startS3 } from '../support/s3-server.ts';
import { runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

let dataDir: string;
let photo: Buffer;
let person: Person;
let chatId: string;
let fileId: string;
/** Embedded until a test moves it. */
let place: SiteData;
beforeAll(async () => {
  dataDir = newFolder();
  place = { databaseUrl: '', dataDir };
  photo = (await pngFile()).buffer;
  await withSite({}, async (site) => {
    person = await createPerson(site, { credits: 100, plan: 'pro' });
    const sent = await send(person, `${uniqueWord()} [[tps:0]]`);
    chatId = sent.chatId;
    await waitForEnd(person, sent.body.generation.id);
    const { body } = await upload(site, person, photo, { name: 'photo.png', type: 'image/png' });
    fileId = body.id;
    await waitUntilIdle(site);
  });
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs the site at its current place while `work` runs. */
async function withSite(
  env: Record<string, string>,
  work: (site: TestServer) => Promise<void>,
): Promise<void> {
  const site = await startTestServer({
    postgres: '',
    ...(place.databaseUrl ? { databaseUrl: place.databaseUrl } : { embedded: true }),
    dataDir,
    env,
  });
  try {
    await work(site);
  } finally {
    await site.stop();
  }
}

const move = (args: string[], env: Record<string, string> = {}) => runEntry('move', place, args, env);

/** Expects the person's data to be there, new messages to work, and the audit to find nothing. */
async function expectIntact(env: Record<string, string> = {}): Promise<void> {
  await withSite(env, async (site) => {
    const same = personAt(site, person);
    expect((await openChat(same, chatId)).messages.length).toBeGreaterThan(1);
    const file = await same.get(`/api/files/${fileId}`);
    expect([file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    const sent = await send(same, `${uniqueWord()} [[tps:0]]`, { chatId });
    expect(await waitForEnd(same, sent.body.generation.id)).toMatchObject({ state: 'done' });
    await expectConsistent(site);
  });
}

async function refusedStart(env: Record<string, string> = {}): Promise<string> {
  const { code, output } = await runEntry('main', place, [], env);
  // Log lines are JSON; on a busy machine they may include a closed connection.
  const messages = output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  expect([code, messages]).toEqual([1, [expect.any(String)]]);
  return messages[0] ?? '';
}

describe('the database', () => {
  it.runIf(soak)('is not moved while the site runs', async () => {
    await withSite({}, async () => {
      const { code, output } = await move(['database', await emptyDatabase(inject('postgres'))]);
      expect([code, output]).toEqual([1, expect.stringMatching(/^Another server is already using .*\.\n$/)]);
    });
  });

  it('is not moved into one that is in use, and both stay unchanged', async () => {
    const used = await emptyDatabase(inject('postgres'));
    await withPool(used, (pool) => pool.query('create table kept as select 7 as n'));
    const { code, output } = await move(['database', used]);
    expect([code, output]).toEqual([1, expect.stringMatching(/^The database already has tables/)]);
    expect(Object.keys(await withPool(used, (pool) => contents(pool)))).toEqual(['kept']);
  });

  it('moves from the embedded PostgreSQL to another one without loss, and the old one is closed', async () => {
    const target = await emptyDatabase(inject('postgres'));
    const { code, output } = await move(['database', target]);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Moved and verified \d+ rows .* Next: set DATABASE_URL/),
    ]);
    expect(output).not.toContain(URL.parse(target)?.password || 'no password');
    expect(await refusedStart()).toMatch(
      /^The site was moved from this database to .* on \S+\. Set DATABASE_URL/,
    );
    place = { databaseUrl: target, dataDir };
    await expectIntact();
  });

  it.runIf(soak)('is marked as moved by the same command, if the first one ended before that', async () => {
    const target = await emptyDatabase(inject('postgres'));
    expect((await move(['database', target])).code).toBe(0);
    // As after a kill between the commit in the target and the mark on the source.
    expect((await move(['undo'])).code).toBe(0);
    const { code, output } = await move(['database', target]);
    expect([code, output]).toEqual([0, expect.stringMatching(/^Moved and verified \d{2,} rows/)]);
    expect(await refusedStart()).toMatch(/^The site was moved from this database/);
    expect((await move(['undo'])).code).toBe(0);
    expect((await move(['database', place.databaseUrl])).output).toMatch(/or it is the one to be moved/);
    await withPool(target, (pool) => pool.query(`update users set name = 'Changed since'`));
    expect((await move(['database', target])).output).toMatch(/^The database already has tables/);
    await expectIntact();
  });

  it.runIf(soak)('is not moved back while a process holds its lease', async () => {
    await withSite({}, async () => {
      const { code, output } = await move(['database', await emptyDatabase(inject('postgres'))]);
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^The site is running\. Stop all of its processes first/),
      ]);
    });
  });

  it.runIf(soak)('moves back to the embedded PostgreSQL, whose older copy is kept', async () => {
    const before = await withPool(place.databaseUrl, (pool) => contents(pool));
    const { code, output } = await move(['database', 'embedded']);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/is kept in .*\.moved-\d{8}T\d{6}\. .*unset DATABASE_URL/s),
    ]);
    expect(await refusedStart()).toMatch(/to the embedded one on \S+\. Unset DATABASE_URL/);
    const formerUrl = place.databaseUrl;
    place = { databaseUrl: '', dataDir };
    await withSite({}, async (site) => {
      const after = await contents(site.database);
      // The start of the site has changed other tables meanwhile.
      for (const table of ['users', 'chat_messages', 'credit_ledger', 'generations', 'attachments'])
        expect(after[table], table).toBe(before[table]);
    });
    await expectIntact();
    expect((await runEntry('move', { databaseUrl: formerUrl, dataDir }, ['undo'])).output).toBe(
      'The move was undone: you can use this database again.\n',
    );
  });
});

describe('the files', () => {
  it.runIf(soak)('move to a bucket and back, skipping what an earlier run has copied', async () => {
    const s3 = await startS3('files');
    const bucket = { ...s3.env, FILES_BUCKET: 'files' };
    const sums = fileSums(dataDir);
    expect(Object.keys(sums).length).toBeGreaterThan(0);
    expect(await refusedStart(bucket)).toMatch(
      /^The files of this site are in DATA_DIR\. Move them with npm run move/,
    );
    const moved = await move(['files', 'files'], s3.env);
    expect([moved.code, moved.output]).toEqual([
      0,
      expect.stringMatching(
        /^Moved and verified (\d+) files .*, \1 of them copied now\. Next: set FILES_BUCKET=files/,
      ),
    ]);
    // The source keeps all files but can no longer be served.
    expect(fileSums(dataDir)).toEqual(sums);
    expect(await refusedStart()).toMatch(
      /^The files of this site are in the bucket .*\/files\. Set FILES_BUCKET/,
    );
    rmSync(join(dataDir, 'files'), { recursive: true });
    await withSite(bucket, async (site) => {
      const same = personAt(site, person);
      const file = await same.get(`/api/files/${fileId}`);
      expect(file.status).toBe(200);
      const { status, body } = await upload(site, same, photo, { name: 'new.png', type: 'image/png' });
      expect(status).toBe(201);
      expect((await same.get(`/api/files/${body.id}`)).status).toBe(200);
      const pdf = (await pdfFile()).buffer;
      const read = await upload(site, same, pdf, { name: 'report.pdf', type: 'application/pdf' });
      const bytes = await (await same.get(`/api/files/${read.body.id}`)).arrayBuffer();
      expect(Buffer.from(bytes).equals(pdf)).toBe(true);
      await expectConsistent(site);
    });
    const movedBack = await move(['files', 'folder'], bucket);
    expect([movedBack.code, movedBack.output]).toEqual([
      0,
      expect.stringMatching(/unset FILES_BUCKET, then run npm start/),
    ]);
    expect(fileSums(dataDir)).toMatchObject(sums);
    const again = await move(['files', 'files'], s3.env);
    expect(again.output).toMatch(/^Moved and verified \d+ files .*, 0 of them copied now\./);
    await move(['files', 'folder'], bucket);
    await expectIntact();
    await s3.stop();
  });

  it.runIf(soak)('stay in place when one of them cannot be copied', async () => {
    const s3 = await startS3();
    const { code, output } = await move(['files', 'missing-bucket'], s3.env);
    expect(code).toBe(1);
    expect(output.trim().split('\n').length).toBe(1);
    await s3.stop();
    await expectIntact();
  });
});

describe('a copy of DATA_DIR', () => {
  it.runIf(soak)('is refused in one line if the site and its database were running', async () => {
    const copy = newFolder();
    await withSite({}, async () => {
      cpSync(dataDir, copy, { recursive: true });
      const { code, output } = await runEntry('main', { databaseUrl: '', dataDir: copy });
      expect([code, output.trim()]).toEqual([
        1,
        `${copy} was copied from ${dataDir} while that site was running, so its database may be damaged. Use npm run backup and npm run restore instead, or stop that site with Ctrl+C and copy it again.`,
      ]);
    });
  });

  it.runIf(soak)(
    'is not accepted in place of the folder that another process of the database uses',
    async () => {
      const own = { databaseUrl: await emptyDatabase(inject('postgres')), dataDir: newFolder() };
      const first = await startTestServer({ postgres: '', ...own });
      const copy = newFolder();
      cpSync(own.dataDir, copy, { recursive: true });
      const { code, output } = await runEntry('main', { ...own, dataDir: copy });
      expect([code, output.trim()]).toEqual([
        1,
        expect.stringMatching(/^Another process serves this database with a different DATA_DIR\. /),
      ]);
      // A second process with the same folder is allowed.
      const second = await startTestServer({ postgres: '', ...own });
      for (const site of [second, first]) await site.stop();
    },
  );

  it.runIf(soak)('keeps its id when the folder itself was moved', async () => {
    const id = () => readFileSync(join(dataDir, 'id'), 'utf8');
    const targetFolder = newFolder();
    rmSync(targetFolder, { recursive: true });
    writeFileSync(join(dataDir, 'id'), 'known\n/nowhere/any/more\n');
    place = { databaseUrl: await emptyDatabase(inject('postgres')), dataDir };
    await withSite({}, async () => undefined);
    expect(id()).toBe(`known\n${dataDir}\n`);
  });
});
