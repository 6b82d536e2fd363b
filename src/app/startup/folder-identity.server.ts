import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** Whether a folder is there and is not `other` under another name, such as a second mount of it. */
export function isOtherFolder(folder: string, other: string): boolean {
  const [one, two] = [statOrNull(folder), statOrNull(other)];
  return one !== null && two !== null && (one.dev !== two.dev || one.ino !== two.ino);
}

interface Identity {
  id: string;
  /** Where the folder was when the id was written; unknown of an earlier build. */
  folder: string | undefined;
}

function read(dataDir: string): Identity | null {
  if (!statOrNull(join(dataDir, 'id'))) return null;
  const [id = '', folder] = readFileSync(join(dataDir, 'id'), 'utf8').split('\n');
  return id ? { id, folder: folder || undefined } : null;
}

function writeDraft(dataDir: string, id: string, folder: string): string {
  const draft = join(dataDir, `id.${randomUUID()}`);
  writeFileSync(draft, `${id}\n${folder}\n`, { mode: 0o600 });
  return draft;
}

/** A link lets the first of two starters win, where links can be made. */
function create(dataDir: string, own: string): void {
  const draft = writeDraft(dataDir, randomUUID(), own);
  const file = join(dataDir, 'id');
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

const replace = (dataDir: string, id: string, own: string) =>
  renameSync(writeDraft(dataDir, id, own), join(dataDir, 'id'));

/**
 * The id in `DATA_DIR/id`, made on first use. A folder that was moved keeps it; a copy of one that is still there gets an id
 * of its own, so that the two are not taken for one shared folder.
 */
export function folderId(dataDir: string): string {
  const own = realpathSync(dataDir);
  const found = read(dataDir);
  if (!found) create(dataDir, own);
  else if (found.folder !== own) {
    const isCopy =
      found.folder !== undefined && isOtherFolder(found.folder, own) && read(found.folder)?.id === found.id;
    replace(dataDir, isCopy ? randomUUID() : found.id, own);
  }
  return read(dataDir)?.id ?? '';
}

/** Without making one. */
export const storedFolderId = (dataDir: string): string | null => read(dataDir)?.id ?? null;
