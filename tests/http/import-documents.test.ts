import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { DocumentRow, Findings } from '#features/pdfs/contract.ts';
import { addDocument, openDocument } from '../support/analyses.ts';
import { downloadArchive } from '../support/archive.ts';
import { sentence } from '../support/documents.ts';
import { importFile, zipped } from '../support/imports.ts';
import { pdfWith, unreadable } from '../support/pdf.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { soak } from '../support/soak.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const at = '2024-05-01T10:00:00.000Z';
const [known, other, invented] = [
  sentence(1),
  sentence(5),
  'Nobody at all has ever written these words anywhere.',
];
const pages = [[0, 1, 2, 3].map(sentence).join(' '), [4, 5, 6, 7].map(sentence).join(' ')];

const ownDocument = (file: string, fields: object = {}) => ({
  ...{ id: randomUUID(), name: 'D.pdf', bytes: 1, pages: 9_999, pagesRead: 9_999, note: '<b>Whole</b>' },
  ...{ createdAt: at, deletedAt: null, file, runs: [] },
  ...fields,
});
const archiveOf = (documents: unknown[], files: Record<string, Buffer | string>) =>
  zipped({ 'export.json': JSON.stringify({ version: 1, chats: [], documents }), ...files });

const quote = (text: string, page: number) => ({ text, places: [{ page, boxes: [[-9e9, 0, 9e9, 1]] }] });
const run = (kind: string, result: unknown, fields: object = {}) => ({
  ...{ generationId: randomUUID(), kind, question: kind === 'question' ? 'What?' : null, state: 'done' },
  ...{ result, createdAt: at },
  ...fields,
});
const noFindings: Findings = { summary: [], questions: [], keywords: [], pagesUsed: 0, unsupported: 0 };
const answer = (...statements: unknown[]) => ({ statements, unsupported: 0 });

const documentsOf = async (person: Person) =>
  ((await (await person.get('/api/documents')).json()) as { documents: DocumentRow[] }).documents;

test('findings of an archive are checked against the document, and kept as far as it contains them', async () => {
  const person = await createPerson(server);
  const analysis = {
    ...noFindings,
    summary: [
      { text: '<img src=x onerror=alert(1)>\0', quotes: [quote(known, 9), quote(invented, 1)] },
      { text: 'Invented', quotes: [quote(invented, 1)] },
      { text: 'Without a quote', quotes: [] },
    ],
    questions: [{ question: 'Where?', answer: 'Here', quotes: [quote(other, 2)] }],
    keywords: [
      { word: 'quarter', count: 1_000_000, places: [] },
      { word: 'zebrafinch', count: 7, places: [] },
    ],
    pagesUsed: 1_000_000,
  };
  const runs = [
    run('analysis', analysis),
    run('question', answer({ text: 'So', quotes: [quote(known, 1)] })),
    // An empty answer is valid: it means that the document does not say it.
    run('question', answer(), { question: 'x'.repeat(5_000) }),
    run('question', answer({ text: 'Invented', quotes: [quote(invented, 1)] })),
    run('analysis', { ...noFindings, summary: [{ text: 'Invented', quotes: [quote(invented, 2)] }] }),
    ...[answer({ text: 7, quotes: [] }), { statements: 'x' }, []].map((each) => run('question', each)),
    ...[run('root', answer()), run('question', answer(), { question: ' ' })],
    // Failed and running runs are not counted as left out, because they have no result to lose.
    run('analysis', analysis, { state: 'running' }),
    run('question', null, { state: 'failed' }),
    ...[null, 7, 'x'],
  ];
  const archive = await archiveOf([ownDocument('documents/d.pdf', { runs })], {
    'documents/d.pdf': await pdfWith(pages),
  });
  const done = await importFile(server, person, archive, 'a.zip');
  // An empty list is not a result, so it is not counted.
  expect(done).toMatchObject({ state: 'done', items: { document: { added: 1 } }, leftOut: { findings: 6 } });
  const [row] = await documentsOf(person);
  expect(row).toMatchObject({ name: 'D.pdf', pages: 2, createdAt: at, analysed: true, running: false });
  const view = await openDocument(person, row?.id ?? '');
  expect(view).toMatchObject({ note: null, pagesRead: 2, unread: [], kept: null });
  const findings = view.analysis?.findings;
  expect(findings).toMatchObject({
    ...{ pagesUsed: 2, unsupported: 2 },
    summary: [{ text: '<img src=x onerror=alert(1)>', quotes: [{ text: known, places: [{ page: 1 }] }] }],
    questions: [{ quotes: [{ text: other, places: [{ page: 2 }] }] }],
    keywords: [{ word: 'quarter', count: 8 }],
  });
  const boxes = findings?.summary[0]?.quotes
    .flatMap(({ places }) => places.flatMap((place) => place.boxes))
    .flat();
  expect(Math.min(...(boxes ?? []))).toBeGreaterThan(0);
  expect(Math.max(...(boxes ?? []))).toBeLessThan(800);
  expect(
    view.questions.map(({ question, answer: reply, state }) => [
      question.length,
      reply?.statements.length,
      state,
    ]),
  ).toEqual([
    [5, 1, 'done'],
    [1_000, 0, 'done'],
  ]);
  expect((await person.get(`/api/documents/${row?.id}/export`)).status).toBe(200);
  expect((await person.get(`/tools/pdf/${row?.id}`)).status).toBe(200);
});

test.runIf(soak)('unreadable files, missing files and files of other people are not imported', async () => {
  const [person, owner] = [await createPerson(server), await createPerson(server, { plan: 'pro' })];
  const foreignDocument = (await addDocument(server, owner, await pdfWith(pages))).body;
  const { rows } = await server.database.query<{ file_key: string }>(
    'select file_key from documents where id = $1',
    [foreignDocument.id],
  );
  const files = {
    'documents/locked.pdf': await pdfWith(pages, { userPassword: 'secret' }),
    'documents/page.pdf': '<!doctype html><script>alert(1)</script>',
    'documents/empty.pdf': '',
    'documents/none.pdf': unreadable['without pages'](),
    'documents/padded.pdf': Buffer.concat([await pdfWith(pages), Buffer.alloc(10 * 1024 * 1024)]),
    'documents/good.pdf': await pdfWith(pages),
  };
  const documents = [
    ...Object.keys(files).map((file) => ownDocument(file)),
    ...['documents/absent.pdf', '/etc/passwd', 'export.json', rows[0]?.file_key ?? '', { a: 1 }].map((file) =>
      ownDocument(file as string),
    ),
    ownDocument('documents/good.pdf', {
      id: foreignDocument.id,
      name: '../../<b>x</b>\u202e.exe',
      runs: 'x',
      createdAt: '9999-01-01',
    }),
    ...[null, 7, ownDocument('documents/good.pdf', { id: {} })],
    ownDocument('documents/good.pdf', { deletedAt: at }),
  ];
  const archive = await archiveOf(documents, files);
  const done = await importFile(server, person, archive, 'a.zip');
  expect(done).toMatchObject({
    state: 'done',
    items: { document: { added: 2 } },
    leftOut: { documents: 13 },
  });
  const list = await documentsOf(person);
  expect(list.map(({ id }) => id)).not.toContain(foreignDocument.id);
  expect(list.every(({ createdAt }) => Date.parse(createdAt) <= Date.now())).toBe(true);
  expect((await openDocument(owner, foreignDocument.id)).name).toBe('report.pdf');
  // Pro is needed only for new analyses, not to read imported documents.
  const started = await person.send('POST', `/api/documents/${list[0]?.id}/analysis`, undefined, {
    'idempotency-key': randomUUID(),
  });
  expect(started.status).toBe(403);
  const before = (await downloadArchive(person)).data.documents;
  expect(await importFile(server, person, archive, 'a.zip')).toMatchObject({
    items: { document: { added: 0, present: 2 } },
  });
  expect((await downloadArchive(person)).data.documents).toEqual(before);
});

test('results beyond the import limit are counted, and a person’s document limit applies', async () => {
  const person = await createPerson(server);
  const question = run('question', answer());
  const bytes = await pdfWith(pages);
  const documents = [
    ownDocument('documents/d.pdf', { runs: Array.from({ length: 2_500 }, () => question) }),
    ownDocument('documents/d.pdf', { runs: [question] }),
  ];
  await server.database.query(
    `insert into documents (id, user_id, name, bytes, file_key, pages, pages_read)
     select gen_random_uuid(), $1, 'x', 1, gen_random_uuid()::text, 1, 1 from generate_series(1, 199)`,
    [person.id],
  );
  const done = await importFile(
    server,
    person,
    await archiveOf(documents, { 'documents/d.pdf': bytes }),
    'a.zip',
  );
  expect(done).toMatchObject({
    items: { document: { added: 1 } },
    // 501 runs over the limit of an import, and 1,900 over that of a document.
    leftOut: { documents: 1, findings: 2_401 },
  });
  await server.database.query(`delete from documents where user_id = $1`, [person.id]);
});
