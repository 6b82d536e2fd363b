import { readFileSync, statSync } from 'node:fs';
import * as util from 'node:util';
import { PlainError } from './project.mjs';

const WORLD_READABLE = 0o004;

/**
 * Returns the variables of a `.env` file; none if the file does not exist. Lines are NAME=value; a value with blanks
 * or # must be quoted.
 * @param {string} file
 * @returns {{ values: Record<string, string | undefined>, warnings: string[] }}
 */
export function readEnvironmentFile(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return { values: {}, warnings: [] };
  if (util.parseEnv === undefined)
    throw new PlainError(`Reading ${file} requires Node 20.12 or newer, but this is ${process.version}.`);
  const text = readText(file);
  text.split(/\r?\n/).forEach((line, index) => {
    const problem = findProblem(line);
    if (problem) throw new PlainError(`${file}, line ${index + 1}: ${problem}`);
  });
  const isWorldReadable = (stats.mode & WORLD_READABLE) !== 0;
  return {
    values: util.parseEnv(text),
    warnings: isWorldReadable
      ? [`Other accounts on this machine can read ${file}. To fix it: chmod o= ${file}`]
      : [],
  };
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PlainError(`Can't read ${file} (${error.code}).`);
  }
}

/** Reports what Node's parser silently skips. Values are secret and never printed. @param {string} line */
function findProblem(line) {
  if (/^\s*(#|$)/.test(line)) return undefined;
  const value = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=\s*(.*?)\s*$/.exec(line)?.[1];
  if (value === undefined) return 'must be NAME=value.';
  if (!/^["'`]/.test(value)) {
    return /^[^#]*\s[^#\s]/.test(value) ? 'put a value with spaces in quotes.' : undefined;
  }
  const end = value.indexOf(value.charAt(0), 1);
  if (end === -1) return 'the quote is not closed.';
  return /^\s*(#|$)/.test(value.slice(end + 1)) ? undefined : 'remove the text after the closing quote.';
}
