import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function find(from: string): string {
  if (existsSync(join(from, 'package.json')) && existsSync(join(from, 'migrations'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('The project folder cannot be found.');
  return find(parent);
}

/** The project folder, found from this module, wherever the build has put it. */
export const projectRoot: string = find(import.meta.dirname);
