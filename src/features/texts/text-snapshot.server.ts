import { isRunning } from '#features/generations/contract.ts';
import { m } from '#messages';
import type { Database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { found, Problem, requireUuid } from '#platform/http/problem.server.ts';
import { withoutNotes } from '#shared/fountain/inline-styles.ts';
import { linesOf } from '#shared/fountain/source-lines.ts';
import { readTitlePage } from '#shared/fountain/title-page.ts';
import type { TextDetail } from './contract.ts';
import { contentOf, ownText, versionsOf } from './store.server.ts';

/**
 * What its pages print. A title page names its author, and often how to reach them; comments and notes are the
 * author's own.
 */
function printed(source: string): string {
  const lines = linesOf(source);
  const paragraphs = lines
    .slice(readTitlePage(lines).next)
    .map(({ text }) => text)
    .join('\n')
    .split('\n\n');
  return paragraphs.map(withoutNotes).join('\n\n');
}

/**
 * An own text as others may read it: its newest wording, of a script what is printed, without the title page.
 * @throws Problem conflict where it has no words or is being written.
 */
export async function readTextSnapshot(
  db: Database,
  { actor, input }: ActorInput<{ id: string }>,
): Promise<Pick<TextDetail, 'feature' | 'title'> & { content: string }> {
  const { id, feature, title } = found(await ownText(db, actor.userId, requireUuid(input.id)));
  const versions = await versionsOf(db, id);
  if (versions.some(({ state }) => state !== null && isRunning(state)))
    throw new Problem('conflict', m.share_being_written());
  const newest = versions.find(({ has_text }) => has_text);
  const source = newest ? ((await contentOf(db, id, newest.id)) ?? '') : '';
  const content = (feature === 'script' ? printed(source) : source).trim();
  if (content === '') throw new Problem('conflict', m.share_nothing());
  return { feature, title, content };
}
