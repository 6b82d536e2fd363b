import { asyncCommitDatabase, reservedDatabase } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { processName } from './process-name.server.ts';
import { deleteShown, insertShown, type ShownPiece } from './shown-text-store.server.ts';

/** How long a database that does not answer delays replies, once; after that, text is shown without being stored. */
const WAIT_MS = 3_000;

let seq = 0;
/** The last piece that was written; later ones cannot be deleted yet. */
let writtenTo = 0;
let deletedTo = 0;
let unanswered: Promise<void> | undefined;

async function write(pieces: readonly ShownPiece[]): Promise<void> {
  const own = ++seq;
  try {
    await insertShown(reservedDatabase(), processName, own, pieces);
  } catch (error) {
    log.warn({ error }, 'text is shown without being stored');
  }
  writtenTo = own;
}

/** Stores text before it is shown, so that readers find it again even if this process dies next. Never rejects. */
export async function storeShown(pieces: readonly ShownPiece[]): Promise<void> {
  if (pieces.length === 0 || unanswered) return;
  const writing = write(pieces);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, 'late');
  });
  if ((await Promise.race([writing, late])) === 'late') {
    log.warn('text is shown without being stored until the database responds');
    unanswered = writing.finally(() => {
      unanswered = undefined;
    });
  }
  clearTimeout(timer);
}

/** Marks what is stored now; pass it to `forgetShown` once the log has all current text. */
export const shownMark = (): number => writtenTo;

export async function forgetShown(mark: number): Promise<void> {
  if (mark <= deletedTo) return;
  await deleteShown(asyncCommitDatabase(), processName, mark);
  deletedTo = mark;
}
