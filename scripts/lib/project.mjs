import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// These scripts run before anything is installed, on the machine's Node, so they use no packages and nothing newer
// than Node 20.

/** The root folder of the project. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** @param {string[]} parts path below the root */
export function inProject(...parts) {
  return join(root, ...parts);
}

/** Whether this is an unpacked release archive, which is already built and contains its packages. */
export const isRelease = existsSync(inProject('release.json'));

/** Folder of `.env` and base of relative paths. Releases unpacked below `releases` share the folder above it. */
export const siteFolder = isRelease && basename(dirname(root)) === 'releases' ? join(root, '..', '..') : root;

/** An error of which only the message is shown, without a stack trace. */
export class PlainError extends Error {}

/**
 * Returns one hash of the names and contents of files and whole folders below the root; missing ones are skipped.
 * @param {string[]} paths
 * @param {(path: string) => boolean} [isIncluded] returns false for files to skip
 */
export function hashOf(paths, isIncluded = () => true) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesBelow).filter(isIncluded).sort()) {
    const content = readFileSync(inProject(path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  const stats = statSync(inProject(path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(inProject(path)).flatMap((name) => filesBelow(`${path}/${name}`));
}

/** @param {string} file @returns {string | undefined} trimmed text, or undefined if it cannot be read */
export function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Writes a file atomically: readers see the old or the new text. @param {string} file @param {string} text */
export function writeAtomically(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${text}\n`);
  renameSync(draft, file);
}
