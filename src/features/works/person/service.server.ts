import { type Database, database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import {
  deleteWorksOf,
  newestText,
  versionsAfter,
  type WholeVersionRow,
  type WholeWorkRow,
  worksAfter,
} from './store.server.ts';

/** Erases what a person wrote with the tools. */
export async function erasePerson(tx: Database, userId: string): Promise<void> {
  await deleteWorksOf(tx, userId);
}

const WORKS = 50;
const VERSIONS = 10;

/** A work of the actor; its versions are read page by page as they are asked for. */
export interface WholeWork extends Omit<WholeWorkRow, 'cursor'> {
  /** Oldest first. */
  versions(): AsyncGenerator<WholeVersionRow>;
  /** Its newest text. */
  text(): Promise<string>;
}

async function* versionsOf(workId: string): AsyncGenerator<WholeVersionRow> {
  for (let after = 0; ; ) {
    const page = await versionsAfter(database(), workId, after, VERSIONS);
    yield* page;
    after = page.at(-1)?.position ?? after;
    if (page.length < VERSIONS) return;
  }
}

/** Every work of the actor, oldest first, deleted ones as long as their words are kept. */
export async function* everyWork({ actor }: { actor: UserActor }): AsyncGenerator<WholeWork> {
  let after: { cursor: string; id: string } | null = null;
  for (;;) {
    const page: WholeWorkRow[] = await worksAfter(database(), actor.userId, after, WORKS);
    for (const row of page) {
      const { cursor: _, ...work } = row;
      yield { ...work, versions: () => versionsOf(work.id), text: () => newestText(database(), work.id) };
      after = row;
    }
    if (page.length < WORKS) return;
  }
}
