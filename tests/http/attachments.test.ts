import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { attachmentTexts } from '#features/chat/attachments/accepted-files.ts';
import { docxType } from '#features/chat/contract.ts';
import { audit, expectConsistent } from '../support/consistency.ts';
import { docxWith, hostileDocx } from '../support/docx.ts';
import { runErasure } from '../support/erasure.ts';
import { runJob, upload } from '../support/files.ts';
import { pdfOf, pdfWith, scannedPdf, unreadable } from '../support/pdf.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';
import { metric } from '../support/stalled-readers.ts';
import { moveClock } from '../support/visitor.ts';
import { unzip } from '../support/zip.ts';

const LIMIT = 10_485_760;
const HOUR = 3_600_000;

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());
afterEach(() => moveClock(server, 0));

const newOwner = async () => {
  person = await createPerson(server);
  return person;
};
const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });
const png = () => picture().png().toBuffer();

/** Files in the store. The server's upload folder must be empty at the same time. */
function storedFiles(): string[] {
  const below = (folder: string) => {
    try {
      return readdirSync(join(server.dataDir, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
    } catch {
      return [];
    }
  };
  expect(below('uploads')).toEqual([]);
  return below('files');
}

const uploads = () => readdirSync(join(server.dataDir, 'uploads'));

/** Starts an upload that never ends. */
function uploadSlowly(owner: Person, signal: AbortSignal): Promise<Response> {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('%PDF-1.7\n')),
  });
  return fetch(`${server.url}/api/files?name=x.pdf`, {
    method: 'POST',
    headers: { cookie: owner.cookie, origin: server.url },
    body,
    duplex: 'half',
    signal,
  } as RequestInit);
}

/** Inserts a message with this file in a new chat, without a reply; returns the chat's id. */
async function attachToMessage(owner: Person, attachment: string): Promise<string> {
  const chat = randomUUID();
  await server.database.query(`insert into chat_sessions (id, user_id) values ($1, $2)`, [chat, owner.id]);
  await server.database.query(
    `insert into chat_messages (id, session_id, role, content, attachment_id) values ($1, $2, 'user', 'x', $3)`,
    [randomUUID(), chat, attachment],
  );
  return chat;
}

describe('accepted files', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'a %s is stored in the form sent to the model, whatever its name',
    async (format) => {
      const owner = await newOwner();
      const bytes = await picture(3000, 1500).toFormat(format).toBuffer();
      const { status, body } = await upload(server, owner, bytes, { name: 'evil.html', type: 'text/html' });
      expect([status, body]).toMatchObject([
        201,
        {
          kind: 'image',
          name: 'evil.html',
          width: 2048,
          height: 1024,
          pages: null,
          pagesRead: null,
          note: null,
        },
      ]);
      const response = await owner.get(`/api/files/${body.id}`);
      const stored = Buffer.from(await response.arrayBuffer());
      expect(stored.length).toBe(body.bytes);
      expect(await sharp(stored).metadata()).toMatchObject({ format: 'jpeg', width: 2048, height: 1024 });
      expect(await owner.credits()).toBe(10);
    },
  );

  test('a picture loses location, camera and rotation, and keeps its transparency', async () => {
    const owner = await newOwner();
    const original = await picture(80, 40)
      .jpeg()
      .withExif({ IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(original.includes('SecretCamera')).toBe(true);
    const { body } = await upload(server, owner, original);
    expect([body.width, body.height]).toEqual([40, 80]);
    const stored = Buffer.from(await (await owner.get(`/api/files/${body.id}`)).arrayBuffer());
    const { exif, icc, xmp, orientation } = await sharp(stored).metadata();
    expect([exif, icc, xmp, orientation, stored.includes('SecretCamera')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      false,
    ]);
    const clear = { r: 0, g: 0, b: 0, alpha: 0.5 };
    const glass = await sharp({ create: { width: 20, height: 20, channels: 4, background: clear } })
      .png()
      .toBuffer();
    const uploaded = await upload(server, owner, glass);
    const shown = await owner.get(`/api/files/${uploaded.body.id}`);
    expect(shown.headers.get('content-type')).toBe('image/webp');
    const pixel = await sharp(Buffer.from(await shown.arrayBuffer()))
      .raw()
      .toBuffer();
    expect(pixel[3]).toBeGreaterThan(100);
    expect(pixel[3]).toBeLessThan(150);
  });

  test('a document is stored with its text, page by page', async () => {
    const owner = await newOwner();
    const bytes = await pdfWith(['The first page.', '', 'The third page.']);
    const { status, body } = await upload(server, owner, bytes, { name: 'report.pdf', type: 'image/png' });
    expect([status, body]).toMatchObject([
      201,
      { kind: 'pdf', pages: 3, pagesRead: 3, bytes: bytes.length, width: null, note: 'No text: page 2.' },
    ]);
    const { rows } = await server.database.query('select text from attachments where id = $1', [body.id]);
    expect(rows[0].text).toBe('[Page 1]\nThe first page.\n\n[Page 3]\nThe third page.');
    const stored = Buffer.from(await (await owner.get(`/api/files/${body.id}`)).arrayBuffer());
    expect(stored.equals(bytes)).toBe(true);
  });

  test.runIf(soak)('a long document is stored as far as the model receives it', async () => {
    const owner = await newOwner();
    const bytes = await pdfWith(
      Array.from({ length: 42 }, (_, page) => `Topic ${page}. ${'Plain words. '.repeat(120)}`),
    );
    const { status, body } = await upload(server, owner, bytes);
    expect([status, body]).toMatchObject([201, { pages: 42 }]);
    expect(body.note).toMatch(
      /^Only pages 1 to \d\d of 42 (and the beginning of the next )?fit; the rest is left out\.$/,
    );
    const { rows } = await server.database.query('select text from attachments where id = $1', [body.id]);
    expect(Buffer.byteLength(rows[0].text)).toBeLessThanOrEqual(8_000 * 3.5);
    expect(rows[0].text).toContain(`[Page ${body.pagesRead}]`);
  });

  test('everything else is refused by its bytes, whatever type it claims', async () => {
    const owner = await newOwner();
    const others: Record<string, Uint8Array | string> = {
      'page.png': '<!doctype html><script>alert(1)</script>',
      'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      'moving.jpg': await picture().gif().toBuffer(),
      'program.pdf': Buffer.concat([Buffer.from('MZ'), Buffer.alloc(5000)]),
      'late.pdf': Buffer.concat([Buffer.alloc(1025, 32), Buffer.from('%PDF-1.7')]),
      'photo.jpg.exe': Buffer.from('\x7fELF'),
      'text.pdf': 'just words',
      'form.png': Array.from(
        { length: 101 },
        (_, n) => `--x\r\ncontent-disposition: form-data; name="${n}"\r\n\r\na\r\n`,
      ).join(''),
    };
    for (const [name, bytes] of Object.entries(others)) {
      const type = name.endsWith('pdf') ? 'application/pdf' : 'image/png';
      const { status, body } = await upload(server, owner, bytes, { name, type });
      expect([name, status, body.code, body.error]).toEqual([
        name,
        415,
        'unsupported_type',
        attachmentTexts.wrongType,
      ]);
    }
    const empty = await upload(server, owner, '');
    expect([empty.status, empty.body.error]).toEqual([400, 'This file is empty.']);
    const broken = await upload(server, owner, (await png()).subarray(0, 60));
    expect([broken.status, broken.body.error]).toMatchObject([400, expect.stringContaining('damaged')]);
    expect(await owner.credits()).toBe(10);
  });

  test('a web page that is also a PDF can only be downloaded', async () => {
    const owner = await newOwner();
    const html = Buffer.from('<html><script>alert(1)</script>');
    const { status, body } = await upload(server, owner, Buffer.concat([html, await pdfWith(['Both.'])]), {
      name: 'page.html',
      type: 'text/html',
    });
    expect([status, body.kind]).toEqual([201, 'pdf']);
    const { headers } = await owner.get(`/api/files/${body.id}`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="page.html.pdf"; filename*=UTF-8''page.html.pdf`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*; sandbox$/),
    });
  });
});

describe('texts', () => {
  const sample = 'Grüße, “naïve” 東京 😀\n\tindented\n';
  test.each([
    ['notes.txt', Buffer.from(sample)],
    ['README.md', Buffer.from(`\ufeff${sample}`)],
    ['table.csv', Buffer.from(`\ufeff${sample}`, 'utf16le')],
    ['page.html', Buffer.from(`\ufeff${sample}`, 'utf16le').swap16()],
    ['Makefile', Buffer.from(sample.replaceAll('\n', '\r\n'))],
  ])('%s is decoded by its encoding, stored unchanged and can only be downloaded', async (name, bytes) => {
    const owner = await newOwner();
    const { status, body } = await upload(server, owner, bytes, { name, type: 'text/html' });
    const text = sample.trim();
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        kind: 'text',
        name,
        bytes: bytes.length,
        width: null,
        height: null,
        pages: null,
        pagesRead: null,
        textBytes: Buffer.byteLength(text),
        note: null,
      },
    ]);
    const { rows } = await server.database.query('select text from attachments where id = $1', [body.id]);
    expect(rows[0].text).toBe(text);
    const response = await owner.get(`/api/files/${body.id}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*; sandbox$/),
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('in Latin-1 are read, as older programs write them', async () => {
    const { body } = await upload(server, await newOwner(), Buffer.from('name;caf\xe9', 'latin1'), {
      name: 'export.csv',
    });
    const { rows } = await server.database.query('select text from attachments where id = $1', [body.id]);
    expect(rows[0].text).toBe('name;café');
  });

  test('that are long are cut, and report it', async () => {
    const { body } = await upload(server, await newOwner(), 'A line of words.\n'.repeat(500_000), {
      name: 'long.log',
    });
    expect(body.note).toBe('Only the beginning fits; the rest is left out.');
    expect(body.textBytes).toBeGreaterThan(27_900);
    expect(body.textBytes).toBeLessThanOrEqual(28_000);
  });

  test('that are not readable as text are refused with an explanation', async () => {
    const owner = await newOwner();
    const binary = {
      'program.txt': Buffer.from('\x7fELF\x02\x01\x01\0\0', 'latin1'),
      'archive.csv': Buffer.from('PK\x03\x04\x14\0\x08\0', 'latin1'),
      'moving.md': await picture().gif().toBuffer(),
      'unmarked.txt': Buffer.from(sample, 'utf16le'),
    };
    for (const [name, bytes] of Object.entries(binary)) {
      const { status, body } = await upload(server, owner, bytes, { name });
      expect([name, status, body.error]).toEqual([name, 400, expect.stringMatching(/isn’t readable text/)]);
    }
    const blank = await upload(server, owner, ' \n\n', { name: 'blank.txt' });
    expect([blank.status, blank.body.error]).toEqual([400, 'This file is empty.']);
    // Its bytes are those of an image.
    const { body } = await upload(server, owner, await png(), { name: 'picture.txt' });
    expect(body.kind).toBe('image');
    expect(await owner.credits()).toBe(10);
  });
});

describe('Word documents', () => {
  test('are read as text with headings, tables and notes, and report the images that are left out', async () => {
    const owner = await newOwner();
    const bytes = await docxWith(['Profit rose & fell.', 'Second <b>part</b>.'], await png());
    const { status, body } = await upload(server, owner, bytes, { name: 'Report.docx' });
    expect([status, body]).toMatchObject([
      201,
      {
        kind: 'docx',
        name: 'Report.docx',
        bytes: bytes.length,
        pages: null,
        pagesRead: null,
        note: 'Its image is left out.',
      },
    ]);
    const { rows } = await server.database.query('select text from attachments where id = $1', [body.id]);
    expect(rows[0].text).toContain('# The heading\n\nProfit rose & fell.\n\nSecond <b>part</b>.\n\n');
    expect(rows[0].text).toContain('Year\tSum\n2024\t17');
    expect(rows[0].text).toContain('What the note says.');
    const { headers } = await owner.get(`/api/files/${body.id}`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': docxType,
      'content-disposition': `attachment; filename="Report.docx"; filename*=UTF-8''Report.docx`,
    });
  });

  test('that are long are cut, and report it', async () => {
    const bytes = await docxWith(
      Array.from({ length: 400 }, () => 'A sentence of a long report. '.repeat(8)),
    );
    const { body } = await upload(server, await newOwner(), bytes, { name: 'long.DOCX' });
    expect(body.note).toBe('Only the beginning fits; the rest is left out.');
    expect(body.textBytes).toBeLessThanOrEqual(28_000);
  });

  const texts: Record<keyof typeof hostileDocx, RegExp> = {
    'an archive of something else': /can’t be read as a Word document/,
    'cut off': /can’t be read as a Word document/,
    'no XML': /can’t be read as a Word document|has no text/,
    'without text': /has no text/,
    'a bomb': /too large to read/,
    'a bomb beside a document': /too large to read/,
    'elements without end': /too large to read/,
    'entities within entities': /Word document/,
  };
  const sent = Object.entries(texts).filter(([name]) => soak || name !== 'elements without end');
  test.each(sent)('%s: refused within 10 s, at no cost', async (name, text) => {
    const owner = await createPerson(server);
    const bytes = await hostileDocx[name as keyof typeof hostileDocx]();
    expect(bytes.length).toBeLessThan(10_485_760);
    const startedAt = performance.now();
    const { status, body } = await upload(server, owner, bytes, { name: 'a.docx' });
    expect([status, body.code, body.error]).toEqual([400, 'bad_request', expect.stringMatching(text)]);
    expectWithin(performance.now() - startedAt, 10_000);
    expect(await owner.credits()).toBe(10);
  });

  test('under another name count as archives, which a chat does not accept', async () => {
    const owner = await newOwner();
    const bytes = await docxWith(['Some words.']);
    for (const name of ['report.zip', 'report', 'report.docx.exe']) {
      const { status, body } = await upload(server, owner, bytes, { name });
      expect([status, body.error]).toEqual([415, attachmentTexts.wrongType]);
    }
    // The name does not matter for other kinds of files.
    expect((await upload(server, owner, await png(), { name: 'a.docx' })).body.kind).toBe('image');
    expect((await upload(server, owner, 'just words', { name: 'a.docx' })).status).toBe(415);
  });
});

describe('documents that cannot be read', () => {
  const texts: Record<keyof typeof unreadable, RegExp> = {
    encrypted: /password/,
    'without pages': /damaged/,
    'pages that hold themselves': /damaged/,
    'a table of places that leads to itself': /^This PDF has no readable text\.$/,
    'cut off': /damaged/,
    'a mark and 9 MB of A': /damaged/,
    'two billion pages': /damaged/,
  };
  test.each(Object.entries(texts))('%s: refused within 10 s, at no cost', async (name, text) => {
    const owner = await createPerson(server);
    const startedAt = performance.now();
    const { status, body } = await upload(server, owner, await unreadable[name as keyof typeof unreadable]());
    expect([status, body.code, body.error]).toEqual([400, 'bad_request', expect.stringMatching(text)]);
    expectWithin(performance.now() - startedAt, 10_000);
    expect(await owner.credits()).toBe(10);
  });

  test('empty pages: the error says that there is no text, and nothing about pictures', async () => {
    const { status, body } = await upload(server, await newOwner(), await pdfWith(['', '']));
    expect([status, body.error]).toEqual([400, 'This PDF has no readable text.']);
  });

  test('pages that are pictures: the error says that there is no text', async () => {
    const { status, body } = await upload(server, await newOwner(), scannedPdf());
    expect([status, body.error]).toEqual([400, expect.stringContaining('a scan without readable text')]);
  });
});

describe('size', () => {
  /** Returns a PDF of exactly `size` bytes. */
  function padded(size: number): Buffer {
    const objects = (padding: number) => [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      { dictionary: '', bytes: Buffer.from('BT /F1 12 Tf 72 700 Td (As large as it may be) Tj ET') },
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      { dictionary: '', bytes: Buffer.alloc(padding, 1) },
    ];
    const baseLength = pdfOf(objects(size - 2000)).length;
    return pdfOf(objects(size - 2000 + (size - baseLength)));
  }
  const stream = (bytes: Buffer) =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
        controller.close();
      },
    });
  const chunked = (owner: Person, bytes: Buffer) =>
    fetch(`${server.url}/api/files?name=x.pdf`, {
      method: 'POST',
      headers: { cookie: owner.cookie, origin: server.url },
      body: stream(bytes),
      duplex: 'half',
    } as RequestInit);

  test('exactly 10 MB are accepted, one byte more is not, with or without a length', async () => {
    const owner = await newOwner();
    const [largest, tooLarge] = [padded(LIMIT), padded(LIMIT + 1)];
    expect([largest.length, tooLarge.length]).toEqual([LIMIT, LIMIT + 1]);
    expect((await upload(server, owner, largest)).body).toMatchObject({ kind: 'pdf', bytes: LIMIT });
    expect((await chunked(owner, largest)).status).toBe(201);
    const refused = await upload(server, owner, tooLarge);
    expect([refused.status, refused.body.code, refused.body.error]).toEqual([
      413,
      'too_large',
      attachmentTexts.tooLarge,
    ]);
    const late = await chunked(owner, tooLarge);
    expect([late.status, await late.json()]).toMatchObject([413, { error: attachmentTexts.tooLarge }]);
  });

  test.runIf(soak)('thirty large files at once are not held in memory', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => createPerson(server)));
    const bytes = Buffer.alloc(LIMIT + 1, 1);
    const memory = () => metric(server, 'process_resident_memory_bytes');
    await chunked(people[0] as Person, bytes);
    const before = await memory();
    let peak = before;
    const uploads = Promise.all(people.map((owner) => chunked(owner, bytes)));
    for (let finished = false; !finished; peak = Math.max(peak, await memory()))
      finished = await Promise.race([uploads.then(() => true), memory().then(() => false)]);
    expect((await uploads).map(({ status }) => status)).toEqual(people.map(() => 413));
    // The uploads are 315 MB in total; the growth is memory that is not garbage-collected yet.
    expect((peak - before) / 1e6).toBeLessThan(150);
  });

  test('a false length has no effect', async () => {
    const owner = await newOwner();
    const head = { cookie: owner.cookie, origin: server.url };
    const short = await sendRaw(
      server.url,
      rawRequest(server.url, 'POST /api/files?name=a', { ...head, 'content-length': '10' }, await png()),
    );
    expect([415, 400]).toContain(short.status);
    const both = await sendRaw(
      server.url,
      rawRequest(
        server.url,
        'POST /api/files?name=a',
        { ...head, 'content-length': '10', 'transfer-encoding': 'chunked' },
        '0\r\n\r\n',
      ),
    );
    expect(both.status).toBe(400);
    const count = await server.database.query('select 1 from attachments where user_id = $1', [owner.id]);
    expect(count.rowCount).toBe(0);
  });

  test('an aborted upload leaves nothing behind', async () => {
    const owner = await newOwner();
    const abort = new AbortController();
    const sent = uploadSlowly(owner, abort.signal);
    await eventually(async () => uploads().length === 1);
    abort.abort();
    await expect(sent).rejects.toThrow();
    await eventually(async () => uploads().length === 0);
  });
});

describe('names', () => {
  test.each([
    ['../../etc/passwd', 'passwd', 'passwd.jpg'],
    ['C:\\x', 'x', 'x.jpg'],
    ['a\r\nX: y.pdf', 'aX: y.pdf', 'aX%3A%20y.pdf.jpg'],
    [`${'n'.repeat(4096)}.png`, `${'n'.repeat(251)}.png`, `${'n'.repeat(251)}.jpg`],
    ['photo 😀.png', 'photo 😀.png', 'photo%20%F0%9F%98%80.jpg'],
    ['a"b;c\'d.png', 'a"b;c\'d.png', 'a%22b%3Bc%27d.jpg'],
    ['gpj.\u202eexe', 'gpj.exe', 'gpj.exe.jpg'],
    ['', 'file', 'file.jpg'],
  ])('%j is shown as %j', async (name, shown, saved) => {
    const owner = await createPerson(server);
    const { body } = await upload(server, owner, await png(), { name });
    expect(body.name).toBe(shown);
    const response = await owner.get(`/api/files/${body.id}`);
    const disposition = response.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^inline; filename="[\w .()-]*"; filename\*=UTF-8''[\w.%-]+$/);
    expect(disposition.endsWith(`''${saved}`)).toBe(true);
    expect(response.headers.get('x')).toBeNull();
    const { rows } = await server.database.query('select file_key from attachments where id = $1', [body.id]);
    expect(rows[0].file_key).toMatch(/^attachment\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
  });

  test('no field accepts a URL', async () => {
    const owner = await newOwner();
    const before = (await (await fetch(`${server.standins}/log`)).json()) as unknown[];
    const query = `url=${encodeURIComponent(server.standins)}&name=x`;
    const headers = { cookie: owner.cookie, origin: server.url, 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/api/files?${query}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: `${server.standins}/log`, attachmentUrl: server.standins }),
    });
    expect(response.status).toBe(415);
    expect(await (await fetch(`${server.standins}/log`)).json()).toEqual(before);
  });
});

describe('access to a file', () => {
  test('is limited to its owner, while its chat exists', async () => {
    const owner = await newOwner();
    const other = await createPerson(server);
    const { body } = await upload(server, owner, await png());
    const path = `/api/files/${body.id}`;
    const statuses = async () => [
      (await owner.get(path)).status,
      (await other.get(path)).status,
      (await client(server).get(path)).status,
    ];
    expect(await statuses()).toEqual([200, 404, 401]);
    expect((await other.send('DELETE', path)).status).toBe(404);
    const chat = await attachToMessage(owner, body.id);
    expect(await statuses()).toEqual([200, 404, 401]);
    const refusal = await owner.send('DELETE', path);
    expect([refusal.status, await refusal.json()]).toMatchObject([409, { code: 'conflict' }]);
    expect((await owner.send('DELETE', `/api/chats/${chat}`)).status).toBe(204);
    expect(await statuses()).toEqual([404, 404, 401]);
    const head = await fetch(server.url + path, { method: 'HEAD', headers: { cookie: owner.cookie } });
    expect(head.status).toBe(404);
  });

  test('ends for an unsent file with a press, or after 24 hours', async () => {
    const owner = await newOwner();
    const [first, second] = [
      await upload(server, owner, await png()),
      await upload(server, owner, await png()),
    ];
    const files = storedFiles().length;
    expect((await owner.send('DELETE', `/api/files/${first.body.id}`)).status).toBe(204);
    expect((await owner.get(`/api/files/${first.body.id}`)).status).toBe(404);
    expect(storedFiles().length).toBe(files - 1);
    await moveClock(server, 25 * HOUR);
    expect((await owner.get(`/api/files/${second.body.id}`)).status).toBe(404);
  });
});

describe('cleaning up', () => {
  test('removes files that no message refers to, after a day', async () => {
    const owner = await newOwner();
    const [unsent, sent, young] = [
      await upload(server, owner, await png()),
      await upload(server, owner, await png()),
      await upload(server, owner, await pdfWith(['Young.'])),
    ];
    await attachToMessage(owner, sent.body.id);
    await server.database.query(
      `update attachments set created_at = created_at - interval '25 hours' where id = any($1::uuid[])`,
      [[unsent.body.id, sent.body.id]],
    );
    const before = storedFiles().length;
    await runJob(server, 'drop-unused-files');
    const remaining = await server.database.query('select id from attachments where user_id = $1', [
      owner.id,
    ]);
    expect(remaining.rows.map(({ id }) => id).sort()).toEqual([sent.body.id, young.body.id].sort());
    expect(storedFiles().length).toBeLessThan(before);
    expect((await owner.get(`/api/files/${sent.body.id}`)).status).toBe(200);
    expect(await audit(server)).toEqual([]);
  });

  test('removes a file without a row, and the audit reports a row without a file', async () => {
    const owner = await newOwner();
    const { body } = await upload(server, owner, await png());
    const { rows } = await server.database.query('select file_key from attachments where id = $1', [body.id]);
    const storedPath = join(server.dataDir, 'files', rows[0].file_key);
    const stray = storedPath.replace(/[^/]+$/, randomUUID());
    const hours = (count: number) => new Date(Date.now() - count * HOUR);
    for (const path of [stray, join(server.dataDir, 'uploads', randomUUID())]) {
      writeFileSync(path, 'left by a crash');
      utimesSync(path, hours(49), hours(49));
    }
    utimesSync(storedPath, hours(49), hours(49));
    expect(await audit(server)).toEqual(['I15']);
    await runJob(server, 'sweep-files');
    expect(storedFiles()).toContain(storedPath);
    expect(storedFiles()).not.toContain(stray);
    expect(await audit(server)).toEqual([]);
    await server.database.query(`update attachments set file_key = $2 where id = $1`, [
      body.id,
      rows[0].file_key.replace(/[^/]+$/, randomUUID()),
    ]);
    expect(await audit(server)).toEqual(['I15']);
    expect((await owner.get(`/api/files/${body.id}`)).status).toBe(404);
    await server.database.query('update attachments set file_key = $2 where id = $1', [
      body.id,
      rows[0].file_key,
    ]);
  });

  test.each([
    ['picture', 'purge-deleted-images'],
    ['document', 'sweep-documents'],
  ])('removes a stray %s of a crash, which the audit finds', async (kind, job) => {
    const key = randomUUID();
    const folder = join(server.dataDir, 'files', kind, key.slice(0, 2));
    const stray = join(folder, key);
    mkdirSync(folder, { recursive: true });
    writeFileSync(stray, 'left by a crash');
    const old = new Date(Date.now() - 49 * HOUR);
    utimesSync(stray, old, old);
    expect(await audit(server)).toEqual(['I15']);
    await runJob(server, job);
    expect(storedFiles()).not.toContain(stray);
    expect(await audit(server)).toEqual([]);
  });

  test.runIf(soak)('removes every file of an erased person', async () => {
    const owner = await newOwner();
    const { body } = await upload(server, owner, await png());
    await attachToMessage(owner, body.id);
    await upload(server, owner, await pdfWith(['Mine.']));
    const before = storedFiles().length;
    expect((await owner.send('DELETE', '/api/me', { confirm: owner.email })).status).toBe(204);
    expect((await owner.get(`/api/files/${body.id}`)).status).toBe(401);
    await server.database.query(
      `update users set deleted_at = app_now() - interval '31 days' where id = $1`,
      [owner.id],
    );
    await runErasure(server);
    expect(storedFiles().length).toBe(before - 2);
    const { rowCount } = await server.database.query('select 1 from attachments where user_id = $1', [
      owner.id,
    ]);
    expect(rowCount).toBe(0);
  });
});

test('the data export contains the files', async () => {
  const owner = await newOwner();
  const document = await pdfWith(['Mine.']);
  const uploaded = [
    await upload(server, owner, document, { name: 'My report.pdf' }),
    await upload(server, owner, await png(), { name: '../x.png' }),
  ];
  const response = await owner.get('/api/me/export');
  const files = unzip(Buffer.from(await response.arrayBuffer()));
  const { attachments } = JSON.parse(files.get('export.json')?.toString() ?? '');
  expect(attachments).toMatchObject([
    { id: uploaded[0]?.body.id, name: 'My report.pdf', text: '[Page 1]\nMine.' },
    { id: uploaded[1]?.body.id, name: 'x.png', type: 'image/jpeg', text: null },
  ]);
  expect(files.get(attachments[0].file)?.equals(document)).toBe(true);
  expect(attachments[0].file).toMatch(/^files\/[\d-]{10}-my-report-[0-9a-f-]{36}\.pdf$/);
  expect((await sharp(files.get(attachments[1].file)).metadata()).format).toBe('jpeg');
});

describe('limits', () => {
  test('a guest cannot upload', async () => {
    const { status } = await upload(server, { cookie: '' }, await png());
    expect(status).toBe(401);
  });

  test('a hundred files an hour, then the error says how long to wait', async () => {
    const owner = await newOwner();
    const bytes = await png();
    for (let count = 0; count < 100; count++) expect((await upload(server, owner, bytes)).status).toBe(201);
    const { status, body, retryAfter } = await upload(server, owner, bytes);
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(body.error).toContain('a lot of files');
    expect(Number(retryAfter)).toBeGreaterThan(3000);
  });

  test('two uploads at once, and refused ones are not counted', async () => {
    const owner = await newOwner();
    const abort = new AbortController();
    const running = [1, 2].map(() => uploadSlowly(owner, abort.signal));
    await eventually(async () => uploads().length === 2);
    for (let count = 0; count < 3; count++) {
      const { status, body, retryAfter } = await upload(server, owner, await png());
      expect([status, body.code, retryAfter]).toEqual([429, 'rate_limited', '5']);
    }
    const { rows } = await server.database.query('select count from rate_limits where key = $1', [
      `files:${owner.id}`,
    ]);
    expect(rows[0].count).toBe(2);
    abort.abort();
    await Promise.allSettled(running);
    await eventually(async () => (await upload(server, owner, await png())).status === 201);
  });

  test('a gigabyte in total', async () => {
    const owner = await newOwner();
    const { body } = await upload(server, owner, await png());
    await server.database.query('update attachments set bytes = 1073741824 where id = $1', [body.id]);
    const refused = await upload(server, owner, await png());
    expect([refused.status, refused.body.error]).toEqual([413, expect.stringContaining('1 GB')]);
  });
});

test('every invariant holds', () => expectConsistent(server));
