import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const text = readFileSync(resolve(import.meta.dirname, '../../docs/deploy.md'), 'utf8');

/** The lines of the fenced blocks of a section of docs/deploy.md, by language, in order. */
export function fencedLines(section: string, language: string): string[] {
  const [, part = ''] = text.split(`\n## ${section}\n`);
  const [own = ''] = part.split('\n## ');
  const blocks = [...own.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  return blocks.flatMap(([, body = '']) => body.trim().split('\n'));
}
