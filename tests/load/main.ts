import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { operatorEnv } from '../support/admin.ts';
import { createPeople } from '../support/people.ts';
import { startTestPostgres } from '../support/postgres.ts';
import { startTestServer } from '../support/server.ts';
import { browserFigures } from './browser/main.ts';
import { coldStart } from './cold-start.ts';
import { debitsPerSecond } from './debits.ts';
import { growthFigures, requestFigures } from './growth.ts';
import { jobFigures } from './jobs.ts';
import { libraryFigures } from './library.ts';
import { lighthouseFigures } from './lighthouse.ts';
import { notifyFigures, readAcrossProcesses } from './notify.ts';
import { pagesPerSecond } from './pages.ts';
import { pdfFigures } from './pdf.ts';
import { bareTarget, firstToken, manyStreams, siteTarget, spreadStreams } from './streams.ts';
import { overheadByTool } from './tools.ts';
import { yearFigures } from './year.ts';

const parts = new Set(process.argv.slice(2));
const isSelected = (name: string) => parts.size === 0 || parts.has(name);
const printTable = (title: string, rows: object[]) => {
  process.stdout.write(`\n${title}\n`);
  console.table(rows);
};

// Avoids repeated checkpoints while ten million messages are inserted.
const settings = { max_wal_size: '8GB' };
const database = await startTestPostgres({
  durable: true,
  ...(parts.has('growth-ten') ? { settings } : {}),
});
const server = await startTestServer({
  postgres: database.url,
  env: { LOG_LEVEL: 'warn', RUNNING_AT_ONCE: '1000', ...operatorEnv },
});
const bareProcess = spawn(
  process.execPath,
  [resolve(import.meta.dirname, 'bare-server.ts'), `${server.standins}/gateway/v1`],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
const [line] = (await once(bareProcess.stdout, 'data')) as [Buffer];
const bareUrl = (JSON.parse(line.toString()) as { url: string }).url;

try {
  process.stdout.write(
    `${new Date().toISOString()}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n`,
  );
  const people = await createPeople(server, 1000, { plan: 'pro' });
  const targets = [bareTarget(bareUrl, bareProcess.pid ?? 0), siteTarget(server, people)];
  const each = async <T>(run: (target: (typeof targets)[number]) => Promise<T>) => {
    const rows: T[] = [];
    for (const target of targets) rows.push(await run(target));
    return rows;
  };
  if (isSelected('first-token'))
    printTable(
      'Time to the first token (the gateway answers at once)',
      await each((target) => firstToken(target, { alone: 30, together: 100 })),
    );
  if (isSelected('spread'))
    printTable(
      'Time to the first token, 100 streams spread over 3 s',
      await each((target) => spreadStreams(target, { streams: 100, seconds: 3 })),
    );
  if (isSelected('hundred'))
    for (const tokensPerSecond of [20, 50])
      printTable(
        `100 streams at ${tokensPerSecond} tokens/s for 10 s`,
        await each((target) => manyStreams(target, { streams: 100, tokensPerSecond, seconds: 10 })),
      );
  if (isSelected('streams'))
    printTable(
      '1,000 streams at 20 tokens/s for 15 s',
      await each((target) => manyStreams(target, { streams: 1000, tokensPerSecond: 20, seconds: 15 })),
    );
  if (isSelected('debits')) printTable('Point debits', [await debitsPerSecond(server.databaseUrl)]);
  if (isSelected('requests'))
    printTable('One request after the other', await requestFigures(server, people[0]!));
  if (isSelected('pages')) {
    const cookie = people[0]?.cookie ?? '';
    printTable('Pages', [
      await pagesPerSecond(`${server.url}/`, {}),
      await pagesPerSecond(`${server.url}/chat`, {}),
      await pagesPerSecond(`${server.url}/chat?signed-in`, { cookie }),
    ]);
  }
  if (isSelected('tools'))
    printTable(
      'Tools, one run after the other',
      await overheadByTool(server, (await createPeople(server, 1, { plan: 'pro' }))[0]!),
    );
  // Only on request: it downloads a package of 170 MB.
  if (parts.has('lighthouse'))
    printTable('Lighthouse, mobile, median of 5', await lighthouseFigures(server.url));
  if (isSelected('notify')) {
    printTable('NOTIFY, four processes that all listen', await notifyFigures(server.databaseUrl));
    const { databaseUrl, standins, dataDir } = server;
    const env = { LOG_LEVEL: 'warn', RUNNING_AT_ONCE: '1000' };
    const other = await startTestServer({ postgres: database.url, databaseUrl, standins, dataDir, env });
    const rows: object[] = [];
    for (const streams of [208, 624])
      rows.push(
        await readAcrossProcesses([server, other], people, { streams, tokensPerSecond: 20, seconds: 15 }),
      );
    printTable('Streams that are all read in another process', rows);
    await other.stop();
  }
  // Only on request: inserting a million messages takes minutes.
  for (const [part, messages, otherChats] of [
    ['growth', 'a million', 90_000],
    ['growth-ten', 'ten million', 990_000],
  ] as const)
    if (parts.has(part))
      printTable(
        `One person with much work, on a site of ${messages} messages`,
        await growthFigures(server, (await createPeople(server, 1, { plan: 'pro' }))[0]!, otherChats),
      );
  if (parts.has('year')) printTable('A thousand people', await yearFigures(server));
  if (parts.has('library'))
    printTable(
      'One person with 100,000 items in the library',
      await libraryFigures(server, (await createPeople(server, 1, { plan: 'pro' }))[0]!),
    );
  // Uses the rows that the parts before it have inserted.
  if (parts.has('jobs')) printTable('Jobs that run by themselves', await jobFigures(server));
  if (isSelected('browser')) printTable('In the browser', await browserFigures(server));
} finally {
  bareProcess.kill();
  await server.stop();
  await database.stop();
}
if (isSelected('pdf')) printTable('Documents', await pdfFigures());
if (isSelected('cold-start')) printTable('Cold start', [await coldStart()]);
