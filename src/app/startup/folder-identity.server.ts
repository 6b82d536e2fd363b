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

/** Whether both folders exist and are different, not one folder under two names such as a second mount. */
export function isOtherFolder(folder: string, other: string): boolean {
  const [one, two] = [statOrNull(folder), statOrNull(other)];
  return one !== null && two !== null && (one.dev !== two.dev || one.ino !== two.ino);
}

interface Identity {
  id: string;
  /** Path of the folder when the id was written; earlier builds did not store it. */
  folder: string | undefined;
}

function readIdentity(dataDir: string): Identity | null {
  if (!statOrNull(join(dataDir, 'id'))) return null;
  const [id = '', folder] = readFileSync(join(dataDir, 'id'), 'utf8').split('\n');
  return id ? { id, folder: folder || undefined } : null;
}

function writeDraft(dataDir: string, id: string, folder: string): string {
  const draft = join(dataDir, `id.${randomUUID()}`);
  writeFileSync(draft, `${id}\n${folder}\n`, { mode: 0o600 });
  return draft;
}

/** Uses a hard link where possible, so that the first of two simultaneous starts wins. */
function create(dataDir: string, path: string): void {
  const draft = writeDraft(dataDir, randomUUID(), path);
  const file = join(dataDir, 'id');
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

const replace = (dataDir: string, id: string, path: string) =>
  renameSync(writeDraft(dataDir, id, path), join(dataDir, 'id'));

/**
 * Returns the id in `DATA_DIR/id`, created on first use. A moved folder keeps its id; a copy gets a new one while the
 * original exists, so that the two do not look like one shared folder.
 */
export function folderId(dataDir: string): string {
  const path = realpathSync(dataDir);
  const identity = readIdentity(dataDir);
  if (!identity) create(dataDir, path);
  else if (identity.folder !== path) {
    const isCopy =
      identity.folder !== undefined &&
      isOtherFolder(identity.folder, path) &&
      readIdentity(identity.folder)?.id === identity.id;
    replace(dataDir, isCopy ? randomUUID() : identity.id, path);
  }
  return readIdentity(dataDir)?.id ?? '';
}

/** Returns the id, or null if there is none; does not create one. */
export const storedFolderId = (dataDir: string): string | null => readIdentity(dataDir)?.id ?? null;
