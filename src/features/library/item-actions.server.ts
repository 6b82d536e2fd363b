import { attachmentFile, chatFile, deleteChat, restoreChat } from '#features/chat/service.server.ts';
import { deleteJob, pictureFiles, restoreJob } from '#features/images/service.server.ts';
import { deleteDocument, documentFiles, restoreDocument } from '#features/pdfs/service.server.ts';
import { deletePrompt, promptFile } from '#features/prompts/service.server.ts';
import { textFeatures } from '#features/texts/contract.ts';
import { deleteText, restoreText, textFile } from '#features/texts/service.server.ts';
import type { ExportFile } from '#platform/data-export.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import type { LibraryKind } from './contract.ts';

type ItemInput = ActorInput<{ id: string }>;

/** Actions on an item, the same as on its own page. @throws Problem not_found if the item is not the person's */
interface ItemActions {
  remove: (input: ItemInput) => Promise<unknown>;
  restore: (input: ItemInput) => Promise<unknown>;
  files: (input: ItemInput) => Promise<ExportFile | ExportFile[]>;
}

const texts: ItemActions = { remove: deleteText, restore: restoreText, files: textFile };

export const itemActions: Partial<Record<Exclude<LibraryKind, 'file'>, ItemActions>> & {
  /** No `remove`: a file is deleted and restored with the chats it was sent in. */
  file: Pick<ItemActions, 'files'>;
} = {
  chat: { remove: deleteChat, restore: restoreChat, files: chatFile },
  ...Object.fromEntries(textFeatures.map((kind) => [kind, texts])),
  image: { remove: deleteJob, restore: restoreJob, files: pictureFiles },
  pdf: { remove: deleteDocument, restore: restoreDocument, files: documentFiles },
  file: { files: attachmentFile },
  prompts: {
    remove: ({ actor, input: { id } }) => deletePrompt({ actor, input: { id, deleted: true } }),
    restore: ({ actor, input: { id } }) => deletePrompt({ actor, input: { id, deleted: false } }),
    files: promptFile,
  },
};
