import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pdfWith } from './pdf.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

/** Inserts a person's document, whatever their plan, with its file and its one page. */
export async function seedDocument(
  { database, dataDir }: TestServer,
  { id: userId }: Person,
): Promise<string> {
  const [id, file] = [randomUUID(), randomUUID()];
  const key = `document/${file.slice(0, 2)}/${file}`;
  const bytes = await pdfWith(['The words of a seeded document stand here.']);
  const path = join(dataDir, 'files', key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  await database.query(
    `insert into documents (id, user_id, name, bytes, file_key, pages, pages_read) values ($1, $2, 'seed.pdf', $3, $4, 1, 1)`,
    [id, userId, bytes.length, key],
  );
  const words = 'The words of a seeded document stand here.';
  const boxes = words.split(' ').flatMap((_, n) => [720 + n * 300, 720, 280, 120]);
  await database.query(
    'insert into document_pages (document_id, page, width, height, text, boxes) values ($1, 1, 612, 792, $2, $3)',
    [id, words, boxes],
  );
  return id;
}
