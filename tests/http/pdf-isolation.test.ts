import { type ChildProcess, execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readPdfText } from '../../src/platform/pdf/pdf-text.server.ts';
import { startReader } from '../../src/platform/pdf/process.server.ts';
import { upload } from '../support/files.ts';
import { bombs, pdfWith } from '../support/pdf.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectSound } from '../support/soundness.ts';

const linux = existsSync('/proc/self/status');
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
/** Made once: packing a gigabyte takes seconds. */
const packed = new Map<string, Buffer>();

let server: TestServer;
beforeAll(async () => {
  for (const [name, make] of Object.entries(bombs)) packed.set(name, make());
  server = await startTestServer({ postgres: inject('postgres') });
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

function fileOf(bytes: Uint8Array): string {
  const path = join(folder, `${performance.now()}.pdf`);
  writeFileSync(path, bytes);
  return path;
}

/** A line of /proc/PID/status in MB; 0 when the process is gone. */
function memoryOf(pid: number | undefined, line: 'VmRSS' | 'VmHWM'): number {
  try {
    // A process that is just ending has no memory to tell of.
    const found = new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(found?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** Processes that the server has started for documents. */
function readers(): number[] {
  const pid = server.process.pid ?? 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('pdf-reader.js');
    } catch {
      return false;
    }
  });
}

interface Watched {
  healthMs: number[];
  /** Most MB at once. */
  server: number;
  reader: number;
  readersAtOnce: number;
}

/** Asks for the health of the site and looks at the memory of both sides until `work` is done. */
async function whileWorking(work: Promise<unknown>): Promise<Watched> {
  const seen: Watched = { healthMs: [], server: 0, reader: 0, readersAtOnce: 0 };
  let over = false;
  void work.finally(() => {
    over = true;
  });
  while (!over) {
    const askedAt = performance.now();
    await (await fetch(`${server.url}/healthz`)).arrayBuffer();
    seen.healthMs.push(performance.now() - askedAt);
    const now = readers();
    seen.readersAtOnce = Math.max(seen.readersAtOnce, now.length);
    seen.reader = Math.max(seen.reader, ...now.map((pid) => memoryOf(pid, 'VmHWM')));
    seen.server = Math.max(seen.server, memoryOf(server.process.pid, 'VmRSS'));
  }
  return seen;
}

const percentile = (values: number[], share: number) =>
  values.sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

describe('a bomb', () => {
  test.each(Object.keys(bombs))(
    '%s: refused within 10 s, at no cost',
    async (name) => {
      const person = await createPerson(server);
      const startedAt = performance.now();
      const { status, body } = await upload(server, person, packed.get(name) ?? '');
      expect([status, body.code]).toEqual([400, 'bad_request']);
      expect(body.error).toMatch(/too complex|takes too long/);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(await person.credits()).toBe(10);
    },
    30_000,
  );

  test.skipIf(!linux)(
    'two at once take nothing from anybody else',
    async () => {
      const people = await Promise.all([createPerson(server), createPerson(server)]);
      const names = ['a gigabyte of blanks, packed in an unusual way', 'forms of forms of forms'];
      await upload(
        server,
        people[0] as Person,
        await pdfWith(['The first one, which has as many words as are needed here.']),
      );
      const before = memoryOf(server.process.pid, 'VmRSS');
      const work = Promise.all(
        names.map((name, index) => upload(server, people[index] as Person, packed.get(name) ?? '')),
      );
      const seen = await whileWorking(work);
      expect((await work).map(({ status }) => status)).toEqual([400, 400]);
      expect(seen.readersAtOnce).toBe(2);
      expect(seen.healthMs.length).toBeGreaterThan(50);
      expect(percentile(seen.healthMs, 0.99)).toBeLessThan(500);
      expect(seen.server - before).toBeLessThan(50);
      expect(seen.reader).toBeGreaterThan(100);
      expect(seen.reader).toBeLessThan(1000);
    },
    60_000,
  );
});

/** Sends a document to the analyzer, whose reader gives the place of each word too. */
async function addDocument(person: Person, bytes: Uint8Array): Promise<number> {
  const response = await fetch(`${server.url}/api/documents?name=x.pdf`, {
    method: 'POST',
    headers: { cookie: person.cookie, origin: server.url },
    body: new Uint8Array(bytes),
  });
  await response.arrayBuffer();
  return response.status;
}

test.skipIf(!linux)(
  'five hostile documents of the analyzer at once take nothing from the site',
  async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => createPerson(server, { plan: 'pro' })));
    expect(
      await addDocument(
        people[0]!,
        await pdfWith(['The first one, which has as many words as are needed here.']),
      ),
    ).toBe(201);
    const before = memoryOf(server.process.pid, 'VmRSS');
    const bytes = [...packed.values()];
    const work = Promise.all(people.map((person, index) => addDocument(person, bytes[index]!)));
    const seen = await whileWorking(work);
    // Refused for what they are, or because too many are read.
    for (const status of await work) expect([400, 503]).toContain(status);
    expect(seen.readersAtOnce).toBe(2);
    expect(percentile(seen.healthMs, 0.99)).toBeLessThan(500);
    expect(seen.server - before).toBeLessThan(100);
    expect(seen.reader).toBeLessThan(1000);
  },
  60_000,
);

describe('many slow documents', () => {
  const slow = () => packed.get('forms of forms of forms') ?? Buffer.alloc(0);

  test('of six people: each is answered within 20 s, and an ordinary one of a seventh is read', async () => {
    const people = await Promise.all(Array.from({ length: 7 }, () => createPerson(server)));
    const plain = await pdfWith(['Nothing but a line of text.']);
    const send = async (index: number, bytes: Buffer) => {
      const startedAt = performance.now();
      const answer = await upload(server, people[index] as Person, bytes);
      return { ...answer, ms: performance.now() - startedAt };
    };
    const six = Promise.all(people.slice(0, 6).map((_, index) => send(index, slow())));
    await eventually(async () => readdirSync(join(server.dataDir, 'uploads')).length === 6);
    const [answers, seventh] = await Promise.all([six, send(6, plain)]);
    for (const { status, retryAfter, body, ms } of answers) {
      expect([400, 503]).toContain(status);
      if (status === 503) expect([body.code, retryAfter]).toEqual(['unavailable', '5']);
      expect(ms).toBeLessThan(20_000);
    }
    expect(seventh).toMatchObject({ status: 201, body: { kind: 'pdf', pages: 1 } });
    expect(seventh.ms).toBeLessThan(20_000);
  }, 60_000);

  test.skipIf(!linux)(
    'of one person: the second is told to wait, and not once the first has been left',
    async () => {
      const person = await createPerson(server);
      const gone = new AbortController();
      const first = fetch(`${server.url}/api/files?name=x.pdf`, {
        method: 'POST',
        headers: { cookie: person.cookie, origin: server.url },
        body: new Uint8Array(slow()),
        signal: gone.signal,
      });
      await eventually(async () => readers().length === 1);
      const second = await upload(server, person, slow());
      expect([second.status, second.body.code, second.retryAfter]).toEqual([429, 'rate_limited', '5']);
      expect(second.body.error).toContain('still being read');
      gone.abort();
      await expect(first).rejects.toThrow();
      const plain = await pdfWith(['Another one.']);
      await eventually(async () => (await upload(server, person, plain)).status === 201);
    },
    30_000,
  );
});

describe('the process that reads', () => {
  /** A reader of this document, with what it says once it has ended. */
  function read(path: string, limit?: NodeJS.Platform) {
    const input = openSync(path, 'r');
    const child: ChildProcess = startReader(input, { pages: 300, characters: 1e6 }, limit);
    closeSync(input);
    const said = child.stdout ? buffer(child.stdout) : Promise.resolve(Buffer.alloc(0));
    const ended = new Promise<string | number | null>((done) =>
      child.once('close', (code, by) => done(by ?? code)),
    );
    return { child, said, ended };
  }

  test.skipIf(!linux)('has no environment, no rights and little memory', async () => {
    const { child, ended } = read(fileOf(packed.get('forms of forms of forms') ?? Buffer.alloc(0)));
    const of = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'utf8');
    await eventually(
      async () => of('cmdline').includes('pdf-reader.js') && !of('cmdline').startsWith('/bin/sh'),
    );
    // The shell names its folder, and nothing else.
    expect(of('environ')).toBe('PWD=/\0');
    const flags = of('cmdline').split('\0');
    expect(flags).toContain('--permission');
    expect(flags.filter((flag) => flag.startsWith('--allow'))).toEqual([
      expect.stringMatching(/^--allow-fs-read=.*\/build\/releases\/\w+\/server\/\*$/),
      expect.stringMatching(/^--allow-fs-read=.*\/pdfjs-dist\/\*$/),
    ]);
    expect(of('limits')).toMatch(/Max data size\s+1024000000\s/);
    expect(of('limits')).toMatch(/Max file size\s+0\s/);
    expect(of('limits')).toMatch(/Max core file size\s+0\s/);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
  });

  test('is watched where the system sets no limit', async () => {
    try {
      execFileSync('ps', ['-o', 'rss=', '-p', '1']);
    } catch {
      return;
    }
    const bomb = packed.get('a gigabyte of blanks, packed in an unusual way') ?? Buffer.alloc(0);
    expect(await read(fileOf(bomb), 'darwin').ended).toBe('SIGKILL');
    const { said, ended } = read(fileOf(await pdfWith(['Hello there.'])), 'darwin');
    expect((await said).toString()).toContain('{"page":1,"text":"Hello there."}');
    expect(await ended).toBe(0);
  }, 30_000);

  test('reads three hundred pages, and says how many there are', async () => {
    const bytes = await pdfWith(Array.from({ length: 320 }, (_, page) => `This is page ${page + 1}.`));
    const pdf = await readPdfText(fileOf(bytes), { key: 'a' });
    expect(pdf).toMatchObject({ pages: 320, pagesRead: 300, emptyPages: [], brokenPages: [] });
    expect(pdf.text.at(-1)).toEqual({ page: 300, text: 'This is page 300.' });
    const some = await readPdfText(fileOf(bytes), { key: 'a', characters: 100 });
    expect(some).toMatchObject({ pages: 320, pagesRead: 7 });
  }, 30_000);

  test('is ended at its time, and when nobody wants it any more', async () => {
    const path = fileOf(packed.get('forms of forms of forms') ?? Buffer.alloc(0));
    await expect(readPdfText(path, { key: 'a', ms: 700 })).rejects.toMatchObject({ failure: 'timeout' });
    if (!linux) return;
    const person = await createPerson(server);
    const gone = new AbortController();
    const sent = fetch(`${server.url}/api/files?name=x.pdf`, {
      method: 'POST',
      headers: { cookie: person.cookie, origin: server.url },
      body: readFileSync(path),
      signal: gone.signal,
    });
    await eventually(async () => readers().length === 1);
    gone.abort();
    await expect(sent).rejects.toThrow();
    await eventually(async () => readers().length === 0, 3_000);
  });
});

test('every invariant holds', () => expectSound(server));
