import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { bombs, pdfWith } from '../support/pdf.ts';
import { createPerson, type Person } from '../support/people.ts';
import { measureDuring, memoryOf, percentile } from '../support/reader-watch.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';

const linux = existsSync('/proc/self/status');
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
/** Made once, because compressing a gigabyte takes seconds. */
const packed = new Map<string, Buffer>();

let server: TestServer;
beforeAll(async () => {
  for (const [name, create] of Object.entries(bombs)) packed.set(name, create());
  server = await startTestServer({ postgres: inject('postgres') });
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

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
    'two at once affect nobody else',
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
      const measured = await measureDuring(server, work);
      expect((await work).map(({ status }) => status)).toEqual([400, 400]);
      expect(measured.readersAtOnce).toBe(2);
      expect(measured.healthMs.length).toBeGreaterThan(50);
      expect(percentile(measured.healthMs, 0.99)).toBeLessThan(500);
      expect(measured.server - before).toBeLessThan(50);
      expect(measured.reader).toBeGreaterThan(100);
      expect(measured.reader).toBeLessThan(1000);
    },
    60_000,
  );
});

/** Uploads a document to the analyzer, whose reader also extracts the position of each word. */
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
  'five hostile documents of the analyzer at once do not slow the site',
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
    const measured = await measureDuring(server, work);
    // Refused because of their content, or because too many documents are being read.
    for (const status of await work) expect([400, 503]).toContain(status);
    expect(measured.readersAtOnce).toBe(2);
    expect(percentile(measured.healthMs, 0.99)).toBeLessThan(500);
    expect(measured.server - before).toBeLessThan(100);
    expect(measured.reader).toBeLessThan(1000);
  },
  60_000,
);

describe('many slow documents', () => {
  const slow = () => packed.get('forms of forms of forms') ?? Buffer.alloc(0);

  test('of six people: each is answered within 20 s, and a normal one of a seventh person is read', async () => {
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
});

test('every invariant holds', () => expectConsistent(server));
