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
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { RunContext } from '#features/generations/service.server.ts';
import { findEvidence } from '#features/pdfs/document-search.server.ts';
import { readPdfText } from '#platform/document-reader/document-text.server.ts';
import { startReader } from '#platform/document-reader/reader-process.server.ts';
import { searchPages } from '#platform/document-reader/search-process.server.ts';
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { bombs, pdfWith } from '../support/pdf.ts';
import { createPerson } from '../support/people.ts';
import { readerPids } from '../support/reader-watch.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

const BLANKS = 'a gigabyte of blanks, packed in an unusual way';
const FORMS = 'forms of forms of forms';
const linux = existsSync('/proc/self/status');
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
/** Made once, because compressing a gigabyte takes seconds. */
const packed = new Map<string, Buffer>();

let server: TestServer;
beforeAll(async () => {
  for (const name of soak ? ([BLANKS, FORMS] as const) : ([FORMS] as const)) packed.set(name, bombs[name]());
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

describe('many slow documents', () => {
  const slow = () => packed.get(FORMS) ?? Buffer.alloc(0);

  test.skipIf(!linux)(
    'of one person: the second has to wait, but not once the first is abandoned',
    async () => {
      const person = await createPerson(server);
      const abort = new AbortController();
      const first = fetch(`${server.url}/api/files?name=x.pdf`, {
        method: 'POST',
        headers: { cookie: person.cookie, origin: server.url },
        body: new Uint8Array(slow()),
        signal: abort.signal,
      });
      await eventually(async () => readerPids(server).length === 1);
      const second = await upload(server, person, slow());
      expect([second.status, second.body.code, second.retryAfter]).toEqual([429, 'rate_limited', '5']);
      expect(second.body.error).toContain('still being read');
      abort.abort();
      await expect(first).rejects.toThrow();
      const plain = await pdfWith(['Another one.']);
      await eventually(async () => (await upload(server, person, plain)).status === 201);
    },
    30_000,
  );
});

describe('the process that reads', () => {
  /** Starts a reader of this document; returns it with its output and exit. */
  function read(path: string, limit?: NodeJS.Platform) {
    const input = openSync(path, 'r');
    const child: ChildProcess = startReader(input, { pages: 300, characters: 1e6 }, limit);
    closeSync(input);
    const output = child.stdout ? buffer(child.stdout) : Promise.resolve(Buffer.alloc(0));
    const ended = new Promise<string | number | null>((done) =>
      child.once('close', (code, by) => done(by ?? code)),
    );
    return { child, output, ended };
  }

  test.skipIf(!linux)('has no environment, no rights and little memory', async () => {
    const { child, ended } = read(fileOf(packed.get(FORMS) ?? Buffer.alloc(0)));
    const procFile = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'utf8');
    await eventually(
      async () =>
        procFile('cmdline').includes('document-reader.js') && !procFile('cmdline').startsWith('/bin/sh'),
    );
    // The shell adds PWD; no other variable is set.
    expect(procFile('environ')).toBe('PWD=/\0');
    const flags = procFile('cmdline').split('\0');
    expect(flags).toContain('--permission');
    expect(flags.filter((flag) => flag.startsWith('--allow'))).toEqual([
      expect.stringMatching(/^--allow-fs-read=.*\/build\/releases\/\w+\/server\/\*$/),
      expect.stringMatching(/^--allow-fs-read=.*\/pdfjs-dist\/\*$/),
    ]);
    expect(procFile('limits')).toMatch(/Max data size\s+1024000000\s/);
    expect(procFile('limits')).toMatch(/Max file size\s+0\s/);
    expect(procFile('limits')).toMatch(/Max core file size\s+0\s/);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
  });

  test.runIf(soak)(
    'is monitored where the system sets no limit',
    async () => {
      try {
        execFileSync('ps', ['-o', 'rss=', '-p', '1']);
      } catch {
        return;
      }
      const bomb = packed.get(BLANKS) ?? Buffer.alloc(0);
      expect(await read(fileOf(bomb), 'darwin').ended).toBe('SIGKILL');
      const { output, ended } = read(fileOf(await pdfWith(['Hello there.'])), 'darwin');
      expect((await output).toString()).toContain('{"page":1,"text":"Hello there."}');
      expect(await ended).toBe(0);
    },
    120_000,
  );

  test.runIf(soak)('reads three hundred pages, and gives the total number', async () => {
    const bytes = await pdfWith(Array.from({ length: 320 }, (_, page) => `This is page ${page + 1}.`));
    const pdf = await readPdfText(fileOf(bytes), { key: 'a' });
    expect(pdf).toMatchObject({ pages: 320, pagesRead: 300, emptyPages: [], brokenPages: [] });
    expect(pdf.text.at(-1)).toEqual({ page: 300, text: 'This is page 300.' });
    const partial = await readPdfText(fileOf(bytes), { key: 'a', characters: 100 });
    expect(partial).toMatchObject({ pages: 320, pagesRead: 7 });
  });

  test('is ended at its deadline, and when nobody waits for it any more', async () => {
    const path = fileOf(packed.get(FORMS) ?? Buffer.alloc(0));
    await expect(readPdfText(path, { key: 'a', ms: 700 })).rejects.toMatchObject({ failure: 'timeout' });
    if (!linux) return;
    const person = await createPerson(server);
    const abort = new AbortController();
    const sent = fetch(`${server.url}/api/files?name=x.pdf`, {
      method: 'POST',
      headers: { cookie: person.cookie, origin: server.url },
      body: readFileSync(path),
      signal: abort.signal,
    });
    await eventually(async () => readerPids(server).length === 1);
    abort.abort();
    await expect(sent).rejects.toThrow();
    await eventually(async () => readerPids(server).length === 0);
  });
});

describe.skipIf(!linux)('the process that searches', () => {
  /** Process ids of the search processes that this process has started. */
  const searchers = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        const isChild = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${process.pid}\n`);
        return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('{"search":true}');
      } catch {
        return false;
      }
    });
  const neverAborted = new AbortController().signal;
  const text = 'The gauge at the harbour measured nothing at all in the year 1991.';
  const pages = [{ page: 3, text, boxes: Int32Array.from({ length: 52 }, (_, n) => n) }];
  const quotes = [[{ page: 1, words: 'harbour MEASURED nothing at all' }]];
  const search = (signal = neverAborted, key = 'a') =>
    findEvidence({ generationId: key, signal } as RunContext, pages, { quotes, keywords: ['gauge', 'tide'] });
  /** Suspends the idle search process and returns its id. */
  async function suspend(): Promise<number> {
    await search();
    const [pid, ...more] = searchers();
    expect(more).toEqual([]);
    process.kill(Number(pid), 'SIGSTOP');
    return Number(pid);
  }
  const waitUntilGone = (pid: number) => eventually(async () => !existsSync(`/proc/${pid}`));

  test('finds quotes and keywords repeatedly, with little memory and no rights', async () => {
    const { verifyQuotes, keywords } = await search();
    expect(verifyQuotes(quotes[0]!)).toEqual([
      { text: 'harbour measured nothing at all', places: [{ page: 3, boxes: [[1.6, 1.7, 5, 5.1]] }] },
    ]);
    expect(keywords.map(({ word, count }) => [word, count])).toEqual([['gauge', 1]]);
    await search();
    const [pid, ...more] = searchers();
    expect(more).toEqual([]);
    expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/Max data size\s+1024000000\s/);
    const flags = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    expect(flags).toContain('--permission');
    expect(flags.filter((flag) => flag.startsWith('--allow'))).toHaveLength(1);
  });

  test('serves several searches at once, each with its own result', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((key) => search(neverAborted, key)));
    for (const { verifyQuotes } of all) expect(verifyQuotes(quotes[0]!)).toHaveLength(1);
    expect(searchers().length).toBeLessThanOrEqual(2);
    for (const pid of searchers()) {
      process.kill(Number(pid), 'SIGKILL');
      await waitUntilGone(Number(pid));
    }
  });

  test('fails its run when it dies, is ended when it hangs or the run is stopped, and is replaced', async () => {
    const dying = await suspend();
    const crashed = search();
    process.kill(dying, 'SIGKILL');
    await expect(crashed).rejects.toMatchObject({ name: 'RunFailure', code: 'too_complex' });

    const hanging = await suspend();
    const timedOut = searchPages({ pages, find: [] }, { key: 'a', signal: neverAborted, ms: 100 });
    await expect(timedOut).rejects.toMatchObject({ name: 'UnreadableDocument', failure: 'timeout' });
    await waitUntilGone(hanging);

    const stopping = await suspend();
    const stop = new AbortController();
    const stopped = search(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    await waitUntilGone(stopping);
    expect((await search()).keywords).toHaveLength(1);
  });
});

test('every invariant holds', () => expectConsistent(server));
