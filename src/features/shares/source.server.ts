import { readSnapshot } from '#features/chat/service.server.ts';
import { readPictures } from '#features/images/service.server.ts';
import { readTextSnapshot } from '#features/texts/service.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { cleanLine } from '#shared/clean-text.ts';
import type { SharedMessage, ShareKind, SourceIds } from './contract.ts';

/** Source of a page; ids that do not apply are null. */
export interface StoredSource {
  chatId: string | null;
  messageId: string | null;
  workId: string | null;
  pictureIds: string[] | null;
}

/** Content of a page, as stored in its row; images are stored only by their ids. */
export interface Snapshot {
  title: string;
  /** Number of messages or images. */
  count: number;
  messages: SharedMessage[] | null;
  content: string | null;
}

export interface ReadSource {
  kind: ShareKind;
  source: StoredSource;
  snapshot: Snapshot;
  /** Number of files, and of images in replies (`drawn`), that are not shared. */
  files: number;
  drawn: number;
}

/** UTF-16 units of the prompt that is the title of images for their owner. */
const TITLE_LENGTH = 80;

const nothingOmitted = { files: 0, drawn: 0 };

const noIds: StoredSource = { chatId: null, messageId: null, workId: null, pictureIds: null };

/** Reads the current content of what a user wants to share. @throws Problem with the reason if it cannot be shared. */
export async function readSource(db: Database, { actor, input }: ActorInput<SourceIds>): Promise<ReadSource> {
  const { messageId = null, workId, pictureIds } = input;
  if (workId !== undefined) {
    const { feature, title, content } = await readTextSnapshot(db, { actor, input: { id: workId } });
    return {
      kind: feature === 'script' ? 'script' : 'text',
      source: { ...noIds, workId },
      snapshot: { title, count: 1, messages: null, content },
      ...nothingOmitted,
    };
  }
  if (pictureIds !== undefined) {
    const pictures = await readPictures(db, { actor, input: { ids: pictureIds } });
    return {
      kind: 'images',
      source: { ...noIds, pictureIds: pictures.map(({ id }) => id) },
      snapshot: {
        title: cleanLine(pictures[0]?.prompt ?? '', TITLE_LENGTH),
        count: pictures.length,
        messages: null,
        content: null,
      },
      ...nothingOmitted,
    };
  }
  const { chatId, title, messages } = await readSnapshot(db, { actor, input });
  return {
    kind: messageId === null ? 'chat' : 'reply',
    source: { ...noIds, chatId, messageId },
    snapshot: { title, count: messages.length, messages, content: null },
    files: messages.reduce((sum, { files }) => sum + files, 0),
    drawn: messages.reduce((sum, { images = 0 }) => sum + images, 0),
  };
}
