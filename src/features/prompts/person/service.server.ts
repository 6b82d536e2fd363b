import { type Database, database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import {
  deleteOf,
  type LikedRow,
  likesAfter,
  promptsAfter,
  type ReportRow,
  reportsOf,
  type UsedRow,
  usesAfter,
  type WholePromptRow,
} from './store.server.ts';

/** Each prompt may hold 24 KB. */
const PAGE = 50;

/** Erases a person's prompts, published ones too, likes, ratings and reports. */
export function erasePerson(tx: Database, userId: string): Promise<void> {
  return deleteOf(tx, userId);
}

/** Every prompt of the actor, deleted ones as long as they are kept. */
export async function* everyPrompt({ actor }: { actor: UserActor }): AsyncGenerator<WholePromptRow> {
  for (let after: string | null = null; ; ) {
    const page: WholePromptRow[] = await promptsAfter(database(), actor.userId, after, PAGE);
    yield* page;
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) return;
  }
}

/** Every prompt that the actor likes. */
export async function* everyLike({ actor }: { actor: UserActor }): AsyncGenerator<LikedRow> {
  for (let after: string | null = null; ; ) {
    const page: LikedRow[] = await likesAfter(database(), actor.userId, after, PAGE);
    yield* page;
    after = page.at(-1)?.prompt_id ?? after;
    if (page.length < PAGE) return;
  }
}

/** Every prompt that the actor used, with their rating. */
export async function* everyUse({ actor }: { actor: UserActor }): AsyncGenerator<UsedRow> {
  for (let after: string | null = null; ; ) {
    const page: UsedRow[] = await usesAfter(database(), actor.userId, after, PAGE);
    yield* page;
    after = page.at(-1)?.prompt_id ?? after;
    if (page.length < PAGE) return;
  }
}

/** Every prompt that the actor reported, at most the first thousand. */
export async function* everyReport({ actor }: { actor: UserActor }): AsyncGenerator<ReportRow> {
  yield* await reportsOf(database(), actor.userId);
}
