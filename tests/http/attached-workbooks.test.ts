import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { epubType, xlsxType } from '#features/chat/contract.ts';
import { downloadArchive } from '../support/archive.ts';
import { bookOf, hostileBooks, mangledFonts, protectedBook } from '../support/books.ts';
import { openChat, uniqueWord, waitForEnd } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { expectWithin, sampleOf } from '../support/soak.ts';
import {
  greedyWorkbooks,
  hostileWorkbooks,
  longSheet,
  oldOfficeFile,
  rowsOf,
  textCell,
  workbookOf,
} from '../support/workbooks.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const storedText = async (id: string): Promise<string> => {
  const { rows } = await server.database.query('select text from attachments where id = $1', [id]);
  return rows[0].text;
};

/** Returns the message texts of the newest chat request that contains `text`. */
async function sentToModel(text: string): Promise<string> {
  const path = '/gateway/v1/chat/completions';
  const response = await fetch(`${server.standins}/log?contains=${encodeURIComponent(text)}&path=${path}`);
  const calls = (await response.json()) as Array<{
    messages: Array<{ role: string; content: string }>;
    detail: { kind: string };
  }>;
  const call = calls.findLast(({ detail }) => detail.kind === 'chat');
  return (call?.messages ?? []).map(({ content }) => content).join('\n');
}

async function sendMessage(
  person: Person,
  text: string,
  attachmentIds: string[],
  chatId: string = randomUUID(),
) {
  const create = attachmentIds.length > 0;
  const response = await person.send(
    'POST',
    `/api/chats/${chatId}/messages`,
    { text, attachmentIds, ...(create ? { create } : {}) },
    { 'idempotency-key': randomUUID() },
  );
  expect(response.status).toBe(202);
  const { generation } = (await response.json()) as { generation: { id: string } };
  await waitForEnd(person, generation.id);
  return chatId;
}

describe('workbooks', () => {
  test('go to the model sheet by sheet, report what is left out, and remain available for the whole chat', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const sales = rowsOf(
      `<row r="1">${textCell('A1', word)}<c r="B1" s="1"><v>46350</v></c></row><row r="2" hidden="1">${textCell('A2', 'unseen')}</row>`,
    );
    const bytes = await workbookOf(
      [{ name: 'Sales', xml: sales }, longSheet('Long', 5_000), { ...longSheet('Old', 1), state: 'hidden' }],
      { more: { 'xl/media/image1.png': 'x' } },
    );
    const { status, body } = await upload(server, person, bytes, { name: `${word}.xlsx` });
    expect([status, body]).toMatchObject([201, { kind: 'xlsx', pages: null, pagesRead: null }]);
    expect(body.note).toMatch(
      /^Not every row fits. Sent: “Long” up to row \d{3,4}. A hidden sheet is left out. Hidden rows and columns are left out. Its chart or image is left out.$/,
    );
    expect(body.textBytes).toBeGreaterThan(27_000);
    expect(body.textBytes).toBeLessThanOrEqual(28_000);
    const text = await storedText(body.id);
    expect(text).toContain(`Sheet "Sales":\n,A,B\n1,${word},2026-11-24\n\nSheet "Long", up to row `);
    expect(text).not.toContain('unseen');

    const chatId = await sendMessage(person, '', [body.id]);
    const { messages } = await openChat(person, chatId);
    expect(messages[0]).toMatchObject({
      content: `Please analyze this file: ${word}.xlsx`,
      attachments: [body],
    });
    const again = uniqueWord();
    await sendMessage(person, `${again} and now?`, [], chatId);
    const sent = await sentToModel(again);
    expect(sent).toContain(`"${word}.xlsx" (its sheets as CSV; each row begins with its number).`);
    expect(sent).toContain(`1,${word},2026-11-24`);

    const { headers } = await person.get(`/api/files/${body.id}`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': xlsxType,
      'content-disposition': expect.stringContaining('attachment; filename='),
    });
    const { data, files } = await downloadArchive(person);
    expect(data.attachments[0]?.file).toMatch(/\.xlsx$/);
    expect(files.get(data.attachments[0]?.file ?? '')?.equals(bytes)).toBe(true);
  });

  test('several long sheets share the space equally, next to a short one that is complete', async () => {
    const bytes = await workbookOf([longSheet('A', 5_000), longSheet('B', 5_000), longSheet('C', 3)]);
    const { body } = await upload(server, await createPerson(server), bytes, { name: 'three.xlsx' });
    const [, a, b] = /“A” up to row (\d+) and “B” up to row (\d+)/.exec(body.note ?? '') ?? [];
    expect(Number(a)).toBeGreaterThan(400);
    expect(a).toBe(b);
    expect(await storedText(body.id)).toMatch(/\n\nSheet "C":\n,A,B\n1,Line 1 of many,0\n/);
  });

  const texts: Record<keyof typeof hostileWorkbooks, RegExp> = {
    'an archive of something else': /can’t be read as an Excel workbook/,
    'cut off': /can’t be read as an Excel workbook/,
    'paths that lead outside': /can’t be read as an Excel workbook/,
    'without cells': /no visible cells/,
    'hidden sheets alone': /no visible cells/,
    'a bomb': /too large to read/,
    'a bomb that lies about its size': /too large to read/,
    'a bomb of shared texts': /too large to read/,
    'elements within elements': /too large to read/,
  };
  test.each(sampleOf(Object.entries(texts)))('%s: refused within 10 s, at no cost', async (name, text) => {
    const owner = await createPerson(server);
    const bytes = await hostileWorkbooks[name as keyof typeof hostileWorkbooks]();
    expect(bytes.length).toBeLessThan(10_485_760);
    const startedAt = performance.now();
    const { status, body } = await upload(server, owner, bytes, { name: 'a.xlsx' });
    expect([status, body.code, body.error]).toEqual([400, 'bad_request', expect.stringMatching(text)]);
    expectWithin(performance.now() - startedAt, 10_000);
    expect(await owner.credits()).toBe(10);
  });

  test.each(sampleOf(Object.entries(greedyWorkbooks)))('%s: the content is read', async (_, makeBytes) => {
    const { status, body } = await upload(server, await createPerson(server), await makeBytes(), {
      name: 'a.xlsx',
    });
    expect([status, body.note]).toEqual([201, null]);
    const text = await storedText(body.id);
    expect(text).toMatch(/^Sheet "\w+":\n,A(,XFD)?\n1,kept/);
    expect(text.length).toBeLessThan(200);
  });

  test('with a password, or of Excel 97 under a new name, are refused with advice', async () => {
    const owner = await createPerson(server);
    for (const name of ['locked.xlsx', 'letter.docx']) {
      const { status, body } = await upload(server, owner, oldOfficeFile(), { name });
      expect([status, body.error]).toEqual([
        400,
        expect.stringMatching(/^This file is password-protected or/),
      ]);
    }
  });
});

describe('books', () => {
  test('go to the model chapter by chapter as far as they fit, and report what is left out', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const chapters = Array.from({ length: 30 }, (_, index) => ({
      title: `Chapter ${index + 1}`,
      body: `<p>${word} ${'It went on. '.repeat(300)}</p>`,
    }));
    const bytes = await bookOf(chapters);
    const { status, body } = await upload(server, person, bytes, { name: `${word}.epub` });
    expect([status, body]).toMatchObject([201, { kind: 'epub', pages: null }]);
    expect(body.note).toMatch(
      /^Only sections 1 to 8 of 30 fit, up to “Chapter 8”; the rest is left out. Its image is left out.$/,
    );
    expect(body.textBytes).toBeLessThanOrEqual(28_000);
    expect(await storedText(body.id)).toMatch(
      /^Book "The Long Way" by "Ada Writer"\nContents: Chapter 1; Chapter 2; .*Chapter 30\n\n\[Section 1: Chapter 1\]\n/,
    );
    await sendMessage(person, 'What is it about?', [body.id]);
    expect(await sentToModel(word)).toContain(`the attached document "${word}.epub" (its beginning).`);
    const { headers } = await person.get(`/api/files/${body.id}`);
    expect(headers.get('content-type')).toBe(epubType);
  });

  test('with copy protection are refused with the reason, with obfuscated fonts only they are read', async () => {
    const owner = await createPerson(server);
    const locked = await upload(server, owner, await protectedBook(), { name: 'a.epub' });
    expect([locked.status, locked.body.error]).toEqual([
      400,
      expect.stringContaining('copy-protected (DRM)'),
    ]);
    const unprotected = await upload(server, owner, await mangledFonts(), { name: 'b.epub' });
    expect(unprotected.status).toBe(201);
  });

  const texts: Record<keyof typeof hostileBooks, RegExp> = {
    'an archive of something else': /can’t be read as an EPUB book/,
    'cut off': /can’t be read as an EPUB book/,
    'without text': /no text to read/,
    'a bomb': /too large to read/,
    'elements within elements': /too large to read/,
    'chapters that lie outside': /no text to read|can’t be read/,
  };
  test.each(sampleOf(Object.entries(texts)))('%s: refused within 10 s, at no cost', async (name, text) => {
    const owner = await createPerson(server);
    const bytes = await hostileBooks[name as keyof typeof hostileBooks]();
    const startedAt = performance.now();
    const { status, body } = await upload(server, owner, bytes, { name: 'a.epub' });
    expect([status, body.code, body.error]).toEqual([400, 'bad_request', expect.stringMatching(text)]);
    expectWithin(performance.now() - startedAt, 10_000);
    expect(await owner.credits()).toBe(10);
  });
});

test('every invariant holds', () => expectConsistent(server));
