import { randomUUID } from 'node:crypto';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

interface Seed {
  feature?: 'writer' | 'script';
  title?: string;
  /** Texts of its versions, oldest first. */
  texts?: string[];
  /** Run that made a proposal for the last version; without it there is no proposal. */
  proposedBy?: string;
}

/** Inserts a person's work with versions that no run made. */
export async function seedWork(
  { database }: TestServer,
  { id: userId }: Person,
  { feature = 'writer', title = 'A work', texts = ['first words', 'other words'], proposedBy }: Seed = {},
): Promise<{ work: string; version: string; versions: string[]; proposal: string }> {
  const work = randomUUID();
  const proposal = randomUUID();
  const versions: string[] = [];
  await database.query('insert into works (id, user_id, feature, title) values ($1, $2, $3, $4)', [
    work,
    userId,
    feature,
    title,
  ]);
  for (const text of texts) {
    const id = randomUUID();
    await database.query(
      `insert into work_versions (id, work_id, kind, content, words) values ($1, $2, 'restored', $3, 2)`,
      [id, work, text],
    );
    versions.push(id);
  }
  const version = versions.at(-1) ?? '';
  if (proposedBy)
    await database.query(
      `insert into work_proposals (id, work_id, version_id, generation_id, request, content)
       values ($1, $2, $3, $4, '{"kind":"fix"}', 'proposed words')`,
      [proposal, work, version, proposedBy],
    );
  return { work, version, versions, proposal };
}
