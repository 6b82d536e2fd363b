import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './embedded-error.server.ts';

export async function storedPassword(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'secrets');
  const file = join(folder, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const existing = await readPassword(file);
  if (existing !== undefined) return existing;
  const draft = join(folder, `postgres.${randomBytes(4).toString('hex')}`);
  try {
    await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
    await moveIntoPlace(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  const stored = await readPassword(file);
  if (stored === undefined) throw new Error(`${file} could not be written`);
  return stored;
}

async function readPassword(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    // The password is quoted in SQL, so a hand-edited file may contain only safe characters.
    return /^[\w-]{16,}$/.test(text) ? text : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A link, unlike a rename, lets the first of two starters win. A damaged file is replaced. */
async function moveIntoPlace(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await readPassword(file)) !== undefined) return;
    await rename(draft, file);
  }
}
