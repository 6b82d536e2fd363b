import { isRunning } from '#features/generations/contract.ts';
import { m } from '#messages';
import type { Database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { withoutNotes } from '#shared/fountain/inline-styles.ts';
import { parseFountain } from '#shared/fountain/parse-fountain.ts';
import type { Block } from '#shared/fountain/screenplay.ts';
import { writeFountain } from '#shared/fountain/write-fountain.ts';
import type { TextDetail } from './contract.ts';
import { contentOf, ownText, versionsOf } from './store.server.ts';

/** Removes notes, and with them the lines that contained nothing else. */
const removeNotes = (text: string): string =>
  text.includes('[[') ? withoutNotes(text).replace(/^[^\S\n]*\n|\n[^\S\n]*(?=\n|$)/g, '') : text;

function printedBlock(block: Block): Block | null {
  switch (block.type) {
    case 'section':
    case 'synopsis':
    case 'note':
      return null;
    case 'page-break':
      return block;
    case 'dialogue': {
      const speech = block.speech
        .map((each) => ({ ...each, text: removeNotes(each.text) }))
        .filter(({ text }) => text.trim() !== '');
      return speech.length > 0 ? { ...block, speech } : null;
    }
    default: {
      const text = removeNotes(block.text);
      return text.trim() === '' ? null : { ...block, text };
    }
  }
}

/**
 * Returns only what the pages print. The title page names the author, often with contact details, and the outline,
 * comments and notes are private to the author.
 */
function printedText(source: string): string {
  const blocks = parseFountain(source).blocks.map(printedBlock);
  return writeFountain({ title: [], blocks: blocks.filter((block) => block !== null) });
}

/**
 * Returns the newest text of the actor as others may read it: of a script only what is printed, without the title page.
 * @throws Problem conflict if it is empty or being written.
 */
export async function readTextSnapshot(
  db: Database,
  { actor, input }: ActorInput<{ id: string }>,
): Promise<Pick<TextDetail, 'feature' | 'title'> & { content: string }> {
  const { id, feature, title } = requireFound(await ownText(db, actor.userId, requireUuid(input.id)));
  const versions = await versionsOf(db, id);
  if (versions.some(({ state }) => state !== null && isRunning(state)))
    throw new Problem('conflict', m.share_being_written());
  const newest = versions.find(({ has_text }) => has_text);
  const source = newest ? ((await contentOf(db, id, newest.id)) ?? '') : '';
  const content = (feature === 'script' ? printedText(source) : source).trim();
  if (content === '') throw new Problem('conflict', m.share_nothing());
  return { feature, title, content };
}
