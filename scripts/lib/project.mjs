import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// These scripts run before anything is installed, on the machine's own Node, so they use no packages and
// nothing newer than Node 20.

/** The root folder of the project. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** @param {string[]} parts path below the root */
export function inProject(...parts) {
  return join(root, ...parts);
}

/** Whether this is an unpacked release archive: built, with its packages, and never changed. */
export const isRelease = existsSync(inProject('release.json'));

/** Where `.env` and relative paths count from. Releases that are unpacked below `releases` share the folder above it. */
export const siteFolder = isRelease && basename(dirname(root)) === 'releases' ? join(root, '..', '..') : root;

/** A failure whose message is all that the user needs to see. */
export class PlainError extends Error {}

/**
 * One hash over names and contents of files and whole folders below the root; missing ones are left out.
 * @param {string[]} paths
 * @param {(path: string) => boolean} [wanted] leaves files out
 */
export function hashOf(paths, wanted = () => true) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesBelow).filter(wanted).sort()) {
    const content = readFileSync(inProject(path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  const found = statSync(inProject(path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(inProject(path)).flatMap((name) => filesBelow(`${path}/${name}`));
}

/** @param {string} file @returns {string | undefined} trimmed text, or undefined when there is no such file */
export function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Writes a small file so that a reader sees all of it or nothing. @param {string} file @param {string} text */
export function writeWhole(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${text}\n`);
  renameSync(draft, file);
}
